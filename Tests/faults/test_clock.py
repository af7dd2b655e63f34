"""The machine's clock jumps, an hour or 400 days, forward and back, while the server runs."""

import json
import pathlib
import uuid

import pytest

from faults.ledger import read_back
from faults.load import after, ask_again, write
from faults.stand import note
from faults.streams import EventStream
from faults.wire import Wire
from support.server import Customer

HOUR, YEAR = 3_600, 400 * 86_400
# One after the other, each from where the one before left the clock.
JUMPS = [HOUR, -HOUR, -HOUR, HOUR, YEAR, -YEAR, -YEAR, YEAR]


class Clock:
    """The wall clock of a server; its monotonic clock is left alone."""

    def __init__(self, folder):
        found = pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
        self.library = next(map(str, found), None)
        if self.library is None:
            pytest.skip("the clock cannot be moved: libfaketime is missing")
        self.file = pathlib.Path(folder) / "clock"
        self.ahead = 0
        self.move(0)

    def move(self, seconds):
        """Sets the clock so far ahead of where it was."""
        self.ahead += seconds
        new = self.file.with_suffix(".new")
        new.write_text(f"{self.ahead:+d}\n")
        new.rename(self.file)

    @property
    def environment(self):
        """What goes beneath the server.

        The C library comes before jemalloc, which reads the time while it starts and would wait for
        libfaketime, which allocates then.
        """
        return {"LD_PRELOAD": f"{self.library}:libc.so.6", "FAKETIME_TIMESTAMP_FILE": str(self.file),
                "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DISABLE_SHM": "1"}


def say(stand, message=None):
    """One message by hand: (message as sent, answer)."""
    one = message or {"id": str(uuid.uuid4()), "type": "text", "body": "What is the time?"}
    conversation = stand.by_hand
    with Wire(stand.server.port, stand.key) as wire:
        status, head, body = wire.ask(
            "POST", f"/api/conversations/{conversation}/messages", json.dumps(one).encode())
    assert status in (200, 201), f"{status} {body[:200]}"
    return one, json.loads(body)


def test_a_clock_that_jumps_breaks_no_order_no_resuming_and_no_retry(stand, tmp_path):
    clock = Clock(tmp_path)
    stand.start(**clock.environment)
    # This test writes into the last one by hand, and judges it by itself.
    stand.by_hand = stand.ledger.conversations.pop()
    first, answer = say(stand)
    stream = EventStream(stand.server.port, stand.key)
    stream.read_until("live")
    times, resumed = [answer["time"]], []
    for jump in JUMPS:
        clock.move(jump)
        # Cut in the middle and resumed on the other side of the jump.
        stream.cut()
        write(stand.server.port, stand.key, stand.ledger, after(0.05), width=4, senders=3)
        times.append(say(stand)[1]["time"])
        again = say(stand, first)[1]
        assert again["sequence"] == answer["sequence"] and again["time"] == answer["time"]
        stream.resume()
        resumed += stream.read_until("live")
        assert "reset" not in stream.kinds, f"a reset after {jump:+d} s"
    ask_again(stand.server.port, stand.key, stand.ledger)
    # The control: were messages ordered by their time, they would not be in order now.
    assert times != sorted(times), f"the clock did not move: {times}"
    verdict = stand.check()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    expect_in_order(resumed)
    with Wire(stand.server.port, stand.key) as wire:
        stored = read_back(wire, stand.by_hand)
    assert [message["sequence"] for message in stored] == list(range(1, len(JUMPS) + 3))
    note(f"clock: {len(JUMPS)} jumps, {verdict}; {len(resumed)} events resumed in order")
    stream.cut()


def expect_in_order(ids):
    """Positions that rise by one."""
    places = [int(name.rsplit("-", 1)[1]) for name in ids]
    assert places == list(range(places[0], places[0] + len(places))), "a gap, or twice"


@pytest.mark.parametrize("ahead", [HOUR, YEAR])
def test_a_clock_set_back_makes_no_credential_valid_again(stand, tmp_path, ahead):
    clock = Clock(tmp_path)
    server = stand.start(**clock.environment)
    agent = server.make_owner()
    phone = Customer(server, stand.business)
    phone.say("Hello")
    mine = f"/api/phone/{stand.business}/messages"
    agent.fetch("/api/session")
    phone.fetch(mine)
    # A valid session stays valid, though by the clock it was not created yet.
    clock.move(-ahead)
    agent.fetch("/api/session")
    phone.fetch(mine)
    clock.move(2 * ahead)
    agent.fetch("/api/session", expect=401)
    ended = [agent]
    if ahead == YEAR:
        phone.fetch(mine, expect=401)
        ended.append(phone)
    clock.move(-2 * ahead)
    # By the wall clock alone both would be alive again now.
    agent.fetch("/api/session", expect=401)
    phone.fetch(mine, expect=401 if phone in ended else 200)
    note(f"clock: {ahead} s ahead ended {len(ended)} sessions, and back again revived none")


@pytest.mark.parametrize("is_control", [False, True], ids=["as shipped", "control"])
def test_a_restart_with_the_clock_set_back_reorders_nothing_and_makes_nothing_valid_again(
        stand, tmp_path, is_control):
    clock = Clock(tmp_path)
    server = stand.start(**clock.environment)
    stand.by_hand = stand.ledger.conversations.pop()
    agent = server.make_owner()
    first, answer = say(stand)
    stream = EventStream(server.port, stand.key)
    stream.read_until("live")
    # Fifty minutes that the server believes: less than what counts as a jump.
    clock.move(50 * 60)
    agent.fetch("/api/session", expect=401)
    stream.cut()
    # A regular end deletes expired sessions and stores the time; a crash before it does neither.
    if is_control:
        server.kill()
    else:
        server.stop()
    clock.move(-50 * 60 - HOUR)
    again = stand.start(**clock.environment)
    agent.server, agent.headers["Origin"] = again, again.url
    agent.fetch("/api/session", expect=200 if is_control else 401)
    write(again.port, stand.key, stand.ledger, after(0.05), width=4, senders=3)
    later = say(stand)[1]
    assert later["sequence"] == answer["sequence"] + 1 and later["time"] < answer["time"]
    assert say(stand, first)[1]["sequence"] == answer["sequence"]
    stream.port = again.port
    stream.resume()
    expect_in_order(stream.read_until("live"))
    assert "reset" not in stream.kinds
    stream.cut()
    verdict = stand.check()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    name = "control that crashed before the time was kept" if is_control else "as shipped"
    note(f"clock set back between two runs, {name}: {verdict}")
