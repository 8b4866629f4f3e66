#!/usr/bin/env bash
# Builds, lints and packs the n8n package of clients/n8n, and runs its operations against a service: WORK, a folder for
# tools and results, and PROGRAM, the program clipmill.
set -eu
cd "$(dirname "$0")/../.."
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
sample=$PWD/samples/city.mp4
echo "== n8n"
mkdir -p "$1/n8n"
work=$(cd "$1/n8n" && pwd)

# n8n's tools without the parts that only nodes for language models and reports to n8n need: a fifth of their size.
mkdir -p "$work/tools/none"
echo '{ "name": "none", "version": "1.0.0" }' >"$work/tools/none/package.json"
cat >"$work/tools/package.json" <<'JSON'
{
  "private": true,
  "dependencies": {
    "@n8n/node-cli": "0.48.3",
    "@types/node": "^20.19.0",
    "axios": "1.18.0",
    "eslint": "9.29.0",
    "n8n-workflow": "2.41.0",
    "typescript": "5.9.3"
  },
  "overrides": { "@n8n/ai-node-sdk": "file:./none", "@sentry/node": "file:./none" }
}
JSON
npm install --prefix "$work/tools" --no-audit --no-fund --no-package-lock --ignore-scripts --silent

rm -rf "$work/package"
cp -r clients/n8n "$work/package"
cd "$work/package"
rm -rf node_modules dist
ln -s ../tools/node_modules node_modules
PATH=$PWD/node_modules/.bin:$PATH

n8n-node build >build.log 2>&1 || { cat build.log >&2; exit 1; }

# n8n verifies only packages under the MIT licence, which is the linter's one objection to a package of clipmill.
eslint . -f json >lint.json 2>lint.log || true
node -e '
  const results = JSON.parse(require("fs").readFileSync("lint.json"));
  const messages = results.flatMap(({ filePath, messages }) => messages.map((message) => ({ filePath, ...message })));
  const expected = "n8n-nodes-base/community-package-json-license-not-default";
  const unexpected = messages.filter(({ ruleId }) => ruleId !== expected);
  for (const { filePath, line, message, ruleId } of unexpected) console.error(`${filePath}:${line}: ${message} (${ruleId})`);
  process.exit(results.length > 20 && unexpected.length === 0 ? 0 : 1);
' || { cat lint.log >&2; exit 1; }

archive=$(npm pack --silent)
contents=$(tar tzf "$archive" | sed 's,^package/,,')
for file in package.json LICENSE README.md dist/credentials/ClipmillApi.credentials.js dist/nodes/Clipmill/Clipmill.node.js \
  dist/nodes/Clipmill/Clipmill.node.json dist/nodes/ClipmillTrigger/ClipmillTrigger.node.js \
  dist/nodes/ClipmillTrigger/ClipmillTrigger.node.json dist/icons/clipmill.svg dist/icons/clipmill.dark.svg; do
  grep -qxF "$file" <<<"$contents" || { printf 'clipmill: %s is missing in the package, which has:\n%s\n' "$file" "$contents" >&2; exit 1; }
done
! grep -E '^(test|nodes|node_modules)/' <<<"$contents" || { echo "clipmill: the package has files that it should not have" >&2; exit 1; }

data=$(mktemp -d)
service=
stop() {
  [ -z "$service" ] || { kill "$service" && wait "$service"; } 2>/dev/null || true
  rm -rf "$data"
}
trap stop EXIT
CLIPMILL_FETCH_ALLOW_NETWORKS=127.0.0.1 CLIPMILL_FETCH_ALLOW_PORTS='*' "$program" serve --data "$data/d" --listen 127.0.0.1:0 >"$data/log" 2>&1 &
service=$!
until grep -q 'listens on' "$data/log"; do
  kill -0 "$service" 2>/dev/null || { cat "$data/log" >&2; exit 1; }
  sleep 0.1
done
base=$(grep -o 'listens on http://[0-9.:]*' "$data/log" | cut -d' ' -f3)
key=$(sed -n 's/^CLIPMILL_API_KEY=//p' "$data/d/first-key")
secret=$("$program" user rotate-secret first --overlap 0s --json --data "$data/d" | grep -o 'whsec_[A-Za-z0-9+/=]*')
CLIENT_TEST="$base|$key|$secret|$sample" node --test test/*.test.mjs >test.log 2>&1 || { cat test.log >&2; exit 1; }
grep -E '^(# |ℹ )(pass|fail)' test.log
