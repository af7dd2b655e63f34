"""Nodes die and freeze, connections end, the database crashes and moves: nothing acknowledged is lost."""

import pathlib
import random
import signal
import time

import pytest
from faults.cluster import Cluster
from faults.load import acknowledgements
from faults.stand import IS_LONG, note
from support.postgres import PostgresServer

DEATHS = 200 if IS_LONG else 4
MESSAGES = 1_000_000 if IS_LONG else 0
FREEZES = 20 if IS_LONG else 1
CUTS = 2_000 if IS_LONG else 60
CRASHES = 50 if IS_LONG else 2
FAILOVERS = 50 if IS_LONG else 1


@pytest.fixture
def moments():
    """When things happen; its seed is printed."""
    seed = random.SystemRandom().randrange(1 << 32)
    note(f"nodes: seed {seed}")
    return random.Random(seed)


def test_no_death_of_a_node_loses_doubles_or_reorders_anything(moments):
    with Cluster(2) as cluster:
        death = 0
        while death < DEATHS or cluster.ledger.acknowledged < MESSAGES:
            def kill(number=death % 2):
                time.sleep(moments.uniform(0.05, 0.5))
                cluster.server.kill_node(number)
            cluster.during(kill, 1)
            cluster.server.start_node(death % 2)
            cluster.settle()
            death += 1
            if death % 50 == 0:
                note(f"nodes: {death} killed so far, {cluster.ledger.acknowledged} acknowledged")
        verdict = cluster.check()
    note(f"nodes: {death} killed of two under load, nothing acknowledged for {max(cluster.silences):.1f} s at most, {verdict}")
    assert verdict.acknowledged > 20 * death, f"{verdict}: not a load"


def test_the_others_go_on_while_a_node_is_frozen(moments):
    with Cluster(2) as cluster:
        cluster.write(acknowledgements(cluster.ledger, 100))
        for _ in range(FREEZES):
            frozen = cluster.server.processes[1]

            def freeze():
                time.sleep(moments.uniform(0.05, 0.3))
                frozen.send_signal(signal.SIGSTOP)

            cluster.during(freeze, 0.5)
            before = cluster.ledger.acknowledged
            end = time.monotonic() + 5
            # To the other node alone: a balancer needs its time to see what is frozen.
            cluster.write(lambda: time.monotonic() > end, cluster.server.ports[0])
            during = cluster.ledger.acknowledged - before
            assert during > 20, f"{during} acknowledged in 5 s beside a frozen node"
            frozen.send_signal(signal.SIGCONT)
            cluster.settle()
        verdict = cluster.check()
    note(f"nodes: {FREEZES} freezes of one of two, {during} acknowledged by the other in the last 5 s, {verdict}")


def test_connections_that_the_database_ends_lose_nothing(moments):
    with Cluster(2) as cluster:
        def cut():
            for _ in range(CUTS):
                time.sleep(moments.uniform(0.01, 0.06))
                cluster.database.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                     "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
        cluster.during(cut, CUTS * 0.06)
        cluster.settle()
        verdict = cluster.check()
    note(f"nodes: every connection ended {CUTS} times under load, {verdict}")
    assert verdict.acknowledged > CUTS / 2, f"{verdict}: not a load"


def test_a_database_that_crashes_loses_nothing(moments):
    with Cluster(2) as cluster:
        def crash():
            time.sleep(moments.uniform(0.2, 0.8))
            cluster.database.control("stop", "-m", "immediate")
            cluster.database.start_again()
        for _ in range(CRASHES):
            cluster.during(crash, 2)
            cluster.settle()
        verdict = cluster.check()
    note(f"nodes: {CRASHES} crashes of the database under load, nothing acknowledged for "
         f"{max(cluster.silences):.1f} s at most, {verdict}")
    assert verdict.acknowledged > 20 * CRASHES, f"{verdict}: not a load"


def fail_over(is_synchronous, moments):
    """The primary's machine goes and its standby becomes the primary, under load; what the nodes have then."""
    primary = PostgresServer()
    standby = primary.make_standby()
    schema = primary.make_schema().rsplit("options=", 1)[1]
    address = (f"postgresql://frontdesk@/postgres?host={primary.folder},{primary.folder}&port=5432,5433"
               f"&target_session_attrs=read-write&options={schema}")
    with Cluster(2, database=primary, address=address) as cluster:
        if is_synchronous:
            primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
            primary.ask("SELECT pg_reload_conf()")
        cluster.write(acknowledgements(cluster.ledger, 100))
        if not is_synchronous:
            # What is acknowledged from now on is on the primary alone.
            standby.stall()

        def fail():
            time.sleep(moments.uniform(0.3, 0.9))
            primary.control("stop", "-m", "immediate")
            standby.promote()
        if is_synchronous:
            cluster.during(fail, 3)
        else:
            end = time.monotonic() + 0.3
            cluster.write(lambda: time.monotonic() > end)
            fail()
            # Each node finds that the log is another one, and ends, and is started again.
            for number, process in enumerate(cluster.server.processes):
                assert process.wait(timeout=60) == 71, cluster.server.log_text()[-2_000:]
                cluster.server.start_node(number)
        cluster.settle()
        verdicts = [cluster.ledger.check(port, cluster.key) for port in cluster.server.ports]
    standby.stop()
    primary.stop()
    return verdicts, max(cluster.silences, default=None)


def test_a_failover_to_a_synchronous_standby_loses_nothing(moments):
    longest = 0
    for _ in range(FAILOVERS):
        verdicts, silence = fail_over(True, moments)
        longest = max(longest, silence)
        for verdict in verdicts:
            assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    note(f"nodes: {FAILOVERS} failovers to a synchronous standby under load, nothing acknowledged for {longest:.1f} s "
         f"at most, the last one: {verdicts[0]}")


def test_control_a_failover_to_a_standby_that_is_behind_loses_something(moments):
    verdict = fail_over(False, moments)[0][0]
    note(f"nodes: control, a standby that is behind: {verdict}")
    assert verdict.lost > 0, f"{verdict}: the check would not see a loss"
