#!/bin/sh
# Starts Patroni for the node that PATRONI_NAME names, which is its host name too.
set -eu
export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_NAME:8008"
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_NAME:5432"
PATRONI_SUPERUSER_PASSWORD=$(cat /run/secrets/postgres_password)
PATRONI_REPLICATION_PASSWORD=$(cat /run/secrets/replication_password)
export PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD
exec patroni /etc/patroni/munshi.yml
