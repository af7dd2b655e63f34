"""A customer whom a bot leaves without an answer is given to people once, whichever node dies or stands still."""

import signal
import time
import types

from faults.cluster import Cluster, seconds_until
from faults.stand import IS_LONG, note
from support.postgres import shared
from support.server import Customer

# A lease ends after 6 s, and another node acquires it within one more; a machine that is busy gets as much again.
PROMISED, PATIENCE = 7, 14
ANSWER_SECONDS = 2
FAULTS = 5 * [signal.SIGKILL, signal.SIGSTOP] if IS_LONG else [signal.SIGSTOP]


def timeouts(owner, conversation):
    """The hand-overs of a conversation to people because the bot was silent."""
    events = owner.fetch(f"/api/conversations/{conversation}/messages")["events"]
    return [one for one in events if one["type"] == "conversation.control_changed" and one["data"].get("reason") == "timeout"]


def test_a_customer_whom_a_bot_leaves_waiting_is_given_to_people_once_when_a_node_ends():
    with Cluster(2, shared()) as cluster:
        owner = cluster.server.make_owner()
        known = {one["id"] for one in owner.fetch(f"/api/businesses/{cluster.business}/keys")["data"]}
        cluster.server.make_key(cluster.business, name="silent")
        [made] = {one["id"] for one in owner.fetch(f"/api/businesses/{cluster.business}/keys")["data"]} - known
        owner.post(f"/api/businesses/{cluster.business}/bots",
                   {"name": "Silent", "key": made, "answerSeconds": ANSWER_SECONDS, "first": True}, 201)
        waits, given = [], []
        # One of the two has the lease: each of them ends once.
        for fault in FAULTS:
            for ends in range(2):
                other = types.SimpleNamespace(url=f"http://127.0.0.1:{cluster.server.ports[1 - ends]}")
                conversation = Customer(other, cluster.business).say("Anybody?")["message"]["conversation"]
                begin = time.monotonic()
                cluster.server.processes[ends].send_signal(fault)
                owner.server = other
                seconds_until(lambda one=conversation: timeouts(owner, one), ANSWER_SECONDS + PROMISED + PATIENCE)
                waits.append(time.monotonic() - begin)
                given.append(conversation)
                cluster.bring_back(ends, fault)
                seconds_until(lambda node=ends: cluster.is_ready(node), PATIENCE)
        # Longer than any of them waits: a node that went on would have handed over a second time.
        time.sleep(ANSWER_SECONDS + 1)
        assert [len(timeouts(owner, one)) for one in given] == [1] * len(given)
        note(f"bots: {len(given)} customers given to people after {min(waits):.1f} to {max(waits):.1f} s, each once")
