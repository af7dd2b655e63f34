"""A long day at the desk: what an agent stumbled over between list, head, third column and toasts."""

import re

import pytest
from pages import choose_kind, console, member, open_conversation
from playwright.sync_api import expect
from support.words import Words
from test_bulk import bar, rows, shop_with
from test_labels import make_label, ready, row_of


def test_keys_that_open_and_select_in_turn_select_each_conversation_that_they_open(desk):
    words = Words("en")
    shop, ids = shop_with(desk, "In turn", ["First", "Second", "Third"])
    page = ready(console(desk, words, f"?business={shop['id']}"))
    expect(rows(page)).to_have_count(3)
    for number, one in enumerate(ids[:2], 1):
        page.keyboard.press("j")
        expect(row_of(page, one)).to_have_attribute("aria-current", "true")
        page.keyboard.press("x")
        expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=number))
        expect(row_of(page, one)).to_be_focused()


def test_a_toast_that_is_pressed_gives_the_focus_back(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Please hold the line")
    assign = page.locator("conversation-head .assignee")
    assign.focus()
    page.keyboard.press("a")
    undo = page.locator(".fd-toast-undo")
    expect(undo).to_be_visible()
    undo.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".fd-toast")).to_have_count(0)
    expect(assign).to_be_focused()
    expect(assign).to_contain_text(words("console.unassigned"))
    page.keyboard.press("a")
    close = page.locator(".fd-toast-close")
    close.focus()
    page.keyboard.press("Enter")
    expect(assign).to_be_focused()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["assignee"]


def test_the_third_column_over_the_thread_has_the_focus_and_escape_closes_it(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Who am I?", viewport={"width": 640, "height": 800})
    opener = page.locator("conversation-head .side-open")
    opener.focus()
    page.keyboard.press("Enter")
    column = page.locator("side-column")
    expect(column).to_be_visible()
    expect(column.locator(":focus")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(column.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(column).to_be_hidden()
    expect(opener).to_be_focused()
    # In a field of it Escape is the field's.
    page.keyboard.press("Enter")
    column.get_by_role("button", name=words("contact.add"), exact=True).click()
    column.get_by_role("textbox").first.focus()
    page.keyboard.press("Escape")
    expect(column).to_be_visible()


def test_the_facts_that_can_be_changed_say_what_they_are(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Nobody has me")
    facts = page.locator("customer-panel .customer-facts")
    expect(facts.get_by_role("button", name=f"{words('console.assignee')}: {words('console.unassigned')}", exact=True)).to_be_visible()
    none = facts.get_by_role("button", name=words("customer.priorityIs", priority=words("customer.priority.none")), exact=True)
    none.click()
    page.get_by_role("menuitemradio", name=words("customer.priority.high"), exact=True).click()
    high = facts.get_by_role("button", name=words("customer.priorityIs", priority=words("customer.priority.high")), exact=True)
    expect(high).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["priority"] == "high"


@pytest.mark.every_language
@pytest.mark.parametrize("language, phone", [("en", False), ("ja", False), ("en", True), ("ja", True)])
def test_the_head_shows_the_whole_name_of_a_customer_who_has_none_beside_label_and_colleague(desk, language, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, "Which of them am I?", phone=phone)
    business = desk.owner.fetch(f"/api/conversations/{conversation}")["business"]
    label = make_label(desk, {"id": business}, f"Head {language} {phone}")
    # Such a name ends on letters of chance, of which some are wider.
    lead = "お客様" if language == "ja" else "Customer"
    contact = desk.owner.fetch(f"/api/conversations/{conversation}")["contact"]["id"]
    desk.owner.call("PATCH", f"/api/businesses/{business}/contacts/{contact}", {"name": f"{lead} 7QHX"})
    colleague = member(desk, f"Head-{language}-{phone}", business=business)
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {
        "labels": {"add": [label]}, "assignee": colleague.member, "state": "pending"})
    other = console(desk, words, f"/c/{conversation}", session=colleague)
    expect(other.locator("#view-title")).to_be_visible()
    expect(page.locator("conversation-head .view-faces .face")).to_have_count(1)
    expect(page.locator("conversation-head .label-chips")).to_be_visible()
    # Of the facts the end is cut, so that the state is before the business.
    expect(page.locator(".view-meta")).to_have_text(re.compile(f"^{words('console.state.pending')}"))
    name = page.locator("#view-title")
    expect(name).to_have_text(f"{lead} 7QHX")
    desk.shot(page, f"head-{language}-{390 if phone else 1280}")
    assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth"), name.inner_text()


def test_at_two_hundred_per_cent_a_field_of_a_card_is_seen_with_its_label(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Zoom in, please", viewport={"width": 640, "height": 400})
    page.locator("desk-thread").click()
    for kind in ("time", "list", "richLink", "form"):
        choose_kind(page, words, kind)
        panel = page.locator("desk-composer .cp-panel").bounding_box()
        field = page.locator("desk-composer .cp-panel :is(input, textarea):not([type=hidden])").first
        label = page.locator(f"desk-composer label[for={field.get_attribute('id')}]").bounding_box()
        box = field.bounding_box()
        assert label["y"] >= panel["y"] and box["y"] + box["height"] <= panel["y"] + panel["height"], (kind, panel, label, box)
        choose_kind(page, words, "text")


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_narrow_phone_shows_whose_conversation_it_is_and_the_way_out_of_a_card(desk, language):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, "So narrow here", viewport={"width": 320, "height": 640})
    name = page.locator("#view-title")
    # Whole, on as many lines as it has.
    assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"), name.inner_text()
    head = page.locator(".view-head").bounding_box()
    box = name.bounding_box()
    assert head["y"] <= box["y"] and box["y"] + box["height"] <= head["y"] + head["height"]
    for kind in ("quickReply", "payment", "list"):
        choose_kind(page, words, kind)
        page.get_by_role("button", name=words("composer.example"), exact=True).click()
        close = page.get_by_role("button", name=words("composer.sheet.close"), exact=True)
        expect(page.get_by_role("button", name=words("composer.clear"), exact=True)).to_be_visible()
        sheet, button = page.locator(".cp-sheet").bounding_box(), close.bounding_box()
        assert button["x"] + button["width"] <= sheet["x"] + sheet["width"], (kind, sheet, button)
        desk.shot(page, f"narrow-{kind}-{language}")
        choose_kind(page, words, "text")


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_head_says_in_full_that_a_conversation_has_no_assignee(desk, language):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"Who will have me? {language}")
    said = page.locator("conversation-head .assignee > span").first
    expect(said).to_have_text(words("console.unassigned"))
    assert said.evaluate("(one) => one.scrollWidth <= one.clientWidth"), said.bounding_box()
