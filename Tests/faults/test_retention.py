"""Erasing by age goes on at another node when the one that erases dies or stands still, and each message is erased once."""

import collections
import datetime
import json
import signal
import time
import types

from faults.cluster import Cluster, seconds_until
from faults.stand import IS_LONG, note
from support.postgres import shared

FAULTS = 3 * [signal.SIGKILL, signal.SIGSTOP] if IS_LONG else [signal.SIGKILL]
# A lease ends after 6 s, and another node acquires it within one more; a machine that is busy gets as much again.
PROMISED, PATIENCE = 7, 14
CUSTOMERS, EACH = 12, 400


def history(name):
    """For each customer the lines of one who wrote long ago, and once lately."""
    now = datetime.datetime.now(datetime.timezone.utc)
    old, young = ((now - datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ") for days in (500, 3))
    for customer in (f"{name} {number}" for number in range(CUSTOMERS)):
        yield [{"type": "customer", "customer": customer}] + [
            {"type": "message", "customer": customer, "id": f"{customer} {number}", "direction": "inbound",
             "time": old if number < EACH else young, "text": f"words {number}"} for number in range(EACH + 1)]


def states(owner, business):
    """How many messages there are, by their words and whether those were erased."""
    found = collections.Counter()
    for one in owner.fetch(f"/api/conversations?business={business}&page[size]=300")["data"]:
        after = 0
        while True:
            page = owner.fetch(f"/api/conversations/{one['id']}/messages?after={after}&page[size]=300")
            found.update((message["sequence"] > EACH, bool(message.get("erasedAt"))) for message in page["data"])
            if not page["hasMore"]:
                break
            after = page["data"][-1]["sequence"]
    return found


def erasures(owner, business):
    """How often each message was erased, by the log."""
    found, after = collections.Counter(), ""
    while True:
        page = owner.fetch(f"/api/events?business={business}&limit=300&filter%5Bimported%5D=include{after}",
                           headers={"Accept": "application/json"})
        found.update(json.dumps(one["data"]["message"]) for one in page["data"] if one["type"] == "message.erased")
        after = f"&after={page['next']}"
        if not page["hasMore"]:
            return found


def test_erasing_by_age_goes_on_at_another_node_and_erases_each_message_once():
    with Cluster(2, shared()) as cluster:
        owner, schema = cluster.server.make_owner(), cluster.address.rsplit("%3D", 1)[1]
        waits = []

        def holder():
            """The node that has the lease; None where neither says so."""
            for number, port in enumerate(cluster.server.ports):
                if cluster.server.processes[number].poll() is None and 'lease="retention"} 1' in owner.get(
                        f"http://127.0.0.1:{port}/metrics", timeout=20).text:
                    return number
            return None

        for number, fault in enumerate(FAULTS):
            seconds_until(lambda: holder() is not None, PROMISED + PATIENCE)
            ends = holder()
            owner.server = types.SimpleNamespace(url=f"http://127.0.0.1:{cluster.server.ports[1 - ends]}")
            made = owner.post("/api/businesses", {"name": f"Retention {number}", "mode": "test"}, 201)["id"]
            path = f"/api/businesses/{made}"
            for lines in history(f"n{number}"):
                owner.post(f"{path}/imports", "\n".join(map(json.dumps, lines)).encode(),
                           headers={"Content-Type": "application/x-ndjson"})
            owner.call("PUT", f"{path}/retention", {"days": 365})
            # The day of grace has passed; a node looks once a minute, and at once when it begins.
            cluster.database.ask(f"UPDATE {schema}.retentions SET begins_at = 0")
            cluster.server.processes[ends].send_signal(fault)
            begin = time.monotonic()

            erased = number * CUSTOMERS * EACH
            seconds_until(lambda erased=erased: int(cluster.database.ask(
                f"SELECT count(*) FROM {schema}.messages WHERE erased_at IS NOT NULL")) > erased, PROMISED + PATIENCE)
            waits.append(time.monotonic() - begin)
            cluster.bring_back(ends, fault)
            seconds_until(lambda node=ends: cluster.is_ready(node), PATIENCE)
            seconds_until(lambda path=path: owner.fetch(f"{path}/retention")["erasedThrough"], 60)
            assert states(owner, made) == {(False, True): CUSTOMERS * EACH, (True, False): CUSTOMERS}
            found = erasures(owner, made)
            assert len(found) == CUSTOMERS * EACH and set(found.values()) == {1}
        note(f"retention: {len(waits)} times with its node gone, begun elsewhere after {min(waits):.1f} to {max(waits):.1f} s, "
             "each message erased once")
