#!/usr/bin/env bash
# Runs the service of a container image like a container engine: its user, no capabilities, no privilege escalation, the
# root read-only, a data folder and a small /tmp; checks its health and its sandbox, and stops it. ROOT VARIABLE...: the
# image's file system and environment; as root where namespaces may be made.
set -eu
root=$(readlink -f "$1")
if [ -z "${CLIPMILL_CONTAINED:-}" ]; then
  CLIPMILL_CONTAINED=1 exec unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"
fi
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777,size=64m none "$root/tmp"
mount -t tmpfs -o mode=700,uid=10001,gid=10001 none "$root/var/lib/clipmill"
mount -o remount,bind,ro "$root"
# shellcheck disable=SC2016
! chroot "$root" sh -c '>/usr/written' 2>/dev/null || { echo "the root is not read-only" >&2; exit 1; }

confined=(chroot "$root" setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs
  env -i --chdir=/var/lib/clipmill "$@" CLIPMILL_SERVER_LISTEN=127.0.0.1:0 CLIPMILL_METRICS_LISTEN=127.0.0.1:0)
log=$(mktemp)
"${confined[@]}" clipmill serve >"$log" 2>&1 &
service=$!
for _ in $(seq 600); do
  grep -q 'listens on' "$log" && break
  kill -0 "$service" 2>/dev/null || { cat "$log" >&2; exit 1; }
  sleep 0.1
done
listen=$(grep -o 'listens on http://[0-9.:]*' "$log" | sed 's,.*//,,')
# It is ready once its self-test has passed.
for _ in $(seq 60); do
  "${confined[@]}" clipmill health --listen "$listen" >/dev/null 2>&1 && break
  sleep 1
done
"${confined[@]}" clipmill health --listen "$listen" || { cat "$log" >&2; exit 1; }
! "${confined[@]}" clipmill health --listen 127.0.0.1:1 2>/dev/null || { echo "no service is running, but the check reports healthy" >&2; exit 1; }
"${confined[@]}" clipmill doctor >"$log.doctor" || { cat "$log.doctor" >&2; exit 1; }
grep '^ok    sandbox' "$log.doctor"
# `chroot`, `setpriv` and `env` became the service: the signal reaches it.
kill -TERM "$service"
wait "$service" || { echo "the service did not stop cleanly:" >&2; cat "$log" >&2; exit 1; }
rm "$log" "$log.doctor"
echo "read-only root, user 10001, no capabilities: serves, is healthy, stops"
