"""A node that hears nothing of the others, or is behind them: its readers get everything, and no reset."""

import time

import pytest
from faults.cluster import Cluster
from faults.proxy import Proxy
from faults.stand import IS_LONG, note
from faults.streams import EventStream, LiveSocket
from faults.wire import Cut
from support.postgres import shared

MESSAGES = 200 if IS_LONG else 4
MOVES = 50 if IS_LONG else 2
# A node looks every 500 ms by itself; a machine that is busy with other things gets more.
PATIENCE = 15


@pytest.fixture(scope="module")
def beside():
    """Two nodes, the second of which reaches the database through a proxy."""
    with Proxy(shared()) as proxy, Cluster(2, shared(), reach={1: proxy.address}) as cluster:
        cluster.proxy = proxy
        yield cluster


def reader(kind, cluster, number, last=None):
    """A stream of a node's, which has caught up where it has no place to go on from."""
    stream = kind(cluster.server.ports[number], cluster.key, last)
    if last is None:
        stream.read_until("live")
    stream.socket.settimeout(PATIENCE)
    return stream


def next_message(stream):
    """Waits for the next message; the kinds of events before it."""
    stream.kinds.clear()
    while True:
        for _, kind in stream.read():
            assert kind != "reset", "a reset without a reason"
            if kind == "message.accepted":
                return


def delays(cluster, stream, count):
    """How long after its acknowledgement by one node each message reaches a reader of the other."""
    found = []
    for _ in range(count):
        assert cluster.say(0)[0] == 201
        begin = time.monotonic()
        next_message(stream)
        found.append(time.monotonic() - begin)
        # Not in step with the other node's looks.
        time.sleep(0.037)
    return sorted(found)


def test_a_node_whose_notices_are_lost_looks_by_itself(beside):
    stream = reader(EventStream, beside, 1)
    heard = delays(beside, stream, MESSAGES)
    beside.proxy.loses_notices = True
    lost = delays(beside, stream, MESSAGES)
    beside.proxy.cut()
    ended = delays(beside, stream, MESSAGES)
    # The control: nothing is looked for either, and it is late for as long as that lasts.
    beside.proxy.holds_looks = True
    assert beside.say(0)[0] == 201
    stream.socket.settimeout(3)
    with pytest.raises(Cut):
        next_message(stream)
    beside.proxy.holds_looks = beside.proxy.loses_notices = False
    beside.proxy.cut()
    stream.socket.settimeout(PATIENCE)
    next_message(stream)
    stream.cut()
    verdict = beside.check()
    note(f"followers: a message of one node reaches the other's reader after {heard[len(heard) // 2] * 1000:.0f} ms "
         f"(longest {heard[-1] * 1000:.0f}), without notices {lost[len(lost) // 2] * 1000:.0f} (longest "
         f"{lost[-1] * 1000:.0f}), with every connection ended besides {ended[-1] * 1000:.0f} at most; control, "
         f"without looks either: not in 3 s; {verdict}")


@pytest.mark.parametrize("kind", [EventStream, LiveSocket])
def test_a_reader_that_moves_to_a_node_that_is_behind_waits_and_gets_no_reset(beside, kind):
    waits = []
    for _ in range(MOVES):
        stream = reader(kind, beside, 0)
        beside.proxy.hold(True)
        assert beside.say(0)[0] == 201
        next_message(stream)
        stream.cut()
        # The other node has not heard of the position that this one continues from.
        moved = reader(kind, beside, 1, stream.last)
        time.sleep(0.3)
        assert not moved.kinds
        begin = time.monotonic()
        beside.proxy.hold(False)
        assert beside.say(0)[0] == 201
        next_message(moved)
        waits.append(time.monotonic() - begin)
        place = int(moved.last.rsplit("-", 1)[1])
        assert place > int(stream.last.rsplit("-", 1)[1])
        moved.cut()
    note(f"followers: {MOVES} moves of {kind.__name__} to a node that was behind, no reset, "
         f"continued after {max(waits):.2f} s at most")


def test_control_a_reader_of_a_place_that_no_node_reached_is_reset(beside):
    stream = reader(EventStream, beside, 0)
    stream.cut()
    epoch, place = stream.last.rsplit("-", 1)
    moved = reader(EventStream, beside, 1, f"{epoch}-{int(place) + 1_000}")
    while not moved.kinds:
        moved.read()
    moved.cut()
    assert moved.kinds[0] == "reset", moved.kinds
