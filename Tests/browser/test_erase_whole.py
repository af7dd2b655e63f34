"""Owners erase a whole conversation and a whole person; colleagues who have the thread open see it at once."""

import json
import re

import pytest
from looks import assert_accessible
from pages import console, contact_menu, live_business, member, with_contact
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

LINES = ("My card is 4111 1111", "And my address is 7 Elm Road", "When does it come?")


def begun(desk, name):
    """A conversation of a person with a name, three messages and a note."""
    customer = Customer(desk.server, live_business(desk)["id"])
    said = [customer.say(text)["message"] for text in LINES]
    conversation = said[0]["conversation"]
    contact = desk.owner.fetch(f"/api/conversations/{conversation}")["contact"]["id"]
    path = f"/api/businesses/{said[0]['business']}/contacts/{contact}"
    desk.owner.call("PATCH", path, {"name": name, "notes": "Lives in Elm Road"})
    desk.owner.post(f"/api/conversations/{conversation}/notes", {"text": "The card is 4111"}, 201)
    return customer, conversation, path


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_an_owner_erases_a_person_while_a_colleague_has_the_thread_open(desk, language, scheme):
    words = Words(language)
    customer, conversation, path = begun(desk, f"Mrs Tanaka {language}")
    agent = console(desk, words, f"/c/{conversation}", session=member(desk, f"Kai{language}"))
    expect(agent.locator("desk-thread li.message desk-card")).to_have_count(3)
    expect(agent.locator("side-column contact-box")).to_be_visible()
    expect(agent.locator(".contact-actions .contact-edit")).to_be_visible()
    expect(contact_menu(agent, words)).to_have_count(0)
    page = console(desk, words, f"/c/{conversation}", scheme=scheme)
    with_contact(page, words, "erase")
    dialog = page.get_by_role("dialog", name=words("erasure.person.title"))
    expect(dialog.get_by_text(words("erasure.count.messages", count=3), exact=True)).to_be_visible()
    expect(dialog.get_by_text(words("erasure.count.notes", count=1), exact=True)).to_be_visible()
    assert_accessible(page)
    desk.shot(page, f"erase-person-{language}-{scheme}")
    field = dialog.get_by_label(words("erasure.type", name=f"Mrs Tanaka {language}"))
    erase = dialog.get_by_role("button", name=words("erasure.person.now"), exact=True)
    field.fill("Mrs Oki")
    erase.click()
    expect(dialog.get_by_role("alert")).to_have_text(words("erasure.otherName", name=f"Mrs Tanaka {language}"))
    expect(page.locator("desk-thread li.message desk-card")).to_have_count(3)
    field.fill(f"mrs tanaka {language}")
    erase.click()
    expect(dialog).to_have_count(0)
    for one in (page, agent):
        expect(one.locator("desk-thread li.message .erased")).to_have_count(3)
        expect(one.locator("desk-thread").get_by_text("The card is 4111")).to_have_count(0)
        expect(one.locator("#view-title")).to_have_text(words("shared.customerErased"))
        expect(one.locator(f"conversation-list [data-open='{conversation}']")).to_contain_text(words("shared.customerErased"))
        expect(one.locator("side-column").get_by_text("Elm Road")).to_have_count(0)
    assert_accessible(page)
    desk.shot(page, f"erased-person-{language}-{scheme}")
    customer.say("Hello again")
    expect(agent.locator("#view-title")).not_to_have_text(words("shared.customerErased"))
    kept = desk.owner.fetch(path)
    assert kept["name"] is None and kept["notes"] == ""


def test_at_two_hundred_per_cent_what_is_wrong_is_brought_into_view(desk):
    words = Words("en")
    _, conversation, _ = begun(desk, "Mrs Hildegard Longname-Schmidt of the Castle at the Lake")
    page = console(desk, words, f"/c/{conversation}", viewport={"width": 640, "height": 400})
    page.get_by_role("button", name=words("console.head.more"), exact=True).click()
    page.get_by_role("menuitem", name=words("console.head.erase"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("erasure.conversation.title"))
    expect(dialog).to_be_visible()
    page.keyboard.type("Mr Sato")
    page.keyboard.press("Enter")
    alert = dialog.get_by_role("alert")
    expect(alert).to_be_in_viewport(ratio=0.9)
    expect(dialog.get_by_role("textbox")).to_be_focused()


def test_an_owner_erases_a_conversation_from_the_menu_and_goes_on_after_a_failure(desk):
    words = Words("en")
    _, conversation, path = begun(desk, "Mr Sato")
    page = console(desk, words, f"/c/{conversation}")
    expect(page.locator("desk-thread li.message desk-card")).to_have_count(3)
    page.get_by_role("button", name=words("console.head.more"), exact=True).click()
    page.get_by_role("menuitem", name=words("console.head.erase"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("erasure.conversation.title"))
    expect(dialog).to_be_visible()
    pattern = re.compile(r"/erasure$")
    page.route(pattern, lambda route: route.fulfill(
        status=429, content_type="application/problem+json", body=json.dumps(
            {"type": "/docs/problems/rate_limited", "title": "Too many requests", "status": 429, "code": "rate_limited", "detail": "Later."})))
    dialog.get_by_label(words("erasure.type", name="Mr Sato")).fill("Mr Sato")
    dialog.get_by_role("button", name=words("erasure.conversation.now"), exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text(words("erasure.goesOn"))
    page.unroute(pattern)
    dialog.get_by_role("button", name=words("erasure.goOn"), exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.locator("desk-thread li.message .erased")).to_have_count(3)
    # The person is who they were.
    expect(page.locator("#view-title")).to_have_text("Mr Sato")
    assert desk.owner.fetch(path)["notes"] == "Lives in Elm Road"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_owner_gives_a_person_what_the_server_has_of_them(desk, language):
    words = Words(language)
    _, conversation, path = begun(desk, f"Mrs Kuroda {language}")
    agent = console(desk, words, f"/c/{conversation}", session=member(desk, f"Rin{language}"))
    expect(agent.locator("side-column contact-box")).to_be_visible()
    expect(agent.locator(".contact-actions .contact-edit")).to_be_visible()
    expect(contact_menu(agent, words)).to_have_count(0)
    page = console(desk, words, f"/c/{conversation}")
    button = contact_menu(page, words)
    for table, held in {"messages": "card", "notes": "4111", "conversations": conversation, "customers": "Elm Road"}.items():
        with_contact(page, words, "export")
        expect(page.get_by_role("menu", name=words("contact.export"), exact=True)).to_be_visible()
        assert_accessible(page)
        with page.expect_download() as saved:
            page.get_by_role("menuitem", name=words(f"contact.export.{table}")).click()
        assert saved.value.suggested_filename == f"{table}.csv"
        rows = saved.value.path().read_text()
        assert held in rows and rows.splitlines()[0].startswith("type,customer")
        expect(button).to_be_focused()
    kinds = {one["kind"] for one in desk.owner.fetch(f"/api/businesses/{path.split('/')[3]}/audit")["data"]}
    assert "history_exported" in kinds, kinds
