"""A message whose stored data is damaged: shown as such by console and phone, in both languages."""

import json
import re
import sqlite3

import pytest
from conftest import PHONE, WIDE
from looks import assert_accessible
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

# The text of a message that is damaged in the stream.
LOST = "Lost on the disk"


def harm(desk, message):
    """Changes a message's row behind the server's back, as a failing disk would."""
    file = sqlite3.connect(desk.server.data / "frontdesk.sqlite", timeout=20)
    with file:
        changed = file.execute(
            "UPDATE messages SET summary = summary || '.' WHERE id = ?", (message["id"],)).rowcount
    file.close()
    assert changed == 1


def live_business(desk):
    """The business that the first start made for the owner."""
    return next(one for one in desk.owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


def harmed_conversation(desk):
    """A customer with three messages, the second one damaged: (customer, business, conversation)."""
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    said = [customer.say(text)["message"] for text in ("First", "Second", "Third")]
    harm(desk, said[1])
    return customer, business, said[0]["conversation"]


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_a_damaged_message_is_marked_in_its_place(desk, language, scheme):
    words = Words(language)
    customer, business, conversation = harmed_conversation(desk)
    for width, viewport in ((1280, WIDE), (390, PHONE)):
        page = desk.page(session=desk.owner, language=language, scheme=scheme, viewport=viewport)
        page.goto(f"{desk.phone_url}/console/c/{conversation}")
        row = page.locator("desk-thread li.damaged")
        expect(row).to_contain_text(words("thread.damaged"))
        expect(row).to_contain_text(
            words("thread.damagedId", sequence=2, conversation=conversation))
        rows = page.locator("desk-thread li:is(.message, .damaged)")
        expect(rows).to_have_count(3)
        expect(rows.nth(1)).to_have_class("damaged")
        assert_accessible(page)
        actions = page.locator(".view-actions > *:visible")
        tops = actions.evaluate_all("(nodes) => nodes.map((node) => node.getBoundingClientRect().top)")
        assert len(tops) >= 3 and max(tops) - min(tops) < 20, "an action stands on a line of its own"
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"]
        desk.shot(page, f"damaged-console-{width}-{scheme}-{language}")
        page.close()
    page = desk.page(phone=True, session=customer, language=language, scheme=scheme)
    page.goto(f"{desk.phone_url}/b/{business['id']}")
    row = page.locator("phone-thread .is-damaged")
    expect(row).to_contain_text(words("phone.damaged"))
    expect(row).to_contain_text(words("phone.damagedId", sequence=2, conversation=conversation))
    expect(page.locator("phone-thread article")).to_have_count(3)
    expect(page.locator("phone-thread article").nth(1)).to_have_class("row is-damaged")
    assert_accessible(page)
    desk.shot(page, f"damaged-phone-{scheme}-{language}")


def break_in_stream(desk, page):
    """Damages a message with this text before the page gets its event, and sends the event as a replay does."""
    def shown_event(text):
        frame = json.loads(text)
        message = (frame.get("data") or {}).get("message") or {}
        if frame.get("type") != "message.accepted" or message.get("summary", "").strip(".") != LOST:
            return text
        harm(desk, message)
        return json.dumps({**frame, "type": "event.damaged", "data": {}})

    def route(line):
        server = line.connect_to_server()
        server.on_message(lambda text: line.send(shown_event(text)))
    page.route_web_socket(re.compile(r"/live$"), route)


def test_a_damaged_event_of_a_stream_appears_without_a_reload(desk):
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    first = customer.say("Before")["message"]
    console = desk.page(session=desk.owner)
    phone = desk.page(phone=True, session=customer)
    for page, address, shown in (
            (console, f"console/c/{first['conversation']}", "desk-thread li.message"),
            (phone, f"b/{business['id']}", "phone-thread article")):
        break_in_stream(desk, page)
        with page.expect_event("websocket"):
            page.goto(f"{desk.phone_url}/{address}")
        expect(page.locator(shown)).to_have_count(1)
    customer.say(LOST)
    customer.say("And again")
    expect(console.locator("desk-thread li.damaged")).to_have_count(1)
    expect(console.locator("desk-thread li.message")).to_have_count(2)
    expect(phone.locator("phone-thread .is-damaged")).to_have_count(1)
    expect(phone.locator("phone-thread article")).to_have_count(3)
