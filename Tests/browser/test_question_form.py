"""The composer's forms for questions and for a sign-in, and the way of what they make through the customer's phone."""

import re

import pytest
from looks import assert_accessible
from pages import choose_kind, console
from playwright.sync_api import expect
from support.words import Words
from test_phone_form import FormSheet
from test_phone_story import Talk

LOOKS = [("en", "light"), ("ja", "dark")]
NARROW = {"width": 390, "height": 844}


def composing(desk, words, kind, scheme="light"):
    """A phone that has written, and the console with a kind's form open for it."""
    talk = Talk(desk, words, scheme=scheme).begin()
    page = console(desk, words, f"/c/{talk.id}", scheme=scheme)
    choose_kind(page, words, kind)
    return talk, page


def send(page, words):
    """Presses Send and returns the payload that the server accepted."""
    button = page.locator("desk-composer").get_by_role("button", name=words("composer.send"), exact=True)
    expect(button).to_be_enabled()
    with page.expect_response(lambda answer: answer.request.method == "POST" and re.search(
            r"/conversations/[^/]+/messages(\?|$)", answer.url)) as caught:
        button.click()
    assert caught.value.status == 201, caught.value.text()
    return caught.value.json()["payload"]


def look(desk, page, name):
    """Screenshots of both widths, with every fold open; nothing is cut off, and axe finds nothing."""
    page.locator("desk-composer").evaluate(
        "(node) => { for (const fold of node.querySelectorAll('details')) fold.open = true; }")
    page.locator(".cp-panel").evaluate("(box) => box.scrollTo(0, 0)")
    for viewport in (page.viewport_size, NARROW):
        page.set_viewport_size(viewport)
        assert page.locator(".cp-panel").evaluate("(box) => box.scrollWidth <= box.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        assert_accessible(page)
        desk.shot(page, f"{name}-{viewport['width']}")
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_form_that_branches_is_composed_by_keyboard_and_answered_to_its_end(desk, language, scheme):
    words = Words(language)
    talk, page = composing(desk, words, "form", scheme)
    form = page.locator("question-form")
    question = lambda number: form.get_by_label(words("composer.form.question", number=number), exact=True)  # noqa: E731
    page_of = lambda number: form.locator(f"[data-page='{number - 1}']")  # noqa: E731
    answer = lambda number: page_of(1).get_by_label(words("composer.quick.item", number=number), exact=True)  # noqa: E731
    question(1).press_sequentially("How was it?")
    answer(1).press_sequentially("Good")
    page.keyboard.press("Tab")
    answer(2).press_sequentially("Bad")
    add = form.get_by_role("button", name=words("composer.form.addPage"), exact=True)
    add.press("Enter")
    expect(question(2)).to_be_focused()
    page.keyboard.type("What went wrong?")
    page_of(2).get_by_label(words("composer.form.type"), exact=True).select_option("input")
    page_of(2).get_by_text(words("composer.form.required"), exact=True).click()
    add.press("Enter")
    page.keyboard.type("When was it?")
    page_of(3).get_by_label(words("composer.form.type"), exact=True).select_option("datePicker")
    page_of(1).get_by_label(words("composer.form.branch", name="Good"), exact=True).select_option(index=2)
    expect(page.locator(".cp-status")).to_have_text(words("composer.status.ready"))
    look(desk, page, f"question-form-{language}-{scheme}")
    pages = send(page, words)["interactiveData"]["data"]["dynamic"]["data"]["pages"]
    assert [one["type"] for one in pages] == ["select", "input", "datePicker"]
    assert pages[0]["items"][0]["nextPageIdentifier"] == pages[2]["pageIdentifier"]
    assert "nextPageIdentifier" not in pages[0]["items"][1]
    assert pages[2]["submitForm"] is True
    sheet = FormSheet(talk, words).open()
    sheet.asks("How was it?")
    sheet.sheet.get_by_role("radio", name="Bad").check()
    sheet.press("next")
    sheet.asks("What went wrong?")
    sheet.press("back")
    sheet.sheet.get_by_role("radio", name="Good").check()
    sheet.press("next")
    sheet.asks("When was it?")
    sheet.press("review")
    sheet.press("send")
    expect(sheet.sheet).to_be_hidden()
    expect(page.locator("desk-thread desk-card .card.is-form.is-answer")).to_be_visible()


def test_what_is_missing_in_a_form_is_named_where_it_is_typed(desk):
    words = Words("en")
    _, page = composing(desk, words, "form")
    form = page.locator("question-form")
    form.get_by_label(words("composer.quick.item", number=1), exact=True).fill("Yes")
    status = page.locator(".cp-status")
    expect(status).to_have_text(words("composer.status.errors", count=1))
    status.click()
    expect(form.get_by_label(words("composer.form.question", number=1), exact=True)).to_be_focused()
    expect(form.get_by_text(words("composer.form.noQuestion", number=1))).to_be_visible()
    page.keyboard.type("Are you there?")
    expect(status).to_have_text(words("composer.status.ready"))
    # A page that is removed leaves no answer leading to it.
    form.get_by_role("button", name=words("composer.form.addPage"), exact=True).click()
    page.keyboard.type("Where?")
    form.locator("[data-page='0']").get_by_label(words("composer.form.branch", name="Yes"), exact=True).select_option(index=1)
    form.locator("[data-page='1'] > .cp-section-head [data-move=remove]").click()
    expect(status).to_have_text(words("composer.status.ready"))
    [only] = send(page, words)["interactiveData"]["data"]["dynamic"]["data"]["pages"]
    assert "nextPageIdentifier" not in only["items"][0]


@pytest.mark.parametrize("kind, element", [("form", "question-form"), ("authentication", "authentication-form")])
def test_a_form_and_a_sign_in_are_kept_as_drafts(desk, kind, element):
    words = Words("en")
    _, page = composing(desk, words, kind)
    with page.expect_response(lambda answer: answer.url.endswith("/draft") and answer.request.method == "PUT"):
        page.get_by_role("button", name=words("composer.example"), exact=True).click()
    field = page.locator(f"{element} input").first
    value = field.input_value()
    page.reload()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", kind)
    expect(field).to_have_value(value)
    expect(page.locator(".cp-status")).to_have_text(words("composer.status.ready"))


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_the_examples_of_a_form_and_of_a_sign_in_work_to_their_end(desk, language, scheme):
    words = Words(language)
    talk, page = composing(desk, words, "form", scheme)
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    send(page, words)
    sheet = FormSheet(talk, words).open()
    sheet.sheet.get_by_role("radio").first.check()
    for button in ("next", "next", "review"):
        sheet.press(button)
    sheet.press("send")
    expect(sheet.sheet).to_be_hidden()
    choose_kind(page, words, "authentication")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    expect(page.locator("desk-composer")).not_to_have_attribute("data-kind", "text")
    look(desk, page, f"authentication-form-{language}-{scheme}")
    data = send(page, words)["interactiveData"]["data"]
    assert data["authenticate"]["oauth2"]["scope"] == ["profile", "email"]
    talk.phone.cards("authentication").get_by_role("button").click()
    talk.phone.page.locator("[data-outcome=granted]").click()
    expect(talk.phone.page.get_by_role("heading", level=1)).to_have_text(words("phone.signedIn.heading"))
    talk.phone.page.get_by_role("link", name=words("phone.signIn.home")).click()
    expect(talk.phone.cards("authentication").last).to_contain_text(words("card.signedIn"))
    expect(page.locator("desk-thread").get_by_text(words("card.signedIn")).first).to_be_visible()
