"""Files whose names a message says: whatever it calls them, they are downloads under a name that can be shown."""

import urllib.parse

import pytest
from support.graph import Graph
from support.server import Customer, Session

OCTETS = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def program(server, sandbox):
    """A key's session with the conversation it writes to."""
    made = Session(server, key=server.make_key(sandbox["id"], "files"))
    made.customer = Customer(server, sandbox["id"])
    made.conversation = made.customer.say("Hello")["message"]["conversation"]
    return made


@pytest.mark.parametrize("name, shown", [
    ("bill.pdf", "bill.pdf"), ("\u202efdp.exe", "fdp.exe"), ("../../bill.pdf", "bill.pdf"), ("bill\r\nX-A: b.pdf", "billX-A: b.pdf"),
    ("", "file"), ("é" * 150 + ".pdf", "é" * 98 + ".pdf"), ("n" * 100_000 + ".pdf", "n" * 196 + ".pdf")],
    ids=["plain", "turned", "path", "lines", "empty", "long", "very long"])
def test_a_file_is_a_download_under_a_name_that_can_be_shown_whatever_its_message_calls_it(program, name, shown):
    held = program.post(f"/api/attachments?conversation={program.conversation}&name=a.pdf", b"%PDF-1.4 of the shop", 201,
                        headers=OCTETS)
    sent = program.post(f"/api/conversations/{program.conversation}/messages", {
        "type": "text", "body": "\ufffc", "attachments": [{**held["attachment"], "name": name}]}, 201)
    theirs = f"/api/phone/{program.customer.business}/attachments/{held['id']}?message={sent['id']}"
    ours = f"/api/attachments/{held['id']}?conversation={program.conversation}&message={sent['id']}"
    for reader, path in ((program, ours), (program.customer, theirs)):
        answer = reader.call("GET", path)
        said = answer.headers.get("Content-Disposition", "")
        assert said.startswith("attachment; "), said[:80]
        assert urllib.parse.unquote(said.partition("filename*=UTF-8''")[2]) == shown


def test_a_file_that_a_customer_sends_by_another_channel_is_under_such_a_name_too(server, owner):
    graph = Graph()
    try:
        business = owner.post("/api/businesses", {"name": "Shop at WhatsApp", "mode": "test"}, 201)["id"]
        graph.connect(owner, business)
        graph.files["4711"] = ("application/pdf", b"%PDF-1.4 of a customer")
        graph.come(server, {"document": {"id": "4711", "mime_type": "application/pdf", "filename": "bill\u202efdp.exe"}})
        [found] = owner.fetch(f"/api/conversations?business={business}")["data"]
        [message] = owner.fetch(f"/api/conversations/{found['id']}/messages")["data"]
        answer = owner.call("GET", f"/api/attachments/{message['attachments'][0]['id']}?conversation={found['id']}")
        assert answer.headers["Content-Disposition"].endswith("filename*=UTF-8''billfdp.exe")
    finally:
        graph.stop()
