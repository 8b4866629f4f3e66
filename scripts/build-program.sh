#!/usr/bin/env bash
# Builds target/debug/clipmill with the features that `make test` uses, so that nothing is compiled twice. Cargo enables
# the features of dev-dependencies only when a test or an example is built too.
set -eu
cd "$(dirname "$0")/.."
exec "${CARGO:-cargo}" build --workspace --locked --quiet --bin clipmill --example demo
