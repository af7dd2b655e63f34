"""Legal holds over sockets: what is kept from every erasure, who sees it, and what comes after the release."""

import json
import sqlite3
import threading

import pytest
from support import postgres
from support.server import PASSWORD, Customer, Installation, Session
from support.waiting import until
from test_erasure import SECRET, erase, fill
from test_retention import begin_now, history, moment

REASON = {"reason": "Case 7, 訴訟"}


@pytest.fixture(scope="module")
def server():
    with Installation("--limit", "key-messages-per-second=100000", "--limit", "key-messages-burst=100000") as running:
        yield running


@pytest.fixture
def shop(owner):
    """A business of its own; a key of it that administers."""
    return owner.post("/api/businesses", {"name": "Kept"}, 201)["id"]


@pytest.fixture
def key(server, shop):
    return Session(server, key=server.make_key(shop))


def talk(server, shop):
    """What a customer of their own said: conversation, path, message."""
    said = Customer(server, shop).say(SECRET)["message"]
    return said["conversation"], f"/api/conversations/{said['conversation']}", said["id"]


def hold(session, path, body=REASON, expect=200):
    return session.call("PUT", f"{path}/legal-hold", body, expect=expect).json()


def refused(session, method, path, body=None):
    answer = session.call(method, path, body, expect=409)
    assert answer.json()["code"] == "on_hold", answer.text


def test_no_erasure_of_any_kind_takes_what_is_on_hold_and_each_does_after_the_release(server, owner, shop, key):
    conversation, path, message = talk(server, shop)
    note = owner.post(f"{path}/notes", {"text": SECRET}, 201)["id"]
    contact = f"/api/businesses/{shop}/contacts/{conversation}"
    assert owner.fetch(f"{path}/erasure")["isOnHold"] is False
    assert hold(owner, path)["conversation"]["reason"] == REASON["reason"]
    assert owner.fetch(f"{path}/erasure")["isOnHold"] and owner.fetch(f"{contact}/erasure")["isOnHold"]
    for session in (owner, key):
        refused(session, "DELETE", f"{path}/messages/{message}")
        refused(session, "POST", f"{path}/erasure")
        refused(session, "POST", f"{contact}/erasure")
    refused(owner, "PATCH", f"{path}/notes/{note}", {"text": "nothing"})
    refused(owner, "DELETE", f"{path}/notes/{note}")
    # What a contact's notes say stays; something can be added.
    for notes, status in (("Owes us", 200), ("Owes us 7", 200), ("", 409), ("Owes him 7", 409)):
        owner.call("PATCH", contact, {"notes": notes}, expect=status)
    assert owner.fetch(contact)["notes"] == "Owes us 7"
    # Everything else goes on.
    owner.post(f"{path}/notes", {"text": "another"}, 201)
    owner.call("PATCH", path, {"state": "closed", "metadata": {"case": "7"}})
    thread = json.dumps(owner.fetch(f"{path}/messages")["data"])
    assert SECRET in thread and "erasedAt" not in thread
    owner.call("DELETE", f"{path}/legal-hold", expect=204)
    owner.call("DELETE", f"{path}/legal-hold", expect=204)
    owner.call("PATCH", f"{path}/notes/{note}", {"text": "nothing"})
    owner.call("DELETE", f"{path}/messages/{message}")
    erase(owner, path)
    erase(owner, contact)
    audit = owner.fetch(f"/api/businesses/{shop}/audit?filter[subject]={conversation}")["data"]
    kinds = [one["kind"] for one in audit if one["kind"].startswith("legal")]
    assert kinds == ["legal_hold_released", "legal_hold_placed"] and "Case 7" not in json.dumps(audit)


def test_a_person_is_kept_whole_by_a_hold_on_one_of_their_conversations(server, owner, shop):
    (first, one, _), (second, two, _) = talk(server, shop), talk(server, shop)
    contacts = f"/api/businesses/{shop}/contacts"
    owner.post(f"{contacts}/{first}/merge", {"contact": second})
    root = first if owner.fetch(f"{contacts}/{first}")["merged"] is None else second
    hold(owner, f"/api/conversations/{second}")
    assert owner.fetch(f"{contacts}/{root}/legal-hold")["conversation"]["conversation"] == second
    refused(owner, "POST", f"{contacts}/{root}/erasure")
    for path in (one, two):
        assert "erasedAt" not in json.dumps(owner.fetch(f"{path}/messages")["data"])
    assert owner.call("PUT", f"{contacts}/{root}/legal-hold", {"reason": "Case 8"}).status_code == 200
    listed = owner.fetch(f"/api/businesses/{shop}/legal-holds")
    assert {held["conversation"] for held in listed["data"]} == {first, second}
    assert {held["reason"] for held in listed["data"]} == {"Case 8"} and listed["business"] is None
    merged = first if root == second else second
    assert owner.call("PUT", f"{contacts}/{merged}/legal-hold", REASON, expect=409).json()["code"] == "already_merged"
    owner.call("DELETE", f"{contacts}/{root}/legal-hold", expect=204)
    assert owner.fetch(f"/api/businesses/{shop}/legal-holds")["data"] == []
    erase(owner, f"{contacts}/{root}")


def test_a_business_is_kept_with_what_comes_later(server, owner, shop):
    path = f"/api/businesses/{shop}/legal-hold"
    assert owner.call("PUT", path, REASON).json()["business"]["author"]["type"] == "agent"
    _, conversation, message = talk(server, shop)
    refused(owner, "DELETE", f"{conversation}/messages/{message}")
    assert owner.fetch(f"{conversation}/legal-hold")["business"]["reason"] == REASON["reason"]
    hold(owner, conversation)
    owner.call("DELETE", path, expect=204)
    refused(owner, "DELETE", f"{conversation}/messages/{message}")


def test_an_erasure_under_way_stops_when_a_hold_is_answered(server, owner, shop, key):
    conversation, path, _ = talk(server, shop)
    fill(key, conversation, 1_200)
    # Of the last half a part at most is gone by then: it begins with the first.
    ended = []

    def run():
        place = ""
        while place is not None:
            got = owner.request("POST", f"{server.url}{path}/erasure{place}", timeout=60)
            ended.append(got.status_code)
            if got.status_code != 200:
                return
            place = got.json()["next"] and f"?from={got.json()['next']}"

    other = Session(server)
    other.cookies.update(owner.cookies)
    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: any("erasedAt" in one for one in key.fetch(f"{path}/messages?page[after]=0")["data"]), bool)
    hold(other, path)
    kept = left(key, path)
    thread.join(60)
    assert not thread.is_alive() and left(key, path) == kept
    # Where the erasure was quicker nothing is left; the other tests say what is refused.
    assert ended[-1] == (409 if kept else 200)


def left(session, path):
    """How many messages have their content."""
    count, after = 0, "0"
    while after is not None:
        page = session.fetch(f"{path}/messages?page[after]={after}&page[size]=200")
        count += sum("erasedAt" not in one for one in page["data"])
        after = page["next"]
    return count


def test_owners_place_and_auditors_read_and_a_reason_is_needed(server, owner, shop, key):
    conversation, path, _ = talk(server, shop)
    for role, reads in (("agent", 403), ("supervisor", 403), ("auditor", 200)):
        made = owner.post(f"/api/businesses/{shop}/members", {"email": f"{role}-{shop[:8]}@example.com", "role": role}, 201)
        person = Session(server)
        person.post("/api/invitations/accept", {
            "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": role, "password": PASSWORD}, 201)
        person.call("GET", f"/api/businesses/{shop}/legal-holds", expect=reads)
        person.call("GET", f"{path}/legal-hold", expect=reads)
        for method in ("PUT", "DELETE"):
            person.call(method, f"{path}/legal-hold", REASON if method == "PUT" else None, expect=403)
    for body in ({}, {"reason": ""}, {"reason": "  \n"}, {"reason": "x" * 501}, {"reason": 7}, {"reason": "a\0b"}, {"reason": "x", "until": 1}):
        assert owner.call("PUT", f"{path}/legal-hold", body, expect=422).json()["errors"], body
    assert hold(key, path, {"reason": "x" * 500})["conversation"]["author"]["type"] == "key"
    other = Session(server, key=server.make_key(owner.post("/api/businesses", {"name": "Other"}, 201)["id"]))
    other.call("PUT", f"{path}/legal-hold", REASON, expect=404)


def test_pages_of_holds_lead_on(server, owner, shop):
    held = [talk(server, shop)[0] for _ in range(5)]
    for conversation in held:
        hold(owner, f"/api/conversations/{conversation}")
    path, found, after = f"/api/businesses/{shop}/legal-holds", [], ""
    for _ in range(3):
        page = owner.fetch(f"{path}?page[size]=2{after}")
        found += [one["conversation"] for one in page["data"]]
        after = f"&page[after]={page['next']}"
    assert found == held[::-1] and page["next"] is None and all(one["customer"]["id"] for one in page["data"])


def test_a_release_waits_for_a_second_person_where_erasures_do():
    with Installation() as one:
        ada = one.make_owner()
        shop = next(each for each in ada.fetch("/api/businesses")["data"] if not each["isSandbox"])["id"]
        path = f"/api/businesses/{shop}"
        made = ada.post(f"{path}/members", {"email": "ben@example.com", "role": "owner"}, 201)
        ben = Session(one)
        ben.post("/api/invitations/accept", {
            "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Ben", "password": PASSWORD}, 201)
        ada.call("PUT", f"{path}/approval-rules", {"areas": ["erasures"]})
        conversation, talked, _ = talk(one, shop)
        hold(ada, talked)
        # What would be refused anyway asks no second person.
        refused(ada, "POST", f"{talked}/erasure")
        waits = ada.call("DELETE", f"{talked}/legal-hold", expect=403).json()
        assert waits["code"] == "approval_needed" and waits["approval"]["operation"] == "releaseConversationHold"
        assert waits["approval"]["details"]["conversation"] == conversation
        ben.post(f"{path}/approvals/{waits['approval']['id']}/decision", {"decision": "approve"})
        ada.call("DELETE", f"{talked}/legal-hold", expect=204)
        assert ada.fetch(f"{talked}/legal-hold") == {"business": None, "conversation": None}


def look_again(server):
    """All is looked at anew, as it is six hours later."""
    change = "UPDATE retentions SET erased_through = NULL"
    address = server.shared.get("FRONTDESK_DATABASE")
    if address:
        postgres.shared().ask(change, address)
        return
    with sqlite3.connect(server.data / "frontdesk.sqlite") as file:
        file.execute(change)
    file.close()


def restarted(server, owner, change):
    """Changes rows while no server runs."""
    server.stop()
    change(server)
    server.start()
    owner.headers["Origin"] = server.url


def test_retention_leaves_what_is_on_hold_and_erases_it_after_the_release():
    with Installation() as server:
        owner = server.make_owner()
        shop = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])["id"]
        path = f"/api/businesses/{shop}/retention"
        owner.post(f"/api/businesses/{shop}/imports", "\n".join(json.dumps(one) for one in history()).encode(),
                   headers={"Content-Type": "application/x-ndjson"})
        kept, *others = [f"/api/conversations/{one['id']}" for one in owner.fetch(f"/api/conversations?business={shop}")["data"]]
        hold(owner, kept)
        before = left(owner, kept)
        preview = owner.fetch(f"{path}/preview?days=365")
        assert preview["conversationsOnHold"] == 1 and preview["conversations"] == len(others)
        owner.call("PUT", path, {"days": 365})
        restarted(server, owner, begin_now)
        assert until(lambda: owner.fetch(path)["erasedThrough"], bool) < moment(364)
        assert left(owner, kept) == before and [left(owner, one) for one in others] == [1] * len(others)
        assert owner.fetch(f"{kept}/erasure")["notes"] == 1
        owner.call("DELETE", f"{kept}/legal-hold", expect=204)
        restarted(server, owner, look_again)
        until(lambda: owner.fetch(path)["erasedThrough"], bool)
        assert left(owner, kept) == 1 and owner.fetch(f"{kept}/erasure")["notes"] == 0
        assert "held=" in server.log_text()
