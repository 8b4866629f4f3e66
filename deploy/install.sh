#!/bin/sh
# Installs clipmill from the directory of this script: program, settings, systemd units and their user.
# PREFIX (default /usr/local) and DESTDIR set the target. Existing settings are kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}

[ -n "$root" ] || [ "$(id -u)" = 0 ] || { echo "Run this as root, or set DESTDIR." >&2; exit 1; }
for needed in ffmpeg ffprobe; do
  command -v "$needed" >/dev/null || echo "Warning: $needed is not installed. On Debian: apt-get install ffmpeg fonts-noto-cjk fonts-noto-core fonts-noto-color-emoji" >&2
done
if [ -z "$root" ] && ! getent passwd clipmill >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/clipmill --no-create-home --shell /usr/sbin/nologin clipmill
fi
install -D -m 755 "$here/clipmill" "$root$prefix/bin/clipmill"
install -D -m 644 "$here/LICENSE" "$root$prefix/share/doc/clipmill/LICENSE"
if [ ! -e "$root/etc/clipmill/clipmill.toml" ]; then
  install -d -m 750 "$root/etc/clipmill"
  install -m 640 "$here/clipmill.toml" "$root/etc/clipmill/clipmill.toml"
  [ -n "$root" ] || chgrp -R clipmill /etc/clipmill
fi
for unit in "$here"/systemd/*.service; do
  install -d "$root/etc/systemd/system"
  sed "s,/usr/bin/clipmill,$prefix/bin/clipmill," "$unit" >"$root/etc/systemd/system/$(basename "$unit")"
done
[ -n "$root" ] || ! command -v systemctl >/dev/null || systemctl daemon-reload || true
echo "Installed. Next, run: systemctl enable --now clipmill. Then check: sudo -u clipmill $prefix/bin/clipmill doctor --config /etc/clipmill/clipmill.toml --data /var/lib/clipmill"
