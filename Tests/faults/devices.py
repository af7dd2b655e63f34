"""Devices on one conversation that come, go and move between nodes, all in one process."""

import asyncio
import json
import uuid

from .streams import EventStream, LiveSocket
from .wire import Answers, Cut, request

# How long a device stays with a node, and how long it is away, in seconds.
STAYS, AWAY = 4, 1


class Phone(LiveSocket):
    """A customer's own WebSocket; `key` is (business, cookie, origin)."""

    @property
    def path(self):
        """That of the business."""
        return f"/api/phone/{self.key[0]}/live"

    def credential(self):
        """Its cookie, from a page of the server's."""
        return f"Cookie: {self.key[1]}\r\nOrigin: {self.key[2]}"


class Device(asyncio.Protocol):
    """One device with everything that it received of the conversation, over all its connections."""

    def __init__(self, kind, key, conversation, chance, forgets=False):
        self.conversation = conversation
        self.stream = kind(None, key, is_connected=False)
        self.stream.see = self.see
        self.chance, self.forgets = chance, forgets
        # Where it joined, then (position, sequence, id) of each message.
        self.begin, self.got = None, []
        self.resets = self.moves = 0
        self.closed = None
        self.awaits, self.is_done = None, asyncio.Event()

    def see(self, name, kind, event):
        """Keeps a message; the first mark says where the device joined."""
        if kind == "reset":
            self.resets += 1
        elif kind == "live" and self.begin is None:
            self.begin = place(name)
        elif kind == "message.accepted":
            message = event["data"]["message"]
            # The stream of a business has all its conversations, and a node may still show one that was just begun.
            if message["conversation"] != self.conversation:
                return
            self.got.append((place(name), message["sequence"], message["id"]))
            if message["id"] == self.awaits:
                self.is_done.set()

    def expect(self, message):
        """Names the last message that is sent."""
        self.awaits = message
        if any(one[2] == message for one in self.got[-50:]):
            self.is_done.set()

    def data_received(self, data):
        """Reads what came; the connection ends with what is no stream."""
        try:
            self.stream.take(data)
        except Cut:
            self.transport.abort()
        except AssertionError:
            # Too many at once, or a node that ends: it comes again.
            self.transport.abort()

    def connection_made(self, transport):
        """Opens the stream where the last one ended."""
        self.transport = transport
        self.stream.begin()
        transport.write(self.stream.request())

    def connection_lost(self, _):
        """The node or the device ended it."""
        self.closed.set()

    async def live(self, ports, may_join):
        """Joins some time, and moves from node to node until it has the last message."""
        await asyncio.sleep(may_join)
        while not self.is_done.is_set():
            if self.forgets:
                self.stream.last = None
            self.closed = asyncio.Event()
            try:
                await asyncio.get_running_loop().create_connection(
                    lambda: self, "127.0.0.1", self.chance.choice(ports))
            except OSError:
                await asyncio.sleep(0.05)
                continue
            self.moves += 1
            ends = [asyncio.create_task(one.wait()) for one in (self.closed, self.is_done)]
            stays = 0.5 if self.forgets else self.chance.uniform(0.1, STAYS)
            await asyncio.wait(ends, timeout=stays, return_when=asyncio.FIRST_COMPLETED)
            for task in ends:
                task.cancel()
            # At once or politely, wherever the stream is.
            if self.chance.random() < 0.5:
                self.transport.abort()
            else:
                self.transport.close()
            await self.closed.wait()
            if not self.is_done.is_set():
                await asyncio.sleep(AWAY if self.forgets else self.chance.random() ** 3 * AWAY)

    def faults(self, stored, positions):
        """(missing, twice, out of order) among all messages behind where it joined; `stored` is every id in order."""
        wanted = [name for name in stored if positions[name] > self.begin]
        names = [name for _, _, name in self.got]
        unordered = sum(later < earlier for (earlier, *_), (later, *_) in zip(self.got, self.got[1:]))
        strange = sum(stored.index(name) + 1 != sequence for _, sequence, name in self.got[-3:])
        return len(set(wanted) - set(names)), len(names) - len(set(names)), unordered + strange


class Writer:
    """Sends messages to a node, one after the other; what is not acknowledged is sent again, to any node."""

    def __init__(self, ports, number, key, conversation, chance):
        self.ports, self.port, self.key, self.chance = ports, ports[number], key, chance
        self.path = f"/api/conversations/{conversation}/messages"
        self.acknowledged, self.again = {}, 0

    async def write(self, until, pause):
        """Sends until then; returns when everything is acknowledged."""
        while not until():
            await self.send(str(uuid.uuid4()))
            await asyncio.sleep(pause)

    async def send(self, name):
        """Sends one message until it is acknowledged."""
        body = json.dumps({"id": name, "type": "text", "body": "w" * 40}).encode()
        port = self.port
        while True:
            try:
                status, answer = await asyncio.wait_for(self.ask(port, body), 20)
                if status in (200, 201):
                    self.acknowledged[name] = json.loads(answer)["sequence"]
                    return
            except (OSError, TimeoutError, asyncio.TimeoutError):
                pass
            self.again += 1
            port = self.chance.choice(self.ports)
            await asyncio.sleep(0.05)

    async def ask(self, port, body):
        """One exchange on a connection of its own."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(request("POST", self.path, self.key, body))
            answers = Answers()
            while True:
                data = await reader.read(1 << 16)
                if not data:
                    raise ConnectionError("closed")
                for status, _, answer in answers.feed(data):
                    return status, answer
        finally:
            writer.close()


def place(name):
    """The position in an event's id."""
    return int(name.rsplit("-", 1)[1])


KINDS = (Phone, LiveSocket, EventStream)
