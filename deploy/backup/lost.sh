#!/bin/sh
# Says what a restore took back, out of the database as it was before: docs/operate/restore.md.
#   lost.sh <data folder of before> '2026-11-23 12:00:00+00' <folder for the lists>
# Writes orders.csv and audit.csv: what was done since the moment, and in the five seconds before it,
# as the clocks of two machines may differ. orders.csv says of each order what the restored database
# has of it now. Run it as the user of Postgres, on the same version, with the restored database up;
# psql finds that one as always (PGHOST, PGPORT). The database of before is started on a socket of
# its own, archives nothing, and is stopped again.
set -eu
[ $# -eq 3 ] || { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
data=$1
moment=$2
lists=$3
here=$(cd "$(dirname "$0")" && pwd)
bin=${PG_BIN:-/usr/lib/postgresql/$(cat "$data/PG_VERSION")/bin}
work=$(mktemp -d)
trap '"$bin/pg_ctl" stop --silent --pgdata="$data" --mode=fast || true; rm -rf "$work"' EXIT

# Debian keeps these two outside of the data folder.
echo "local all all peer" >"$work/pg_hba.conf"
cat >"$work/postgresql.conf" <<SETTINGS
data_directory = '$(cd "$data" && pwd)'
hba_file = '$work/pg_hba.conf'
listen_addresses = ''
unix_socket_directories = '$work'
port = 5432
archive_mode = off
default_transaction_read_only = on
SETTINGS
"$bin/pg_ctl" start --silent --wait --timeout=600 --pgdata="$data" --log="$work/log" \
  --options="-c config_file=$work/postgresql.conf" || { cat "$work/log" >&2; exit 1; }

ask() {
  "$bin/psql" --dbname=munshi --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$@"
}
mkdir -p "$lists"
ask --host="$work" --port=5432 --csv --set moment="$moment" --file="$here/lost-audit.sql" \
  >"$lists/audit.csv"
ask --host="$work" --port=5432 --tuples-only --no-align --set moment="$moment" \
  --file="$here/lost-orders.sql" >"$work/lost.json"
ask --csv --command="\\set lost \`cat '$work/lost.json'\`" --file="$here/found-orders.sql" \
  >"$lists/orders.csv"
echo "$(($(wc -l <"$lists/orders.csv") - 1)) orders and $(($(wc -l <"$lists/audit.csv") - 1)) entries of the audit log: $lists"
