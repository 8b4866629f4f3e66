#!/usr/bin/env bash
# Fetches malformed media for the test that feeds them to the service: the test files of PyPI's `mutagen` and of the
# crate `mp4parse`. Their licences keep them out of this repository. Existing files are not fetched again; unavailable
# ones are reported and skipped.
#
#   scripts/fetch-corpora.sh FOLDER
set -eu

into=${1:?the folder for the files}
mkdir -p "$into"
work=$(mktemp -d "$into/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Moves a finished folder into place; a folder that another run finished meanwhile is just as good.
finished() {
  mv -T "$1" "$into/$2" 2>/dev/null || [ -d "$into/$2" ]
}

fetch_mutagen() {
  mkdir "$work/pypi" && cd "$work/pypi"
  timeout 120 python3 -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 15 \
    --no-binary :all: --no-deps --dest . mutagen==1.47.0 &&
    tar -xzf mutagen-*.tar.gz && finished "$work"/pypi/mutagen-*/tests/data mutagen
}

fetch_mp4parse() {
  mkdir -p "$work/crate/src" && cd "$work/crate"
  touch src/lib.rs
  cat >Cargo.toml <<'EOF'
[package]
name = "corpora"
version = "0.0.0"
edition = "2021"

[dependencies]
mp4parse = "=0.12.0"

[workspace]
EOF
  timeout 120 cargo vendor --quiet vendor >/dev/null && finished "$work/crate/vendor/mp4parse/tests" mp4parse
}

for corpus in mutagen mp4parse; do
  [ -d "$into/$corpus" ] && continue
  if ! (fetch_"$corpus") >"$work/log" 2>&1; then
    echo "fetch-corpora: $corpus is not available and is skipped: $(tail -n 1 "$work/log")" >&2
  fi
done
