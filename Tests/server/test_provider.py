"""An independent provider against the emulator, over real sockets."""

import json
import time
import uuid

import pytest
import requests

from support.server import ROOT, Customer, Installation
from support.provider import Provider

BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")
PICTURE = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
           "rkJggg==")


def thread(customer):
    """The messages on the phone, oldest first."""
    return customer.fetch(f"/api/phone/{customer.business}/messages")["data"]


def test_a_customers_text_arrives_as_the_real_gateway_sends_it(provider, customer):
    """Typing first, then the text, with the device's capabilities."""
    customer.say("is it open?")
    message = provider.next("text")
    assert message["body"] == "is it open?"
    assert message["sourceId"] == customer.name and message["locale"] == "en_US"
    before, post = provider.posts[-2:]
    assert before.body["type"] == "typing_start"
    assert "QUICK" in post.headers["capability-list"].split(",")
    assert post.headers["Content-Type"] == "application/json"


def first_valid(folder):
    """A folder's first valid example."""
    return next(path for path in sorted(folder.glob("valid-*.json"))
                if not path.name.endswith(".expected.json"))


def examples():
    """A valid message of every kind that a provider sends."""
    folder = ROOT / "Schemas" / "examples" / "outbound"
    for kind in ("text", "quick-reply", "list-picker", "time-picker", "payment", "app",
                 "rich-link"):
        yield kind, first_valid(folder / kind)


@pytest.mark.parametrize("kind,path", list(examples()), ids=lambda value: str(value)[-20:])
def test_every_kind_is_accepted_and_shown_to_the_customer(provider, customer, kind, path):
    """The phone's payload is the posted one, without the members that a device does not need."""
    content = json.loads(path.read_text())
    for member in ("v", "id", "sourceId", "destinationId", "$schema"):
        content.pop(member, None)
    sent, _ = provider.send(customer.name, content)
    shown = thread(customer)[-1]
    assert shown["id"] == sent["id"]
    if kind == "payment":
        asked = sent["interactiveData"]["data"]["payment"]
        del asked["merchantSession"], asked["paymentRequest"]["applePay"]["merchantIdentifier"]
    assert shown["payload"] == sent


def test_an_attachment_reaches_the_customer_and_another_the_business(provider, customer, owner):
    """Encrypted on the wire, the same bytes at both ends."""
    data = bytes(range(256)) * 1_000
    provider.send(customer.name, {"type": "text", "body": "\ufffc", "attachments": [
        provider.upload("plan.bin", "application/octet-stream", data)]})
    use = thread(customer)[-1]["attachments"][0]
    got = customer.call("GET", f"/api/phone/{customer.business}/attachments/{use['id']}")
    assert got.content == data and use["name"] == "plan.bin"

    back = customer.post(f"/api/phone/{customer.business}/attachments?name=photo.bin",
                         data[:70_001], expect=201,
                         headers={"Content-Type": "application/octet-stream"})
    customer.say("\ufffc", attachments=[back["id"]])
    dictionary = provider.next("text")["attachments"][0]
    assert dictionary["name"] == "photo.bin"
    assert provider.download(dictionary) == data[:70_001]


def picker(count, picture):
    """A list picker whose reply echoes so many pictures."""
    images = [{"identifier": str(n), "data": picture, "description": "x" * 400}
              for n in range(count)]
    items = [{"identifier": f"i{n}", "title": f"Item {n}", "imageIdentifier": str(n), "order": n,
              "style": "icon"} for n in range(count)]
    return {"type": "interactive", "interactiveData": {
        "bid": BID, "data": {
            "version": "1.0", "requestIdentifier": str(uuid.uuid4()), "images": images,
            "listPicker": {"sections": [{
                "title": "Choose", "order": 0, "multipleSelection": False, "items": items}]}},
        "receivedMessage": {"title": "Pick one", "style": "icon"},
        "replyMessage": {"title": "Picked", "style": "icon"}}}


@pytest.mark.parametrize("count,is_large", [(2, False), (30, True)])
def test_a_reply_over_ten_kilobytes_arrives_by_reference(provider, customer, count, is_large):
    """After fetching, decrypting and decoding it has the picked items."""
    sent, _ = provider.send(customer.name, picker(count, PICTURE))
    customer.choose(sent["id"], list={"identifiers": ["i1"]})
    reply = provider.next("interactive")
    assert ("interactiveDataRef" in reply) == is_large
    assert ("interactiveData" in reply) != is_large
    data = provider.decode(reply["interactiveDataRef"]) if is_large else reply["interactiveData"]
    assert data["data"]["replyMessage"]["title"] == "Item 1"
    assert [section["items"][0]["identifier"]
            for section in data["data"]["listPicker"]["sections"]][0] == "i1"


@pytest.mark.parametrize("count,is_large", [(1, False), (30, True)])
def test_a_form_is_filled_in_and_its_answer_arrives_as_a_device_sends_it(
        provider, customer, count, is_large):
    """Old spellings in, current ones out; with the pictures it echoes it is large."""
    pages = [
        {"pageIdentifier": "a", "type": "select", "subtitle": "How was it?", "items": [
            {"title": "Good", "value": "1", "identifier": "g"},
            {"title": "Bad", "value": "2", "identifier": "b", "nextPageIdentifier": "c"}]},
        {"pageIdentifier": "c", "type": "input", "subtitle": "Why?",
         "options": {"regex": "[a-z ]+", "required": True}}]
    request = picker(count, PICTURE)
    data = request["interactiveData"]["data"]
    del data["listPicker"], data["version"]
    data |= {"mspVersion": "1.0", "dynamic": {"version": "1.1", "template": "form", "data": {
        "startPageIdentifier": "a", "pages": pages}}}
    sent, _ = provider.send(customer.name, request)
    bad = {"page": "a", "items": ["b"]}
    for answers in ([bad], [bad, {"page": "c", "text": "BECAUSE"}], [{"page": "c", "text": "x"}]):
        customer.choose(sent["id"], expect=422, form={"answers": answers})
    customer.choose(sent["id"], form={"answers": [bad, {"page": "c", "text": "the queue"}]})
    reply = provider.next("interactive")
    assert ("interactiveDataRef" in reply) == is_large
    answer = provider.decode(reply["interactiveDataRef"]) if is_large else reply["interactiveData"]
    assert answer["data"]["requestIdentifier"] == data["requestIdentifier"]
    assert answer["data"]["version"] == "1.0"
    assert answer["data"]["dynamic"] == {
        "version": "1.1", "template": "messageForms", "selections": [
            {"pageIdentifier": "a", "subtitle": "How was it?",
             "items": [{"identifier": "b", "type": "select", "title": "Bad", "value": "2"}]},
            {"pageIdentifier": "c", "subtitle": "Why?",
             "items": [{"identifier": "c", "type": "input", "title": "the queue",
                        "value": "the queue"}]}]}


def test_a_large_payload_is_sent_once_and_again_by_its_reference(provider, customer):
    """`include-data-ref` gives a reference, by which the whole payload can be fetched later."""
    sent, answer = provider.send(customer.name, picker(3, PICTURE),
                                 **{"include-data-ref": "true"})
    again, _ = provider.send(customer.name, {
        "type": "interactive", "interactiveDataRef": answer.json()["dataRef"]})
    shown = thread(customer)[-1]
    assert shown["id"] == again["id"]
    assert shown["payload"]["interactiveData"] == sent["interactiveData"]


@pytest.mark.parametrize("status,fields", [
    (401, {"Authorization": None}),
    (403, {"Authorization": "Bearer a.b.c"}),
    (404, {"destination-id": "urn:mbid:AAAA"}),
    (400, {"id": "7"}),
])
def test_an_error_is_refused_in_the_gateways_own_form(provider, customer, status, fields):
    """Plain text: code, reason, detail; and nothing reaches the customer."""
    before = len(thread(customer))
    _, answer = provider.send(
        customer.name, {"type": "text", "body": "no"}, expect=status, **fields)
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.text.startswith(f"{status} ")
    assert len(thread(customer)) == before


def test_a_broken_rule_is_named_and_findings_are_in_the_wire_log(provider, customer, owner):
    """The sentence names the rule, the wire log has all findings."""
    content = picker(1, PICTURE)
    content["interactiveData"]["data"]["listPicker"]["sections"] = []
    _, answer = provider.send(customer.name, content, expect=400)
    assert "/interactiveData/data/listPicker/sections" in answer.text
    log = owner.fetch(f"/api/businesses/{provider.business}/gateway/exchanges")["data"]
    mine = next(one for one in log if one["status"] == 400)
    assert mine["findings"] and "$TOKEN" in mine["curl"]
    assert "Bearer ***" in json.dumps(mine["request"]["headers"])


def test_closed_is_410_until_the_customer_writes_again(provider, customer):
    """Deleting the conversation is sent as `close`."""
    customer.call("DELETE", f"/api/phone/{customer.business}/conversation", expect=204)
    closed = provider.next("close")
    assert closed["sourceId"] == customer.name
    provider.send(customer.name, {"type": "text", "body": "wait"}, expect=410)
    customer.say("back again")
    provider.next("text")
    provider.send(customer.name, {"type": "text", "body": "welcome"})


def test_a_provider_that_fails_gets_everything_in_order_later(provider, customer):
    """Held while it fails, delivered once and in order when it answers again."""
    provider.status = 503
    for number in range(3):
        customer.say(f"number {number}")
    provider.status = 200
    words = [provider.next("text", timeout=60)["body"] for _ in range(3)]
    assert words == ["number 0", "number 1", "number 2"]


def test_sign_in_requests_have_an_endpoint_of_their_own(provider, customer):
    """`/message` accepts none of them, `/authenticate` nothing else."""
    path = first_valid(ROOT / "Schemas" / "examples" / "outbound" / "authentication")
    content = json.loads(path.read_text())
    for member in ("v", "id", "sourceId", "destinationId", "$schema"):
        content.pop(member, None)
    provider.send(customer.name, content, expect=400)
    provider.send(customer.name, {"type": "text", "body": "x"}, path="/authenticate", expect=400)
    answer = requests.post(provider.base + "/nothing", timeout=20)
    assert answer.status_code == 404


def test_a_private_address_is_not_called_where_that_is_off():
    """The delivery is pending with its reason, and the provider on this machine gets nothing."""
    with Installation("--private-endpoints=off") as server:
        owner = server.make_owner()
        business = next(
            b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
        provider = Provider()
        server.command("gateway", "register", "--business", business,
                      "--endpoint", provider.endpoint)
        Customer(server, business).say("hello")
        path = f"/api/businesses/{business}/gateway/deliveries?state=pending"
        waiting = wait_for(lambda: [
            one for one in owner.fetch(path)["data"] if "forbidden" in json.dumps(one)])
        assert len(waiting) == 1 and not provider.posts
        provider.stop()


def wait_for(look, seconds=20):
    """Looks until there is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came")


def test_a_message_that_names_one_upload_very_often_decrypts_it_once(provider, customer):
    """Two thousand times 5 MB: each by itself would take longer than a request may."""
    file = provider.upload("plan.bin", "application/octet-stream", bytes(5_000_000))
    provider.send(customer.name, {"type": "text", "body": "See", "attachments": [file] * 2_000})
    shown = customer.fetch(f"/api/phone/{customer.business}/messages")["data"][-1]
    assert len(shown["attachments"]) == 2_000 and {one["size"] for one in shown["attachments"]} == {5_000_000}


@pytest.mark.parametrize("url,title", [
    ("https://shop.example?table=4", "shop.example"), ("https://shop.example:8443/x", "shop.example"),
    ("https://shop.example@other.example/", "other.example")])
def test_a_constructed_link_is_called_by_its_host_alone(provider, url, title):
    """No user's name, no port and no query pass for it."""
    made = requests.post(provider.base + "/constructPayload", headers=provider.headers(), timeout=20, json={
        "type": "link", "link": {"url": url, "storeRegion": "US"}, "version": 1.0})
    assert made.status_code == 200, made.text
    assert made.json()["richLinkDataRef"]["title"] == title
