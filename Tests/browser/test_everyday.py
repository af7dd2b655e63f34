"""What an agent meets all day: whose words a row shows, numbers that fit, tools that stay where they are, what is said once."""

import re

import pytest
from pages import Sandbox, choose_kind, console, inbox_view, live_business, member, open_conversation
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

KINDS = ("text", "quickReply", "list", "time", "payment", "richLink", "app", "form", "myApp", "raw")


def test_a_row_names_the_colleague_who_wrote_last(desk):
    words = Words("en")
    bo, cy = member(desk, "Bodo"), member(desk, "Cyra")
    said = Customer(desk.server, live_business(desk)["id"]).say("Who answers me?")["message"]["conversation"]
    bo.post(f"/api/conversations/{said}/messages", {"type": "text", "body": "Hello from me"}, expect=201)
    page = console(desk, words, session=cy)
    inbox_view(page, words, "all").click()
    expect(page.locator(f"conversation-list [data-open='{said}'] .row-text")).to_have_text("Bodo: Hello from me")


def test_the_number_of_a_view_is_never_cut(desk):
    words = Words("en")
    Customer(desk.server, live_business(desk)["id"]).say("One of many")
    page = console(desk, words)
    numbers = page.locator("inbox-nav .nav-number")
    expect(numbers.first).to_be_attached()
    cut = numbers.evaluate_all("(all) => all.filter((one) => { one.textContent = '12,345'; return one.scrollWidth > one.clientWidth; }).length")
    assert cut == 0


def test_the_tools_of_the_composer_stay_in_their_place_whatever_is_composed(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Where are the tools?")
    places = set()
    for kind in KINDS:
        choose_kind(page, words, kind)
        places.add(round(page.locator("desk-composer .cp-tools").bounding_box()["y"]))
    assert len(places) == 1, places
    choose_kind(page, words, "text")
    assert page.locator("desk-composer .cp-box").bounding_box()["height"] <= 120


def test_row_and_head_of_a_snoozed_conversation_say_until_when(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Not before next year")
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "snoozed", "snoozedUntil": "2099-01-05T09:00:00Z"})
    expect(page.locator(".view-meta")).to_contain_text("Jan 5")
    inbox_view(page, words, "snoozed").click()
    expect(page.locator(f"conversation-list [data-open='{conversation}']")).to_contain_text("Jan 5")


def test_what_is_typed_in_a_menu_leads_to_the_item_that_begins_with_it(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Waiting for a part")
    page.keyboard.press("z")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    page.keyboard.type("pe")
    expect(menu.get_by_role("menuitem", name=words("console.markPending"), exact=True)).to_be_focused()
    page.keyboard.press("Escape")


def test_that_a_customer_has_left_is_said_once(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "Goodbye")
    customer.call("DELETE", f"/api/phone/{live_business(desk)['id']}/conversation", expect=204)
    expect(page.get_by_text(words("composer.left.title"))).to_be_visible()
    expect(page.locator(".refusal:visible, .cp-reason:visible, .cp-alert:visible")).to_have_count(1)


def test_without_a_connection_a_bar_says_so_across_the_page(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "A long tunnel")
    page.context.set_offline(True)
    bar = page.locator(".offline-bar")
    expect(bar).to_be_visible(timeout=60_000)
    expect(bar).to_have_text(words("shared.offlineLead"))
    assert bar.bounding_box()["width"] == 1280
    page.context.set_offline(False)
    expect(bar).to_be_hidden()


def test_a_note_that_was_added_is_in_view(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "A long thread")
    for number in range(6):
        customer.say("\n".join(f"{number} {line}" for line in range(8)))
    expect(page.locator("desk-thread li.message")).to_have_count(7)
    page.locator("desk-thread .log").evaluate("(log) => { log.scrollTop = 0; }")
    page.keyboard.press("n")
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).to_be_focused()
    page.keyboard.type("Look at the end")
    page.keyboard.press("Control+Enter")
    expect(page.locator("desk-thread li.note")).to_be_in_viewport()


def test_in_a_wide_window_a_thread_is_no_wider_than_it_is_read(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "From afar", viewport={"width": 1920, "height": 1000})
    desk.owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "An answer"}, expect=201)
    expect(page.locator("desk-thread").get_by_text("An answer")).to_be_visible()
    left = page.locator("desk-thread li.is-theirs").bounding_box()
    right = page.locator("desk-thread li.is-ours").bounding_box()
    assert right["x"] + right["width"] - left["x"] <= 720


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_customer_has_one_name_in_console_and_sandbox(desk, language):
    words = Words(language)
    said = Customer(desk.server, desk.sandbox_business["id"]).say("Who am I?")["message"]["conversation"]
    page = console(desk, words, f"/c/{said}")
    expect(page.locator("#view-title")).to_be_visible()
    name = page.locator("#view-title").inner_text()
    sandbox = Sandbox(desk, words).open()
    sandbox.turn_to(said)
    expect(sandbox.page.locator(".sb-who")).to_contain_text(name)
    expect(sandbox.page.get_by_role("link", name=re.compile(re.escape(words("shared.place.console"))))).to_be_visible()
