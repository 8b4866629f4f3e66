#!/usr/bin/env bash
# Builds the console (console/) into the folder that the program embeds. With --check it builds next to it and fails if
# the folder differs from the result.
set -eu
cd "$(dirname "$0")/.."
folder=crates/clipmill-server/console/dist

command -v npm >/dev/null 2>&1 || { echo "clipmill: npm is missing: apt-get install -y npm" >&2; exit 1; }
[ console/node_modules/.package-lock.json -nt console/package-lock.json ] || npm ci --prefix console --no-audit --no-fund --silent
cd console
npx tsc --noEmit
if [ "${1:-}" != --check ]; then
  npx vite build --logLevel warn
  echo "console: built into $folder"
  exit 0
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
npx vite build --logLevel warn --outDir "$fresh" --emptyOutDir
diff -rq "$fresh" "../$folder" || { echo "console: $folder does not match the sources in console/; run 'make console' and commit it" >&2; exit 1; }
echo "console: $folder is up to date"
