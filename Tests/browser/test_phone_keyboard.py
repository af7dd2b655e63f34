"""The keyboard of a phone that lies over the page, as on iOS: field and newest message stay above it."""

from pages import Phone
from playwright.sync_api import expect
from screen_keyboard import KEYBOARD
from support.server import Customer
from support.words import Words

HEIGHT, BOARD = 844, 336


def phone_with_keyboard(desk):
    """The page of a customer with a long conversation."""
    words = Words("en")
    customer = Customer(desk.server, desk.sandbox_business["id"])
    customer.say("Line\n" * 40)
    customer.say("Line 29")
    phone = Phone(desk, words)
    phone.page.add_init_script(KEYBOARD)
    phone.page.context.add_cookies([
        {"name": one.name, "value": one.value, "url": desk.phone_url, "httpOnly": True, "sameSite": "Strict"} for one in customer.cookies])
    phone.open(f"{desk.phone_url}/b/{desk.sandbox_business['id']}")
    expect(phone.page.get_by_text("Line 29", exact=True)).to_be_in_viewport()
    return phone


def bottom(locator):
    """Where an element ends."""
    box = locator.bounding_box()
    return box["y"] + box["height"]


def test_field_and_newest_message_stay_above_a_keyboard_that_lies_over_the_page(desk):
    phone = phone_with_keyboard(desk)
    page, newest = phone.page, phone.page.locator("desk-card").get_by_text("Line 29", exact=True)
    phone.field.focus()
    page.evaluate("(height) => showKeyboard(height)", BOARD)
    desk.shot(page, "phone-keyboard")
    assert bottom(phone.field) <= HEIGHT - BOARD and page.locator(".chat-head").bounding_box()["y"] == 0
    assert bottom(newest) <= phone.field.bounding_box()["y"]
    # iOS may have moved the page up below what is seen.
    page.evaluate("(height) => showKeyboard(height, { top: 120 })", BOARD)
    assert page.locator(".chat-head").bounding_box()["y"] == 120
    assert HEIGHT - BOARD < bottom(phone.field) <= HEIGHT - BOARD + 120
    page.evaluate("showKeyboard(0)")
    assert bottom(page.locator(".chat-foot")) == HEIGHT and page.locator(".chat-head").bounding_box()["y"] == 0


def test_no_room_is_left_above_the_keyboard_for_the_edge_of_the_screen(desk):
    phone = phone_with_keyboard(desk)
    phone.page.context.new_cdp_session(phone.page).send("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": 34}})
    foot = phone.page.locator(".chat-foot")
    padding = "(node) => getComputedStyle(node).paddingBottom"
    assert foot.evaluate(padding) == "34px"
    phone.page.evaluate("(height) => showKeyboard(height)", BOARD)
    assert foot.evaluate(padding) == "0px"
    phone.page.evaluate("showKeyboard(0)")
    assert foot.evaluate(padding) == "34px"
    desk.forget(phone.page)


def test_a_page_that_is_enlarged_with_two_fingers_keeps_its_size(desk):
    phone = phone_with_keyboard(desk)
    phone.page.evaluate("showKeyboard(0, { scale: 2, top: 200 })")
    assert phone.page.locator(".chat").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": HEIGHT}


def test_a_sheet_stands_above_the_keyboard(desk):
    phone = phone_with_keyboard(desk)
    phone.page.get_by_role("button", name=phone.words("phone.menu"), exact=True).click()
    phone.page.evaluate("(height) => showKeyboard(height, { top: 40 })", BOARD)
    assert bottom(phone.sheet) <= HEIGHT - BOARD + 40
    assert phone.sheet.bounding_box()["y"] >= 40
