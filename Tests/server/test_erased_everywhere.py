"""Of a person who was erased no route, event, replay, tool, remembered answer, export or file has a word."""

import asyncio
import base64
import json
import re
import secrets
import time

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from support import postgres
from support.binary import ROOT
from support.cards import PICTURE, card
from support.provider import Provider
from support.receiver import Receiver
from support.registered import registered
from support.server import Customer, Installation, Session
from support.waiting import until

# In every text of the person, and in no other.
WORD = "qz" + secrets.token_hex(6)
# What a client cannot get as an answer of its own: streams, and pages that begin a sign-in.
NOT_FETCHED = {"/api/live", "/api/phone/{business}/live", "/sso/start", "/sso/callback", "/sandbox/expect"}


def mark(what):
    """The word, with what it was said in."""
    return f"{what}-{WORD}"


def marks(text):
    """In what the word was said that a text has."""
    return sorted(set(re.findall(r"[\w ]{0,20}[-_ ]?" + WORD, text, re.IGNORECASE)))


class Echo(Receiver):
    """Answers every event with the marks in it."""

    def take(self, path, headers, body):
        """Accepts with 200, as 204 has no body."""
        accepted = super().take(path, headers, body) == 204
        self.answer = " ".join(marks(body.decode()))[:1_000]
        return 200 if accepted else 401


class EchoProvider(Provider):
    """Answers every message with what it got."""

    def take(self, path, headers, body):
        """Repeats the post."""
        status = super().take(path, headers, body)
        self.answer = json.dumps(self.posts[-1].body)
        return status


class Place:
    """A business with everything that keeps a copy, and a person in it."""

    def __init__(self, server):
        self.server, self.owner, self.repeats = server, server.make_owner(), []
        self.business = next(one["id"] for one in self.owner.fetch("/api/businesses")["data"] if one["isSandbox"])
        self.secret = server.make_key(self.business)
        self.key = Session(server, key=self.secret)
        self.base = f"/api/businesses/{self.business}"
        for subject in ("conversation", "contact"):
            self.owner.post(f"{self.base}/attributes", {"of": subject, "key": "plan", "name": "Plan", "type": "text"}, 201)
        self.owner.post("/api/templates", {
            "business": self.business, "name": "hello", "title": "Hello", "payload": {"type": "text", "body": "Dear {{who}}"},
            "parameters": [{"name": "who", "type": "text", "required": True}]}, 201)
        self.owner.post(f"{self.base}/rules", {"name": "Greets", "when": "customerMessage", "if": [{"text": "rule"}], "then": [
            {"note": "Greeted by a rule"}, {"template": {"name": "hello", "values": {"who": "you"}}}]}, 201)
        self.macro = self.owner.post(f"{self.base}/macros", {
            "name": "Notes", "shared": True, "parameters": [{"name": "who", "type": "text"}], "actions": [
                {"note": "About {{who}}"}, {"template": {"name": "hello", "values": {"who": "{{who}}"}}}]}, 201)["id"]
        self.hooks = []

    def hook(self, receiver, order):
        """Gives an endpoint to the business."""
        made = self.owner.post(f"{self.base}/webhooks", {"url": receiver.url + "/hook", "order": order}, 201)
        receiver.keys = [made["secret"]]
        self.hooks.append(made["id"])

    def once(self, method, path, body, expect):
        """A request of the key under an Idempotency-Key, which is sent again after the erasure."""
        headers = {"Idempotency-Key": f'"{len(self.repeats)}"'}
        self.key.call(method, path, body, expect, headers=headers)
        self.repeats.append((method, path, body, headers))

    def begin(self, provider):
        """The customer writes, and the contact is known."""
        self.phone = Customer(self.server, self.business)
        self.conversation = self.phone.say(mark("first"))["message"]["conversation"]
        self.path, self.contact = f"/api/conversations/{self.conversation}", f"{self.base}/contacts/{self.conversation}"
        self.customer = provider.next("text")["sourceId"]
        for number in (1, 2):
            self.once("PATCH", self.contact, {
                "name": f"Mrs {mark(f'name{number}')}", "externalId": mark(f"crm{number}"), "notes": mark("notes"),
                "attributes": {"plan": mark("tier")}, "metadata": {"crm": mark("metadata")}}, 200)
        self.once("PATCH", self.path, {"metadata": {"card": mark("card")}, "attributes": {"plan": mark("plan")}}, 200)

    def talk(self, provider):
        """Messages, files and cards of both sides, refused ones too."""
        stored = self.phone.call("POST", f"/api/phone/{self.business}/attachments?name={mark('picture')}.png",
                                 base64.b64decode(PICTURE) + mark("bytes").encode(), 201, headers={"Content-Type": "image/png"}).json()
        self.phone.say("\ufffc", attachments=[stored["id"]])
        self.files = [stored["id"]]
        upload = provider.upload(mark("file") + ".txt", "text/plain", mark("upload").encode() * 20)
        provider.send(self.customer, {"type": "text", "body": "\ufffc" + mark("provider"), "attachments": [upload]})
        provider.send(self.customer, {"type": "text", "body": mark("refused"), "attachments": [{"name": mark("nameless")}]}, expect=400)
        provider.send(self.customer, {"type": "richLink", "richLinkData": {
            "url": "https://example.com/" + mark("link"), "title": mark("title"),
            "assets": {"image": {"data": PICTURE, "mimeType": "image/png"}}}})
        asked, _ = provider.send(self.customer, card(mark("list"), listPicker={"sections": [{
            "title": mark("section"), "order": 0, "multipleSelection": False, "items": [
                {"identifier": "a", "title": mark("item"), "order": 0}]}]}))
        self.phone.choose(asked["id"], list={"identifiers": ["a"]})
        asked = self.owner.post(f"{self.path}/messages", card(mark("form"), dynamic={
            "version": "1.2", "template": "messageForms", "data": {"startPageIdentifier": "c", "showSummary": False, "pages": [
                {"pageIdentifier": "c", "type": "input", "subtitle": mark("question"), "options": {"regex": ".+", "required": True}}]}}), 201)
        self.phone.choose(asked["id"], form={"answers": [{"page": "c", "text": mark("answer")}]})
        self.phone.say("rule " + mark("ruled"))
        until(lambda: self.owner.fetch(f"{self.base}/rules/log")["data"], bool)

    def work(self):
        """What colleagues and programs leave beside it."""
        self.once("POST", f"{self.path}/messages", {"type": "text", "body": mark("key")}, 201)
        self.once("POST", f"{self.path}/template-messages", {"template": "hello", "values": {"who": mark("value")}}, 201)
        self.once("POST", "/api/messages/batch", {"messages": [
            {"conversation": self.conversation, "payload": {"type": mark("kind"), "body": "x"}}]}, 200)
        self.once("POST", f"{self.path}/notes", {"text": mark("note")}, 201)
        self.once("POST", f"{self.path}/macros/{self.macro}", {"values": {"who": mark("macro")}}, 200)
        self.once("POST", f"{self.path}/suggestions", {"payload": {"type": "text", "body": mark("suggestion")}, "remark": mark("remark")}, 201)
        self.owner.call("PUT", f"{self.path}/draft", {"version": 0, "kind": "text", "text": mark("draft")})
        self.owner.post(f"{self.path}/messages?sendAt=2027-06-01T10:00:00Z", {"type": "text", "body": mark("later")}, 202)
        self.once("PATCH", self.path, {"state": "closed"}, 200)

    def events(self):
        """All events of the business from the first on."""
        found, after, more = [], "", True
        while more:
            page = self.owner.fetch(f"/api/events?limit=300&business={self.business}{after}", headers={"Accept": "application/json"})
            found, after, more = found + page["data"], f"&after={page['next']}", page["hasMore"]
        return found

    def routes(self):
        """Every route that is read, with what there is in its places."""
        places = {"business": [self.business], "conversation": [self.conversation], "contact": [self.conversation],
                  "webhook": self.hooks, "attachment": self.files, "macro": [self.macro], "name": ["hello"],
                  "table": ["customers", "conversations", "messages", "notes"],
                  "message": [one["id"] for one in self.owner.fetch(f"{self.path}/messages?page[size]=100")["data"]]}
        for path, item in json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"].items():
            names = re.findall(r"\{(\w+)\}", path)
            if "get" not in item or path in NOT_FETCHED or not set(names) <= set(places):
                continue
            paths = [path]
            for name in names:
                paths = [one.replace("{%s}" % name, value) for one in paths for value in places[name]]
            parameters = json.dumps(item["get"].get("parameters", []))
            queries = ["?" + "&".join(
                ([f"business={self.business}"] if '"business"' in parameters and "{business}" not in path else [])
                + (["page[size]=100"] if '"page[size]"' in parameters else [])
                + ([f"q={WORD}"] if path == "/api/search" else []) + (["format=jsonl"] if "exports" in path else []))]
            if path.endswith("deliveries"):
                queries += [f"{queries[0]}&filter[state]={state}" for state in ("pending", "delivered", "dead")]
            yield from (one + query for one in paths for query in queries)

    def shown(self):
        """The routes that say the word, to the owner or the key."""
        return {(path, *marks(text)) for session in (self.owner, self.key) for path in self.routes()
                if WORD in (text := session.get(self.server.url + path, timeout=20, headers={"Accept": "application/json"}).text).lower()}

    def by_tools(self):
        """What tools of an assistant say of it."""
        async def story():
            async with create_mcp_http_client(headers={"Authorization": f"Bearer {self.secret}"}) as http:
                async with Client(streamable_http_client(self.server.url + "/mcp", http_client=http), mode="auto") as client:
                    return [(await client.call_tool(tool, arguments)).content[0].text for tool, arguments in (
                        ("read_conversation", {"conversation": self.conversation}), ("list_conversations", {"state": "any"}),
                        ("search_messages", {"query": WORD}), ("find_customer", {"contact": self.conversation}))]
        return marks(" ".join(asyncio.run(asyncio.wait_for(story(), 30))))

    def settle(self):
        """Waits until the endpoints have every event."""
        newest = self.events()[-1]["id"]
        for hook in self.hooks:
            path = f"{self.base}/webhooks/{hook}/deliveries?page[size]=100&filter[state]"
            until(lambda path=path: [self.owner.fetch(f"{path}={state}")["data"] for state in ("pending", "delivered")],
                  lambda found: not found[0] and any(one["event"] == newest for one in found[1]))

    def erase(self):
        """Erases the person."""
        more = ""
        while more is not None:
            place = self.owner.post(f"{self.contact}/erasure{more}")["next"]
            more = place and f"?from={place}"


@pytest.fixture
def place():
    """A server of its own, whose files are read at its end."""
    with Installation(*[word for limit in ("customer-messages", "key-messages", "address-requests") for size in ("per-second", "burst")
                        for word in ("--limit", f"{limit}-{size}=100000")]) as server:
        yield Place(server)


def test_nothing_of_a_person_who_was_erased_is_found_anywhere(place, tmp_path):
    server, receivers = place.server, [Echo(), Echo()]
    for receiver, order in zip(receivers, ("conversation", "none")):
        place.hook(receiver, order)
    with registered(server, place.business, EchoProvider()) as provider:
        place.begin(provider)
        place.talk(provider)
        place.work()
        place.settle()
        assert len(place.shown()) > 30 and place.by_tools() and marks(json.dumps(place.events()))
        place.erase()
        assert not [marks(json.dumps(one)) for one in place.events() if marks(json.dumps(one))]
        place.settle()
        # Before the replay, whose answers replace those that were kept.
        until(place.shown, lambda found: not found)
        for receiver in receivers:
            receiver.received.clear()
        for hook in place.hooks:
            assert place.owner.post(f"{place.base}/webhooks/{hook}/replay", {"from": 0})["noted"] > 20
        place.settle()
        for receiver in receivers:
            assert len(receiver.events) > 20
            assert not [one.event["type"] for one in receiver.events if marks(one.body.decode())]
        assert place.by_tools() == []
        for method, path, body, headers in place.repeats:
            assert place.key.call(method, path, body, 410, headers=headers).json()["code"] == "message_erased"
        # The search index follows within minutes, and shows nothing before.
        until(place.shown, lambda found: not found)
    assert not marks(server.log_text() + place.owner.get(server.url + "/metrics").text)
    file = tmp_path / "after.jsonl"
    server.command("export", str(file))
    assert not marks(file.read_text())
    if not postgres.is_engine():
        # Files go with a round of housekeeping, the last of which is that of the end.
        for _ in range(2):
            server.stop()
            server.start()
        server.stop()
        time.sleep(0.1)
        assert not {str(one.relative_to(server.data)): marks(one.read_bytes().decode("latin-1"))
                    for one in server.data.rglob("*") if one.is_file() and WORD.encode() in one.read_bytes().lower()}
