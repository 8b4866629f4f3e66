#!/usr/bin/env bash
# Runs the service like a container: another user, no capabilities, no privilege escalation, the root read-only, a data
# folder and a small /tmp; checks its health, and stops it. PROGRAM, as root where namespaces may be made.
set -eu
program=$(readlink -f "$1")
if [ -z "${2:-}" ]; then
  unshare --mount true 2>/dev/null || { echo "read-only root: skipped, this needs root and namespaces" >&2; exit 0; }
  # Files that are needed later must be where nothing is mounted over them.
  place=$(mktemp -d /var/tmp/clipmill.XXXXXX)
  trap 'rmdir "$place"' EXIT
  unshare --mount --propagation private "$0" "$program" "$place"
  exit
fi
place=$2
mount -t tmpfs -o mode=755,size=512m none "$place"
install -d -o 10001 -g 10001 -m 700 "$place/data"
install -m 755 "$program" "$place/clipmill"
mount -t tmpfs -o mode=1777,size=64m none /tmp
while read -r point; do
  case $point in
    "$place" | /tmp | /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) ;;
    *) mount -o remount,bind,ro "$point" 2>/dev/null || true ;;
  esac
done < <(findmnt --raw --noheadings --output TARGET)
! touch /usr/written 2>/dev/null || { echo "the root is not read-only" >&2; rm /usr/written; exit 1; }

confined=(setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs
  env -i PATH=/usr/local/bin:/usr/bin:/bin "CLIPMILL_DATA=$place/data" CLIPMILL_SERVER_LISTEN=127.0.0.1:0)
"${confined[@]}" "$place/clipmill" serve >/tmp/log 2>&1 &
service=$!
trap 'kill "$service" 2>/dev/null || true' EXIT
for _ in $(seq 600); do
  grep -q 'listens on' /tmp/log && break
  kill -0 "$service" 2>/dev/null || { cat /tmp/log >&2; exit 1; }
  sleep 0.1
done
listen=$(grep -o 'listens on http://[0-9.:]*' /tmp/log | sed 's,.*//,,')
# It is ready once its self-test has passed.
for _ in $(seq 60); do
  "${confined[@]}" "$place/clipmill" health --listen "$listen" >/dev/null 2>&1 && break
  sleep 1
done
"${confined[@]}" "$place/clipmill" health --listen "$listen" || { cat /tmp/log >&2; exit 1; }
! "${confined[@]}" "$place/clipmill" health --listen 127.0.0.1:1 2>/dev/null || { echo "no service is running, but the check reports healthy" >&2; exit 1; }
# `setpriv` and `env` became the service: the signal reaches it.
kill -TERM "$service"
wait "$service" || { echo "the service did not stop cleanly:" >&2; cat /tmp/log >&2; exit 1; }
echo "read-only root, user 10001, no capabilities: serves, is healthy, stops"
