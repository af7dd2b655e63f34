"""Connections are cut at any byte of request or answer, and the sender retries."""

import json
import random
import socket
import struct
import time

from faults.load import acknowledge
from faults.stand import IS_LONG, note
from faults.wire import Cut, Wire, request

SENDS = 1_000_000 if IS_LONG else 100_000
BATCH = 100
PIPELINED = 30
RESET = struct.pack("ii", 1, 0)


class CutSender:
    """Sends groups of messages over connections that it cuts; keeps the unacknowledged ones."""

    def __init__(self, stand, seed, with_ids=True):
        self.stand, self.with_ids = stand, with_ids
        self.random = random.Random(seed)
        self.wire, self.pending = None, []
        self.sends = self.cuts = 0

    def group(self, may_begin):
        """The next group: unacknowledged messages, filled up with new ones."""
        group, self.pending = self.pending[:BATCH], self.pending[BATCH:]
        while may_begin and len(group) < BATCH:
            conversation = self.random.choice(self.stand.ledger.conversations)
            group += self.stand.ledger.turn(conversation, min(10, BATCH - len(group)))
        return group

    def send(self, group, may_cut):
        """Sends a group once and collects the answers; the unanswered ones are sent again."""
        self.sends += len(group)
        if self.random.random() < 0.9:
            requests, answers = [self.batch(group)], [group]
        else:
            requests = [request(
                "POST", f"/api/conversations/{one.conversation}/messages", self.stand.key,
                one.payload(self.with_ids)) for one in group[:PIPELINED]]
            answers = [[one] for one in group[:PIPELINED]]
            self.sends -= len(group[PIPELINED:])
        open_ones = {id(one): one for one in group}
        try:
            for answer in self.exchange(b"".join(requests), len(requests), may_cut):
                for one in self.record(answer, answers.pop(0)):
                    open_ones.pop(id(one), None)
        except (Cut, OSError):
            self.cuts += 1
            self.wire.close()
            self.wire = None
        self.pending += open_ones.values()

    def batch(self, group):
        """A request with all of them."""
        entries = b",".join(
            b'{"conversation":"%s","payload":%s}' % (
                one.conversation.encode(), one.payload(self.with_ids)) for one in group)
        return request("POST", "/api/messages/batch", self.stand.key,
                       b'{"messages":[' + entries + b"]}")

    def exchange(self, data, count, may_cut):
        """Sends bytes and gives the answers, or cuts somewhere in between."""
        if self.wire is None:
            self.wire = Wire(self.stand.server.port, self.stand.key)
        where = self.random.random() if may_cut else 1
        if where < 0.25:
            self.wire.socket.sendall(data[:self.random.randrange(len(data))])
            self.cut()
        self.wire.socket.sendall(data)
        if where < 0.5:
            left = self.random.randrange(count * 700)
            while left > 0 and count:
                piece = self.wire.socket.recv(min(left, 1 << 16))
                left -= len(piece)
                for answer in self.wire.answers.feed(piece):
                    count -= 1
                    yield answer
            self.cut()
        for _ in range(count):
            yield self.wire.next()

    def cut(self):
        """Ends the connection, politely or not."""
        if self.random.random() < 0.5:
            self.wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        raise Cut("cut")

    def record(self, answer, group):
        """Notes what an answer acknowledges and returns it."""
        status, _, body = answer
        if status in (200, 201) and body.startswith(b'{"results"'):
            results = json.loads(body)["results"]
            assert len(results) == len(group)
            for one, result in zip(group, results):
                assert result["status"] == 201, result
                message = result["message"]
                self.note(one, message["id"], message["sequence"])
            return group
        assert status in (200, 201), f"{status} {body[:300]}"
        [one] = group
        if self.with_ids:
            acknowledge(one, body)
        else:
            message = json.loads(body)
            self.note(one, message["id"], message["sequence"])
        return group

    def note(self, one, name, sequence):
        """Notes one acknowledgement; a repeated one has to say the same."""
        if self.with_ids:
            assert name == one.id, f"{one.id} answered by {name}"
            assert one.sequence in (None, sequence), f"{one.id}: {one.sequence}, then {sequence}"
        one.id = name
        one.sequence, one.acknowledged_at = sequence, time.monotonic()

    def run(self, sends):
        """Sends so many times with cuts, then retries until nothing is open."""
        while self.sends < sends:
            self.send(self.group(may_begin=True), may_cut=True)
        while self.pending:
            self.send(self.group(may_begin=False), may_cut=False)
        self.wire.close()


def test_retries_over_cut_connections_lose_and_duplicate_nothing(stand):
    stand.start()
    sender = CutSender(stand, 2026)
    sender.run(SENDS)
    stand.ledger.without_order()
    verdict = stand.check()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    assert sender.cuts > SENDS / 1_000
    assert len(stand.ledger.unknown()) == 0
    note(f"retries: {sender.sends} sends over {sender.cuts} cut connections, {verdict}")


def test_control_without_ids_of_their_own_messages_are_stored_twice(stand):
    stand.start()
    sender = CutSender(stand, 2026, with_ids=False)
    sender.run(4_000)
    stand.ledger.without_order()
    verdict = stand.check()
    note(f"retries, control without message ids: {sender.cuts} cuts, {verdict}")
    assert verdict.duplicated > 0, f"{verdict}: the check would not see a double"
