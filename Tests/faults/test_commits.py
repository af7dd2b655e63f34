"""A commit is cut, or stands still, at any of its bytes: what is acknowledged is stored, once, and the others go on."""

import contextlib
import signal
import threading
import time

import pytest
from faults.cluster import Cluster
from faults.load import acknowledgements
from faults.proxy import Proxy
from faults.stand import IS_LONG, note
from support.postgres import shared

# A node that stands still with the log's turn loses it after 2 s, or when another has waited for 3 s.
LONGEST_STANDSTILL = 3
# Bytes at which the short tier cuts.
MOST_CUTS = 60
# What a machine that is busy with other things gets beyond.
PATIENCE = 20


@pytest.fixture(scope="module")
def beside():
    """Two nodes, the second of which reaches the database through a proxy."""
    with Proxy(shared()) as proxy, Cluster(2, shared(), reach={1: proxy.address}) as cluster:
        cluster.proxy = proxy
        yield cluster


def messages(cluster):
    """Where the messages of a commit end, counted in bytes; the last ones are those of its answer."""
    for _ in range(5):
        assert cluster.say(1)[0] == 201
    return list(cluster.proxy.ends)


def places(cluster):
    """The bytes at which a commit is cut: all, or some around the ends of its messages and between."""
    ends = messages(cluster)
    if IS_LONG:
        return range(ends[-1])
    found = {0, 1}
    for begin, end in zip([0, *ends], ends):
        found |= {end - 1, end, end + 1, (begin + end) // 2}
    found = sorted(place for place in found if place < ends[-1])
    return found[::max(1, len(found) // MOST_CUTS)]


@pytest.mark.parametrize("times", [
    pytest.param(1, marks=pytest.mark.long_tier, id="once"), pytest.param(2, id="and what settles it")])
def test_a_commit_that_is_cut_at_any_byte_is_settled(beside, times):
    tried = places(beside)
    whole, sent = beside.proxy.ends[-1], beside.proxy.sent
    before, cuts = beside.proxy.struck, {}
    for place in tried:
        struck = beside.proxy.struck
        beside.proxy.arm(place, times)
        status, answer = beside.say(1)
        assert status == 201, f"cut at {place}: {status} {answer}"
        cuts[place] = beside.proxy.disarm() - struck
    verdict = beside.check()
    note(f"commits: cut at {len(tried)} of {whole} bytes, {beside.proxy.struck - before} cuts, {verdict}")
    # What settles a commit that was stored is shorter than the commit.
    missed = [place for place, count in cuts.items() if count < (times if place < sent else 1)]
    assert not missed, f"no cut, or too few, at {missed} of {whole} bytes, of which {sent} are sent"


def test_control_a_commit_that_is_settled_wrongly_is_lost(beside):
    with Cluster(2, shared(), reach={1: beside.proxy.address}) as cluster:
        ends = messages(beside)
        beside.proxy.lies = True
        try:
            for place in ends[:-3:max(1, len(ends) // 10)]:
                beside.proxy.arm(place)
                cluster.say(1)
        finally:
            beside.proxy.lies = False
            beside.proxy.disarm()
        verdict = cluster.read_back()
    note(f"commits: control, every cut commit counts as stored: {verdict}")
    assert verdict.lost > 0, f"{verdict}: the check would not see a loss"


def test_the_others_go_on_when_a_node_stands_still_at_any_byte_of_a_commit(beside):
    ends = messages(beside)
    # Between two statements that wait for an answer, and between such as are sent together.
    tried = ends[:-2] if IS_LONG else [ends[0], ends[len(ends) // 2]]
    waits = []
    for place in tried:
        struck = beside.proxy.struck
        beside.proxy.arm(place, stalls=True)
        still = threading.Thread(target=beside.say, args=(1,))
        still.start()
        end = time.monotonic() + PATIENCE
        while beside.proxy.struck == struck:
            assert time.monotonic() < end, "the node never began a commit"
            time.sleep(0.005)
        begin = time.monotonic()
        while (said := beside.say(0))[0] != 201:
            assert time.monotonic() - begin < PATIENCE, f"still at {place} for {PATIENCE} s: {said}"
        waits.append(time.monotonic() - begin)
        beside.proxy.cut()
        still.join()
    beside.settle()
    verdict = beside.check()
    note(f"commits: still at {len(tried)} bytes of a commit, the other node waited "
         f"{', '.join(f'{wait:.1f}' for wait in waits[:8])} s, {verdict}")
    assert min(waits) < LONGEST_STANDSTILL + PATIENCE


def test_control_what_is_acknowledged_before_it_is_committed_is_lost_when_its_node_is_killed():
    with Proxy(shared()) as proxy, Cluster(2, shared(), reach={1: proxy.address}) as cluster:
        proxy.answers_early = True
        cluster.write(acknowledgements(cluster.ledger, 100), cluster.server.ports[1])
        if not proxy.swallow():
            cluster.write(acknowledgements(cluster.ledger, 1), cluster.server.ports[1])
        cluster.server.kill_node(1)
        proxy.cut()
        proxy.swallows = False
        proxy.answers_early = False
        cluster.server.start_node(1)
        cluster.settle()
        verdict = cluster.read_back()
    note(f"commits: control, a commit is answered before it is made and its node killed: {verdict}")
    assert verdict.lost > 0, f"{verdict}: the check would not see a loss"


@contextlib.contextmanager
def frozen_with_the_turn(is_patient):
    """Two nodes, the second of which was stopped as it had got the log's turn."""
    with Proxy(shared()) as proxy:
        proxy.is_patient = is_patient
        with Cluster(2, shared(), reach={1: proxy.address}) as cluster:
            struck, proxy.stalls_turn = proxy.struck, True
            still = threading.Thread(target=cluster.say, args=(1,))
            still.start()
            end = time.monotonic() + PATIENCE
            while proxy.struck == struck:
                assert time.monotonic() < end, "the node never had the turn"
                time.sleep(0.005)
            cluster.server.processes[1].send_signal(signal.SIGSTOP)
            try:
                yield cluster
            finally:
                cluster.server.processes[1].send_signal(signal.SIGCONT)
                proxy.cut()
                still.join()
            cluster.settle()
            cluster.check()


def test_a_node_that_is_frozen_with_the_turn_loses_it():
    with frozen_with_the_turn(is_patient=False) as cluster:
        begin = time.monotonic()
        while (said := cluster.say(0))[0] != 201:
            assert time.monotonic() - begin < PATIENCE, f"frozen for {PATIENCE} s: {said}"
        waited = time.monotonic() - begin
    note(f"commits: a node was frozen with the turn, the other waited {waited:.1f} s")


def test_control_without_a_limit_a_frozen_node_keeps_the_turn():
    with frozen_with_the_turn(is_patient=True) as cluster:
        status, answer = cluster.say(0)
        assert status == 503, f"{status} {answer}: the other went on without the limit"
    note("commits: control, silence in a transaction is not limited: the other node's 503")
