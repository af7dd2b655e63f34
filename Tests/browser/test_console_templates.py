"""Templates in a real browser: the one that the editor begins with, from saving to sending."""

import re

import pytest
from looks import assert_accessible
from pages import Phone, console, live_business
from playwright.sync_api import expect
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
