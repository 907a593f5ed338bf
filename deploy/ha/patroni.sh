#!/bin/sh
# Starts Patroni for the node that PATRONI_NAME names, which is its host name too. With arguments it
# is patronictl there: `patroni.sh list`.
set -eu
export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_NAME:8008"
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_NAME:5432"
PATRONI_SUPERUSER_PASSWORD=$(cat /run/secrets/postgres_password)
PATRONI_REPLICATION_PASSWORD=$(cat /run/secrets/replication_password)
PATRONI_RESTAPI_PASSWORD=$(cat /run/secrets/patroni_password)
export PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD PATRONI_RESTAPI_PASSWORD
[ $# -eq 0 ] || exec patronictl --config-file=/etc/patroni/munshi.yml "$@"
exec patroni /etc/patroni/munshi.yml
