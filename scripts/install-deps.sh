#!/usr/bin/env bash
# Installs missing dependencies of clipmill: a C compiler, make, ffmpeg, fonts, a voice for drafts. With the word `test`, also
# those of the tests: PostgreSQL's server programs, a tracer of system calls. Does nothing, and needs no root, when
# everything is installed. The voice is optional: if only that cannot be installed, it prints a message and succeeds.
set -eu

packages=()
need() { # need COMMAND PACKAGE...
  local command=$1
  shift
  command -v "$command" >/dev/null 2>&1 || packages+=("$@")
}

need cc gcc libc6-dev
need make make
need ffmpeg ffmpeg
need ffprobe ffmpeg
need fc-list fontconfig
if ! { command -v fc-list >/dev/null 2>&1 && fc-list | grep -qi 'Noto Sans CJK SC'; }; then
  packages+=(fonts-noto-cjk)
fi
# Thai, Hindi, Arabic and other scripts; symbols.
if ! { command -v fc-list >/dev/null 2>&1 && fc-list | grep -qi 'Noto Sans Thai'; }; then
  packages+=(fonts-noto-core)
fi
if ! { command -v fc-list >/dev/null 2>&1 && fc-list | grep -qi 'Noto Color Emoji'; }; then
  packages+=(fonts-noto-color-emoji)
fi

if [ "${1:-}" = test ]; then
  # Debian keeps them out of the search path.
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need initdb postgresql
  need setpriv util-linux
  need strace strace
  # Clocks that are wrong.
  compgen -G "/usr/lib/*/faketime/libfaketime.so.1" >/dev/null || [ -e /usr/lib/faketime/libfaketime.so.1 ] ||
    packages+=(libfaketime)
fi

if ! command -v cargo >/dev/null 2>&1; then
  echo "clipmill: the Rust toolchain (cargo) is missing; install it with rustup or your distribution, then try again." >&2
  exit 1
fi
required=${#packages[@]}
need espeak-ng espeak-ng
[ ${#packages[@]} -gt 0 ] || exit 0

# Ends the script: with success if only the voice is missing.
stop_incomplete() {
  [ "$required" != 0 ] || {
    echo "clipmill: continuing without espeak-ng; texts cannot be spoken until it is installed" >&2
    exit 0
  }
  exit 1
}

mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
command="apt-get update && apt-get install -y --no-install-recommends ${packages[*]}"
if ! command -v apt-get >/dev/null 2>&1; then
  echo "clipmill: missing: ${packages[*]} (names of Debian's packages). Install them with your package manager, then try again." >&2
  stop_incomplete
fi
if [ "$(id -u)" = 0 ]; then
  run=(env DEBIAN_FRONTEND=noninteractive)
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null 2>&1; }; then
  run=(sudo env DEBIAN_FRONTEND=noninteractive)
else
  echo "clipmill: missing: ${packages[*]}. Run this as root, then try again:" >&2
  echo "  $command" >&2
  stop_incomplete
fi

echo "clipmill: installing ${packages[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${run[@]}" apt-get update && "${run[@]}" apt-get install -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "clipmill: the packages could not be installed; this is the command that failed:" >&2
  echo "  $command" >&2
  stop_incomplete
fi
