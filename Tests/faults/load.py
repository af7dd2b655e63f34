"""Senders that write in rounds and record every acknowledgement, until they are cut off or stopped."""

import re
import selectors
import socket
import time

from .wire import Answers, request

SEQUENCE = re.compile(rb'"sequence":(\d+)')
MESSAGE = re.compile(rb'^\{"id":"([^"]*)"')


class Sender:
    """One connection that writes into one conversation, a turn of several messages at a time."""

    def __init__(self, port, key, ledger, conversation, width):
        self.key, self.ledger, self.conversation, self.width = key, ledger, conversation, width
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers, self.waiting, self.refused = Answers(), [], []

    def begin(self, messages=None):
        """Sends a turn: new messages, or such as were sent before."""
        self.waiting = messages or self.ledger.turn(self.conversation, self.width)
        self.socket.sendall(b"".join(
            request("POST", f"/api/conversations/{one.conversation}/messages", self.key,
                    one.payload()) for one in self.waiting))

    def take(self):
        """Reads what arrived; returns whether the round has ended."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("closed")
        for status, _, body in self.answers.feed(data):
            one = self.waiting.pop(0)
            if status in (200, 201):
                acknowledge(one, body)
                self.ledger.moments.append(one.acknowledged_at)
            else:
                one.was_refused = True
                self.refused.append((status, body))
        return not self.waiting


def acknowledge(one, body):
    """Notes an acknowledgement; the answer has to speak of the message that was sent."""
    assert MESSAGE.match(body).group(1).decode() == one.id, f"{one.id} answered by {body[:200]}"
    sequence = int(SEQUENCE.search(body).group(1))
    assert one.sequence in (None, sequence), f"{one.id} acknowledged as {one.sequence}, then {sequence}"
    one.sequence, one.acknowledged_at = sequence, time.monotonic()


def write(port, key, ledger, until, width=8, senders=None):
    """Writes into every conversation until `until()` is true or every connection has ended.

    Returns the answers that were no acknowledgement.
    """
    refused = []
    with selectors.DefaultSelector() as selector:
        open_ones = []
        for conversation in ledger.conversations[:senders]:
            try:
                sender = Sender(port, key, ledger, conversation, width)
                sender.begin()
            except OSError:
                continue
            open_ones.append(sender)
            selector.register(sender.socket, selectors.EVENT_READ, sender)
        while open_ones:
            is_over = until()
            for event, _ in selector.select(0.002):
                sender = event.data
                try:
                    if sender.take():
                        if is_over:
                            raise ConnectionError("stopped by the test")
                        sender.begin()
                except OSError:
                    selector.unregister(sender.socket)
                    sender.socket.close()
                    open_ones.remove(sender)
                    refused += sender.refused
            refused += [answer for sender in open_ones for answer in sender.refused]
            for sender in open_ones:
                sender.refused = []
    return refused


def ask_again(port, key, ledger):
    """Sends everything once more that was never acknowledged; afterwards nothing is unknown."""
    for conversation in ledger.conversations:
        left = [one for one in ledger.sent[conversation].values() if one.sequence is None]
        if not left:
            continue
        sender = Sender(port, key, ledger, conversation, len(left))
        sender.begin(sorted(left, key=lambda one: one.turn))
        while not sender.take():
            pass
        sender.socket.close()
        assert not sender.refused, f"asked again, refused: {sender.refused[:2]}"


def acknowledgements(ledger, count):
    """An `until` that ends after so many more acknowledgements."""
    end = ledger.acknowledged + count
    return lambda: ledger.acknowledged >= end


def after(seconds):
    """An `until` that ends after so many seconds."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end
