#!/usr/bin/env bash
# Makes the release files in OUT (packages below the build folder): a tarball, a Debian package, the archive of a container
# image, and checksums. Prints the libraries that the program is linked with. Needs cargo-deb for the Debian package,
# which it installs below the build folder, and root, buildah and debootstrap for the image. BINARY=FILE packs an
# existing program.
set -eu
cd "$(dirname "$0")/.."
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
out=${OUT:-$target/packages}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
if [ -z "${BINARY:-}" ]; then
  # Kernels of this architecture have pages of 4, 16 or 64 KiB; the allocator needs the largest at compile time.
  [ "$(uname -m)" != aarch64 ] || export JEMALLOC_SYS_WITH_LG_PAGE=16
  cargo build --profile dist --locked --bin clipmill
  BINARY=$target/dist/clipmill
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Only the C library may be external.
echo "linked with:"
ldd "$BINARY" | sed 's/ (0x.*//' | tee "$out/linked"
if grep -vE 'linux-vdso|ld-linux|/ld-musl|lib(c|m|gcc_s|pthread|dl|rt)\.so' "$out/linked"; then
  echo "clipmill: the program needs libraries that a plain system may not have" >&2
  exit 1
fi
rm "$out/linked"
needed=$(objdump -T "$BINARY" 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 || true)
echo "needs ${needed:-an unknown glibc} or newer; $(du -h "$BINARY" | cut -f1)"

name=clipmill-$version-linux-$(uname -m)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/$name/systemd"
install -m 755 "$BINARY" "$folder/$name/clipmill"
install -m 755 deploy/install.sh "$folder/$name/"
install -m 644 deploy/clipmill.toml "$folder/$name/"
install -m 644 deploy/systemd/*.service "$folder/$name/systemd/"
# The documents, with all that they link to.
install -m 644 LICENSE ./*.md "$folder/$name/"
cp -r docs samples deploy/monitoring "$folder/$name/"
for client in clients/*/; do
  install -D -m 644 -t "$folder/$name/$client" "$client/README.md"
done
# The same content gives the same archive.
moment=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
tar --create --sort=name --mtime="@$moment" --owner=0 --group=0 --numeric-owner --directory "$folder" "$name" |
  gzip --no-name --best >"$out/$name.tar.gz"
made=("$name.tar.gz")

# cargo-deb packs the files where the build of a profile would have put them.
PATH=$PATH:$target/tools/bin
cargo deb --version >/dev/null 2>&1 || cargo install --quiet --locked --root "$target/tools" cargo-deb
mkdir -p "$folder/target/dist"
install -m 755 "$BINARY" "$folder/target/dist/clipmill"
CARGO_TARGET_DIR=$folder/target SOURCE_DATE_EPOCH=$moment cargo deb ${DEB_FLAGS:-} --quiet --no-build --no-strip --profile dist \
  --locked -p clipmill --output "$out/"
made+=("$(cd "$out" && ls -t clipmill_"$version"*.deb | head -n 1)")

if [ "$(id -u)" = 0 ] && command -v buildah >/dev/null && command -v debootstrap >/dev/null; then
  image=clipmill-$version-image-$(uname -m).tar.gz
  scripts/packages/image.sh "$BINARY" "$out/$image"
  made+=("$image")
else
  echo "no container image: it needs root, buildah and debootstrap (apt-get install buildah debootstrap)" >&2
fi
(cd "$out" && sha256sum "${made[@]}" | tee SHA256SUMS)
echo "in $out"
