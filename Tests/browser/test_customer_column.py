"""The third column of the console: the customer, and the phone while something is composed."""

import pytest
from looks import assert_accessible
from pages import choose_kind, live_business, open_conversation
from playwright.sync_api import expect
from support.words import Words


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_the_third_column_is_the_customer_and_the_phone_while_a_card_is_composed(desk, language, scheme):
    words = Words(language)
    page, customer, conversation = open_conversation(desk, words, f"Who am I? ({language})", scheme=scheme)
    column = page.locator("side-column")
    panel = column.locator("customer-panel")
    expect(panel).to_contain_text(live_business(desk)["name"])
    expect(panel).to_contain_text(words("console.unassigned"))
    expect(column.locator("phone-frame")).to_be_hidden()
    desk.owner.post(f"/api/conversations/{conversation}/notes", {"text": "Prefers e-mail."}, expect=201)
    expect(panel.get_by_text("Prefers e-mail.")).to_be_visible()
    desk.shot(page, f"customer-{language}-{scheme}")
    assert_accessible(page)
    choose_kind(page, words, "list")
    expect(panel).to_be_visible()
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    expect(column.locator("phone-frame")).to_be_visible()
    expect(panel).to_be_hidden()
    assert_accessible(page)
    column.get_by_role("button", name=words("console.side.customer"), exact=True).click()
    expect(panel).to_be_visible()
    column.get_by_role("button", name=words("console.side.device"), exact=True).click()
    page.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(panel).to_be_visible()
    column.get_by_role("button", name=words("console.side.preview"), exact=True).click()
    expect(column.frame_locator("phone-frame iframe").locator("desk-card").last).to_be_visible()


def test_a_file_of_the_column_leads_to_its_message(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "Here comes the receipt")
    file = customer.call("POST", f"/api/phone/{customer.business}/attachments?name=receipt.txt", b"Paid", expect=201,
                         headers={"Content-Type": "text/plain"}).json()
    said = customer.say("The receipt", attachments=[file["id"]])["message"]
    page.locator("customer-panel").get_by_role("button", name="receipt.txt").click()
    expect(page.locator(f"desk-thread [data-id='{said['id']}']")).to_be_focused()


def test_a_template_that_is_filled_is_on_the_phone(desk):
    words = Words("en")
    desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": "preview-me", "title": "Preview me", "parameters": [],
        "payload": {"type": "text", "body": "As the phone shows it."}}, expect=201)
    page, _, _ = open_conversation(desk, words, "A template, please")
    device = page.locator("side-column phone-frame")
    expect(device).to_be_hidden()
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    page.locator("template-picker").get_by_role("option", name="Preview me").click()
    expect(page.frame_locator("phone-frame iframe").get_by_text("As the phone shows it.")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("template-picker")).to_be_hidden()
    expect(device).to_be_hidden()


def test_the_column_is_closed_by_a_key_and_stays_closed(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "More room")
    column = page.locator("side-column")
    expect(column).to_be_visible()
    page.keyboard.press("]")
    expect(column).to_be_hidden()
    page.reload()
    expect(page.locator("desk-thread").get_by_text("More room")).to_be_visible()
    expect(column).to_be_hidden()
    page.get_by_role("button", name=words("console.side"), exact=True).click()
    expect(column).to_be_visible()


def test_on_a_phone_the_column_is_over_the_thread_and_no_bar_below_it(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "On a phone", phone=True)
    column = page.locator("side-column")
    expect(column).to_be_hidden()
    expect(page.locator(".rail")).to_be_hidden()
    page.get_by_role("button", name=words("console.side"), exact=True).tap()
    expect(column.locator("customer-panel")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    desk.shot(page, "customer-phone")
    # The button is called what it shows.
    column.get_by_role("button", name=words("shared.close"), exact=True).tap()
    expect(column).to_be_hidden()


def test_enter_inserts_a_filled_template(desk):
    words = Words("en")
    desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": "enter-inserts", "title": "Enter inserts",
        "parameters": [{"name": "order", "label": "order", "type": "text", "required": True}],
        "payload": {"type": "text", "body": "Order {{order}} is ready."}}, expect=201)
    page, _, _ = open_conversation(desk, words, "By Enter alone")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.click()
    page.keyboard.press("/")
    picker = page.locator("template-picker")
    page.keyboard.type("Enter inserts")
    expect(picker.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(picker.get_by_label("order")).to_be_focused()
    page.keyboard.type("1042")
    expect(picker.locator(".tp-preview").get_by_text("Order 1042 is ready.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(field).to_have_value("Order 1042 is ready.")
    expect(field).to_be_focused()
