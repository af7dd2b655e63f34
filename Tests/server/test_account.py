"""What people change of their own account: the name, the password."""

import threading

import pytest
from support.mail import MailServer
from support.server import PASSWORD, Customer, Installation, Session

NEW = "seven green lanterns in a row"


@pytest.fixture(scope="module")
def server():
    with Installation("--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000") as one:
        one.owner = one.make_owner()
        one.business = next(each for each in one.owner.fetch("/api/businesses")["data"] if not each["isSandbox"])["id"]
        yield one


def join(server, name):
    """A member with an account; the session that it began."""
    session = Session(server)
    session.email = f"{name.lower()}@example.com"
    made = server.owner.post(f"/api/businesses/{server.business}/members", {"email": session.email, "role": "agent"}, 201)
    session.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": name, "password": PASSWORD}, 201)
    return session


def sign_in(server, email, password, expect=200):
    """Another browser of the person's."""
    session = Session(server)
    session.post("/api/session", {"email": email, "password": password}, expect)
    return session


def test_a_person_has_another_name_for_colleagues_at_once_also_at_what_was_said(server):
    ben = join(server, "Ben")
    customer = Customer(server, server.business)
    conversation = customer.say("Hello")["message"]["conversation"]
    sent = ben.post(f"/api/conversations/{conversation}/messages", {"v": 1, "type": "text", "body": "Hi"}, 201)
    assert ben.call("PATCH", "/api/session", {"name": "Benjamin"}).json()["agent"]["name"] == "Benjamin"
    assert ben.fetch("/api/session")["agent"]["name"] == "Benjamin"
    members = server.owner.fetch(f"/api/businesses/{server.business}/members")["data"]
    assert "Benjamin" in [one["name"] for one in members] and "Ben" not in [one["name"] for one in members]
    thread = server.owner.fetch(f"/api/conversations/{conversation}/messages")["data"]
    assert next(one for one in thread if one["id"] == sent["id"])["author"]["name"] == "Benjamin"
    records = server.owner.fetch(f"/api/businesses/{server.business}/audit?filter%5Bkind%5D=agent_saved")["data"]
    assert records[0]["author"]["id"] == records[0]["subject"]["id"]


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 101, None, 7])
def test_a_name_that_is_none_is_refused(server, name):
    session = server.owner
    refused = session.call("PATCH", "/api/session", {"name": name}, 422).json()
    assert refused["errors"][0]["pointer"] in ("/name", "")


def test_a_password_is_changed_by_who_has_it_and_all_other_sessions_end(server):
    cai = join(server, "Cai")
    elsewhere = sign_in(server, cai.email, PASSWORD)
    former = cai.cookies["fd"]
    cai.call("PUT", "/api/session/password", {"password": PASSWORD, "newPassword": NEW})
    assert cai.cookies["fd"] != former and cai.fetch("/api/session")["agent"]["name"] == "Cai"
    elsewhere.fetch("/api/session", 401)
    sign_in(server, cai.email, PASSWORD, 401)
    sign_in(server, cai.email, NEW)


@pytest.mark.parametrize("body, status, pointer", [
    ({"password": "not the password at all", "newPassword": NEW}, 403, None),
    ({"password": PASSWORD, "newPassword": "short"}, 422, "/newPassword"),
    ({"password": PASSWORD, "newPassword": "correct correct correct"}, 422, "/newPassword"),
    ({"password": PASSWORD, "newPassword": PASSWORD}, 422, None),
    ({"password": PASSWORD}, 422, ""),
    ({"newPassword": NEW}, 422, ""),
])
def test_a_change_of_the_password_that_is_refused_changes_nothing(server, body, status, pointer):
    dee = join(server, f"Dee-{abs(hash(str(body)))}")
    refused = dee.call("PUT", "/api/session/password", body, status).json()
    if pointer is not None:
        assert refused["errors"][0]["pointer"] == pointer
    for secret in (PASSWORD, NEW, "short"):
        assert secret not in str(refused)
    dee.fetch("/api/session")
    sign_in(server, dee.email, PASSWORD)


def test_guesses_of_the_password_by_a_session_are_slowed_down_as_at_the_sign_in(server):
    eve = join(server, "Eve")
    codes = []
    for _ in range(7):
        answer = eve.request("PUT", server.url + "/api/session/password", json={"password": "a wrong guess of it", "newPassword": NEW})
        codes.append(answer.status_code)
    assert codes[0] == 403 and codes[-1] == 429


def test_of_two_changes_at_once_one_wins(server):
    fay = join(server, "Fay")
    first, second = fay, sign_in(server, fay.email, PASSWORD)
    answers = {}

    def change(session, password):
        answer = session.request("PUT", server.url + "/api/session/password", json={"password": PASSWORD, "newPassword": password})
        answers[password] = answer.status_code
    words = [f"{NEW} one", f"{NEW} two"]
    threads = [threading.Thread(target=change, args=each) for each in zip((first, second), words)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    won = [password for password, status in answers.items() if status == 200]
    assert len(won) == 1 and set(answers.values()) <= {200, 401, 403}, answers
    sign_in(server, fay.email, won[0])
    sign_in(server, fay.email, next(one for one in words if one not in won), 401)


def test_a_name_that_is_saved_beside_a_new_password_gives_the_former_no_life(server):
    gil = join(server, "Gil")
    stop = threading.Event()
    other = sign_in(server, gil.email, PASSWORD)

    def rename():
        number = 0
        while not stop.is_set():
            number += 1
            other.request("PATCH", server.url + "/api/session", json={"name": f"Gil {number}"})
    thread = threading.Thread(target=rename)
    thread.start()
    gil.call("PUT", "/api/session/password", {"password": PASSWORD, "newPassword": NEW})
    stop.set()
    thread.join()
    sign_in(server, gil.email, PASSWORD, 401)
    sign_in(server, gil.email, NEW)


def test_the_person_who_reads_the_account_s_e_mails_learns_of_a_new_password():
    with MailServer() as mail, Installation(*mail.flags()) as server:
        owner = server.make_owner()
        owner.call("PUT", "/api/session/password", {"password": PASSWORD, "newPassword": NEW, "language": "ja"})
        assert mail.wait(1)[0].mail["Subject"] == "パスワードが変更されました"


def test_a_key_has_no_account_to_change(server):
    key = Session(server, server.make_key(server.business))
    key.call("PATCH", "/api/session", {"name": "Bot"}, 403)
    key.call("PUT", "/api/session/password", {"password": PASSWORD, "newPassword": NEW}, 403)
