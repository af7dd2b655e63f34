"""A machine of a test's own on this one: its disk, its processes and its network are gone when the test ends."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

from support.binary import BINARY, ROOT

PARTS = ROOT / "Tests/support/machine"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Failed(AssertionError):
    """A script ended with another code than 0."""


class ScratchMachine:
    """Debian with the packages that this machine has, and the program that is tested; nothing runs yet.

    There is no systemd and no network; `Tests/support/machine` has what stands for systemctl and apt-get, and says what
    they do.
    """

    def __init__(self):
        # Services that are not root's go through it.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="frontdesk-machine-"))
        self.folder.chmod(0o755)
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", sys.executable,
             PARTS / "init", self.folder, ROOT, BINARY.resolve().parent],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != b"ready\n":
            self.stop()
            raise Failed("the machine did not start: it needs root, and a kernel with overlays")
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        self.first = children.read_text().split()[0]
        self._install()

    def _install(self):
        """Puts the program where `make install` does, and what stands for other programs before those."""
        wrappers = "".join(
            f"printf '#!/bin/sh\\nexec %s %s \"$@\"\\n' {sys.executable} {part} > /usr/local/sbin/{part.name}\n"
            f"chmod 755 /usr/local/sbin/{part.name}\n" for part in (PARTS / "systemctl", PARTS / "apt-get"))
        share = "/usr/local/share/frontdesk"
        self.run(f"rm -rf /usr/local/bin/frontdesk {share}\ninstall -d {share}\n{wrappers}"
                 f"install -m 755 {BINARY.resolve()} /usr/local/bin/frontdesk\n"
                 f"cp -R {ROOT}/web {ROOT}/Schemas {ROOT}/docs {share}\nchmod -R a+rX {share}")

    def run(self, script, timeout=120, **variables):
        """What a script of bash prints; it ends at the first command that fails.

        - variables: what it finds in its environment.
        """
        environment = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", **variables}
        # A file: a service that outlives the script may hold its output, and a pipe would not end before that.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                ["nsenter", f"--target={self.first}", "--mount", "--pid", "--net", "--ipc", "--uts", "--root", "--wd",
                 "bash", "-euo", "pipefail", "-c", script],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment, timeout=timeout,
                check=False)
            output.seek(0)
            printed = output.read().decode(errors="replace")
        if done.returncode:
            raise Failed(f"code {done.returncode} of\n{script}\n{printed}")
        return printed

    def ask(self, method, address, body=None, key=None):
        """One request over the machine's network: its status, and the JSON of its answer."""
        words = ["curl", "--silent", "--show-error", "--globoff", "--max-time", "20", "--write-out", "\n%{http_code}",
                 "--request", method]
        if body is not None:
            words += ["--header", "Content-Type: application/json", "--data", json.dumps(body)]
        if key:
            words += ["--header", f"Authorization: Bearer {key}"]
        text, _, status = self.run(shlex.join([*words, address])).rpartition("\n")
        return int(status), json.loads(text) if text.startswith(("{", "[")) else text

    def until(self, what, seconds=30):
        """Waits until something is so; what it raises meanwhile is raised when it never is."""
        end = time.monotonic() + seconds
        while True:
            try:
                if what():
                    return
                assert time.monotonic() < end, "waited in vain"
            except Failed:
                if time.monotonic() > end:
                    raise
            time.sleep(0.1)

    def logs(self):
        """What its services have printed, the end of each."""
        return self.run("cd /var/log && tail -n 40 services/* postgresql/* 2>/dev/null || true")

    def stop(self):
        """Ends every process in it; what was written is gone."""
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()
        os.rmdir(self.folder)


def page_scripts(text, mark):
    """The commands of a page: its blocks that begin with ```sh and a mark, in order."""
    return re.findall(rf"^```sh {mark}\n(.*?)^```$", text, re.M | re.S)
