"""Templates with lists in the forms: an owner makes a choice of times without JSON, and a colleague sends it."""

import re

import pytest
from looks import assert_accessible
from pages import choose_kind, console, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

LOOKS = [("en", "light"), ("ja", "dark")]
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def empty_business(desk, name):
    """A business that has no template yet."""
    return desk.owner.post("/api/businesses", {"name": name, "colour": "#0b6bcb", "mode": "test"}, expect=201)["id"]


def open_editor(desk, words, business, kind, scheme="light"):
    """The form of a kind, for a new template of a business."""
    page = console(desk, words, "/templates", scheme=scheme)
    page.locator("#template-business").select_option(business)
    editor = page.locator("template-editor")
    editor.get_by_label(words("composer.kinds"), exact=True).select_option(kind)
    expect(editor.get_by_role("button", name=words("lists.repeat"), exact=True)).to_be_visible()
    return page, editor


def look(desk, page, name):
    """Both widths, without faults that a checker sees."""
    for size in (NARROW, WIDE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert_accessible(page)
        page.locator("[data-list]").scroll_into_view_if_needed()
        desk.shot(page, f"{name}-{size['width']}")


def stored(desk, business, name):
    """A template as the server has it."""
    return next(one for one in desk.owner.fetch(f"/api/templates?business={business}")["data"] if one["name"] == name)


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_choice_of_times_is_made_in_the_form_and_a_colleague_sends_it(desk, language, scheme):
    words = Words(language)
    business = empty_business(desk, f"No JSON {language}")
    page, editor = open_editor(desk, words, business, "time", scheme)
    # By keys alone, from the title to the list.
    editor.locator("#template-title").focus()
    page.keyboard.type("Free times")
    editor.locator("time-form").get_by_label(words("composer.time.title"), exact=True).fill("Tea tasting")
    editor.get_by_role("button", name=words("lists.repeat"), exact=True).press("Enter")
    dialog = page.get_by_role("dialog", name=words("lists.new"), exact=True)
    expect(dialog.get_by_label(words("lists.label"), exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text(words("lists.noLabel"))
    page.keyboard.type("Times" if language == "en" else "空き時間")
    dialog.get_by_role("button", name=words("lists.addMember"), exact=True).press("Enter")
    expect(dialog.get_by_label(words("lists.memberLabel", number=2), exact=True)).to_be_focused()
    page.keyboard.type("Kind")
    dialog.get_by_label(words("lists.memberType", number=2), exact=True).select_option("choice")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text(words("console.template.noChoices"))
    assert_accessible(page)
    desk.shot(page, f"list-form-new-{language}-{scheme}")
    dialog.get_by_role("button", name=words("lists.removeMember", number=2), exact=True).press("Enter")
    expect(dialog.get_by_label(words("lists.memberLabel", number=1), exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    # The empty slot gave way to one for each item, which begins when the item does.
    row = editor.locator("time-form [data-list]")
    expect(editor.locator("time-form [data-slot]")).to_have_count(1)
    begins = row.get_by_label(words("lists.startOf"), exact=True)
    expect(begins).to_be_focused()
    expect(begins.locator("option:checked")).to_have_text(words("lists.member.time"))
    row.get_by_label(words("lists.length"), exact=True).select_option("+")
    expect(row.locator(".cp-minutes")).to_have_count(0)
    # Its preview has a few items.
    expect(editor.locator(".template-preview desk-card .fd-slots > *")).to_have_count(3)
    listed = editor.locator(".parameter-list")
    expect(listed.locator(".parameter")).to_have_count(2)
    look(desk, page, f"list-form-time-{language}-{scheme}")
    editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    expect(page.get_by_text(words("console.version", version=1)).first).to_be_visible()
    kept = stored(desk, business, "free-times")
    [times] = kept["parameters"]
    assert [(one["type"], one.get("default")) for one in times["members"]] == [("date", None), ("number", 1800)], times
    [slot] = kept["payload"]["interactiveData"]["data"]["event"]["timeslots"]
    assert list(slot) == [f"{{{{{times['name']}}}}}"]
    # Opened again it is in its form.
    expect(begins.locator("option:checked")).to_have_text(words("lists.member.time"))
    expect(row.get_by_label(words("lists.length"), exact=True).locator("option:checked")).to_have_text(
        words("lists.lengthOf", label=words("lists.seconds")))
    send(desk, words, business, times["label"])


def send(desk, words, business, label):
    """A colleague fills it with two times."""
    colleague = member(desk, f"Sender {words.language}".replace(" ", "-"), business=business)
    said = Customer(desk.server, business).say("When can I come?")["message"]["conversation"]
    page = console(desk, words, f"/c/{said}", session=colleague)
    expect(page.locator("desk-thread").get_by_text("When can I come?")).to_be_visible()
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_role("option", name="Free times").click()
    picker.get_by_role("button", name=words("lists.add"), exact=True).click()
    start = words("lists.member.time")
    for number, hour in ((1, "18:00"), (2, "19:00")):
        item = picker.get_by_role("group", name=words("lists.item", label=label, number=number), exact=True)
        item.get_by_label(words("lists.date", label=start), exact=True).fill("2031-05-02")
        item.get_by_label(words("lists.time", label=start), exact=True).fill(hour)
        item.get_by_label(words("lists.time", label=start), exact=True).press("Tab")
    with page.expect_response(lambda answer: "/template-messages" in answer.url and answer.status == 201):
        picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    sent = desk.owner.fetch(f"/api/conversations/{said}/messages")["data"][-1]
    slots = sent["payload"]["interactiveData"]["data"]["event"]["timeslots"]
    assert [(one["startTime"], one["duration"]) for one in slots] == [
        ("2031-05-02T16:00+0000", 1800), ("2031-05-02T17:00+0000", 1800)]
    assert len({one["identifier"] for one in slots}) == 2


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_rows_of_a_list_are_repeated_with_values_from_the_menu(desk, language, scheme):
    words = Words(language)
    business = empty_business(desk, f"Rows {language}")
    page, editor = open_editor(desk, words, business, "list", scheme)
    editor.locator("#template-title").fill("Teas of today")
    editor.get_by_label(words("composer.list.sectionTitle"), exact=True).fill("Teas")
    editor.get_by_role("button", name=words("lists.repeat"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("lists.new"), exact=True)
    dialog.get_by_label(words("lists.label"), exact=True).fill("Teas")
    page.keyboard.press("Enter")
    row = editor.locator("list-form [data-list]")
    expect(row.get_by_label(words("composer.list.item", number=1), exact=True)).to_have_value(re.compile(r"^\{\{teas\.\w+\}\}$"))
    # Another value of each item, from the menu, while its second line has the focus.
    price = row.get_by_label(words("composer.list.subtitle"), exact=True)
    price.focus()
    insert = editor.get_by_role("button", name=words("console.template.insertValue"), exact=True)
    insert.click()
    desk.shot(page, f"list-form-menu-{language}-{scheme}")
    page.get_by_role("menuitem", name=words("lists.newMember"), exact=True).click()
    value = page.get_by_role("dialog", name=words("console.template.newValue"), exact=True)
    value.get_by_label(words("console.template.label"), exact=True).fill("Price")
    page.keyboard.press("Enter")
    expect(price).to_have_value("{{teas.price}}")
    # What an item has is offered where the item is, and nowhere else.
    editor.get_by_label(words("composer.list.title"), exact=True).focus()
    insert.click()
    expect(page.get_by_role("menuitem", name=words("lists.newMember"), exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    look(desk, page, f"list-form-rows-{language}-{scheme}")
    editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    expect(page.get_by_text(words("console.version", version=1)).first).to_be_visible()
    [teas] = stored(desk, business, "teas-of-today")["parameters"]
    first, second = (one["name"] for one in teas["members"])
    made = desk.owner.post("/api/templates/teas-of-today/preview", {"business": business, "values": {
        "teas": [{first: name, second: "12.80"} for name in ("Sencha", "Hojicha")]}})
    assert not [one for one in made["findings"] if one["severity"] == "error"], made["findings"]
    [shown] = made["payload"]["interactiveData"]["data"]["listPicker"]["sections"]
    assert [(one["title"], one["subtitle"]) for one in shown["items"]] == [("Sencha", "12.80"), ("Hojicha", "12.80")]
    # Without the repeated row there is an empty one again.
    row.get_by_role("button", name=re.compile(f"{re.escape(words('composer.move.remove', name=''))}|teas")).last.click()
    expect(editor.locator("list-form [data-item]")).to_have_count(1)
    expect(row).to_have_count(0)


def test_answers_of_a_quick_reply_are_repeated_without_a_finding_about_their_number(desk):
    words = Words("en")
    business = empty_business(desk, "Answers")
    page, editor = open_editor(desk, words, business, "quickReply")
    editor.locator("#template-title").fill("Which one")
    editor.get_by_label(words("composer.quick.summary"), exact=True).fill("Which one?")
    editor.get_by_role("button", name=words("lists.repeat"), exact=True).click()
    page.get_by_role("dialog", name=words("lists.new"), exact=True).get_by_label(words("lists.label"), exact=True).fill("Answers")
    with page.expect_response(lambda answer: "/api/validate" in answer.url):
        page.keyboard.press("Enter")
    expect(editor.locator("quick-reply-form [data-list] input")).to_have_value("{{answers.answer}}")
    expect(editor.locator("desk-card").get_by_text("‹Answer 3›")).to_be_visible()
    editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    expect(page.get_by_text(words("console.version", version=1)).first).to_be_visible()
    expect(editor.locator("finding-list li")).to_have_count(0)
    made = desk.owner.post("/api/templates/which-one/preview", {
        "business": business, "values": {"answers": [{"answer": "Yes"}, {"answer": "No"}]}})
    assert not [one for one in made["findings"] if one["severity"] == "error"], made["findings"]
