"""The simulated phone of console and sandbox: the phone page itself, in a frame."""

import pytest
from looks import assert_accessible
from pages import Sandbox, choose_kind, console
from playwright.sync_api import expect
from support.words import Words
from test_phone_story import Talk

LOOKS = [("en", "light"), ("ja", "dark")]


def watch_frame(page):
    """The requests that change something and come from the frame, as they are made."""
    sent = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}")
            if request.frame != page.main_frame and (request.method != "GET" or "/api/phone" in request.url) else None)
    return sent


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_the_phone_of_the_console_is_a_preview_that_is_walked_through_and_sends_nothing(desk, language, scheme):
    words = Words(language)
    talk = Talk(desk, words, scheme=scheme).begin("A question, please")
    page = console(desk, words, f"/c/{talk.id}", scheme=scheme)
    sent = watch_frame(page)
    choose_kind(page, words, "form")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    phone = page.frame_locator("phone-frame iframe")
    expect(phone.get_by_text("A question, please")).to_be_visible()
    expect(phone.get_by_text(words("device.draft"))).to_be_visible()
    card = phone.locator(".row.is-draft desk-card")
    expect(card).to_contain_text(words("composer.example.form.title"))
    assert_accessible(page)
    desk.shot(page, f"phone-frame-{language}-{scheme}")
    # What is typed in the form is on the phone at once, and the card is answered as on a phone.
    page.locator("question-form input").first.fill("Your view")
    expect(card).to_contain_text("Your view")
    card.get_by_role("button").first.click()
    sheet = phone.locator("dialog.sheet[open]")
    sheet.get_by_role("radio").first.check()
    for name in ("next", "next", "review"):
        sheet.get_by_role("button", name=words(f"phone.form.{name}"), exact=True).click()
    desk.shot(page, f"phone-frame-walk-{language}-{scheme}")
    sheet.get_by_role("button", name=words("phone.form.send"), exact=True).click()
    expect(sheet).to_have_count(0)
    expect(phone.get_by_text(words("phone.nothingSent"))).to_be_visible()
    field = phone.get_by_role("textbox", name=words("phone.message"), exact=True)
    field.fill("Not from here")
    field.press("Enter")
    expect(phone.get_by_text(words("phone.nothingSent"))).to_be_visible()
    expect(page.locator("desk-thread")).not_to_contain_text("Not from here")
    # Language and colours of the phone alone.
    other = Words("ja" if language == "en" else "en")
    switches = page.locator("phone-switches")
    switches.locator(f"[data-choice={other.language}]").click()
    expect(phone.get_by_text(other("device.draft"))).to_be_visible()
    background = "() => getComputedStyle(document.documentElement).colorScheme"
    opposite = "light" if scheme == "dark" else "dark"
    switches.locator(f"[data-choice={opposite}]").click()
    frame = next(one for one in page.frames if "preview" in one.url)
    assert frame.evaluate(background) == opposite and page.evaluate(background) == scheme
    assert_accessible(page)
    desk.shot(page, f"phone-frame-other-{language}-{scheme}")
    assert page.evaluate("localStorage.getItem('fd.language')") != other.language
    assert len(talk.stored()) == 1 and sent == []


def test_the_phone_of_the_sandbox_is_the_customers_own_where_the_browser_is_the_customer(desk):
    words = Words("en")
    sandbox = Sandbox(desk, words).open()
    own = sandbox.page.context.new_page()
    own.goto(f"{desk.phone_url}/b/{desk.sandbox_business['id']}")
    own.get_by_role("textbox", name=words("phone.message"), exact=True).fill("From this browser")
    own.get_by_role("button", name=words("phone.send"), exact=True).click()
    # Shown before it is sent, and a page that is closed sends nothing more.
    expect(own.get_by_text(words("phone.sent"), exact=True)).to_be_visible()
    own.close()
    sandbox.conversations().get_by_text("From this browser").first.click()
    phone = sandbox.device
    expect(phone.locator("desk-card").get_by_text("From this browser")).to_be_visible()
    field = phone.get_by_role("textbox", name=words("phone.message"), exact=True)
    field.fill("Typed in the frame")
    field.press("Enter")
    expect(phone.get_by_text(words("phone.sent"), exact=True)).to_be_visible()
    sandbox.send_example("quickReply")
    chips = phone.locator("desk-card").get_by_role("group", name=words("card.quickReply"))
    chips.last.get_by_role("button").first.click()
    expect(sandbox.conversations()).to_contain_text(words("composer.example.quick.1"))
    desk.shot(sandbox.page, "phone-frame-live")
    # A customer of another browser is shown, and cannot be written for.
    talk = Talk(desk, words).begin("From elsewhere")
    sandbox.turn_to(talk.id)
    expect(phone.locator("desk-card").get_by_text("From elsewhere")).to_be_visible()
    field.fill("Not mine")
    field.press("Enter")
    expect(phone.get_by_text(words("phone.nothingSent"))).to_be_visible()
    assert [one["payload"]["body"] for one in talk.stored()] == ["From elsewhere"]


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_what_a_device_cannot_show_is_tried_with_the_switches(desk, language, scheme):
    words = Words(language)
    talk = Talk(desk, words, scheme=scheme).begin("Which device is this?")
    sandbox = Sandbox(desk, words, scheme=scheme).open()
    sandbox.turn_to(talk.id)
    sandbox.choose_kind("list")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    send = sandbox.composer().get_by_role("button", name=words("composer.send"), exact=True)
    expect(send).to_be_enabled()
    sandbox.page.get_by_role("button", name=words("device.abilities"), exact=True).click()
    dialog = sandbox.page.get_by_role("dialog", name=words("device.abilities"))
    box = dialog.get_by_role("checkbox", name=words("composer.kind.list"), exact=True)
    expect(box).to_be_checked()
    assert_accessible(sandbox.page)
    desk.shot(sandbox.page, f"phone-abilities-{language}-{scheme}")
    box.uncheck()
    expect(sandbox.page.get_by_text(words("composer.blocked.title", kind=words("composer.kind.list")))).to_be_visible()
    expect(send).to_be_disabled()
    box.check()
    expect(send).to_be_enabled()


def test_keys_come_out_of_the_frame_and_its_use_is_the_agents(desk):
    words = Words("en")
    talk = Talk(desk, words).begin("Out of the frame")
    page = console(desk, words, f"/c/{talk.id}")
    expect(page.locator("desk-thread").get_by_text("Out of the frame")).to_be_visible()
    page.keyboard.press("v")
    phone = page.frame_locator("phone-frame iframe")
    field = phone.get_by_role("textbox", name=words("phone.message"), exact=True)
    expect(field).to_be_visible()
    page.evaluate("globalThis.used = 0; addEventListener('phone-used', () => { used += 1; })")
    # What is typed there stays there.
    field.press_sequentially("eau?")
    expect(field).to_have_value("eau?")
    assert page.evaluate("used") >= 4
    assert desk.owner.fetch(f"/api/conversations/{talk.id}")["state"] == "open"
    field.press("Escape")
    expect(page.locator("phone-frame")).to_be_focused()
    menu = phone.get_by_role("button", name=words("phone.menu"), exact=True)
    menu.press("?")
    sheet = page.get_by_role("dialog", name=words("console.keys"), exact=True)
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    menu.press("Control+k")
    expect(page.get_by_role("dialog", name=words("console.palette"), exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    # Of an open sheet Escape is the sheet's own.
    menu.press("Enter")
    expect(phone.locator("dialog[open]")).to_be_visible()
    phone.locator("dialog[open] button").first.press("Escape")
    expect(phone.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("phone-frame")).not_to_be_focused()
