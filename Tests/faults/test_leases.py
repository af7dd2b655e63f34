"""What one node does for all goes on at another when that node dies or stands still, and the first one ends it."""

import signal
import time
import types

from faults.cluster import Cluster, seconds_until
from faults.stand import IS_LONG, note
from faults.wire import Wire
from prometheus_client.parser import text_string_to_metric_families
from support.postgres import shared
from support.provider import Provider
from support.registered import registered
from support.server import Customer

FAULTS = 20 * [signal.SIGKILL, signal.SIGSTOP] if IS_LONG else [signal.SIGSTOP]
# A lease ends after 6 s, and another node acquires it within one more; a machine that is busy gets as much again.
PROMISED, PATIENCE = 7, 14
# A node that gets no processor for five seconds ends what it does for all, and the other one goes on: how often that may come
# between, each of which has the fault made again.
MOVES = 3


class TimedProvider(Provider):
    """A provider that knows when each text came."""

    def __init__(self):
        self.came = []
        super().__init__()

    def take(self, path, headers, body):
        """Notes the time of a post that it accepts."""
        status = super().take(path, headers, body)
        post = self.posts[-1].body
        if status == 200 and post["type"] == "text":
            self.came.append((time.monotonic(), post["body"]))
        return status


def attempts(cluster, number):
    """How many deliveries a node has tried to make."""
    with Wire(cluster.server.ports[number], timeout=10) as wire:
        text = wire.ask("GET", "/metrics")[2].decode()
    return sum(sample.value for family in text_string_to_metric_families(text) for sample in family.samples
               if sample.name == "frontdesk_outbox_attempts_total")


def terms(cluster):
    """The terms under which nodes deliver; while they stay, the same node does."""
    return {name: term for name, (term, _) in cluster.leases("outbox").items()}


def seen(cluster):
    """Who delivers, for a test that fails: the leases, what each node has tried, and what was logged of it."""
    tried = [attempts(cluster, number) if process.poll() is None else "ended"
             for number, process in enumerate(cluster.server.processes)]
    lines = [line for line in cluster.server.log_text().splitlines() if "event=lease_" in line or "outbox" in line]
    return "\n".join([f"(term, seconds left): {cluster.leases('outbox')}; attempts by node: {tried}", *lines[-20:]])


def holder(cluster, customer, provider):
    """The number of the node that delivers now."""
    before = [attempts(cluster, number) for number in range(2)]
    text = f"who {time.monotonic()}"
    customer.say(text)
    provider.wait(lambda post: post.get("body") == text, 60)
    # Counted when the answer is here, which the provider sent just now.
    seconds_until(lambda: [attempts(cluster, number) for number in range(2)] != before, PATIENCE, lambda: seen(cluster))
    return next(number for number in range(2) if attempts(cluster, number) > before[number])


def test_deliveries_go_on_at_another_node_within_a_lease_s_life():
    with Cluster(2, shared()) as cluster, registered(cluster.server, cluster.business, TimedProvider()) as provider:
        customer = Customer(cluster.server, cluster.business)
        customer.say("first")
        said, silences, left, moves = [], {fault: [] for fault in FAULTS}, list(FAULTS), 0
        while left:
            fault = left.pop(0)
            ends = holder(cluster, customer, provider)
            # Said to the other node: a balancer needs its time to see what is gone.
            customer.server = types.SimpleNamespace(url=f"http://127.0.0.1:{cluster.server.ports[1 - ends]}")
            cluster.server.processes[ends].send_signal(fault)
            silences[fault].append(silence(cluster, customer, provider, said))
            # The other node's: the one that was stopped acquires nothing.
            acquired = terms(cluster)
            cluster.bring_back(ends, fault)
            seconds_until(lambda node=ends: cluster.is_ready(node), PATIENCE)
            if fault == signal.SIGSTOP and not has_ended(cluster, customer, provider, said, ends, acquired):
                moves += 1
                assert moves <= MOVES, f"the other node ended it {moves} times by itself. {seen(cluster)}"
                left.append(fault)
        for text in said:
            provider.wait(lambda post, text=text: post.get("body") == text, 60)
    texts = [text for _, text in provider.came if text in said]
    assert sorted(set(texts), key=texts.index) == said, "lost or out of order"
    for fault, found in silences.items():
        note(f"leases: who delivers got {fault.name} {len(found)} times, the other went on after "
             f"{', '.join(f'{one:.1f}' for one in found[:8])} s")
        assert max(found) < PROMISED + PATIENCE
    if moves:
        note(f"leases: {moves} times the other node got no processor for 5 s and ended it by itself")
    note(f"leases: {len(said)} said meanwhile, 0 not delivered, 0 out of order, {len(texts) - len(said)} delivered again")


def has_ended(cluster, customer, provider, said, node, acquired):
    """Whether it was seen that a node which stood still has ended what it did for all: the other one delivers.

    False where that one has given up the lease that it had acquired, so that either may deliver.
    """
    mine, others = attempts(cluster, node), attempts(cluster, 1 - node)
    say(customer, said)
    provider.wait(lambda post: post.get("body") == said[-1], 60)
    if terms(cluster) != acquired:
        return False
    # Counted when the answer is here, which the provider sent just now.
    seconds_until(lambda: attempts(cluster, 1 - node) > others or terms(cluster) != acquired, PATIENCE,
                  lambda: seen(cluster))
    # One may have been under way when it was stopped.
    assert terms(cluster) != acquired or attempts(cluster, node) <= mine + 1, seen(cluster)
    return terms(cluster) == acquired


def say(customer, said):
    """Says something new; a customer may say one thing a second."""
    said.append(str(len(said)))
    customer.say(said[-1])
    time.sleep(1.05)


def silence(cluster, customer, provider, said):
    """How long nothing is delivered of what is said from now on."""
    begin = time.monotonic()
    while not (found := [at - begin for at, _ in provider.came if at > begin]):
        say(customer, said)
        assert time.monotonic() - begin < PROMISED + PATIENCE, f"no delivery by the other node. {seen(cluster)}"
    return found[0]
