"""Contacts of a running server: blocked customers of an upstream gateway, transcripts, and what survives an export."""

import re
import uuid

import pytest
from support.provider import come

SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


@pytest.fixture
def business(owner):
    """A test business of its own."""
    return owner.post(
        "/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]


@pytest.fixture
def callback(server, business, upstream):
    """Where an upstream gateway of the business sends what customers do."""
    printed = server.command(
        "gateway", "connect", "--business", business, "--base-url", upstream.url + "/v1",
        "--msp-id", "m-1", "--secret", SECRET).stdout
    return re.search(r"at the gateway: +(\S+)", printed).group(1)


def only(owner, business):
    """The one conversation of a business."""
    return owner.fetch(f"/api/conversations?business={business}")["data"][0]


def test_what_an_upstream_brings_of_a_blocked_customer_is_dropped_and_noted(server, owner, business, callback):
    first = come(server, callback, "m-1", SECRET, business, "Hello")
    talk = only(owner, business)
    contact = f"/api/businesses/{business}/contacts/{talk['contact']['id']}"
    owner.post(contact + "/block")
    late = come(server, callback, "m-1", SECRET, business, "unwanted words", source=first["sourceId"])
    messages = owner.fetch(f"/api/conversations/{talk['id']}/messages")
    assert [one["payload"]["body"] for one in messages["data"]] == ["Hello"]
    assert [one["type"] for one in messages["events"]][-1] == "customer.blocked"
    wire = owner.fetch(f"/api/businesses/{business}/gateway/exchanges?page[size]=1")
    assert "unwanted words" not in str(wire) and "blocked" in str(wire["data"][0]["findings"])
    owner.post(contact + "/unblock")
    come(server, callback, "m-1", SECRET, business, "wanted words", source=late["sourceId"])
    messages = owner.fetch(f"/api/conversations/{talk['id']}/messages")
    assert [one["payload"]["body"] for one in messages["data"]] == ["Hello", "wanted words"]
    assert only(owner, business)["blockedAt"] is None


def test_two_customers_of_one_person_are_merged_and_parted(server, owner, business, callback):
    for text in ("from the phone", "from the tablet"):
        come(server, callback, "m-1", SECRET, business, text)
    one, two = owner.fetch(f"/api/conversations?business={business}")["data"]
    path = f"/api/businesses/{business}/contacts"
    owner.call("PATCH", f"{path}/{two['contact']['id']}", {"name": "Mrs Sato", "externalId": "C-7"})
    whole = owner.post(f"{path}/{one['contact']['id']}/merge", {"contact": two["contact"]["id"]})
    assert whole["name"] == "Mrs Sato" and whole["externalId"] == "C-7"
    assert {each["id"] for each in whole["conversations"]} == {one["id"], two["id"]}
    found = owner.fetch(f"/api/search?q=sato&in=customers&business={business}")["conversations"]
    assert {each["contact"]["id"] for each in found} == {one["contact"]["id"]} and len(found) == 2
    assert len(owner.fetch(f"{path}?q=sato")["data"]) == 1
    owner.post(f"{path}/{one['contact']['id']}/merge", {"contact": two["contact"]["id"]}, expect=409)
    apart = owner.post(f"{path}/{two['contact']['id']}/unmerge")
    assert apart["externalId"] == "C-7" and [each["id"] for each in apart["conversations"]] == [two["id"]]
    assert owner.fetch(f"{path}/{one['contact']['id']}")["name"] is None


def test_a_transcript_is_streamed_whole(server, owner, business, callback):
    first = come(server, callback, "m-1", SECRET, business, "<b>Hello</b>")
    talk = only(owner, business)["id"]
    for number in range(120):
        come(server, callback, "m-1", SECRET, business, f"line {number}", source=first["sourceId"])
    owner.post(f"/api/conversations/{talk}/messages",
               {"id": str(uuid.uuid4()), "type": "text", "body": "the last word"}, expect=201)
    page = owner.get(f"{server.url}/api/conversations/{talk}/transcript")
    assert page.status_code == 200 and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "sandbox" in page.headers["Content-Security-Policy"]
    assert "&lt;b&gt;Hello&lt;/b&gt;" in page.text and "<b>Hello" not in page.text
    assert [f">line {number}<" in page.text for number in range(120)] == [True] * 120
    assert ">the last word<" in page.text and page.text.rstrip().endswith("</html>")
    text = owner.get(f"{server.url}/api/transcripts?format=text&conversation={talk}")
    assert text.headers["Content-Disposition"].startswith("attachment")
    assert text.text.count("\n    line ") == 120
