"""Templates for people: saved from the composer, written in its forms, with values from a menu, translated, and ten to begin with."""

import re

import pytest
from looks import assert_accessible
from pages import choose_kind, console, live_business, open_conversation, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

LOOKS = [("en", "light"), ("ja", "dark")]
NARROW = {"width": 390, "height": 844}


def business(desk, name):
    """A business of its own, so that no other test's templates are in it."""
    return desk.owner.post("/api/businesses", {"name": name, "colour": "#0b6bcb", "mode": "test"}, expect=201)["id"]


def templates(desk, business_id):
    """The newest versions, by name."""
    listed = desk.owner.fetch(f"/api/templates?business={business_id}")["data"]
    return {one["name"]: one for one in listed}


def open_picker(page, words):
    """The template picker beside the text."""
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    return page.locator("template-picker")


def save_as(page, words, button, title):
    """Saves what is written under a title."""
    button.click()
    dialog = page.get_by_role("dialog", name=words("composer.template.saveAs"))
    dialog.get_by_role("button", name=words("composer.template.save"), exact=True).click()
    expect(dialog.get_by_role("alert")).to_have_text(words("composer.template.saveNoTitle"))
    assert_accessible(page)
    dialog.get_by_label(words("composer.template.saveTitle")).fill(title)
    page.keyboard.press("Enter")
    # One of the same title, saved just before, may still say so.
    expect(page.get_by_text(words("composer.template.saved", title=title)).last).to_be_visible()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_what_is_written_is_saved_as_a_template_and_comes_back_into_its_form(desk, language, scheme):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"Save it ({language})", scheme=scheme)
    title = f"Teas {language}"
    choose_kind(page, words, "list")
    save = page.get_by_role("button", name=words("composer.template.saveAs"), exact=True)
    expect(save).to_be_hidden()
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    expect(save).to_be_visible()
    desk.shot(page, f"save-template-{language}-{scheme}")
    save_as(page, words, save, title)
    stored = templates(desk, live_business(desk)["id"])
    [saved] = [one for one in stored.values() if one["title"] == title]
    assert set(saved["payload"]) == {"type", "interactiveData"}
    page.get_by_role("button", name=words("composer.clear"), exact=True).click()
    picker = open_picker(page, words)
    picker.get_by_role("option", name=title).click()
    picker.get_by_role("button", name=words("composer.template.insert"), exact=True).click()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "list")
    expect(page.locator("list-form input").first).to_have_value(words("composer.example.list.title"))
    choose_kind(page, words, "text")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("One moment, please.")
    picker = open_picker(page, words)
    save_as(page, words, picker.get_by_role("button", name=words("composer.template.saveText"), exact=True), f"Moment {language}")
    # A second one under the same title is another template, and changes nothing of the first.
    picker.get_by_role("button", name=words("composer.template.close")).click()
    picker = open_picker(page, words)
    save_as(page, words, picker.get_by_role("button", name=words("composer.template.saveText"), exact=True), f"Moment {language}")
    found = [one for one in templates(desk, live_business(desk)["id"]).values() if one["title"] == f"Moment {language}"]
    assert [one["version"] for one in found] == [1, 1]


def test_two_templates_go_into_one_text(desk):
    words = Words("en")
    for name, body in (("first-half", "Good morning."), ("second-half", "We open at nine.")):
        desk.owner.post("/api/templates", {
            "business": live_business(desk)["id"], "name": name, "title": name, "parameters": [],
            "payload": {"type": "text", "body": body}}, expect=201)
    page, _, _ = open_conversation(desk, words, "Two of them")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    for name, before in (("first-half", ""), ("second-half", " ")):
        if before:
            field.press("End")
            field.press_sequentially(before)
        picker = open_picker(page, words)
        picker.get_by_role("option", name=name).click()
        picker.get_by_role("button", name=words("composer.template.insert"), exact=True).click()
    expect(field).to_have_value("Good morning. We open at nine.")


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_template_is_written_in_a_form_with_values_from_a_menu(desk, language, scheme):
    words = Words(language)
    owner = business(desk, f"Forms {language}")
    page = console(desk, words, "/templates", scheme=scheme)
    page.locator("#template-business").select_option(owner)
    editor = page.locator("template-editor")
    editor.get_by_label(words("console.templateTitle"), exact=True).fill("Which day")
    editor.get_by_label(words("composer.kinds"), exact=True).select_option("quickReply")
    question = editor.get_by_label(words("composer.quick.summary"), exact=True)
    question.fill("Hello ")
    insert = editor.get_by_role("button", name=words("console.template.insertValue"), exact=True)
    insert.click()
    page.get_by_role("menuitem", name=re.compile(re.escape(words("console.template.value.customer.name")))).click()
    expect(question).to_have_value("Hello {{customer.name}}")
    question.press("End")
    question.press_sequentially(", is this right: ")
    insert.click()
    page.get_by_role("menuitem", name=words("console.template.newValue")).click()
    dialog = page.get_by_role("dialog", name=words("console.template.newValue"))
    dialog.get_by_role("button", name=words("console.template.add")).click()
    expect(dialog.get_by_role("alert")).to_have_text(words("console.template.noLabel"))
    dialog.get_by_label(words("console.template.label")).fill("Day")
    dialog.get_by_label(words("console.template.type")).select_option("date")
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(question).to_have_value("Hello {{customer.name}}, is this right: {{day|date}}")
    for number, answer in ((1, "Yes"), (2, "No")):
        editor.get_by_label(words("composer.quick.item", number=number), exact=True).fill(answer)
    # Not every customer has a name: what stands in its place is asked for where it is typed.
    fallback = editor.get_by_label(words("console.parameterFallback", name="customer.name"), exact=True)
    problem = editor.get_by_text(words("console.template.noFallback"))
    fallback.fill("")
    expect(problem).to_be_visible()
    desk.shot(page, f"template-form-{language}-{scheme}")
    save = editor.get_by_role("button", name=words("console.saveTemplate"), exact=True)
    save.click()
    expect(fallback).to_be_focused()
    assert templates(desk, owner) == {}
    fallback.fill("there")
    expect(problem).to_be_hidden()
    editor.get_by_role("button", name=words("console.template.json"), exact=True).click()
    expect(editor.get_by_role("textbox", name=words("console.templatePayload"))).to_have_value(re.compile(r"\{\{day\|date\}\}"))
    desk.shot(page, f"template-json-{language}-{scheme}")
    editor.get_by_role("button", name=words("console.template.form"), exact=True).click()
    expect(question).to_have_value("Hello {{customer.name}}, is this right: {{day|date}}")
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_accessible(page)
    desk.shot(page, f"template-form-{language}-{scheme}-390")
    save.click()
    # On a narrow screen the list is behind what is written.
    expect(page.get_by_text(words("console.version", version=1)).first).to_be_attached()
    stored = templates(desk, owner)["which-day"]
    assert {one["name"]: (one["type"], one.get("label")) for one in stored["parameters"]} == {
        "day": ("date", "Day"), "customer.name": ("text", "customer.name")}
    # Opened again it is in its form, and a translation is another template.
    expect(question).to_have_value("Hello {{customer.name}}, is this right: {{day|date}}")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name=words("console.template.translate"), exact=True).click()
    page.get_by_role("menuitem").nth(1).click()
    expect(editor.get_by_label(words("console.templateName"), exact=True)).to_have_value("which-day.ja")
    question.fill("{{customer.name}} – {{day|date}}?")
    save.click()
    expect(page.locator(".nav-row.is-translation")).to_have_count(1)
    assert set(templates(desk, owner)) == {"which-day", "which-day.ja"}
    for name, said in (("which-day", "Hello there, is this right: December 1, 2026"), ("which-day.ja", "there – 2026-12-01?")):
        made = desk.owner.post(f"/api/templates/{name}/preview", {"business": owner, "values": {
            "day": "2026-12-01", "customer.locale": "en_US"} if name == "which-day" else {"day": "2026-12-01"}})
        assert made["payload"]["interactiveData"]["data"]["quick-reply"]["summaryText"] == said


def test_the_picker_of_a_business_without_templates_leads_to_their_page(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "Nothing prepared"}, expect=201)
    said = Customer(desk.server, business["id"]).say("Do you have a text for this?")["message"]["conversation"]
    page = console(desk, words, f"/c/{said}")
    expect(page.locator("desk-thread").get_by_text("Do you have a text for this?")).to_be_visible()
    page.keyboard.press("/")
    picker = page.locator("template-picker")
    expect(picker.get_by_text(words("composer.template.none"))).to_be_visible()
    make = picker.get_by_role("link", name=words("composer.template.make"), exact=True)
    desk.shot(page, "picker-without-templates")
    assert_accessible(page)
    make.press("Enter")
    expect(page).to_have_url(re.compile("/console/templates$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_business_without_templates_gets_ten_that_can_be_sent(desk, language):
    words = Words(language)
    owner = business(desk, f"Ten {language}")
    page = console(desk, words, "/templates")
    page.locator("#template-business").select_option(owner)
    page.get_by_role("button", name=words("console.template.addStarters"), exact=True).click()
    expect(page.locator(".settings-nav .nav-row")).to_have_count(10)
    assert_accessible(page)
    desk.shot(page, f"starters-{language}")
    samples = {"text": "Ten", "date": "2026-12-01", "number": 1}
    for name, one in templates(desk, owner).items():
        values = {value["name"]: samples[value["type"]] for value in one["parameters"] if value["name"] != "customer.name"}
        made = desk.owner.post(f"/api/templates/{name}/preview", {"business": owner, "values": values})
        errors = [finding for finding in made["findings"] if finding["severity"] == "error"]
        assert not errors, f"{name}: {errors}"


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_template_is_deleted_with_its_translation_unless_something_sends_it(desk, language, scheme):
    words = Words(language)
    title = f"Delete it ({language})"
    there = business(desk, title)
    for name in ("bye", "bye.ja"):
        desk.owner.post("/api/templates", {"business": there, "name": name, "title": title, "description": "",
                                           "payload": {"type": "text", "body": "Goodbye"}, "parameters": []}, expect=201)
    macro = desk.owner.post(f"/api/businesses/{there}/macros", {
        "name": "Part", "shared": True, "actions": [{"template": {"name": "bye"}}]}, expect=201)
    page = console(desk, words, "/templates", scheme=scheme)
    page.get_by_label(words("console.business"), exact=True).select_option(there)
    row = page.locator(".nav-row:not(.is-translation)", has_text=title)
    row.click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()

    def delete():
        page.locator(".template-head").get_by_role("button", name=words("shared.delete"), exact=True).click()
        dialog = page.get_by_role("alertdialog").or_(page.get_by_role("dialog"))
        expect(dialog).to_contain_text(words("console.template.removeQuestion", title=title))
        desk.shot(page, f"template-delete-{language}-{scheme}")
        assert_accessible(page)
        dialog.get_by_role("button", name=words("shared.delete"), exact=True).click()

    delete()
    expect(page.get_by_role("alert")).to_contain_text("Part")
    assert set(templates(desk, there)) == {"bye", "bye.ja"}
    desk.owner.call("PATCH", f"/api/businesses/{there}/macros/{macro['id']}", {"retired": True})
    delete()
    expect(page.locator(".nav-row")).to_have_count(0)
    assert templates(desk, there) == {}


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_an_empty_form_says_what_is_wrong_after_the_first_input_or_when_it_is_saved(desk, language, scheme):
    words = Words(language)
    owner = business(desk, f"Empty {language}")
    page = console(desk, words, "/templates", scheme=scheme, viewport=NARROW if language == "ja" else None)
    page.locator("#template-business").select_option(owner)
    expect(page.get_by_role("button", name=words("console.template.addStarters"), exact=True)).to_be_visible()
    page.get_by_role("button", name=words("console.newTemplate"), exact=True).click()
    editor = page.locator("template-editor")
    editor.get_by_label(words("console.templateTitle"), exact=True).fill("Which tea")
    kind = editor.get_by_label(words("composer.kinds"), exact=True)
    findings = editor.locator("finding-list li")
    with page.expect_response(re.compile("/api/validate")):
        kind.select_option("list")
    # The answer is there, and a finding would be drawn before the next one is asked for.
    with page.expect_response(re.compile("/api/validate")):
        kind.select_option("time")
    with page.expect_response(re.compile("/api/validate")):
        kind.select_option("list")
    expect(findings).to_have_count(0)
    expect(editor.locator("[aria-invalid='true']")).to_have_count(0)
    desk.shot(page, f"template-empty-{language}-{scheme}")
    editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    expect(findings.first).to_be_visible()
    desk.shot(page, f"template-empty-saved-{language}-{scheme}")
    kind.select_option("quickReply")
    expect(findings).to_have_count(0)
    editor.get_by_label(words("composer.quick.summary"), exact=True).fill("Green or black?")
    expect(findings.first).to_be_visible()
    assert_accessible(page)


def test_of_two_kinds_the_one_chosen_last_is_written_and_one_that_does_not_come_leaves_what_is_there(desk):
    words = Words("en")
    owner = business(desk, "Late forms")
    page = console(desk, words, "/templates")
    page.locator("#template-business").select_option(owner)
    kind = page.locator("template-editor").get_by_label(words("composer.kinds"), exact=True)
    question = page.get_by_label(words("composer.quick.summary"), exact=True)
    expect(kind).to_be_visible()
    held = []
    page.route("**/composer/time-form.js*", lambda route: held.append(route))
    kind.select_option("time")
    wait_for(page, held)
    kind.select_option("quickReply")
    question.fill("Tea or coffee?")
    with page.expect_response("**/composer/time-form.js*"):
        held[0].continue_()
    page.wait_for_function("() => customElements.get('time-form')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(kind).to_have_value("quickReply")
    expect(question).to_have_value("Tea or coffee?")
    page.route("**/composer/list-form.js*", lambda route: route.fulfill(status=404))
    kind.select_option("list")
    expect(page.get_by_text(words("shared.problem.offline"), exact=True)).to_be_visible()
    expect(kind).to_have_value("quickReply")
    expect(question).to_have_value("Tea or coffee?")
