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


@pytest.mark.parametrize("width, height", [(1440, 900), (1280, 800), (390, 844)])
def test_the_times_of_a_card_stand_in_a_line_and_a_press_on_one_shows_its_fields(desk, width, height):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, f"Any of these times? {width}", viewport={"width": width, "height": height})
    choose_kind(page, words, "time")
    form = page.locator("time-form")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    chips = form.locator(".cp-slot")
    expect(chips).to_have_count(4)
    expect(form.get_by_label(words("composer.time.date", number=1), exact=True)).to_have_count(0)
    assert_accessible(page)
    desk.shot(page, f"time-form-{width}")
    if width == 1440:
        # All that is filled in for most cards is in sight.
        expect(form.get_by_role("button", name=words("composer.time.quickAdd"), exact=True)).to_be_in_viewport(ratio=1)
    second = chips.nth(1).get_by_role("button").first
    expect(second).to_have_accessible_name(re.compile(r"^\w{3}, \w{3} \d+, 9:30\sAM · 30 min$"))
    second.press("Enter")
    day = form.get_by_label(words("composer.time.date", number=2), exact=True)
    expect(day).to_be_focused()
    day.fill("12/24/2098")
    form.get_by_label(words("composer.time.minutes", number=2), exact=True).fill("45")
    # The fields of another one are shown; this one is a chip with its own day and length.
    chips.nth(0).get_by_role("button").first.click()
    expect(form.get_by_label(words("composer.time.date", number=1), exact=True)).to_be_focused()
    expect(chips).to_have_count(3)
    expect(chips.nth(0)).to_contain_text("45 min")
    chips.nth(2).get_by_role("button", name=words("composer.move.remove", name=words("composer.time.slot", number=4)), exact=True).press("Enter")
    expect(chips.nth(1).get_by_role("button").first).to_be_focused()
    series = form.get_by_role("button", name=words("composer.time.quickAdd"), exact=True)
    expect(series).to_have_attribute("aria-expanded", "false")
    series.press("Enter")
    add = form.get_by_role("group", name=words("composer.time.quickAdd"), exact=True).get_by_role("button", name=words("composer.time.addSeries"), exact=True)
    add.press("Enter")
    expect(add).to_be_focused()
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url) as sent:
        page.get_by_role("button", name=words("composer.send"), exact=True).click()
    assert sent.value.status == 201, sent.value.text()
    slots = sent.value.json()["payload"]["interactiveData"]["data"]["event"]["timeslots"]
    # Those of the morning that were not there yet, and the changed one last.
    assert len(slots) == 7, slots
    assert slots[-1]["startTime"] == "2098-12-24T08:30+0000" and slots[-1]["duration"] == 2700, slots[-1]


def test_what_is_wrong_with_a_time_of_a_card_is_said_at_its_chip(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Two at a time")
    choose_kind(page, words, "time")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    form = page.locator("time-form")
    chips = form.locator(".cp-slot")
    chips.nth(1).get_by_role("button").first.press("Enter")
    form.get_by_label(words("composer.time.minutes", number=2), exact=True).fill("45")
    # It is not over when the next one begins.
    chips.nth(0).get_by_role("button").first.press("Enter")
    said = page.locator("desk-composer .cp-status-warning")
    expect(said).to_be_visible()
    said.click()
    expect(page.locator("desk-composer finding-list li").first).to_be_visible()
    wrong = form.locator(".cp-slot.cp-has-warning")
    expect(wrong).to_have_count(1)
    expect(wrong.locator(".cp-problem")).to_be_visible()
    assert_accessible(page)


def test_a_card_with_a_whole_day_of_times_is_still_typed_in_at_once(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Any time of the day")
    choose_kind(page, words, "time")
    form = page.locator("time-form")
    form.get_by_role("button", name=words("composer.time.quickAdd"), exact=True).click()
    series = form.get_by_role("group", name=words("composer.time.quickAdd"), exact=True)
    series.get_by_label(words("composer.time.series.from"), exact=True).fill("00:00")
    series.get_by_label(words("composer.time.series.until"), exact=True).fill("23:59")
    series.get_by_label(words("composer.time.series.every"), exact=True).select_option("15")
    add = series.get_by_role("button", name=words("composer.time.addSeries"), exact=True)
    # Where each of 95 places was found anew for each of 190 fields, this lasted for 42 seconds, and each letter for 34.
    add.click(timeout=15_000)
    expect(form.locator(".cp-slot")).to_have_count(95)
    form.get_by_label(words("composer.time.title"), exact=True).press_sequentially("A day", timeout=15_000)
    expect(page.locator("desk-composer .cp-status-ok")).to_be_visible()
    series.get_by_label(words("composer.time.series.days"), exact=True).select_option("2")
    add.click()
    expect(form.locator(".cp-slot")).to_have_count(100)
    # What was left out is said, in view and for those who listen, and that there is no room for another.
    said = form.get_by_role("status")
    expect(said).to_have_text(words("composer.time.leftOut", count=90, limit=100))
    expect(said).to_be_in_viewport()
    form.get_by_role("button", name=words("composer.move.remove", name=words("composer.time.slot", number=100)), exact=True).click()
    expect(said).to_be_empty()
    form.get_by_role("button", name=words("composer.time.addSlot"), exact=True).click()
    expect(said).to_have_text(words("composer.full", limit=100))


def test_a_series_of_times_that_adds_nothing_says_so(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Between which hours?")
    choose_kind(page, words, "time")
    form = page.locator("time-form")
    form.get_by_role("button", name=words("composer.time.quickAdd"), exact=True).click()
    series = form.get_by_role("group", name=words("composer.time.quickAdd"), exact=True)
    add = series.get_by_role("button", name=words("composer.time.addSeries"), exact=True)
    add.click()
    expect(form.locator(".cp-slot")).to_have_count(6)
    said = form.get_by_role("status")
    expect(said).to_be_empty()
    add.click()
    expect(said).to_have_text(words("composer.time.noneAdded"))
    expect(form.locator(".cp-slot")).to_have_count(6)
    assert_accessible(page)


def test_times_between_which_the_clocks_change_say_whose_clock_the_customers_see(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "This weekend or the next")
    choose_kind(page, words, "time")
    form = page.locator("time-form")
    form.get_by_label(words("composer.time.title"), exact=True).fill("A fitting")
    form.get_by_label(words("composer.time.date", number=1), exact=True).fill("03/27/2027")
    form.get_by_label(words("composer.time.start", number=1), exact=True).fill("9:00")
    form.get_by_role("button", name=words("composer.time.addSlot"), exact=True).click()
    said = form.get_by_role("status")
    expect(said).to_be_empty()
    form.get_by_label(words("composer.time.date", number=2), exact=True).fill("03/29/2027")
    form.get_by_label(words("composer.time.date", number=2), exact=True).press("Tab")
    expect(said).to_have_text(words("composer.time.clockChange"))
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url) as sent:
        page.get_by_role("button", name=words("composer.send"), exact=True).click()
    event = sent.value.json()["payload"]["interactiveData"]["data"]["event"]
    assert [one["startTime"] for one in event["timeslots"]] == ["2027-03-27T08:00+0000", "2027-03-29T07:30+0000"], event
    assert "timezoneOffset" not in event
