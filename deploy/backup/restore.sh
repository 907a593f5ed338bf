#!/bin/sh
# Takes the database back to a moment: docs/operations.md, "Restore".
#   restore.sh <data folder> '2026-11-23 12:00:00+00'   to what was committed by then
#   restore.sh <data folder> latest                     to the end of the archive
# Run it as the user of Postgres, with Postgres stopped. Whatever else is given goes to pgBackRest.
# What was in the folder is kept beside it. Postgres replays the archive at its next start.
set -eu
[ $# -ge 2 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
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
echo "Restored. What was there is in $before: keep it until the merchants have been reconciled."
