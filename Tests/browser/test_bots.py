"""Who controls a conversation on screen: a bot first, a person by one key, the bot again."""

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, make_bot, member, open_conversation, refusal
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

LOOKS = [("en", "light", False), ("ja", "dark", True)]


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_person_takes_over_by_one_key_and_returns_the_conversation(desk, language, scheme, phone):
    words = Words(language)
    name = f"Ada {language} {scheme}"
    bot, retire = make_bot(desk, name)
    try:
        page, _, conversation = open_conversation(desk, words, "Is my tea ready?", scheme=scheme, phone=phone)
        bar = page.locator("control-bar")
        expect(bar.get_by_text(words("console.control.bot", name=name))).to_be_visible()
        assert_accessible(page)
        desk.shot(page, f"control-bot-{language}-{scheme}")
        bot.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "It is."}, 201)
        expect(page.locator("desk-thread").get_by_text("It is.")).to_be_visible()
        if phone:
            bar.get_by_role("button", name=words("console.control.take")).click()
        else:
            page.locator("desk-thread").click()
            page.keyboard.press("t")
        expect(bar.get_by_text(words("console.control.you"))).to_be_visible()
        thread = page.locator("desk-thread")
        expect(thread.get_by_text(words("thread.event.control.you"))).to_be_visible()
        assert bot.post(
            f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Me."}, 409)["code"] == "not_in_control"
        desk.shot(page, f"control-you-{language}-{scheme}")
        assert_accessible(page)
        bar.get_by_role("button", name=words("console.control.return", name=name)).click()
        expect(bar.get_by_text(words("console.control.bot", name=name))).to_be_visible()
        assert desk.owner.fetch(f"/api/conversations/{conversation}")["assignee"] is None
        # It passes on by itself: the page follows.
        bot.post(f"/api/conversations/{conversation}/control", {"action": "pass", "summary": "Wants a person."})
        expect(bar.get_by_text(words("console.control.people"))).to_be_visible()
        expect(thread.get_by_text("Wants a person.")).to_be_visible()
        page.reload()
        expect(bar.get_by_text(words("console.control.people"))).to_be_visible()
        expect(thread.get_by_text(words("thread.event.control.people"))).to_be_visible()
        desk.shot(page, f"control-people-{language}-{scheme}")
    finally:
        retire()


def test_a_conversation_is_returned_only_once_the_message_that_would_take_it_back_is_sent(desk):
    words = Words("en")
    bot, retire = make_bot(desk, "Ada returns")
    try:
        agent = member(desk, "Patience")
        agent.call("PATCH", "/api/session/preferences", {"sendDelay": 30})
        conversation = Customer(desk.server, live_business(desk)["id"]).say("Is my tea coming?")["message"]["conversation"]
        bot.post(f"/api/conversations/{conversation}/control", {"action": "pass"})
        page = console(desk, words, f"/c/{conversation}", session=agent)
        bar = page.locator("control-bar")
        expect(bar.get_by_text(words("console.control.people"))).to_be_visible()
        page.get_by_role("textbox", name=words("composer.text.label"), exact=True).fill("It is")
        page.keyboard.press("Enter")
        waiting = page.locator("desk-thread li.is-scheduled")
        expect(waiting).to_be_visible()
        back = bar.get_by_role("button", name=words("console.control.return", name="Ada returns"))
        back.click()
        expect(page.get_by_text(words("thread.control.messageWaits"))).to_be_visible()
        expect(bar.get_by_text(words("console.control.people"))).to_be_visible()
        waiting.get_by_role("button").click()
        expect(waiting).to_have_count(0)
        back.click()
        expect(bar.get_by_text(words("console.control.bot", name="Ada returns"))).to_be_visible()
    finally:
        retire()


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_what_a_bot_has_is_with_a_bot_and_unassigned_only_once_it_passes_on(desk, language, scheme, phone):
    words = Words(language)
    bot, retire = make_bot(desk, f"Bea {language}")
    try:
        said = Customer(desk.server, live_business(desk)["id"]).say(f"Hello, bot {language}")["message"]["conversation"]
        page = console(desk, words, "?view=unassigned", scheme=scheme, phone=phone)
        row = page.locator(f"conversation-list [data-open='{said}']")
        view = inbox_view(page, words, "withBot")
        expect(view).to_be_visible()
        expect(row).to_have_count(0)
        # What it says there does not bring it among the unassigned ones, which are read again for it.
        with page.expect_response(lambda one: "/api/conversations?" in one.url and "none" in one.url):
            bot.post(f"/api/conversations/{said}/messages", {"type": "text", "body": "I look it up."}, 201)
        expect(row).to_have_count(0)
        view.click()
        expect(row).to_be_visible()
        assert_accessible(page)
        desk.shot(page, f"with-a-bot-{language}-{scheme}")
        inbox_view(page, words, "unassigned").click()
        expect(row).to_have_count(0)
        bot.post(f"/api/conversations/{said}/control", {"action": "pass"})
        expect(row).to_be_visible()
        inbox_view(page, words, "unassigned").click()
        desk.shot(page, f"unassigned-after-a-bot-{language}-{scheme}")
        counts = desk.owner.fetch("/api/views")["counts"]
        listed = desk.owner.fetch("/api/conversations?filter[assignee]=bot&filter[state]=open")["data"]
        assert counts["withBot"] == len(listed)
    finally:
        retire()


def test_who_has_control_stays_on_screen_when_it_cannot_be_read_again(desk):
    words = Words("en")
    bot, retire = make_bot(desk, "Unread")
    try:
        page, _, conversation = open_conversation(desk, words, "Who is there?")
        bar = page.locator("control-bar")
        expect(bar.get_by_text(words("console.control.bot", name="Unread"))).to_be_visible()
        path = f"**/conversations/{conversation}/control"
        page.route(path, lambda one: one.fulfill(**refusal(403, "forbidden")) if one.request.method == "GET" else one.continue_())
        with page.expect_response(lambda one: one.url.endswith("/control")):
            bot.post(f"/api/conversations/{conversation}/control", {"action": "pass", "summary": "Wants a person."})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
        expect(bar).to_be_visible()
    finally:
        retire()


@pytest.mark.parametrize("press", ["Enter", "double click"])
def test_who_takes_over_by_two_presses_has_the_conversation(desk, press):
    words = Words("en")
    name = f"Twice {press}"
    _, retire = make_bot(desk, name)
    try:
        page, _, conversation = open_conversation(desk, words, "Do you have tea?")
        bar = page.locator("control-bar")
        take = bar.get_by_role("button", name=words("console.control.take"))
        if press == "Enter":
            take.press("Enter")
            expect(bar.get_by_text(words("console.control.you"))).to_be_visible()
            expect(bar.locator("p")).to_be_focused()
            page.keyboard.press("Enter")
        else:
            box = take.bounding_box()
            at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.click(*at)
            expect(bar.get_by_text(words("console.control.you"))).to_be_visible()
            page.mouse.move(*at)
            page.mouse.down(click_count=2)
            page.mouse.up(click_count=2)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
        expect(bar.get_by_text(words("console.control.you"))).to_be_visible()
        assert desk.owner.fetch(f"/api/conversations/{conversation}/control")["controller"]["type"] == "agent"
        # The way back is one press further.
        bar.get_by_role("button", name=words("console.control.return", name=name)).press("Enter")
        expect(bar.get_by_text(words("console.control.bot", name=name))).to_be_visible()
    finally:
        retire()
