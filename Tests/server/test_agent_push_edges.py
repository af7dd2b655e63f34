"""What is easily lost or wrong of what agents are pushed: several events of one conversation, bots, zones, and customers beside them."""

import datetime
import re
import time

import pytest
import requests
from support.push import Browser, PushService
from support.server import Customer, Installation, Session
from support.waiting import until
from test_agent_push import Member


class PacedService(PushService):
    """A push service that needs `seconds` for each message, or those of the message's path: how it hangs is what is tested."""

    def __init__(self):
        self.seconds, self.seconds_of = 0, {}
        super().__init__()

    def take(self, path, headers, body):
        """Keeps a message, and answers later."""
        status = super().take(path, headers, body)
        time.sleep(self.seconds_of.get(path, self.seconds))
        return status

    def has(self, browser, seconds):
        """Whether a message to a browser comes within a time."""
        end = time.monotonic() + seconds
        while not (found := browser.path in {one.path for one in self.pushed}) and time.monotonic() < end:
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def service():
    """A push service."""
    running = PacedService()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def server(service):
    """A Frontdesk whose operator named the push service."""
    with Installation("--push-service", service.url) as running:
        yield running


@pytest.fixture(scope="module")
def shop(owner):
    """A live business."""
    return next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


@pytest.fixture
def member(server, owner, shop, service):
    """Makes members of the shop."""
    return lambda role="agent", **more: Member(server, owner, shop, service, role, **more)


def wait_for_waiting(server, count):
    """Waits until so many messages are waiting or under way, at the node that sends."""
    gauge = re.compile(r"^frontdesk_push_messages_waiting (\d+)", re.M)
    until(lambda: int(gauge.search(requests.get(server.url + "/metrics", timeout=10).text)[1]), lambda found: found >= count)


def test_what_an_agent_wants_is_not_lost_behind_what_the_agent_does_not_want(server, owner, shop, member):
    ben = member()
    ben.put()
    conversation = Customer(server, shop["id"]).say("Is there tea?")["message"]["conversation"]
    ben.wait(1)
    path = f"/api/conversations/{conversation}"
    # Nothing shows that the reader waits for news again. It reads in one batch then: the note, and a close, of which no one is notified who
    # did not choose it.
    time.sleep(1)
    owner.call("PATCH", path, {"assignee": ben.id})
    owner.post(f"{path}/notes", {"text": "@Ben, look", "mentions": [ben.id]}, 201)
    owner.call("PATCH", path, {"state": "closed"})
    until(lambda: [one["reason"] for one in ben.pushed], lambda reasons: reasons[-1] in ("assigned", "mention"))


def test_a_customer_who_waits_for_people_behind_a_bot_is_notified_from_the_hand_over_on(server, owner, shop, member):
    business = f"/api/businesses/{shop['id']}"
    key = server.make_key(shop["id"], "bot", ["read", "send"])
    bot = owner.post(f"{business}/bots", {
        "name": "Teabot", "key": owner.fetch(f"{business}/keys")["data"][-1]["id"], "answerSeconds": 600, "first": True}, 201)
    ben = member()
    ben.put()
    customer = Customer(server, shop["id"])
    conversation = customer.say("Are you a machine?")["message"]["conversation"]
    session = Session(server, key)
    session.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Yes."}, 201)
    customer.say("I want a person.")
    session.post(f"/api/conversations/{conversation}/control", {"action": "pass"}, 200)
    [pushed] = ben.wait(1)
    assert (pushed["reason"], pushed["conversation"]) == ("unassigned", conversation)
    types = {one["id"]: one["type"] for one in owner.fetch(
        "/api/events", params={"business": shop["id"], "limit": "300"}, headers={"Accept": "application/json"})["data"]}
    owner.call("PATCH", f"{business}/bots/{bot['id']}", {"retired": True})
    assert types[pushed["event"]] == "conversation.control_changed"


@pytest.mark.parametrize("zone", ["Etc/Unknown", "Asia/Nowhere", "+05:30"])
def test_a_browser_whose_zone_the_machine_does_not_know_is_notified_all_the_same(server, shop, member, zone):
    ben = member()
    ben.put(zone=zone)
    ben.choose(quiet={"isOn": True, "from": "00:00", "until": "23:59"})
    Customer(server, shop["id"]).say("Is there tea?")
    assert ben.wait(1)[0]["reason"] == "unassigned"


def test_many_agents_who_are_notified_leave_customers_their_turn(server, owner, shop, member, service):
    for _ in range(4):
        ben = member()
        for _ in range(8):
            ben.put(Browser(service))
    customer, browser = Customer(server, shop["id"]), Browser(service)
    conversation = customer.say("Is there tea?")["message"]["conversation"]
    customer.call("PUT", f"/api/phone/{shop['id']}/push", browser.subscription, 204)
    until(lambda: len(service.pushed), lambda count: count >= 32)
    service.seconds = 0.5
    try:
        for number in range(8):
            Customer(server, shop["id"]).say(f"Customer {number}")
        # Of 256 to agents, eight at once: the last half needs eight seconds.
        wait_for_waiting(server, 128)
        owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Yes."}, 201)
        assert service.has(browser, 5)
    finally:
        service.seconds = 0


def test_a_browser_that_hangs_leaves_the_attempts_at_its_service_to_others(server, owner, shop, member, service):
    ben = member()
    ben.put()
    customer, browser = Customer(server, shop["id"]), Browser(service)
    conversation = customer.say("Is there tea?")["message"]["conversation"]
    customer.call("PUT", f"/api/phone/{shop['id']}/push", browser.subscription, 204)
    ben.wait(1)
    service.seconds_of[ben.browser.path] = 9
    for number in range(9):
        Customer(server, shop["id"]).say(f"Customer {number}")
    wait_for_waiting(server, 9)
    owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Yes."}, 201)
    found = service.has(browser, 3)
    service.seconds_of.clear()
    assert found


def test_an_edit_of_a_note_notifies_only_those_whom_it_mentions_first(server, owner, shop, member):
    path, other = (f"/api/conversations/{Customer(server, shop['id']).say('Hello')['message']['conversation']}" for _ in range(2))
    ben, cy = member(), member(name="Cy")
    for one in (ben, cy):
        one.put()
    note = owner.post(f"{path}/notes", {"text": "@Ben, lok", "mentions": [ben.id]}, 201)
    until(lambda: [one["reason"] for one in ben.pushed], lambda reasons: "mention" in reasons)
    edited = owner.call("PATCH", f"{path}/notes/{note['id']}", {"text": "@Ben, look", "mentions": [ben.id]}).json()
    assert [one["since"] for one in edited["mentions"]] == [note["time"]]
    edited = owner.call("PATCH", f"{path}/notes/{note['id']}", {"text": "@Ben, @Cy, look", "mentions": [ben.id, cy.id]}).json()
    assert [one["since"] for one in edited["mentions"]] == [note["time"], edited["editedAt"]]
    until(lambda: [one["reason"] for one in cy.pushed], lambda reasons: "mention" in reasons)
    # The log is read in order: with what comes later, the edits were read.
    owner.call("PATCH", other, {"assignee": ben.id})
    reasons = until(lambda: [one["reason"] for one in ben.pushed], lambda reasons: "assigned" in reasons)
    assert reasons.count("mention") == 1
    assert [one["since"] for one in owner.fetch(path + "/messages")["notes"][0]["mentions"]] == [note["time"], edited["editedAt"]]


def test_the_end_of_a_snooze_that_no_one_is_assigned_to_notifies_all_who_handle(server, owner, shop, member):
    conversation = Customer(server, shop["id"]).say("Ask me again in a moment.")["message"]["conversation"]
    ben, di = member(), member("auditor", name="Di")
    for one in (ben, di):
        one.put()
    moment = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=2)).isoformat()
    owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "snoozed", "snoozedUntil": moment})
    found = until(lambda: ben.pushed, lambda pushed: any(
        one["reason"] == "unassigned" and "message" not in ben.read(one["event"]) for one in pushed))
    assert found[-1]["conversation"] == conversation
    assert di.pushed == []
