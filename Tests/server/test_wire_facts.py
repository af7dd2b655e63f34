"""The gateway's messages, byte for byte, as a client sees them that normalizes nothing."""

import base64
import gzip
import json
import plistlib
import time
import uuid

import pytest
import requests
from support.cards import card
from support.provider import come, crypt, token

UPPER = {code: byte for byte in range(256) for code in [f"{byte:02X}"]}
LOWER = {code: byte for byte in range(256) for code in [f"{byte:02x}"]}
SECRET = base64.b64encode(bytes(range(32))).decode()


def unhex(text, digits):
    """Decodes hexadecimal digits of one case; a digit of the other case is a KeyError."""
    return bytes(digits[text[place:place + 2]] for place in range(0, len(text), 2))


def fetched(provider, reference, digits):
    """The ciphertext behind a dictionary or a reference, and its key."""
    signature = base64.b64encode(unhex(reference["signature"], digits)).decode()
    link = requests.get(provider.base + "/preDownload", timeout=20, headers=provider.headers(**{
        "MMCS-Url": reference["url"], "MMCS-Signature": signature,
        "MMCS-Owner": reference["owner"]}))
    assert link.status_code == 200, link.text
    ciphertext = requests.get(link.json()["download-url"], timeout=60).content
    key = unhex(reference["key"], digits)
    assert key[0] == 0 and len(key) == 33
    return ciphertext, key[1:]


def test_an_attachment_is_read_by_a_client_that_knows_capitals_and_numbers_only(
        provider, customer):
    """`len(data) != size` and `bytes` of capitals, as clients have it."""
    data = bytes(range(256)) * 40
    made = customer.post(f"/api/phone/{customer.business}/attachments?name=photo.bin", data,
                         expect=201, headers={"Content-Type": "application/octet-stream"})
    customer.say("\ufffc", attachments=[made["id"]])
    dictionary = provider.next("text")["attachments"][0]
    ciphertext, key = fetched(provider, dictionary, UPPER)
    assert len(ciphertext) == dictionary["size"]
    assert crypt(ciphertext, key) == data


def test_a_large_reply_is_read_by_a_client_that_decompresses_after_decrypting(provider, customer):
    """Small digits, a size of digits, and gzip around a property list; decoded packed and bare."""
    items = [{"identifier": f"i{n}", "title": f"Item {n} " + "x" * 300, "order": n, "style": "icon"}
             for n in range(40)]
    sent, _ = provider.send(customer.name, card("pick", listPicker={"sections": [{
        "title": "Choose", "order": 0, "multipleSelection": False, "items": items}]}))
    customer.choose(sent["id"], list={"identifiers": ["i1"]})
    reference = provider.next("interactive")["interactiveDataRef"]
    ciphertext, key = fetched(provider, reference, LOWER)
    assert str(len(ciphertext)) == reference["size"]
    packed = crypt(ciphertext, key)
    assert packed[:2] == b"\x1f\x8b"
    bare = gzip.decompress(packed)
    assert plistlib.loads(bare)["$archiver"] == "NSKeyedArchiver"
    decoded = []
    for body in (packed, bare):
        answer = requests.post(provider.base + "/decodePayload", data=body, timeout=20,
                               headers=provider.headers(bid=reference["bid"], accept="*/*"))
        assert answer.status_code == 200, answer.text
        decoded.append(answer.json())
    assert decoded[0] == decoded[1]
    sections = decoded[0]["data"]["listPicker"]["sections"]
    assert [item["identifier"] for item in sections[0]["items"]] == ["i1"]


def test_an_archive_without_content_is_refused_with_the_missing_member(provider, customer):
    """A keyed archive of a dictionary that names its extension and nothing else."""
    uid = plistlib.UID
    archive = plistlib.dumps({
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": uid(1)},
        "$objects": ["$null", {"NS.keys": [uid(2)], "NS.objects": [uid(3)]}, "bid", "b"]},
        fmt=plistlib.FMT_BINARY)
    answer = requests.post(provider.base + "/decodePayload", data=archive, timeout=20,
                           headers=provider.headers(bid="b"))
    assert answer.status_code == 400
    assert "neither data" in answer.text and "nor URL" in answer.text


def test_a_quick_reply_s_answer_has_no_bubble(provider, customer):
    """`replyMessage` stays out."""
    content = card("quick", **{"quick-reply": {"summaryText": "Well?", "items": [
        {"identifier": "yes", "title": "Yes"}, {"identifier": "no", "title": "No"}]}})
    for member in ("receivedMessage", "replyMessage"):
        content["interactiveData"].pop(member)
    sent, _ = provider.send(customer.name, content)
    customer.choose(sent["id"], quickReply={"identifier": "no"})
    data = provider.next("interactive")["interactiveData"]["data"]
    assert data["quick-reply"]["selectedIdentifier"] == "no" and "replyMessage" not in data


def test_every_item_of_a_form_s_answer_has_the_four_members(provider, customer):
    """A date's value is a time, its title the text that was shown."""
    page = {"subtitle": "?"}
    sent, _ = provider.send(customer.name, card("form", dynamic={
        "version": "1.2", "template": "messageForms", "data": {
            "startPageIdentifier": "a", "showSummary": False, "pages": [
                {**page, "pageIdentifier": "a", "type": "picker", "nextPageIdentifier": "b",
                 "items": [{"identifier": "x", "title": "X", "value": "1"}]},
                {**page, "pageIdentifier": "b", "type": "datePicker", "nextPageIdentifier": "c",
                 "options": {"dateFormat": "dd.MM.yyyy", "maximumDate": "31.12.2024"}},
                {**page, "pageIdentifier": "c", "type": "input"}]}}))
    customer.choose(sent["id"], form={"answers": [
        {"page": "a", "items": ["x"]}, {"page": "b", "text": "01.01.2024"},
        {"page": "c", "text": "hello"}]})
    data = provider.next("interactive")["interactiveData"]["data"]
    assert [item for one in data["dynamic"]["selections"] for item in one["items"]] == [
        {"identifier": "x", "type": "select", "title": "X", "value": "1"},
        {"identifier": "b", "type": "datePicker", "title": "01.01.2024",
         "value": "2024-01-01T00:00:00Z"},
        {"identifier": "c", "type": "input", "title": "hello", "value": "hello"}]


def test_a_body_whose_coding_a_proxy_dropped_is_accepted(provider, customer):
    """The first two bytes identify gzip."""
    message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": provider.business,
               "destinationId": customer.name, "type": "text", "body": "packed"}
    answer = requests.post(
        provider.base + "/message", data=gzip.compress(json.dumps(message).encode()), timeout=20,
        headers=provider.headers(**{"id": message["id"], "destination-id": customer.name,
                                    "Content-Type": "application/json"}))
    assert answer.status_code == 200, answer.text
    shown = customer.fetch(f"/api/phone/{customer.business}/messages")["data"][-1]
    assert shown["payload"]["body"] == "packed"


def test_an_unreachable_customer_is_refused_in_the_channel_s_own_words(provider, customer):
    """410 for a customer who left, 404 for an unknown number."""
    customer.call("DELETE", f"/api/phone/{customer.business}/conversation", expect=204)
    _, answer = provider.send(customer.name, {"type": "text", "body": "wait"}, expect=410)
    assert answer.text == "410 Gone : Session not found"
    _, answer = provider.send("tel:14085550123", {"type": "text", "body": "x"}, expect=404,
                              **{"message-type": "notification"})
    assert answer.text == "404 Not Found : No device registrations for user"


@pytest.fixture
def connected(server, owner, upstream):
    """A test business that is connected to an upstream: its id, and where its customers come in."""
    business = owner.post(
        "/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]
    made = owner.request(
        "PUT", f"{server.url}/api/businesses/{business}/gateway/upstream", timeout=20,
        json={"baseUrl": upstream.url + "/v1", "mspId": "m-1", "secret": SECRET})
    assert made.status_code in (200, 201), made.text
    return business, made.json()["upstream"]["callbackUrl"]


def test_a_message_whose_file_is_lost_is_kept_and_the_loss_is_shown(server, owner, connected):
    """The upstream knows no such file: the message is accepted at once, with a note about the file."""
    business, callback = connected
    body = {
        "v": 1, "id": str(uuid.uuid4()), "type": "text", "body": "Here it is \ufffc",
        "sourceId": "urn:mbid:" + base64.b64encode(uuid.uuid4().bytes).decode(),
        "destinationId": business, "attachments": [{
            "name": "photo.png", "mimeType": "image/png", "size": 5, "signature": "01AB",
            "key": "00" + "07" * 32, "url": "https://gone.example/m/1", "owner": "M1"}]}
    begin = time.monotonic()
    taken = requests.post(
        server.url + callback[callback.index("/msp/"):] + "/message", json=body, timeout=20,
        headers={"Authorization": "Bearer " + token(SECRET, aud="m-1"), "id": body["id"],
                 "source-id": body["sourceId"], "destination-id": business})
    assert taken.status_code == 200, taken.text
    assert time.monotonic() - begin < 10
    talk = owner.fetch(f"/api/conversations?business={business}")["data"][0]["id"]
    message = owner.fetch(f"/api/conversations/{talk}/messages")["data"][0]
    assert message["payload"]["body"] == "Here it is \ufffc" and message["attachments"] == []
    [lost] = message["missingFiles"]
    assert lost["place"] == 0 and lost["reason"]
    # A repeat is recognised.
    assert come(server, callback, "m-1", SECRET, business, "and more", source=body["sourceId"])


def test_a_file_of_ours_is_uploaded_upstream_and_one_from_elsewhere_stays_in_the_list(
        server, owner, upstream, connected):
    """Whatever the spelling of ours, what goes out has the current one."""
    business, callback = connected
    upstream.gives["/v1/preUpload"] = {
        "upload-url": upstream.url + "/upload", "mmcs-url": "https://mmcs.example/1", "mmcs-owner": "M1"}
    upstream.answer = json.dumps({"singleFile": {"fileChecksum": "AQID"}})
    come(server, callback, "m-1", SECRET, business, "Hello")
    talk = owner.fetch(f"/api/conversations?business={business}")["data"][0]["id"]
    ours = owner.call(
        "POST", f"/api/attachments?conversation={talk}&name=a.png", b"12345", expect=201,
        headers={"Content-Type": "application/octet-stream"}).json()["attachment"]
    old = {"name": "a.png", "mime-type": "image/png", "file-size": "5", "signature-base64": "AQID",
           "decryption-key": "00" + "07" * 32, "mmcs-url": ours["url"], "mmcs-owner": "x"}
    other = {"name": "b.pdf", "mimeType": "application/pdf", "size": "7", "signature-base64": "BAUG",
             "key": "00" + "09" * 32, "url": "https://elsewhere.example/m/2", "owner": "M2"}
    for place, attachments in enumerate(([other, old], [ours, other], [ours])):
        owner.post(f"/api/conversations/{talk}/messages", {
            "type": "text", "body": "\ufffc" * len(attachments) + str(place),
            "attachments": attachments}, expect=201)
        post = upstream.wait(lambda post, end=str(place): post.get("body", "").endswith(end))
        listed = post.body["attachments"]
        assert len(listed) == len(attachments)
        for was, now in zip(attachments, listed):
            if was is other:
                assert now == other
                continue
            assert {name: now[name] for name in ("name", "mimeType", "size", "url", "owner")} == {
                "name": "a.png", "mimeType": "image/png", "size": "5", "owner": "M1",
                "url": "https://mmcs.example/1"}
            assert "mmcs-url" not in now and now["key"] != old["decryption-key"]
    assert len(upstream.files) == 3 and all(len(file) == 5 for file in upstream.files)


def test_the_test_merchant_answers_the_channel_s_own_call_for_a_session(server):
    """The four members, or with an older client's domain; the path is the channel's."""
    call = {"merchantIdentifier": "merchant.com.example.shop", "displayName": "Example Shop",
            "initiative": "messaging", "initiativeContext": "https://shop.example.com/pay"}
    path = server.url + "/paymentservices/paymentSession"
    for more in ({}, {"domainName": "shop.example.com"}):
        answer = requests.post(path, json={**call, **more}, timeout=20)
        assert answer.status_code == 200, answer.text
        session = answer.json()
        for name in ("merchantIdentifier", "displayName", "initiativeContext"):
            assert session[name] == call[name]
        assert session["merchantSessionIdentifier"] and session["nonce"] and session["signature"]
        assert session["expiresAt"] - session["epochTimestamp"] == 300_000
    for wrong in ({"initiative": "web"}, {"displayName": ""}, {"merchantIdentifier": 7}):
        answer = requests.post(path, json={**call, **wrong}, timeout=20)
        assert answer.status_code == 422, answer.text
    assert requests.post(path, data=b"{", timeout=20, headers={
        "Content-Type": "application/json"}).status_code == 400


def test_the_page_where_the_example_of_a_sign_in_ends_is_there(server, sandbox):
    """A page of this server, which ignores what it does not know."""
    answer = requests.get(
        f"{server.url}/b/{sandbox['id']}/signed-in?code=x&state=y&more=z", timeout=20)
    assert answer.status_code == 200 and "signed-in-page" in answer.text
