#!/usr/bin/env bash
# Tests the console: unit tests, whether the embedded files match the sources, and pages in Debian's Chromium against
# the real service. UPDATE_PICTURES=1 regenerates the screenshots in documents.
set -eu
cd "$(dirname "$0")/.."

packages=()
command -v chromium >/dev/null 2>&1 || [ -n "${CHROMIUM:-}" ] || packages+=(chromium)
command -v npm >/dev/null 2>&1 || packages+=(npm)
if [ ${#packages[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "clipmill: installing ${packages[*]}"
    log=$(mktemp)
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1 ||
      { tail -n 20 "$log" >&2; exit 1; }
  else
    echo "clipmill: missing: ${packages[*]}. Run this as root, then try again:" >&2
    echo "  apt-get update && apt-get install -y ${packages[*]}" >&2
    exit 1
  fi
fi

scripts/build-console.sh --check
(cd console && npx vitest run)
scripts/build-program.sh
target=${CARGO_TARGET_DIR:-target}
CLIPMILL_PROGRAM=$(cd "$target" && pwd)/debug/clipmill
export CLIPMILL_PROGRAM
cd console

# Two files at a time, because pages mostly wait for the service. A failed file is tried once more, alone, and reported
# even if it passes then.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
try() { # try FILE
  local log=$logs/$(basename "$1")
  node --test --test-reporter=spec "$1" >"$log" 2>&1 || touch "$log.failed"
  cat "$log"
}
export -f try
export logs
# Large files take longest.
ls -S e2e/*.test.mjs | xargs -P 2 -I{} bash -c 'try {}'
again=()
for file in e2e/*.test.mjs; do
  [ ! -e "$logs/$(basename "$file").failed" ] || again+=("$file")
done
for file in "${again[@]}"; do
  echo "== once more: $file"
  node --test --test-reporter=spec "$file"
done
[ ${#again[@]} = 0 ] || echo "console: passed only at the second try: ${again[*]}"
