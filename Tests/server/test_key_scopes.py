"""What a key's scopes bound beside its routes: what is whose in the library, and what customers see of a page."""

import json

import pytest
from support.server import Customer, Session
from websockets.sync.client import connect


@pytest.fixture(scope="module")
def program(server, sandbox):
    """A key with every scope."""
    return Session(server, key=server.make_key(sandbox["id"], "all"))


def session(server, sandbox, *scopes):
    """A session of another key, with some scopes."""
    return Session(server, key=server.make_key(sandbox["id"], "-".join(scopes), scopes))


@pytest.mark.parametrize("scopes", [("read", "send"), ("read", "templates")])
def test_a_key_without_administration_leaves_what_another_added_to_the_library(server, sandbox, program, scopes):
    other = session(server, sandbox, *scopes)
    library = f"/api/businesses/{sandbox['id']}/library"
    octets = {"Content-Type": "application/octet-stream"}

    def added(by, content):
        held = by.post(f"/api/attachments?business={sandbox['id']}&name=prices.txt", content, 201, headers=octets)
        return by.post(library, {"attachment": held["id"]}, 201)["id"]

    kept = added(program, f"of the business, {scopes}".encode())
    other.call("PATCH", f"{library}/{kept}", {"name": "renamed.txt"}, expect=403)
    other.call("DELETE", f"{library}/{kept}", expect=403)
    assert {one["id"]: one["name"] for one in program.fetch(library)["data"]}[kept] == "prices.txt"
    # Its own it renames and removes, and a key that may make and change the library whatever there is.
    own, another = (added(other, f"of the key, {scopes} {number}".encode()) for number in range(2))
    assert other.call("PATCH", f"{library}/{own}", {"name": "mine.txt"}).json()["name"] == "mine.txt"
    other.call("DELETE", f"{library}/{own}", expect=204)
    program.call("DELETE", f"{library}/{another}", expect=204)


@pytest.mark.parametrize("scopes, is_shown", [(("read",), False), (("read", "webhooks"), False), (("read", "send"), True)])
def test_a_customer_sees_a_key_type_that_may_handle_conversations_and_no_other(server, sandbox, program, scopes, is_shown):
    customer = Customer(server, sandbox["id"])
    conversation = customer.say("Hello")["message"]["conversation"]
    reader = session(server, sandbox, *scopes)
    live = f"ws://127.0.0.1:{server.port}/api"
    cookies = "; ".join(f"{one.name}={one.value}" for one in customer.cookies)
    with connect(f"{live}/phone/{sandbox['id']}/live", compression=None,
                 additional_headers={"Cookie": cookies, "Origin": server.url}) as phone, \
            connect(f"{live}/live", compression=None,
                    additional_headers={"Authorization": reader.headers["Authorization"]}) as page:
        for socket in (phone, page):
            socket.send('{"type":"hello"}')
            while json.loads(socket.recv(timeout=20))["type"] != "live":
                pass
        page.send(json.dumps({"type": "typing", "conversation": conversation, "state": "start"}))
        # Answered behind the frame, so that what it brought is on its way before the message.
        assert page.ping().wait(timeout=20)
        program.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Hi"}, 201)
        seen, wanted = set(), {"message.accepted", *(["typing"] if is_shown else [])}
        # From another node it may come behind the message.
        while not wanted <= seen:
            frame = json.loads(phone.recv(timeout=20))
            seen.add(frame.get("kind") if frame["type"] == "ephemeral" else frame["type"])
    assert ("typing" in seen) == is_shown, seen
