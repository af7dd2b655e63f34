"""Streams are cut at any byte and continue: every event once and in order, or a reset that says so."""

import json
import random

import pytest

from faults.load import write
from faults.stand import IS_LONG, note
from faults.streams import EventStream, LiveSocket
from faults.wire import Cut, Wire

RECONNECTS = 50_000 if IS_LONG else 5_000
READERS = 10
# About the size of one round of messages, so that readers neither fall behind nor catch up.
MOST_BYTES = 7_000


class Follower:
    """A reader with everything that it received, over all its connections."""

    def __init__(self, kind, stand):
        self.stream = kind(stand.server.port, stand.key)
        self.stream.read_until("live")
        self.begin = place(self.stream.last)
        self.positions = []

    def follow(self, chance):
        """Continues after a cut, reads some bytes, and is cut again."""
        left = chance.randrange(MOST_BYTES)
        self.stream.resume()
        while left > 0 and not self.is_live():
            before = self.stream.received
            self.note(self.stream.read(left))
            left -= self.stream.received - before
        self.stream.cut()

    def finish(self):
        """Reads the remaining events, up to now."""
        self.stream.resume()
        self.stream.kinds.clear()
        while not self.is_live():
            self.note(self.stream.read())
        self.stream.cut()

    def is_live(self):
        """Whether the newest event ended the catch-up."""
        return bool(self.stream.kinds) and self.stream.kinds.pop() == "live"

    def note(self, events):
        """Keeps the events; there must be no reset, because nothing here requires one."""
        for name, kind in events:
            assert kind != "reset", "a reset without a reason"
            if kind != "live":
                self.positions.append(place(name))

    def faults(self, end):
        """(missing, twice, out of order) among all events up to a position."""
        wanted = set(range(self.begin + 1, end + 1))
        unordered = sum(later < earlier for earlier, later in zip(self.positions, self.positions[1:]))
        return len(wanted - set(self.positions)), len(self.positions) - len(set(self.positions)), unordered


def place(name):
    """The position in an event's id."""
    return int(name.rsplit("-", 1)[1])


def head(stand):
    """The newest position of the log."""
    with Wire(stand.server.port, stand.key) as wire:
        body = wire.ask(
            "GET", f"/api/conversations/{stand.ledger.conversations[0]}/messages?page[size]=1")[2]
    return place(json.loads(body)["head"])


def a_turn(stand):
    """A few messages."""
    write(stand.server.port, stand.key, stand.ledger, lambda: True, width=3, senders=2)


@pytest.mark.parametrize("kind", [EventStream, LiveSocket])
def test_readers_that_are_cut_at_any_byte_miss_nothing_and_get_nothing_twice(stand, kind):
    stand.start()
    chance = random.Random(2026)
    followers = [Follower(kind, stand) for _ in range(READERS)]
    rounds = RECONNECTS // 2 // READERS
    for done in range(rounds):
        if IS_LONG and done % 200 == 0:
            note(f"{kind.__name__}: {done * READERS} reconnects so far")
        a_turn(stand)
        for follower in followers:
            follower.follow(chance)
    for follower in followers:
        follower.finish()
    end = head(stand)
    faults = [follower.faults(end) for follower in followers]
    missing, twice, unordered = map(sum, zip(*faults))
    events = sum(len(follower.positions) for follower in followers)
    note(f"{kind.__name__}: {rounds * READERS} reconnects, {events} events, {missing} missing, "
         f"{twice} twice, {unordered} out of order")
    assert (missing, twice, unordered) == (0, 0, 0)
    assert events > rounds * READERS


@pytest.mark.parametrize("kind", [EventStream, LiveSocket])
def test_control_a_reader_that_forgets_where_it_was_misses_something(stand, kind):
    stand.start()
    chance = random.Random(2026)
    follower = Follower(kind, stand)
    for _ in range(20):
        a_turn(stand)
        follower.stream.last = None
        follower.follow(chance)
    follower.finish()
    missing, *_ = follower.faults(head(stand))
    note(f"{kind.__name__}, control without the last id: {missing} missing")
    assert missing > 0


@pytest.mark.parametrize("kind", [EventStream, LiveSocket])
def test_a_cursor_that_cannot_be_continued_gets_a_reset_first(stand, kind):
    stand.start()
    a_turn(stand)
    stream = kind(stand.server.port, stand.key)
    stream.read_until("live")
    stream.cut()
    epoch, position = stream.last.rsplit("-", 1)
    other = format(int(epoch, 16) ^ 1, "016x")
    for name in (f"{other}-{position}", f"{epoch}-{int(position) + 1_000}", "no-such-place"):
        stream = kind(stand.server.port, stand.key, last=name)
        while not stream.kinds:
            stream.read()
        stream.cut()
        assert stream.kinds[0] == "reset", f"{name}: {stream.kinds}"
