"""Members, keys and invitations on a running server: what each owner may change, and what not."""

import json
import threading
import time

import pytest
import requests
import websockets.sync.client
from websockets.exceptions import ConnectionClosed

from support.server import PASSWORD, Customer, Installation, Session

OWN = "a password of the person's own"


@pytest.fixture(scope="module")
def scene():
    """A server with Ada, owner of all, and two live businesses of hers."""
    with Installation() as server:
        ada = server.make_owner()
        names = [ada.post("/api/businesses", {"name": name}, 201)["id"] for name in ("A", "B")]
        yield server, ada, *names


def invite(owner, business, email, role="agent"):
    """The token of a fresh invitation."""
    made = owner.post(f"/api/businesses/{business}/members", {"email": email, "role": role}, 201)
    assert made["invitationUrl"], "the invitation has no link"
    return made["invitationUrl"].rsplit("=", 1)[-1]


def join(server, token, expect=201, **body):
    """An agent who accepts an invitation; signed in afterwards."""
    session = Session(server)
    session.post("/api/invitations/accept", {"token": token, "password": PASSWORD, **body}, expect)
    return session


def me(session):
    """The account that is signed in."""
    return session.fetch("/api/session")["agent"]["id"]


def of(session):
    """The businesses of a session."""
    return {one["id"] for one in session.fetch("/api/session")["businesses"]}


def test_an_account_prepared_in_advance_is_no_member_of_another_business(scene):
    server, ada, first, second = scene
    eve = join(server, invite(ada, second, "eve1@example.com", "owner"), name="Eve")
    taken = join(server, invite(eve, second, "vic@example.com"), name="Not Vic")
    token = invite(ada, first, "vic@example.com")
    assert of(taken) == {second}
    join(server, token, 409, name="Vic")
    own = join(server, token, name="Vic", password=OWN, separate=True)
    assert of(own) == {first} and of(taken) == {second}


def test_a_key_for_two_businesses_ends_where_its_creator_is_removed(scene):
    server, ada, first, second = scene
    eve = join(server, invite(ada, second, "eve2@example.com", "owner"), name="Eve")
    gus = join(server, invite(ada, first, "gus@example.com", "owner"), name="Gus")
    join(server, invite(ada, second, "gus@example.com", "owner"))
    key = gus.post("/api/keys", {"name": "till", "businesses": [first, second]}, 201)
    program = Session(server, key["secret"])
    assert len(program.fetch("/api/businesses")["data"]) == 2
    eve.call("DELETE", f"/api/businesses/{second}/members/{me(gus)}", expect=204)
    assert [one["id"] for one in program.fetch("/api/businesses")["data"]] == [first]
    assert of(gus) == {first}


def test_adding_and_removing_a_member_signs_no_one_out(scene):
    server, ada, first, second = scene
    eve = join(server, invite(ada, second, "eve3@example.com", "owner"), name="Eve")
    ida = join(server, invite(ada, first, "ida@example.com"), name="Ida")
    eve.post(f"/api/businesses/{second}/members", {"email": "ida@example.com"}, 201)
    eve.call("DELETE", f"/api/businesses/{second}/members/{me(ida)}", expect=404)
    assert of(ida) == {first}


def test_a_removed_member_is_out_with_the_answer_and_the_streams_within_a_second(scene):
    server, ada, first, _ = scene
    kim = join(server, invite(ada, first, "kim@example.com"), name="Kim")
    phone = Customer(server, first)
    phone.say("Hello")
    one = kim.fetch(f"/api/conversations?business={first}")["data"][0]
    kim.call("PATCH", f"/api/conversations/{one['id']}", {"assignee": "me"})
    cookie = "; ".join(f"{item.name}={item.value}" for item in kim.cookies)
    events = requests.get(server.url + "/api/events", headers={"Cookie": cookie}, stream=True,
                          timeout=30)
    ended = []

    def read():
        for _ in events.iter_content(None):
            pass
        ended.append(time.monotonic())

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    socket = websockets.sync.client.connect(
        server.url.replace("http", "ws") + "/api/live",
        additional_headers={"Cookie": cookie, "Origin": server.url})
    with socket as live:
        live.send(json.dumps({"type": "hello", "after": None}))
        assert json.loads(live.recv(timeout=20))["type"] == "live"
        ada.call("DELETE", f"/api/businesses/{first}/members/{me(kim)}", expect=204)
        answered = time.monotonic()
        kim.call("GET", f"/api/conversations/{one['id']}", expect=404)
        with pytest.raises(ConnectionClosed):
            while True:
                live.recv(timeout=20)
        assert time.monotonic() - answered < 1
    reader.join(timeout=20)
    assert ended and ended[0] - answered < 1
    assert ada.fetch(f"/api/conversations/{one['id']}")["assignee"] is None


def test_owners_who_remove_each_other_at_once_leave_one(scene):
    server, ada, _, _ = scene
    for number in range(5):
        business = ada.post("/api/businesses", {"name": f"Duel {number}"}, 201)["id"]
        other = join(server, invite(ada, business, f"duel{number}@example.com", "owner"), name="Duel")
        targets = [(ada, me(other)), (other, me(ada))]
        statuses = []
        start = threading.Barrier(2)

        def remove(owner, target):
            start.wait(timeout=20)
            path = f"{server.url}/api/businesses/{business}/members/{target}"
            statuses.append(owner.delete(path, timeout=20).status_code)

        threads = [threading.Thread(target=remove, args=pair) for pair in targets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
        assert 204 in statuses and statuses != [204, 204], statuses


def test_the_command_line_ends_a_key_for_one_business_and_its_stream(scene):
    server, ada, first, second = scene
    made = server.command("key", "create", "--name", "till", "--business", "A", "--business", "B")
    program = Session(server, made.stdout.split()[0])
    key = made.stdout.split()[-1]
    with websockets.sync.client.connect(
            server.url.replace("http", "ws") + "/api/live",
            additional_headers={"Authorization": program.headers["Authorization"]}) as live:
        live.send(json.dumps({"type": "hello", "after": None}))
        assert json.loads(live.recv(timeout=20))["type"] == "live"
        server.command("key", "revoke", key, "--business", "B")
        with pytest.raises(ConnectionClosed):
            while True:
                live.recv(timeout=20)
    assert [one["id"] for one in program.fetch("/api/businesses")["data"]] == [first]
    listed = ada.fetch(f"/api/businesses/{first}/keys")["data"]
    mine = next(one for one in listed if one["id"] == key)
    assert mine["grants"] == [{"business": first, "by": None, "byName": None, "at": mine["createdAt"]}]
    assert key not in json.dumps(ada.fetch(f"/api/businesses/{second}/keys"))
    server.command("key", "revoke", key)
    program.call("GET", "/api/businesses", expect=401)
