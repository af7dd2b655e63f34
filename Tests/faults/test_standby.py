"""Only the standby is gone, or the wait for it is cancelled: nothing counts as stored that it does not have."""

import threading
import time

import pytest
from faults.cluster import Cluster, seconds_until
from faults.load import acknowledgements, write
from faults.stand import IS_LONG, note
from support.postgres import PostgresServer

CANCELS = 50 if IS_LONG else 6
# A commit that its standby does not confirm is answered after some 10 s; a busy machine gets more.
PATIENCE = 30
# The longest that is right: a node is not ready after 5 s, an answer takes 6 or 11 s, and a node is ready again in half
# a second. The limits are timers of the server's own; the rest is for a machine that is busy.
UNREADY, ANSWERED, READY = 12, 20, 10
# How often the standby is stopped until a message is written before a node's own write waits.
ATTEMPTS = 4
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
CANCEL = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


class Replicated:
    """A database with a synchronous standby, whose nodes connect to whichever of them is the primary."""

    def __enter__(self):
        self.primary = PostgresServer()
        self.standby = self.primary.make_standby()
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.ask("SELECT pg_reload_conf()")
        seconds_until(lambda: self.primary.ask("SHOW synchronous_standby_names") == "*", PATIENCE)
        return self

    def __exit__(self, *_):
        self.standby.stop()
        self.primary.stop()

    def address(self):
        """The address of a new schema, on the one or the other."""
        schema = self.primary.make_schema().rsplit("options=", 1)[1]
        folder = self.primary.folder
        return (f"postgresql://frontdesk@/postgres?host={folder},{folder}&port=5432,5433"
                f"&target_session_attrs=read-write&options={schema}")


@pytest.fixture
def replicated():
    """One for a test."""
    with Replicated() as made:
        yield made


def asking_both(say):
    """Threads that each send something to a node, and the list of what they get: (status, answer, seconds)."""
    answers = [None, None]

    def ask(number):
        begin = time.monotonic()
        answers[number] = (*say(number, PATIENCE), time.monotonic() - begin)

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    for thread in asking:
        thread.start()
    return asking, answers


def repeats_without_waits(cluster, primary):
    """What both nodes say to the message again while every wait for the standby is cancelled at once.

    Then nothing keeps the turn from them, and what was not confirmed is there to be seen.
    """
    over = threading.Event()

    def cancel():
        while not over.wait(0.02):
            primary.ask(CANCEL)

    cancelling = threading.Thread(target=cancel)
    cancelling.start()
    try:
        asking, answers = asking_both(cluster.say_again)
        for thread in asking:
            thread.join()
    finally:
        over.set()
        cancelling.join()
    return answers


def answers_without_standby(cluster, primary, standby):
    """One message to each node while the standby does not confirm, and the same once more; when both were unready.

    The standby is back afterwards, and both nodes are ready.
    """
    standby.stall()
    asking, answers = asking_both(cluster.say)
    unready = max(seconds_until(lambda n=number: not cluster.is_ready(n), PATIENCE) for number in range(2))
    for thread in asking:
        thread.join()
    # It stays so, for who would send something meanwhile.
    time.sleep(1)
    assert not any(cluster.is_ready(number) for number in range(2))
    repeats = repeats_without_waits(cluster, primary)
    standby.go_on()
    back = max(seconds_until(lambda n=number: cluster.is_ready(n), PATIENCE) for number in range(2))
    return answers, repeats, unready, back


def test_without_its_standby_nothing_is_acknowledged_and_it_goes_on_when_the_standby_is_back(replicated):
    with Cluster(2, replicated.primary, replicated.address()) as cluster:
        cluster.write(acknowledgements(cluster.ledger, 100))
        for _ in range(ATTEMPTS):
            # What keys were used for is stored within 5 s. Where such a write of the node's own waits for the
            # standby before the message does, the message is refused without having been written.
            time.sleep(6)
            answers, repeats, unready, back = answers_without_standby(
                cluster, replicated.primary, replicated.standby)
            for status, answer, seconds in answers + repeats:
                assert status == 503, f"{status} {answer}"
                assert seconds <= ANSWERED, f"{answer} after {seconds:.1f} s"
            assert unready <= UNREADY and back <= READY, f"not ready after {unready:.1f} s, ready after {back:.1f} s"
            for _, answer, seconds in answers:
                # It is not said before the commit had its time and was looked up.
                assert b"outcome_unknown" not in answer or seconds >= 5, f"{answer} after {seconds:.1f} s"
            if any(b"outcome_unknown" in answer for _, answer, _ in answers):
                break
        else:
            pytest.fail(f"no message was written in {ATTEMPTS} attempts: {answers}")
        cluster.settle()
        verdict = cluster.check()
    slowest = max(seconds for *_, seconds in answers)
    note(f"standby: gone, both nodes not ready after {unready:.1f} s, 503 after {slowest:.1f} s, "
         f"ready {back:.1f} s after it was back, {verdict}")


def cancel_and_fail_over(replicated):
    """Waits for the standby are cancelled under load, then the primary goes and the standby has what it has."""
    cluster, primary, standby = replicated.cluster, replicated.primary, replicated.standby
    cluster.write(acknowledgements(cluster.ledger, 100))
    standby.stall()
    known = cluster.ledger.acknowledged
    over = threading.Event()
    # Ten turns a second: where no node is ready a balancer refuses them at once.
    writing = threading.Thread(target=write, args=(
        cluster.server.port, cluster.key, cluster.ledger, lambda: over.wait(0.1)), kwargs={"width": 4})
    writing.start()
    for _ in range(CANCELS):
        seconds_until(lambda: int(primary.ask(WAITING)) > 0, PATIENCE)
        primary.ask(CANCEL)
    stored = int(primary.ask(f"SELECT max(position) FROM {replicated.schema}.events"))
    during = cluster.ledger.acknowledged - known
    primary.control("stop", "-m", "immediate")
    standby.promote()
    over.set()
    writing.join()
    cluster.settle()
    # Who has read what is no more ends at its next look.
    end = time.monotonic() + 2
    while time.monotonic() < end:
        cluster.start_ended()
        time.sleep(0.1)
    cluster.settle()
    return stored, during


def test_a_cancelled_wait_for_the_standby_acknowledges_nothing_that_a_failover_takes_back(replicated):
    address = replicated.address()
    replicated.schema = address.rsplit("%3D", 1)[1]
    with Cluster(2, replicated.primary, address) as cluster:
        replicated.cluster = cluster
        stored, during = cancel_and_fail_over(replicated)
        verdict = cluster.check()
        there = int(replicated.primary.ask(
            f"SELECT max(position) FROM {replicated.schema}.events", replicated.standby.address))
    note(f"standby: {CANCELS} waits cancelled under load, then failed over: {during} acknowledged meanwhile, "
         f"the primary had {stored} events, {cluster.replaced} nodes ended because of it, {there} events in the end, {verdict}")
