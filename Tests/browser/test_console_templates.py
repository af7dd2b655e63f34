"""Templates in a real browser: the one that the editor begins with, from saving to sending."""

import re

import pytest
from looks import assert_accessible
from pages import Phone, console, live_business, wait_for
from playwright.sync_api import expect
from support.waiting import until
from support.words import Words


def write_first(desk, words, business, text):
    """A customer who has followed the business's permanent link and written."""
    phone = Phone(desk, words).open(f"{desk.phone_url}/b/{business['id']}")
    phone.say(text)
    expect(phone.page.locator("desk-card").get_by_text(text)).to_be_visible()
    return phone


def pick(page, words, question, title):
    """Opens a conversation and chooses a template there with a slash; the picker."""
    page.goto(re.sub(r"/console.*", "/console", page.url))
    page.locator("conversation-list a.row", has_text=question).click()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.click()
    page.keyboard.press("/")
    picker = page.locator("template-picker")
    picker.get_by_text(title, exact=True).click()
    return picker


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_template_that_the_editor_begins_with_is_saved_and_sent(desk, language):
    words = Words(language)
    question = f"Is it ready? ({language})"
    phone = write_first(desk, words, live_business(desk), question)
    page = console(desk, words, "/templates")
    page.locator("#template-business").select_option(live_business(desk)["id"])
    page.get_by_label(words("console.templateTitle"), exact=True).fill(f"Starter {language}")
    expect(page.get_by_label(words("console.templateName"), exact=True)).to_have_value(f"starter-{language}")
    fallback = page.get_by_label(words("console.parameterFallback", name="customer.name"), exact=True)
    expect(fallback).to_have_value(words("console.starterName"))
    assert_accessible(page)
    page.get_by_role("button", name=words("console.saveTemplate")).click()
    expect(page.get_by_text(words("console.version", version=1)).first).to_be_visible()
    # A next version keeps what is written for unknown names.
    page.get_by_role("button", name=re.compile(f"Starter {language}")).click()
    expect(fallback).to_have_value(words("console.starterName"))

    picker = pick(page, words, question, f"Starter {language}")
    label = words("console.template.startingOrder")
    expect(picker.locator(".tp-preview")).to_have_text(words("composer.template.fillIn", fields=label))
    picker.get_by_label(re.compile(label)).fill("1042")
    said = words("console.template.starting").replace("{{customer.name}}", words("console.starterName")).replace("{{order}}", "1042")
    expect(picker.locator(".tp-preview desk-card").get_by_text(said)).to_be_visible()
    assert_accessible(page)
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(phone.page.locator("desk-card").get_by_text(said)).to_be_visible()


def test_what_was_typed_last_is_in_a_template_that_is_sent_at_once(desk):
    words = Words("en")
    question = "Is it on its way yet?"
    business = live_business(desk)
    phone = write_first(desk, words, business, question)
    desk.owner.post("/api/templates", {
        "business": business["id"], "name": "parcel-number", "title": "Parcel number",
        "parameters": [{"name": "parcel", "type": "text", "label": "Parcel"}],
        "payload": {"type": "text", "body": "It is parcel {{parcel}}."}}, expect=201)
    page = console(desk, words)
    picker = pick(page, words, question, "Parcel number")
    expect(picker.get_by_label("Parcel", exact=True)).to_be_focused()
    page.keyboard.type("10")
    expect(picker.locator(".tp-preview desk-card").get_by_text("It is parcel 10.")).to_be_visible()
    # The preview of these letters is still to come.
    page.keyboard.type("42")
    page.keyboard.press("Control+Enter")
    expect(phone.page.locator("desk-card").get_by_text("It is parcel 1042.")).to_be_visible()
    expect(picker).to_be_hidden()


def test_a_step_back_from_a_template_removes_nothing_that_was_typed_until_it_is_sent(desk):
    words = Words("en")
    shop = live_business(desk)
    desk.owner.post("/api/templates", {
        "business": shop["id"], "name": "step-back", "title": "Step back", "payload": {"type": "text", "body": "{{first}} and {{second}}"},
        "parameters": [{"name": "first", "type": "text"}, {"name": "second", "type": "text"}]}, expect=201)
    phone = write_first(desk, words, shop, "How many steps?")
    write_first(desk, words, shop, "Another one")
    page = console(desk, words)
    picker = pick(page, words, "How many steps?", "Step back")
    picker.get_by_label("first", exact=True).fill("One")
    picker.get_by_label("second", exact=True).fill("two")
    picker.get_by_label("second", exact=True).press("Escape")
    picker.get_by_text("Step back", exact=True).click()
    expect(picker.get_by_label("first", exact=True)).to_have_value("One")
    page.locator("conversation-list a.row", has_text="Another one").click()
    expect(page.locator("desk-thread").get_by_text("Another one")).to_be_visible()
    page.get_by_role("textbox", name=words("composer.text.label"), exact=True).press("/")
    picker.get_by_text("Step back", exact=True).click()
    # What was typed is for its own customer.
    expect(picker.get_by_label("first", exact=True)).to_have_value("")
    page.locator("conversation-list a.row", has_text="How many steps?").click()
    expect(page.locator("desk-thread").get_by_text("How many steps?")).to_be_visible()
    page.get_by_role("textbox", name=words("composer.text.label"), exact=True).press("/")
    picker.get_by_text("Step back", exact=True).click()
    expect(picker.get_by_label("second", exact=True)).to_have_value("two")
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(phone.page.locator("desk-card").get_by_text("One and two")).to_be_visible()
    page.get_by_role("textbox", name=words("composer.text.label"), exact=True).press("/")
    picker.get_by_text("Step back", exact=True).click()
    expect(picker.get_by_label("first", exact=True)).to_have_value("")


def test_an_automatic_value_that_is_missing_gets_a_field_and_then_there_is_a_send(desk):
    words = Words("en")
    question = "Who am I to you?"
    business = live_business(desk)
    phone = write_first(desk, words, business, question)
    desk.owner.post("/api/templates", {
        "business": business["id"], "name": "dear", "title": "Dear",
        "parameters": [{"name": "customer.name", "type": "text"}],
        "payload": {"type": "text", "body": "Dear {{customer.name}}, from {{business.name}}"}}, expect=201)
    page = console(desk, words)
    picker = pick(page, words, question, "Dear")
    field = picker.get_by_label(words("composer.template.name.customer.name"))
    expect(picker.locator(".tp-preview")).to_have_text(words(
        "composer.template.fillIn", fields=words("composer.template.name.customer.name")))
    assert_accessible(page)
    field.fill("Robin")
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(phone.page.locator("desk-card").get_by_text(f"Dear Robin, from {business['name']}")).to_be_visible()


def test_the_name_of_a_contact_is_in_a_template_and_not_what_stands_for_unknown_names(desk):
    words = Words("en")
    question = "Do you know my name?"
    business = live_business(desk)
    phone = write_first(desk, words, business, question)
    # The phone shows a message before the server has it.
    [found] = until(
        lambda: [one for one in desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
                 if one["lastMessage"]["summary"] == question], len)
    desk.owner.call("PATCH", f"/api/businesses/{business['id']}/contacts/{found['contact']['id']}", {"name": "Mika Tanaka"})
    desk.owner.post("/api/templates", {
        "business": business["id"], "name": "by-name", "title": "By name",
        "parameters": [{"name": name, "type": "text", "required": False, "default": fallback}
                       for name, fallback in (("customer.name", "there"), ("agent.name", "the team"))],
        "payload": {"type": "text", "body": "Hello {{customer.name}}, this is {{agent.name}}."}}, expect=201)
    page = console(desk, words)
    picker = pick(page, words, question, "By name")
    field = picker.get_by_label(words("composer.template.name.customer.name"))
    expect(field).to_have_value("Mika Tanaka")
    expect(picker.locator(".tp-preview desk-card").get_by_text("Hello Mika Tanaka, this is Ada.")).to_be_visible()
    # An agent may still call the customer something else.
    field.fill("Ms Tanaka")
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(phone.page.locator("desk-card").get_by_text("Hello Ms Tanaka, this is Ada.")).to_be_visible()


def test_a_value_that_makes_no_message_is_answered_with_the_change_to_make(desk):
    words = Words("en")
    question = "Where do I look?"
    business = live_business(desk)
    write_first(desk, words, business, question)
    desk.owner.post("/api/templates", {
        "business": business["id"], "name": "look", "title": "Look here",
        "parameters": [{"name": "when", "type": "text", "label": "When"}],
        "payload": {"type": "interactive", "interactiveData": {
            "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
                   "com.apple.icloud.apps.messages.business.extension",
            "data": {"version": "1.0", "requestIdentifier": "look", "event": {
                "identifier": "e", "title": "A look", "timeslots": [
                    {"identifier": "s", "duration": 3600, "startTime": "{{when}}"}]}},
            "receivedMessage": {"title": "Choose a time"}}}}, expect=201)
    page = console(desk, words)
    picker = pick(page, words, question, "Look here")
    picker.get_by_label(re.compile("When")).fill("tomorrow")
    expect(picker.get_by_text(words("composer.template.cannot"))).to_be_visible()
    expect(picker.get_by_role("button", name=words("composer.send"), exact=True)).to_have_count(0)
    picker.get_by_label(re.compile("When")).fill("2031-01-01T09:00+0000")
    expect(picker.get_by_role("button", name=words("composer.send"), exact=True)).to_be_visible()


def make_template(desk, business, name, title, body):
    """A template that asks for nothing."""
    desk.owner.post("/api/templates", {"business": business["id"], "name": name, "title": title, "parameters": [],
                                       "payload": {"type": "text", "body": body}}, expect=201)


def test_a_template_is_sent_once_however_often_it_is_pressed_and_whatever_becomes_of_the_answer(desk):
    words = Words("en")
    question = "How often do you say that?"
    business = live_business(desk)
    write_first(desk, words, business, question)
    make_template(desk, business, "once", "Once", "This is said once")
    page = console(desk, words)
    picker = pick(page, words, question, "Once")
    asked = []

    def lose(route):
        """The first answer is lost after the server has stored the message."""
        asked.append(route.request.post_data_json)
        if len(asked) == 1:
            desk.owner.post(route.request.url.removeprefix(desk.phone_url), asked[0], 201)
            return route.abort("internetdisconnected")
        return route.continue_()

    page.route("**/template-messages*", lose)
    send = picker.get_by_role("button", name=words("composer.send"), exact=True)
    send.dblclick()
    expect(picker.get_by_role("alert")).to_be_visible()
    assert len(asked) == 1, asked
    send.click()
    expect(picker).to_be_hidden()
    assert asked[0] == asked[1] and len(asked[0]["id"]) == 36, asked
    conversation = re.search("/c/([^/?]+)", page.url).group(1)
    said = [one["payload"].get("body") for one in desk.owner.fetch(f"/api/conversations/{conversation}/messages")["data"]]
    assert said == [question, "This is said once"]


def test_a_preview_that_comes_late_is_not_shown_beside_the_next_conversation(desk):
    words = Words("en")
    business = live_business(desk)
    for question in ("Which box is first?", "Which box is next?"):
        write_first(desk, words, business, question)
    make_template(desk, business, "first", "For the first", "Only for the first")
    page = console(desk, words)
    held = []
    page.route("**/preview", held.append)
    pick(page, words, "Which box is first?", "For the first")
    wait_for(page, held)
    page.locator("conversation-list a.row", has_text="Which box is next?").click()
    expect(page.locator("desk-thread").get_by_text("Which box is next?")).to_be_visible()
    with page.expect_response("**/preview"):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(page.locator("side-column")).to_have_attribute("data-shows", "customer")


def test_the_page_of_templates_shows_what_was_chosen_last(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": f"Late {name}", "mode": "test"}, expect=201) for name in "AB"]
    make_template(desk, shops[0], "one", "Number one", "One")
    make_template(desk, shops[0], "two", "Number two", "Two")
    make_template(desk, shops[1], "other", "Number other", "Other")
    page = console(desk, words, "/templates")
    choice = page.locator("#template-business")
    choice.select_option(shops[0]["id"])
    row = page.locator("templates-page .nav-row")
    expect(row).to_have_count(2)
    held = []
    page.route(re.compile(r"/api/templates\?"), lambda route: held.append(route) if not held else route.continue_())
    row.filter(has_text="Number one").click()
    wait_for(page, held)
    row.filter(has_text="Number two").click()
    heading = page.locator("templates-page main h1")
    expect(heading).to_have_text("Number two")
    title = page.get_by_label(words("console.templateTitle"), exact=True)
    title.fill("Number two, edited")
    with page.expect_response(lambda answer: answer.request == held[0].request):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(title).to_have_value("Number two, edited")
    # Another business meanwhile: what comes late is of the former one.
    held.clear()
    row.filter(has_text="Number one").click()
    page.get_by_role("dialog").get_by_role("button", name=words("console.unsaved.leave"), exact=True).click()
    wait_for(page, held)
    choice.select_option(shops[1]["id"])
    expect(row).to_have_text([re.compile("Number other")])
    with page.expect_response(lambda answer: answer.request == held[0].request):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(choice).to_have_value(shops[1]["id"])
    expect(row).to_have_text([re.compile("Number other")])


def test_a_template_is_not_saved_over_one_that_its_author_has_not_seen(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Two editors", "mode": "test"}, expect=201)
    make_template(desk, shop, "hours", "Hours", "We open at nine")

    def stored():
        found = desk.owner.fetch(f"/api/templates/hours?business={shop['id']}")
        return found["version"], found["payload"]["body"]

    page = console(desk, words, "/templates")
    page.locator("#template-business").select_option(shop["id"])
    row = page.locator("templates-page .nav-row")
    expect(row).to_have_count(1)
    editor, save = page.locator("template-editor"), page.locator("template-editor form [type=submit]")
    # A new one that has a name of another.
    editor.locator("#template-title").fill("What is new")
    editor.locator("#template-name").fill("hours")
    save.click()
    expect(editor.get_by_role("alert").filter(has_text=words("console.template.taken"))).to_be_visible()
    expect(editor.locator("#template-name")).to_be_focused()
    assert stored() == (1, "We open at nine")
    editor.locator("#template-name").fill("news")
    save.click()
    expect(row).to_have_count(2)
    # One that a colleague has changed, and then one that a colleague has deleted.
    row.filter(has_text="Hours").click()
    body = editor.get_by_label(words("composer.text.label"), exact=True)
    body.fill("We open at eight")
    make_template(desk, shop, "hours", "Hours", "We open at ten")
    save.click()
    expect(editor.get_by_role("alert").filter(has_text=words("console.template.newer", version=2))).to_be_visible()
    expect(body).to_have_value("We open at eight")
    assert stored() == (2, "We open at ten")
    assert_accessible(page)
    save.click()
    expect(page.get_by_text(words("console.version", version=3)).first).to_be_visible()
    assert stored() == (3, "We open at eight")
    body.fill("We are closed")
    desk.owner.call("DELETE", f"/api/templates/hours?business={shop['id']}", expect=204)
    save.click()
    expect(editor.get_by_role("alert").filter(has_text=words("console.template.gone"))).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/api/templates")):
        save.click()
    assert stored()[1] == "We are closed"


def test_a_value_that_is_no_number_or_would_arrive_as_another_is_said_in_the_language_of_the_page(desk):
    words = Words("ja")
    shop = live_business(desk)
    desk.owner.post("/api/templates", {
        "business": shop["id"], "name": "how-many", "title": "How many", "payload": {"type": "text", "body": "So many: {{count}}"},
        "parameters": [{"name": "count", "label": "個数", "type": "number"}]}, expect=201)
    phone = write_first(desk, words, shop, "How many are there?")
    page = console(desk, words)
    picker = pick(page, words, "How many are there?", "How many")
    count, said = picker.get_by_label("個数", exact=True), picker.locator(".tp-preview")
    for typed in ("three", "1,5", "0x10", "9007199254740993"):
        count.fill(typed)
        expect(said).to_have_text(words("composer.template.notNumbers", fields="個数"))
        count.fill("")
        expect(said).to_have_text(words("composer.template.fillIn", fields="個数"))
    count.fill("123456789012345")
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(phone.page.locator("desk-card").get_by_text("So many: 123456789012345")).to_be_visible()
