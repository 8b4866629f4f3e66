#!/usr/bin/env bash
# Builds the container image of deploy/docker/Dockerfile without a container engine or a registry: buildah runs the
# Dockerfile, debootstrap makes its base image, and the program is not compiled again. PROGRAM FILE writes an archive
# for `docker load` and `podman load`; PROGRAM alone runs the service of the image, see contained.sh. Needs root,
# buildah and debootstrap.
set -euo pipefail
program=$(readlink -f "$1") file=${2:+$(readlink -m "$2")}
cd "$(dirname "$0")/../.."
source scripts/debian-mirror.sh
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# The folder of an overlay must not be one itself.
work=$(mktemp -d "${CARGO_TARGET_DIR:-target}/image.XXXXXX")
work=$(cd "$work" && pwd)
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
images() {
  buildah --root "$work/storage" --runroot "$work/run" "$@"
}
trap 'images umount --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

base=$(sed -n 's/^FROM \(debian:\([a-z]*\)-slim\)$/\1 \2/p' deploy/docker/Dockerfile)
find_mirror
debootstrap --variant=minbase "${base#* }" "$work/base" "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
container=$(images from scratch)
images add --quiet "$container" "$work/base" / >/dev/null
images commit --quiet "$container" "docker.io/library/${base% *}" >/dev/null
rm -rf "$work/base"

# Takes the place of the stage `build`.
install -D -m 755 "$program" "$work/build/out/clipmill"
images bud --quiet --pull-never --format docker --build-context "build=$work/build" --build-arg "VERSION=$version" \
  --file deploy/docker/Dockerfile --tag "clipmill:$version" . >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }

if [ -n "$file" ]; then
  images push --quiet "clipmill:$version" "docker-archive:$work/image.tar:clipmill:$version" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  gzip --no-name <"$work/image.tar" >"$file"
else
  container=$(images from --pull-never "clipmill:$version")
  root=$(images mount "$container")
  mapfile -t variables < <(images inspect --type image --format '{{range .Docker.Config.Env}}{{println .}}{{end}}' "clipmill:$version" | grep .)
  scripts/packages/contained.sh "$root" "${variables[@]}"
fi
