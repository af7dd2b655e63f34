"""Several nodes on a PostgreSQL of their own, and the load that goes to all of them."""

import json
import threading
import time
import uuid

from support.postgres import PostgresServer
from support.server import Installation

from .ledger import Ledger
from .load import ask_again, write
from .stand import raised
from .wire import Wire

CONVERSATIONS = 6


class Cluster:
    """A database, nodes behind a balancer, a key, and a ledger of what was sent."""

    def __init__(self, nodes, database=None, address=None):
        self.database = database or PostgresServer()
        self.server = Installation(
            *raised(), nodes=nodes, database=address or self.database.make_schema())
        self.server.start()
        made = self.server.command("key", "create", "--name", "faults", "--business", "Sandbox")
        self.key = next(word for word in made.stdout.split() if word.startswith("fd_"))
        with Wire(self.server.port, self.key) as wire:
            listed = json.loads(wire.ask("GET", "/api/businesses")[2])["data"]
        business = next(one["id"] for one in listed if one["isSandbox"])
        self.ledger = Ledger([self._begin(business) for _ in range(CONVERSATIONS)])

    def _begin(self, business):
        body = json.dumps({"id": str(uuid.uuid4()), "text": "Hello", "locale": "en_US"}).encode()
        with Wire(self.server.port) as wire:
            status, _, answer = wire.ask("POST", f"/api/phone/{business}/messages", body)
        assert status == 201, answer[:200]
        return json.loads(answer)["message"]["conversation"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.server.scratch.cleanup()
        self.database.stop()

    def write(self, until, port=None):
        """Writes through the balancer, or to one node.

        When the connections have ended, what was not acknowledged is sent once more before anything that follows it.
        """
        while not until():
            self.settle(port)
            write(port or self.server.port, self.key, self.ledger, until, width=4)

    def during(self, fault, seconds, port=None):
        """Writes for so long while something happens."""
        end = time.monotonic() + seconds
        thread = threading.Thread(target=fault)
        thread.start()
        self.write(lambda: time.monotonic() > end, port)
        thread.join()

    def settle(self, port=None):
        """Sends once more what was not acknowledged, until all of it is."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return ask_again(port or self.server.port, self.key, self.ledger)
            except (AssertionError, OSError):
                assert time.monotonic() < deadline, self.server.log_text()[-2_000:]
                time.sleep(0.2)

    def check(self):
        """What every node has: nothing lost, twice, reordered or left out, and all the same."""
        verdicts = [self.ledger.check(port, self.key) for port in self.server.ports]
        for verdict in verdicts:
            assert verdict.faults == 0, f"{verdict} {verdict.examples}"
        return verdicts[0]
