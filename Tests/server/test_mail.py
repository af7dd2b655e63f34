"""E-mails of the server, through a mail server of another make: what is sent, to whom, and what happens when it cannot be."""

import re
import subprocess
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from support.binary import BINARY
from support.certificates import make_certificate
from support.mail import PASSWORD as SECRET
from support.mail import SENDER, USER, MailServer
from support.server import PASSWORD, Installation, Session
from support.waiting import until

NEW = "seven green lanterns in a row"


class Office:
    """A server that sends e-mails, its owner and its live business."""

    def __init__(self, mail, server):
        self.mail, self.server = mail, server
        self.owner = server.make_owner()
        self.business = next(one for one in self.owner.fetch("/api/businesses")["data"] if not one["isSandbox"])["id"]

    def invite(self, email, **more):
        """The answer to an invitation."""
        return self.owner.post(f"/api/businesses/{self.business}/members", {"email": email, "role": "agent", **more}, 201)

    def join(self, email, name, password=PASSWORD):
        """An account with a password; its session."""
        session = Session(self.server)
        token = self.invite(email)["invitationUrl"].rsplit("=", 1)[-1]
        session.post("/api/invitations/accept", {"token": token, "name": name, "password": password, "separate": True}, 201)
        return session

    def ask(self, email, **more):
        """Asks for a link to a new password, without being signed in."""
        return Session(self.server).post("/api/session/password-links", {"email": email, **more}, 202)

    def pass_all(self):
        """Waits until each node has sent what it was asked for before: it sends one after the other."""
        last = [f"last-{uuid.uuid4()}@example.com" for _ in self.server.ports]
        for address in last:
            self.join(address, "Last")
        for address in last:
            self.ask(address)
        end = time.monotonic() + 30
        while not all(len(self.sent_to(address)) == 2 for address in last):
            assert time.monotonic() < end, [one.to for one in self.mail.got]
            time.sleep(0.05)

    def sent_to(self, address):
        """The subjects of the e-mails to an address."""
        return [one.mail["Subject"] for one in self.mail.got if one.to == [address]]


@pytest.fixture
def office():
    with MailServer() as mail, Installation(*mail.flags(sender="Tea shop <desk@example.com>")) as server:
        yield Office(mail, server)


def test_an_invitation_is_sent_and_its_link_makes_a_member(office):
    made = office.invite("ben@example.com")
    assert made["mail"] == "sent"
    [got] = office.mail.got
    assert (got.sender, got.to) == (SENDER, ["ben@example.com"])
    assert got.links == [made["invitationUrl"].rsplit("=", 1)[-1]]
    assert got.mail["From"].addresses[0].display_name == "Tea shop" and got.mail["To"] == "ben@example.com"
    assert got.mail["Auto-Submitted"] == "auto-generated" and got.mail["Message-ID"].endswith("@example.com>")
    assert abs(got.mail["Date"].datetime.timestamp() - time.time()) < 120
    Session(office.server).post("/api/invitations/accept", {"token": got.links[0], "name": "Ben", "password": PASSWORD}, 201)


def test_names_of_every_script_arrive_as_they_are_and_end_no_header(office):
    name = '緑茶の店 "Grün" =?UTF-8?Q?=41?= ' + "長" * 20
    office.owner.call("PATCH", f"/api/businesses/{office.business}", {"name": name})
    office.invite("ben@example.com", language="ja")
    office.invite("cai@example.com", language="en")
    japanese, english = office.mail.wait(2)
    assert name in japanese.text and "招待" in japanese.mail["Subject"] and japanese.mail["Content-Language"] == "ja"
    assert name in english.text and english.mail["Subject"].endswith(f"invites you to {name}")
    for got in office.mail.got:
        assert not got.mail.defects and len(got.links) == 1
        assert max(len(line) for line in got.mail.as_bytes().splitlines()) <= 998


def test_a_forgotten_password_is_replaced_by_the_link_that_is_sent(office):
    office.join("ben@example.com", "Ben")
    assert office.ask("Ben@Example.com")["minutes"] == 30
    got = office.mail.wait(2)[-1]
    assert got.to == ["ben@example.com"] and "30 minutes" in got.text
    [token] = got.links
    opened = Session(office.server).post("/api/invitations/open", {"token": token})
    assert (opened["kind"], opened["email"]) == ("password", "ben@example.com")
    session = Session(office.server)
    session.post("/api/invitations/accept", {"token": token, "name": "Ben", "password": NEW, "language": "ja"}, 201)
    # Its person learns of it, and the link works once.
    assert office.mail.wait(3)[-1].mail["Subject"] == "パスワードが変更されました"
    session.post("/api/invitations/accept", {"token": token, "name": "Ben", "password": NEW + "s"}, 401)
    Session(office.server).post("/api/session", {"email": "ben@example.com", "password": NEW})
    Session(office.server).post("/api/session", {"email": "ben@example.com", "password": PASSWORD}, 401)


def test_whether_an_account_has_the_address_is_not_said(office):
    office.join("ben@example.com", "Ben")
    answers = []
    for email in ("ben@example.com", "nobody-here@example.com"):
        answer = Session(office.server).request(
            "POST", office.server.url + "/api/session/password-links", json={"email": email})
        answers.append((answer.status_code, answer.json()))
    assert answers[0] == answers[1] == (202, {"minutes": 30})
    office.pass_all()
    assert office.sent_to("ben@example.com")[1:] == ["Set a new password"] and not office.sent_to("nobody-here@example.com")


def test_an_address_with_several_accounts_gets_a_link_for_each_with_what_it_is(office):
    office.join("ben@example.com", "Ben")
    office.business = office.owner.post("/api/businesses", {"name": "Coffee shop", "mode": "test"}, 201)["id"]
    office.join("ben@example.com", "Benjamin", NEW)
    office.ask("ben@example.com")
    got = office.mail.wait(3)[-1]
    names = [Session(office.server).post("/api/invitations/open", {"token": token})["name"] for token in got.links]
    assert sorted(names) == ["Ben", "Benjamin"]
    assert "Ben (My business)\n" in got.text and "Benjamin (Coffee shop)\n" in got.text


def test_an_address_gets_five_in_an_hour_and_a_network_asks_for_twenty(office):
    office.join("ben@example.com", "Ben")
    for _ in range(6):
        office.ask("ben@example.com")
    office.pass_all()
    sent = office.sent_to("ben@example.com")[1:]
    # Nodes count together a moment later: until then the sixth may be the other one's third.
    assert set(sent) == {"Set a new password"} and len(sent) in (range(5, 6) if len(office.server.ports) == 1 else range(5, 7))
    # Who looks for the e-mail that did not come finds why, though not to whom.
    assert 'kind=new_password detail="the address had 5 of this kind in an hour"' in office.server.log_text() or len(office.server.ports) > 1
    invited = [office.invite("eve@example.com")["mail"] for _ in range(6)]
    assert invited[:5] == ["sent"] * 5 and (invited[5] == "limited" or len(office.server.ports) > 1)
    # In the same way each lets twenty through.
    left = 14 - len(office.server.ports)
    most = left + 20 * (len(office.server.ports) - 1)
    for number in range(most + 1):
        answer = Session(office.server).request(
            "POST", office.server.url + "/api/session/password-links", json={"email": f"someone-{number}@example.com"})
        assert answer.status_code == (202 if number < left else answer.status_code)
        if answer.status_code == 429:
            break
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 60


def test_an_e_mail_that_is_refused_is_said_and_one_that_comes_too_early_is_sent_later(office):
    office.mail.answers = ["550 no such person"]
    assert office.invite("ben@example.com")["mail"] == "failed"
    office.join("cai@example.com", "Cai")
    office.mail.answers = ["451 try again later"]
    office.ask("cai@example.com")
    assert office.mail.wait(2)[-1].to == ["cai@example.com"]
    texts = [requests.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text for port in office.server.ports]
    counted = {
        result: sum(float(re.search(rf'frontdesk_mails_total{{result="{result}"}} (\S+)', text).group(1)) for text in texts)
        for result in ("failed", "sent")}
    assert counted == {"failed": 1, "sent": 2}


def test_a_mail_server_that_hangs_holds_up_no_answer_and_no_other_person(office):
    office.mail.silent = True
    begin = time.monotonic()
    office.ask("ada@example.com")
    office.ask("ada@example.com")
    office.owner.fetch("/api/session")
    assert time.monotonic() - begin < 5
    office.mail.silent = False
    assert office.mail.wait(2)[-1].to == ["ada@example.com"]


def test_an_invitation_beyond_those_that_wait_for_the_mail_server_is_in_the_log(office):
    office.mail.silent = True
    nodes = len(office.server.ports)
    with ThreadPoolExecutor(9 * nodes) as pool:
        asked = [pool.submit(office.invite, f"person-{number}@example.com") for number in range(9 * nodes)]
        until(office.server.log_text, lambda text: text.count('kind=invitation detail="too many wait for the mail server"') == nodes)
        office.mail.silent = False
        assert sorted(one.result()["mail"] for one in asked) == ["failed"] * nodes + ["sent"] * 8 * nodes


def test_a_mail_server_that_has_accepted_an_e_mail_holds_no_one_up_by_not_parting(office):
    office.mail.stays = True
    assert [office.invite(f"{name}@example.com")["mail"] for name in ("ben", "cai")] == ["sent", "sent"]
    office.mail.answers = ["550 no such person"]
    assert office.invite("dan@example.com")["mail"] == "failed"
    office.ask("ada@example.com")
    office.ask("ada@example.com")
    assert [one.to for one in office.mail.wait(4, seconds=15)[2:]] == [["ada@example.com"]] * 2


def test_who_asks_for_many_links_keeps_no_invitation_and_no_word_of_a_new_password_back(office):
    ben = office.join("ben@example.com", "Ben")
    for _ in range(6):
        office.ask("ben@example.com")
    office.pass_all()
    ben.call("PUT", "/api/session/password", {"password": PASSWORD, "newPassword": NEW})
    office.pass_all()
    assert office.sent_to("ben@example.com")[-1] == "Your password was changed"
    office.business = office.owner.post("/api/businesses", {"name": "Coffee shop", "mode": "test"}, 201)["id"]
    assert office.invite("ben@example.com")["mail"] == "sent"


def test_an_address_that_is_not_of_ascii_is_not_written_to(office):
    assert office.invite("日本@例え.テスト")["mail"] == "failed"
    assert not office.mail.got


def test_without_a_mail_server_nothing_is_offered():
    with Installation() as server:
        owner = server.make_owner()
        business = owner.fetch("/api/businesses")["data"][0]["id"]
        made = owner.post(f"/api/businesses/{business}/members", {"email": "ben@example.com", "role": "agent"}, 201)
        assert made["mail"] is None
        assert Session(server).fetch("/api/session/sso")["passwordLinks"] is False
        Session(server).post("/api/session/password-links", {"email": "ben@example.com"}, 404)


def send_test(*flags):
    """A run of the command that sends a test e-mail."""
    return subprocess.run([BINARY, "mail", "test", "ada@example.com", *flags], capture_output=True, text=True)


@pytest.mark.parametrize("starttls", [False, True])
def test_who_signs_in_to_the_mail_server_does_so_over_tls(tmp_path, starttls):
    # An address of this machine that is not known as one: STARTTLS is for others'.
    certificate = make_certificate(tmp_path, "mail", names="IP:0.0.0.0")
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n")
    with MailServer(certificate, starttls=starttls, signs_in=True) as mail:
        flags = [*mail.flags("0.0.0.0"), "--mail-user", USER, "--mail-password-file", str(secret), "--mail-ca-file", str(certificate[0])]
        done = send_test(*flags)
        assert done.returncode == 0, done.stderr
        [got] = mail.got
        assert got.is_encrypted and got.is_signed_in and got.to == ["ada@example.com"] and got.greeting == "example.com"
        secret.write_text("wrong\n")
        refused = send_test(*flags)
        assert refused.returncode == 1 and "denied" in refused.stderr.lower() and "wrong" not in refused.stderr


def test_another_machine_that_offers_no_tls_gets_nothing(tmp_path):
    with MailServer() as mail:
        done = send_test(*mail.flags("0.0.0.0"))
        assert done.returncode == 1 and "STARTTLS" in done.stderr and not mail.got, done.stderr


def test_a_certificate_that_is_not_trusted_is_refused(tmp_path):
    certificate = make_certificate(tmp_path, "localhost")
    with MailServer(certificate) as mail:
        done = send_test(*mail.flags("localhost"))
        assert done.returncode == 1 and "certificate" in done.stderr and not mail.got


def test_a_mail_server_that_refuses_the_text_is_named_with_its_code():
    with MailServer() as mail:
        mail.answers = ["554 5.7.1 looks like an advertisement"]
        done = send_test(*mail.flags())
        assert done.returncode == 1 and "the e-mail was refused: 554" in done.stderr and not mail.got


def test_a_mail_server_that_ends_the_connection_is_said_to_have_done_so():
    with MailServer() as mail:
        mail.answers = [None]
        done = send_test(*mail.flags())
        assert done.returncode == 1 and "ended the connection" in done.stderr and not mail.got, done.stderr


@pytest.mark.parametrize("flags, words", [
    (["--mail-from", "desk@example.com"], "--mail-from needs --mail-server"),
    (["--mail-server", "mail.example.com"], "begins with smtps:// or smtp://"),
    (["--mail-server", "smtp://mail.example.com/x", "--mail-from", "desk@example.com"], "begins with smtps:// or smtp://"),
    (["--mail-server", "smtps://mail.example.com"], "--mail-from is needed"),
    (["--mail-server", "smtps://mail.example.com", "--mail-from", "desk"], "--mail-from takes an e-mail address"),
    (["--mail-server", "smtps://mail.example.com", "--mail-from", "desk@example.com\r\nBcc: a@b"], "--mail-from takes an e-mail address"),
    (["--mail-server", "smtps://mail.example.com", "--mail-from", "desk@example.com", "--mail-user", "desk"], "belong together"),
    (["--mail-server", "smtps://mail.example.com", "--mail-from", "desk@example.com", "--mail-ca-file", "/none.pem"], "/none.pem"),
])
def test_a_wrong_configuration_is_refused_with_what_to_do(tmp_path, flags, words):
    for command in (["serve", "--check", "--data", str(tmp_path / "data")], ["mail", "test", "ada@example.com"]):
        done = subprocess.run([BINARY, *command, *flags], capture_output=True, text=True)
        assert done.returncode == 2 and words in done.stderr, done.stderr


def test_nothing_of_an_e_mail_is_in_the_log(office):
    office.join("ben@example.com", "Ben")
    office.ask("ben@example.com")
    office.mail.wait(2)
    log = office.server.log_text()
    assert re.search(r"mail_sent kind=invitation", log) and re.search(r"mail_sent kind=new_password", log)
    for secret in ["ben@example.com", *[token for got in office.mail.got for token in got.links]]:
        assert secret not in log
