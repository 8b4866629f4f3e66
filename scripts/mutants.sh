#!/usr/bin/env bash
# Mutation tests of clipmill-core: changes it in many places, one at a time, and runs its own tests each time. The
# places are drawn from all its files in turn, so that small files count as much as large ones; the same SEED draws the
# same places of the same code. An unnoticed change shows a missing test or needless code.
#
#   SAMPLE=200 SEED=1 JOBS=1 scripts/mutants.sh
set -eu
cd "$(dirname "$0")/.."

need() {
  command -v "$1" >/dev/null && return
  echo "mutants: $1 is not installed: $2" >&2
  exit 1
}
need cargo-mutants "cargo install cargo-mutants --locked"
need python3 "apt-get install python3"

into=${CARGO_TARGET_DIR:-target}/mutants
rm -rf "$into"
mkdir -p "$into/mutants.out"

# Places that are not drawn are recorded as caught by an earlier run, which this one continues.
cargo mutants --list --json --package clipmill-core |
  python3 -c '
import json, random, sys
most, seed = int(sys.argv[1]), sys.argv[2]
files = {}
for mutant in json.load(sys.stdin):
    files.setdefault(mutant["file"], []).append(mutant["name"])
draw, order = random.Random(seed), sorted(files)
for names in [order] + [files[file] for file in order]:
    draw.shuffle(names)
longest = max(map(len, files.values()))
turns = [files[file][turn] for turn in range(longest) for file in order if turn < len(files[file])]
print(*turns[most:], sep="\n")
' "${SAMPLE:-200}" "${SEED:-1}" >"$into/mutants.out/caught.txt"

# Each job builds in a copy of its own, slightly optimised, which the tests gain back; in random order, so that an
# interrupted run is a smaller sample. Statuses 2 and 3 mean that some were missed or ran for too long.
status=0
CARGO_INCREMENTAL=1 CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_DEV_OPT_LEVEL=1 nice -n 10 env -u CARGO_TARGET_DIR \
  cargo mutants --iterate --no-config --package clipmill-core --test-package clipmill-core --output "$into" \
  --jobs "${JOBS:-1}" --shuffle --minimum-test-timeout 60 --build-timeout 600 --colors never \
  -- --tests --locked || status=$?
case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac

python3 - "$into/mutants.out/outcomes.json" <<'EOF'
import json, sys

totals = json.load(open(sys.argv[1]))
caught = totals["caught"] + totals["timeout"]
viable = caught + totals["missed"]
print(f"{totals['total_mutants']} drawn, {totals['unviable']} do not compile, {viable} viable:")
print(f"{caught} caught ({totals['timeout']} of them by running for too long), {totals['missed']} missed", end="")
print(f": {100 * caught / viable:.1f} % caught" if viable else "")
for outcome in totals["outcomes"]:
    if outcome["summary"] == "MissedMutant":
        print("  missed:", outcome["scenario"]["Mutant"]["name"])
EOF
