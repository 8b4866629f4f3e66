#!/usr/bin/env bash
# Makes the types of clients/ from docs/openapi.json; with --check it only reports, by its exit status, whether they are
# up to date. Needs the tools that scripts/test-clients.sh installs, in the folder TOOLS.
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

stale=0
for pair in models.py:clients/python/src/clipmill/models.py models.ts:clients/typescript/src/models.ts; do
  if [ "${1:-}" = --check ]; then
    diff -u "${pair#*:}" "$generated/${pair%%:*}" >"$generated/diff" || {
      head -n 40 "$generated/diff" >&2
      echo "clipmill: ${pair#*:} does not match docs/openapi.json: run scripts/generate-clients.sh" >&2
      stale=1
    }
  else
    cp "$generated/${pair%%:*}" "${pair#*:}"
  fi
done
exit $stale
