"""The widget for people who do not see it or use no mouse: what axe finds in the page around it, and where the focus is."""

import pytest
from looks import assert_accessible
from pages import wait_for
from playwright.sync_api import expect
from screen_keyboard import KEYBOARD
from test_widget import running, site  # noqa: F401
from widget_site import PHONE, WIDE, assert_frame_accessible, frame, launcher, say, shot


@pytest.mark.parametrize("scheme, viewport", [("light", WIDE), ("dark", PHONE)])
def test_nothing_serious_is_found_in_a_page_with_the_button_its_greeting_and_the_open_frame(site, scheme, viewport):
    site.set(greetings=[{"path": "/", "seconds": 0, "texts": {"en": "Questions about your order?"}}])
    # The policy of the page lets no script of a test in.
    page = site.page(viewport, color_scheme=scheme, bypass_csp=True)
    page.goto(site.shop.url)
    greeting = page.locator("frontdesk-widget .greeting")
    expect(greeting).to_be_visible()
    assert_accessible(page)
    greeting.get_by_role("button", name="Dismiss", exact=True).focus()
    page.keyboard.press("Escape")
    expect(greeting).to_be_hidden()
    expect(launcher(page)).to_be_focused()
    expect(page.locator("frontdesk-widget .spoken")).to_have_text("")
    page.keyboard.press("Enter")
    expect(launcher(page)).to_have_attribute("aria-expanded", "true")
    conversation = say(page, "Hello")
    expect(frame(page).get_by_text("Hello").first).to_be_visible()
    assert_accessible(page)
    assert_frame_accessible(page)
    # On a phone the button is hidden while it is open, and has the focus again after.
    frame(page).get_by_role("button", name="Close", exact=True).press("Enter")
    expect(launcher(page)).to_be_focused()
    expect(launcher(page)).to_have_attribute("aria-expanded", "false")
    site.answer(conversation, "One")
    expect(launcher(page)).to_have_accessible_name("Chat with us, 1 unread message")
    expect(page.locator("frontdesk-widget .spoken")).to_have_text("1 unread message")
    assert_accessible(page)
    launcher(page).press("Enter")
    expect(page.locator("frontdesk-widget .spoken")).to_have_text("")


def test_the_focus_is_not_lost_with_the_button_that_closes_the_panel_until_the_frame_is_there(site):
    page = site.page()
    held = []
    page.route("**/w/*", lambda route: held.append(route))
    page.goto(site.shop.url)
    expect(launcher(page)).to_be_visible()
    launcher(page).press("Enter")
    corner = page.locator("frontdesk-widget .corner")
    corner.press("Escape")
    expect(launcher(page)).to_be_focused()
    page.keyboard.press("Enter")
    corner.focus()
    wait_for(page, held)
    held.pop().continue_()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(corner).to_have_count(0)
    assert page.evaluate("document.activeElement.localName") == "frontdesk-widget"


def test_a_frame_that_does_not_come_is_closed_and_comes_with_the_connection(site):
    page = site.page(PHONE)
    page.faults = type("Ignored", (list,), {"append": lambda *_: None})()
    page.clock.install()
    page.route("**/w/*", lambda route: route.abort())
    page.goto(site.shop.url)
    launcher(page).click()
    page.clock.fast_forward(15_000)
    expect(page.get_by_role("alert")).to_contain_text("cannot be opened")
    shot(page, "widget-failed")
    page.locator("frontdesk-widget .corner").click()
    page.unroute("**/w/*")
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_long_greeting_can_be_dismissed_in_a_low_window(site):
    """As 1280 pixels at 200 % are."""
    site.set(greetings=[{"path": "/", "seconds": 0, "texts": {"en": "Questions about your order? " * 21}}])
    page = site.page({"width": 640, "height": 400})
    page.goto(site.shop.url)
    greeting = page.locator("frontdesk-widget .greeting")
    expect(greeting).to_be_visible()
    shot(page, "widget-greeting-low")
    box = greeting.get_by_role("button", name="Dismiss", exact=True).bounding_box()
    assert box["y"] >= 0, box


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_line_in_the_colour_of_the_business_says_that_the_frame_is_coming(site, scheme):
    page = site.page(PHONE, color_scheme=scheme)
    held = []
    page.route("**/w/*", lambda route: held.append(route))
    page.goto(site.shop.url)
    launcher(page).click()
    wait_for(page, held)
    panel = page.locator("frontdesk-widget .panel")
    # What stands for the launcher's colour is computed, as the line is drawn.
    colour = launcher(page).evaluate("(one) => getComputedStyle(one).backgroundColor")
    line = """(one) => { const { content, height, backgroundColor } = getComputedStyle(one, "::after"); return [content, height, backgroundColor]; }"""
    assert panel.evaluate(line) == ['""', "3px", colour]
    shot(page, f"widget-coming-{scheme}")
    held.pop().continue_()
    expect(frame(page).locator("#message")).to_be_visible()
    assert panel.evaluate(line)[0] == "none"


def test_on_a_phone_nothing_is_marked_when_the_conversation_opens(site):
    page = site.page(PHONE, has_touch=True)
    page.goto(site.shop.url)
    launcher(page).tap()
    expect(frame(page).locator("#message")).to_be_visible()
    head = frame(page).locator(".chat-head")
    expect(head).to_be_focused()
    expect(head).to_have_css("outline-style", "none")


@pytest.mark.parametrize("viewport", [PHONE, WIDE])
def test_the_conversation_stays_above_a_keyboard_that_lies_over_the_page(site, viewport):
    page = site.page(viewport=viewport)
    page.add_init_script(KEYBOARD)
    page.goto(site.shop.url)
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    panel = page.locator("frontdesk-widget .panel")
    before, board = panel.bounding_box(), 336
    page.evaluate("(height) => showKeyboard(height, { top: 30 })", board)
    now, seen = panel.bounding_box(), viewport["height"] - board
    assert now["y"] >= 30 and now["y"] + now["height"] <= 30 + seen and now["height"] >= seen * 0.7, now
    field = frame(page).locator("#message").bounding_box()
    assert field["y"] + field["height"] <= 30 + seen
    page.evaluate("showKeyboard(0)")
    assert panel.bounding_box() == before
