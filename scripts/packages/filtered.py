"""Runs a program under the filter of system calls that a unit's SystemCallFilter lines describe: UNIT PROGRAM...

As systemd does: the calls of the allowed groups without those of the refused groups are allowed, and all others fail
with EPERM. Needs libseccomp, which systemd depends on. Refused namespaces, address families and the like are not tried.
"""

import ctypes
import os
import re
import subprocess
import sys

ALLOW, EPERM = 0x7FFF0000, 0x00050000 | 1
PR_SET_NO_NEW_PRIVS = 38


def members(word):
    """The calls of a group and of the groups in it, or the call itself."""
    if not word.startswith("@"):
        return {word}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True, text=True, check=True)
    found = set()
    for line in listed.stdout.splitlines()[1:]:
        call = line.strip()
        if call and not call.startswith("#"):
            found |= members(call)
    return found


def allowed(unit):
    calls = set()
    with open(unit, encoding="utf-8") as file:
        for words in re.findall(r"^SystemCallFilter=(.*)$", file.read(), re.MULTILINE):
            refused = words.startswith("~")
            for word in words.removeprefix("~").split():
                calls = calls - members(word) if refused else calls | members(word)
    # Always allowed, so that a program can be started at all.
    return calls | members("@default") | {"execve"}


def main(unit, *command):
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    calls = allowed(unit)
    filter_ = ctypes.c_void_p(library.seccomp_init(EPERM))
    known = 0
    for call in calls:
        number = library.seccomp_syscall_resolve_name(call.encode())
        if number >= 0 and library.seccomp_rule_add(filter_, ALLOW, number, 0) == 0:
            known += 1
    assert known > 200, f"only {known} of {len(calls)} calls are known here"
    assert ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert library.seccomp_load(filter_) == 0, "the filter cannot be loaded"
    os.execvp(command[0], command)


main(*sys.argv[1:])
