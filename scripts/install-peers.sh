#!/usr/bin/env bash
# Installs the peers that `make bench PEERS=all` measures: melt, MoviePy and editly, the last two into target/peers. A
# peer that cannot be installed is reported and skipped.
set -u
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}/peers
mkdir -p "$target"

missing() { echo "bench: $1 could not be installed and is skipped" >&2; }

debian() { [ "$(id -u)" = 0 ] && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1; }

if ! command -v melt >/dev/null 2>&1; then
  debian melt || missing melt
fi
if ! "$target/moviepy/bin/python" -c "import moviepy" >/dev/null 2>&1; then
  { python3 -c "import ensurepip" || debian python3-venv; } >/dev/null 2>&1
  { python3 -m venv "$target/moviepy" && "$target/moviepy/bin/pip" install --quiet moviepy; } >/dev/null 2>&1 || missing MoviePy
fi
if ! "$target/node_modules/.bin/editly" --help >/dev/null 2>&1; then
  # Two of its parts are compiled if there is no build of them for this machine: half an hour.
  debian build-essential pkg-config python3 xvfb xauth libcairo2-dev libpango1.0-dev libjpeg-dev libgif-dev librsvg2-dev \
    libxi-dev libgl-dev libegl-dev libglew-dev
  npm install --silent --no-fund --no-audit --prefix "$target" editly >/dev/null 2>&1 || missing editly
fi
exit 0
