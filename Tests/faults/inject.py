"""System calls that fail on purpose, by strace."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile

import pytest

# Upload files are named by a counter, so their paths are known.
UPLOADS = 64


def paths(data):
    """The paths of the store in which calls are to fail."""
    names = ["", "/lock", "/frontdesk.sqlite", "/frontdesk.sqlite-wal", "/frontdesk.sqlite-shm",
             "/blobs", "/blobs/incoming"]
    names += [f"/blobs/incoming/{number}" for number in range(1, UPLOADS)]
    names += [f"/blobs/{number:02x}" for number in range(256)]
    return [f"{data}{name}" for name in names]


def options(call, error, when, data):
    """What strace is to do: fail a call, from its `when`th time on for `1+`."""
    words = ["-f", "-qq", "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={when}"]
    for path in paths(data):
        words += ["-P", path]
    return words


def require_strace():
    """Skips where nothing can be traced."""
    if not shutil.which("strace"):
        pytest.skip("no system call can be made to fail: strace is missing")
    tried = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True)
    if tried.returncode != 0:
        pytest.skip(f"no system call can be made to fail: {tried.stderr.decode().strip()}")


class Injection:
    """Calls of a running process fail for the time of a `with`; what failed is counted."""

    def __init__(self, process, call, error, data, expects_end):
        self.process, self.expects_end = process, expects_end
        self.record = tempfile.NamedTemporaryFile(prefix="frontdesk-strace-")
        self.tracer = subprocess.Popen(
            ["strace", *[word for word in options(call, error, "1+", data) if word != "-qq"],
             "-o", self.record.name, "-p", str(process.pid)],
            stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        line = self.tracer.stderr.readline()
        assert "attached" in line, f"strace: {line}"
        return self

    def __exit__(self, *_):
        # A tracer that leaves while the traced process ends may keep both waiting.
        if self.expects_end:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=20)
        else:
            self.tracer.send_signal(signal.SIGINT)
        try:
            self.tracer.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.tracer.kill()
            self.tracer.communicate(timeout=10)

    @property
    def count(self):
        """How many calls have failed so far."""
        with open(self.record.name, errors="replace") as record:
            return record.read().count("(INJECTED)")


def at_start(server, call, error, when):
    """Has one call of a server fail while it starts; returns where failures are recorded."""
    record = server.scratch.name + "/strace"
    # -D: the server stays this process's own child.
    server.before = ["strace", "-D", *options(call, error, str(when), server.data), "-o", record]
    return record


def injected(record):
    """Whether a call has failed."""
    if not os.path.exists(record):
        return False
    with open(record, errors="replace") as file:
        return "(INJECTED)" in file.read()
