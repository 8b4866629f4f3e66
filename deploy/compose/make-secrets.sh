#!/bin/sh
# Generates the passwords and keys of compose.yaml once. Existing files are kept.
set -eu
cd "$(dirname "$0")"
[ ! -e secrets/s3.json ] || { echo "secrets/ already exists. Remove it to generate new secrets; existing data keep the old ones." >&2; exit 1; }

draw() {
  od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'
}

# Others cannot enter the directory. The files are readable because containers use different users.
mkdir -p secrets
chmod 700 secrets
umask 022
password=$(draw 24)
access_key=$(draw 10)
secret_key=$(draw 20)
printf '%s' "$password" >secrets/database_password
printf 'postgres://clipmill:%s@database/clipmill' "$password" >secrets/database_url
printf 'AWS_ACCESS_KEY_ID=%s\nAWS_SECRET_ACCESS_KEY=%s\n' "$access_key" "$secret_key" >secrets/storage.env
printf '{"identities":[{"name":"clipmill","credentials":[{"accessKey":"%s","secretKey":"%s"}],"actions":["Admin","Read","Write","List"]}]}\n' \
  "$access_key" "$secret_key" >secrets/s3.json
echo "Created in secrets/: database_password, database_url, storage.env, s3.json"
