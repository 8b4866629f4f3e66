#!/bin/sh
# Draws the passwords and keys of compose.yaml, once; what is there stays.
set -eu
cd "$(dirname "$0")"
[ ! -e secrets/s3.json ] || { echo "secrets/ is there already; remove it to draw new ones (the data keep the old)" >&2; exit 1; }

draw() {
  od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'
}

# The folder keeps others out; in the containers different users read the files.
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
echo "made secrets/: database_password, database_url, storage.env, s3.json"
