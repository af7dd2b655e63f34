"""Scripts of customers in the sandbox of an ordinary server: played in real time, against a real provider too."""

import signal
import time

import pytest
from support.registered import registered
from support.server import Installation, Session

RUNS = "/api/sandbox/runs"


@pytest.fixture(scope="module")
def server():
    with Installation("--private-endpoints") as server:
        yield server


@pytest.fixture(scope="module")
def owner(server):
    return server.make_owner()


def look(session, run):
    return session.fetch(f"{RUNS}/{run['id']}")


def when(session, run, holds):
    """The run as soon as it is as wanted."""
    end = time.monotonic() + 60
    while True:
        found = look(session, run)
        if holds(found):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.02)


def is_over(run):
    return run["state"] != "running"


def waits(line):
    return lambda run: run["step"] and run["step"]["line"] == line and run["step"]["until"]


def texts(run):
    return [line["text"] for line in run["lines"]]


def test_an_agent_answers_and_a_long_wait_is_skipped(server, owner):
    run = owner.post(RUNS, "Aki says Hello\nAki expects text saying \"Welcome\"\nAki waits 3 days\nAki says Thanks", 201)
    asked = when(owner, run, waits(2))
    assert asked["step"]["waitsFor"] == "message"
    talk = asked["customers"][0]["conversation"]
    owner.post(f"/api/conversations/{talk}/messages", {"type": "text", "body": "Welcome"}, 201)
    when(owner, run, waits(3))
    owner.post(f"{RUNS}/{run['id']}/skip", {"line": 3})
    ended = when(owner, run, is_over)
    assert ended["state"] == "passed", ended
    assert texts(ended) == ['says "Hello"', 'receives text "Welcome"', "was to wait 3 days; that was skipped", 'says "Thanks"']
    said = owner.fetch(f"/api/conversations/{talk}/messages")["data"]
    assert [message["summary"] for message in said] == ["Hello", "Welcome", "Thanks"]


def test_a_failed_expectation_says_what_came_instead(owner):
    run = owner.post(RUNS, "Bo says Hello\nBo expects list within 2 s", 201)
    talk = when(owner, run, waits(2))["customers"][0]["conversation"]
    owner.post(f"/api/conversations/{talk}/messages", {"type": "text", "body": "No list"}, 201)
    ended = when(owner, run, is_over)
    assert ended["state"] == "failed"
    assert ended["failure"]["line"] == 2
    assert "text \"No list\": its kind is text, not list" in ended["failure"]["reason"]


def test_a_run_is_stopped_and_its_customers_may_come_again(owner):
    script = "seed=5\nAki says Hello\nAki waits 3 days"
    run = owner.post(RUNS, script, 201)
    when(owner, run, waits(3))
    assert owner.post(RUNS, script, 409)["code"] == "idempotency_in_progress"
    owner.post(f"{RUNS}/{run['id']}/stop")
    ended = when(owner, run, is_over)
    assert (ended["state"], ended["failure"]["reason"]) == ("stopped", "It was stopped.")
    again = owner.post(RUNS, script, 201)
    assert [(one["id"], one["state"]) for one in owner.fetch(RUNS)["data"][:2]] == [
        (again["id"], "running"), (run["id"], "stopped")]
    owner.post(f"{RUNS}/{again['id']}/stop")
    when(owner, again, is_over)


def test_what_a_provider_answers_is_judged_and_a_visitor_of_the_sandbox_may_run_scripts(server, owner):
    visitor = Session(server)
    visitor.post("/api/sandbox/session", {"key": server.token("key")}, 204)
    business = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])["id"]
    with registered(server, business) as provider:
        run = visitor.post(RUNS, "Cleo says Tea, please\nCleo expects text containing \"tea\"", 201)
        asked = provider.next("text")
        provider.send(asked["sourceId"], {"type": "text", "body": "One tea."})
        assert when(visitor, run, is_over)["state"] == "passed"


def test_a_run_is_stopped_when_the_server_ends_and_is_shown_so_later():
    with Installation(nodes=1) as server:
        owner = server.make_owner()
        run = owner.post(RUNS, "Aki says Hello\nAki waits 10 minutes\nAki says Bye", 201)
        when(owner, run, waits(2))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=60) == 0
        server.stop()
        server.start()
        ended = look(owner, run)
        assert ended["state"] == "stopped" and ended["failure"]["line"] == 2, ended


def test_a_server_without_a_sandbox_plays_no_scripts():
    with Installation("--sandbox=off") as server:
        owner = server.make_owner()
        answer = owner.call("POST", RUNS, "Aki says Hello", 404)
        assert "offers no sandbox" in answer.json()["detail"]
