"""Endpoints of webhooks by the hundred, well and sick, whose receivers are processes that can be killed."""

import collections
import json
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from .wire import Wire

# What each of fifty endpoints is. `healthy` keeps the order of a conversation, `unordered` need not.
KINDS = (26 * ["healthy"] + 6 * ["unordered"] + 5 * ["slow"] + 5 * ["failing"] + 3 * ["gone"] + 3 * ["hanging"]
         + 2 * ["refusing"])
WELL = ("healthy", "unordered")
# Below the ports that the system chooses for connections: none of those has a receiver's port while it is away.
PORTS = range(20_000, 30_000)

# One line for each post that is accepted, written before it is answered: a kill of the process loses none. With `late` all lines
# are kept in memory, as by a program that answers before it stores. Trials are answered at once, so that endpoints are made soon.
PROGRAM = r"""
import asyncio, json, os, re, sys

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)
NAME = re.compile(rb"\r\nwebhook-id: *(\S+)", re.I)
file = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
kept = [] if sys.argv[3] == "late" else None


async def judge(kind, number, name, body):
    if name.startswith("test-"):
        return 204
    if kind == "failing":
        return 500
    if kind == "gone":
        return 410
    if kind == "hanging":
        await asyncio.sleep(60)
        return 204
    if kind == "slow":
        await asyncio.sleep(3)
    event = json.loads(body)
    line = [int(number), name, event["conversation"], event["sequence"], event["data"]["message"]["id"]]
    if kept is None:
        os.write(file, json.dumps(line).encode() + b"\n")
    else:
        kept.append(line)
    return 204


async def receive(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(int(LENGTH.search(head).group(1)))
            _, kind, number = head.split(b" ", 2)[1].decode().split("/")
            status = await judge(kind, number, NAME.search(head).group(1).decode(), body)
            writer.write(b"HTTP/1.1 %d X\r\n" % status + (b"\r\n" if status == 204 else b"Content-Length: 0\r\n\r\n"))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(receive, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    await server.serve_forever()

asyncio.run(main())
"""


class Process:
    """A receiver's process, which is killed and started again at the same port."""

    def __init__(self, file, port, late=False):
        self.file, self.port, self.late, self.process = file, port, late, None
        # When it was started after its last kill.
        self.since = float("-inf")
        self.start()

    def start(self):
        """Starts it, and waits until it listens."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(self.port), str(self.file), "late" if self.late else "first"])
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                assert time.monotonic() < end and self.process.poll() is None, "the receiver does not listen"
                time.sleep(0.02)

    def restart(self):
        """Starts it after a kill."""
        self.start()
        self.since = time.monotonic()

    def kill(self):
        """Kills it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    def posts(self):
        """What it stored: endpoint, webhook id, conversation, sequence, message."""
        lines = self.file.read_bytes().split(b"\n") if self.file.exists() else []
        # A line that was cut off was never answered.
        return [json.loads(line) for line in lines if line.endswith(b"]")]


class Endpoints:
    """Endpoints of several businesses, each with a key and a ledger of what was sent there."""

    def __init__(self, stand, shops, kinds, receivers=4, late=False, seed=0):
        """`shops` are pairs of a business and its key; `kinds` names what each of a shop's endpoints is."""
        self.stand, self.numbers = stand, random.Random(seed)
        self.processes = [Process(stand.folder / f"received-{number}", self.port(), late) for number in range(receivers)]
        # Bound and not listening: who connects is refused.
        self.closed = socket.socket()
        self.closed.bind(("127.0.0.1", 0))
        # What each endpoint is, and the ledger of its business.
        self.kinds, self.ledgers = [], []
        for business, key, ledger in shops:
            with Wire(stand.server.port, key) as wire:
                for kind in kinds:
                    self.make(wire, business, kind)
                    self.ledgers.append(ledger)

    def port(self):
        """A port that nothing listens at."""
        while True:
            port = self.numbers.choice(PORTS)
            with socket.socket() as tried:
                try:
                    tried.bind(("127.0.0.1", port))
                    return port
                except OSError:
                    continue

    def make(self, wire, business, kind):
        """Makes an endpoint for all messages of a business."""
        number = len(self.kinds)
        port = self.closed.getsockname()[1] if kind == "refusing" else self.processes[number % len(self.processes)].port
        body = {"url": f"http://127.0.0.1:{port}/{kind}/{number}", "types": ["message.accepted"],
                "order": "none" if kind == "unordered" else "conversation"}
        status, _, answer = wire.ask("POST", f"/api/businesses/{business}/webhooks", json.dumps(body).encode())
        assert status == 201, answer
        self.kinds.append(kind)

    def stop(self):
        """Ends the processes."""
        for process in self.processes:
            process.kill()
        self.closed.close()

    def counts(self, kinds):
        """Of endpoints of some kinds: what is pending, which are enabled; and whether the reader has noted all."""
        path = self.stand.folder / "data" / "frontdesk.sqlite"
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
        try:
            pending, enabled = collections.Counter(), collections.Counter()
            for url, is_disabled, count in connection.execute(
                    "SELECT url, disabled IS NOT NULL, (SELECT count(*) FROM deliveries "
                    "WHERE outbox = webhooks.id AND state = 'pending') FROM webhooks"):
                kind = url.split("/")[3]
                pending[kind] += count
                enabled[kind] += not is_disabled
            noted = connection.execute("SELECT max(position) FROM deliveries").fetchone()[0]
            newest = connection.execute("SELECT max(position) FROM messages").fetchone()[0]
        finally:
            connection.close()
        return sum(pending[kind] for kind in kinds), pending, enabled, noted == newest

    def finish(self, patience, kinds=WELL):
        """Waits until all is noted and nothing is pending for endpoints of some kinds, and those that are gone are disabled.

        Returns what is pending then, by kind.
        """
        end = time.monotonic() + patience
        while True:
            left, pending, enabled, is_noted = self.counts(kinds)
            if left == 0 and is_noted and enabled["gone"] == 0:
                return pending
            assert time.monotonic() < end, f"pending {dict(pending)}, enabled {dict(enabled)}, all noted: {is_noted}"
            time.sleep(0.5)

    def verdict(self):
        """What is wrong, in words, and how many posts were stored by well endpoints."""
        posts = collections.defaultdict(list)
        names, faults, count = collections.defaultdict(set), [], 0
        for process in self.processes:
            for number, name, *rest in process.posts():
                posts[number].append(rest)
                names[rest[2]].add(name)
        faults += [f"{message} was posted as {sorted(of)}" for message, of in names.items() if len(of) > 1]
        for number, kind in enumerate(self.kinds):
            known = self.ledgers[number].sent.values()
            acknowledged = {one.id for sent in known for one in sent.values() if one.sequence}
            if kind in WELL:
                count += len(posts[number])
                lost = acknowledged - {message for _, _, message in posts[number]}
                faults += [f"{kind} {number} never got {message}" for message in lost]
            if kind in ("healthy", "slow"):
                faults += [f"{kind} {number}: {place} of {conversation} came late" for conversation, place in late(posts[number])]
        return faults, count


def late(posts):
    """What came first after a later one of its conversation."""
    newest, seen, found = {}, set(), []
    for conversation, sequence, message in posts:
        if message not in seen:
            if sequence < newest.get(conversation, 0):
                found.append((conversation, sequence))
            newest[conversation] = sequence
        seen.add(message)
    return found
