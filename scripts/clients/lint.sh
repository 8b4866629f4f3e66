#!/usr/bin/env bash
# Lints docs/openapi.json by the recommended rules of redocly and spectral; errors fail, warnings are ignored: lint.sh
# TOOLS.
set -eu
cd "$(dirname "$0")/../.."
tools=$1
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true "$tools/node_modules/.bin/redocly" lint docs/openapi.json \
  --config scripts/clients/redocly.yaml --format summary >"$tools/redocly.log" 2>&1 || { cat "$tools/redocly.log" >&2; exit 1; }
"$tools/node_modules/.bin/spectral" lint docs/openapi.json --ruleset scripts/clients/spectral.yaml --fail-severity error \
  --display-only-failures >"$tools/spectral.log" 2>&1 || { cat "$tools/spectral.log" >&2; exit 1; }
