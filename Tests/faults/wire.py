"""HTTP by hand over one connection: requests in a row, answers in order, cuts wherever a test wants."""

import re
import socket

LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


class Cut(Exception):
    """The connection ended before the answer did."""


class Answers:
    """Parses bytes as they arrive and returns whole answers."""

    def __init__(self):
        self.buffer = bytearray()

    def feed(self, data):
        """Adds bytes; returns the answers that are whole now as (status, head, body)."""
        self.buffer += data
        found, start = [], 0
        while (end := self.buffer.find(b"\r\n\r\n", start)) >= 0:
            head = bytes(self.buffer[start:end])
            length = LENGTH.search(head)
            stop = end + 4 + (int(length.group(1)) if length else 0)
            if len(self.buffer) < stop:
                break
            found.append((int(head[9:12]), head, bytes(self.buffer[end + 4:stop])))
            start = stop
        del self.buffer[:start]
        return found


class Wire:
    """One connection that sends requests and waits for answers."""

    def __init__(self, port, key=None, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.key, self.answers, self.waiting = key, Answers(), []

    def close(self):
        """Ends the connection."""
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def next(self):
        """The next answer; `Cut` when the connection ends first."""
        while not self.waiting:
            try:
                data = self.socket.recv(1 << 18)
            except (ConnectionError, TimeoutError) as error:
                raise Cut(str(error)) from error
            if not data:
                raise Cut("closed")
            self.waiting += self.answers.feed(data)
        return self.waiting.pop(0)

    def ask(self, method, path, body=None, headers=""):
        """One exchange: (status, head, body)."""
        try:
            self.socket.sendall(request(method, path, self.key, body, headers))
        except OSError as error:
            raise Cut(str(error)) from error
        return self.next()


def request(method, path, key=None, body=None, headers=""):
    """The bytes of a request; a body is JSON."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}"
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    if body is None:
        return (head + "\r\n").encode()
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body
