#!/usr/bin/env bash
# Lints the API's description and compares it with a running service: clients generated from it in TypeScript and Python
# run the README's session, libraries of Standard Webhooks verify callbacks, MCP's reference client acts as an agent
# from files to a video, OpenTimelineIO reads the timeline of an output, and schemathesis tries the requests that the
# description allows. The client libraries of clients/ are compared with it, packed, and tested as users get them.
#
# With --if-changed, generated clients and schemathesis are skipped if they passed with this description and these
# scripts: scripts/clients/passed.sha256 has the hash of both, and each complete run that passes writes it.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
work=$target/clients
mkdir -p "$work"
work=$(cd "$work" && pwd)

passed=$(pwd)/scripts/clients/passed.sha256
hash=$(git ls-files docs/openapi.json scripts/clients scripts/test-clients.sh | grep -vF passed.sha256 | xargs sha256sum | sha256sum | cut -d' ' -f1)
whole=true
[ "${1:-}" != --if-changed ] || [ "$hash" != "$(cat "$passed" 2>/dev/null)" ] || whole=false

packages=()
python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
command -v npm >/dev/null 2>&1 || packages+=(npm)
if [ ${#packages[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "clipmill: installing ${packages[*]}"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"; } >"$work/apt.log" 2>&1 ||
      { tail -n 20 "$work/apt.log" >&2; exit 1; }
  else
    echo "clipmill: missing: ${packages[*]}. Run this as root, then try again:" >&2
    echo "  apt-get update && apt-get install -y ${packages[*]}" >&2
    exit 1
  fi
fi

echo "== examples of docs/guides/webhooks.md"
scripts/test-callback-examples.sh

scripts/build-program.sh
[ -x "$work/venv/bin/pip" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet -r scripts/clients/requirements.txt
cp scripts/clients/schemathesis.toml scripts/clients/package.json scripts/clients/session.ts scripts/clients/callback.ts "$work/"
npm install --prefix "$work" --no-audit --no-fund --no-package-lock --silent

data=$(mktemp -d)
service=
stop() {
  [ -z "$service" ] || { kill "$service" && wait "$service"; } 2>/dev/null || true
  rm -rf "$data"
}
trap stop EXIT

# start OPTION...: a service with fresh data; sets $base and $key.
start() {
  rm -rf "${data:?}"/*
  : >"$data/log"
  env CLIPMILL_LIMITS_READ_RATE=10000/s CLIPMILL_LIMITS_READ_BURST=10000 CLIPMILL_LIMITS_SUBMIT_RATE=10000/s \
    CLIPMILL_LIMITS_SUBMIT_BURST=10000 "$target/debug/clipmill" serve --data "$data/d" --listen 127.0.0.1:0 "$@" >"$data/log" 2>&1 &
  service=$!
  until grep -q 'listens on' "$data/log"; do
    kill -0 "$service" 2>/dev/null || { cat "$data/log" >&2; exit 1; }
    sleep 0.1
  done
  base=$(grep -o 'listens on http://[0-9.:]*' "$data/log" | cut -d' ' -f3)
  key=$(sed -n 's/^CLIPMILL_API_KEY=//p' "$data/d/first-key")
}

echo "== linters of OpenAPI"
scripts/clients/lint.sh "$work"

sample=$(pwd)/samples/city.mp4
if $whole; then
  echo "== clients generated from docs/openapi.json"
  start
  (cd "$work" && PATH="$work/venv/bin:$PATH" venv/bin/openapi-python-client generate --path "$OLDPWD/docs/openapi.json" \
    --output-path python --overwrite >python.log 2>&1) || { cat "$work/python.log" >&2; exit 1; }
  PYTHONPATH="$work/python" "$work/venv/bin/python" scripts/clients/session.py "$base" "$key" samples/city.mp4
  "$work/node_modules/.bin/openapi-typescript" docs/openapi.json -o "$work/schema.d.ts" >"$work/typescript.log" 2>&1 ||
    { cat "$work/typescript.log" >&2; exit 1; }
  (cd "$work" && node_modules/.bin/tsc --strict --target es2022 --module nodenext --moduleResolution nodenext --skipLibCheck session.ts &&
    node session.js "$base" "$key" "$sample")
  kill "$service" && wait "$service" || true
fi

echo "== client libraries"
scripts/generate-clients.sh --check
# Generators number types without names in the description. `…Type0` is one part of a value of several types.
models=(clients/python/src/clipmill/models.py clients/typescript/src/models.ts)
! $whole || models+=("$work/python/clipmill_client/models")
numbered=$(grep -rhoE '^(class|export type|export interface) \w*[0-9]\b' "${models[@]}" | grep -vE 'Type[0-9]$' || true)
[ -z "$numbered" ] || { printf 'clipmill: types without names of their own:\n%s\n' "$numbered" >&2; exit 1; }
scripts/clients/pack.sh "$work"
CLIPMILL_FETCH_ALLOW_NETWORKS=127.0.0.1 CLIPMILL_FETCH_ALLOW_PORTS='*' start
secret=$("$target/debug/clipmill" user rotate-secret first --overlap 0s --json --data "$data/d" | grep -o 'whsec_[A-Za-z0-9+/=]*')
export CLIENT_TEST="$base|$key|$secret|$sample"
(cd "$work/libraries/python" && "$work/venv/bin/python" -m pytest -q -p no:cacheprovider tests)
(cd "$work/libraries/consumer" && node --test test/*.test.mjs >test.log 2>&1 || { cat test.log >&2; exit 1; }; grep -E '^(# |ℹ )(pass|fail)' test.log)
unset CLIENT_TEST
scripts/clients/examples.sh "$work" "$base" "$key" "$sample"
kill "$service" && wait "$service" || true
scripts/clients/n8n.sh "$work" "$target/debug/clipmill"

echo "== agents: MCP's reference client"
start
"$work/venv/bin/python" scripts/clients/agent.py "$base" "$key" "$target/debug/clipmill" samples
kill "$service" && wait "$service" || true

echo "== editing programs: OpenTimelineIO"
start
"$work/venv/bin/python" scripts/clients/timeline.py "$base" "$key" samples
kill "$service" && wait "$service" || true

echo "== callbacks"
CLIPMILL_FETCH_ALLOW_NETWORKS=127.0.0.1 CLIPMILL_FETCH_ALLOW_PORTS='*' start --no-worker
secrets=()
for _ in 1 2; do
  json=$("$target/debug/clipmill" user rotate-secret first --json --data "$data/d")
  secrets=("$(printf '%s' "$json" | grep -o 'whsec_[A-Za-z0-9+/=]*')" "${secrets[@]}")
done
"$work/venv/bin/python" scripts/clients/callback.py "$base" "$key" "${secrets[@]}"
(cd "$work" && node_modules/.bin/tsc --strict --target es2022 --module nodenext --moduleResolution nodenext --skipLibCheck callback.ts &&
  node callback.js "$base" "$key" "${secrets[@]}")
kill "$service" && wait "$service" || true

if ! $whole; then
  echo "clients: generated clients and schemathesis skipped, they passed with this description"
  exit
fi
echo "== schemathesis"
start --no-worker
(cd "$work" && venv/bin/schemathesis --config-file schemathesis.toml run "$base/openapi.json" -H "X-API-Key: $key" --seed 1 --max-examples "${EXAMPLES:-12}" \
  --suppress-health-check all --warnings off --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,ignored_auth,unsupported_method,missing_required_header)
[ -n "${EXAMPLES:-}" ] || echo "$hash" >"$passed"
