"""A message waits for as long as its agent chose, and can be withdrawn in that time."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from looks import assert_accessible
from pages import choose_kind, console, live_business, member, open_conversation, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

LONG = 30


def text_field(page, words):
    """Where an answer is written."""
    return page.get_by_role("textbox", name=words("composer.text.label"), exact=True)


def delayed(desk, name, seconds=LONG):
    """A member whose messages wait."""
    session = member(desk, name)
    session.call("PATCH", "/api/session/preferences", {"sendDelay": seconds})
    return session


def opened(desk, words, session, text, **look):
    """A conversation on the screen of a member."""
    said = Customer(desk.server, live_business(desk)["id"]).say(text)["message"]
    page = console(desk, words, f"/c/{said['conversation']}", session=session, **look)
    expect(page.locator("desk-thread").get_by_text(text)).to_be_visible()
    return page, said["conversation"]


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_the_delay_is_a_setting_kept_on_the_server(desk, language, scheme, phone):
    words = Words(language)
    session = member(desk, f"Slow{language}")
    page = console(desk, words, "/settings/me", session=session, scheme=scheme, phone=phone)
    group = page.get_by_role("group", name=words("console.sendDelay"), exact=True)
    expect(group.get_by_role("button", name=words("console.sendDelay.none"), exact=True)).to_have_attribute("aria-pressed", "true")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        group.get_by_role("button", name=words("console.sendDelay.seconds", count=10), exact=True).click()
    desk.shot(page, f"send-delay-{language}-{scheme}")
    assert_accessible(page)
    page.reload()
    expect(group.get_by_role("button", name=words("console.sendDelay.seconds", count=10), exact=True)).to_have_attribute("aria-pressed", "true")
    assert session.fetch("/api/session")["preferences"]["sendDelay"] == 10


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_waiting_message_is_withdrawn_into_the_composer_and_seen_in_other_tabs(desk, language, scheme, phone):
    words = Words(language)
    session = delayed(desk, f"Patient{language}")
    page, conversation = opened(desk, words, session, f"Any time will do ({language})", scheme=scheme, phone=phone)
    other = console(desk, words, f"/c/{conversation}")
    expect(other.locator("desk-thread").get_by_text(f"Any time will do ({language})")).to_be_visible()
    text_field(page, words).fill("Perhaps not this")
    page.keyboard.press("Enter")
    row = page.locator("desk-thread li.is-scheduled")
    expect(row).to_contain_text("Perhaps not this")
    expect(row.locator(".countdown")).not_to_be_empty()
    expect(text_field(page, words)).to_have_value("")
    desk.shot(page, f"delayed-{language}-{scheme}")
    assert_accessible(page)
    # Colleagues see it coming, and cannot stop it.
    elsewhere = other.locator("desk-thread li.is-scheduled")
    expect(elsewhere).to_contain_text("Perhaps not this")
    expect(elsewhere.locator(".countdown")).to_contain_text(f"Patient{language}")
    expect(elsewhere.get_by_role("button")).to_have_count(0)
    row.get_by_role("button", name=words("thread.scheduled.undo"), exact=True).click()
    expect(row).to_have_count(0)
    expect(elsewhere).to_have_count(0)
    expect(text_field(page, words)).to_have_value("Perhaps not this")
    expect(text_field(page, words)).to_be_focused()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"] == 1


def test_a_waiting_message_is_there_after_a_reload_and_a_key_withdraws_it(desk):
    words = Words("en")
    page, conversation = opened(desk, words, delayed(desk, "Reloader"), "Reload me")
    text_field(page, words).fill("Kept by the server")
    page.keyboard.press("Enter")
    row = page.locator("desk-thread li.is-scheduled")
    expect(row).to_contain_text("Kept by the server")
    page.reload()
    expect(row).to_contain_text("Kept by the server")
    page.keyboard.press("u")
    expect(row).to_have_count(0)
    expect(text_field(page, words)).to_have_value("Kept by the server")
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"] == 1


def test_a_card_that_waits_goes_back_into_its_form(desk):
    words = Words("en")
    page, _ = opened(desk, words, delayed(desk, "Cardamom"), "A card, later")
    choose_kind(page, words, "list")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    title = page.locator("list-form input").first
    title.fill("Teas of the season")
    page.get_by_role("button", name=words("composer.send"), exact=True).click()
    row = page.locator("desk-thread li.is-scheduled")
    row.get_by_role("button", name=words("thread.scheduled.undo"), exact=True).click()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "list")
    expect(title).to_have_value("Teas of the season")


def test_a_message_is_sent_when_its_time_has_come_and_takes_the_place_of_its_line(desk):
    words = Words("en")
    page, conversation = opened(desk, words, delayed(desk, "Swift", seconds=1), "Soon")
    text_field(page, words).fill("Sent by the server")
    page.keyboard.press("Enter")
    expect(page.locator("desk-thread li.message.is-ours:not(.is-scheduled)")).to_contain_text("Sent by the server")
    expect(page.locator("desk-thread li.is-scheduled")).to_have_count(0)
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"] == 2


def test_a_message_that_is_refused_when_due_stays_with_its_reason(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"])
    conversation = said.say("I am leaving")["message"]["conversation"]
    session = delayed(desk, "Late", seconds=4)
    page = console(desk, words, f"/c/{conversation}", session=session)
    expect(page.locator("desk-thread").get_by_text("I am leaving")).to_be_visible()
    text_field(page, words).fill("Too late")
    page.keyboard.press("Enter")
    row = page.locator("desk-thread li.is-scheduled")
    expect(row).to_contain_text("Too late")
    said.call("DELETE", f"/api/phone/{live_business(desk)['id']}/conversation", expect=204)
    expect(row.locator(".scheduled-failure")).to_contain_text(re.compile("^Not sent: "))
    desk.shot(page, "delayed-refused")
    assert_accessible(page)
    row.get_by_role("button", name=words("thread.scheduled.discard"), exact=True).click()
    expect(row).to_have_count(0)
    assert session.fetch(f"/api/conversations/{conversation}/scheduled")["data"] == []


def test_what_a_removed_member_had_waiting_is_discarded_by_a_colleague(desk):
    words = Words("en")
    session, business = member(desk, "Leaver"), live_business(desk)["id"]
    conversation = Customer(desk.server, business).say("Will it be sent?")["message"]["conversation"]
    session.post(f"/api/conversations/{conversation}/messages?delay=3", {"v": 1, "type": "text", "body": "Tomorrow"}, expect=202)
    desk.owner.call("DELETE", f"/api/businesses/{business}/members/{session.member}", expect=204)
    page = console(desk, words, f"/c/{conversation}")
    row = page.locator("desk-thread li.is-scheduled")
    discard = row.get_by_role("button", name=words("thread.scheduled.discard"), exact=True)
    expect(discard).to_be_visible(timeout=15_000)
    expect(row.get_by_role("button")).to_have_count(1)
    assert_accessible(page)
    discard.click()
    expect(row).to_have_count(0)
    assert desk.owner.fetch(f"/api/conversations/{conversation}/scheduled")["data"] == []


def test_what_is_withdrawn_while_its_conversation_is_left_is_its_draft(desk):
    words = Words("en")
    session = member(desk, "Hasty")
    Customer(desk.server, live_business(desk)["id"]).say("Beside the hasty one")
    page, conversation = opened(desk, words, session, "To the hasty one")
    text_field(page, words).fill("Said in haste")
    # Not after the member's seconds: they would be gone on a busy machine.
    page.get_by_role("button", name=words("composer.later"), exact=True).click()
    page.get_by_role("menuitem", name=words("console.snooze.tomorrow")).click()
    expect(page.locator("desk-thread li.is-scheduled")).to_contain_text("Said in haste")
    expect(text_field(page, words)).to_have_value("")
    held = []
    page.route("**/scheduled/*", held.append)
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    wait_for(page, held)
    page.locator("conversation-list a.row", has_text="Beside the hasty one").click()
    expect(page.locator("desk-thread").get_by_text("Beside the hasty one")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith(f"{conversation}/draft")):
        held[0].continue_()
    expect(text_field(page, words)).to_have_value("")
    page.locator(f"conversation-list a.row[data-open='{conversation}']").click()
    expect(page.locator("desk-thread").get_by_text("To the hasty one")).to_be_visible()
    expect(text_field(page, words)).to_have_value("Said in haste")
    # It is on the server, and a page that knows nothing of it shows it too.
    page.reload()
    expect(text_field(page, words)).to_have_value("Said in haste")


def test_what_is_withdrawn_is_what_was_written_there_though_it_was_accepted_beside_another_draft(desk):
    words = Words("en")
    session = member(desk, "Hurried")
    Customer(desk.server, live_business(desk)["id"]).say("The other customer")
    page, conversation = opened(desk, words, session, "The one customer")
    text_field(page, words).fill("For the one")
    held = []
    page.route("**/messages?*", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name=words("composer.later"), exact=True).click()
    page.get_by_role("menuitem", name=words("console.snooze.tomorrow")).click()
    wait_for(page, held)
    page.locator("conversation-list a.row", has_text="The other customer").click()
    expect(page.locator("desk-thread").get_by_text("The other customer")).to_be_visible()
    text_field(page, words).fill("For the other alone")
    with page.expect_response(lambda answer: answer.request.method == "POST" and f"{conversation}/messages" in answer.url):
        held[0].continue_()
    page.locator(f"conversation-list a.row[data-open='{conversation}']").click()
    row = page.locator("desk-thread li.is-scheduled")
    expect(row).to_contain_text("For the one")
    expect(text_field(page, words)).to_have_value("")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(row).to_have_count(0)
    expect(text_field(page, words)).to_have_value("For the one")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_author_whose_file_was_erased_reads_so_in_their_language_and_in_the_composer(desk, language):
    words = Words(language)
    session = delayed(desk, f"Fileless{language}")
    page, conversation = opened(desk, words, session, f"Send me the file ({language})")
    file = session.call("POST", f"/api/attachments?name=a.txt&conversation={conversation}", f"For {language}".encode(), 201,
                        headers={"Content-Type": "text/plain"}).json()["attachment"]
    payload = {"type": "text", "body": "\ufffc", "attachments": [file]}
    path = f"/api/conversations/{conversation}/messages"
    sent = desk.owner.post(path, payload, 201)["id"]
    session.post(f"{path}?sendAt={(datetime.now(UTC) + timedelta(seconds=8)).isoformat(timespec='seconds').replace('+00:00', 'Z')}", payload, 202)
    desk.owner.call("DELETE", f"{path}/{sent}")
    reason = page.locator("desk-thread li.is-scheduled .scheduled-failure")
    expect(reason).to_contain_text(words("thread.scheduled.fileGone"))
    page.locator("desk-thread li.is-scheduled").get_by_role("button", name=words("thread.scheduled.back"), exact=True).click()
    expect(page.locator("desk-composer").get_by_text(words("composer.text.fileGone"))).to_be_visible()


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_message_is_sent_at_a_chosen_time_and_put_back_before_it(desk, language, scheme, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"When do you open? ({language})", scheme=scheme, phone=phone)
    scheduled = f"/api/conversations/{conversation}/scheduled"
    later = page.get_by_role("button", name=words("composer.later"), exact=True)
    # Without anything written there is nothing to send.
    expect(later).to_be_hidden()
    text_field(page, words).fill("At nine")
    later.click()
    assert_accessible(page)
    page.get_by_role("menuitem", name=words("console.snooze.tomorrow")).click()
    row = page.locator("desk-thread .is-scheduled")
    expect(row).to_contain_text("At nine")
    # Where it was written the next one is.
    expect(text_field(page, words)).to_have_value("")
    expect(text_field(page, words)).to_be_focused()
    expect(later).to_be_hidden()
    tomorrow = page.evaluate("() => { const day = new Date(); day.setDate(day.getDate() + 1); day.setHours(9, 0, 0, 0); return day.getTime(); }")
    due = [one["dueAt"] for one in desk.owner.fetch(scheduled)["data"]]
    assert [datetime.fromisoformat(one).timestamp() * 1000 for one in due] == [tomorrow]
    desk.shot(page, f"send-later-{language}")
    assert_accessible(page)

    # It is put back to be changed, and sent at a day and time that are typed.
    row.get_by_role("button", name=words("thread.scheduled.back"), exact=True).click()
    expect(row).to_have_count(0)
    expect(text_field(page, words)).to_have_value("At nine")
    later.click()
    page.get_by_role("menuitem", name=words("console.snooze.date"), exact=True).click()
    page.get_by_label(words("composer.later.day"), exact=True).fill("2020-01-01")
    page.get_by_label(words("composer.later.time"), exact=True).fill("10:30")
    at = page.get_by_role("button", name=words("composer.later.set"), exact=True)
    at.click()
    expect(page.get_by_text(words("console.snooze.past"), exact=True)).to_be_visible()
    day = (datetime.now() + timedelta(days=40)).date()
    page.get_by_label(words("composer.later.day"), exact=True).fill(day.isoformat())
    at.click()
    expect(row).to_contain_text("At nine")
    due = [datetime.fromisoformat(one["dueAt"]) for one in desk.owner.fetch(scheduled)["data"]]
    assert len(due) == 1 and abs((due[0].date() - day).days) <= 1
