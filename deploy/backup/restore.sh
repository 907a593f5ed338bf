#!/bin/sh
# Takes the database back to a moment: docs/operate/restore.md.
#   restore.sh <data folder> '2026-11-23 12:00:00+00'   to what was committed by then
#   restore.sh <data folder> latest                     to the end of the archive
# Run it as the user of Postgres, with Postgres (or Patroni) stopped. Whatever else is given goes to
# pgBackRest. What was in the folder is kept beside it. The archive is replayed here, on a socket of
# its own, and the settings of the restore are taken out again: a standby that is copied with them
# would stop at the same moment and lead, and Patroni would make a standby of what is restored. So is
# synchronous_standby_names: no standby can follow what is restored, and every commit would hang.
set -eu
[ $# -ge 2 ] || { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
data=${1%/}
moment=$2
shift 2

case $moment in
latest) set -- --type=default "$@" ;;
*[0-9][+-][0-9][0-9] | *[0-9][+-][0-9][0-9]:[0-9][0-9])
  set -- --type=time "--target=$moment" --target-action=promote "$@" ;;
*) echo "restore.sh: say the zone of $moment, as in '2026-11-23 12:00:00+00'" >&2; exit 2 ;;
esac
if [ -s "$data/postmaster.pid" ] && kill -0 "$(head -1 "$data/postmaster.pid")" 2>/dev/null; then
  echo "restore.sh: Postgres runs in $data: stop it first" >&2
  exit 1
fi

before=$data.before-$(date -u +%Y%m%dT%H%M%SZ)
[ ! -e "$data" ] || mv "$data" "$before"
mkdir -m 700 "$data"
if ! pgbackrest --stanza=munshi --pg1-path="$data" "$@" restore; then
  echo "restore.sh: nothing was restored; what was there is in $before" >&2
  exit 1
fi

bin=${PG_BIN:-/usr/lib/postgresql/$(cat "$data/PG_VERSION")/bin}
work=$(mktemp -d)
trap '"$bin/pg_ctl" stop --silent --pgdata="$data" --mode=immediate 2>/dev/null || true; rm -rf "$work"' EXIT
echo "local all all peer" >"$work/pg_hba.conf"
cat >"$work/postgresql.conf" <<SETTINGS
data_directory = '$data'
hba_file = '$work/pg_hba.conf'
listen_addresses = ''
unix_socket_directories = '$work'
hot_standby = off
archive_mode = on
archive_command = 'pgbackrest --stanza=munshi --pg1-path="$data" archive-push %p'
SETTINGS
echo "Replaying the archive…"
# Without hot_standby nobody gets in until all is replayed, and max_connections may be anything.
"$bin/pg_ctl" start --silent --wait --pgdata="$data" --log="$work/log" \
  --options="-c config_file=$work/postgresql.conf" || true
until "$bin/pg_isready" --quiet --host="$work"; do
  "$bin/pg_ctl" status --silent --pgdata="$data" >"$work/status" || {
    cat "$work/log" >&2
    echo "restore.sh: the archive was not replayed; what was there is in $before" >&2
    exit 1
  }
  sleep 1
done
set --
for setting in $(sed -nE 's/^(recovery_target[a-z_]*|restore_command|synchronous_standby_names) *=.*/\1/p' "$data/postgresql.auto.conf"); do
  set -- "$@" --command="alter system reset $setting"
done
"$bin/psql" --host="$work" --dbname=postgres --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$@" </dev/null
"$bin/pg_ctl" stop --silent --wait --timeout=600 --pgdata="$data" --mode=fast
echo "Restored. What was there is in $before: keep it until the merchants have been reconciled."
