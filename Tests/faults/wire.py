"""HTTP by hand over one connection: requests in a row, answers in order, cuts wherever a test wants."""

import re
import socket

LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
CHUNKED = re.compile(rb"(?i)\r\ntransfer-encoding: *chunked")


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
            read = (self.chunks if CHUNKED.search(head) else self.counted)(head, end + 4)
            if read is None:
                break
            body, start = read
            found.append((int(head[9:12]), head, body))
        del self.buffer[:start]
        return found

    def counted(self, head, start):
        """The body of an answer that says its length, and where it ends; None until all of it is there."""
        length = LENGTH.search(head)
        stop = start + (int(length.group(1)) if length else 0)
        return (bytes(self.buffer[start:stop]), stop) if len(self.buffer) >= stop else None

    def chunks(self, _, start):
        """The body of an answer that comes in chunks, and where it ends; None until all of it is there."""
        body = bytearray()
        while (line := self.buffer.find(b"\r\n", start)) >= 0:
            size = int(self.buffer[start:line], 16)
            stop = line + 2 + size + 2
            if len(self.buffer) < stop:
                return None
            body += self.buffer[line + 2:line + 2 + size]
            start = stop
            if size == 0:
                return bytes(body), start
        return None


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
