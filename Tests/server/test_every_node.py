"""What is done at one node is so at every other: settings, credentials, the audit, signals and limits. With one process, at that one."""

import contextlib
import json
import time
import uuid

import pytest
import requests
import websockets.sync.client
from support.server import PASSWORD, Customer, Installation, Session


def nodes(server):
    """The addresses of the nodes themselves, without the balancer."""
    return [f"http://127.0.0.1:{port}" for port in server.ports]


def ask(session, node, method, path, body=None, expect=200, **headers):
    """What one node answers."""
    answer = session.request(method, node + path, json=body, headers=headers, timeout=20)
    if answer.status_code == 429:
        # The tests before had one person write as much as one may.
        time.sleep(int(answer.headers["Retry-After"]))
        answer = session.request(method, node + path, json=body, headers=headers, timeout=20)
    assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text}"
    return answer


def listed(session, node, path):
    """The elements that a node lists."""
    return ask(session, node, "GET", path).json()["data"]


def until(what, seconds=30):
    """Asks until the answer is true, and returns it."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.05)
    return found


@pytest.fixture(scope="module")
def shop(owner):
    """The live business."""
    return next(one["id"] for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


@pytest.fixture
def program(server, owner, shop):
    """A key of a business, with its id."""
    known = {one["id"] for one in owner.fetch(f"/api/businesses/{shop}/keys")["data"]}
    session = Session(server, server.make_key(shop, name=f"key {uuid.uuid4()}"))
    [session.id] = {one["id"] for one in owner.fetch(f"/api/businesses/{shop}/keys")["data"]} - known
    return session


SETTINGS = {
    "labels": ("/api/businesses/{shop}/labels", {"name": "Urgent", "colour": "#cc0000"}),
    "teams": ("/api/businesses/{shop}/teams", {"name": "Order desk", "colour": "#2f6fd0", "members": []}),
    "macros": ("/api/businesses/{shop}/macros", {"name": "Close", "shared": True, "actions": [{"state": "closed"}]}),
    "rules": ("/api/businesses/{shop}/rules", {
        "name": "Close orders", "on": False, "order": 10, "when": "customerMessage", "if": [{"text": "order"}],
        "then": [{"state": "closed"}]}),
    "views": ("/api/views/saved", {
        "name": "Open", "shared": False, "business": "{shop}", "order": 10, "filter": {"state": "open"}}),
    "templates": ("/api/templates", {
        "business": "{shop}", "name": "ready", "title": "Ready", "payload": {"type": "text", "body": "It is ready."}}),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_that_one_node_answered_is_listed_by_every_node(server, owner, shop, name):
    path, body = json.loads(json.dumps(SETTINGS[name]).replace("{shop}", shop))
    where = f"{path}?business={shop}" if "{shop}" not in SETTINGS[name][0] else path
    for number, node in enumerate(nodes(server)):
        ask(owner, node, "POST", path, body | {"name": f"{body['name']}-{number}"}, expect=201)
        found = [[one["name"] for one in listed(owner, other, where)] for other in nodes(server)]
        assert f"{body['name']}-{number}" in found[0] and all(one == found[0] for one in found), found


def test_hours_and_preferences_are_those_that_any_node_stored_last(server, owner, shop):
    for number, node in enumerate(nodes(server)):
        opens = f"0{number + 1}:00"
        week = {"monday": [{"from": opens, "to": "18:00"}]}
        ask(owner, node, "PUT", f"/api/businesses/{shop}/hours", {"timeZone": "Asia/Tokyo", "week": week, "holidays": []})
        ask(owner, node, "PATCH", "/api/session/preferences", {"sendDelay": 5 + number})
        for other in nodes(server):
            stored = ask(owner, other, "GET", f"/api/businesses/{shop}/hours").json()
            assert stored["hours"]["week"]["monday"] == week["monday"], stored
            assert ask(owner, other, "GET", "/api/session").json()["preferences"]["sendDelay"] == 5 + number
    ask(owner, nodes(server)[0], "PATCH", "/api/session/preferences", {"sendDelay": 0})


# Each is stored whole, with a number that is another one at each node, and read where the words say.
STORED = {
    "retention": ("/api/businesses/{shop}/retention", lambda n: {"days": 1000 + n}, lambda one: one["days"] - 1000),
    "widget": ("/api/businesses/{shop}/widget", lambda n: {"isOn": True, "origins": [f"https://shop{n}.example"], "greetings": []},
               lambda one: int(one["origins"][0].removeprefix("https://shop").removesuffix(".example"))),
    "satisfaction": ("/api/businesses/{shop}/satisfaction",
                     lambda n: {"isOn": True, "kind": "quickReply", "delayMinutes": n, "notAgainDays": 30}, lambda one: one["delayMinutes"]),
    "service levels": ("/api/businesses/{shop}/service-levels",
                       lambda n: {"firstAnswer": {"normal": 30 + n}, "nextAnswer": {}, "clock": "hours", "warningMinutes": 15},
                       lambda one: one["firstAnswer"]["normal"] - 30),
    "assignment": ("/api/businesses/{shop}/assignment", lambda n: {"strategy": "round_robin", "sticky": False, "capacity": n},
                   lambda one: one["assignment"]["capacity"]),
    "draft": ("/api/conversations/{talk}/draft", lambda n: {"version": 0, "kind": "text", "text": str(n)}, lambda one: int(one["text"])),
}


@pytest.mark.parametrize("name", STORED)
def test_what_any_node_stored_last_is_what_every_node_reads_from_its_answer_on(server, owner, shop, name):
    path, body, read = STORED[name]
    talk = Customer(server, shop).say("Hello")["message"]["conversation"]
    path = path.replace("{shop}", shop).replace("{talk}", talk)
    version = 0
    for number in range(1, 7):
        changed = body(number)
        if "version" in changed:
            # A draft is stored over the one that was read.
            changed["version"] = version
        version = ask(owner, nodes(server)[number % len(nodes(server))], "PUT", path, changed).json().get("version")
        assert [read(ask(owner, node, "GET", path).json()) for node in nodes(server)] == [number] * len(nodes(server))


def test_a_request_that_is_repeated_at_another_node_gets_the_first_answer(server, shop, program):
    talk = Customer(server, shop).say("Hello")["message"]["conversation"]
    first, last = nodes(server)[0], nodes(server)[-1]
    path, body, name = f"/api/conversations/{talk}/messages", {"type": "text", "body": "Once"}, str(uuid.uuid4())
    made = ask(program, first, "POST", path, body, 201, **{"Idempotency-Key": name})
    again = ask(program, last, "POST", path, body, 201, **{"Idempotency-Key": name})
    assert again.json() == made.json() and again.headers["Idempotency-Replayed"] == "true"
    assert [len(listed(program, node, path)) for node in nodes(server)] == [2] * len(nodes(server))


def test_a_key_and_a_session_that_ended_at_one_node_are_refused_by_every_node(server, owner, shop, program):
    guest = Session(server)
    signed_in = guest.post("/api/session", {"email": "ada@example.com", "password": PASSWORD})
    assert signed_in["agent"]["name"] == "Ada"
    for node in nodes(server):
        ask(program, node, "GET", "/api/businesses")
        ask(guest, node, "GET", "/api/session")
    cookies = guest.cookies.copy()
    ask(owner, nodes(server)[0], "DELETE", f"/api/keys/{program.id}", expect=204)
    ask(guest, nodes(server)[-1], "DELETE", "/api/session", expect=204)
    guest.cookies = cookies
    for node in nodes(server):
        ask(program, node, "GET", "/api/businesses", expect=401)
        ask(guest, node, "GET", "/api/session", expect=401)


def test_what_a_key_was_used_for_at_all_nodes_is_listed_newest_first(server, owner, shop, program):
    made = []
    for _ in range(4):
        for node in nodes(server):
            made.append(ask(program, node, "GET", "/api/businesses").headers["X-Request-Id"])
    path = f"/api/keys/{program.id}/requests"
    for node in nodes(server):
        def shown(node=node):
            found = [one for one in listed(owner, node, path) if one["requestId"] in made]
            return found if len(found) == len(made) else None
        times = [one["time"] for one in until(shown)]
        assert times == sorted(times, reverse=True)
        [key] = [one for one in listed(owner, node, f"/api/businesses/{shop}/keys") if one["id"] == program.id]
        assert key["usedAt"]


def test_the_audit_is_the_same_at_every_node_and_goes_on_behind_its_newest_record(server, owner, shop):
    path = f"/api/businesses/{shop}/audit"
    newest = listed(owner, nodes(server)[0], path)[0]["number"]
    made = [ask(owner, node, "POST", f"/api/businesses/{shop}/labels", {
        "name": f"Audited {number}", "colour": "#cc0000"}, expect=201).json()["id"] for number, node in enumerate(nodes(server))]
    for node in nodes(server):
        found = listed(owner, node, f"{path}?page%5Bbefore%5D={newest}")
        assert [one["subject"]["id"] for one in found] == made[::-1]
        assert all(one["kind"] == "label_saved" and one["author"]["name"] == "Ada" for one in found)


@contextlib.contextmanager
def live(server, node, session):
    """An open page of a session's at a node."""
    cookie = "; ".join(f"{one.name}={one.value}" for one in session.cookies)
    with websockets.sync.client.connect(
            f"{node.replace('http', 'ws')}/api/live", additional_headers={"Cookie": cookie, "Origin": server.url}) as line:
        line.send(json.dumps({"type": "hello", "after": None}))
        yield line


def test_who_is_there_and_who_types_is_known_at_every_node(server, owner, shop):
    phone = Customer(server, shop)
    talk = phone.say("Hello")["message"]["conversation"]
    first, last = nodes(server)[0], nodes(server)[-1]

    def states():
        return {one["state"] for node in nodes(server) for one in listed(owner, node, f"/api/businesses/{shop}/presence")}

    until(lambda: states() == {"offline"})
    with live(server, last, owner) as line:
        until(lambda: states() == {"online"})
        # Typing is no more than a signal: it is sent until it has come.
        line.send(json.dumps({"type": "availability", "state": "away"}))
        until(lambda: states() == {"away"})
        end = time.monotonic() + 30
        while True:
            assert time.monotonic() < end, "no typing came"
            ask(phone, first, "POST", f"/api/phone/{shop}/typing", {"state": "start"}, expect=204)
            with contextlib.suppress(TimeoutError):
                while True:
                    frame = json.loads(line.recv(timeout=1))
                    if frame.get("kind") == "typing":
                        break
                break
        assert frame["conversation"] == talk and frame["who"]["type"] == "customer" and frame["state"] == "start"
    until(lambda: states() == {"offline"})


def test_failed_sign_ins_at_one_node_count_at_every_other():
    with Installation("--limit", "logins-per-address-and-minute=3") as server:
        server.make_owner()

        def sign_in(node, password, email="ada@example.com"):
            return requests.post(f"{node}/api/session", json={"email": email, "password": password}, timeout=20,
                                 headers={"Origin": server.url}).status_code

        first, last = nodes(server)[0], nodes(server)[-1]
        # A password that is right draws nothing from the budget: what refuses it is what failed at the other node.
        assert sign_in(last, PASSWORD) == 200
        until(lambda: sign_in(first, "a wrong password", f"{uuid.uuid4()}@example.com") == 429
              and sign_in(last, PASSWORD) == 429)
