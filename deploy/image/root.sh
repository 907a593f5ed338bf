#!/bin/bash
# The image without Docker: runs the steps of deploy/Dockerfile in a root that debootstrap makes,
# measures it, and starts the service in it as the image's user, with nothing writable but /tmp.
#   root.sh <empty folder>
# Needs root, debootstrap, git, and npm. Takes what is committed. With DATABASE_URL and MASTER_KEY
# set it starts the service too, and waits until it is ready. Exits with 1 at 300 MB or more.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
root=$work/root
dockerfile=$here/deploy/Dockerfile
final=$(sed -n '/^FROM debian:bookworm-slim/,$p' "$dockerfile")

echo '== first stage: assemble.sh, in a copy of what is committed'
mkdir -p "$work/build" "$work/out"
git -C "$here" archive HEAD | tar -x -C "$work/build"
sh "$work/build/deploy/image/assemble.sh" "$work/build" "$work/out" >"$work/assemble.log" 2>&1 ||
  { tail -20 "$work/assemble.log"; exit 1; }

echo '== second stage: Debian 12 as small as debian:bookworm-slim'
debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 ||
  { tail -20 "$work/debootstrap.log"; exit 1; }
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* \
  "$root"/usr/share/{doc,man,info,locale,groff,lintian}/*
grep '^RUN ' <<<"$final" | sed 's/^RUN //' | while read -r step; do
  echo "   $step"
  chroot "$root" /bin/sh -c "$step"
done
cp -a "$work/out/." "$root/"

bytes=$(du --summarize --bytes --one-file-system "$root" | cut -f1)
echo "== unpacked: $((bytes / 1000000)) MB, of which $(du -sb "$work/out" | awk '{print int($1/1e6)}') MB are the service and its Node"
[ "$bytes" -lt 300000000 ] || { echo 'too large: 300 MB or more'; exit 1; }

settings=$(grep '^ENV ' <<<"$final" | sed 's/^ENV //')
user=$(sed -n 's/^USER //p' <<<"$final")
entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' <<<"$final")
# A root that is read-only, with a /tmp and a /proc of its own; it ends with the command.
inside() {
  unshare --mount --pid --fork --kill-child sh -euc '
    root=$1; shift
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    for device in null urandom; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
    mount -o remount,ro,bind "$root"
    exec chroot --userspec="$0" "$root" env --ignore-environment PATH=/usr/local/bin:/usr/bin:/bin "$@"
  ' "$user" "$root" "$@"
}
echo '== as the user of the image, on a read-only root'
inside sh -c 'id -u; node --version; cd /srv/munshi; ! touch /srv/munshi/x 2>/dev/null; munshi --help' |
  sed 's/^/   /' | head -6

[ -n "${DATABASE_URL:-}" ] || { echo '== not started: DATABASE_URL is not set'; exit 0; }
port=${PORT:-39871}
# shellcheck disable=SC2086 # the settings of ENV are words
inside env $settings HOST=127.0.0.1 PORT="$port" DATABASE_URL="$DATABASE_URL" \
  MASTER_KEY="$MASTER_KEY" "$entry" --roles http,worker 2>&1 | sed 's/^/   /' &
started=$!
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for _ in $(seq 60); do
  curl --silent --fail "http://127.0.0.1:$port/readyz" && break
  sleep 1
done
echo
check=$(sed -n "s/^HEALTHCHECK .* CMD \[\"node\", \"-e\", \"\(.*\)\"\]$/\1/p" <<<"$final")
inside env PORT="$port" node -e "$check" && echo '== ready, and the health check says so'
for page in /console/ /member/ /portal/ /docs/; do
  echo "   $page $(curl --silent --output /dev/null --write-out '%{http_code} %{size_download} bytes' "http://127.0.0.1:$port$page")"
done
