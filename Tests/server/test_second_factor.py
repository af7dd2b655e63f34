"""A second factor from outside: an app of one's own, two sign-ins at once, a restart, the operator's command."""

import concurrent.futures
import json
import re
import time

import pytest
from support.authenticator import App, code_at
from support.server import PASSWORD, Installation, Session

FACTOR = "/api/session/second-factor"
EMAIL = "ada@example.com"


def set_up(session):
    """Sets a second factor up; the app and the recovery codes."""
    app = App(session.post(FACTOR, {"password": PASSWORD}, 201)["secret"])
    return app, session.post(f"{FACTOR}/confirmation", {"code": app.code()})["recoveryCodes"]


def sign_in(server, expect=200, **more):
    """Signs the owner in."""
    return Session(server).post("/api/session", {"email": EMAIL, "password": PASSWORD, **more}, expect)


@pytest.fixture
def server():
    with Installation() as server:
        yield server


def test_a_code_signs_in_once_however_many_send_it_at_once(server):
    owner = server.make_owner()
    app, recovery = set_up(owner)
    assert sign_in(server, 401)["code"] == "second_factor_required"
    assert sign_in(server, 401, code="000000")["code"] == "wrong_code"

    def try_it(code):
        return Session(server).request(
            "POST", f"{server.url}/api/session", timeout=60, headers={"Content-Type": "application/json"},
            data=json.dumps({"email": EMAIL, "password": PASSWORD, "code": code})).status_code

    for code in (app.code(), recovery[0]):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(try_it, [code] * 4))
        assert answers.count(200) == 1, answers
    assert not any(secret in server.log_text() for secret in (app.secret, *recovery))


def test_a_device_that_signed_in_without_a_code_guesses_none_by_itself_later(server):
    owner = server.make_owner()
    early = [Session(server) for _ in range(2)]
    for session in early:
        session.post("/api/session", {"email": EMAIL, "password": PASSWORD})
    app, _ = set_up(owner)

    def guess(session):
        return session.request("POST", f"{server.url}/api/session", timeout=60, json={
            "email": EMAIL, "password": PASSWORD, "code": "000000"}).status_code

    # All of them together have the five free guesses of one, and its owner's browser is no such device.
    assert 429 in [guess(early[n % 2]) for n in range(9)]
    owner.post("/api/session", {"email": EMAIL, "password": PASSWORD, "code": app.code()})


def test_a_second_factor_outlives_a_restart_and_a_rotation_and_the_operator_removes_it(server):
    owner = server.make_owner()
    app, recovery = set_up(owner)
    assert "removed" in server.command("second-factor", "remove", EMAIL).stdout
    assert owner.fetch(FACTOR)["isActive"] is False
    app, recovery = set_up(owner)
    server.end()
    server.command("secrets", "rotate")
    server.start()
    assert sign_in(server, 401)["code"] == "second_factor_required"
    sign_in(server, code=app.code())
    # Without the key nothing of an app is right; what was written down still is.
    server.end()
    key = server.data / "encryption.key"
    key.rename(server.data / "away")
    server.command("secrets", "forget")
    server.start()
    refused = sign_in(server, 401, code=code_at(app.secret, int(time.time()) // 30))
    assert refused["code"] == "wrong_code" and "recovery code" in refused["detail"]
    sign_in(server, code=recovery[1])
    server.end()
    assert "removed" in server.command("second-factor", "remove", EMAIL).stdout
    assert server.command("second-factor", "remove", EMAIL, check=False).returncode == 1
    printed = server.command("audit", "--kind", "second_factor_removed").stdout
    assert len(re.findall("second_factor_removed  by command", printed)) == 2
    server.start()
    sign_in(server)


def test_a_stream_of_a_member_ends_when_the_business_comes_to_require_one(server):
    owner = server.make_owner()
    business = owner.fetch("/api/businesses")["data"][0]["id"]
    made = owner.post(f"/api/businesses/{business}/members", {"email": "ben@example.com", "role": "agent"}, 201)
    ben = Session(server)
    ben.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Ben", "password": PASSWORD}, 201)
    set_up(owner)
    stream = ben.get(f"{server.url}/api/events?business={business}", stream=True, timeout=60)
    assert stream.status_code == 200
    owner.call("PATCH", f"/api/businesses/{business}", {"requiresSecondFactor": True})
    begin = time.monotonic()
    for _ in stream.iter_content(1_024):
        pass
    assert time.monotonic() - begin < 30
    ben.fetch(f"/api/businesses/{business}", 404)
    assert ben.fetch("/api/session")["secondFactor"]["waiting"]
    set_up(ben)
    ben.fetch(f"/api/businesses/{business}")
    assert json.dumps(owner.fetch(f"/api/businesses/{business}/members")).count('"hasSecondFactor": true') == 2
