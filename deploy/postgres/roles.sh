#!/bin/sh
# Runs once, when the image of Postgres has made an empty database.
set -eu
MUNSHI_OWNER_PASSWORD=$(cat /run/secrets/munshi_owner_password)
MUNSHI_APP_PASSWORD=$(cat /run/secrets/munshi_app_password)
MUNSHI_RETENTION_PASSWORD=$(cat /run/secrets/munshi_retention_password)
export MUNSHI_OWNER_PASSWORD MUNSHI_APP_PASSWORD MUNSHI_RETENTION_PASSWORD
psql --username postgres --no-psqlrc --set ON_ERROR_STOP=1 --file /usr/local/share/munshi/roles.sql
