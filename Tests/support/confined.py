"""Runs a program under the filters of system calls that a unit's file asks of systemd, without systemd.

Usage: python confined.py UNIT PROGRAM [WORD ...]

SystemCallFilter, RestrictAddressFamilies, MemoryDenyWriteExecute, NoNewPrivileges and an empty CapabilityBoundingSet are
applied as systemd applies them, with one difference: what is not allowed ends the process, so that no refused call stays unseen. RestrictNamespaces,
RestrictRealtime, RestrictSUIDSGID and LockPersonality are not applied.
"""

import ctypes
import errno
import os
import pathlib
import socket
import subprocess
import sys

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
EQUAL, MASKED_EQUAL = 4, 7
NO_NEW_PRIVILEGES, DROP_CAPABILITY, CAPABILITIES = 38, 24, 41
WRITE, EXECUTE = 2, 4


class Argument(ctypes.Structure):
    """A comparison of one argument of a call: `struct scmp_arg_cmp`."""

    _fields_ = [("number", ctypes.c_uint), ("how", ctypes.c_int), ("one", ctypes.c_uint64), ("other", ctypes.c_uint64)]


def settings(unit):
    """The lines of a unit's file, a list of values for each key."""
    found = {}
    for line in pathlib.Path(unit).read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals:
            found.setdefault(key, []).append(value)
    return found


def calls_of(group, known={}):
    """The names of a group's calls, with those of the groups in it."""
    if group not in known:
        text = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
        names = [line.strip() for line in text.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
        known[group] = {one for name in names for one in (calls_of(name) if name.startswith("@") else {name})}
    return known[group]


def allowed(filters):
    """The calls that the lines of SystemCallFilter leave: a list, then lines with `~` that remove from it."""
    found = set()
    for line in filters:
        named = {one for word in line.lstrip("~").split()
                 for one in (calls_of(word) if word.startswith("@") else {word})}
        found = found - named if line.startswith("~") else found | named
    # systemd leaves these in any list.
    return found | calls_of("@default") | {"execve", "exit", "exit_group", "rt_sigreturn", "restart_syscall"}


class Filter:
    """A filter of libseccomp's."""

    def __init__(self, otherwise):
        self.library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
        self.library.seccomp_init.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.library.seccomp_init(ctypes.c_uint32(otherwise)))

    def add(self, action, name, *arguments):
        """A rule for a call; nothing for one that this machine does not have."""
        number = self.library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            made = (Argument * max(1, len(arguments)))(*arguments)
            done = self.library.seccomp_rule_add_array(
                self.context, ctypes.c_uint32(action), number, ctypes.c_uint(len(arguments)), made)
            assert done == 0, f"no rule for {name}: {done}"

    def load(self):
        """Binds this process, and those that it starts."""
        assert self.library.seccomp_load(self.context) == 0


def confine(unit):
    """Binds this process to what the unit allows."""
    found = settings(unit)
    assert found["NoNewPrivileges"] == ["yes"] and found["MemoryDenyWriteExecute"] == ["yes"]
    assert found["CapabilityBoundingSet"] == [""]
    control = ctypes.CDLL(None).prctl
    if os.geteuid() == 0:
        assert all(control(DROP_CAPABILITY, number, 0, 0, 0) == 0 for number in range(CAPABILITIES))
    assert control(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    calls = Filter(KILL)
    for name in sorted(allowed(found["SystemCallFilter"])):
        calls.add(ALLOW, name)
    # What SQLite asks for only where it runs as root, as tests do and the service does not.
    calls.add(REFUSE | errno.EPERM, "fchown")
    memory = Filter(ALLOW)
    memory.add(KILL, "mmap", Argument(2, MASKED_EQUAL, WRITE | EXECUTE, WRITE | EXECUTE))
    for name in ("mprotect", "pkey_mprotect"):
        memory.add(KILL, name, Argument(2, MASKED_EQUAL, EXECUTE, EXECUTE))
    families = Filter(ALLOW)
    numbers = {int(getattr(socket, name)) for name in found["RestrictAddressFamilies"][0].split()}
    for number in set(range(48)) - numbers:
        # libc looks for the machine's addresses by netlink and does without them where it is refused; systemd refuses so too.
        action = REFUSE | errno.EAFNOSUPPORT if number == socket.AF_NETLINK else KILL
        families.add(action, "socket", Argument(0, EQUAL, number))
    for one in (memory, families, calls):
        one.load()


if __name__ == "__main__":
    confine(sys.argv[1])
    os.execv(sys.argv[2], sys.argv[2:])
