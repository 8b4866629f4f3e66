#!/usr/bin/env bash
# Fails unless every package has the version of a release. TAG: v1.2.3
set -eu
cd "$(dirname "$0")/../.."
version=${1#v}
status=0
check() { # check FILE VERSION
  [ "$2" = "$version" ] || { echo "clipmill: $1 has version $2, the release is $version" >&2; status=1; }
}
check Cargo.toml "$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
check clients/python/src/clipmill/_version.py "$(sed -n 's/^.*= "\(.*\)"$/\1/p' clients/python/src/clipmill/_version.py)"
for manifest in clients/*/package.json; do
  check "$manifest" "$(sed -n '0,/"version"/s/^ *"version": "\(.*\)",$/\1/p' "$manifest")"
done
for field in version appVersion; do
  check deploy/helm/clipmill/Chart.yaml "$(sed -n "s/^$field: \"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" deploy/helm/clipmill/Chart.yaml)"
done
exit $status
