"""What is done once for all nodes, at a moment or for each event, goes on at another node when one dies or stands still."""

import collections
import contextlib
import json
import signal
import time
import types
import uuid

from faults.cluster import Cluster, seconds_until
from faults.stand import IS_LONG, note
from support.postgres import shared
from support.server import Customer
from websockets.sync.client import connect

FAULTS = 5 * [signal.SIGKILL, signal.SIGSTOP] if IS_LONG else [signal.SIGSTOP]
# A lease ends after 6 s, and another node acquires it within one more; a machine that is busy gets as much again.
PROMISED, PATIENCE = 7, 14
# When what is due is due, in seconds after the fault.
DUE = 2


class Works:
    """A business in which everything is done that a reader of the log or a timer does."""

    def __init__(self, cluster):
        self.cluster, self.owner = cluster, cluster.server.make_owner()
        self.business = cluster.business
        path = f"/api/businesses/{self.business}"
        self.owner.post("/api/templates", {
            "business": self.business, "name": "welcome", "title": "Welcome",
            "payload": {"type": "text", "body": "Welcome"}}, 201)
        self.owner.call("PUT", f"{path}/automatic-answers", {"greeting": {"template": "welcome"}})
        self.owner.post(f"{path}/rules", {
            "name": "all", "when": "customerMessage", "if": [], "then": [{"priority": "urgent"}]}, 201)
        self.owner.call("PUT", f"{path}/assignment", {"strategy": "round_robin", "sticky": False, "capacity": 1000})

    def ask(self, number):
        """Every request goes to one node from now on."""
        self.owner.server = types.SimpleNamespace(url=f"http://127.0.0.1:{self.cluster.server.ports[number]}")

    @contextlib.contextmanager
    def present(self, number):
        """A page of the owner's is open at a node."""
        cookies = "; ".join(f"{one.name}={one.value}" for one in self.owner.cookies)
        with connect(f"ws://127.0.0.1:{self.cluster.server.ports[number]}/api/live", compression=None, max_size=None,
                     additional_headers={"Cookie": cookies, "Origin": self.owner.headers["Origin"]}) as socket:
            socket.send('{"type":"hello"}')
            socket.send('{"type":"availability","state":"online"}')
            yield

    def begin(self):
        """A conversation that is snoozed for a moment, one with a delayed message, and one that only begins."""
        word = f"w{uuid.uuid4().hex}"
        def say(text):
            return Customer(self.owner.server, self.business).say(text)["message"]["conversation"]
        talk = types.SimpleNamespace(snoozed=say("Later"), delayed=say("Soon"), new=say(f"Hello {word}"),
                                     message=str(uuid.uuid4()), word=word)
        self.owner.post(f"/api/conversations/{talk.delayed}/messages?delay={DUE}",
                        {"type": "text", "id": talk.message, "body": "As said"}, 202)
        # A message opens a snoozed conversation: nothing is said in it from here on.
        until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + DUE + 1))
        self.owner.call("PATCH", f"/api/conversations/{talk.snoozed}", {"state": "snoozed", "snoozedUntil": until})
        return talk

    def done(self, talk):
        """What has been done of it, by name, and how often."""
        done = collections.Counter()
        def thread(conversation):
            return self.owner.fetch(f"/api/conversations/{conversation}/messages?page[size]=300")
        new = thread(talk.new)
        done["greeting"] = sum(one.get("automatic", False) for one in new["data"])
        types_of = [one["type"] for one in new["events"] if one["by"]["type"] in ("server", "rule")]
        done["rule"] = types_of.count("conversation.priority_changed")
        done["assignment"] = types_of.count("conversation.assigned")
        done["delayed"] = sum(one["id"] == talk.message for one in thread(talk.delayed)["data"])
        events = thread(talk.snoozed)["events"]
        done["snooze"] = sum(one["type"] == "conversation.reopened" for one in events)
        done["search"] = len(self.owner.fetch(f"/api/search?q={talk.word}")["data"])
        return done


WORKS = ("greeting", "rule", "assignment", "delayed", "snooze", "search")


def test_readers_and_timers_go_on_at_another_node_and_do_everything_once():
    with Cluster(2, shared()) as cluster:
        works, talks = Works(cluster), []
        waits = {name: [] for name in WORKS}
        # One of the two has each lease: each of them ends once.
        for fault in FAULTS:
            for ends in range(2):
                works.ask(1 - ends)
                with works.present(1 - ends):
                    cluster.server.processes[ends].send_signal(fault)
                    begin = time.monotonic()
                    talk = works.begin()
                    talks.append(talk)
                    left = set(WORKS)
                    while left:
                        done = works.done(talk)
                        for name in [one for one in left if done[one]]:
                            waits[name].append(time.monotonic() - begin)
                            left.remove(name)
                        assert time.monotonic() - begin < DUE + 1 + PROMISED + PATIENCE, f"not done: {left}, {json.dumps(done)}"
                        # Searches have a rate.
                        time.sleep(0.3)
                cluster.bring_back(ends, fault)
                seconds_until(lambda node=ends: cluster.is_ready(node), PATIENCE)
        # As long as a lease may live: what a node went on with would be there a second time.
        time.sleep(PROMISED)
        for talk in talks:
            assert works.done(talk) == dict.fromkeys(WORKS, 1), talk
        for name, found in waits.items():
            note(f"timers: {name} {len(found)} times with a node gone, done after {min(found):.1f} to {max(found):.1f} s, each once")
