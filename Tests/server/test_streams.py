"""Streams of both sorts: resumed exactly wherever they break, many at once, slow readers alone."""

import json
import os
import random
import socket
import struct
import threading
import time
import uuid

import pytest
from bench.streams import Streams, masked_text, raise_descriptor_limit
from support.server import Customer, Installation, Session

KINDS = ("websocket", "events")
MESSAGES = 80
MANY = 400


class Drop(Exception):
    """The line broke here."""


class Line:
    """One connection that breaks after so many bytes of its stream."""

    def __init__(self, kind, port, key, after, budget):
        self.kind, self.budget, self.bytes = kind, budget, b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        common = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\n"
        if kind == "events":
            self.socket.sendall(
                f"GET /api/events HTTP/1.0\r\n{common}Last-Event-ID: {after}\r\n\r\n".encode())
        else:
            self.socket.sendall((
                f"GET /api/live HTTP/1.1\r\n{common}Connection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            ).encode() + masked_text(json.dumps({"type": "hello", "after": after})))
        head = b""
        while b"\r\n\r\n" not in head:
            more = self.socket.recv(1)
            if not more:
                raise Drop
            head += more
        status = head.split(b" ")[1]
        if status == b"429":
            # The stream before this one is not gone yet.
            time.sleep(0.05)
            raise Drop
        assert status in (b"200", b"101"), head

    def more(self):
        """Some more bytes, never more than are left."""
        if self.budget <= 0:
            raise Drop
        try:
            got = self.socket.recv(min(self.budget, 4096))
        except OSError:
            raise Drop from None
        if not got:
            raise Drop
        self.budget -= len(got)
        self.bytes += got

    def events(self):
        """Whole events as they come: (id, type, data)."""
        while True:
            event = self.take()
            if event is None:
                self.more()
            elif event:
                yield event

    def take(self):
        """The next complete event; None when bytes are missing, () for lines that are no event."""
        if self.kind == "events":
            if b"\n\n" not in self.bytes:
                return None
            block, _, self.bytes = self.bytes.partition(b"\n\n")
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n")
                          if not line.startswith(":"))
            if "data" not in fields:
                return ()
            return fields.get("id"), fields["event"], json.loads(fields["data"])
        if len(self.bytes) < 2:
            return None
        size, start = self.bytes[1] & 127, 2
        if size == 126:
            size, start = int.from_bytes(self.bytes[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(self.bytes[2:10], "big"), 10
        if len(self.bytes) < start + size:
            return None
        first, payload = self.bytes[0], self.bytes[start:start + size]
        self.bytes = self.bytes[start + size:]
        if first != 0x81:
            return ()
        event = json.loads(payload)
        return event.get("id") or event.get("head"), event["type"], event

    def cut(self, random_):
        """Ends the connection: politely, or by a reset."""
        if random_.random() < 0.5:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


@pytest.fixture(scope="module")
def shop(server, owner, sandbox):
    """A key's session with the conversation it writes to."""
    program = Session(server, key=server.make_key(sandbox["id"], "streams"))
    program.conversation = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    program.key = program.headers["Authorization"].split(" ")[1]
    return program


def write(shop, ids):
    """Sends messages one after the other."""
    for number, message in enumerate(ids):
        shop.post(f"/api/conversations/{shop.conversation}/messages",
                  {"id": message, "type": "text", "body": f"{number} " + "x" * (number % 7 * 90)},
                  201)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_that_breaks_at_any_byte_is_resumed_exactly(server, shop, kind):
    seed = int(os.environ.get("FRONTDESK_SEED") or random.SystemRandom().randrange(2**32))
    print(f"note: streams of {kind} were broken by seed {seed}")
    chance = random.Random(seed)
    after = shop.fetch(f"/api/conversations/{shop.conversation}/messages")["head"]
    ids = [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(MESSAGES)]
    writer = threading.Thread(target=write, args=(shop, ids))
    writer.start()
    seen, breaks = [], 0
    until = time.monotonic() + 120
    while len(seen) < MESSAGES:
        assert time.monotonic() < until, f"seed {seed}: {len(seen)} of {MESSAGES} came"
        line = None
        try:
            line = Line(kind, server.port, shop.key, after, chance.randint(1, 5000))
            for name, sort, data in line.events():
                assert sort != "reset", f"seed {seed}: a reset after {after}"
                after = name or after
                if sort == "message.accepted":
                    seen.append(data["data"]["message"]["id"])
                    if len(seen) == MESSAGES:
                        break
        except Drop:
            breaks += 1
        finally:
            if line:
                line.cut(chance)
    writer.join()
    assert seen == ids, f"seed {seed}"
    assert breaks > 10, f"seed {seed}: only {breaks} breaks"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("after", ["1-1", "999999999-999999999", "nonsense"])
def test_an_unknown_event_id_gets_a_reset_first(server, shop, kind, after):
    line = Line(kind, server.port, shop.key, after, 100_000)
    events = line.events()
    assert next(events)[1] == "reset"
    assert next(events)[1] == "live"
    line.socket.close()


@pytest.mark.one_process
@pytest.mark.parametrize("kind", KINDS)
def test_one_message_reaches_many_streams_each_once(kind):
    raise_descriptor_limit(4096)
    with Installation("--limit", "streams-per-principal=100000") as own:
        owner = own.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        key = own.make_key(sandbox["id"], "many")
        conversation = Customer(own, sandbox["id"]).say("Hello")["message"]["conversation"]
        streams = Streams(kind, own.port, key, per_address=40)
        streams.open(MANY)
        for _ in range(3):
            message = str(uuid.uuid4())
            Session(own, key=key).post(f"/api/conversations/{conversation}/messages", {
                "id": message, "type": "text", "body": "to all"}, 201)
            seen, _ = streams.pump(60, message.encode())
            assert len(seen) == MANY
        assert streams.ended == 0
        streams.close()
        until = time.monotonic() + 60
        while "frontdesk_streams_open 0\n" not in Session(own).get(own.url + "/metrics").text:
            assert time.monotonic() < until, "streams of readers that left are still open"
            time.sleep(0.1)
