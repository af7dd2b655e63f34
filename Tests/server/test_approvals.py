"""Approvals over sockets: what needs a second person, on one node and on two, with a key, an e-mail and a live page."""

import json
import threading
import time

import pytest
import websockets.sync.client
from support.mail import MailServer
from support.server import PASSWORD, Customer, Installation, Session
from support.waiting import until


@pytest.fixture(scope="module")
def mail():
    with MailServer() as one:
        yield one


@pytest.fixture(scope="module")
def server(mail):
    with Installation(*mail.flags(), "--limit", "agent-messages-per-second=1000", "--limit", "agent-messages-burst=1000") as one:
        one.ada = one.make_owner()
        one.business = next(each for each in one.ada.fetch("/api/businesses")["data"] if not each["isSandbox"])["id"]
        one.path = f"/api/businesses/{one.business}"
        one.ben = join(one, "ben")
        yield one


def join(server, name):
    """Another owner; the session."""
    session = Session(server)
    made = server.ada.post(server.path + "/members", {"email": f"{name}@example.com", "role": "owner"}, 201)
    session.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": name.title(), "password": PASSWORD}, 201)
    return session


def guard(server, *areas):
    """Has areas guarded; where that is less, the other owner approves it."""
    for _ in range(2):
        got = server.ada.request("PUT", server.url + server.path + "/approval-rules", json={"areas": list(areas)})
        if got.status_code == 200:
            return got.json()
        approve(server, got)
    raise AssertionError(got.text)


def approve(server, refused, decision="approve"):
    """The other owner decides on what a refusal says waits."""
    assert refused.status_code == 403 and refused.json()["code"] == "approval_needed", refused.text
    made = refused.json()["approval"]
    return server.ben.post(f"{server.path}/approvals/{made['id']}/decision", {"decision": decision})


def export(server, caller, **headers):
    return caller.request("GET", server.url + server.path + "/exports/messages?format=csv", headers=headers)


def test_an_export_waits_for_the_other_owner_who_gets_an_e_mail(server, mail):
    Customer(server, server.business).say("Sencha, please.")
    guard(server, "exports")
    refused = export(server, server.ada)
    [letter] = until(lambda: [one for one in mail.got if "approval needed" in str(one.mail["Subject"])], bool)
    assert letter.to == ["ben@example.com"]
    words = letter.mail.get_content()
    assert "/console/settings/approvals" in words and "承認" in words
    assert server.ben.fetch(server.path + "/approval-rules")["waiting"] == 1
    approve(server, refused)
    got = export(server, server.ada)
    assert got.status_code == 200 and "Sencha, please." in got.text
    audit = server.ben.fetch(server.path + "/audit")["data"]
    kinds = [one["kind"] for one in audit]
    wanted = ["history_exported", "approval_used", "approval_approved", "approval_waiting"]
    assert [one for one in kinds if one in wanted][:4] == wanted


def test_many_at_once_use_one_approval_once(server):
    guard(server, "keys")
    body = {"name": "till", "businesses": [server.business], "scopes": ["read"]}
    refused = server.ada.request("POST", server.url + "/api/keys", json=body)
    approve(server, refused)
    sessions = [Session(server) for _ in range(6)]
    for one in sessions:
        one.cookies.update(server.ada.cookies)
    statuses = []
    threads = [threading.Thread(target=lambda one=one: statuses.append(
        one.request("POST", server.url + "/api/keys", json=body, timeout=20).status_code)) for one in sessions]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert statuses.count(201) == 1 and len(statuses) == 6, statuses
    assert set(statuses) <= {201, 403, 503}, statuses


def test_an_open_page_hears_of_it_at_once(server):
    guard(server, "exports")
    cookie = "; ".join(f"{one.name}={one.value}" for one in server.ben.cookies)
    with websockets.sync.client.connect(
            f"{server.url.replace('http', 'ws')}/api/live", additional_headers={"Cookie": cookie, "Origin": server.url}) as line:
        line.send(json.dumps({"type": "hello", "after": None}))
        end = time.monotonic() + 20
        asked = server.ada.request("GET", server.url + server.path + "/exports/notes")
        assert asked.status_code == 403
        while time.monotonic() < end:
            frame = json.loads(line.recv(timeout=20))
            if frame.get("kind") == "approval":
                assert frame["business"] == server.business
                return
    raise AssertionError("no signal came")


def test_who_is_no_owner_any_more_has_approved_nothing(server):
    guard(server, "exports")
    cem = join(server, "cem")
    refused = server.ada.request("GET", server.url + server.path + "/exports/customers")
    made = refused.json()["approval"]
    cem.post(f"{server.path}/approvals/{made['id']}/decision", {"decision": "approve"})
    me = cem.fetch("/api/session")["agent"]["id"]
    server.ada.call("DELETE", f"{server.path}/members/{me}", expect=204)
    again = server.ada.request("GET", server.url + server.path + "/exports/customers")
    assert again.status_code == 403 and again.json()["approval"]["id"] != made["id"]


def test_a_program_sends_it_again_as_the_page_says(server):
    guard(server)
    made = server.ada.post("/api/keys", {"name": "nightly", "businesses": [server.business], "scopes": ["read"]}, 201)
    guard(server, "exports")
    program, key = Session(server), {"Authorization": f"Bearer {made['secret']}"}
    refused = export(server, program, **key)
    # The one who made the key answers for it.
    own = server.ada.request(
        "POST", f"{server.url}{server.path}/approvals/{refused.json()['approval']['id']}/decision", json={"decision": "approve"})
    assert own.status_code == 403
    approve(server, refused)
    assert export(server, program, **key).status_code == 200


def test_the_link_of_an_approved_invitation_is_the_invited_person_s_alone(server, mail):
    guard(server, "members")
    invite = {"email": "dee@example.com", "role": "owner"}
    refused = server.ada.request("POST", server.url + server.path + "/members", json=invite)
    assert refused.json()["approval"]["details"]["role"] == "owner"
    approve(server, refused)
    made = server.ada.post(server.path + "/members", invite, 201)
    assert made["mail"] == "sent" and made["invitationUrl"] is None
    [letter] = until(lambda: [one for one in mail.got if one.to == ["dee@example.com"]], bool)
    assert len(letter.links) == 1


def test_a_contact_that_is_merged_after_the_approval_makes_it_another_request(server):
    guard(server)
    first, second = (Customer(server, server.business).say(text)["message"]["conversation"] for text in ("One", "Two"))
    guard(server, "erasures", "exports")
    paths = [("POST", f"{server.path}/contacts/{first}/erasure"),
             ("GET", f"{server.path}/exports/messages?filter%5Bcontact%5D={first}")]
    for method, path in paths:
        approve(server, server.ada.request(method, server.url + path))
    server.ada.post(f"{server.path}/contacts/{first}/merge", {"contact": second})
    for method, path in paths:
        again = server.ada.request(method, server.url + path)
        assert again.status_code == 403 and again.json()["approval"]["details"]["merged"] == 1, again.text


def test_a_setting_is_not_set_again_with_the_approval_of_before(server):
    guard(server, "exports", "keys")
    wanted = {"areas": ["exports"]}
    path = server.url + server.path + "/approval-rules"
    approve(server, server.ada.request("PUT", path, json=wanted))
    assert server.ada.request("PUT", path, json=wanted).status_code == 200
    server.ben.call("PUT", server.path + "/approval-rules", {"areas": ["exports", "keys"]})
    assert server.ada.request("PUT", path, json=wanted).status_code == 403


def test_of_two_who_choose_at_once_none_loses_what_the_other_guarded(server):
    path = server.url + server.path + "/approval-rules"
    for _ in range(10):
        guard(server)
        got = {}
        threads = [threading.Thread(target=lambda who=who, areas=areas: got.update({who: getattr(server, who).request(
            "PUT", path, json={"areas": areas}, timeout=20).status_code}))
            for who, areas in (("ben", ["exports", "members", "keys"]), ("ada", ["exports"]))]
        for one in threads:
            one.start()
        for one in threads:
            one.join(30)
        left = server.ben.fetch(server.path + "/approval-rules")["areas"]
        assert got["ben"] == 200 and left == ["exports", "members", "keys"], (got, left)


def test_an_auditor_sees_the_host_of_an_address_and_an_owner_all_of_it(server):
    guard(server)
    session = Session(server)
    made = server.ada.post(server.path + "/members", {"email": "audra@example.com", "role": "auditor"}, 201)
    session.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Audra", "password": PASSWORD}, 201)
    guard(server, "connections")
    url = "https://hooks.example/secret-path?token=secret-value"
    refused = server.ada.request("POST", server.url + server.path + "/webhooks", json={"url": url})
    name = refused.json()["approval"]["id"]
    path = f"{server.path}/approvals/{name}"
    assert server.ben.fetch(path)["details"]["url"] == url
    listed = next(one for one in session.fetch(server.path + "/approvals")["data"] if one["id"] == name)
    for one in (session.fetch(path), listed):
        assert one["details"]["url"] == "https://hooks.example" and "secret" not in json.dumps(one), one
    session.call("POST", path + "/decision", {"decision": "approve"}, 403)


def test_the_order_of_parameters_makes_no_other_request_and_what_is_refused_anyway_does_not_wait(server):
    guard(server)
    guard(server, "exports", "keys")
    path = server.url + server.path + "/exports/notes"
    names = {server.ada.request("GET", f"{path}?{query}").json()["approval"]["id"]
             for query in ("format=csv&since=2026-01-01", "since=2026-01-01&format=csv")}
    assert len(names) == 1
    waiting = server.ben.fetch(server.path + "/approval-rules")["waiting"]
    every = [one["id"] for one in server.ada.fetch("/api/businesses")["data"]]
    # A live and a test business.
    server.ada.call("POST", "/api/keys", {"name": "both", "businesses": every}, 422)
    server.ada.call("POST", "/api/keys", {"name": "", "businesses": [server.business]}, 422)
    assert server.ben.fetch(server.path + "/approval-rules")["waiting"] == waiting
