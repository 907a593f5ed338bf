#!/bin/sh
# Makes the secrets of an installation, each in a file:
#   make-secrets.sh                             deploy/secrets, for the Compose files
#   make-secrets.sh <folder> <host>[,<host2>…]  for a Postgres on these hosts
# What is there already stays as it is. smtp_url, of compose.mail.yaml, is yours to write there. Keep a copy of master_key apart from the database's backups.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
random() { [ -s "$folder/$1" ] || openssl rand -hex 32 >"$folder/$1"; }
url() { # file, role, hosts, parameters
  [ -s "$folder/$1" ] ||
    printf 'postgres://%s:%s@%s/munshi%s\n' "$2" "$(cat "$folder/$2_password")" "$3" "$4" >"$folder/$1"
}
for name in master_key metrics_token \
  munshi_owner_password munshi_app_password munshi_retention_password; do
  random "$name"
done
if [ $# -ge 2 ]; then
  url database_url munshi_app "$2" ''
  url database_owner_url munshi_owner "$2" ''
  url retention_database_url munshi_retention "$2" ''
else
  random grafana_password
  random postgres_password
  random replication_password
  random patroni_password
  # The network of the containers is this machine's own, where the databases have no certificates.
  url database_url munshi_app postgres '?sslmode=disable'
  url database_owner_url munshi_owner postgres '?sslmode=disable'
  url retention_database_url munshi_retention postgres '?sslmode=disable'
  three=postgres1,postgres2,postgres3
  url ha_database_url munshi_app $three '?sslmode=disable'
  url ha_database_owner_url munshi_owner $three '?sslmode=disable'
  url ha_retention_database_url munshi_retention $three '?sslmode=disable'
  names=DNS:localhost
  for node in 1 2 3; do names=$names,DNS:etcd$node,DNS:postgres$node; done
  sh "$(dirname "$0")/ha/make-certificates.sh" "$folder" "$names"
fi
# Containers read them as users of their own; nobody else here gets through the folder.
chmod 700 "$folder"
chmod 444 "$folder"/*
