"""An S3 server of the tests' own, which recomputes every signature."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from support.binary import ROOT

KEY = "frontdesk"
SECRET = "the/secret+of-the.tests"
BUCKET = "attachments"
# The longest start; a quiet machine needs 1 s.
LONGEST = 60


class S3Server:
    """One server on a port of this machine; it ends with this process, whatever ends that."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="s3-"))
        self.port, self.process = None, None
        self.start()

    def start(self):
        """Starts it, on the port and with the objects that it had."""
        (self.folder / "port").unlink(missing_ok=True)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, ROOT / "Tests/support/s3-server", self.folder, *([str(self.port)] if self.port else [])],
                stdin=subprocess.PIPE, stderr=log, start_new_session=True)
        deadline = time.monotonic() + LONGEST
        while not (self.folder / "port").exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"no S3 server: {(self.folder / 'log').read_text()}")
            time.sleep(0.02)
        self.port = int((self.folder / "port").read_text())

    def kill(self):
        """Ends it at once; its objects stay."""
        self.process.kill()
        self.process.wait(timeout=20)

    def stop(self):
        """Ends it and removes its files."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def fail(self, word=""):
        """Has it fail in a way that it knows by a word; an empty one ends that."""
        new = self.folder / "fault.new"
        new.write_text(word)
        os.replace(new, self.folder / "fault")

    def objects(self, prefix=""):
        """The names of the objects below a prefix."""
        names = (urllib.parse.unquote(path.name) for path in (self.folder / "objects").iterdir())
        return [name for name in names if name.startswith(prefix)]

    def requests(self):
        """A line for each request: method, path, status."""
        path = self.folder / "requests"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def endpoint(self):
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def flags(self, prefix, bucket=BUCKET):
        """What a server is started with that has its attachments here."""
        return ["--blobs", f"s3://{bucket}/{prefix}", "--blobs-endpoint", self.endpoint]


def environment(key=KEY, secret=SECRET):
    """The variables that every tool for S3 knows."""
    return {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret}
