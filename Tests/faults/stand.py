"""The place of a fault: a server on a prepared store, with a key and conversations."""

import contextlib
import json
import os
import pathlib
import shutil
import threading
import time
import uuid

from support.server import BINARY, Installation

from .ledger import Ledger
from .wire import Wire

# The long tier is selected by name; the short one runs with every change.
IS_LONG = os.environ.get("FRONTDESK_FAULTS_TIER") == "long"
CONVERSATIONS = 8
# Names the protection that the weakened server lacks.
REMOVE = "FRONTDESK_REMOVE"

RAISED = {
    "key-messages-per-second": 10_000_000, "key-messages-burst": 10_000_000,
    "keep-alive-requests": 100_000_000, "connections-per-address": 100_000,
    "streams-per-principal": 10_000, "streams-per-address": 10_000, "disk-hard-bytes": 1,
    "disk-soft-bytes": 1,
}


def raised():
    """The flags that raise them."""
    return [word for name, value in RAISED.items() for word in ("--limit", f"{name}={value}")]


def note(text):
    """A line that `scripts/test` and `scripts/test-faults` pass on."""
    print(f"\nnote: {text}", flush=True)


class Stand:
    """A data directory with a key and a few conversations, and the servers that run on it."""

    def __init__(self, folder, prepared):
        """`folder` may be a file system of its own; `prepared` is copied into it if it is not there."""
        self.folder = pathlib.Path(folder)
        self.key, self.business = prepared.key, prepared.business
        if self.folder != prepared.folder:
            shutil.copytree(prepared.data, self.folder / "data")
        self.ledger = Ledger(prepared.conversations)
        self.server = None

    def start(self, **environment):
        """Starts the server; the environment may name a protection to remove."""
        self.server = Server(self.folder, environment)
        self.server.start()
        return self.server

    def end(self):
        """Kills the server."""
        self.server.kill()
        self.server.forget()

    def start_cut_short(self, seconds):
        """Starts the server and kills it so many seconds later, ready or not."""
        server = Server(self.folder, {})

        def kill():
            while server.process is None:
                time.sleep(0.001)
            time.sleep(seconds)
            server.process.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        # An end before the port is known is what is wanted here.
        with contextlib.suppress(RuntimeError):
            server.start()
        killer.join()
        server.process.wait(timeout=10)
        server.forget()

    def remove(self):
        """Removes the data; no server runs."""
        shutil.rmtree(self.folder)

    def check(self):
        """Reads everything back from the running server."""
        return self.ledger.check(self.server.port, self.key)

    def check_after_restart(self):
        """Starts the server as it is shipped, checks, and ends it."""
        self.start()
        try:
            return self.check()
        finally:
            self.end()


class Server(Installation):
    """The release binary on a stand's data, with the limits raised that a load would meet."""

    def __init__(self, folder, environment):
        super().__init__(*raised(), data=folder, environment=environment)
        # A library that sets a variable when it is loaded moves the environment, beside which
        # Swift looks for the arguments; in a second program it is set already.
        self.before = ["env"] if "LD_PRELOAD" in environment else []
        if REMOVE in environment:
            self.binary = weakened()

    def forget(self):
        """Removes what lies beside the data; the process has ended."""
        self.log.close()
        self.scratch.cleanup()


class Prepared:
    """A data directory made once for all faults."""

    def __init__(self, folder, cut=None):
        """`cut` ends the power under the server; otherwise it is asked to end."""
        self.folder = pathlib.Path(folder)
        with Installation(*raised(), data=folder) as server:
            self.data = server.data
            made = server.command("key", "create", "--name", "faults", "--business", "Sandbox")
            self.key = next(word for word in made.stdout.split() if word.startswith("fd_"))
            with Wire(server.port, self.key) as wire:
                listed = json.loads(wire.ask("GET", "/api/businesses")[2])["data"]
                self.business = next(b["id"] for b in listed if b["isSandbox"])
            with Wire(server.port) as wire:
                self.conversations = [self._begin(wire) for _ in range(CONVERSATIONS)]
            if cut:
                cut()
                server.kill()
        if not cut:
            (self.data / "lock").unlink(missing_ok=True)
            (self.data / "admin.socket").unlink(missing_ok=True)

    def _begin(self, wire):
        body = json.dumps({"id": str(uuid.uuid4()), "text": "Hello", "locale": "en_US"}).encode()
        status, _, answer = wire.ask("POST", f"/api/phone/{self.business}/messages", body)
        assert status == 201, f"a conversation could not be begun: {status} {answer[:200]}"
        return json.loads(answer)["message"]["conversation"]


def weakened():
    """The test executable whose store can be weakened; `scripts/test-faults` builds it."""
    path = pathlib.Path(os.environ.get("FRONTDESK_WEAKENED") or BINARY.with_name("frontdesk-weakened"))
    assert path.exists(), f"{path} is missing: scripts/build-weakened makes it"
    return path


def without(protection):
    """The environment of a control: the weakened server, with one protection gone from beneath it."""
    return {REMOVE: protection}
