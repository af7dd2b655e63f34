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


def holder(cluster, customer, provider):
    """The number of the node that delivers now."""
    before = [attempts(cluster, number) for number in range(2)]
    text = f"who {time.monotonic()}"
    customer.say(text)
    provider.wait(lambda post: post.get("body") == text, 60)
    # Counted when the answer is here, which the provider sent just now.
    seconds_until(lambda: [attempts(cluster, number) for number in range(2)] != before, PATIENCE)
    return next(number for number in range(2) if attempts(cluster, number) > before[number])


def test_deliveries_go_on_at_another_node_within_a_lease_s_life():
    with Cluster(2, shared()) as cluster, registered(cluster.server, cluster.business, TimedProvider()) as provider:
        customer = Customer(cluster.server, cluster.business)
        customer.say("first")
        said, silences = [], {fault: [] for fault in FAULTS}
        for fault in FAULTS:
            ends = holder(cluster, customer, provider)
            # Said to the other node: a balancer needs its time to see what is gone.
            customer.server = types.SimpleNamespace(url=f"http://127.0.0.1:{cluster.server.ports[1 - ends]}")
            cluster.server.processes[ends].send_signal(fault)
            silences[fault].append(silence(customer, provider, said))
            cluster.bring_back(ends, fault)
            seconds_until(lambda node=ends: cluster.is_ready(node), PATIENCE)
            if fault == signal.SIGSTOP:
                # The one that stood still has ended what it did for all.
                mine, others = attempts(cluster, ends), attempts(cluster, 1 - ends)
                say(customer, said)
                seconds_until(lambda node=1 - ends, old=others: attempts(cluster, node) > old, PATIENCE)
                assert attempts(cluster, ends) <= mine + 1
        for text in said:
            provider.wait(lambda post, text=text: post.get("body") == text, 60)
    texts = [text for _, text in provider.came if text in said]
    assert sorted(set(texts), key=texts.index) == said, "lost or out of order"
    for fault, found in silences.items():
        note(f"leases: who delivers got {fault.name} {len(found)} times, the other went on after "
             f"{', '.join(f'{one:.1f}' for one in found[:8])} s")
        assert max(found) < PROMISED + PATIENCE
    note(f"leases: {len(said)} said meanwhile, 0 not delivered, 0 out of order, {len(texts) - len(said)} delivered again")


def say(customer, said):
    """Says something new; a customer may say one thing a second."""
    said.append(str(len(said)))
    customer.say(said[-1])
    time.sleep(1.05)


def silence(customer, provider, said):
    """How long nothing is delivered of what is said from now on."""
    begin = time.monotonic()
    while not (found := [at - begin for at, _ in provider.came if at > begin]):
        say(customer, said)
        assert time.monotonic() - begin < PROMISED + PATIENCE, "no delivery by the other node"
    return found[0]
