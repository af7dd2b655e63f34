"""The network between a node and the database is cut without a word: both sides notice, and the others go on."""

import subprocess
import time

import pytest
from faults.cluster import Cluster, seconds_until
from faults.load import acknowledgements
from faults.netspace import Network
from faults.stand import IS_LONG, note
from support.postgres import PostgresServer

CUTS = 20 if IS_LONG else 1
# Both sides notice within some 4 s; a machine that is busy with other things gets more.
PATIENCE = 25


@pytest.fixture
def far():
    """A database that is reached by a socket, and over a network that can be cut."""
    with Network() as network:
        server = PostgresServer()
        server.control("stop", "-m", "fast")
        (server.folder / "data" / "pg_hba.conf").open("a").write(f"host all all {network.near}/32 trust\n")
        server.within = network.within
        server.listens_at = network.far
        server.start_again()
        server.network = network
        yield server
        server.stop()


class Unguarded:
    """A connection without keepalives, as the control: it never learns that its network is gone."""

    def __init__(self, server, address):
        self.process = subprocess.Popen(
            ["psql", "-XAtq", "-d", f"{address}&keepalives=0&application_name=unguarded"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("SELECT 1")
        # What its server does by itself, it does not do for this one.
        self.ask("SET tcp_keepalives_idle = 7200; SELECT 1")

    def ask(self, statement):
        """Sends a statement, and reads one line."""
        self.process.stdin.write(statement + ";\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def end(self):
        """Ends it."""
        self.process.kill()
        self.process.communicate()


def over_network(server):
    """The way to it over its network."""
    return lambda address: address.replace(
        f"host={server.folder}", f"host={server.network.far}&sslmode=disable&gssencmode=disable")


def connections(server, name):
    """How many connections over the network the database believes to have."""
    return int(server.ask("SELECT count(*) FROM pg_stat_activity WHERE client_addr IS NOT NULL "
                          f"AND application_name = '{name}'"))


def test_a_network_that_is_cut_without_a_word_stops_one_node_and_loses_nothing(far):
    way = over_network(far)
    with Cluster(2, far, reach={1: way}) as cluster:
        cluster.write(acknowledgements(cluster.ledger, 100))
        for _ in range(CUTS):
            control = Unguarded(far, way(far.address()))
            assert connections(far, "frontdesk") > 5
            cluster.write(acknowledgements(cluster.ledger, 50), cluster.server.ports[1])
            far.network.cut()
            begin = time.monotonic()
            assert cluster.say(0)[0] == 201
            other = time.monotonic() - begin
            status, answer = cluster.say(1, PATIENCE)
            refused = time.monotonic() - begin
            assert status == 503, f"{status} {answer}"
            assert not cluster.is_ready(1) and cluster.is_ready(0)
            forgotten = seconds_until(lambda: connections(far, "frontdesk") == 0, PATIENCE)
            forgotten += refused
            assert connections(far, "unguarded") == 1, "the control's connection has ended"
            far.network.restore()
            back = seconds_until(lambda: cluster.is_ready(1), PATIENCE)
            control.end()
            cluster.settle()
            cluster.write(acknowledgements(cluster.ledger, 50), cluster.server.ports[1])
            cluster.settle()
        verdict = cluster.check()
    note(f"network: {CUTS} cuts, the other node waited {other:.1f} s, the one that was cut off answered 503 after "
         f"{refused:.1f} s, the database had forgotten it after {forgotten:.1f} s, back after {back:.1f} s, {verdict}; "
         "control, a connection without keepalives: still there")
