#!/usr/bin/env bash
# Builds and runs all tests, in three concurrent streams: two of test programs that mostly wait for a service or a
# database, one of all others. The output of the first two is printed when the third has ended.
set -eu
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}
database=(chaos postgres)
service=(confined service siege)
# The same random cases in every run; others in `make test-all`.
if [ -z "${CLIPMILL_ALL_CASES:-}" ]; then
  export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
  export CLIPMILL_CHAOS_SEED=${CLIPMILL_CHAOS_SEED:-1} CLIPMILL_SIEGE_SEED=${CLIPMILL_SIEGE_SEED:-1}
fi

scripts/install-deps.sh test
scripts/install-s3-server.sh
rm -f "$target/tmp/skipped"
"$cargo" test --workspace --locked --no-run --quiet

others=()
for program in crates/*/tests/*.rs crates/*/tests/*/main.rs; do
  name=$(basename "$program" .rs)
  [ "$name" != main ] || name=$(basename "$(dirname "$program")")
  [[ " ${database[*]} ${service[*]} " == *" $name "* ]] || others+=("$name")
done

logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$logs"' EXIT

run() { # run PROGRAM...: one stream; prints the time that each program took
  local name began arguments failed=0
  for name; do
    case $name in
      units) arguments=(--lib --bins) ;;
      documentation) arguments=(--doc) ;;
      *) arguments=(--test "$name") ;;
    esac
    began=$SECONDS
    "$cargo" test --workspace --locked "${arguments[@]}" 2>&1 | tee "$logs/$name.log" || { failed=1; mv "$logs/$name.log" "$logs/$name.failed"; }
    echo "== $name: $((SECONDS - began)) s"
  done
  return "$failed"
}

set -o pipefail
run "${database[@]}" >"$logs/database" & first=$!
run "${service[@]}" >"$logs/service" & second=$!
run units "${others[@]}" documentation || true
wait "$first" || true
wait "$second" || true
cat "$logs/database" "$logs/service"
sort -u "$target/tmp/skipped" 2>/dev/null || true
failed=("$logs"/*.failed)
[ -e "${failed[0]}" ] || exit 0
for log in "${failed[@]}"; do
  echo "== FAILED: $(basename "$log" .failed)"
  tail -n 60 "$log"
done
exit 1
