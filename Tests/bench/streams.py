"""Many streams of one sort held open by one process: plain sockets, epoll, no library."""

import base64
import os
import resource
import select
import socket
import time

PONG = bytes([0x8A, 0x80, 0, 0, 0, 0])


def raise_descriptor_limit(wanted):
    """Raises this process's own limit, and that of its children, to what the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
            return wanted
        except (ValueError, OSError):
            pass
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def masked_text(text):
    """A client's text frame; masked with zeros, which leaves the bytes as they are."""
    payload = text.encode()
    assert len(payload) < 126
    return bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload


class Streams:
    """Opens streams, answers pings, and reports when each has seen a mark."""

    def __init__(self, kind, port, key, per_address=200, after=None):
        self.kind, self.port, self.key, self.per_address = kind, port, key, per_address
        self.after = after
        self.sockets = {}
        self.epoll = select.epoll()
        self.pings = self.ended = 0

    def open(self, count):
        """Opens `count` streams, each source address of 127.0.0.0/8 with its share."""
        for number in range(len(self.sockets), len(self.sockets) + count):
            self.open_one(number // self.per_address)
            if number % 50 == 49:
                self.pump(0)

    def open_one(self, group):
        """Opens one stream from the address of its group and waits until it is live."""
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        connection.bind((f"127.{1 + group // 250}.{group % 250}.1", 0))
        connection.settimeout(20)
        connection.connect(("127.0.0.1", self.port))
        common = f"Host: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.key}\r\n"
        if self.kind == "websocket":
            connection.sendall((
                f"GET /api/live HTTP/1.1\r\n{common}Connection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                + base64.b64encode(os.urandom(16)).decode() + "\r\n\r\n").encode())
        else:
            last = f"Last-Event-ID: {self.after}\r\n" if self.after else ""
            connection.sendall(f"GET /api/events HTTP/1.1\r\n{common}{last}\r\n".encode())
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += self.some(connection, heard)
        assert heard.split(b" ")[1] in (b"101", b"200"), heard[:300]
        if self.kind == "websocket":
            after = f',"after":"{self.after}"' if self.after else ""
            connection.sendall(masked_text('{"type":"hello"' + after + "}"))
        while b'"live"' not in heard and b"event: live" not in heard:
            heard += self.some(connection, heard)
        connection.setblocking(False)
        self.sockets[connection.fileno()] = connection
        self.epoll.register(connection.fileno(), select.EPOLLIN)

    @staticmethod
    def some(connection, heard):
        """More bytes of an opening stream."""
        more = connection.recv(65536)
        assert more, f"the stream ended while it opened: {heard[:300]}"
        return more

    def pump(self, seconds, mark=None):
        """Reads for some seconds, or until every stream has seen the mark.

        Returns the descriptors that have seen it and the time at which the last one did.
        """
        seen, last = set(), None
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            ready = self.epoll.poll(max(0, left), 4096)
            for descriptor, _ in ready:
                connection = self.sockets.get(descriptor)
                if connection is None:
                    continue
                try:
                    bytes_ = connection.recv(65536)
                except BlockingIOError:
                    continue
                except OSError:
                    bytes_ = b""
                if not bytes_:
                    self.forget(descriptor)
                elif mark and mark in bytes_:
                    seen.add(descriptor)
                    last = time.monotonic()
                elif self.kind == "websocket" and bytes_[0] == 0x89:
                    self.pings += 1
                    connection.send(PONG)
            if mark and len(seen) >= len(self.sockets):
                return seen, last
            if left <= 0 and (not ready or mark is None):
                return seen, last

    def forget(self, descriptor):
        """Counts a stream that the server ended."""
        self.epoll.unregister(descriptor)
        self.sockets.pop(descriptor).close()
        self.ended += 1

    def close(self):
        """Ends every stream at once, without a goodbye."""
        for connection in self.sockets.values():
            connection.close()
        self.sockets = {}
        self.epoll.close()
