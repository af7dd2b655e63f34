"""What an import refuses as the API does, and what it says of what it leaves."""

import json

import pytest
from support.server import Session

LINES = {"Content-Type": "application/x-ndjson"}


@pytest.fixture(scope="module")
def shops(server, owner):
    """Two businesses, each with a session of its key."""
    made = []
    for name in ("Shop", "Other"):
        business = owner.post("/api/businesses", {"name": name, "mode": "test"}, 201)["id"]
        made.append(Session(server, key=server.make_key(business, name)))
        made[-1].business = business
    return made


def bring(shop, *lines, dry=False):
    """Imports lines; returns the answer."""
    body = "\n".join(json.dumps(line) for line in lines)
    return shop.post(f"/api/businesses/{shop.business}/imports?dryRun={str(dry).lower()}", body.encode(), headers=LINES)


def upload(shop, content):
    """A file of a business, as a payload names it."""
    return shop.post(f"/api/attachments?business={shop.business}&name=menu.txt", content, 201,
                     headers={"Content-Type": "application/octet-stream"})["attachment"]


def said(customer, number, **more):
    return {"type": "message", "customer": customer, "id": str(number), "time": f"2025-01-01T00:00:{number:02}Z",
            "direction": "inbound", "text": "Hello", **more}


@pytest.mark.parametrize("dry", [True, False])
def test_a_template_that_the_api_refuses_is_refused_by_an_import(shops, dry):
    shop, other = shops
    foreign = {"type": "text", "body": "\ufffc", "attachments": [upload(other, b"of the other business")]}
    wrong = {"payload": {"type": "text", "body": "Hi {{x}}"}, "parameters": [{"name": "x", "type": "text", "defualt": "y"}]}
    for name, more, pointer in (("foreign", {"payload": foreign}, "url"), ("wrong", wrong, "defualt")):
        template = {"name": name, "title": "T", **more}
        shop.post("/api/templates", {"business": shop.business, **template}, 422)
        answer = bring(shop, {"type": "template", **template}, dry=dry)
        assert answer["counts"]["template"]["refused"] == 1, answer
        [finding] = answer["findings"]
        assert pointer in finding["detail"] + json.dumps(finding["errors"]), finding
        shop.call("GET", f"/api/templates/{name}?business={shop.business}", expect=404)


def test_a_file_that_an_imported_template_names_is_the_template_s_too(server, owner, shops):
    shop, _ = shops
    named = upload(shop, b"of an imported template")
    payload = {"type": "text", "body": "\ufffc", "attachments": [named]}
    assert bring(shop, {"type": "template", "name": "menu", "title": "Menu", "payload": payload})["counts"]["template"]["added"] == 1
    # It is one of those that a copy of the store has, where uploads that nothing names are left out.
    copy = server.data.parent / "copy.jsonl"
    server.command("export", str(copy))
    held = [json.loads(line) for line in copy.read_text().splitlines() if '"type":"hold"' in line]
    assert named["url"].rsplit("/", 1)[1] in json.dumps(held)


def test_a_message_that_was_erased_elsewhere_and_not_here_is_named(shops):
    shop, _ = shops
    bring(shop, said("Ada", 1), said("Ada", 2))
    gone = said("Ada", 1, text=None, erasedAt="2025-02-01T00:00:00Z")
    for dry in (True, False):
        answer = bring(shop, gone, said("Ada", 2), dry=dry)
        assert answer["counts"]["message"]["known"] == 2
        [finding] = answer["findings"]
        assert (finding["severity"], finding["line"]) == ("warning", 1) and "Erase the message here" in finding["errors"][0]["fix"]
    [first] = [row for row in map(json.loads, shop.call(
        "GET", f"/api/businesses/{shop.business}/exports/messages").text.splitlines()) if row["time"].endswith(":01.000Z")]
    conversation = f"/api/conversations/{first['conversation']}/messages/{first['id']}"
    shop.call("DELETE", conversation)
    assert bring(shop, gone)["findings"] == []


def test_a_dry_run_counts_names_that_a_file_gives_twice_and_labels_beyond_the_most(shops):
    _, shop = shops
    people = [{"type": "customer", "customer": name, "externalId": code}
              for name, code in (("A", "X-1"), ("B", "X-1"), ("A", "X-1"), ("C", "X-2"))]
    labels = [{"type": "label", "name": f"label {number}"} for number in range(202)]
    dry, real = (bring(shop, *people, *labels, dry=dry) for dry in (True, False))
    for kind in ("customer", "label"):
        assert dry["counts"][kind]["refused"] == real["counts"][kind]["refused"] == (1 if kind == "customer" else 2), (kind, dry, real)
    assert "200 labels" in real["findings"][-1]["detail"]
