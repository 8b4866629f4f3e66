#!/usr/bin/env bash
# Runs the functions of docs/guides/webhooks.md against messages signed by openssl: genuine ones must pass, all others must
# not. A language without tools is skipped with a message.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v openssl >/dev/null 2>&1 || { echo "clipmill: openssl is missing; the examples were not tested" >&2; exit 0; }

# example LANGUAGE: the code in the document
example() { awk -v start="^\`\`\`$1 verify\$" '$0 ~ start { on = 1; next } /^```$/ { on = 0 } on' docs/guides/webhooks.md; }

# sign SECRET ID TIMESTAMP BODY-FILE
sign() {
  local key
  key=$(printf '%s' "${1#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
  { printf '%s.%s.' "$2" "$3"; cat "$4"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 -w0 | sed 's/^/v1,/'
}

printf '%s' '{"type":"task.completed","data":{"clientTaskId":"订单 1","n":1.50}}' >"$work/body"
printf '%s' '{"type":"task.completed","data":{"clientTaskId":"订单 1","n":1.5}}' >"$work/altered"
secret=whsec_$(openssl rand -base64 32)
other=whsec_$(openssl rand -base64 32)
now=$(date +%s)
old=$((now - 3600))
later=$((now + 3600))
genuine=$(sign "$secret" evt_1 "$now" "$work/body")
foreign=$(sign "$other" evt_1 "$now" "$work/body")

# try NAME COMMAND...: all cases through one implementation
try() {
  local name=$1 failed=0
  shift
  passes() { "$@" >"$work/log" 2>&1 || { echo "$name refuses a genuine message ($why)" >&2; cat "$work/log" >&2; failed=1; }; }
  refused() { if "$@" >"$work/log" 2>&1; then echo "$name accepts a message that is not genuine ($why)" >&2; failed=1; fi; }
  why="one signature" passes "$@" "$secret" evt_1 "$now" "$genuine" "$work/body"
  why="two signatures" passes "$@" "$secret" evt_1 "$now" "$foreign $genuine" "$work/body"
  why="another secret" refused "$@" "$secret" evt_1 "$now" "$foreign" "$work/body"
  why="another body" refused "$@" "$secret" evt_1 "$now" "$genuine" "$work/altered"
  why="another id" refused "$@" "$secret" evt_2 "$now" "$genuine" "$work/body"
  why="another version" refused "$@" "$secret" evt_1 "$now" "v2,${genuine#v1,}" "$work/body"
  why="no signature" refused "$@" "$secret" evt_1 "$now" "" "$work/body"
  why="too old" refused "$@" "$secret" evt_1 "$old" "$(sign "$secret" evt_1 "$old" "$work/body")" "$work/body"
  why="from the future" refused "$@" "$secret" evt_1 "$later" "$(sign "$secret" evt_1 "$later" "$work/body")" "$work/body"
  [ "$failed" = 0 ] || exit 1
  echo "$name: good"
}

has() { command -v "$1" >/dev/null 2>&1 || { echo "clipmill: $1 is missing; the $2 example was not tested" >&2; return 1; }; }

if has python3 Python; then
  { example python; cat scripts/callbacks/main.py; } >"$work/verify.py"
  try Python python3 "$work/verify.py"
fi
if has node JavaScript; then
  { example js; cat scripts/callbacks/main.mjs; } >"$work/verify.mjs"
  try JavaScript node "$work/verify.mjs"
fi
if has go Go; then
  mkdir "$work/go"
  example go >"$work/go/verify.go"
  cp scripts/callbacks/main.go "$work/go/"
  (cd "$work/go" && GOFLAGS=-mod=mod GO111MODULE=off go build -o ../verify-go .)
  try Go "$work/verify-go"
fi
if has php PHP; then
  { example php; cat scripts/callbacks/main.php; } >"$work/verify.php"
  try PHP php "$work/verify.php"
  # The framework is not installed here; only the syntax is checked.
  awk '/^### Laravel$/ { inside = 1 } inside && /^```$/ { exit } on; inside && /^```php$/ { on = 1 }' docs/guides/webhooks.md >"$work/laravel.php"
  [ -s "$work/laravel.php" ] && php -l "$work/laravel.php" >"$work/log" || { cat "$work/log" >&2; exit 1; }
fi
# As a web server runs PHP: php_cgi SECRET ID TIMESTAMP SIGNATURE BODY-FILE; without SIGNATURE the header is not sent.
php_cgi() {
  local headers=(HTTP_WEBHOOK_ID="$2" HTTP_WEBHOOK_TIMESTAMP="$3")
  [ -z "$4" ] || headers+=(HTTP_WEBHOOK_SIGNATURE="$4")
  env -i WEBHOOK_SECRET="$1" "${headers[@]}" REDIRECT_STATUS=200 GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=POST \
    SCRIPT_FILENAME="$work/verify.php" CONTENT_TYPE=application/json CONTENT_LENGTH="$(stat -c %s "$5")" "$php_cgi" -n <"$5" |
    tee /dev/stderr | grep -q '^Status: 204'
}
if php_cgi=$(command -v php-cgi); then
  { example php; cat scripts/callbacks/main.php; } >"$work/verify.php"
  try 'PHP under CGI' php_cgi
else
  echo "clipmill: php-cgi is missing; the PHP example was not tested as a web server runs it" >&2
fi
if has javac Java; then
  mkdir "$work/java"
  example java >"$work/java/Webhooks.java"
  cp scripts/callbacks/Main.java "$work/java/"
  javac -d "$work/java" "$work/java/"*.java
  try Java java -cp "$work/java" Main
fi
