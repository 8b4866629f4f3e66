#!/usr/bin/env bash
# Makes the types of clients/ from docs/openapi.json; with --check only tells, by its exit status, whether they are
# what would be made. Needs the tools that scripts/test-clients.sh installs, in the folder that TOOLS names.
set -eu
cd "$(dirname "$0")/.."
tools=${TOOLS:-${CARGO_TARGET_DIR:-target}/clients}
[ -x "$tools/venv/bin/datamodel-codegen" ] && [ -x "$tools/node_modules/.bin/openapi-typescript" ] || {
  echo "clipmill: the generators are not installed; make clients does so" >&2
  exit 1
}
tools=$(cd "$tools" && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

"$tools/venv/bin/python" scripts/clients/named.py docs/openapi.json "$made/named.json"
"$tools/venv/bin/datamodel-codegen" --input "$made/named.json" --input-file-type openapi --output "$made/models.py" \
  --output-model-type typing.TypedDict --target-python-version 3.11 --use-title-as-name --use-schema-description \
  --use-field-description --use-single-line-docstring --disable-timestamp --use-double-quotes --use-standard-collections \
  --use-union-operator --enum-field-as-literal all --formatters builtin \
  --custom-file-header '"""What is sent and answered. Made from docs/openapi.json by scripts/generate-clients.sh; do not edit."""'
"$tools/node_modules/.bin/openapi-typescript" "$made/named.json" --root-types --root-types-no-schema-prefix --default-non-nullable false \
  -o "$made/models.ts" >"$made/log" 2>&1 || { cat "$made/log" >&2; exit 1; }
sed -i '1,/^ \*\//c // What is sent and answered. Made from docs/openapi.json by scripts/generate-clients.sh; do not edit.' "$made/models.ts"

stale=0
for pair in models.py:clients/python/src/clipmill/models.py models.ts:clients/typescript/src/models.ts; do
  if [ "${1:-}" = --check ]; then
    diff -u "${pair#*:}" "$made/${pair%%:*}" >"$made/diff" || {
      head -n 40 "$made/diff" >&2
      echo "clipmill: ${pair#*:} is not what docs/openapi.json says: run scripts/generate-clients.sh" >&2
      stale=1
    }
  else
    cp "$made/${pair%%:*}" "${pair#*:}"
  fi
done
exit $stale
