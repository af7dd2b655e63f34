"""A credential of any kind ends at every node when one node answers that it has ended. With one process, at that one."""

import time
import uuid

import jwt
import pytest
from support.authenticator import App
from support.server import PASSWORD, Customer, Session
from test_every_node import ask, nodes

FACTOR = "/api/session/second-factor"


@pytest.fixture(scope="module")
def shop(owner):
    """The live business."""
    return next(one["id"] for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


@pytest.fixture(params=["first", "last"])
def ways(request, server):
    """The node that ends something, and the one that knew it before."""
    found = nodes(server)
    return (found[0], found[-1]) if request.param == "first" else (found[-1], found[0])


def member(server, owner, shop, node):
    """A new member who is signed in."""
    email = f"{uuid.uuid4().hex}@example.com"
    made = ask(owner, node, "POST", f"/api/businesses/{shop}/members", {"email": email, "role": "agent"}, 201).json()
    session = Session(server)
    ask(session, node, "POST", "/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Ben", "password": PASSWORD}, 201)
    session.email, session.agent = email, ask(session, node, "GET", "/api/session").json()["agent"]["id"]
    return session


def sign_in(server, node, email, expect=200, **more):
    """A session that begins at a node; None where it does not."""
    session = Session(server)
    session.answer = ask(session, node, "POST", "/api/session", {"email": email, "password": PASSWORD, **more}, expect).json()
    return session


def test_a_member_who_is_removed_or_may_do_less_is_known_so_by_every_node(server, owner, shop, ways):
    there, other = ways
    ben = member(server, owner, shop, other)
    path = f"/api/businesses/{shop}"
    ask(owner, there, "PATCH", f"{path}/members/{ben.agent}", {"role": "owner"})
    ask(ben, other, "GET", f"{path}/keys")
    ask(owner, there, "PATCH", f"{path}/members/{ben.agent}", {"role": "agent"})
    for node in nodes(server):
        ask(ben, node, "GET", f"{path}/keys", expect=403)
    ask(owner, there, "DELETE", f"{path}/members/{ben.agent}", expect=204)
    for node in nodes(server):
        ask(ben, node, "GET", path, expect=404)


def test_an_invitation_that_was_withdrawn_or_used_is_refused_by_every_node(server, owner, shop, ways):
    there, other = ways
    path = f"/api/businesses/{shop}"
    made = ask(owner, other, "POST", f"{path}/members", {"email": "late@example.com", "role": "agent"}, 201).json()
    token = made["invitationUrl"].rsplit("=", 1)[-1]
    ask(Session(server), other, "POST", "/api/invitations/open", {"token": token})
    [known] = [one for one in ask(owner, there, "GET", f"{path}/invitations").json()["data"] if one["email"] == "late@example.com"]
    ask(owner, there, "DELETE", f"{path}/invitations/{known['id']}", expect=204)
    for node in nodes(server):
        ask(Session(server), node, "POST", "/api/invitations/open", {"token": token}, 401)


def test_a_second_factor_that_one_node_confirmed_is_asked_for_by_every_node_and_ends_the_other_sessions(server, owner, shop, ways):
    there, other = ways
    ben = member(server, owner, shop, there)
    before = sign_in(server, other, ben.email)
    ask(before, other, "GET", "/api/session")
    app = App(ask(ben, there, "POST", FACTOR, {"password": PASSWORD}, 201).json()["secret"])
    # Begun at one node, and confirmed at the other.
    recovery = ask(ben, other, "POST", f"{FACTOR}/confirmation", {"code": app.code()}).json()["recoveryCodes"]
    for node in nodes(server):
        ask(before, node, "GET", "/api/session", expect=401)
        assert sign_in(server, node, ben.email, 401).answer["code"] == "second_factor_required"
    # A code that is used up at one node is so at every other.
    sign_in(server, there, ben.email, code=recovery[0])
    assert sign_in(server, other, ben.email, 401, code=recovery[0]).answer["code"] == "wrong_code"
    code = app.code()
    sign_in(server, other, ben.email, code=code)
    assert sign_in(server, there, ben.email, 401, code=code).answer["code"] == "wrong_code"
    fresh = ask(ben, there, "POST", f"{FACTOR}/recovery-codes", {"password": PASSWORD, "code": recovery[1]}).json()["recoveryCodes"]
    for node in nodes(server):
        assert sign_in(server, node, ben.email, 401, code=recovery[2]).answer["code"] == "wrong_code"
    ask(ben, there, "POST", f"{FACTOR}/removal", {"password": PASSWORD, "code": fresh[0]}, 204)
    for node in nodes(server):
        sign_in(server, node, ben.email)


def test_a_secret_of_the_widget_that_one_node_removed_signs_at_no_node(server, owner, shop, ways):
    there, other = ways
    path, page = f"/api/businesses/{shop}/widget", "https://shop.example"
    ask(owner, there, "PUT", path, {"isOn": True, "origins": [page], "greetings": []})
    made = ask(owner, there, "POST", f"{path}/secrets", expect=201).json()

    def show(node, expect):
        token = jwt.encode({"sub": "ada", "iat": int(time.time())}, made["secret"], algorithm="HS256")
        return ask(Session(server), node, "POST", f"/api/widget/{shop}/identity", {"token": token}, expect, Origin=page)

    show(other, 200)
    ask(owner, there, "DELETE", f"{path}/secrets/{made['id']}", expect=204)
    for node in nodes(server):
        show(node, 403)
    ask(owner, there, "PUT", path, {"isOn": False, "origins": [page], "greetings": []})
    for node in nodes(server):
        assert Session(server).get(f"{node}/api/widget/{shop}", headers={"Origin": page}, timeout=20).status_code in (403, 404)


def test_a_key_of_a_bot_that_was_replaced_or_revoked_is_refused_by_every_node(server, owner, shop, ways):
    there, other = ways
    name = f"bot {uuid.uuid4()}"
    program = Session(server, server.make_key(shop, name=name))
    [made] = [one["id"] for one in ask(owner, there, "GET", f"/api/businesses/{shop}/keys").json()["data"] if one["name"] == name]
    bot = ask(owner, there, "POST", f"/api/businesses/{shop}/bots", {"name": name, "key": made, "answerSeconds": 600}, 201).json()
    talk = Customer(server, shop).say("Hello")["message"]["conversation"]
    path = f"/api/conversations/{talk}"
    ask(owner, there, "POST", f"{path}/control", {"action": "pass", "to": {"type": "bot", "id": bot["id"]}})
    ask(program, other, "POST", f"{path}/messages", {"type": "text", "body": "Hello"}, 201)
    ask(owner, there, "POST", f"{path}/control", {"action": "take"})
    for node in nodes(server):
        assert ask(program, node, "POST", f"{path}/messages", {"type": "text", "body": "Hello"}, 409).json()["code"] == "not_in_control"
    ask(owner, there, "PATCH", f"/api/businesses/{shop}/bots/{bot['id']}", {"retired": True})
    following = ask(owner, there, "POST", f"/api/keys/{made}/replacement", {"overlapSeconds": 0}, 201).json()
    for node in nodes(server):
        ask(program, node, "GET", "/api/businesses", expect=401)
    after = Session(server, following["secret"])
    ask(after, other, "GET", "/api/businesses")
    ask(owner, there, "DELETE", f"/api/keys/{following['key']['id']}", expect=204)
    for node in nodes(server):
        ask(after, node, "GET", "/api/businesses", expect=401)


def test_a_link_of_entry_that_one_node_removed_counts_at_no_node(server, owner, shop, ways):
    there, other = ways
    path = f"/api/businesses/{shop}/links"
    made = ask(owner, there, "POST", path, {"label": "Window", "intent": "order", "body": "Hi"}, 201).json()
    page = f"{path}/{made['id']}/qr.svg"
    ask(owner, other, "GET", page)
    ask(owner, there, "DELETE", f"{path}/{made['id']}", expect=204)
    for node in nodes(server):
        ask(owner, node, "GET", page, expect=404)


def test_a_customer_who_leaves_or_is_blocked_at_one_node_is_refused_by_every_node(server, owner, shop, ways):
    there, other = ways
    phone = Customer(server, shop)
    talk = phone.say("Hello")["message"]["conversation"]
    words = {"id": str(uuid.uuid4()), "text": "Again"}
    ask(owner, there, "POST", f"/api/businesses/{shop}/contacts/{talk}/block")
    for node in nodes(server):
        ask(phone, node, "POST", f"/api/phone/{shop}/messages", {**words, "id": str(uuid.uuid4())}, 403)
    ask(owner, other, "POST", f"/api/businesses/{shop}/contacts/{talk}/unblock")
    for node in nodes(server):
        ask(phone, node, "POST", f"/api/phone/{shop}/messages", {**words, "id": str(uuid.uuid4())}, 201)


def test_a_business_that_comes_to_require_a_second_factor_is_closed_at_every_node_to_who_has_none(server, shop, ways, owner):
    there, other = ways
    chief = member(server, owner, shop, there)
    # Who owns no business may make none.
    ask(owner, there, "PATCH", f"/api/businesses/{shop}/members/{chief.agent}", {"role": "owner"})
    made = ask(chief, there, "POST", "/api/businesses", {"name": f"B {uuid.uuid4()}"[:30]}, 201).json()["id"]
    path = f"/api/businesses/{made}"
    ben = member(server, chief, made, other)
    app = App(ask(chief, there, "POST", FACTOR, {"password": PASSWORD}, 201).json()["secret"])
    ask(chief, there, "POST", f"{FACTOR}/confirmation", {"code": app.code()})
    for node in nodes(server):
        ask(ben, node, "GET", path)
    ask(chief, there, "PATCH", path, {"requiresSecondFactor": True})
    for node in nodes(server):
        ask(ben, node, "GET", path, expect=404)
        ask(chief, node, "GET", path)
    own = App(ask(ben, other, "POST", FACTOR, {"password": PASSWORD}, 201).json()["secret"])
    ask(ben, other, "POST", f"{FACTOR}/confirmation", {"code": own.code()})
    for node in nodes(server):
        ask(ben, node, "GET", path)
