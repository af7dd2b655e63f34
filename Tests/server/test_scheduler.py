"""What is due at a moment happens once, whichever way the process ends in between."""

import datetime
import random
import sqlite3
import time
import uuid

import pytest
from support import postgres
from support.server import Customer, Installation

# Where all of several nodes are killed, the next one waits 6 s for the lease of those that are gone.
ROUNDS = 12 if postgres.node_count() == 1 else 2


def wait_for(what, seconds=20):
    """Asks until the answer is true; fails after a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s")


def begin(server):
    """An owner and a conversation."""
    owner = server.make_owner()
    sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
    conversation = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    return owner, f"/api/conversations/{conversation}"


def restart(server, owner):
    """Kills the process and starts another, which has another port and so another origin."""
    server.kill()
    server.start()
    owner.headers["Origin"] = server.url


def sent(owner, path, message):
    """How often a message is in the thread."""
    stored = owner.fetch(f"{path}/messages?page[size]=300")["data"]
    return sum(one["id"] == message for one in stored)


def test_a_delayed_message_survives_kill_9_and_is_sent_once():
    with Installation() as server:
        owner, path = begin(server)
        random.seed(37)
        for number in range(ROUNDS):
            message = str(uuid.uuid4())
            made = owner.post(f"{path}/messages?delay=1",
                              {"type": "text", "id": message, "body": f"number {number}"}, 202)
            assert made["scheduled"]["id"] == message
            # Before it is due, at the moment of it, and after it.
            time.sleep(random.uniform(0.5, 1.5))
            restart(server, owner)
            wait_for(lambda message=message: sent(owner, path, message))
            assert owner.fetch(f"{path}/scheduled")["data"] == []
        time.sleep(1.5)
        stored = owner.fetch(f"{path}/messages?page[size]=300")["data"]
        mine = [one["payload"]["body"] for one in stored if one["direction"] == "outbound"]
        assert mine == [f"number {number}" for number in range(ROUNDS)]
        assert [one["sequence"] for one in stored] == list(range(1, len(stored) + 1))
        server.verify()


def test_a_snoozed_conversation_wakes_at_its_moment_though_the_server_was_killed():
    with Installation() as server:
        owner, path = begin(server)
        until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
        snoozed = owner.call("PATCH", path, {"state": "snoozed", "snoozedUntil": until}).json()
        assert snoozed["snoozedUntil"][:19] == until[:19]
        restart(server, owner)
        assert owner.fetch(path)["state"] in ("snoozed", "open")
        wait_for(lambda: owner.fetch(path)["state"] == "open")
        events = owner.fetch(f"{path}/messages")["events"]
        assert [event["type"] for event in events][-2:] == [
            "conversation.snoozed", "conversation.reopened"]
        assert events[-1]["by"]["type"] == "server"
        assert events[-1]["time"][:19] >= until[:19]


def test_a_greeting_is_sent_once_though_the_server_is_killed_at_any_moment():
    with Installation() as server:
        owner, path = begin(server)
        sandbox = owner.fetch(path)["business"]
        owner.post("/api/templates", {
            "business": sandbox, "name": "welcome", "title": "Welcome",
            "payload": {"type": "text", "body": "Welcome to {{business.name}}"}}, 201)
        chosen = owner.call("PUT", f"/api/businesses/{sandbox}/automatic-answers",
                            {"greeting": {"template": "welcome"}})
        assert chosen.json()["greeting"] == {"template": "welcome"}
        random.seed(38)
        for _ in range(ROUNDS):
            began = Customer(server, sandbox).say("Hello")["message"]["conversation"]
            # Before the server looks, while it answers, and after it.
            time.sleep(random.uniform(0, 1.2))
            restart(server, owner)
            thread = f"/api/conversations/{began}/messages"
            wait_for(lambda thread=thread: len(owner.fetch(thread)["data"]) > 1)
            stored = owner.fetch(thread)["data"]
            assert [one.get("automatic", False) for one in stored] == [False, True]
            assert stored[1]["author"]["type"] == "server"
        time.sleep(1.5)
        assert len(owner.fetch(thread)["data"]) == 2
        server.verify()


@pytest.mark.one_process
def test_other_levels_move_what_is_due_whenever_the_server_is_killed_and_verify_finds_what_nothing_says():
    with Installation("--limit", "address-requests-burst=1000") as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
        path = f"/api/businesses/{sandbox}/service-levels"

        def promise(minutes):
            owner.call("PUT", path, {"firstAnswer": {"none": minutes}, "nextAnswer": {}, "clock": "always"})

        def minutes():
            """For how long each is promised an answer."""
            waiting = owner.fetch(f"/api/conversations?business={sandbox}&waiting=true&page[size]=200")["data"]
            moment = datetime.datetime.fromisoformat
            return [one["answerDue"] and (moment(one["answerDue"]["at"]) - moment(one["waitingSince"])).total_seconds() / 60
                    for one in waiting if one["id"] in asked]

        promise(600)
        # More than a page of the work that moves them.
        asked = {Customer(server, sandbox).say("Hello")["message"]["conversation"] for _ in range(120)}
        wait_for(lambda: minutes() == [600] * 120)
        random.seed(41)
        for levels in (30, 60, 90):
            promise(levels)
            time.sleep(random.uniform(0, 0.8))
            restart(server, owner)
            wait_for(lambda levels=levels: minutes() == [levels] * 120)
        server.stop()
        server.verify()
        kept = sqlite3.connect(server.data / "frontdesk.sqlite")
        with kept:
            kept.execute("DELETE FROM due_work WHERE kind = 'breach' AND rowid = (SELECT min(rowid) FROM due_work WHERE kind = 'breach')")
        kept.close()
        found = server.command("verify", check=False)
        assert found.returncode == 1 and "nothing says when it is overdue" in found.stdout, found
