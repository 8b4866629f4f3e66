#!/usr/bin/env bash
# Runs the examples of docs/guides/clients.md and of the READMEs with the packages that scripts/clients/pack.sh has installed:
# examples.sh WORK URL KEY CLIP.
set -eu
work=$1
export CLIPMILL_URL=$2 CLIPMILL_API_KEY=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/holiday"
cp "$4" "$folder/city.mp4"
cp "$4" "$folder/holiday/beach.mp4"

# run COMMAND...: in a folder with the files that the examples name; shows the output only if it fails.
run() {
  (cd "$folder" && "$@" >"$folder/log" 2>&1) || { tail -n 40 "$folder/log" >&2; exit 1; }
}

for example in readme guide; do
  run "$work/venv/bin/python" "$work/libraries/python/$example.py"
  (cd "$work/libraries/consumer" && {
    cat "$example.ts"
    # A server of callbacks would run on.
    printf '\nprocess.exit();\n'
  } | sed 's/listen(8000)/listen(0)/' >"run-$example.ts" &&
    "$work/node_modules/.bin/tsc" --target es2022 --module nodenext --moduleResolution nodenext --typeRoots "$work/node_modules/@types" \
      --types node "run-$example.ts")
  run node "$work/libraries/consumer/run-$example.js"
done
for file in results preview.jpg june.zip july.zip; do
  [ -s "$folder/$file" ] || { echo "clipmill: the examples of docs/guides/clients.md did not write $file" >&2; exit 1; }
done
