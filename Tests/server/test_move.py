"""All data moves from a directory into a database and back, and everybody goes on where they were."""

import os
import re
import shutil
import sqlite3
import subprocess
import time

import pytest
from support.authenticator import App
from support.company import Company, email_of, sign_in
from support.postgres import shared
from support.s3 import S3Server, environment
from support.server import BINARY, PASSWORD, Customer, Installation, Session

FILE = bytes(range(256)) * 2_000


def move(*words, expect=0, variables=None):
    """Runs the command; what it says on both streams."""
    done = subprocess.run([str(BINARY), "move", *map(str, words)], capture_output=True, text=True,
                          timeout=300, check=False, env={**os.environ, **(variables or {})})
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


class Life:
    """What a business has before the move, and whether it is there afterwards."""

    def __init__(self, server):
        self.owner = server.make_owner()
        live = next(b for b in self.owner.fetch("/api/businesses")["data"] if not b["isSandbox"])
        self.key = server.make_key(live["id"])
        self.customer = Customer(server, live["id"])
        self.conversation = self.customer.say("Is the green tea fresh?")["message"]["conversation"]
        self.path = f"/api/conversations/{self.conversation}"
        self.files = f"/api/phone/{live['id']}/attachments"
        stored = self.customer.post(
            f"{self.files}?name=tea.bin", FILE, expect=201, headers={"Content-Type": "application/octet-stream"})
        self.attachment = stored["id"]
        self.customer.say("\ufffc", attachments=[self.attachment])
        self.said = self.answer()
        self.owner.post(f"{self.path}/notes", {"text": "asks every spring"}, expect=201)
        self.before = self.owner.fetch(f"{self.path}/messages")

    def answer(self):
        """Sends the one answer, by a program that repeats itself and gets the first result each time."""
        return self.owner.post(
            f"{self.path}/messages", {"type": "text", "body": "Harvested last week."},
            expect=201, headers={"Idempotency-Key": "the first answer"})

    def goes_on(self, server, said):
        """The same cookies, the same key, the same messages; a new one after them."""
        for one in (self.owner, self.customer):
            one.server = server
            if "Origin" in one.headers:
                one.headers["Origin"] = server.url
        after = self.owner.fetch(f"{self.path}/messages")
        assert after["data"][:len(self.before["data"])] == self.before["data"]
        assert after["head"].split("-")[0] != self.before["head"].split("-")[0]
        assert Session(server, key=self.key).fetch(f"{self.path}/messages")["data"] == after["data"]
        assert self.customer.call("GET", f"{self.files}/{self.attachment}").content == FILE
        assert self.answer() == self.said
        mine = self.customer.say(said)["message"]
        assert mine["conversation"] == self.conversation
        assert mine["sequence"] > after["data"][-1]["sequence"]
        self.before = self.owner.fetch(f"{self.path}/messages")


def test_a_business_moves_into_a_database_and_back(tmp_path):
    address = shared().make_schema()
    first, back = tmp_path / "first", tmp_path / "back"
    with Installation(data=first) as server:
        life = Life(server)
        refused = move("--data", server.data, "--to", address, expect=1)
        assert "works on" in refused and "end it first" in refused
        server.stop()
        moved = move("--data", server.data, "--to", address)
        # Nothing but the move had the directory: all of it was verified.
        assert "every row was compared" in moved and "a server runs" not in moved, moved
        left = subprocess.run([str(BINARY), "serve", "--data", str(server.data), "--listen", "127.0.0.1:0"],
                              capture_output=True, text=True, timeout=60, check=False)
        assert left.returncode == 1 and "was moved to the database" in left.stderr, left.stderr
        again = move("--data", server.data, "--to", address, expect=1)
        assert "was moved to the database" in again
    with Installation(data=first, database=address) as server:
        life.goes_on(server, "And the black one?")
        assert [one["conversation"] for one in found(life.owner, "green tea")] == [life.conversation]
        busy = move("--database", address, "--data", server.data, "--to", back / "data", expect=1)
        assert "stop every node first" in busy
        server.stop()
        back.mkdir()
        said = move("--database", address, "--data", server.data, "--to", back / "data")
        assert "all is whole" in said and "every row was compared" in said
        gone = move("--database", address, "--data", server.data, "--to", tmp_path / "more", expect=1)
        assert "was moved to the directory" in gone
    with Installation(data=back) as server:
        life.goes_on(server, "I take both.")
        assert "all is whole" in server.command("verify").stdout


def found(owner, query):
    """What the search finds once its index was built again."""
    deadline = time.monotonic() + 60
    while True:
        answer = owner.fetch("/api/search", params={"q": query})
        if answer["index"]["behind"] == 0:
            return answer["data"]
        assert time.monotonic() < deadline, answer["index"]
        time.sleep(0.1)


@pytest.mark.parametrize("words, code, sentence", [
    (("--to",), 2, None),
    ((), 2, "needs --to"),
    (("--to", "elsewhere"), 2, "both are directories"),
    (("--database", "postgresql://localhost/a", "--to", "postgresql://localhost/b"), 2, "both are databases"),
    (("--data", "nothing-is-here", "--to", "postgresql://localhost/a"), 1, "there is no data in nothing-is-here"),
])
def test_a_move_that_makes_no_sense_is_refused_with_a_sentence(words, code, sentence):
    said = move(*words, expect=code)
    assert sentence is None or sentence in said, said
    assert not re.search(r"Fatal|Optional\(", said)


def test_a_schema_that_cannot_be_filled_is_said_as_what_it_is(tmp_path):
    database = shared()
    database.ask("DROP ROLE IF EXISTS moving_guest; CREATE ROLE moving_guest LOGIN")
    theirs, closed = database.make_schema(), database.make_schema()
    database.ask(f"CREATE TABLE {theirs.split('%3D')[1]}.messages (a int)")
    with Installation(data=tmp_path) as server:
        pass
    said = move("--data", server.data, "--to", theirs, expect=1)
    assert "has tables of something else" in said and "name an empty schema" in said, said
    said = move("--data", server.data, "--to", closed.replace("frontdesk@", "moving_guest@"), expect=1)
    assert "GRANT USAGE, CREATE ON SCHEMA" in said and "another move" not in said, said


def test_a_directory_that_is_not_empty_is_not_filled(tmp_path):
    address = shared().make_schema()
    with Installation(data=tmp_path, database=address) as server:
        server.stop()
        full = tmp_path / "full"
        full.mkdir()
        (full / "something").write_text("of somebody's")
        said = move("--database", address, "--data", server.data, "--to", full, expect=1)
        assert "is not empty" in said
        assert (full / "something").exists()
        shutil.rmtree(full)


def test_what_is_damaged_is_moved_only_when_that_is_asked_for(tmp_path):
    address = shared().make_schema()
    with Installation(data=tmp_path) as server:
        Life(server)
        server.stop()
        with sqlite3.connect(server.data / "frontdesk.sqlite") as file:
            file.execute("UPDATE messages SET summary = 'Is the black tea fresh?' WHERE position = 1 "
                         "OR position = (SELECT min(position) FROM messages)")
        refused = move("--data", server.data, "--to", address, expect=1)
        assert "damaged: " in refused and "--accept-damage" in refused, refused
        said = move("--data", server.data, "--to", address, "--accept-damage")
        assert "every row was compared" in said


def test_attachments_move_into_a_bucket_and_out_of_it(tmp_path):
    address, bucket = shared().make_schema(), S3Server()
    first, back = tmp_path / "first", tmp_path / "back"
    try:
        flags, key = bucket.flags("moved"), environment()
        with Installation(data=first) as server:
            life = Life(server)
            server.stop()
            alone = move("--data", server.data, "--to", back, *flags, expect=2)
            assert "both are directories" in alone or "--blobs needs" in alone, alone
            without = move("--data", server.data, "--to", address, *flags, expect=1)
            assert "there is no key" in without, without
            move("--data", server.data, "--to", address, *flags, variables=key)
            assert bucket.objects("moved/")
        with Installation(*flags, data=first, database=address, environment=key) as server:
            life.goes_on(server, "And the black one?")
            server.stop()
            back.mkdir()
            blind = move("--database", address, "--data", server.data, "--to", back / "data", expect=1)
            assert "lie in an S3 bucket; name it with --blobs" in blind, blind
            said = move("--database", address, "--data", server.data, "--to", back / "data", *flags,
                        variables=key)
            assert "all is whole" in said, said
        with Installation(data=back) as server:
            life.goes_on(server, "I take both.")
    finally:
        bucket.stop()


class Access:
    """Who may come in, and what is kept of it; whether all of it is so after a move."""

    def __init__(self, company):
        self.company, owner = company, company.owner
        self.path = f"/api/businesses/{company.business}"
        company.person("sub-ada", "ada@example.com")
        # In the browser of the account: what others had of it would end with the first sign-in there.
        assert sign_in(owner, company) == "/console"
        factor = "/api/session/second-factor"
        self.app = App(owner.post(factor, {"password": PASSWORD}, 201)["secret"])
        self.recovery = owner.post(f"{factor}/confirmation", {"code": self.app.code()})["recoveryCodes"]
        owner.call("PATCH", self.path, {"requiresSecondFactor": True})
        self.retention = owner.call("PUT", f"{self.path}/retention", {"days": 365}).json()
        self.secret = owner.post(f"{self.path}/widget/secrets", expect=201)["id"]
        # A code that is used up before the move stays so.
        self.try_code(company.server, self.recovery[0])

    @staticmethod
    def try_code(server, code, expect=200):
        """Signs in by the password and a code; what is answered."""
        return Session(server).post("/api/session", {"email": "ada@example.com", "password": PASSWORD, "code": code}, expect)

    def is_as_before(self, server, code):
        """Asks for the second factor, knows the person at the provider, and keeps to the same days."""
        self.company.server = server
        assert Session(server).post(
            "/api/session", {"email": "ada@example.com", "password": PASSWORD}, 401)["code"] == "second_factor_required"
        assert self.try_code(server, self.recovery[0], 401)["code"] == "wrong_code"
        self.try_code(server, code)
        # By the subject: no account has this address.
        self.company.person("sub-ada", "another@example.com")
        at_provider = Session(server)
        assert sign_in(at_provider, self.company) == "/console" and email_of(at_provider) == "ada@example.com"
        owner = self.company.owner
        owner.server, owner.headers["Origin"] = server, server.url
        assert owner.fetch(f"{self.path}/retention") == self.retention
        assert owner.fetch(self.path)["requiresSecondFactor"] is True
        assert [one["id"] for one in owner.fetch(f"{self.path}/widget")["secrets"]] == [self.secret]


def test_second_factors_identities_and_retention_move_and_no_code_that_was_used_is_good_again(tmp_path):
    address, back = shared().make_schema(), tmp_path / "back"
    company = Company(tmp_path)
    first = company.server
    try:
        access = Access(company)
        first.end()
        move("--data", first.data, "--to", address)
        assert access.app.secret.encode().hex() not in shared().ask("SELECT encode(secret, 'hex') FROM second_factors", address)
        with Installation(*first.flags, "--encryption-key-file", str(first.data / "encryption.key"), database=address, nodes=1) as server:
            access.is_as_before(server, access.recovery[1])
            access.try_code(server, access.app.code())
            server.stop()
            back.mkdir()
            move("--database", address, "--data", first.data, "--to", back / "data")
        with Installation(*first.flags, data=back) as server:
            assert access.try_code(server, access.recovery[1], 401)["code"] == "wrong_code"
            access.is_as_before(server, access.recovery[2])
    finally:
        company.close()
