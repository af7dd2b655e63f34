"""A whole conversation and a whole person are erased in a running server: what goes, what stays, who may."""

import json
import re
import time

import pytest
from support.server import PASSWORD, Customer, Installation, Session

SECRET = "4111 1111 1111 1111"
MANY = 700


@pytest.fixture(scope="module")
def server():
    """A server that accepts the messages of a long conversation at once."""
    with Installation("--limit", "key-messages-per-second=100000", "--limit", "key-messages-burst=100000") as running:
        yield running


@pytest.fixture
def talk(server, owner, sandbox):
    """A key of the sandbox's business, and a conversation of a customer of its own."""
    key = Session(server, key=server.make_key(sandbox["id"]))
    said = Customer(server, sandbox["id"]).say(SECRET)["message"]["conversation"]
    return key, said, f"/api/conversations/{said}"


def fill(key, conversation, count):
    """Sends messages, so many at a time."""
    for start in range(0, count, 100):
        answer = key.post("/api/messages/batch", {"messages": [
            {"conversation": conversation, "payload": {"type": "text", "body": f"{SECRET} {number}"}}
            for number in range(start, min(start + 100, count))]})
        assert {result["status"] for result in answer["results"]} == {201}


def erase(session, path, begin=None):
    """Erases all of a path, with as many requests as that needs; what they erased."""
    sums, place = {"messages": 0, "notes": 0, "scheduled": 0}, begin
    for _ in range(100):
        answer = session.post(f"{path}/erasure{f'?from={place}' if place else ''}")
        for name in sums:
            sums[name] += answer[name]
        place = answer["next"]
        assert answer["complete"] == (place is None)
        if place is None:
            return sums
    raise AssertionError("the erasure does not end")


def events_of(session, business, after):
    """All events of a business behind a place."""
    found, more = [], True
    while more:
        page = session.fetch(f"/api/events?limit=300&business={business}&after={after}", headers={"Accept": "application/json"})
        found, after, more = found + page["data"], page["next"], page["hasMore"]
    return found


def exported(session, business, query=""):
    """What the four exports of a business say."""
    return "".join(session.call("GET", f"/api/businesses/{business}/exports/{table}?format=jsonl{query}").text
                   for table in ("customers", "conversations", "messages", "notes"))


def test_a_conversation_of_many_messages_is_erased_with_all_that_lies_beside_it(server, owner, sandbox, talk):
    key, conversation, path = talk
    fill(key, conversation, MANY)
    owner.post(f"{path}/notes", {"text": f"The card is {SECRET}"}, 201)
    once = {"Idempotency-Key": '"the-note"'}
    key.post(f"{path}/notes", {"text": f"Again {SECRET}"}, 201, headers=once)
    owner.post(f"{path}/messages?sendAt=2027-06-01T10:00:00Z", {"type": "text", "body": f"Later {SECRET}"}, 202)
    owner.call("PUT", f"{path}/draft", {"version": 0, "kind": "text", "text": SECRET})
    key.call("PATCH", path, {"metadata": {"card": SECRET}})
    head = key.fetch(f"/api/conversations?business={sandbox['id']}")["head"]

    counts = owner.fetch(f"{path}/erasure")
    assert counts["messages"] == MANY + 1 and counts["notes"] == 2
    assert counts["scheduled"] == 1 and counts["drafts"] == 1
    assert erase(owner, path) == {"messages": MANY + 1, "notes": 2, "scheduled": 1}

    left = [one for session in (owner, key) for one in (
        session.call("GET", path).text, session.call("GET", f"{path}/messages?page[size]=200").text)]
    left += [owner.call("GET", f"{path}/scheduled").text, owner.call("GET", "/api/drafts").text]
    left += [line for line in exported(key, sandbox["id"]).splitlines() if conversation in line]
    assert len(left) > MANY and not [one for one in left if SECRET in one]
    refused = key.post(f"{path}/notes", {"text": f"Again {SECRET}"}, 410, headers=once)
    assert refused["code"] == "message_erased"
    types = [one["type"] for one in events_of(key, sandbox["id"], head) if one["conversation"] == conversation]
    assert types.count("message.erased") == MANY + 1 and types.count("note.deleted") == 2
    assert types.count("message.unscheduled") == 1
    records = owner.fetch(f"/api/businesses/{sandbox['id']}/audit?filter[subject]={conversation}")["data"]
    assert [(one["kind"], one["detail"]) for one in records] == [
        ("conversation_erased", "complete"), ("conversation_erased", "begun")]
    assert erase(owner, path) == {"messages": 0, "notes": 0, "scheduled": 0}
    assert owner.fetch(f"{path}/erasure")["messages"] == 0


def test_what_is_said_meanwhile_is_not_erased(server, owner, sandbox, talk):
    key, conversation, path = talk
    fill(key, conversation, 10)
    begun = f"{conversation}.0.8"
    key.post(f"{path}/messages", {"type": "text", "body": "Said meanwhile"}, 201)
    assert erase(owner, path, begun)["messages"] == 8
    thread = key.fetch(f"{path}/messages")["data"]
    assert [one["sequence"] for one in thread if "erasedAt" not in one] == [9, 10, 11, 12]
    wrong = owner.post(f"{path}/erasure?from=anything", expect=422)
    assert wrong["errors"][0]["parameter"] == "from"


def test_a_person_is_erased_and_the_customer_may_write_again(server, owner, sandbox):
    key = Session(server, key=server.make_key(sandbox["id"]))
    phones = [Customer(server, sandbox["id"]) for _ in range(2)]
    first, second = (phone.say(SECRET)["message"]["conversation"] for phone in phones)
    base = f"/api/businesses/{sandbox['id']}/contacts"
    head = key.fetch(f"/api/conversations?business={sandbox['id']}")["head"]
    for number, contact in enumerate((first, second)):
        key.call("PATCH", f"{base}/{contact}", {
            "name": f"Mrs Tanaka-{number}", "externalId": f"crm-{SECRET}-{number}", "notes": SECRET, "metadata": {"crm": SECRET}})
    owner.post(f"{base}/{first}/merge", {"contact": second})
    mine = exported(key, sandbox["id"], f"&filter[contact]={first}")
    assert mine.count(SECRET) >= 4 and "Mrs Tanaka-0" in mine
    assert {json.loads(line).get("conversation") for line in mine.splitlines()} <= {first, second, None}
    key.call("GET", f"/api/businesses/{sandbox['id']}/exports/customers?filter[contact]={second}", expect=422)

    assert owner.post(f"{base}/{second}/erasure", expect=409)["code"] == "already_merged"
    counts = owner.fetch(f"{base}/{first}/erasure")
    assert counts["conversations"] == 2 and counts["messages"] == 2
    assert erase(owner, f"{base}/{first}")["messages"] == 2

    contact = owner.fetch(f"{base}/{first}")
    assert contact["name"] is None and contact["externalId"] is None and contact["notes"] == "" and contact["metadata"] == {}
    for conversation in (first, second):
        assert owner.fetch(f"/api/conversations/{conversation}")["customer"]["erased"] is True
    events = json.dumps(events_of(key, sandbox["id"], head))
    assert SECRET not in events and "Mrs Tanaka" not in events
    assert SECRET not in exported(key, sandbox["id"], f"&filter[contact]={first}")
    assert not owner.fetch(f"{base}?q=tanaka")["data"]
    saved = [one for one in events_of(key, sandbox["id"], head) if one["type"] == "contact.saved"]
    assert saved[-1]["data"]["change"] == {"erased": True}

    said = phones[1].say("I am back")["message"]
    assert said["conversation"] == second
    assert "erased" not in owner.fetch(f"/api/conversations/{second}")["customer"]
    named = owner.call("PATCH", f"{base}/{first}", {"name": "Mrs Oki"}).json()
    assert named["name"] == "Mrs Oki"
    server.verify()


def test_agents_keys_without_the_scope_and_other_businesses_erase_nothing(server, owner, sandbox, talk):
    key, conversation, path = talk
    other = next(one for one in owner.fetch("/api/businesses")["data"] if one["id"] != sandbox["id"])
    contact = f"/api/businesses/{sandbox['id']}/contacts/{conversation}"
    weak = Session(server, key=server.make_key(sandbox["id"], "weak", scopes=("read", "send", "customers")))
    strange = Session(server, key=server.make_key(other["id"], "strange"))
    agent = Session(server)
    invited = owner.post(f"/api/businesses/{sandbox['id']}/members", {"email": "ben@erasure.example.com", "role": "agent"}, 201)
    agent.post("/api/invitations/accept", {
        "token": re.search(r"#invite=([\w-]+)", invited["invitationUrl"]).group(1), "name": "Ben", "password": PASSWORD}, 201)
    for session, statuses in ((weak, (403,)), (agent, (403,)), (strange, (403, 404))):
        for target in (path, contact):
            for method in ("GET", "POST"):
                answer = session.request(method, f"{server.url}{target}/erasure", timeout=20)
                assert answer.status_code in statuses, f"{method} {target}: {answer.status_code} {answer.text}"
    owner.post(f"/api/businesses/{other['id']}/contacts/{conversation}/erasure", expect=404)
    assert SECRET in key.call("GET", f"{path}/messages").text


@pytest.mark.one_process
def test_no_file_has_what_was_known_of_a_person_who_was_erased(server, owner, sandbox, talk):
    key, conversation, path = talk
    contact = f"/api/businesses/{sandbox['id']}/contacts/{conversation}"
    known = [f"Onyx-{conversation[:8]}-{what}" for what in ("name", "id", "notes", "metadata", "refused")]
    key.call("PATCH", contact, {"name": known[0], "externalId": known[1], "notes": known[2], "metadata": {"crm": known[3]}})
    once = {"Idempotency-Key": '"the-contact"'}
    key.call("PATCH", contact, {"attributes": {"none": known[4]}}, 422, headers=once)
    erase(owner, contact)

    def left():
        files = {path.name: path.read_bytes().lower() for path in server.data.rglob("*") if path.is_file()}
        assert "frontdesk.sqlite" in files
        return {(name, one) for name, content in files.items() for one in known if one.lower().encode() in content}
    # The write-ahead log is emptied with the commit, or with a later one where a reader was active.
    end = time.monotonic() + 30
    while left() and time.monotonic() < end:
        key.post(f"{path}/messages", {"type": "text", "body": "Later"}, 201)
        time.sleep(0.2)
    assert not left()
    assert key.call("PATCH", contact, {"attributes": {"none": known[4]}}, 410, headers=once).json()["code"] == "message_erased"
