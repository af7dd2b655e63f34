"""Legal holds on screen: an owner keeps a conversation and a business, reads why nothing is erased, and releases them."""

import re

import pytest
from looks import assert_accessible
from pages import console, member, with_contact
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_erase_whole import begun
from test_labels import LOOKS, ready


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_owner_keeps_a_conversation_and_releases_it_where_all_are_listed(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Held {language} {scheme}"}, expect=201)["id"]
    said = Customer(desk.server, shop).say("My card is 4111")["message"]["conversation"]
    path = f"/api/conversations/{said}/legal-hold"
    page = console(desk, words, f"/c/{said}", scheme=scheme, phone=phone)
    more = page.get_by_role("button", name=words("console.head.more"), exact=True)
    more.click()
    page.get_by_role("menuitem", name=words("console.head.hold"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("holds.title"), exact=True)
    reason = dialog.get_by_label(words("holds.reason"), exact=True)
    expect(reason).to_be_focused()
    # Without a reason nothing is placed.
    dialog.get_by_role("button", name=words("holds.place"), exact=True).click()
    expect(dialog.get_by_role("alert").filter(has_text=words("holds.reason"))).to_be_visible()
    assert desk.owner.fetch(path)["conversation"] is None
    reason.fill("Case 7")
    desk.shot(page, f"hold-dialog-{language}-{scheme}")
    assert_accessible(page)
    dialog.get_by_role("button", name=words("holds.place"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert desk.owner.fetch(path)["conversation"]["reason"] == "Case 7"
    # Who wants to erase it reads that, and is asked nothing else.
    more.click()
    page.get_by_role("menuitem", name=words("console.head.erase"), exact=True).click()
    expect(dialog.get_by_text(words("holds.refused"), exact=True)).to_be_visible()
    expect(reason).to_have_value("Case 7")
    desk.shot(page, f"hold-refuses-{language}-{scheme}")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/settings/retention")
    ready(page)
    panel = page.locator("retention-panel")
    panel.locator("#retention-business").select_option(shop)
    row = panel.locator("hold-list li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Case 7")
    whole = panel.get_by_role("button", name=words("holds.whole"), exact=True)
    whole.press("Enter")
    expect(dialog.get_by_text(words("holds.lead.business"))).to_be_visible()
    reason.fill("All of it")
    dialog.get_by_role("button", name=words("holds.place"), exact=True).press("Enter")
    expect(panel.locator("hold-list").get_by_text("All of it")).to_be_visible()
    page.locator("hold-list").scroll_into_view_if_needed()
    desk.shot(page, f"hold-list-{language}-{scheme}")
    assert_accessible(page)
    assert fits(page)
    row.get_by_role("button").click()
    dialog.get_by_role("button", name=words("holds.release"), exact=True).click()
    sure = page.get_by_role("dialog", name=words("holds.sure"), exact=True)
    assert_accessible(page)
    sure.get_by_role("button", name=words("holds.release"), exact=True).click()
    expect(row).to_have_count(0)
    expect(panel.get_by_text(words("holds.none"), exact=True)).to_be_visible()
    assert desk.owner.fetch(path) == {"business": desk.owner.fetch(f"/api/businesses/{shop}/legal-holds")["business"], "conversation": None}


def test_a_person_is_kept_from_the_menu_of_the_contact_and_an_agent_has_no_such_entry(desk):
    words = Words("en")
    _, conversation, path = begun(desk, "Mrs Held")
    page = console(desk, words, f"/c/{conversation}")
    with_contact(page, words, "hold")
    dialog = page.get_by_role("dialog", name=words("holds.title"), exact=True)
    dialog.get_by_label(words("holds.reason"), exact=True).fill("Case 9")
    page.keyboard.press("Tab")
    dialog.get_by_role("button", name=words("holds.place"), exact=True).press("Enter")
    expect(dialog).to_have_count(0)
    with_contact(page, words, "erase")
    expect(dialog.get_by_text(words("holds.refused"), exact=True)).to_be_visible()
    dialog.get_by_role("button", name=words("holds.release"), exact=True).click()
    page.get_by_role("dialog", name=words("holds.sure"), exact=True).get_by_role(
        "button", name=words("holds.release"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert desk.owner.fetch(f"{path}/legal-hold") == {"business": None, "conversation": None}
    agent = console(desk, words, f"/c/{conversation}", session=member(desk, "Noholds"))
    agent.get_by_role("button", name=words("console.head.more"), exact=True).click()
    expect(agent.get_by_role("menuitem", name=words("console.find"), exact=True)).to_be_visible()
    expect(agent.get_by_role("menuitem", name=words("console.head.hold"), exact=True)).to_have_count(0)


def test_an_auditor_reads_what_is_kept_and_changes_nothing(desk):
    words = Words("en")
    _, conversation, _ = begun(desk, "Mrs Read")
    desk.owner.call("PUT", f"/api/conversations/{conversation}/legal-hold", {"reason": "Case 10"})
    page = ready(console(desk, words, "/settings/retention", session=member(desk, "Audrey", "auditor")))
    row = page.locator("hold-list li").filter(has_text="Case 10")
    expect(row).to_be_visible()
    expect(page.locator("hold-list button")).to_have_count(0)
    expect(page.get_by_text(words("retention.onlyOwners"), exact=True)).to_be_visible()
    assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_agent_whose_note_is_kept_reads_so_in_their_language(desk, language):
    words = Words(language)
    _, conversation, _ = begun(desk, f"Mrs Note {language}")
    session = member(desk, f"Noter{language}")
    session.post(f"/api/conversations/{conversation}/notes", {"text": "Calls at nine"}, 201)
    page = console(desk, words, f"/c/{conversation}", session=session)
    note = page.locator("desk-thread li.note").filter(has_text="Calls at nine")
    expect(note).to_be_visible()
    desk.owner.call("PUT", f"/api/conversations/{conversation}/legal-hold", {"reason": "Case 11"})
    note.get_by_role("button", name=words("thread.note.menu"), exact=True).click()
    page.get_by_role("menuitem", name=re.compile(f"^{words('thread.note.delete')}")).click()
    expect(page.get_by_text(words("shared.problem.on_hold"), exact=True)).to_be_visible()
    expect(note).to_be_visible()
