# Sourced by scripts that make Debian systems.

find_mirror() { # sets $mirror; apt reads all formats of its sources itself; vendors (/linux/debian) have suites of the same names
  mirror=${DISTROS_MIRROR:-$(apt-get --print-uris update 2>/dev/null |
    sed -nE "s#^'(https?://[^']*)/dists/[a-z]+/InRelease'.*#\1#p" | grep -v /linux/ | grep -m 1 /debian || true)}
  [ -n "$mirror" ] || { echo "apt has no Debian mirror; set DISTROS_MIRROR" >&2; return 1; }
}
