#!/bin/sh
# Patroni runs it once, when it has made an empty cluster, with how to connect to it.
set -eu
MUNSHI_OWNER_PASSWORD=$(cat /run/secrets/munshi_owner_password)
MUNSHI_APP_PASSWORD=$(cat /run/secrets/munshi_app_password)
MUNSHI_RETENTION_PASSWORD=$(cat /run/secrets/munshi_retention_password)
export MUNSHI_OWNER_PASSWORD MUNSHI_APP_PASSWORD MUNSHI_RETENTION_PASSWORD
psql "$1" --no-psqlrc --set ON_ERROR_STOP=1 --file /usr/local/share/munshi/roles.sql
