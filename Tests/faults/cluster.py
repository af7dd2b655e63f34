"""Several nodes on a PostgreSQL of their own, and the load that goes to all of them."""

import json
import signal
import threading
import time
import uuid
from itertools import pairwise

from support.postgres import PostgresServer
from support.server import Installation

from .ledger import Ledger
from .load import acknowledge, ask_again, write
from .stand import IS_LONG, raised
from .wire import Cut, Wire

CONVERSATIONS = 6
# Messages of a conversation that are sent without waiting for the answers of those before.
WIDTH = 48 if IS_LONG else 4


class Cluster:
    """A database, nodes behind a balancer, a key, and a ledger of what was sent."""

    def __init__(self, nodes, database=None, address=None, reach=None, of_node=None):
        """`reach` gives single nodes, by their numbers, another way to the database than the address.

        `of_node` is what they have in their environment.
        """
        self.owns_database = database is None
        # How often a node ended because the log was another one.
        self.replaced = 0
        # Of each fault under load, the longest time in which nothing was acknowledged.
        self.silences = []
        # What was said last to each node by itself.
        self.said = {}
        self.database = database or PostgresServer()
        self.address = address or self.database.make_schema()
        self.server = Installation(*raised(), nodes=nodes, database=self.address)
        self.server.of_node.update(of_node or {})
        for number, way in (reach or {}).items():
            self.server.of_node[number] = {"FRONTDESK_DATABASE": way(self.address)}
        # A library that sets a variable when it is loaded does so in a program before the server.
        self.server.before = ["env"] if of_node else []
        self.server.start()
        made = self.server.command("key", "create", "--name", "faults", "--business", "Sandbox")
        self.key = next(word for word in made.stdout.split() if word.startswith("fd_"))
        with Wire(self.server.port, self.key) as wire:
            listed = json.loads(wire.ask("GET", "/api/businesses")[2])["data"]
        self.business = next(one["id"] for one in listed if one["isSandbox"])
        self.ledger = Ledger([self._begin(self.business) for _ in range(CONVERSATIONS)])

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
        if self.owns_database:
            self.database.stop()

    def write(self, until, port=None):
        """Writes through the balancer, or to one node.

        When the connections have ended, what was not acknowledged is sent once more before anything that follows it.
        """
        while not until():
            self.settle(port)
            write(port or self.server.port, self.key, self.ledger, until, width=WIDTH)

    def during(self, fault, seconds, port=None):
        """Writes for so long while something happens, and notes for how long nothing was acknowledged."""
        end = time.monotonic() + seconds
        thread = threading.Thread(target=fault)
        known = len(self.ledger.moments)
        moments = [time.monotonic()]
        thread.start()
        self.write(lambda: time.monotonic() > end, port)
        thread.join()
        moments += self.ledger.moments[known:]
        self.silences.append(max((later - earlier for earlier, later in pairwise(moments)), default=seconds))

    def settle(self, port=None):
        """Sends once more what was not acknowledged, until all of it is."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return ask_again(port or self.server.port, self.key, self.ledger)
            except (AssertionError, OSError):
                assert time.monotonic() < deadline, self.server.log_text()[-2_000:]
                self.start_ended()
                time.sleep(0.2)

    def start_ended(self):
        """Starts nodes again that ended because the log is another one, as what supervises them does."""
        for number, process in enumerate(self.server.processes):
            if process.poll() == 71:
                self.server.start_node(number)
                self.replaced += 1

    def read_back(self, number=0):
        """What a node has of what was sent, once it is there again where it ended because the log is another one."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return self.ledger.check(self.server.ports[number], self.key)
            except (Cut, OSError):
                assert time.monotonic() < deadline, self.server.log_text()[-2_000:]
                self.start_ended()
                time.sleep(0.2)

    def bring_back(self, number, fault):
        """Starts a node again that was killed, and lets one go on that stood still."""
        if fault == signal.SIGKILL:
            self.server.processes[number].wait(timeout=10)
            self.server.start_node(number)
        else:
            self.server.processes[number].send_signal(signal.SIGCONT)

    def say(self, number, wait=60):
        """Sends one message to a node, in a conversation of its own.

        Returns (status, answer); None and why when no answer came in time.
        """
        [one] = self.ledger.turn(self.ledger.conversations[number], 1)
        self.said[number] = one
        return self.say_again(number, wait)

    def say_again(self, number, wait=60):
        """Sends what was said last to a node once more, as `say`."""
        one = self.said[number]
        try:
            with Wire(self.server.ports[number], self.key, timeout=wait) as wire:
                status, _, body = wire.ask(
                    "POST", f"/api/conversations/{one.conversation}/messages", one.payload())
        except (Cut, OSError) as error:
            return None, str(error)
        if status in (200, 201):
            acknowledge(one, body)
        else:
            one.was_refused = True
        return status, body

    def leases(self, kind):
        """The leases of a kind by their names: their terms, and for how many seconds they live on."""
        schema = self.address.rsplit("%3D", 1)[1]
        rows = self.database.ask(
            f"SELECT name, term, round(extract(epoch FROM until - clock_timestamp()), 1) FROM {schema}.leases "
            f"WHERE name LIKE '{kind} %' ORDER BY name")
        return {name: (int(term), float(left)) for name, term, left in
                (row.split("|") for row in rows.splitlines())}

    def is_ready(self, number):
        """Whether a node says that a balancer may send it something."""
        with Wire(self.server.ports[number], timeout=10) as wire:
            return wire.ask("GET", "/readyz")[0] == 200

    def check(self):
        """What every node has: nothing lost, twice, reordered or left out, and all the same."""
        verdicts = [self.ledger.check(port, self.key) for port in self.server.ports]
        for verdict in verdicts:
            assert verdict.faults == 0, f"{verdict} {verdict.examples}"
        return verdicts[0]


def seconds_until(what, longest, seen=lambda: ""):
    """The seconds until something is so; no more than so many, and then `seen` gives what there is instead."""
    begin = time.monotonic()
    while not what():
        assert time.monotonic() - begin < longest, f"not so after {longest} s. {seen()}"
        time.sleep(0.02)
    return time.monotonic() - begin
