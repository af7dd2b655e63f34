"""Webhooks as a receiver's program sees them: signatures by PyPI's standardwebhooks, svix and cryptography."""

import contextlib
import json
import os
import re
import runpy
import sqlite3
import subprocess
import sys

import pytest
from support import postgres
from support.binary import ROOT
from support.receiver import Receiver, by_svix, standard
from support.server import BINARY, Customer, Installation, Session
from support.waiting import until


@pytest.fixture
def receiver():
    """A program that receives webhooks."""
    running = Receiver()
    yield running
    running.stop()


@contextlib.contextmanager
def endpoint(caller, business, receiver, **more):
    """An endpoint at the receiver, which knows its key; removed at the end."""
    path = f"/api/businesses/{business['id']}/webhooks"
    made = caller.post(path, {"url": receiver.url + "/hook", **more}, expect=201)
    receiver.keys = [made["secret"] or made["publicKey"]]
    try:
        yield made, f"{path}/{made['id']}"
    finally:
        caller.call("DELETE", f"{path}/{made['id']}", expect=204)


def texts(posts):
    """The texts of the messages among some posts."""
    return [post.event["data"]["message"]["payload"]["body"] for post in posts if post.event["type"] == "message.accepted"]


def test_an_event_is_posted_once_with_a_signature_that_foreign_libraries_verify(server, owner, sandbox, receiver):
    with endpoint(owner, sandbox, receiver, types=["message.accepted"],
                  headers=[{"name": "X-Shop", "value": "tea"}]) as (made, path):
        assert made["secret"].startswith("whsec_") and made["publicKey"] is None
        Customer(server, sandbox["id"]).say("Is there tea?")
        [post] = receiver.wait(lambda posts: len(posts) == 1)
        assert post.event["id"] == post.headers["webhook-id"]
        assert post.headers["content-type"] == "application/json" and post.headers["x-shop"] == "tea"
        assert post.headers["user-agent"].startswith("Frontdesk/")
        assert standard(made["secret"], post.headers, post.body) and by_svix(made["secret"], post.headers, post.body)
        assert not standard(made["secret"], post.headers, post.body + b" ")
        [delivery] = until(lambda: owner.fetch(path + "/deliveries?state=delivered")["data"], bool)
        assert delivery["event"] == post.headers["webhook-id"] and delivery["attempts"] == 1
        assert delivery["last"]["status"] == 204
        fields = {field["name"]: field["value"] for field in delivery["request"]["headers"]}
        assert fields["webhook-signature"] is None and fields["X-Shop"] is None
        assert fields["webhook-id"] == post.headers["webhook-id"]
        assert fields["webhook-timestamp"] == post.headers["webhook-timestamp"]


def test_a_key_is_enough_and_its_endpoint_may_be_signed_by_a_public_key(server, owner, sandbox, receiver):
    key = Session(server, server.make_key(sandbox["id"]))
    with endpoint(key, sandbox, receiver, types=["message.accepted"], signing="v1a", payload="thin") as (made, _):
        assert made["secret"] is None and made["publicKey"].startswith("whpk_")
        Customer(server, sandbox["id"]).say("Hello")
        [post] = receiver.wait(lambda posts: len(posts) == 1)
        assert "data" not in post.event and post.event["type"] == "message.accepted"
        assert post.headers["webhook-signature"].startswith("v1a,")


def test_a_handshake_shows_whether_a_receiver_verifies(server, owner, sandbox, receiver):
    # It knows no key at first, and so accepts all.
    with endpoint(owner, sandbox, receiver) as (made, path):
        assert made["handshake"]["result"] == "openToForgery"
        assert made["handshake"]["forged"]["detail"] == "accepted, although it is signed wrongly: does it verify the signature?"
        verified = owner.post(path + "/handshake")
        assert verified["result"] == "verified" and verified["forged"]["detail"] == "refused with 401, as it should be"
        assert owner.fetch(path)["handshake"]["result"] == "verified"
        tried = owner.post(path + "/test", {"type": "message.accepted", "data": {"n": 1}})
        assert tried["isDelivered"] and receiver.received[-1].event["data"] == {"n": 1}
        # A type that no endpoint gets is a mistake, and nothing is posted.
        before = len(receiver.received)
        for wrong, fix in (("mesage.accepted", "Did you mean message.accepted?"), ("typing", "Send a type of this list, or none.")):
            [error] = owner.call("POST", path + "/test", {"type": wrong}, expect=422).json()["errors"]
            assert error["pointer"] == "/type" and error["fix"] == fix and "webhook.test" in error["allowed"], error
        assert len(receiver.received) == before
        receiver.stop()
        tried = owner.post(path + "/test", {})
        assert not tried["isDelivered"] and tried["last"]["status"] is None
        assert owner.post(path + "/handshake")["result"] == "failed"


def test_what_the_former_address_of_an_endpoint_answered_is_not_shown_for_a_changed_one(server, owner, sandbox, receiver):
    with endpoint(owner, sandbox, receiver) as (_, path):
        verified = owner.post(path + "/handshake")
        assert owner.call("PATCH", path, {"description": "Tea"}).json()["handshake"] == verified
        changed = owner.call("PATCH", path, {"url": "http://127.0.0.1:9/hook"}).json()
        assert changed["url"].endswith(":9/hook") and changed["handshake"]["result"] == "failed"


def test_two_secrets_are_valid_while_one_is_rotated(server, owner, sandbox, receiver):
    with endpoint(owner, sandbox, receiver, types=["message.accepted"]) as (made, path):
        renewed = owner.post(path + "/secret", {})
        assert renewed["secret"] != made["secret"] and renewed["formerSecretUntil"]
        customer = Customer(server, sandbox["id"])
        customer.say("Both")
        [post] = receiver.wait(lambda posts: len(posts) == 1)
        for secret in (made["secret"], renewed["secret"]):
            assert standard(secret, post.headers, post.body)
        at_once = owner.post(path + "/secret", {"overlapHours": 0})
        receiver.keys = [at_once["secret"]]
        customer.say("One")
        post = receiver.wait(lambda posts: len(posts) == 2)[1]
        assert not standard(renewed["secret"], post.headers, post.body)


def spoil_first_secrets(own):
    """Changes the last byte of the first endpoint's encrypted secrets, in whichever database there is."""
    if postgres.is_engine():
        last = "octet_length(secrets) - 1"
        postgres.shared().ask(
            f"UPDATE webhooks SET secrets = set_byte(secrets, {last}, get_byte(secrets, {last}) # 1) "
            "WHERE number = (SELECT min(number) FROM webhooks)", own.database())
        return
    with contextlib.closing(sqlite3.connect(own.data / "frontdesk.sqlite")) as database, database:
        [[number, secrets]] = database.execute("SELECT number, secrets FROM webhooks ORDER BY number LIMIT 1")
        database.execute("UPDATE webhooks SET secrets = ? WHERE number = ?",
                         (secrets[:-1] + bytes([secrets[-1] ^ 1]), number))


def test_an_endpoint_whose_secret_cannot_be_read_stops_no_other_and_works_with_a_new_one(receiver, tmp_path):
    other = Receiver()
    with contextlib.ExitStack() as stack:
        stack.callback(other.stop)
        own = stack.enter_context(Installation(data=tmp_path))
        owner = own.make_owner()
        business = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])
        path = f"/api/businesses/{business['id']}/webhooks"
        spoiled, well = (owner.post(path, {"url": f"{one.url}/hook", "types": ["message.accepted"]}, expect=201)
                         for one in (other, receiver))
        own.stop()
        spoil_first_secrets(own)
        own.start()
        owner.headers["Origin"] = own.url
        found = {one["id"]: one["isSecretReadable"] for one in owner.fetch(path)["data"]}
        assert found == {spoiled["id"]: False, well["id"]: True}
        receiver.keys = [well["secret"]]
        Customer(own, business["id"]).say("Is there tea?")
        receiver.wait(lambda posts: "Is there tea?" in texts(posts))
        until(lambda: owner.fetch(f"{path}/{spoiled['id']}"), lambda one: one["failingSince"])
        assert f"level=error event=webhook_secret_unreadable webhook={spoiled['id']}" in own.log_text()
        refused = owner.call("PATCH", f"{path}/{spoiled['id']}", {"url": f"{other.url}/other"}, 422).json()
        assert f"{spoiled['id']}/secret" in refused["detail"]
        renewed = owner.post(f"{path}/{spoiled['id']}/secret", {})
        assert renewed["isSecretReadable"] and renewed["formerSecretUntil"] is None
        other.keys = [renewed["secret"]]
        Customer(own, business["id"]).say("And now?")
        other.wait(lambda posts: "And now?" in texts(posts))


def test_what_failed_is_posted_again_under_its_id_and_its_conversation_waits(server, owner, sandbox, receiver):
    with endpoint(owner, sandbox, receiver, types=["message.accepted"]) as (_, path):
        receiver.answers = [503]
        first, second = Customer(server, sandbox["id"]), Customer(server, sandbox["id"])
        first.say("1")
        with receiver.changed:
            assert receiver.changed.wait_for(lambda: any(post.status == 503 for post in receiver.received), 30)
        first.say("2")
        second.say("3")
        # The attempt after 5 s brings the first conversation's; the other one waits for nothing.
        posts = receiver.wait(lambda posts: len(posts) == 3)
        assert texts(posts) == ["3", "1", "2"]
        failed = next(post for post in receiver.received if post.status == 503)
        assert failed.headers["webhook-id"] == posts[1].headers["webhook-id"]
        until(lambda: owner.fetch(path), lambda shown: shown["failingSince"] is None)


def test_an_endpoint_that_is_gone_is_disabled_and_what_it_missed_is_replayed(server, owner, sandbox, receiver):
    with endpoint(owner, sandbox, receiver, types=["message.accepted"]) as (_, path):
        receiver.answers = [410]
        customer = Customer(server, sandbox["id"])
        customer.say("1")
        shown = until(lambda: owner.fetch(path), lambda shown: shown["state"] == "disabled")
        assert shown["reason"] == "gone" and shown["disabledAt"]
        customer.say("2")
        [dead] = owner.fetch(path + "/deliveries?state=dead")["data"]
        assert owner.post(path + "/enable")["state"] == "enabled"
        replayed = owner.post(path + "/replay", {"from": dead["position"]})
        assert replayed == {"noted": 2, "next": None}
        posts = receiver.wait(lambda posts: len(posts) == 2)
        assert texts(posts) == ["1", "2"]
        assert dead["event"] == posts[0].headers["webhook-id"]


def test_a_new_endpoint_is_given_what_happened_before_when_it_is_asked_for(server, owner, sandbox, receiver):
    Customer(server, sandbox["id"]).say("before")
    with endpoint(owner, sandbox, receiver, types=["message.accepted"]) as (_, path):
        noted, start = 0, 0
        while start is not None:
            answer = owner.post(path + "/replay", {"from": start, "states": ["missing"]})
            noted, start = noted + answer["noted"], answer["next"]
        posts = receiver.wait(lambda posts: len(posts) >= noted)
        assert "before" in texts(posts) and len(posts) == noted


def test_a_program_with_the_kit_accepts_the_replay_of_what_was_given_up_before_later_events_came(
        server, owner, sandbox, receiver):
    kit = runpy.run_path(str(ROOT / "docs" / "webhooks" / "verify.py"))
    events, order = kit["Events"](), []

    def judge(post):
        name = kit["verify"](post.headers, post.body, receiver.keys)
        order.append((events.is_late(name, post.event), events.is_new(name, post.event)))

    with endpoint(owner, sandbox, receiver, types=["message.accepted"]) as (_, path):
        receiver.answers = [410]
        customer = Customer(server, sandbox["id"])
        customer.say("1")
        until(lambda: owner.fetch(path), lambda shown: shown["state"] == "disabled")
        owner.post(path + "/enable")
        customer.say("2")
        receiver.wait(lambda posts: len(posts) == 1)
        assert owner.post(path + "/replay", {"from": 0, "states": ["dead"]}) == {"noted": 1, "next": None}
        posts = receiver.wait(lambda posts: len(posts) == 2)
        for post in posts:
            judge(post)
        assert texts(posts) == ["2", "1"] and order == [(False, True), (True, True)]


def test_an_endpoint_may_ask_for_conversations_with_a_label_alone(server, owner, sandbox, receiver):
    label = owner.post(f"/api/businesses/{sandbox['id']}/labels", {"name": "Hooked", "colour": "#336699"}, 201)["id"]
    with endpoint(owner, sandbox, receiver, types=["message.accepted", "conversation.labels_changed"],
                  filter={"labels": [label]}):
        plain, labelled = Customer(server, sandbox["id"]), Customer(server, sandbox["id"])
        place = labelled.say("before")["message"]["conversation"]
        last = plain.say("elsewhere")["message"]["conversation"]
        owner.call("PATCH", f"/api/conversations/{place}", {"labels": {"add": [label]}})
        labelled.say("with it")
        receiver.wait(lambda posts: len(posts) == 2)
        owner.call("PATCH", f"/api/conversations/{place}", {"labels": {"remove": [label]}})
        labelled.say("without it")
        # The last one that is posted comes behind all of these in the log.
        owner.call("PATCH", f"/api/conversations/{last}", {"labels": {"add": [label]}})
        posts = receiver.wait(lambda posts: len(posts) == 3)
        assert texts(posts) == ["with it"]
        assert [post.event["type"] for post in posts] == [
            "conversation.labels_changed", "message.accepted", "conversation.labels_changed"]


def test_what_happened_since_a_moment_is_replayed(server, owner, sandbox, receiver):
    customer = Customer(server, sandbox["id"])
    customer.say("too early")
    first = customer.say("first")["message"]
    customer.say("second")
    since = first["time"]
    with endpoint(owner, sandbox, receiver, types=["message.accepted"]) as (_, path):
        answer = owner.post(path + "/replay", {"since": since})
        assert answer["next"] is None
        wanted = lambda posts: "second" in texts(posts)
        posts = [post for post in receiver.wait(wanted) if post.event["conversation"] == first["conversation"]]
        assert texts(posts)[-2:] == ["first", "second"]
        assert all(post.event["time"] >= since for post in posts)
        nothing = owner.post(path + "/replay", {"since": "2999-01-01T00:00:00Z"})
        assert nothing == {"noted": 0, "next": None}
        owner.post(path + "/replay", {}, 422)
        owner.post(path + "/replay", {"since": "today"}, 422)


def test_what_cannot_be_an_endpoint_is_refused_with_what_is_allowed(owner, sandbox):
    path = f"/api/businesses/{sandbox['id']}/webhooks"
    good = "http://127.0.0.1:9/hook"
    for body, pointer in [
            ({"url": "ftp://shop.example"}, "/url"), ({"url": "http://a:b@shop.example"}, "/url"), ({}, ""),
            ({"url": good, "types": ["delivery.dead"]}, "/types/0"), ({"url": good, "types": ["no"]}, "/types/0"),
            ({"url": good, "concurrency": 5}, "/concurrency"), ({"url": good, "order": "all"}, "/order"),
            ({"url": good, "headers": [{"name": "Webhook-Id", "value": "1"}]}, "/headers/0/name"),
            ({"url": good, "headers": [{"name": "webhook_Signature", "value": "1"}]}, "/headers/0/name"),
            ({"url": good, "headers": [{"name": "connection", "value": "1"}]}, "/headers/0/name"),
            ({"url": good, "headers": [{"name": "a b", "value": "1"}]}, "/headers/0/name"),
            ({"url": good, "filter": {"direction": "up"}}, "/filter/direction"), ({"url": good, "shape": 1}, "/shape")]:
        answer = owner.post(path, body, expect=422)
        assert [error["pointer"] for error in answer["errors"]] == [pointer], body
    assert owner.fetch(path)["data"] == []


def test_the_page_leads_to_a_verified_event_in_its_own_words(server, owner, sandbox, receiver, tmp_path):
    page = (ROOT / "docs" / "webhooks.md").read_text()
    blocks = {name: text for name, text in re.findall(r"```(?:sh|python) (\w+)\n(.*?)```", page, re.S)}
    program = tmp_path / "receiver.py"
    program.write_text(blocks["receiver"])
    # A port that was free a moment ago.
    port = receiver.port
    receiver.stop()
    Customer(server, sandbox["id"]).say("Hello")
    shell = {**os.environ, "FRONTDESK_DATA": str(server.data), "PATH": f"{BINARY.parent}:{os.environ['PATH']}"}

    def text_of(name):
        """A block of the page, with this test's server, receiver and Python."""
        text = blocks[name].replace("http://127.0.0.1:8080", server.url).replace("hooks/bin/python", f"exec {sys.executable}")
        return text.replace("127.0.0.1:9000", f"127.0.0.1:{port}").replace("receiver.py 9000", f"receiver.py {port}")

    def output(text):
        """What commands of the page print."""
        return subprocess.run(["sh", "-c", text], env=shell, cwd=tmp_path, capture_output=True, check=True, timeout=30, text=True).stdout

    names = ("DESK", "KEY", "BUSINESS")
    known = output(text_of("before") + "\n".join(f'echo "${one}"' for one in names)).split()
    shell.update(zip(names, known, strict=True))
    assert shell["BUSINESS"] == sandbox["id"]

    def run(name):
        """The answer of a block of the page."""
        return json.loads(output(text_of(name)))

    made = run("make")
    assert made["handshake"]["result"] == "failed"
    with subprocess.Popen(["sh", "-c", text_of("start")], env=shell, cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        try:
            until(lambda: run("handshake")["result"], lambda result: result == "verified")
            while (line := running.stdout.readline()).startswith("webhook.test"):
                run("message")
            assert line.startswith("message.accepted ")
        finally:
            running.kill()
            owner.call("DELETE", f"/api/businesses/{sandbox['id']}/webhooks/{made['id']}", expect=204)
