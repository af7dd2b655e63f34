"""Agents' browsers that are notified while no console is in use: by a push service and a browser of foreign libraries."""

import contextlib
import datetime
import json
import pathlib
import re
import sqlite3
import subprocess
import uuid

import pytest
import websockets.sync.client
from support.authenticator import App
from support.push import Browser, PushService, sender_of
from support.server import PASSWORD, Customer, Installation, Session
from support.waiting import until

ROOT = pathlib.Path(__file__).parents[2]
PUSH = "/api/session/push"
# What the rules of an open console say of events, for the agents who use it.
RULES = """
import { noticeOf } from "RULES";
let text = "";
for await (const piece of process.stdin) text += piece;
const { events, agents } = JSON.parse(text);
console.log(JSON.stringify(events.flatMap((event) => Object.entries(agents).flatMap(([name, { id, handles }]) => {
  const found = noticeOf(event, id, () => handles);
  return found ? [{ name, event: event.id, ...found }] : [];
}))));
"""


@pytest.fixture(scope="module")
def service():
    """A push service."""
    running = PushService()
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


class Member:
    """A member of a business who uses no console, with a browser that may be notified."""

    def __init__(self, server, owner, shop, service, role="agent", name="Ben"):
        self.server, self.shop, self.service, self.role = server, shop, service, role
        self.email = f"{uuid.uuid4()}@example.com"
        made = owner.post(f"/api/businesses/{shop['id']}/members", {"email": self.email, "role": role}, 201)
        self.session = Session(server)
        self.session.post("/api/invitations/accept", {
            "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": name, "password": PASSWORD}, 201)
        self.id = self.session.fetch("/api/session")["agent"]["id"]
        self.browser = Browser(service)

    def put(self, browser=None, zone="Europe/Berlin", expect=204):
        """Has a browser notified, the own one unless it says which."""
        return self.session.call("PUT", PUSH, {**(browser or self.browser).subscription, "zone": zone}, expect)

    @property
    def devices(self):
        """What its console reads."""
        return self.session.fetch(PUSH)["devices"]

    def choose(self, **choices):
        """Changes what the agent chose for the console."""
        self.session.call("PATCH", "/api/session/preferences", {"console": choices})

    @property
    def pushed(self):
        """What the browser got until now."""
        return [self.browser.read(one.body) for one in self.service.pushed if one.path == self.browser.path]

    def wait(self, count):
        """What the browser got, once it got so many."""
        return [self.browser.read(one.body) for one in self.service.wait(self.browser, count)]

    def read(self, event):
        """The data of an event, as the browser's worker reads it; another node may have it a moment later."""
        epoch, _, position = event.rpartition("-")
        query = {"after": f"{epoch}-{int(position) - 1}", "limit": "1"}
        [found] = until(lambda: self.session.fetch("/api/events", params=query, headers={"Accept": "application/json"})["data"], bool)
        assert found["id"] == event
        return found["data"]

    @contextlib.contextmanager
    def console(self):
        """An open console; yields its connection."""
        cookie = "; ".join(f"{one.name}={one.value}" for one in self.session.cookies)
        with websockets.sync.client.connect(
                f"{self.server.url.replace('http', 'ws')}/api/live",
                additional_headers={"Cookie": cookie, "Origin": self.server.url}) as line:
            line.send(json.dumps({"type": "hello", "after": None}))
            self.until_seen("online")
            yield line
        self.until_seen("offline")

    def until_seen(self, state):
        """Waits until the agent is there as a colleague sees it."""
        path = f"/api/businesses/{self.shop['id']}/presence"
        until(lambda: [one["state"] for one in self.session.fetch(path)["data"] if one["agent"]["id"] == self.id],
              lambda states: (states or ["offline"]) == [state])


@pytest.fixture
def member(server, owner, shop, service):
    """Makes members of the shop."""
    return lambda role="agent", **more: Member(server, owner, shop, service, role, **more)


@pytest.fixture
def talk(server, owner, shop):
    """A customer who wrote before anybody was notified; its conversation."""
    customer = Customer(server, shop["id"])
    customer.id = customer.say("Is there tea?")["message"]["conversation"]
    customer.path = f"/api/conversations/{customer.id}"
    return customer


def test_a_message_is_pushed_encrypted_and_signed_without_a_word_of_it(owner, shop, member, service, talk):
    ben = member()
    ben.put()
    ben.put()
    assert ben.devices == [ben.browser.name(ben.id)]
    owner.call("PATCH", talk.path, {"assignee": ben.id})
    until(lambda: str(ben.pushed), lambda pushed: "'assigned'" in pushed)  # A reader that is behind also pushes what was said before.
    talk.say("Sencha, please.")
    assigned, mine = until(lambda: ben.pushed, lambda pushed: pushed and pushed[-1]["reason"] == "mine")[-2:]
    head = {"conversation": talk.id, "business": shop["name"], "isSilent": False}
    assert assigned == {**head, "event": assigned["event"], "reason": "assigned"}
    assert mine == {**head, "event": mine["event"], "reason": "mine"}
    # By its id the browser reads what it is about, with the agent's session.
    assert ben.read(mine["event"])["message"]["summary"] == "Sencha, please."
    assert [one.headers["ttl"] for one in service.wait(ben.browser, 2)[-2:]] == ["86400", "86400"]
    claims = sender_of(service.wait(ben.browser, 2)[-1], service, ben.session.fetch(PUSH)["key"])
    assert claims["sub"].startswith("http")
    assert "Sencha" not in str(ben.pushed)


class Story:
    """What happens at a desk, and what each member is pushed of it."""

    def __init__(self, owner, members):
        self.owner, self.members = owner, members
        self.after, self.said, self.last = owner.fetch("/api/session")["head"], set(), set()

    def judge(self):
        """What the rules of an open console say of what happened since: agent, event, reason and conversation."""
        # Read at once: of an older event the participants are those of now.
        page = self.owner.fetch("/api/events", params={"after": self.after}, headers={"Accept": "application/json"})
        events, self.after = page["data"], page["next"]
        agents = {name: {"id": one.id, "handles": one.role != "auditor"} for name, one in self.members.items()}
        rules = (ROOT / "web/console/notice-rules.js").as_uri()
        done = subprocess.run(
            ["node", "--experimental-default-type=module", "--input-type=module", "-e", RULES.replace("RULES", rules)],
            input=json.dumps({"events": events, "agents": agents}), capture_output=True, text=True, check=True, timeout=60)
        return [(one["name"], one["event"], one["reason"], one["conversation"]) for one in json.loads(done.stdout)]

    def settle(self):
        """Waits until each member was pushed what the rules say, of each conversation at least the newest."""
        said = self.judge()
        self.said |= set(said)
        # Of two that come at once, as a customer's message that reopens a conversation, the later one may replace the other.
        self.last |= set({(name, conversation): (name, event, reason, conversation) for name, event, reason, conversation in said}.values())

        def found():
            return {(name, one["event"], one["reason"], one["conversation"])
                    for name, member in self.members.items() for one in member.pushed}

        assert until(found, lambda pushed: pushed >= self.last) <= self.said


@pytest.mark.one_process
def test_what_is_pushed_is_what_an_open_console_would_notify_of(server, owner, shop, member, talk):
    members = {"ben": member(name="Ben"), "cy": member("supervisor", name="Cy"), "di": member("auditor", name="Di")}
    everything = ("assigned", "mine", "unassigned", "mention", "handed", "moved", "closed", "reopened", "renamed", "participants")
    for one in members.values():
        one.put()
        one.choose(notices=dict.fromkeys(everything, True))
    ben, cy, di = members.values()
    story = Story(owner, members)
    team = owner.post(f"/api/businesses/{shop['id']}/teams", {"name": f"Orders {uuid.uuid4()}", "colour": "#2f6fd0", "members": []}, 201)["id"]
    contact = f"/api/businesses/{shop['id']}/contacts/{owner.fetch(talk.path)['contact']['id']}"
    # Ten notifications for Ben, which is as many as there are in a minute.
    steps = [
        lambda: talk.say("I wait, as before."),
        lambda: Customer(server, shop["id"]).say("Somebody new"),
        lambda: owner.call("PATCH", talk.path, {"assignee": ben.id}),
        lambda: talk.say("Are you there?"),
        lambda: owner.post(f"{talk.path}/notes", {"text": "Look, @Ben and @Cy", "mentions": [ben.id, cy.id]}, 201),
        lambda: ben.session.post(f"{talk.path}/notes", {"text": "Yes, @Cy", "mentions": [cy.id]}, 201),
        lambda: owner.call("PATCH", talk.path, {"assignee": cy.id}),
        lambda: cy.session.call("PATCH", talk.path, {"team": team}),
        lambda: owner.call("PATCH", contact, {"name": "Tia"}),
        lambda: cy.session.call("PATCH", talk.path, {"state": "closed"}),
        lambda: talk.say("One more thing"),
        lambda: owner.call("DELETE", f"{talk.path}/participants/{cy.id}"),
    ]
    for step in steps:
        step()
        story.settle()
    reasons = {one["reason"] for member in (ben, cy) for one in member.pushed}
    assert reasons == set(everything)
    assert di.pushed == []


def test_a_console_that_is_in_use_keeps_the_push_back_and_an_idle_one_does_not(owner, member, talk):
    ben = member()
    ben.put()
    owner.call("PATCH", talk.path, {"assignee": ben.id})
    assert [one["reason"] for one in ben.wait(1)] == ["assigned"]
    with ben.console() as line:
        talk.say("Seen at the console")
        line.send(json.dumps({"type": "availability", "state": "away"}))
        ben.until_seen("away")
        talk.say("Not seen")
        found = ben.wait(2)
        line.send(json.dumps({"type": "availability", "state": "online"}))
        ben.until_seen("online")
        # Who looks offline to others is at the console all the same.
        ben.session.call("PUT", "/api/session/availability", {"state": "invisible"})
        ben.until_seen("offline")
        talk.say("Seen again")
        ben.session.call("PUT", "/api/session/availability", {"state": "online"})
    last = talk.say("Closed by now")["message"]["id"]
    found = ben.wait(3)
    ids = [one["event"] for one in found]
    assert len(ids) == 3 == len(set(ids))
    assert ben.read(ids[-1])["message"]["id"] == last


def test_what_an_agent_chose_holds_for_what_is_pushed(owner, member, talk):
    ben, witness = member(), member()
    for one in (ben, witness):
        one.put(zone="UTC")
    now = datetime.datetime.now(datetime.UTC)

    def clock(hours):
        return (now + datetime.timedelta(hours=hours)).strftime("%H:%M")

    def mention():
        """Mentions both; the witness is notified each time."""
        before = len(witness.pushed)
        owner.post(f"{talk.path}/notes", {"text": "@Ben", "mentions": [ben.id, witness.id]}, 201)
        witness.wait(before + 1)

    mention()
    ben.choose(notices={"mention": False})
    mention()
    ben.choose(notices={"mention": True}, quiet={"isOn": True, "from": clock(-2), "until": clock(2)})
    mention()
    # A second browser of the same agent, half a day away: no quiet hours there.
    far = Browser(ben.service)
    ben.put(far, zone="Etc/GMT-12")
    mention()
    assert [far.read(one.body)["reason"] for one in ben.service.wait(far, 1)] == ["mention"]
    ben.choose(quiet={"isOn": False, "from": clock(-2), "until": clock(2)}, sound=False)
    mention()
    found = ben.wait(2)
    assert [(one["reason"], one["isSilent"]) for one in found] == [("mention", False), ("mention", True)]


def test_many_at_once_become_ten_and_one_that_says_so(server, owner, shop, member, service):
    ben = member()
    ben.put()
    for number in range(14):
        Customer(server, shop["id"]).say(f"Customer {number}")
    found = ben.wait(11)
    # Several are under way at once, so the last one may arrive before others.
    assert sorted(one["reason"] for one in found) == ["several"] + ["unassigned"] * 10
    assert {"reason": "several", "isSilent": False} in found
    assert len({one["conversation"] for one in found if "conversation" in one}) == 10
    # A phone that was off all night learns of none whom colleagues have answered since.
    assert {one.headers["ttl"] for one in service.wait(ben.browser, 11)} == {"3600"}
    # Another one is not pushed; what is pushed to a colleague shows that it was looked at.
    witness = member()
    witness.put()
    Customer(server, shop["id"]).say("Another")
    witness.wait(1)
    assert len(ben.pushed) == 11


def test_a_test_is_pushed_to_one_browser_although_a_console_is_open(member):
    ben, other = member(), member()
    second = Browser(ben.service)
    ben.put()
    ben.put(second)
    with ben.console():
        ben.session.call("POST", f"{PUSH}/{ben.browser.name(ben.id)}/test", expect=202)
        assert ben.wait(1) == [{"reason": "test", "isSilent": False}]
    assert second.path not in [one.path for one in ben.service.pushed]
    other.session.call("POST", f"{PUSH}/{ben.browser.name(ben.id)}/test", expect=404)


def end_by_sign_out(owner, ben):
    """The agent signs out in the browser."""
    ben.session.call("DELETE", "/api/session", expect=204)


def end_by_removal(owner, ben):
    """The agent is a member no longer."""
    owner.call("DELETE", f"/api/businesses/{ben.shop['id']}/members/{ben.id}", expect=204)


def end_by_hand(owner, ben):
    """The agent turns it off."""
    ben.session.call("DELETE", f"{PUSH}/{ben.browser.name(ben.id)}", expect=204)


def end_by_service(owner, ben):
    """The push service knows the browser no longer."""
    ben.service.statuses[ben.browser.path] = 410


@pytest.mark.parametrize("end", [end_by_sign_out, end_by_removal, end_by_hand, end_by_service])
def test_a_browser_is_no_longer_notified_after(server, owner, shop, member, end):
    ben, witness = member(), member()
    for one in (ben, witness):
        one.put()
    Customer(server, shop["id"]).say("First")
    ben.wait(1)
    witness.wait(1)
    end(owner, ben)
    for number in range(2):
        Customer(server, shop["id"]).say("Again")
        witness.wait(2 + number)
    # The push service itself is asked once more, and says so.
    assert len(ben.pushed) == (2 if end is end_by_service else 1)


@pytest.fixture
def company(service):
    """An installation of its own: its owner as a member, another member, and the live business."""
    with Installation("--push-service", service.url) as own:
        owner = own.make_owner()
        shop = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
        ada, ben = (Member(own, owner, shop, service) for _ in range(2))
        ada.session, ada.role = owner, "owner"
        ada.id = owner.fetch("/api/session")["agent"]["id"]
        yield own, shop, ada, ben


@pytest.mark.one_process
def test_a_member_who_lacks_a_second_factor_is_not_notified(company):
    server, shop, ada, ben = company
    secret = ada.session.post("/api/session/second-factor", {"password": PASSWORD}, 201)["secret"]
    ada.session.post("/api/session/second-factor/confirmation", {"code": App(secret).code()})
    for one in (ada, ben):
        one.put()
    Customer(server, shop["id"]).say("First")
    ben.wait(1)
    ada.session.call("PATCH", f"/api/businesses/{shop['id']}", {"requiresSecondFactor": True})
    Customer(server, shop["id"]).say("Second")
    ada.wait(2)
    assert len(ben.pushed) == 1


@pytest.mark.one_process
def test_a_new_password_ends_every_browser_of_the_account(company):
    server, shop, ada, ben = company
    for one in (ada, ben):
        one.put()
    Customer(server, shop["id"]).say("First")
    ada.wait(1)
    token = re.search(r"#invite=([\w-]+)", server.command("owner", "link").stdout).group(1)
    Session(server).post("/api/invitations/accept", {"token": token, "name": "Ada", "password": "another long phrase"}, 201)
    Customer(server, shop["id"]).say("Second")
    ben.wait(2)
    assert len(ada.pushed) == 1


def test_the_key_is_that_of_customers_and_nothing_secret_is_logged(server, member, talk):
    ben = member()
    ben.put()
    assert ben.session.fetch(PUSH)["key"] == talk.fetch(f"/api/phone/{talk.business}/push")["key"]
    assert ben.browser.endpoint not in server.log_text()


@pytest.mark.one_process
def test_an_agent_is_signed_out_although_the_store_keeps_the_browser(company):
    server, _, ada, _ = company
    ada.put()
    with sqlite3.connect(server.data / "frontdesk.sqlite") as store:
        store.execute("DROP TABLE agent_push_subscriptions")
    answer = ada.session.call("DELETE", "/api/session", expect=204)
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    ada.session.fetch("/api/session", 401)
    assert "push_not_forgotten" in server.log_text()
