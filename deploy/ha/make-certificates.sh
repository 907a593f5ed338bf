#!/bin/sh
# Makes an authority, and the certificate by which the nodes of etcd and Patroni know each other:
#   make-certificates.sh <folder> DNS:etcd1,DNS:postgres1,IP:10.0.0.4,…
# Both last ten years. What is there already stays as it is: remove ha_node_crt for another one of
# the same authority. Only who has ha_node_key and its certificate is let in. Keep ha_ca_key away
# from the nodes.
set -eu
[ $# -eq 2 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
umask 077
cd "$1"
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
if [ ! -s ha_ca_crt ]; then
  key ha_ca_key
  openssl req -x509 -new -key ha_ca_key -days 3650 -subj '/CN=munshi-ha' -out ha_ca_crt
fi
if [ ! -s ha_node_crt ]; then
  key ha_node_key
  openssl req -new -key ha_node_key -subj '/CN=munshi-node' -out request
  printf '%s\n' "subjectAltName=$2" 'extendedKeyUsage=serverAuth,clientAuth' >extensions
  openssl x509 -req -in request -CA ha_ca_crt -CAkey ha_ca_key -set_serial "0x$(openssl rand -hex 8)" \
    -days 3650 -extfile extensions -out ha_node_crt 2>/dev/null
  rm request extensions
fi
