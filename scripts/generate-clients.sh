#!/usr/bin/env bash
# Makes the types of clients/ from docs/openapi.json, and the synchronous Python client from the asyncio client. With
# --check it only reports, by its exit status, whether they are up to date. Needs the tools that scripts/test-clients.sh
# installs, in the folder TOOLS.
set -eu
cd "$(dirname "$0")/.."
tools=${TOOLS:-${CARGO_TARGET_DIR:-target}/clients}
[ -x "$tools/venv/bin/datamodel-codegen" ] && [ -x "$tools/node_modules/.bin/openapi-typescript" ] || {
  echo "clipmill: the generators are not installed; make clients does so" >&2
  exit 1
}
tools=$(cd "$tools" && pwd)
generated=$(mktemp -d)
trap 'rm -rf "$generated"' EXIT

"$tools/venv/bin/python" scripts/clients/named.py docs/openapi.json "$generated/named.json"
"$tools/venv/bin/datamodel-codegen" --input "$generated/named.json" --input-file-type openapi --output "$generated/models.py" \
  --output-model-type typing.TypedDict --target-python-version 3.11 --use-title-as-name --use-schema-description \
  --use-field-description --use-single-line-docstring --disable-timestamp --use-double-quotes --use-standard-collections \
  --use-union-operator --enum-field-as-literal all --formatters builtin \
  --custom-file-header '"""Request and response types, generated from docs/openapi.json by scripts/generate-clients.sh; do not edit."""'
"$tools/node_modules/.bin/openapi-typescript" "$generated/named.json" --root-types --root-types-no-schema-prefix --default-non-nullable false \
  -o "$generated/models.ts" >"$generated/log" 2>&1 || { cat "$generated/log" >&2; exit 1; }
sed -i '1,/^ \*\//c // Request and response types, generated from docs/openapi.json by scripts/generate-clients.sh; do not edit.' "$generated/models.ts"

python=clients/python/src/clipmill
"$tools/venv/bin/python" scripts/clients/sync.py "$python" "$generated"
ruff=("$tools/venv/bin/ruff" --config clients/python/pyproject.toml)
"${ruff[@]}" check --no-cache --quiet --select I,F401 --fix "$generated"/_*.py
"${ruff[@]}" format --no-cache --quiet "$generated"/_*.py

stale=0
pairs=(models.py:$python/models.py models.ts:clients/typescript/src/models.ts)
for file in "$generated"/_*.py; do
  pairs+=("${file##*/}:$python/${file##*/}")
done
for pair in "${pairs[@]}"; do
  if [ "${1:-}" = --check ]; then
    diff -u "${pair#*:}" "$generated/${pair%%:*}" >"$generated/diff" || {
      head -n 40 "$generated/diff" >&2
      echo "clipmill: ${pair#*:} is out of date: run scripts/generate-clients.sh" >&2
      stale=1
    }
  else
    cp "$generated/${pair%%:*}" "${pair#*:}"
  fi
done
exit $stale
