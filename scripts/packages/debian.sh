#!/usr/bin/env bash
# Installs a Debian package over this system in a separate namespace, whose changes are discarded afterwards: user,
# settings, units, upgrade with changed settings, removal, purge. PACKAGE, as root where namespaces may be made.
set -eu
package=$(readlink -f "$1")
if [ -z "${2:-}" ]; then
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  unshare --mount --propagation private "$0" "$package" "$place"
  exit
fi
place=$2
mount -t tmpfs none "$place"
# Files written below these folders are in memory.
for folder in etc usr var; do
  mkdir -p "$place/$folder/up" "$place/$folder/work"
  mount -t overlay -o "lowerdir=/$folder,upperdir=$place/$folder/up,workdir=$place/$folder/work" none "/$folder" 2>/dev/null ||
    { echo "SKIPPED: Debian package: /$folder cannot be overlaid" >&2; exit 0; }
done

# expect WHAT COMMAND...
expect() {
  local what=$1
  shift
  "$@" >/dev/null 2>&1 || { echo "clipmill: after $moment: $what" >&2; exit 1; }
}
# Its dependencies may be missing here; running services are irrelevant to this test.
install=(env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 dpkg --force-depends --force-confold)
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
command -v adduser >/dev/null || { echo "SKIPPED: Debian package: adduser is missing" >&2; exit 0; }

moment=installation
"${install[@]}" --install "$package" >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
expect "there is no user" getent passwd clipmill
expect "settings are not the service's alone" test "$(stat -c '%a %G' /etc/clipmill/clipmill.toml)" = "640 clipmill"
expect "the service cannot read its settings" setpriv --reuid clipmill --regid clipmill --clear-groups \
  clipmill config check --config /etc/clipmill/clipmill.toml
for unit in clipmill clipmill-worker; do
  expect "the unit $unit is not where systemd looks" test -f "/usr/lib/systemd/system/$unit.service" -o -f "/lib/systemd/system/$unit.service"
  expect "$unit was enabled by itself" test ! -e "/etc/systemd/system/multi-user.target.wants/$unit.service"
done
expect "documents are missing" test -f /usr/share/doc/clipmill/copyright

moment=upgrade
echo '# mine' >>/etc/clipmill/clipmill.toml
mkdir -p /var/lib/clipmill && touch /var/lib/clipmill/clipmill.db
"${install[@]}" --install "$package" >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
expect "settings were written over" grep -qx '# mine' /etc/clipmill/clipmill.toml

moment=removal
"${install[@]}" --remove clipmill >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
expect "the program is still there" test ! -e /usr/bin/clipmill
expect "settings or files are gone" test -e /etc/clipmill/clipmill.toml -a -e /var/lib/clipmill/clipmill.db

moment=purge
"${install[@]}" --purge clipmill >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
expect "something stayed" test ! -e /etc/clipmill -a ! -e /var/lib/clipmill
expect "the user stayed" test -z "$(getent passwd clipmill)"
echo "Debian package: installs, upgrades, is removed and purged"
