"""The thread of a conversation: where it begins, what counts as read, what happened in it."""

import re

import pytest
from looks import assert_accessible
from pages import Sandbox, choose_kind, live_business, open_conversation
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

pytestmark = pytest.mark.every_language

LONG = "a line\n" * 24


def unread_of(desk, conversation):
    """How many unread messages the server counts."""
    return desk.owner.fetch(f"/api/conversations/{conversation}")["unread"]


def is_in_view(page, text):
    """Whether a message is in view of the thread, by its first lines."""
    return page.locator("desk-thread li.message", has_text=text)


@pytest.mark.parametrize("phone", [False, True])
def test_the_few_messages_of_a_short_thread_stand_above_the_composer(desk, phone):
    page, customer, _ = open_conversation(desk, Words("en"), "Only this", phone=phone)
    thread = page.locator("desk-thread").bounding_box()
    said = page.locator("desk-thread li", has_text="Only this").bounding_box()
    assert 0 <= thread["y"] + thread["height"] - said["y"] - said["height"] <= 24
    customer.say("And this")
    expect(page.locator("desk-thread").get_by_text("And this")).to_be_visible()
    said = page.locator("desk-thread li", has_text="And this").bounding_box()
    assert 0 <= thread["y"] + thread["height"] - said["y"] - said["height"] <= 24


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_a_thread_opens_at_the_first_unread_and_reads_only_what_was_in_view(desk, language, scheme):
    words = Words(language)
    page, customer, conversation = open_conversation(desk, words, f"Read ({language})", scheme=scheme)
    expect(page.locator("conversation-list a.row[aria-current] .unread")).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/templates")
    said = [customer.say(f"Unread {number}\n{LONG}")["message"] for number in range(3)]
    assert unread_of(desk, conversation) == 3
    page.goto(f"{desk.phone_url}/console/c/{conversation}")
    thread = page.locator("desk-thread")
    expect(thread.get_by_text(words("thread.unread"), exact=True)).to_be_in_viewport()
    expect(is_in_view(page, "Unread 0")).to_be_in_viewport()
    expect(is_in_view(page, "Unread 2")).not_to_be_in_viewport()
    pill = thread.locator(".down.has-new")
    expect(pill).to_have_text(words("thread.newCount", count=2))
    desk.shot(page, f"thread-unread-{language}-{scheme}")
    assert_accessible(page)
    assert unread_of(desk, conversation) == 2
    with page.expect_response(lambda answer: answer.url.endswith("/read")):
        pill.click()
    expect(is_in_view(page, "Unread 1")).to_be_in_viewport()
    thread.locator(".log").focus()
    with page.expect_response(lambda answer: answer.url.endswith("/read")):
        page.keyboard.press("End")
    expect(thread.locator(".down")).to_be_hidden()
    assert unread_of(desk, conversation) == 0
    assert said[-1]["sequence"] == desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"]


def test_a_message_below_is_counted_and_not_read_until_it_is_in_view(desk):
    words = Words("en")
    page, customer, conversation = open_conversation(desk, words, "Scrolled up")
    for number in range(2):
        customer.say(f"{number}\n{LONG}")
    expect(page.locator("desk-thread li.message")).to_have_count(3)
    log = page.locator("desk-thread .log")
    log.evaluate("(log) => { log.scrollTop = log.scrollHeight; }")
    page.wait_for_function("(log) => log.scrollTop > 100", arg=log.element_handle())
    # The cards may still be drawn, and a thread at its end follows them; the reader stays where they scrolled to twice.
    page.wait_for_function("(log) => { const stays = log.scrollTop === 0; log.scrollTop = 0; return stays; }",
                           arg=log.element_handle())
    expect(page.locator("desk-thread").get_by_text("Scrolled up")).to_be_in_viewport()
    customer.say("The newest")
    pill = page.locator("desk-thread .down.has-new")
    expect(pill).to_have_text(words("thread.newCount", count=1))
    assert unread_of(desk, conversation) == 1
    with page.expect_response(lambda answer: answer.url.endswith("/read")):
        pill.click()
    expect(page.locator("desk-thread").get_by_text("The newest")).to_be_in_viewport()
    expect(pill).to_be_hidden()
    assert unread_of(desk, conversation) == 0


def test_the_head_is_one_line_whose_buttons_stay_where_they_are(desk):
    words = Words("en")
    page, customer, conversation = open_conversation(desk, words, "One line")
    head = page.locator("conversation-head .view-head")
    close = head.get_by_role("button", name=words("console.close"), exact=True)
    assert head.bounding_box()["height"] == 56
    place = close.bounding_box()
    assignee = head.locator(".assignee")
    assignee.click()
    page.get_by_role("menuitemradio", name=words("console.assignToMe")).click()
    expect(assignee).to_have_text("Ada")
    took = words("thread.event.took", who=words("thread.event.you"))
    expect(page.locator("desk-thread li.event")).to_contain_text(took)
    assert close.bounding_box() == place
    head.get_by_role("button", name=words("console.snooze"), exact=True).click()
    page.get_by_role("menuitem", name=words("console.snooze.date")).click()
    day = page.get_by_label(words("console.snooze.day"), exact=True)
    expect(day).to_be_focused()
    assert_accessible(page)
    day.fill("1/1/2020")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=words("console.snooze.past"))).to_be_visible()
    day.fill("soon")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=words("console.snooze.noDay"))).to_be_visible()
    day.fill("1/5/2099")
    page.get_by_label(words("console.snooze.time"), exact=True).fill("10")
    page.keyboard.press("Enter")
    expect(page.locator(".fd-toast").last).to_contain_text(re.compile("Snoozed until .*10:00"))
    page.goto(f"{desk.phone_url}/console/c/{conversation}")
    expect(head.locator(".view-meta")).to_contain_text(re.compile("Snoozed until .*10:00"))
    assert head.bounding_box()["height"] == 56
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "snoozed"


def test_closing_opens_the_next_conversation_and_undo_comes_back(desk):
    words = Words("en")
    Customer(desk.server, live_business(desk)["id"]).say("Stays open")
    page, customer, conversation = open_conversation(desk, words, "Is closed")
    expect(page.locator("conversation-list a.row[aria-current]")).to_be_visible()
    expect(page.locator("conversation-head").get_by_role("button", name=words("console.close"), exact=True)).to_be_enabled()
    page.keyboard.press("e")
    expect(page.locator("conversation-list a.row", has_text="Is closed")).to_have_count(0)
    expect(page.locator("desk-thread").get_by_text("Is closed")).to_have_count(0)
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "closed"
    page.locator(".fd-toast").last.get_by_role("button", name=words("shared.undo")).click()
    expect(page.locator("desk-thread").get_by_text("Is closed")).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "open"


def test_a_card_that_was_sent_is_gone_from_its_form_and_text_is_back(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "A card, once")
    foot = page.locator("desk-composer .cp-foot")
    place = foot.bounding_box()
    page.get_by_role("button", name=words("composer.kind.list"), exact=True).click()
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    assert foot.bounding_box() == place, "the foot moved"
    sheet = page.locator(".cp-sheet").bounding_box()
    assert sheet["height"] <= 400
    page.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "text")
    expect(page.get_by_role("button", name=words("composer.send"), exact=True)).to_be_disabled()
    page.get_by_role("button", name=words("composer.kind.list"), exact=True).click()
    expect(page.get_by_text(words("composer.sheet.blank"))).to_be_visible()


def test_an_emoji_goes_where_the_caret_was_by_keyboard(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Emoji")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Thanks!")
    page.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(page.get_by_role("dialog", name=words("composer.emoji"))).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(field).to_have_value("Thanks!\N{SMILING FACE WITH OPEN MOUTH}")
    expect(field).to_be_focused()
    page.get_by_role("button", name=words("composer.emoji"), exact=True).click()
    expect(page.get_by_role("dialog", name=words("composer.emoji"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name=words("composer.emoji"))).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_at_four_hundred_per_cent_the_conversation_scrolls_in_one_direction(desk, language):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"Very small ({language})", viewport={"width": 320, "height": 256})
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [320, 256]
    assert page.locator("desk-thread").bounding_box()["height"] >= 80
    send = page.get_by_role("button", name=words("composer.send"), exact=True)
    page.get_by_role("textbox", name=words("composer.text.label"), exact=True).fill("Said")
    expect(send).to_be_in_viewport(ratio=0.99)
    for button in page.locator("conversation-head button:visible, .cp-foot button:visible").all():
        expect(button).to_be_in_viewport(ratio=0.99)
    desk.shot(page, f"very-small-{language}")
    assert_accessible(page)
    send.click()
    expect(page.locator("desk-thread").get_by_text("Said")).to_be_visible()



def test_an_answer_over_a_colleague_asks_first(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Two answer at once")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("My answer")
    key = Session(desk.server, desk.server.make_key(live_business(desk)["id"], name="Bo"))
    key.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Bo was faster"}, 201)
    ours = page.locator("desk-thread li.message.is-ours")
    expect(ours).to_have_count(1)
    expect(page.locator("desk-composer .cp-notice")).to_contain_text("Bo answered")
    field.press("Enter")
    alert = page.locator("desk-composer").get_by_role("alert")
    expect(alert).to_contain_text("Bo answered")
    expect(ours).to_have_count(1)
    desk.shot(page, "answered-meanwhile")
    assert_accessible(page)
    alert.get_by_role("button", name=words("composer.send.anyway"), exact=True).click()
    expect(ours).to_have_count(2)
    expect(field).to_have_value("")
    field.fill("A second answer, begun after both")
    field.press("Enter")
    expect(ours).to_have_count(3)


def test_at_four_hundred_per_cent_a_form_is_filled_and_sent(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "A very small form", viewport={"width": 320, "height": 256})
    choose_kind(page, words, "list")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    last = page.locator("list-form input:not([type=file]):visible").last
    last.fill("Gyokuro")
    expect(last).to_be_in_viewport(ratio=0.9)
    assert_accessible(page)
    send = page.get_by_role("button", name=words("composer.send"), exact=True)
    send.scroll_into_view_if_needed()
    expect(send).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [320, 256]
    desk.shot(page, "very-small-form")
    send.click()
    expect(page.locator("desk-thread li.message.is-ours")).to_be_in_viewport()


def test_a_card_that_the_sandbox_keeps_is_sent_again_only_on_purpose(desk):
    words = Words("en")
    sandbox = Sandbox(desk, words).open_raw()
    sandbox.choose_kind("text")
    sandbox.send_example("list")
    composer = sandbox.composer()
    expect(composer.get_by_role("button", name=words("composer.status.sent"), exact=True)).to_be_visible()
    expect(composer.get_by_role("button", name=words("composer.send"), exact=True)).to_be_disabled()
    # The button that sent it is off: the focus is in the form, and not on the one that sends again.
    expect(composer.locator("list-form input").first).to_be_focused()
    again = composer.get_by_role("button", name=words("composer.sendAgain"), exact=True)
    with sandbox.page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url) as sent:
        again.click()
    assert sent.value.status == 201
    composer.locator("list-form input").first.fill("Another title")
    expect(again).to_be_hidden()
    expect(composer.get_by_role("button", name=words("composer.send"), exact=True)).to_be_enabled()


def test_snooze_has_a_key_and_ends_where_it_began(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Later, by keyboard")
    page.keyboard.press("z")
    menu = page.get_by_role("menu", name=words("console.snooze"))
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("z")
    menu.get_by_role("menuitem", name=words("console.snooze.answer")).press("Enter")
    expect(page.locator(".fd-toast").last).to_contain_text(words("console.snoozed.answer"))
    found = desk.owner.fetch(f"/api/conversations/{conversation}")
    assert (found["state"], found["snoozedUntil"]) == ("snoozed", None)
