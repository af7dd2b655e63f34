"""A message whose content was erased: a mark in its place, on the console and on the phone, in both languages."""

import json
import re
from urllib.parse import urlsplit

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

ERASED_AT = "2026-07-31T10:00:00.000Z"


def tombstone(message):
    """The message as the API answers it after its content was erased."""
    return {**message, "payload": {}, "summary": "", "attachments": [], "warnings": [],
            "erasedAt": ERASED_AT}


def erase_in_answers(page, session, sequence):
    """Answers readings of the thread with a tombstone in the place of one message."""
    def answer(route):
        asked = urlsplit(route.request.url)
        body = session.fetch(f"{asked.path}?{asked.query}")
        body["data"] = [tombstone(one) if one["sequence"] == sequence else one for one in body["data"]]
        route.fulfill(json=body)
    page.route(re.compile(r"/messages(\?.*)?$"), answer)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_an_erased_message_is_a_mark_in_its_place(desk, language, scheme):
    words = Words(language)
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    said = [customer.say(text)["message"] for text in ("First", "Second", "Third")]
    console = desk.page(session=desk.owner, language=language, scheme=scheme)
    phone = desk.page(phone=True, session=customer, language=language, scheme=scheme)
    for page, session, address, rows in (
            (console, desk.owner, f"console/c/{said[0]['conversation']}", "desk-thread li.message"),
            (phone, customer, f"b/{business['id']}", "phone-thread article")):
        erase_in_answers(page, session, 2)
        page.goto(f"{desk.phone_url}/{address}")
        found = page.locator(rows)
        expect(found).to_have_count(3)
        expect(found.nth(1).locator(".erased")).to_have_text(words("shared.erased"))
        expect(found.nth(1).locator("desk-card")).to_have_count(0)
        expect(found.nth(0).locator("desk-card")).to_have_count(1)
        assert_accessible(page)
        desk.shot(page, f"erased-{rows.split('-')[0]}-{scheme}-{language}")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_row_of_a_conversation_says_that_its_last_message_was_erased(desk, language):
    words = Words(language)
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    said = customer.say("To be erased")["message"]
    page = desk.page(session=desk.owner, language=language)

    def answer(route):
        asked = urlsplit(route.request.url)
        body = desk.owner.fetch(f"{asked.path}?{asked.query}")
        for one in body["data"]:
            one["lastMessage"] |= {"summary": "", "erasedAt": ERASED_AT}
        route.fulfill(json=body)
    page.route(re.compile(r"/api/conversations\?"), answer)
    page.goto(f"{desk.phone_url}/console")
    row = page.locator(f"conversation-list [data-open='{said['conversation']}'] .row-text")
    expect(row).to_have_text(words("shared.erased"))
    assert_accessible(page)
    desk.shot(page, f"erased-row-{language}")


def test_content_that_is_erased_goes_from_a_phone_that_is_open(desk):
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    first = customer.say("To be erased")["message"]
    key = desk.server.make_key(business["id"])
    page = desk.page(phone=True, session=customer)

    def as_erasure(text):
        frame = json.loads(text)
        message = (frame.get("data") or {}).get("message") or {}
        if not isinstance(message, dict) or message.get("summary") != "The order":
            return text
        return json.dumps({
            **frame, "type": "message.erased", "time": ERASED_AT,
            "data": {"message": first["id"], "sequence": first["sequence"]}})

    def route(line):
        server = line.connect_to_server()
        server.on_message(lambda text: line.send(as_erasure(text)))
    page.route_web_socket(re.compile(r"/live$"), route)
    with page.expect_event("websocket"):
        page.goto(f"{desk.phone_url}/b/{business['id']}")
    expect(page.locator("phone-thread article desk-card")).to_have_count(1)
    Session(desk.server, key=key).post(
        f"/api/conversations/{first['conversation']}/messages", {"type": "text", "body": "The order"}, 201)
    expect(page.locator("phone-thread article .erased")).to_have_count(1)
    expect(page.locator("phone-thread article desk-card")).to_have_count(0)


def test_content_that_is_erased_goes_from_what_a_screen_reader_finds_on_an_open_phone(desk):
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    conversation = customer.say("Hello")["message"]["conversation"]
    page = desk.page(phone=True, session=customer)
    with page.expect_event("websocket"):
        page.goto(f"{desk.phone_url}/b/{business['id']}")
    path, spoken = f"/api/conversations/{conversation}/messages", page.locator("phone-chat [role=log]")
    secret, _ = [desk.owner.post(path, {"type": "text", "body": body}, 201) for body in ("A secret", "The order")]
    expect(spoken).to_contain_text("The order")
    expect(spoken).to_contain_text("A secret")
    desk.owner.call("DELETE", f"{path}/{secret['id']}")
    expect(spoken).not_to_contain_text("A secret")
    expect(spoken).to_contain_text("The order")


def test_content_that_is_erased_goes_from_an_open_thread(desk):
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    first = customer.say("To be erased")["message"]
    page = desk.page(session=desk.owner)

    def as_erasure(text):
        frame = json.loads(text)
        message = (frame.get("data") or {}).get("message") or {}
        if message.get("summary") != "The order":
            return text
        by = {"type": "command", "id": "erase"}
        return json.dumps({
            **frame, "type": "message.erased", "time": ERASED_AT,
            "data": {"message": first["id"], "sequence": first["sequence"], "by": by}})

    def route(line):
        server = line.connect_to_server()
        server.on_message(lambda text: line.send(as_erasure(text)))
    page.route_web_socket(re.compile(r"/live$"), route)
    with page.expect_event("websocket"):
        page.goto(f"{desk.phone_url}/console/c/{first['conversation']}")
    expect(page.locator("desk-thread li.message desk-card")).to_have_count(1)
    customer.say("The order")
    expect(page.locator("desk-thread li.message .erased")).to_have_count(1)
    expect(page.locator("desk-thread li.message desk-card")).to_have_count(0)


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_an_owner_erases_a_message_from_its_menu_and_an_agent_does_not(desk, language, scheme, phone):
    words = Words(language)
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    said = [customer.say(text)["message"] for text in ("My card is 4111 1111", "When does it come?")]
    path = f"/c/{said[0]['conversation']}"
    more = words("thread.moreOf", summary="My card is 4111 1111")
    agent = console(desk, words, path, session=member(desk, f"Ivy{language}"))
    expect(agent.locator("desk-thread li.message")).to_have_count(2)
    expect(agent.get_by_role("button", name=more)).to_have_count(0)
    page = console(desk, words, path, scheme=scheme, phone=phone)
    rows = page.locator("desk-thread li.message")
    expect(rows).to_have_count(2)
    rows.first.hover()
    page.get_by_role("button", name=more).click()
    item = page.get_by_role("menuitem", name=re.compile(f"^{re.escape(words('thread.erase'))}"))
    expect(item).to_be_visible()
    assert_accessible(page)
    desk.shot(page, f"erase-menu-{language}-{scheme}")
    item.click()
    dialog = page.get_by_role("dialog", name=words("thread.eraseQuestion"))
    assert_accessible(page)
    desk.shot(page, f"erase-question-{language}-{scheme}")
    dialog.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(rows.first.locator("desk-card")).to_have_count(1)
    page.get_by_role("button", name=more).click()
    item.click()
    dialog.get_by_role("button", name=words("thread.eraseNow"), exact=True).click()
    expect(rows.first.locator(".erased")).to_have_text(words("shared.erased"))
    expect(rows.nth(1).locator("desk-card")).to_have_count(1)
    expect(page.get_by_role("button", name=more)).to_have_count(0)
    expect(agent.locator("desk-thread li.message .erased")).to_have_count(1)
    kept = desk.owner.fetch(f"/api/conversations/{said[0]['conversation']}/messages/{said[0]['id']}")
    assert kept["erasedAt"] and kept["payload"] == {}
    assert_accessible(page)
    desk.shot(page, f"erased-by-menu-{language}-{scheme}")
