"""A form on the customer's page: every kind of page, branches, the summary, and the business's view of the answers."""

import json

import pytest
from looks import assert_accessible
from playwright.sync_api import expect
from support.words import Words
from test_phone_story import Talk, interactive

WIDE = {"width": 1280, "height": 800}


def visit_form(**more):
    """A form with every kind of page; a customer with a bad visit gets one more question."""
    pages = [
        {"pageIdentifier": "how", "type": "select", "title": "Visit", "subtitle": "How was your visit?",
         "items": [{"identifier": "good", "title": "Good", "value": "1", "nextPageIdentifier": "shop"},
                   {"identifier": "bad", "title": "Not so good", "value": "2"}],
         "nextPageIdentifier": "why"},
        {"pageIdentifier": "why", "type": "input", "subtitle": "What went wrong?",
         "hintText": "A few words are enough.", "nextPageIdentifier": "shop",
         "options": {"inputType": "multiline", "required": True, "labelText": "What happened"}},
        {"pageIdentifier": "shop", "type": "picker", "subtitle": "Which shop?", "pickerTitle": "Shop",
         "selectedItemIndex": 1, "nextPageIdentifier": "when", "items": [
             {"identifier": name, "title": name.title(), "value": name}
             for name in ("north", "south", "harbour", "station", "airport")]},
        {"pageIdentifier": "when", "type": "datePicker", "subtitle": "When was it?",
         "nextPageIdentifier": "code",
         "options": {"dateFormat": "dd.MM.yyyy", "minimumDate": "01.01.2026",
                     "startDate": "05.02.2026", "maximumDate": "31.12.2026", "labelText": "Day"}},
        {"pageIdentifier": "code", "type": "input", "subtitle": "Your receipt number?",
         "nextPageIdentifier": "again",
         "options": {"regex": "[A-Z]{2}[0-9]{4}", "prefixText": "No.", "maximumCharacterCount": 6,
                     "keyboardType": "UIKeyboardTypeNumbersAndPunctuation"}},
        {"pageIdentifier": "again", "type": "select", "subtitle": "What should we keep?",
         "multipleSelection": True, "submitForm": True, "items": [
             {"identifier": name, "title": name.title(), "value": name} for name in ("tea", "music", "chairs")]},
    ]
    payload = interactive("dynamic", {
        "version": "1.2", "template": "messageForms", **more,
        "data": {"splash": {"header": "Your visit", "splashtext": "Six short questions.",
                            "buttonTitle": "Let’s go"},
                 "startPageIdentifier": "how", "showSummary": True, "pages": pages}},
        receivedMessage={"title": "How was it?", "subtitle": "About your visit"},
        replyMessage={"title": "Your answers"})
    return payload


class FormSheet:
    """The sheet of a form."""

    def __init__(self, talk, words):
        self.talk, self.words, self.page = talk, words, talk.phone.page
        self.sheet = self.page.get_by_role("dialog")

    def open(self):
        """Opens the newest form's card."""
        self.page.locator("desk-card .card.is-form .head").last.click()
        expect(self.sheet).to_be_visible()
        return self

    def press(self, key):
        """Presses one of the sheet's buttons."""
        self.sheet.get_by_role("button", name=self.words(f"phone.form.{key}"), exact=True).click()

    def asks(self, question):
        """Waits for a question."""
        expect(self.sheet.get_by_role("heading", name=question)).to_be_visible()

    def shot(self, name):
        """Leaves a screenshot, checked by axe."""
        assert_accessible(self.page)
        self.talk.desk.shot(self.page, name)


@pytest.mark.parametrize("language,scheme,viewport", [
    ("en", "light", None), ("ja", "dark", WIDE)])
def test_a_form_is_walked_through_changed_and_read_by_the_business(desk, language, scheme, viewport):
    words = Words(language)
    talk = Talk(desk, words, scheme=scheme, viewport=viewport).begin()
    look = f"{language}-{scheme}-{'wide' if viewport else 'phone'}"
    talk.send(visit_form())
    form = FormSheet(talk, words).open()
    form.shot(f"form-{look}-1-splash")
    form.sheet.get_by_role("button", name="Let’s go").click()
    form.asks("How was your visit?")
    form.press("next")
    expect(form.sheet.get_by_role("alert")).to_contain_text(words("phone.form.problem.choose"))
    form.shot(f"form-{look}-2-select")
    form.sheet.get_by_role("radio", name="Not so good").check()
    expect(form.sheet.get_by_role("alert")).to_be_hidden()
    form.press("next")
    form.asks("What went wrong?")
    form.press("next")
    expect(form.sheet.get_by_role("alert")).to_contain_text(words("phone.form.problem.required"))
    form.sheet.get_by_label("What happened").fill("The queue was long.")
    form.shot(f"form-{look}-3-input")
    form.press("next")
    form.asks("Which shop?")
    expect(form.sheet.get_by_role("radio", name="South")).to_be_checked()
    form.sheet.get_by_role("radio", name="South").press("ArrowDown")
    expect(form.sheet.get_by_role("radio", name="Harbour")).to_be_checked()
    form.shot(f"form-{look}-4-wheel")
    form.press("next")
    form.asks("When was it?")
    expect(form.sheet.get_by_label("Day")).to_have_value("2026-02-05")
    form.sheet.get_by_label("Day").fill("2026-03-09")
    form.shot(f"form-{look}-5-date")
    form.press("next")
    form.asks("Your receipt number?")
    form.sheet.get_by_role("textbox", name="Your receipt number?").fill("12345")
    form.press("next")
    expect(form.sheet.get_by_role("alert")).to_contain_text(words("phone.form.problem.pattern"))
    form.shot(f"form-{look}-6-pattern")
    form.sheet.get_by_role("textbox", name="Your receipt number?").fill("AB1234")
    form.sheet.get_by_role("textbox", name="Your receipt number?").press("Enter")
    form.asks("What should we keep?")
    form.sheet.get_by_role("checkbox", name="Chairs").check()
    form.sheet.get_by_role("checkbox", name="Tea").check()
    form.press("review")
    form.shot(f"form-{look}-7-summary")
    form.sheet.get_by_role("button", name=words("phone.form.changeOf", question="How was your visit?")).click()
    form.sheet.get_by_role("radio", name="Good", exact=True).check()
    form.press("next")
    form.asks("Which shop?")
    form.press("back")
    form.press("next")
    for _ in range(3):
        form.press("next")
    form.press("review")
    with form.page.expect_response(lambda answer: answer.url.endswith("/choices")) as caught:
        form.press("send")
    assert caught.value.status == 201, caught.value.text() + str(caught.value.request.post_data)
    expect(form.sheet).to_be_hidden()
    expect(talk.phone.page.locator("desk-card .card.is-form .mark")).to_be_visible()
    answer = talk.stored("form")[-1]["payload"]["interactiveData"]
    assert answer["data"]["requestIdentifier"] == "request-1"
    assert answer["data"]["replyMessage"]["title"] == "Your answers"
    selections = {one["pageIdentifier"]: [item["value"] for item in one["items"]]
                  for one in answer["data"]["dynamic"]["selections"]}
    assert selections == {"how": ["1"], "shop": ["harbour"], "when": ["2026-03-09T00:00:00Z"],
                          "code": ["AB1234"], "again": ["tea", "chairs"]}
    mine = talk.phone.page.locator("desk-card .card.is-form.is-answer")
    mine.locator(".head").click()
    expect(mine).to_contain_text("09.03.2026")
    form.shot(f"form-{look}-8-thread")


def test_a_form_that_was_closed_continues_and_a_private_one_starts_again(desk, words_en=Words("en")):
    talk = Talk(desk, words_en).begin()
    for more, is_kept in (({}, True), ({"private": True}, False)):
        talk.send(visit_form(**more))
        expect(talk.phone.page.locator("desk-card .card.is-form:not(.is-answer)")).to_have_count(1 if is_kept else 2)
        form = FormSheet(talk, words_en).open()
        form.sheet.get_by_role("button", name="Let’s go").click()
        form.sheet.get_by_role("radio", name="Good", exact=True).check()
        form.press("next")
        form.asks("Which shop?")
        form.page.keyboard.press("Escape")
        expect(form.sheet).to_be_hidden()
        form.open()
        form.asks("Which shop?" if is_kept else "Your visit")
        form.page.keyboard.press("Escape")


def test_what_was_answered_is_still_there_after_a_reload_and_goes_with_the_conversation(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    for more, is_kept in (({}, True), ({"private": True}, False)):
        talk.send(visit_form(**more))
        expect(page.locator("desk-card .card.is-form:not(.is-answer)")).to_have_count(1)
        form = FormSheet(talk, words).open()
        form.sheet.get_by_role("button", name="Let’s go").click()
        form.sheet.get_by_role("radio", name="Not so good", exact=True).check()
        form.press("next")
        form.sheet.get_by_role("textbox", name="What happened").fill("The tea was cold")
        page.reload()
        form.open()
        if not is_kept:
            form.asks("Your visit")
            assert "The tea was cold" not in page.evaluate("JSON.stringify(localStorage)")
            break
        form.asks("What went wrong?")
        expect(form.sheet.get_by_role("textbox", name="What happened")).to_have_value("The tea was cold")
        page.keyboard.press("Escape")
        page.get_by_role("button", name=words("phone.menu"), exact=True).click()
        talk.phone.sheet.get_by_role("button", name=words("phone.delete")).click()
        page.get_by_role("alertdialog").get_by_role("button", name=words("phone.deleteConfirm"), exact=True).click()
        expect(page.get_by_text(words("phone.welcomeBack"))).to_be_visible()
        assert "The tea was cold" not in page.evaluate("JSON.stringify(localStorage)")
        talk.begin("Again")


def test_the_answers_of_a_private_form_are_read_by_the_business_and_not_kept_on_the_phone(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    payload = visit_form(private=True)
    data = payload["interactiveData"]["data"]["dynamic"]["data"]
    data["pages"], data["startPageIdentifier"] = [
        {"pageIdentifier": "pin", "type": "input", "subtitle": "Your word?"}], "pin"
    del data["splash"]
    talk.send(payload)
    form = FormSheet(talk, words).open()
    form.sheet.get_by_role("textbox", name="Your word?").fill("rosebud")
    form.press("review")
    expect(form.sheet).to_contain_text(words("phone.form.private"))
    form.press("send")
    expect(talk.phone.page.locator("desk-card .card.is-form.is-answer")).to_contain_text(words("card.formPrivate"))
    expect(talk.phone.page.locator("phone-thread")).not_to_contain_text("rosebud")
    assert "rosebud" in json.dumps(talk.stored("form"))
    console = desk.page(session=desk.owner)
    console.goto(f"{desk.phone_url}/console/c/{talk.id}")
    card = console.locator("desk-thread desk-card .card.is-form.is-answer")
    card.locator(".head").click()
    expect(card).to_contain_text("rosebud")
    assert_accessible(console)
    desk.shot(console, "form-console")
