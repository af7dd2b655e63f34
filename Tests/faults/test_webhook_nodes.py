"""The node that posts webhooks dies or stands still: another one goes on, nothing is lost, and order is kept where it is promised."""

import json
import os
import random
import signal
import time

from faults.cluster import Cluster, seconds_until
from faults.load import acknowledgements, after
from faults.stand import IS_LONG, note
from faults.test_webhooks import PATH, Receiver
from faults.wire import Wire
from prometheus_client.parser import text_string_to_metric_families
from support.postgres import shared

FAULTS = 10 * [signal.SIGKILL, signal.SIGSTOP] if IS_LONG else [signal.SIGKILL, signal.SIGSTOP]
ORDERS = ("conversation", "conversation", "none")
# A lease ends after 6 s, and another node acquires it within one more; a machine that is busy gets as much again.
PROMISED, PATIENCE = 7, 14
# How long the queues may need until they are empty, in seconds: some posts are refused, and made again after 5 s.
LEFT = 120


class Posts:
    """A cluster with three endpoints for all its messages, each with a receiver."""

    def __init__(self, cluster, seed):
        self.cluster = cluster
        self.receivers = [Receiver(random.Random(seed + number)) for number in range(len(ORDERS))]
        for receiver, order in zip(self.receivers, ORDERS, strict=True):
            body = {"url": receiver.url, "types": ["message.accepted"], "filter": {"direction": "outbound"}, "order": order}
            with Wire(cluster.server.port, cluster.key) as wire:
                status, _, answer = wire.ask("POST", PATH.format(cluster.business), json.dumps(body).encode())
            assert status == 201, answer

    def attempts(self, number):
        """How many posts a node has made."""
        with Wire(self.cluster.server.ports[number], timeout=10) as wire:
            text = wire.ask("GET", "/metrics")[2].decode()
        return sum(sample.value for family in text_string_to_metric_families(text) for sample in family.samples
                   if sample.name == "frontdesk_webhook_attempts_total")

    def holder(self):
        """The number of the node that posts now."""
        before = [self.attempts(number) for number in range(2)]
        self.cluster.write(acknowledgements(self.cluster.ledger, 10))
        found = []

        def has_posted():
            found[:] = [number for number in range(2) if self.attempts(number) > before[number]]
            return bool(found)
        seconds_until(has_posted, PROMISED + PATIENCE)
        assert len(found) == 1, "both nodes post"
        return found[0]

    def write(self, seconds, number):
        """Writes to a node for so long, at a pace that three receivers of this process keep up with."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.cluster.write(acknowledgements(self.cluster.ledger, 24), self.cluster.server.ports[number])
            time.sleep(0.2)

    def lost(self):
        """What was acknowledged and did not come to each endpoint."""
        return [len(receiver.verdict(self.cluster.ledger)[2]) for receiver in self.receivers]

    def state(self):
        """What is missing where, and what the database says of it."""
        def ask(statement):
            return self.cluster.database.ask(statement, self.cluster.address).replace("\n", "; ")
        return (f"lost {self.lost()}, attempts {[self.attempts(number) for number in range(2)]}, deliveries "
                f"{ask('SELECT outbox, state, attempts, count(*), min(due_at), max(tried_at) FROM deliveries GROUP BY 1, 2, 3')}, "
                f"readers {ask('SELECT * FROM readers')}, leases {ask('SELECT * FROM leases')}, "
                f"newest {ask('SELECT max(position) FROM messages')}")


def test_every_event_is_posted_in_order_when_the_node_that_posts_dies_or_stands_still():
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    moments, gaps = random.Random(seed), []
    with Cluster(2, shared()) as cluster:
        posts = Posts(cluster, seed)
        for fault in FAULTS:
            ends = posts.holder()
            other = 1 - ends
            cluster.write(after(moments.uniform(0.2, 0.6)), cluster.server.ports[other])
            before, begin = posts.attempts(other), time.monotonic()
            cluster.server.processes[ends].send_signal(fault)
            posts.write(1, other)
            seconds_until(lambda node=other, old=before: posts.attempts(node) > old, PROMISED + PATIENCE)
            gaps.append(time.monotonic() - begin)
            posts.write(1, other)
            # One that stood still wakes in the middle of what it posted, while another one posts.
            cluster.bring_back(ends, fault)
            posts.write(2, other)
            seconds_until(lambda node=ends: cluster.is_ready(node), PATIENCE)
        cluster.settle()
        seconds_until(lambda: not any(posts.lost()), LEFT, lambda: f"FRONTDESK_SEED={seed}: {posts.state()}")
        verdict = cluster.check()
        for receiver, order in zip(posts.receivers, ORDERS, strict=True):
            acknowledged, posted, lost, reordered = receiver.verdict(cluster.ledger)
            assert not lost and (order == "none" or not reordered), f"FRONTDESK_SEED={seed}: {order} {lost} {reordered}"
    assert verdict.acknowledged > 50 * len(FAULTS), f"{verdict}: not a load"
    assert max(gaps) < PROMISED + PATIENCE
    note(f"webhooks: the node that posts was killed or frozen {len(FAULTS)} times, another one went on after {min(gaps):.1f} to "
         f"{max(gaps):.1f} s; {acknowledged} messages, {posted} posts to the last of {len(ORDERS)} endpoints, 0 lost, seed {seed}")


def test_control_a_node_that_goes_on_behind_what_was_not_noted_loses_it():
    with Cluster(2, shared()) as cluster:
        posts = Posts(cluster, 1)
        ends = posts.holder()
        other = 1 - ends
        seconds_until(lambda: not any(posts.lost()), LEFT)
        before = posts.attempts(other)
        cluster.server.kill_node(ends)
        # Its lease goes on for some seconds, in which no node notes anything.
        cluster.write(acknowledgements(cluster.ledger, 24), cluster.server.ports[other])
        cluster.database.ask("UPDATE readers SET position = (SELECT max(position) FROM messages) WHERE name = 'webhooks'",
                             cluster.address)

        def goes_on():
            posts.write(0.3, other)
            return posts.attempts(other) > before
        seconds_until(goes_on, PROMISED + PATIENCE)
        cluster.settle()
        # Long enough for all that is posted at all: a refused post is made again after 5 s.
        time.sleep(2 * PROMISED)
        assert all(posts.lost()), "the check would not see a loss"
