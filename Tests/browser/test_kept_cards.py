"""Drafts of several cards, and of messages whose answer was lost: each is kept with the ids of its message."""

import pytest
from looks import assert_accessible
from pages import choose_kind, open_conversation
from playwright.sync_api import expect
from support.words import Words
from test_drafts import draft_of, field_of, is_saved


def lose(desk, route):
    """A message that is sent arrives, and its answer does not."""
    if route.request.method != "POST":
        return route.continue_()
    arrived = route.fetch(url=route.request.url.replace(desk.phone_url, desk.server.url))
    assert arrived.status == 201, arrived.text()
    return route.abort("internetdisconnected")


def test_each_card_that_was_begun_is_a_draft_however_often_the_kind_and_the_conversation_change(desk):
    words = Words("en")
    other, _, beside = open_conversation(desk, words, "Beside the cards")
    other.close()
    page, _, conversation = open_conversation(desk, words, "Two cards and a text")
    choose_kind(page, words, "list")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    listed = page.locator("list-form input").first.input_value()
    choose_kind(page, words, "text")
    choose_kind(page, words, "quickReply")
    question = page.locator("quick-reply-form input").first
    with page.expect_response(lambda answer: is_saved(answer) and "And which size?" in answer.request.post_data):
        question.fill("And which size?")
    choose_kind(page, words, "text")
    with page.expect_response(lambda answer: is_saved(answer) and "And a word" in answer.request.post_data):
        field_of(page, words).fill("And a word")
    for away in (page.reload, lambda: page.locator(f"conversation-list a.row[data-open='{beside}']").click()):
        away()
        if page.url.endswith(beside):
            expect(page.locator("desk-thread").get_by_text("Beside the cards")).to_be_visible()
            page.locator(f"conversation-list a.row[data-open='{conversation}']").click()
        expect(field_of(page, words)).to_have_value("And a word")
        choose_kind(page, words, "list")
        expect(page.locator("list-form input").first).to_have_value(listed)
        choose_kind(page, words, "text")
        choose_kind(page, words, "quickReply")
        expect(question).to_have_value("And which size?")
        choose_kind(page, words, "text")
    field_of(page, words).press("Enter")
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    for kind in ("quickReply", "list"):
        page.reload()
        choose_kind(page, words, kind)
        page.get_by_role("button", name=words("composer.clear"), exact=True).first.wait_for()
        expect(page.locator("desk-composer input").first).not_to_have_value("")


@pytest.mark.parametrize("kind", ["text", "list"])
def test_what_is_sent_again_after_a_reload_because_no_answer_came_is_one_message(desk, kind):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, f"No answer came ({kind})")
    if kind == "text":
        field_of(page, words).fill("Once only")
    else:
        choose_kind(page, words, kind)
        page.get_by_role("button", name=words("composer.example"), exact=True).click()
    send = page.get_by_role("button", name=words("composer.send"), exact=True)
    messages = f"**/conversations/{conversation}/messages*"

    page.route(messages, lambda route: lose(desk, route))
    with page.expect_response(lambda answer: is_saved(answer) and answer.request.post_data_json["version"] == 0):
        send.click()
    page.unroute_all()
    page.reload()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    expect(send).to_be_enabled()
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url):
        send.click()
    expect(send).to_be_disabled()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"] == 2
    assert draft_of(desk, conversation) is None


def test_what_was_changed_after_a_message_without_an_answer_is_sent_as_another_one_after_a_question(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Changed after it")
    field = field_of(page, words)
    page.route(f"**/conversations/{conversation}/messages*", lambda route: lose(desk, route))
    field.fill("As it was")
    field.press("Enter")
    alert = page.locator("desk-composer").get_by_role("alert")
    expect(alert).to_contain_text(words("composer.send.offline"))
    page.unroute_all()
    field.fill("As it was, and more")
    field.press("Enter")
    expect(alert).to_contain_text(words("composer.send.known"))
    assert_accessible(page)
    alert.get_by_role("button", name=words("composer.send.anyway"), exact=True).click()
    expect(field).to_have_value("")
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(2)
