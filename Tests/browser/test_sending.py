"""A message on its way while the agent goes on: it is sent once, and neither comes back nor is lost."""

import re

import pytest
from pages import choose_kind, live_business, wait_for
from playwright.sync_api import expect
from support.server import Session
from test_console_races import WORDS, Inbox


def refuse(route):
    """Answers a held request with a refusal."""
    route.fulfill(status=422, content_type="application/problem+json", json={
        "type": "/docs/problems/invalid", "title": "Invalid", "status": 422, "code": "invalid", "detail": "Not this."})


@pytest.mark.parametrize("leaves_for", ["the inbox", "another conversation"])
def test_a_message_that_is_on_its_way_while_its_conversation_is_left_does_not_come_back_as_a_draft(desk, leaves_for):
    inbox = Inbox(desk, f"Left for {leaves_for}", f"Beside {leaves_for}")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown(f"Left for {leaves_for}")).to_be_visible()
    judged, judge = inbox.hold("**/api/validate*")
    sent, send = inbox.hold(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"))
    inbox.field.fill("On its way")
    wait_for(page, judged)
    page.keyboard.press("Enter")
    wait_for(page, sent)
    # The findings of what is on its way come before its answer.
    with page.expect_response(re.compile("/api/validate")):
        judge()
    inbox.in_step()
    page.keyboard.press("Escape")
    if leaves_for == "the inbox":
        page.keyboard.press("g")
        page.keyboard.press("i")
        expect(page).to_have_url(re.compile("/console$"))
    else:
        inbox.row_at(1).click()
        expect(inbox.shown(f"Beside {leaves_for}")).to_be_visible()
    inbox.in_step()
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url):
        send()
    expect(inbox.row_at(0)).to_contain_text("On its way")
    expect(inbox.row_at(0).locator(".row-draft")).to_have_count(0)
    inbox.row_at(0).click()
    expect(inbox.shown("On its way")).to_be_visible()
    expect(inbox.field).to_have_value("")
    assert desk.owner.get(f"{desk.server.url}/api/conversations/{inbox.ids[0]}/draft").status_code == 404
    # The next answer is begun anew: what a colleague says before it is no reason to ask.
    key = Session(desk.server, desk.server.make_key(live_business(desk)["id"], name="Bo"))
    key.post(f"/api/conversations/{inbox.ids[0]}/messages", {"type": "text", "body": "Said before"}, 201)
    expect(inbox.shown("Said before")).to_be_visible()
    inbox.field.fill("Begun after it")
    page.keyboard.press("Enter")
    expect(inbox.shown("Begun after it")).to_be_visible()


@pytest.mark.parametrize("over", ["another conversation", "the inbox"])
def test_a_message_that_is_on_its_way_is_gone_from_its_box_where_its_conversation_was_left_and_opened_again(desk, over):
    inbox = Inbox(desk, f"Back over {over}", f"Way over {over}")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown(f"Back over {over}")).to_be_visible()
    sent = []
    page.route(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"),
               lambda route: sent.append(route) if route.request.method == "POST" else route.continue_())
    inbox.field.fill("There and back")
    page.keyboard.press("Enter")
    wait_for(page, sent)
    if over == "the inbox":
        page.keyboard.press("Escape")
        page.keyboard.press("g")
        page.keyboard.press("i")
        expect(page).to_have_url(re.compile("/console$"))
    else:
        inbox.row_at(1).click()
        expect(inbox.shown(f"Way over {over}")).to_be_visible()
    inbox.in_step()
    inbox.row_at(0).click()
    expect(inbox.shown(f"Back over {over}")).to_be_visible()
    inbox.in_step()
    sent.pop().continue_()
    expect(inbox.shown("There and back")).to_be_visible()
    expect(inbox.field).to_have_value("")
    expect(inbox.field).to_be_editable()
    inbox.field.fill("And the next")
    page.keyboard.press("Enter")
    wait_for(page, sent)
    sent.pop().continue_()
    expect(inbox.shown("And the next")).to_be_visible()
    expect(inbox.shown("There and back")).to_have_count(1)


def test_an_answer_to_the_next_customer_does_not_wait_for_the_message_before(desk):
    inbox = Inbox(desk, "Answered slowly", "Answered at once")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("Answered slowly")).to_be_visible()
    sent = []
    page.route(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"),
               lambda route: sent.append(route) if route.request.method == "POST" else route.continue_())
    inbox.field.fill("The slow one")
    page.keyboard.press("Enter")
    wait_for(page, sent)
    inbox.row_at(1).click()
    expect(inbox.shown("Answered at once")).to_be_visible()
    inbox.field.fill("The quick one")
    page.keyboard.press("Enter")
    expect(inbox.shown("The quick one")).to_be_visible()
    expect(inbox.field).to_have_value("")
    inbox.field.fill("Begun meanwhile")
    with page.expect_response(lambda answer: answer.request.method == "POST" and inbox.ids[0] in answer.url):
        sent.pop().continue_()
    expect(inbox.row_at(0)).to_contain_text("The slow one")
    expect(inbox.field).to_have_value("Begun meanwhile")
    expect(inbox.field).to_be_editable()
    said = [desk.owner.fetch(f"/api/conversations/{one}/messages")["data"][-1]["payload"]["body"] for one in inbox.ids]
    assert said == ["The slow one", "The quick one"]


def test_what_is_refused_after_its_conversation_was_left_is_kept_as_its_draft(desk):
    inbox = Inbox(desk, "Refused afterwards", "Beside the refused")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("Refused afterwards")).to_be_visible()
    sent = []
    page.route(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"),
               lambda route: sent.append(route) if route.request.method == "POST" else route.continue_())
    inbox.field.fill("Not lost")
    page.keyboard.press("Enter")
    wait_for(page, sent)
    inbox.row_at(1).click()
    expect(inbox.shown("Beside the refused")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/draft")):
        refuse(sent.pop())
    expect(inbox.row_at(0).locator(".row-draft")).to_be_visible()
    inbox.row_at(0).click()
    expect(inbox.field).to_have_value("Not lost")


@pytest.mark.parametrize("presses", ["the pointer", "the keyboard"])
def test_who_presses_send_writes_on_in_the_field_however_late_the_answer_comes(desk, presses):
    inbox = Inbox(desk, f"Send by {presses}")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown(f"Send by {presses}")).to_be_visible()
    sent, release = inbox.hold(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"))
    inbox.field.fill("The first line")
    send = page.get_by_role("button", name=WORDS("composer.send"), exact=True)
    expect(send).to_be_enabled()
    if presses == "the pointer":
        send.click()
    else:
        send.focus()
        page.keyboard.press("Enter")
    wait_for(page, sent)
    expect(send).to_be_disabled()
    # What has the focus may lose it with a frame, and be given another one with the next.
    inbox.in_step()
    inbox.in_step()
    # Pressed again it sends nothing again.
    page.keyboard.press("Enter")
    release()
    expect(inbox.shown("The first line")).to_be_visible()
    expect(inbox.field).to_be_focused()
    page.keyboard.type("The second line")
    expect(inbox.field).to_have_value("The second line")
    assert len(sent) == 1


def test_nothing_can_be_changed_in_a_card_while_it_is_sent(desk):
    inbox = Inbox(desk, "A card on its way")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("A card on its way")).to_be_visible()
    sent, release = inbox.hold(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"))
    choose_kind(page, WORDS, "list")
    page.get_by_role("button", name=WORDS("composer.example"), exact=True).click()
    form = page.locator("list-form")
    title = form.locator("input").first
    before = title.input_value()
    rows = form.locator(".cp-listrow").count()
    title.press("Control+Enter")
    wait_for(page, sent)
    expect(title).to_be_focused()
    expect(title).not_to_be_editable()
    page.keyboard.type("lost")
    expect(title).to_have_value(before)
    box = form.locator("input[type=checkbox]").first
    was = box.is_checked()
    box.dispatch_event("click")
    assert box.is_checked() == was
    form.get_by_role("button", name=WORDS("composer.list.addItem"), exact=True).first.dispatch_event("click")
    expect(form.locator(".cp-listrow")).to_have_count(rows)
    release()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "text")
    choose_kind(page, WORDS, "list")
    expect(title).to_be_editable()


def test_what_is_added_to_a_message_on_its_way_is_not_lost_without_a_word(desk):
    inbox = Inbox(desk, "Added too late")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("Added too late")).to_be_visible()
    sent, send = inbox.hold(re.compile(rf"/conversations/{inbox.ids[0]}/messages(\?|$)"))
    inbox.field.fill("On its way")
    page.keyboard.press("Enter")
    wait_for(page, sent)
    composer = page.locator("desk-composer")
    file = {"name": "late.txt", "mimeType": "text/plain", "buffer": b"late"}
    composer.locator(".cp-tools input[type=file]").set_input_files(file)
    expect(composer.get_by_text(WORDS("composer.text.onItsWay"), exact=True)).to_be_visible()
    expect(composer.locator(".cp-chip")).to_have_count(0)
    composer.get_by_role("button", name=WORDS("composer.emoji"), exact=True).click()
    page.locator("button.emoji").first.click()
    expect(inbox.field).to_have_value("On its way")
    send()
    expect(inbox.shown("On its way")).to_be_visible()
    expect(inbox.field).to_have_value("")
    expect(composer.get_by_text(WORDS("composer.text.onItsWay"), exact=True)).to_have_count(0)
    composer.locator(".cp-tools input[type=file]").set_input_files(file)
    expect(composer.locator(".cp-chip")).to_have_count(1)


def test_what_is_typed_after_choosing_a_file_is_the_message_and_no_keys_of_the_page(desk):
    inbox = Inbox(desk, "Send me the picture")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("Send me the picture")).to_be_visible()
    composer = page.locator("desk-composer")
    composer.get_by_role("button", name=WORDS("composer.text.attach"), exact=True).click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("menuitem", name=WORDS("library.fromComputer"), exact=True).press("Enter")
    chooser.value.set_files({"name": "tea.txt", "mimeType": "text/plain", "buffer": b"tea"})
    expect(composer.locator(".cp-chip")).to_have_count(1)
    # As keys of the page these would close the conversation.
    page.keyboard.type("e")
    expect(inbox.field).to_have_value("e")
    assert inbox.desk.owner.fetch(f"/api/conversations/{inbox.ids[0]}")["state"] == "open"
