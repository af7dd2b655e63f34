"""An ephemeral gateway, started as the tests of a provider would start it."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import requests
from support.server import BINARY, ROOT

BUSINESS = "00000000-0000-4000-8000-000000000001"
SECRET = "c2VjcmV0IG9mIHRoZSB0ZXN0cywgMzIgYnl0ZXMgLi4="


class Ephemeral:
    """Starts `frontdesk gateway --ephemeral` for a provider's endpoint, and ends it."""

    def __init__(self, endpoint, *flags):
        self.scratch = tempfile.TemporaryDirectory(prefix="frontdesk-test-")
        self.port_file = pathlib.Path(self.scratch.name) / "port"
        self.process = subprocess.Popen(
            [str(BINARY), "gateway", "--ephemeral", "--port", "0", "--port-file", str(self.port_file),
             "--secret", SECRET, "--endpoint", endpoint, *flags],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": self.scratch.name})
        end = time.monotonic() + 60
        while not self.port_file.exists():
            assert self.process.poll() is None and time.monotonic() < end, self.process.stderr.read()
            time.sleep(0.005)
        self.url = f"http://127.0.0.1:{self.port_file.read_text().strip()}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.scratch.cleanup()

    def end(self, by=signal.SIGTERM):
        """Sends the signal to end; returns its output and its exit code."""
        self.process.send_signal(by)
        printed, complained = self.process.communicate(timeout=30)
        return printed, complained, self.process.returncode

    def run(self, script, **query):
        """Runs a script and returns its result."""
        answer = requests.post(f"{self.url}/sandbox/scripts", data=script.encode(), params=query, timeout=90)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def passes(self, script, **query):
        """The transcript of a script that has to pass, without the times."""
        ran = self.run(script, **query)
        assert ran["passed"], "\n".join(ran["transcript"])
        return [re.sub(r"^\S+  ", "", line) for line in ran["transcript"]]

    def expect(self, expect=200, **query):
        """Returns the answer to an expectation."""
        answer = requests.get(f"{self.url}/sandbox/expect", params=query, timeout=90)
        assert answer.status_code == expect, answer.text
        return answer.json()

    def advance(self, by):
        """Lets time pass."""
        answer = requests.post(f"{self.url}/sandbox/clock/advance", json={"by": by}, timeout=90)
        assert answer.status_code == 200, answer.text
        return answer.json()
