"""Days and times are picked with the product's own controls, by keyboard and by touch."""

import datetime
import re

import pytest
from looks import assert_accessible
from pages import choose_kind, open_conversation
from playwright.sync_api import expect
from support.words import Words


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_snooze_is_picked_from_a_calendar_and_a_list_of_times(desk, language, scheme, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"Later, please ({language})", scheme=scheme, phone=phone)
    page.locator("conversation-head").get_by_role("button", name=words("console.snooze"), exact=True).click()
    page.get_by_role("menuitem", name=words("console.snooze.date")).click()
    day = page.get_by_label(words("console.snooze.day"), exact=True)
    expect(day).to_be_focused()
    tomorrow = datetime.datetime.strptime(day.input_value(), "%m/%d/%Y" if language == "en" else "%Y/%m/%d")
    page.keyboard.press("ArrowDown")
    calendar = page.get_by_role("dialog", name=words("shared.date.open"), exact=True)
    expect(calendar.locator(f"[data-day='{tomorrow:%Y-%m-%d}']")).to_be_focused()
    desk.shot(page, f"calendar-{language}-{scheme}")
    assert_accessible(page)
    # Days that have passed cannot be chosen.
    expect(calendar.locator("button[data-day]:disabled").first).to_have_attribute(
        "data-day", re.compile(r"^\d{4}-\d\d-\d\d$"))
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowRight")
    chosen = calendar.locator("button:focus").get_attribute("data-day")
    assert datetime.date.fromisoformat(chosen) > tomorrow.date() + datetime.timedelta(days=27)
    calendar.get_by_role("button", name=words("shared.date.next"), exact=True).click()
    expect(calendar.get_by_role("button", name=words("shared.date.next"), exact=True)).to_be_focused()
    calendar.get_by_role("button", name=words("shared.date.previous"), exact=True).click()
    calendar.locator(f"[data-day='{chosen}']").click()
    expect(calendar).to_have_count(0)
    expect(day).to_have_value(datetime.date.fromisoformat(chosen).strftime("%m/%d/%Y" if language == "en" else "%Y/%m/%d"))
    time = page.get_by_label(words("console.snooze.time"), exact=True)
    time.focus()
    page.keyboard.press("ArrowDown")
    times = page.get_by_role("listbox", name=words("shared.time.choices"), exact=True)
    expect(times.get_by_role("option", selected=True)).to_be_in_viewport()
    desk.shot(page, f"times-{language}-{scheme}")
    assert_accessible(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(times).to_have_count(0)
    expect(time).to_have_value("9:15 AM" if language == "en" else "9:15")
    # Escape closes the inner popup alone.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(times).to_have_count(0)
    expect(time).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".fd-toast").last).to_contain_text("9:15")
    until = desk.owner.fetch(f"/api/conversations/{conversation}")["snoozedUntil"]
    assert abs((datetime.datetime.fromisoformat(until).date() - datetime.date.fromisoformat(chosen)).days) <= 1


def test_the_times_of_a_card_are_typed_or_picked(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "When may I come?")
    choose_kind(page, words, "time")
    page.get_by_label(words("composer.time.title"), exact=True).fill("A fitting")
    day = page.get_by_label(words("composer.time.date", number=1), exact=True)
    clock = page.get_by_label(words("composer.time.start", number=1), exact=True)
    day.fill("12/24/2098")
    clock.fill("1630")
    clock.press("Tab")
    expect(clock).to_have_value("4:30 PM")
    day.press("ArrowDown")
    calendar = page.get_by_role("dialog", name=words("shared.date.open"), exact=True)
    expect(calendar.locator("[data-day='2098-12-24']")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(day).to_have_value("12/25/2098")
    desk.shot(page, "time-form-pickers")
    assert_accessible(page)
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url) as sent:
        page.get_by_role("button", name=words("composer.send"), exact=True).click()
    assert sent.value.status == 201, sent.value.text()
    slot = sent.value.json()["payload"]["interactiveData"]["data"]["event"]["timeslots"][0]
    assert slot["startTime"] == "2098-12-25T15:30+0000"


def test_a_day_to_come_back_at_is_typed_over_the_one_that_is_proposed(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Until Christmas, please")
    page.locator("#view-title").click()
    page.keyboard.press("z")
    page.get_by_role("menuitem", name=words("console.snooze.date"), exact=True).press("Enter")
    day = page.get_by_label(words("console.snooze.day"), exact=True)
    expect(day).to_be_focused()
    page.keyboard.type("Christmas")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=words("console.snooze.noDay"))).to_be_visible()
    expect(day).to_be_focused()
    page.keyboard.type("12/24/2031")
    page.keyboard.press("Enter")
    expect(page.locator(".fd-toast-words").last).to_contain_text("2031")
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["snoozedUntil"].startswith("2031-12-24")
    # The year is another one, and said wherever the day is.
    page.goto(f"{desk.phone_url}/console/c/{conversation}")
    for place in ("desk-thread", ".view-meta"):
        expect(page.locator(place)).to_contain_text("2031")
