"""What is on screen stays true: names in bubbles, drafts of cards, what a device cannot show, placeholders in their fields."""

import json
import re

import pytest
from looks import assert_accessible
from pages import choose_kind, console, live_business, open_conversation, refusal
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_drafts import is_saved
from test_labels import LOOKS, ready, row_of

BARE = "(composer) => { composer.capabilities = ['QUICK']; }"


def test_a_customer_who_is_renamed_has_the_new_name_in_every_bubble_at_once(desk):
    words = Words("en")
    page, customer, conversation = open_conversation(desk, words, "Who am I?")
    customer.say("And who are you?")
    shown = desk.owner.fetch(f"/api/conversations/{conversation}")
    names = page.locator("desk-thread li.is-theirs .meta")
    expect(names).to_have_count(1)
    ready(page)
    desk.owner.call("PATCH", f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}", {"name": "Dr Renamed"})
    expect(names).to_contain_text("Dr Renamed")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_the_draft_of_a_card_says_its_kind_in_its_row(desk, language, scheme, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"A card is begun ({language})", scheme=scheme, phone=phone)
    choose_kind(page, words, "list")
    with page.expect_response(is_saved):
        page.get_by_role("button", name=words("composer.example"), exact=True).click()
    page.goto(f"{desk.phone_url}/console")
    row = row_of(page, conversation)
    expect(row).to_contain_text(f"{words('console.draft')} {words('composer.kind.list')}")
    desk.shot(page, f"draft-card-{language}-{scheme}")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_raw_json_and_templates_say_what_the_customers_device_cannot_show(desk, language, scheme, phone):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"An old phone ({language})", scheme=scheme, phone=phone)
    composer = page.locator("desk-composer")
    choose_kind(page, words, "list")
    composer.get_by_role("button", name=words("composer.example"), exact=True).click()
    payload = page.evaluate("document.querySelector('desk-composer').current.payload")
    composer.get_by_role("button", name=words("composer.clear"), exact=True).click()
    name = f"old-phone-{language}"
    desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": name, "title": name,
        "payload": {"type": payload["type"], "interactiveData": payload["interactiveData"]}}, expect=201)
    composer.evaluate(BARE)
    warning = page.get_by_text(words("composer.blocked.title", kind=words("composer.kind.list")))
    choose_kind(page, words, "raw")
    expect(warning).to_be_hidden()
    page.get_by_role("textbox", name=words("composer.raw.label"), exact=True).fill(json.dumps(payload))
    expect(warning).to_be_visible()
    # It is a warning: who writes JSON may send it.
    expect(composer.get_by_role("button", name=words("composer.send"), exact=True)).to_be_enabled()
    desk.shot(page, f"blocked-raw-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("textbox", name=words("composer.raw.label"), exact=True).fill("")
    expect(warning).to_be_hidden()
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_role("option", name=name).click()
    expect(picker.get_by_text(words("composer.blocked.title", kind=words("composer.kind.list")))).to_be_visible()
    desk.shot(page, f"blocked-template-{language}-{scheme}")
    assert_accessible(page)
    picker.get_by_role("button", name=words("composer.blocked.asText"), exact=True).press("Enter")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    expect(field).not_to_have_value("")
    expect(field).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_placeholders_are_chips_in_the_fields_of_a_template(desk, language, scheme, phone):
    words = Words(language)
    page = console(desk, words, "/templates", scheme=scheme, phone=phone)
    page.locator("#template-business").select_option(live_business(desk)["id"])
    editor = page.locator("template-editor")
    if phone:
        page.get_by_role("button", name=words("console.newTemplate"), exact=True).click()
    field = editor.get_by_label(words("composer.text.label"), exact=True)
    field.fill("Dear {{customer.name}},\nyour parcel {{parcel}} comes on {{day | date}}. {{ not a value")
    chips = editor.locator(".mark-layer mark")
    expect(chips).to_have_text(["{{customer.name}}", "{{parcel}}", "{{day | date}}"])
    # A chip is where its text is: within the field, on the line of the text.
    box, chip = field.bounding_box(), chips.nth(1).bounding_box()
    assert box["x"] < chip["x"] and chip["x"] + chip["width"] < box["x"] + box["width"]
    assert box["y"] < chip["y"] and chip["y"] + chip["height"] < box["y"] + box["height"]
    desk.shot(page, f"template-chips-{language}-{scheme}")
    assert_accessible(page)
    editor.get_by_label(words("composer.kinds"), exact=True).select_option("quickReply")
    question = editor.get_by_label(words("composer.quick.summary"), exact=True)
    question.fill("Is {{day | date}} good?")
    expect(chips.filter(has_text="day")).to_have_count(1)
    desk.shot(page, f"template-chips-card-{language}-{scheme}")
    question.fill("Is it good?")
    expect(editor.locator(".mark-layer:visible mark")).to_have_count(0)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_an_automatic_reply_is_marked_as_one_on_the_customers_page(desk, language, scheme):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Automatic {language}"}, expect=201)
    desk.owner.post("/api/templates", {
        "business": shop["id"], "name": "welcome", "title": "Welcome",
        "payload": {"type": "text", "body": "We have read it."}}, expect=201)
    desk.owner.call("PUT", f"/api/businesses/{shop['id']}/automatic-answers", {"greeting": {"template": "welcome"}})
    page = desk.page(phone=True, language=language, scheme=scheme)
    page.goto(f"{desk.phone_url}/b/{shop['id']}")
    field = page.get_by_role("textbox", name=words("phone.message"), exact=True)
    field.fill("Is anybody there?")
    page.get_by_role("button", name=words("phone.send"), exact=True).click()
    answer = page.locator("phone-thread article", has=page.get_by_text("We have read it."))
    expect(answer.get_by_text(words("phone.automatic"), exact=True)).to_be_visible()
    expect(page.locator("phone-thread .automatic")).to_have_count(1)
    desk.shot(page, f"phone-automatic-{language}-{scheme}")
    assert_accessible(page)
    [conversation] = desk.owner.fetch(f"/api/conversations?business={shop['id']}")["data"]
    desk.owner.post(f"/api/conversations/{conversation['id']}/messages", {"type": "text", "body": "I am a person."}, expect=201)
    expect(page.get_by_text("I am a person.").first).to_be_visible()
    expect(page.locator("phone-thread .automatic")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_link_to_a_conversation_that_is_not_there_says_so(desk, language):
    words = Words(language)
    page = console(desk, words, "/c/00000000-0000-4000-8000-00000000dead")
    expect(page.locator(".fd-toast")).to_contain_text(words("console.noConversation"))
    expect(page).to_have_url(re.compile("/console$"))


def test_a_conversation_that_cannot_be_read_says_why(desk):
    words = Words("en")
    customer = Customer(desk.server, live_business(desk)["id"])
    said = customer.say("Am I there?")["message"]
    page = console(desk, words)
    row = page.locator("conversation-list a.row", has_text="Am I there?")
    expect(row).to_be_visible()
    page.route(f"**/api/conversations/{said['conversation']}", lambda route: route.fulfill(**refusal(503, "unavailable")))
    row.click()
    expect(page.locator(".fd-toast")).to_contain_text("Refused by the test.")
    page.faults[:] = [one for one in page.faults if "status of 503" not in one]
