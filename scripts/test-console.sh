#!/usr/bin/env bash
# Tests the console: unit tests, whether the embedded files match the sources, and pages in Debian's Chromium against
# the real service. UPDATE_PICTURES=1 regenerates the screenshots in documents.
#
# With --if-changed, only a few files of pages are tested if all of them passed with this console and this description of
# the API: console/e2e/passed.sha256 has the hash of both, and each complete run that passes writes it.
set -eu
cd "$(dirname "$0")/.."

passed=$(pwd)/console/e2e/passed.sha256
hash=$(git ls-files console docs/openapi.json scripts/test-console.sh | grep -vF passed.sha256 | xargs sha256sum | sha256sum | cut -d' ' -f1)
whole=true
[ "${1:-}" != --if-changed ] || [ "$hash" != "$(cat "$passed" 2>/dev/null)" ] || whole=false

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

files=(e2e/*.test.mjs)
$whole || files=(e2e/{clicks,failures,pages,share,tasks}.test.mjs)
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
ls -S "${files[@]}" | xargs -P 2 -I{} bash -c 'try {}'
again=()
for file in "${files[@]}"; do
  [ ! -e "$logs/$(basename "$file").failed" ] || again+=("$file")
done
for file in "${again[@]}"; do
  echo "== once more: $file"
  node --test --test-reporter=spec "$file"
done
[ ${#again[@]} = 0 ] || echo "console: passed only at the second try: ${again[*]}"
! $whole || echo "$hash" >"$passed"
