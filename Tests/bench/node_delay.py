"""How long after its answer a message of one node is on the streams of another."""

import asyncio
import json
import re
import statistics
import time
import uuid

CONNECTIONS = 16
ID = re.compile(rb'"id":"([0-9a-f-]{36})"')


class Delay:
    """Posts to one node at a rate, and reads the events of another."""

    def __init__(self, targets, key):
        self.targets, self.key = targets, key
        self.answered, self.seen = {}, {}

    async def post(self, port, rate, end):
        """Posts one message after the other, no more than its part of the rate."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        pause, due = CONNECTIONS / rate, time.monotonic()
        while time.monotonic() < end:
            name = str(uuid.uuid4())
            body = json.dumps({"id": name, "type": "text", "body": "How long does it take?"}).encode()
            target = self.targets[int(name[:8], 16) % len(self.targets)]
            writer.write(
                f"POST {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n"
                f"Content-Type: application/json\r\nPrefer: return=minimal\r\nContent-Length: {len(body)}\r\n\r\n"
                .encode() + body)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.split(b" ", 2)[1] in (b"201", b"204"), head
            length = re.search(rb"(?i)content-length: (\d+)", head)
            if length:
                await reader.readexactly(int(length.group(1)))
            self.answered[name] = time.monotonic()
            due += pause
            await asyncio.sleep(max(0, due - time.monotonic()))
        writer.close()

    async def follow(self, port, ready):
        """Notes when each message is on the stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"event: live"):
                ready.set()
            for found in ID.findall(line):
                self.seen.setdefault(found.decode(), time.monotonic())

    async def run(self, ports, rate, seconds):
        """Posts to the first node and follows the second."""
        ready = asyncio.Event()
        following = asyncio.create_task(self.follow(ports[1], ready))
        await asyncio.wait_for(ready.wait(), 30)
        end = time.monotonic() + seconds
        await asyncio.gather(*(self.post(ports[0], rate, end) for _ in range(CONNECTIONS)))
        deadline = time.monotonic() + 20
        while self.answered.keys() - self.seen.keys() and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        following.cancel()


def measure(ports, targets, key, rate, seconds):
    """Messages posted, those that never came, and the delays' 50th and 99th percentile in milliseconds."""
    delay = Delay(targets, key)
    asyncio.run(delay.run(ports, rate, seconds))
    missing = len(delay.answered.keys() - delay.seen.keys())
    # It may be on a stream before its answer is read.
    delays = sorted(max(0, delay.seen[one] - at) * 1_000 for one, at in delay.answered.items() if one in delay.seen)
    return len(delay.answered), missing, statistics.median(delays), delays[int(len(delays) * 0.99)]
