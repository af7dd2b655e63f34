"""Two nodes get the same at the same moment: it is done once, and both say the same."""

import json
import threading
import uuid

import pytest
from faults.cluster import Cluster
from faults.stand import IS_LONG, note
from faults.wire import Wire
from support.postgres import shared
from support.server import PASSWORD, Session

TIMES = 1_000 if IS_LONG else 60
SESSIONS = 100 if IS_LONG else 5


@pytest.fixture(scope="module")
def cluster():
    """Two nodes."""
    with Cluster(2, shared()) as made:
        yield made


def at_once(cluster, path, body, headers="", times=TIMES, key=None):
    """Sends a body to both nodes at once, so many times; the pairs of answers."""
    pairs = [[None, None] for _ in range(times)]
    together = threading.Barrier(2)

    def ask(number):
        with Wire(cluster.server.ports[number], key or cluster.key) as wire:
            for time in range(times):
                together.wait(timeout=60)
                pairs[time][number] = wire.ask("POST", path, body(time), headers and headers(time))

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    return [[(status, json.loads(answer)) for status, _, answer in pair] for pair in pairs]


def stored(cluster, conversation):
    """The texts of a conversation."""
    with Wire(cluster.server.port, cluster.key) as wire:
        found, after = [], 0
        while True:
            page = json.loads(wire.ask(
                "GET", f"/api/conversations/{conversation}/messages?after={after}&page[size]=300")[2])
            found += [one["payload"].get("body") for one in page["data"]]
            if not page["hasMore"]:
                return found
            after = page["data"][-1]["sequence"]


def test_the_same_id_at_two_nodes_at_once_is_one_message_with_one_answer(cluster):
    conversation = cluster.ledger.conversations[1]
    ids = [str(uuid.uuid4()) for _ in range(TIMES)]
    pairs = at_once(
        cluster, f"/api/conversations/{conversation}/messages",
        lambda time: json.dumps({"id": ids[time], "type": "text", "body": ids[time]}).encode())
    for pair in pairs:
        assert {status for status, _ in pair} <= {200, 201}, pair
        first, second = (answer for _, answer in pair)
        assert (first["id"], first["sequence"], first["time"]) == (second["id"], second["sequence"], second["time"])
    texts = stored(cluster, conversation)
    assert [texts.count(one) for one in ids] == [1] * TIMES
    # The control: without an id that says so, they are two messages.
    at_once(cluster, f"/api/conversations/{conversation}/messages",
            lambda _: b'{"type":"text","body":"without an id"}', times=1)
    assert stored(cluster, conversation).count("without an id") == 2
    note(f"at once: {TIMES} messages sent to two nodes at once, each stored once; control without ids: twice")


def test_the_same_idempotency_key_at_two_nodes_at_once_runs_once(cluster):
    conversation = cluster.ledger.conversations[2]
    names = [str(uuid.uuid4()) for _ in range(TIMES)]
    pairs = at_once(
        cluster, f"/api/conversations/{conversation}/messages",
        lambda time: json.dumps({"type": "text", "body": names[time]}).encode(),
        lambda time: f'Idempotency-Key: "{names[time]}"\r\n')
    refused = 0
    for pair in pairs:
        done = [answer for status, answer in pair if status in (200, 201)]
        assert done and {status for status, _ in pair} <= {200, 201, 409}, pair
        refused += 2 - len(done)
        assert len({(answer["id"], answer["sequence"]) for answer in done}) == 1, pair
    texts = stored(cluster, conversation)
    assert [texts.count(one) for one in names] == [1] * TIMES
    note(f"at once: {TIMES} requests with one Idempotency-Key at two nodes at once, each ran once, "
         f"{refused} of the others refused because it ran")


def test_a_session_that_ends_on_one_node_is_refused_by_the_other_at_once(cluster):
    owner = cluster.server.make_owner()
    urls = [f"http://127.0.0.1:{port}" for port in cluster.server.ports]
    refused = 0
    for time in range(SESSIONS):
        here, there = urls[time % 2], urls[1 - time % 2]
        signed = Session(cluster.server)
        answer = signed.request("POST", f"{here}/api/session", json={
            "email": "ada@example.com", "password": PASSWORD}, timeout=20)
        assert answer.status_code in (200, 201), answer.text
        # The other node remembers it from here on.
        for _ in range(2):
            assert signed.get(f"{there}/api/session", timeout=20).status_code == 200
        cookie = signed.cookies.copy()
        assert signed.request("DELETE", f"{here}/api/session", timeout=20).status_code == 204
        signed.cookies = cookie
        again = signed.get(f"{there}/api/session", timeout=20)
        assert again.status_code == 401, f"{time}: {again.status_code} after the session was ended elsewhere"
        refused += 1
    assert owner.fetch("/api/session")
    note(f"at once: {refused} sessions ended on one node, each refused by the other in the next request")
