"""Agents whose second factor is a passkey alone, and browsers that are notified."""

import pytest
from support.authenticator import App
from support.passkey import Passkey
from support.push import Browser
from support.server import PASSWORD, Customer, Session
from test_agent_push import PUSH, company, service


@pytest.mark.one_process
def test_a_passkey_alone_is_a_second_factor_in_browsers_that_it_signed_in_to(company):
    server, shop, ada, ben = company
    # Where passkeys work without TLS; the owner has a second factor.
    server.url = f"http://localhost:{server.port}"
    ada.session = Session(server)
    ada.session.post("/api/session", {"email": "ada@example.com", "password": PASSWORD})
    secret = ada.session.post("/api/session/second-factor", {"password": PASSWORD}, 201)["secret"]
    ada.session.post("/api/session/second-factor/confirmation", {"code": App(secret).code()})
    ben.session = Session(server)
    ben.session.post("/api/session", {"email": ben.email, "password": PASSWORD})
    key = Passkey(server.url)
    options = ben.session.post("/api/session/passkeys/options", {"password": PASSWORD})
    added = ben.session.post("/api/session/passkeys", key.made(options, "Phone"), 201)
    other, password = Browser(ben.service), Session(server)
    password.post("/api/session", {"email": ben.email, "password": PASSWORD})
    password.call("PUT", PUSH, {**other.subscription, "zone": "Europe/Berlin"}, 204)
    ben.session = Session(server)
    ben.session.post("/api/session/passkey", key.answer(Session(server).post("/api/session/passkey/options", {})))
    ben.put()
    ada.session.call("PATCH", f"/api/businesses/{shop['id']}", {"requiresSecondFactor": True})
    Customer(server, shop["id"]).say("First")
    ben.wait(1)
    ben.session.call("DELETE", f"/api/session/passkeys/{added['id']}", expect=204)
    ada.put()
    Customer(server, shop["id"]).say("Second")
    ada.wait(1)
    assert len(ben.pushed) == 1
    assert not [one for one in ben.service.pushed if one.path == other.path]
