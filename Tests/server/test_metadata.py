"""Metadata of conversations, customers and messages in a running server: who sees it, and who never does."""

import json
import re
import uuid

import pytest
from support.provider import come
from support.server import Customer, Session

SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
HIDDEN = "kept beside 注文"


@pytest.fixture
def shop(server, sandbox):
    """A key with a conversation whose customer is a simulated phone."""
    phone = Customer(server, sandbox["id"])
    talk = phone.say("Hello")["message"]["conversation"]
    key = Session(server, key=server.make_key(sandbox["id"]))
    return phone, key, f"/api/conversations/{talk}", talk


def events_of(key, talk, after):
    """The events of a conversation behind a place, and those of contacts."""
    page = key.fetch(f"/api/events?limit=300&after={after}", headers={"Accept": "application/json"})
    return [one for one in page["data"] if one["conversation"] in (talk, None)]


def exported(key, business, table):
    """The rows of an export as lines of JSON."""
    answer = key.call("GET", f"/api/businesses/{business}/exports/{table}?format=jsonl")
    return [json.loads(line) for line in answer.text.splitlines()]


def test_metadata_is_in_answers_events_and_exports_and_never_at_the_customer(server, sandbox, shop):
    phone, key, path, talk = shop
    head = key.fetch(f"/api/conversations?business={sandbox['id']}")["head"]
    sent = key.post(f"{path}/messages", {
        "payload": {"type": "text", "body": "Your order is on its way."}, "metadata": {"order": HIDDEN}}, 201)
    assert sent["metadata"] == {"order": HIDDEN} and "metadata" not in sent["payload"]
    changed = key.call("PATCH", path, {"metadata": {"order": HIDDEN, "old": None}}).json()
    assert changed["metadata"] == {"order": HIDDEN}
    contact = f"/api/businesses/{sandbox['id']}/contacts/{changed['contact']['id']}"
    assert key.call("PATCH", contact, {"metadata": {"crm": HIDDEN}}).json()["metadata"] == {"crm": HIDDEN}

    found = {one["type"]: one["data"] for one in events_of(key, talk, head)}
    accepted = found["message.accepted"]
    assert accepted["message"]["metadata"] == {"order": HIDDEN}
    assert accepted["conversationState"]["metadata"] == {"order": HIDDEN}
    named = found["conversation.metadata_changed"]["change"]["metadata"]
    assert named == {"set": ["order"], "removed": []}
    assert found["contact.saved"]["change"]["metadata"] == {"set": ["crm"], "removed": []}
    for kept in ("conversation.metadata_changed", "contact.saved"):
        assert HIDDEN not in json.dumps(found[kept], ensure_ascii=False)

    for table, members in (("messages", {"order": HIDDEN}), ("conversations", {"order": HIDDEN}), ("customers", {"crm": HIDDEN})):
        rows = [row for row in exported(key, sandbox["id"], table) if row["conversation"] == talk and row["metadata"]]
        assert [json.loads(row["metadata"]) for row in rows] == [members]

    page = phone.call("GET", f"/api/phone/{sandbox['id']}/messages").text
    assert "on its way" in page and "metadata" not in page and HIDDEN not in page


def test_metadata_inside_the_payload_is_refused_for_it_would_go_to_the_customer(shop):
    phone, key, path, _ = shop
    payload = {"type": "text", "body": "Your order is on its way.", "metadata": {"order": HIDDEN}}
    for body in (payload, {"payload": payload}):
        refused = key.post(f"{path}/messages", body, 422)
        assert refused["errors"][0]["pointer"].endswith("/metadata"), refused
        assert "payload and metadata" in refused["errors"][0]["fix"]
    key.post(f"{path}/messages", {**payload, "metadata": None}, 201)


def test_metadata_is_not_sent_to_the_upstream_gateway(server, owner, upstream):
    business = owner.post("/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, 201)["id"]
    printed = server.command(
        "gateway", "connect", "--business", business, "--base-url", upstream.url + "/v1",
        "--msp-id", "m-1", "--secret", SECRET).stdout
    callback = re.search(r"at the gateway: +(\S+)", printed).group(1)
    come(server, callback, "m-1", SECRET, business, "Hello")
    talk = owner.fetch(f"/api/conversations?business={business}")["data"][0]
    key = Session(server, key=server.make_key(business))
    key.post(f"/api/conversations/{talk['id']}/messages", {
        "metadata": {"order": "kept-beside"}, "payload": {"type": "text", "body": "On its way."}}, 201)
    post = upstream.wait(lambda post: post.get("type") == "text")
    assert post.body["body"] == "On its way."
    for one in upstream.posts:
        seen = json.dumps(one.body) + str(one.headers)
        assert "kept-beside" not in seen and "metadata" not in seen


def test_metadata_survives_a_crash_and_a_repeat_answers_the_first(server, sandbox, shop):
    _, key, path, _ = shop
    body = {"payload": {"id": str(uuid.uuid4()), "type": "text", "body": "Once"}, "metadata": {"order": "A-17"}}
    key.post(f"{path}/messages", body, 201)
    key.call("PATCH", path, {"metadata": {"order": "A-17"}})
    server.kill()
    server.start()
    assert key.fetch(path)["metadata"] == {"order": "A-17"}
    again = key.post(f"{path}/messages", {**body, "metadata": {"order": "another"}}, 201)
    assert again["metadata"] == {"order": "A-17"}
