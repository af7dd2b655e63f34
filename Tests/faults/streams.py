"""Readers of events that can be cut at any byte and continue after the last complete event."""

import base64
import json
import os
import socket

from .wire import Cut


class Reader:
    """The common part of both kinds of stream: a connection, its events, and where to continue."""

    def __init__(self, port, key, last=None, is_connected=True):
        """Connects, unless another brings its bytes."""
        self.port, self.key, self.last = port, key, last
        self.kinds = []
        self.begin()
        if is_connected:
            self.connect()

    def begin(self):
        """Forgets the bytes of an earlier connection."""
        self.head, self.buffer, self.text = None, bytearray(), bytearray()
        self.received = 0

    def connect(self):
        """Opens the stream at the last id."""
        self.begin()
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self.socket.sendall(self.request())

    def cut(self):
        """Ends the connection wherever it is."""
        self.socket.close()

    def resume(self):
        """Connects again, from the last whole event."""
        self.connect()

    def read(self, most=1 << 16):
        """Reads at most so many bytes; returns the whole events among them as (id, kind)."""
        try:
            data = self.socket.recv(most)
        except (ConnectionError, TimeoutError) as error:
            raise Cut(str(error)) from error
        if not data:
            raise Cut("closed")
        return self.take(data)

    def take(self, data):
        """Adds bytes; returns the whole events among them as (id, kind)."""
        self.received += len(data)
        self.buffer += data
        if self.head is None:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return []
            self.head = bytes(self.buffer[:end])
            del self.buffer[:end + 4]
            status = int(self.head[9:12])
            assert status == self.status, f"{self.head.decode()}{bytes(self.buffer[:300])}"
        found = []
        for name, kind, event in self.events():
            self.kinds.append(kind)
            self.see(name, kind, event)
            if name:
                self.last = name
                found.append((name, kind))
        return found

    def see(self, name, kind, event):
        """What a test does with each event."""

    def read_until(self, kind):
        """Reads up to an event of a kind; returns the ids of the events before it, marks aside."""
        names = []
        while True:
            for name, what in self.read():
                if what == kind:
                    return names
                if what not in ("live", "reset"):
                    names.append(name)


class EventStream(Reader):
    """`/api/events`, as integrations read it."""

    status = 200

    def request(self):
        """The bytes that open it."""
        last = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
        return (f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                f"Authorization: Bearer {self.key}\r\n{last}\r\n").encode()

    def events(self):
        """Extracts whole chunks, and whole blocks from them."""
        while (end := self.buffer.find(b"\r\n")) >= 0:
            size = int(self.buffer[:end].split(b";")[0], 16)
            if len(self.buffer) < end + 2 + size + 2:
                break
            self.text += self.buffer[end + 2:end + 2 + size]
            del self.buffer[:end + 4 + size]
        while (end := self.text.find(b"\n\n")) >= 0:
            block = self.text[:end].decode()
            del self.text[:end + 2]
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "data" in fields:
                yield fields.get("id"), fields.get("event"), json.loads(fields["data"])


class LiveSocket(Reader):
    """`/api/live`, as pages read it."""

    status = 101
    path = "/api/live"

    def credential(self):
        """The header that says whose stream it is."""
        return f"Authorization: Bearer {self.key}"

    def request(self):
        """The bytes that open it: the handshake and the first frame."""
        secret = base64.b64encode(os.urandom(16)).decode()
        hello = {"type": "hello"}
        if self.last:
            hello["after"] = self.last
        body = json.dumps(hello).encode()
        mask = os.urandom(4)
        frame = bytes([0x81, 0x80 | len(body)]) + mask + bytes(
            byte ^ mask[place % 4] for place, byte in enumerate(body))
        return (f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {secret}\r\n{self.credential()}\r\n\r\n"
                ).encode() + frame

    def events(self):
        """Extracts whole frames; the server sends each event in one."""
        while len(self.buffer) >= 2:
            kind, size, start = self.buffer[0], self.buffer[1], 2
            if size in (126, 127):
                start = 4 if size == 126 else 10
                if len(self.buffer) < start:
                    return
                size = int.from_bytes(self.buffer[2:start], "big")
            if len(self.buffer) < start + size:
                return
            body = bytes(self.buffer[start:start + size])
            del self.buffer[:start + size]
            if kind == 0x88:
                raise Cut(f"closed with {int.from_bytes(body[:2], 'big')}")
            if kind == 0x81:
                event = json.loads(body)
                yield event.get("id") or event.get("head"), event.get("type"), event
