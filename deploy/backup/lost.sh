#!/bin/sh
# Says what a restore took back, out of the database as it was before: docs/operations.md, "Restore".
#   lost.sh <data folder of before> '2026-11-23 12:00:00+00' <folder for the lists>
# Writes orders.csv and audit.csv: what was done since the moment, and in the five seconds before it,
# as the clocks of two machines may differ. Run it as the user of Postgres, on the same version. It
# starts that database on a socket of its own, archives nothing, and stops it again.
set -eu
[ $# -eq 3 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
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
archive_mode = off
default_transaction_read_only = on
SETTINGS
"$bin/pg_ctl" start --silent --wait --timeout=600 --pgdata="$data" --log="$work/log" \
  --options="-c config_file=$work/postgresql.conf" || { cat "$work/log" >&2; exit 1; }

mkdir -p "$lists"
for list in orders audit; do
  "$bin/psql" --host="$work" --dbname=munshi --no-psqlrc --quiet --csv --set ON_ERROR_STOP=1 \
    --set moment="$moment" --file="$here/lost-$list.sql" >"$lists/$list.csv"
done
echo "$(($(wc -l <"$lists/orders.csv") - 1)) orders and $(($(wc -l <"$lists/audit.csv") - 1)) entries of the audit log: $lists"
