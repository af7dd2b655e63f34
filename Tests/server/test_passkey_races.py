"""What a request that began before a person set a new password may still do, and what a password alone may prepare."""

import json
import socket
import threading
import time

import pytest
from support.authenticator import App
from support.mail import MailServer
from support.passkey import Passkey
from support.server import PASSWORD, Installation, Session
from test_passkeys import add, ask, join, sign_in

NEW = "another horse battery staple 7"


@pytest.fixture(scope="module")
def mail():
    with MailServer() as one:
        yield one


@pytest.fixture(scope="module")
def server(mail):
    with Installation(
            *mail.flags(), "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000") as one:
        one.numbers, one.url = one.url, f"http://localhost:{one.port}"
        one.owner = one.make_owner()
        one.business = next(each for each in one.owner.fetch("/api/businesses")["data"] if not each["isSandbox"])["id"]
        yield one


class Slow:
    """A request whose head has been judged, and whose body comes later."""

    def __init__(self, session, method, path, body):
        self.body = json.dumps(body).encode()
        cookies = "; ".join(f"{one.name}={one.value}" for one in session.cookies)
        self.socket = socket.create_connection(("127.0.0.1", session.server.port), timeout=20)
        self.socket.sendall((
            f"{method} {path} HTTP/1.1\r\nHost: localhost:{session.server.port}\r\nOrigin: {session.server.url}\r\nCookie: {cookies}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        ).encode())
        # The server asks for the body of a caller whom it knows.
        assert self.socket.recv(65_536).startswith(b"HTTP/1.1 100 ")

    def finish(self):
        """Sends the body; the status, and the head of the answer."""
        self.socket.sendall(self.body)
        got = b""
        while piece := self.socket.recv(65_536):
            got += piece
        head = got.split(b"\r\n\r\n")[0].decode()
        return int(head.split()[1]), head


def link_of(server, mail, email):
    """The token of a link to a new password."""
    Session(server).post("/api/session/password-links", {"email": email}, 202)
    deadline = time.monotonic() + 20
    while True:
        found = [one for one in list(mail.got) if one.to == [email] and one.mail["Subject"] == "Set a new password"]
        if found:
            return found[-1].links[0]
        assert time.monotonic() < deadline, [(one.to, one.mail["Subject"]) for one in mail.got]
        time.sleep(0.05)


def reset(server, mail, email, expect=201):
    """The session of a person who sets a new password by a link."""
    token = link_of(server, mail, email)
    session = Session(server)
    session.post("/api/invitations/accept", {"token": token, "name": "Back", "password": NEW}, expect)
    return session


def test_no_passkey_is_added_in_a_session_that_a_link_ended_meanwhile(server, mail):
    thief = join(server, "Gus")
    passkey = Passkey(server.url)
    options = thief.post("/api/session/passkeys/options", {"password": PASSWORD})
    slow = Slow(thief, "POST", "/api/session/passkeys", passkey.made(options, "Thief"))
    person = reset(server, mail, thief.email)
    status, head = slow.finish()
    assert person.fetch("/api/session/passkeys")["passkeys"] == []
    assert status == 401 and "et-cookie" not in head
    sign_in(server, passkey, 401)


def test_no_second_factor_is_confirmed_in_a_session_that_a_link_ended_meanwhile(server, mail):
    thief = join(server, "Max")
    app = App(thief.post("/api/session/second-factor", {"password": PASSWORD}, 201)["secret"])
    slow = Slow(thief, "POST", "/api/session/second-factor/confirmation", {"code": app.code()})
    person = reset(server, mail, thief.email)
    status, _ = slow.finish()
    assert person.request("GET", server.url + "/api/session").status_code == 200
    assert not person.fetch("/api/session/second-factor")["isActive"] and status == 409


def guarded(server, name):
    """A business whose members need a second factor or a passkey; its owner has one."""
    made = server.owner.post("/api/businesses", {"name": name, "colour": "#336699", "mode": "test"}, expect=201)["id"]
    if not server.owner.fetch("/api/session/second-factor")["isActive"]:
        app = App(server.owner.post("/api/session/second-factor", {"password": PASSWORD}, 201)["secret"])
        server.owner.post("/api/session/second-factor/confirmation", {"code": app.code()})
    server.owner.call("PATCH", f"/api/businesses/{made}", {"requiresSecondFactor": True})
    return made


def by_password(server, email, password=PASSWORD):
    """A session of the person's that shows the password alone."""
    session = Session(server)
    session.post("/api/session", {"email": email, "password": password})
    return session


def test_a_code_that_was_begun_before_a_passkey_came_opens_nothing_to_the_password(server):
    made = guarded(server, "Vault one")
    person = join(server, "Hal", made)
    thief = by_password(server, person.email)
    app = App(thief.post("/api/session/second-factor", {"password": PASSWORD}, 201)["secret"])
    passkey = Passkey(server.url)
    add(person, passkey)
    assert thief.fetch("/api/session/second-factor")["passkeyNeeded"]
    got = thief.request("POST", server.url + "/api/session/second-factor/confirmation", json={"code": app.code()})
    assert got.status_code == 403 and got.json()["type"].endswith("passkey_required")


def test_a_passkey_that_was_begun_before_another_came_opens_nothing_to_the_password(server):
    made = guarded(server, "Vault two")
    person = join(server, "Ian", made)
    thief = by_password(server, person.email)
    other = Passkey(server.url)
    options = thief.post("/api/session/passkeys/options", {"password": PASSWORD})
    add(person, Passkey(server.url))
    got = thief.request("POST", server.url + "/api/session/passkeys", json=other.made(options, "Thief"))
    assert got.status_code == 403


def test_who_changes_the_password_in_a_session_by_passkey_keeps_what_it_opens(server):
    made = guarded(server, "Vault three")
    person = join(server, "Jo", made)
    passkey = Passkey(server.url)
    add(person, passkey)
    person = sign_in(server, passkey)
    assert person.fetch("/api/session")["businesses"]
    got = person.call("PUT", "/api/session/password", {"password": PASSWORD, "newPassword": NEW}).json()
    assert got["businesses"] and person.fetch("/api/session")["businesses"]


def test_refused_passkeys_fill_no_log(server):
    before = server.log_text().count("passkey_refused")
    body = {"id": "A" * 43, "clientDataJSON": "e30", "authenticatorData": "A" * 60, "signature": "A" * 20, "userHandle": "A" * 22}
    for _ in range(300):
        assert Session(server).request("POST", server.url + "/api/session/passkey", json=body).status_code == 401
    assert server.log_text().count("passkey_refused") - before < 10


def test_one_link_used_twice_at_once_and_sign_ins_beside_it(server, mail):
    """A link used by several at once sets one password; no session or passkey of before survives."""
    for turn in range(6):
        person = join(server, f"Kim{turn}")
        passkey = Passkey(server.url)
        add(person, passkey)
        token = link_of(server, mail, person.email)
        sessions, statuses, stop = [], [], threading.Event()

        def enter():
            while not stop.is_set():
                session = Session(server)
                got = session.request("POST", server.url + "/api/session/passkey", json=passkey.answer(ask(server)))
                if got.status_code == 200:
                    sessions.append(session)

        def use(n):
            got = Session(server).request("POST", server.url + "/api/invitations/accept", json={
                "token": token, "name": f"New {n}", "password": f"{NEW} {n}"}, timeout=30)
            statuses.append(got.status_code)

        def own():
            got = person.request("PUT", server.url + "/api/session/password", json={"password": PASSWORD, "newPassword": NEW + " own"}, timeout=30)
            if got.status_code == 200:
                sessions.append(person)

        threads = [threading.Thread(target=enter) for _ in range(3)] + [threading.Thread(target=use, args=(n,)) for n in range(3)]
        if turn % 2:
            threads.append(threading.Thread(target=own))
        for one in threads:
            one.start()
        for one in threads[3:]:
            one.join(60)
        stop.set()
        for one in threads:
            one.join(60)
        assert sorted(statuses)[0] in (201, 401) and statuses.count(201) <= 1
        if 201 in statuses:
            alive = [one for one in sessions if one.request("GET", server.url + "/api/session").status_code == 200]
            assert not alive
            sign_in(server, passkey, 401)


def test_the_operator_lets_in_again_who_lost_the_only_passkey(server):
    made = guarded(server, "Vault four")
    person = join(server, "Lee", made)
    add(person, Passkey(server.url))
    alone = by_password(server, person.email)
    alone.post("/api/session/second-factor", {"password": PASSWORD}, 403)
    done = server.command("second-factor", "remove", person.email, check=False)
    assert done.returncode == 0
    assert by_password(server, person.email).fetch("/api/session/passkeys")["passkeys"] == []
