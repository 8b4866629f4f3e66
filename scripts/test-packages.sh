#!/usr/bin/env bash
# Lints and tests the contents of deploy/, as far as possible without a container engine or a cluster: the image's
# recipe, the compose file, the chart (rendered by Helm's own code), the units, the tarball, the Debian package. Skipped
# tests are reported in lines that begin with SKIPPED. BINARY=FILE tests an existing program.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
work=$target/packages-test
mkdir -p "$work"

skipped() {
  echo "SKIPPED: $*" >&2
}

if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  echo "clipmill: missing: python3-venv. Install it with your package manager, then try again." >&2
  exit 1
fi
[ -x "$work/venv/bin/pip" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/packages/requirements.txt
if [ -z "${BINARY:-}" ]; then
  scripts/build-program.sh
  BINARY=$target/debug/clipmill
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Without debug information it packs in seconds.
strip -o "$scratch/clipmill" "$BINARY"
program=$scratch/clipmill

echo "== image"
"$work/venv/bin/hadolint" --failure-threshold style deploy/docker/Dockerfile
echo "hadolint: no findings"
if [ "$(id -u)" != 0 ] || ! command -v buildah >/dev/null || ! command -v debootstrap >/dev/null || ! unshare --mount true 2>/dev/null; then
  skipped "image: it needs root, namespaces, buildah and debootstrap"
else
  scripts/packages/image.sh "$program"
fi

echo "== workflow of releases"
"$work/venv/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/release.yml
"$work/venv/bin/zizmor" --offline --quiet .github/workflows/release.yml
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
scripts/packages/versions.sh "v$version"
! scripts/packages/versions.sh v0.0.0 2>/dev/null || { echo "clipmill: versions.sh accepted a wrong version" >&2; exit 1; }

echo "== compose file"
"$work/venv/bin/check-jsonschema" --builtin-schema vendor.compose-spec deploy/compose/compose.yaml
cp deploy/compose/make-secrets.sh "$scratch/"
"$scratch/make-secrets.sh"
for secret in $(grep -o '\./secrets/[a-z0-9_.]*' deploy/compose/compose.yaml | sort -u); do
  [ -s "$scratch/$secret" ] || { echo "clipmill: make-secrets.sh does not make $secret" >&2; exit 1; }
done
python3 -m json.tool "$scratch/secrets/s3.json" >/dev/null
CLIPMILL_DATABASE_URL_FILE=$scratch/secrets/database_url "$program" config check
! "$scratch/make-secrets.sh" 2>/dev/null || { echo "clipmill: make-secrets.sh overwrote existing files" >&2; exit 1; }

echo "== chart"
"$work/venv/bin/python" scripts/packages/chart.py deploy/helm/clipmill "$program"

echo "== units"
if command -v systemd-analyze >/dev/null; then
  # Its ExecStart must exist to be verified.
  mkdir "$scratch/units"
  for unit in deploy/systemd/*.service; do
    sed "s,/usr/bin/clipmill,$program," "$unit" >"$scratch/units/$(basename "$unit")"
    systemd-analyze verify --man=no --recursive-errors=no "$scratch/units/$(basename "$unit")" 2>"$scratch/verify" || true
    ! grep -F "$(basename "$unit")" "$scratch/verify" || { echo "clipmill: systemd finds fault with $unit" >&2; exit 1; }
    # 0 is the safest, 10 is no hardening at all.
    systemd-analyze security --offline=true --threshold=20 --no-pager "$scratch/units/$(basename "$unit")" | tail -n 1
  done
  python3 scripts/packages/filtered.py deploy/systemd/clipmill.service "$program" doctor --data "$scratch/none" >"$scratch/doctor" ||
    { cat "$scratch/doctor"; exit 1; }
  grep '^ok    sandbox' "$scratch/doctor"
else
  skipped "units: systemd-analyze is missing (package systemd)"
fi

echo "== tarball and Debian package"
OUT=$scratch/out BINARY=$program DEB_FLAGS=--fast scripts/dist.sh
(cd "$scratch/out" && sha256sum --quiet --check SHA256SUMS && tar xzf clipmill-*-linux-*.tar.gz)
DESTDIR=$scratch/root "$scratch"/out/clipmill-*/install.sh >/dev/null
"$scratch/root/usr/local/bin/clipmill" config check --config "$scratch/root/etc/clipmill/clipmill.toml"
grep -q '^ExecStart=/usr/local/bin/clipmill serve' "$scratch/root/etc/systemd/system/clipmill.service"
echo "mine" >"$scratch/root/etc/clipmill/clipmill.toml"
DESTDIR=$scratch/root "$scratch"/out/clipmill-*/install.sh >/dev/null
grep -qx mine "$scratch/root/etc/clipmill/clipmill.toml" || { echo "clipmill: install.sh overwrote settings" >&2; exit 1; }
scripts/packages/links.py "$(echo "$scratch"/out/clipmill-*-linux-*/)"
dpkg-deb --extract "$scratch"/out/clipmill_*.deb "$scratch/deb"
scripts/packages/links.py "$scratch/deb/usr/share/doc/clipmill"
if [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; then
  skipped "Debian package: to install it needs root and namespaces"
else
  scripts/packages/debian.sh "$scratch"/out/clipmill_*.deb
fi
