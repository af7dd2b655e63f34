"""Parts of the page's script that are loaded when they are needed, and do not come: it is said, and the press is repeated."""

import re

import pytest
from pages import console, inbox_view, live_business, open_conversation
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

LOOKS = [("en", "light", False), ("ja", "dark", True)]


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_emoji_that_do_not_come_are_asked_for_again_in_the_answer_and_in_a_note(desk, language, scheme, phone):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"No emoji ({language})", scheme=scheme, phone=phone)
    picker = page.get_by_role("dialog", name=words("composer.emoji"))
    said = page.locator(".fd-toast:visible")
    part = re.compile("/emoji-picker.js")
    page.route(part, lambda route: route.abort("internetdisconnected"))
    page.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(said).to_contain_text(words("shared.notLoaded"))
    desk.shot(page, f"emoji-not-loaded-{language}-{scheme}")
    said.get_by_role("button", name=words("shared.dismiss")).click()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    box = page.locator("note-box")
    box.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(said).to_contain_text(words("shared.notLoaded"))
    page.unroute(part)
    box.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(picker).to_be_visible()
    page.keyboard.press("Enter")
    expect(picker).to_have_count(0)
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).not_to_have_value("")


ELEMENTS = ("desk-thread", "desk-composer", "conversation-head", "note-box", "side-column")
HAS_ELEMENTS = "(names) => names.filter((name) => customElements.get(name))"


def test_the_elements_of_a_conversation_come_with_the_first_sign_of_a_user_and_not_before(desk):
    words = Words("en")
    Customer(desk.server, live_business(desk)["id"]).say("Not opened yet")
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(HAS_ELEMENTS, list(ELEMENTS)) == []
    page.mouse.move(640, 400)
    page.wait_for_function("(names) => names.every((name) => customElements.get(name))", arg=list(ELEMENTS))


@pytest.mark.parametrize("way", ["key", "press"])
def test_a_conversation_whose_elements_do_not_come_is_opened_by_the_next_press(desk, way):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("Opened twice")["message"]["conversation"]
    page = console(desk, words)
    part = re.compile("/conversation-parts.js")
    page.route(part, lambda route: route.abort("internetdisconnected"))
    inbox_view(page, words, "all").press("Enter")
    row = page.locator(f"conversation-list a.row[data-open='{said}']")
    expect(row).to_be_visible()

    def choose():
        page.keyboard.press("j") if way == "key" else row.click()
    page.locator("conversation-list a.row").first.focus()
    choose()
    expect(page.locator(".fd-toast:visible")).to_contain_text(words("shared.problem.offline"))
    # What is pressed meanwhile has nothing to act on.
    page.keyboard.press("v")
    page.keyboard.press("r")
    page.unroute(part)
    row.click()
    expect(page.locator("desk-thread").get_by_text("Opened twice")).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator("desk-composer textarea")).to_be_focused()


def test_a_key_for_the_conversation_that_is_opened_first_waits_for_its_elements(desk):
    words = Words("en")
    Customer(desk.server, live_business(desk)["id"]).say("Its elements are late")
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    held = []
    page.route(re.compile("/conversation-parts.js"), held.append)
    page.keyboard.press("j")
    page.keyboard.press("n")
    page.wait_for_function("() => location.pathname.startsWith('/console/c/')")
    expect(page.locator("conversation-view [aria-busy='true']")).to_be_visible()
    assert held
    for one in held:
        one.continue_()
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).to_be_focused()


def test_a_page_of_a_version_before_is_loaded_anew_where_it_cannot_show_a_conversation(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("After the update")["message"]["conversation"]
    page = desk.page(session=desk.owner)
    page.clock.install()
    page.goto(f"{desk.phone_url}/console")
    inbox = inbox_view(page, words, "all")
    expect(inbox).to_be_visible()
    part = re.compile("/conversation-parts.js")
    # The new version's elements need what the page has not; asked for its shell, the server names another version.
    page.route(part, lambda route: route.fulfill(content_type="text/javascript", body="throw new Error('not of this page')"))
    page.route("**/console", lambda route: route.fulfill(content_type="text/html", body="<script src='/web/~other/console/main.js'></script>")
               if route.request.resource_type == "fetch" else route.continue_())
    page.evaluate("globalThis.isFormerPage = true")
    inbox.press("Enter")
    row = page.locator(f"conversation-list a.row[data-open='{said}']")
    expect(row).to_be_visible()
    # A page that has just been opened is not loaded anew again and again.
    expect(page.locator("desk-workspace")).to_have_count(1)
    assert page.evaluate("globalThis.isFormerPage")
    page.clock.fast_forward("00:15")
    row.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !globalThis.isFormerPage")
    page.unroute(part)
    page.unroute("**/console")
    page.reload()
    expect(page.locator("desk-thread").get_by_text("After the update")).to_be_visible()
    # That the part throws is what this test is about.
    page.faults = [one for one in page.faults if "not of this page" not in one]
