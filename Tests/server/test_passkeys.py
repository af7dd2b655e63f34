"""Passkeys over sockets: each kind of key, one answer at two nodes, a restart, and the e-mail to the person."""

import threading

import pytest
from support.mail import MailServer
from support.passkey import Passkey
from support.server import PASSWORD, Installation, Session


@pytest.fixture(scope="module")
def mail():
    with MailServer() as one:
        yield one


@pytest.fixture(scope="module")
def server(mail):
    with Installation(
            *mail.flags(), "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000") as one:
        # Where passkeys work without TLS.
        one.numbers, one.url = one.url, f"http://localhost:{one.port}"
        one.owner = one.make_owner()
        one.business = next(each for each in one.owner.fetch("/api/businesses")["data"] if not each["isSandbox"])["id"]
        yield one


def join(server, name, business=None):
    """A member with an account; the session that it began."""
    session = Session(server)
    session.email = f"{name.lower()}@example.com"
    made = server.owner.post(f"/api/businesses/{business or server.business}/members", {"email": session.email, "role": "agent"}, 201)
    session.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": name, "password": PASSWORD}, 201)
    return session


def add(session, passkey, name="Phone"):
    """Adds a passkey to the person's account."""
    options = session.post("/api/session/passkeys/options", {"password": PASSWORD})
    return session.post("/api/session/passkeys", passkey.made(options, name), 201)


def ask(server):
    """The options of a sign-in."""
    return Session(server).post("/api/session/passkey/options", {})


def sign_in(server, passkey, expect=200, options=None):
    """Signs in with a passkey in another browser."""
    session = Session(server)
    session.post("/api/session/passkey", passkey.answer(options or ask(server)), expect)
    return session


@pytest.mark.parametrize("algorithm", sorted(Passkey.kinds))
def test_a_passkey_of_each_kind_signs_its_person_in(server, algorithm):
    person = join(server, f"Ada{-algorithm}")
    passkey = Passkey(server.url, algorithm)
    made = add(person, passkey)
    assert made["host"] == "localhost" and made["usedAt"] is None
    assert sign_in(server, passkey).fetch("/api/session")["agent"]["email"] == person.email
    assert person.fetch("/api/session/passkeys")["passkeys"][0]["usedAt"]
    other = Passkey(server.url, algorithm)
    other.id, other.handle = passkey.id, passkey.handle
    sign_in(server, other, 401)


def test_of_many_requests_with_one_answer_one_signs_in(server):
    person = join(server, "Ben")
    passkey = Passkey(server.url)
    add(person, passkey)
    answer = passkey.answer(ask(server))
    statuses = []

    def send():
        got = Session(server).request("POST", server.url + "/api/session/passkey", json=answer, timeout=20)
        statuses.append(got.status_code)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert sorted(statuses) == [200] + [401] * 7


def test_a_passkey_outlives_a_restart_and_a_challenge_too(server):
    person = join(server, "Cai")
    passkey = Passkey(server.url)
    add(person, passkey)
    options = ask(server)
    for node in range(server.node_count):
        server.kill_node(node)
        server.start_node(node)
    sign_in(server, passkey, options=options)
    sign_in(server, passkey, 401, options=options)
    sign_in(server, passkey)


def test_the_person_learns_of_a_new_passkey_by_e_mail_and_its_name_starts_no_header(server, mail):
    person = join(server, "Dee")
    mail.got = []
    add(person, Passkey(server.url), "Phone “of” <Dee>")
    (got,) = mail.wait(1)
    assert got.to == [person.email] and got.mail["Subject"] == "A passkey was added to your account"
    assert "Phone “of” <Dee>" in got.text and server.numbers in got.text
    refused = person.post("/api/session/passkeys", {**Passkey(server.url).made(
        person.post("/api/session/passkeys/options", {"password": PASSWORD}), "a\r\nBcc: b@example.com")},
        422)
    assert refused["errors"][0]["pointer"] == "/name"


def test_the_audit_log_says_who_added_and_removed_one(server):
    person = join(server, "Eve")
    made = add(person, Passkey(server.url), "Key of Eve")
    person.call("DELETE", f"/api/session/passkeys/{made['id']}", expect=204)
    for kind in ("passkey_added", "passkey_removed"):
        records = server.owner.fetch(f"/api/businesses/{server.business}/audit?filter%5Bkind%5D={kind}")["data"]
        assert records[0]["author"]["name"] == "Eve"


def test_no_passkey_works_at_an_address_of_numbers(server):
    there, server.url = server.url, server.numbers
    try:
        assert Session(server).fetch("/api/session/sso")["passkeys"] is None
        refused = Session(server).post("/api/session/passkey/options", {}, 403)
        assert "https" in refused["detail"]
    finally:
        server.url = there
