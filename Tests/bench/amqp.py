"""Publishes persistent messages with confirms over AMQP 0-9-1, and little else.

The frames of a publication are built once and sent unchanged, so that the client costs
a few microseconds a message and is never the bottleneck.
"""

import socket
import struct
import time

METHOD, HEADER, BODY = 1, 2, 3
ACK, NACK = (60, 80), (60, 120)


class Publisher:
    """One connection with one channel in confirm mode and one durable queue."""

    def __init__(self, port, queue, kind):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.queue = queue
        self.socket.sendall(b"AMQP\x00\x00\x09\x01")
        self.expect(10, 10)
        self.call(0, 10, 11, struct.pack(">I", 0) + short("PLAIN")
                  + long(b"\0guest\0guest") + short("en_US"))
        channels, frame, _ = struct.unpack(">HIH", self.expect(10, 30))
        self.call(0, 10, 31, struct.pack(">HIH", channels, frame, 0))
        self.ask(0, 10, 40, short("/") + short("") + b"\0")
        self.ask(1, 20, 10, short(""))
        durable = 2
        table = short("x-queue-type") + b"S" + long(kind.encode())
        self.ask(1, 50, 10, struct.pack(">H", 0) + short(queue) + bytes([durable]) + long(table))
        self.ask(1, 85, 10, b"\0")

    def close(self):
        """Deletes the queue and leaves."""
        self.ask(1, 50, 40, struct.pack(">H", 0) + short(self.queue) + b"\0")
        self.socket.close()

    def publish(self, body, window, seconds):
        """Keeps `window` messages unconfirmed; returns confirms a second, p50 and p99 in ms."""
        frames = self.frames(body)
        sent, delays = [0.0], []
        oldest, began = 1, time.monotonic()
        end, now = began + seconds, began
        self.socket.sendall(frames * window)
        sent += [now] * window
        waiting = window
        while waiting:
            first = len(delays)
            for number, is_multiple in self.confirms():
                if not is_multiple:
                    delays.append(time.monotonic() - sent[number])
                    sent[number] = None
                    continue
                now = time.monotonic()
                for each in range(oldest, number + 1):
                    if sent[each] is not None:
                        delays.append(now - sent[each])
                        sent[each] = None
                oldest = number + 1
            now = time.monotonic()
            confirmed = len(delays) - first
            waiting -= confirmed
            if confirmed and now < end:
                self.socket.sendall(frames * confirmed)
                sent += [now] * confirmed
                waiting += confirmed
        delays.sort()
        return (len(delays) / (now - began), delays[len(delays) // 2] * 1000,
                delays[len(delays) * 99 // 100] * 1000)

    def frames(self, body):
        """One publication on the wire."""
        publish = struct.pack(">HHH", 60, 40, 0) + short("") + short(self.queue) + b"\0"
        content_type, delivery_mode, persistent = 0x8000, 0x1000, 2
        header = (struct.pack(">HHQH", 60, 0, len(body), content_type | delivery_mode)
                  + short("application/json") + bytes([persistent]))
        return frame(METHOD, 1, publish) + frame(HEADER, 1, header) + frame(BODY, 1, body)

    def confirms(self):
        """The confirms that one read brings: (delivery tag, whether all before are meant too)."""
        found = []
        for kind, payload in self.read():
            method = struct.unpack_from(">HH", payload)
            if kind != METHOD or method != ACK:
                raise RuntimeError(f"the queue did not take a message: {payload[:200]!r}")
            number, is_multiple = struct.unpack_from(">QB", payload, 4)
            found.append((number, bool(is_multiple)))
        return found

    def read(self):
        """Whole frames of one read or more, as (type, payload)."""
        found = []
        while not found:
            piece = self.socket.recv(1 << 18)
            if not piece:
                raise RuntimeError(f"the connection ended: {self.buffer[-300:]!r}")
            data = self.buffer + piece
            start = 0
            while len(data) - start >= 8:
                kind, _, size = struct.unpack_from(">BHI", data, start)
                if len(data) - start < size + 8:
                    break
                found.append((kind, data[start + 7:start + 7 + size]))
                start += size + 8
            self.buffer = data[start:]
        return found

    def call(self, channel, group, method, arguments):
        """Sends a method."""
        self.socket.sendall(frame(METHOD, channel, struct.pack(">HH", group, method) + arguments))

    def ask(self, channel, group, method, arguments):
        """Sends a method and awaits its -ok."""
        self.call(channel, group, method, arguments)
        return self.expect(group, method + 1)

    def expect(self, group, method):
        """The arguments of the next method, which must be this one."""
        (_, payload), = self.read()
        if struct.unpack_from(">HH", payload) != (group, method):
            raise RuntimeError(f"no {group}.{method}: {payload[:200]!r}")
        return payload[4:]


def short(text):
    """A short string."""
    return bytes([len(text)]) + text.encode()


def long(data):
    """A long string or table."""
    return struct.pack(">I", len(data)) + data


def frame(kind, channel, payload):
    """A frame."""
    return struct.pack(">BHI", kind, channel, len(payload)) + payload + b"\xce"
