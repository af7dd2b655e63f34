"""Two agents do the same at the same moment: one of them wins, the other learns who, and no change is lost.

Both requests but for their last bytes lie in the server's sockets before the last bytes follow, over two connections in
one go, the first one by turns to either.
"""

import contextlib
import json
import re

import pytest
from support.server import Customer, Session

from .stand import IS_LONG, Server, note
from .wire import Wire, request

ROUNDS = 10_000 if IS_LONG else 100
PASSWORD = "seven green lanterns in a row"
WRITES = {name: 10_000_000 for name in (
    "agent-messages-per-second", "agent-messages-burst", "address-requests-per-second", "address-requests-burst",
    "searches-per-second", "searches-burst")}


class Agent:
    """A member with a connection of their own."""

    def __init__(self, session, identity):
        self.session, self.id = session, identity
        self.wire = Wire(session.server.port)
        cookies = "; ".join(f"{one.name}={one.value}" for one in session.cookies)
        self.head = f"Cookie: {cookies}\r\nOrigin: {session.server.url}\r\n"

    def request(self, method, path, body=None, headers=""):
        """The bytes of a request."""
        return request(method, path, None, None if body is None else json.dumps(body).encode(), self.head + headers)

    def answer(self):
        """The answer that comes next: its status and its JSON."""
        status, _, body = self.wire.next()
        return status, json.loads(body) if body else None

    def ask(self, method, path, body=None, expect=200):
        """One exchange."""
        self.wire.socket.sendall(self.request(method, path, body))
        status, answer = self.answer()
        assert status == expect, f"{method} {path}: {status} {answer}"
        return answer


class Shop:
    """A server with a business, two owners who press at the same moment, and conversations."""

    def __init__(self, server):
        owner = server.make_owner()
        self.business = owner.post("/api/businesses", {"name": "Races"}, expect=201)["id"]
        self.agents = [self._join(server, owner, name) for name in ("Bo", "Cy")]
        self.server = server

    def _join(self, server, owner, name):
        invited = owner.post(f"/api/businesses/{self.business}/members",
                             {"email": f"{name.lower()}@example.com", "role": "owner"}, expect=201)
        session = Session(server)
        joined = session.post("/api/invitations/accept", {
            "token": re.search(r"#invite=([\w-]+)", invited["invitationUrl"]).group(1), "name": name,
            "password": PASSWORD}, expect=201)
        return Agent(session, joined["agent"]["id"])

    def conversation(self):
        """A new one."""
        return Customer(self.server, self.business).say("Hello")["message"]["conversation"]

    def press(self, number, ask):
        """Both ask in one go; `ask` has the method, path, body and headers of an agent. Answers in the order of the agents."""
        agents = self.agents[::-1] if number % 2 else self.agents
        asked = [(agent.wire.socket, agent.request(*ask(agent))) for agent in agents]
        for line, content in asked:
            line.sendall(content[:-1])
        for line, content in asked:
            line.sendall(content[-1:])
        return [agent.answer() for agent in self.agents]

    def found(self, conversation):
        """The conversation as it is."""
        return self.agents[0].session.fetch(f"/api/conversations/{conversation}")


@contextlib.contextmanager
def raced(folder):
    """A server on which no limit of writing is met."""
    server = Server(folder, {})
    server.flags += [word for name, value in WRITES.items() for word in ("--limit", f"{name}={value}")]
    server.start()
    try:
        yield server
    finally:
        server.stop()
        server.scratch.cleanup()


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A shop on a directory of its own."""
    with raced(tmp_path_factory.mktemp("races")) as server:
        yield Shop(server)


def one_winner(shop, answers, code):
    """The winner and the loser's answer; exactly one has won, and the other was refused by that code."""
    statuses = [status for status, _ in answers]
    assert sorted(statuses)[0] == 200 and len([one for one in statuses if one == 200]) == 1, answers
    lost = statuses.index(max(statuses))
    assert answers[lost][1]["code"] == code, answers[lost]
    return shop.agents[1 - lost], answers[lost][1]


def test_of_two_who_assign_a_conversation_to_themselves_one_gets_it_and_the_other_learns_who(shop):
    conversation = shop.conversation()
    path, won = f"/api/conversations/{conversation}", []
    before = shop.found(conversation)["revision"]
    for number in range(ROUNDS):
        answers = shop.press(number, lambda agent: ("PATCH", path, {"assignee": "me", "ifAssignee": None}))
        winner, refused = one_winner(shop, answers, "already_assigned")
        assert refused["current"]["assignee"]["id"] == winner.id
        won.append(winner.id)
        shop.agents[0].ask("PATCH", path, {"assignee": None, "ifAssignee": winner.id})
    # One event each for getting it and for giving it back, and none for the refused.
    assert shop.found(conversation)["revision"] == before + 2 * ROUNDS
    note(f"{ROUNDS} assignments: {won.count(shop.agents[0].id)} of one agent, {won.count(shop.agents[1].id)} of the other")


def test_control_without_a_condition_both_believe_to_have_it(shop):
    path = f"/api/conversations/{shop.conversation()}"
    for number in range(10):
        answers = shop.press(number, lambda agent: ("PATCH", path, {"assignee": "me"}))
        assert [(status, body["assignee"]["id"]) for status, body in answers] == [(200, agent.id) for agent in shop.agents]


def test_of_two_who_close_a_conversation_one_closes_it_and_the_other_sees_it_closed(shop):
    conversation = shop.conversation()
    path = f"/api/conversations/{conversation}"
    revision = shop.found(conversation)["revision"]
    for number in range(ROUNDS):
        condition = f'If-Match: "{revision}"\r\n'
        answers = shop.press(number, lambda agent: ("PATCH", path, {"state": "closed"}, condition))
        _, refused = one_winner(shop, answers, "precondition_failed")
        assert refused["current"]["state"] == "closed"
        revision = shop.agents[number % 2].ask("PATCH", path, {"state": "open"})["revision"]
    # Without a condition both are content, and it is one event.
    for number in range(ROUNDS):
        answers = shop.press(number, lambda agent: ("PATCH", path, {"state": "closed"}))
        assert [(status, body["state"]) for status, body in answers] == [(200, "closed")] * 2
        reopened = shop.agents[number % 2].ask("PATCH", path, {"state": "open"})["revision"]
        assert reopened == revision + 2, answers
        revision = reopened


def test_labels_of_two_agents_are_all_kept_and_the_same_label_is_one_event(shop):
    conversation = shop.conversation()
    path = f"/api/conversations/{conversation}"
    owner = shop.agents[0].session
    labels = [owner.post(f"/api/businesses/{shop.business}/labels", {"name": name, "colour": "#46a758"}, expect=201)["id"]
              for name in ("One", "Other", "Same")]
    own = dict(zip([agent.id for agent in shop.agents], labels))
    revision = shop.found(conversation)["revision"]
    for number in range(ROUNDS):
        for change, left in (("add", labels[:2]), ("remove", [])):
            answers = shop.press(number, lambda agent: ("PATCH", path, {"labels": {change: [own[agent.id]]}}))
            assert [status for status, _ in answers] == [200, 200], answers
            last = max((body for _, body in answers), key=lambda body: body["revision"])
            assert sorted(last["labels"]) == sorted(left), answers
        for change, left in (("add", labels[2:]), ("remove", [])):
            answers = shop.press(number, lambda agent: ("PATCH", path, {"labels": {change: [labels[2]]}}))
            assert [(status, body["labels"]) for status, body in answers] == [(200, left)] * 2, answers
        # Four events of different labels, two of the same.
        revision += 6
        assert last_revision(answers) == revision, answers


def last_revision(answers):
    """The highest revision that was answered."""
    return max(body["revision"] for _, body in answers)


def test_of_two_who_merge_contacts_into_each_other_one_merges_and_the_other_learns_it(shop):
    pair = [shop.found(shop.conversation())["contact"]["id"] for _ in shop.agents]
    contacts = f"/api/businesses/{shop.business}/contacts"
    kept = dict(zip([agent.id for agent in shop.agents], pair))
    for number in range(ROUNDS):
        answers = shop.press(number, lambda agent: (
            "POST", f"{contacts}/{kept[agent.id]}/merge", {"contact": pair[1 - pair.index(kept[agent.id])]}))
        winner, refused = one_winner(shop, answers, "already_merged")
        merged = refused["current"]["merged"]
        assert merged["into"] == kept[winner.id] and merged["by"]["id"] == winner.id, refused
        gone = pair[1 - pair.index(kept[winner.id])]
        winner.ask("POST", f"{contacts}/{gone}/unmerge")


def test_of_two_who_merge_a_contact_one_does_and_the_other_learns_who(shop):
    one, other = shop.conversation(), shop.conversation()
    # The contact of a conversation that was never merged has its id.
    path = f"/api/businesses/{shop.business}/contacts"
    won = []
    for number in range(ROUNDS):
        answers = shop.press(number, lambda agent: ("POST", f"{path}/{one}/merge", {"contact": other}))
        winner, refused = one_winner(shop, answers, "already_merged")
        assert refused["current"]["merged"]["into"] == one
        assert refused["current"]["merged"]["by"]["id"] == winner.id
        won.append(winner.id)
        answers = shop.press(number, lambda agent: ("POST", f"{path}/{other}/unmerge"))
        one_winner(shop, answers, "not_merged")
    # Opposite merges at once: one of the two directions, never a circle.
    for number in range(ROUNDS):
        pairs = dict(zip([agent.id for agent in shop.agents], [(one, other), (other, one)]))
        answers = shop.press(number, lambda agent: ("POST", f"{path}/{pairs[agent.id][0]}/merge", {"contact": pairs[agent.id][1]}))
        winner, _ = one_winner(shop, answers, "already_merged")
        shop.agents[0].ask("POST", f"{path}/{pairs[winner.id][1]}/unmerge")
    note(f"{ROUNDS} merges: {won.count(shop.agents[0].id)} of one agent, {won.count(shop.agents[1].id)} of the other")
