"""Templates with lists: written by an owner as JSON, filled by an agent with as many items as are wanted."""

import json

import pytest
from looks import assert_accessible
from pages import choose_kind, console, live_business, open_conversation
from playwright.sync_api import expect
from support.words import Words

LOOKS = [("en", "light"), ("ja", "dark")]
NARROW = {"width": 390, "height": 844}
BID = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension"

TIMES = {"type": "interactive", "interactiveData": {"bid": BID, "data": {
    "version": "1.0", "requestIdentifier": "times", "event": {"identifier": "times", "title": "{{what}}", "timeslots": [
        {"{{times}}": {"identifier": "{{times.position}}", "startTime": "{{times.start|utc}}", "duration": "{{times.seconds|number}}"}}]}},
    "receivedMessage": {"title": "{{what}}", "style": "icon"}, "replyMessage": {"title": "You booked", "style": "icon"}}}


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_template_of_any_number_of_free_times_is_written_filled_and_sent(desk, language, scheme):
    words = Words(language)
    business = live_business(desk)
    page = console(desk, words, "/templates", scheme=scheme)
    page.locator("#template-business").select_option(business["id"])
    editor = page.locator("template-editor")
    title = f"Free times {language}"
    editor.get_by_label(words("console.templateTitle"), exact=True).fill(title)
    editor.get_by_role("button", name=words("console.template.json"), exact=True).click()
    text = editor.get_by_role("textbox", name=words("console.templatePayload"), exact=True)
    text.fill(json.dumps(TIMES, indent=2))
    # The card is drawn with one item, and each value of an item has its row.
    expect(editor.locator("desk-card")).to_be_visible()
    listed = editor.get_by_role("group", name="{{times}}")
    expect(listed.locator(".parameter")).to_have_count(2)
    listed.get_by_label(words("console.template.askedAs", name="times"), exact=True).fill("Time")
    for member, kind, label in (("start", "date", "Start"), ("seconds", "number", "Seconds")):
        name = f"times.{member}"
        listed.get_by_label(words("console.parameterType", name=name), exact=True).select_option(kind)
        listed.get_by_label(words("console.template.askedAs", name=name), exact=True).fill(label)
    listed.get_by_label(words("console.parameterDefault", name="times.seconds"), exact=True).fill("1800")
    assert_accessible(page)
    desk.shot(page, f"template-list-editor-{language}-{scheme}")
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    desk.shot(page, f"template-list-editor-{language}-{scheme}-390")
    page.set_viewport_size({"width": 1280, "height": 800})
    # Other templates of the list have a first version too.
    with page.expect_response(lambda answer: "/api/templates" in answer.url and answer.request.method in ("POST", "PUT")):
        editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    expect(page.get_by_text(words("console.version", version=1)).first).to_be_visible()
    # Among those of other tests it may be on no first page of the list.
    stored = desk.owner.fetch(f"/api/templates/free-times-{language}?business={business['id']}")
    [times] = [one for one in stored["parameters"] if one["type"] == "list"]
    assert (times["label"], [(one["name"], one["type"], one.get("default")) for one in times["members"]]) == (
        "Time", [("start", "date", None), ("seconds", "number", 1800)])
    # Opened again, it is as it was written.
    expect(listed.get_by_label(words("console.parameterDefault", name="times.seconds"), exact=True)).to_have_value("1800")
    send(desk, words, title, scheme)


def send(desk, words, title, scheme):
    """An agent fills it with two times."""
    page, customer, conversation = open_conversation(desk, words, f"When? ({words.language})", scheme=scheme)
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_role("option", name=title).click()
    page.keyboard.type("Tea tasting")
    first = picker.get_by_role("group", name=words("lists.item", label="Time", number=1), exact=True)
    # What is missing is named by its item.
    missing = words("lists.ofItem", list="Time", number=1, label="Start")
    expect(picker.get_by_text(words("composer.template.fillIn", fields=missing))).to_be_visible()
    fill_time(words, first, "2031-05-02", "18:00")
    picker.get_by_role("button", name=words("lists.add"), exact=True).click()
    second = picker.get_by_role("group", name=words("lists.item", label="Time", number=2), exact=True)
    fill_time(words, second, "2031-05-03", "09:30")
    second.get_by_label("Seconds").fill("3600")
    picker.get_by_role("button", name=words("lists.add"), exact=True).click()
    picker.get_by_role("button", name=words("lists.remove", label="Time", number=3), exact=True).click()
    expect(second.locator("input").first).to_be_focused()
    button = picker.get_by_role("button", name=words("composer.send"), exact=True)
    expect(button).to_be_visible()
    assert_accessible(page)
    desk.shot(page, f"template-list-picker-{words.language}-{scheme}")
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    desk.shot(page, f"template-list-picker-{words.language}-{scheme}-390")
    with page.expect_response(lambda answer: "/template-messages" in answer.url and answer.status == 201):
        button.click()
    sent = desk.owner.fetch(f"/api/conversations/{conversation}/messages")["data"][-1]
    assert sent["payload"]["interactiveData"]["data"]["event"]["timeslots"] == [
        {"identifier": "1", "startTime": "2031-05-02T16:00+0000", "duration": 1800},
        {"identifier": "2", "startTime": "2031-05-03T07:30+0000", "duration": 3600}]


def fill_time(words, item, date, time):
    """Types a moment into an item."""
    item.get_by_label(words("lists.date", label="Start"), exact=True).fill(date)
    item.get_by_label(words("lists.time", label="Start"), exact=True).fill(time)
    item.get_by_label(words("lists.time", label="Start"), exact=True).press("Tab")
