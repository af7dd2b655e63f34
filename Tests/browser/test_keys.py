"""Keys: every action has one, each can be changed or removed, all can be switched off; the palette knows everything."""

import json
import re

import pytest
from looks import assert_accessible
from pages import console, live_business, member, open_conversation
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words


PRESS_AT_ONCE = """(node, keys) => {
  for (const key of keys) node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
}"""


def key_button(page, action):
    """The button that changes the key of an action."""
    return page.locator(f"key-settings [data-action='{action}']")


def state_of(desk, conversation):
    """The state of a conversation on the server."""
    return desk.owner.fetch(f"/api/conversations/{conversation}")["state"]


def palette_of(page, words):
    """The palette, opened by its key."""
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name=words("console.palette"))
    expect(palette).to_be_visible()
    return palette


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_key_is_changed_removed_and_given_back_and_no_two_actions_have_the_same(desk, language, scheme, phone):
    words = Words(language)
    page = console(desk, words, "/settings/me", scheme=scheme, phone=phone)
    status = page.locator("key-settings [role=status]")
    close = key_button(page, "close")
    expect(close).to_have_text("e")
    close.click()
    expect(close).to_have_text(words("console.keys.press"))
    page.keyboard.press("j")
    expect(status).to_have_text(words("console.keys.taken", keys="j", action=words("console.key.next")))
    expect(close).to_have_text("e")
    close.click()
    # At once: the second is awaited for a short time.
    close.evaluate(PRESS_AT_ONCE, ["y", "w"])
    expect(close).to_have_text("yw")
    expect(close).to_be_focused()
    # A key that begins two keys is none of its own.
    key_button(page, "snooze").click()
    page.keyboard.press("y")
    expect(status).to_have_text(words("console.keys.taken", keys="y", action=words("console.key.close")))
    key_button(page, "assign").click()
    page.keyboard.press("Backspace")
    expect(key_button(page, "assign")).to_have_text(words("console.keys.none"))
    close.click()
    page.keyboard.press("Escape")
    expect(close).to_have_text("yw")
    page.locator("key-settings").scroll_into_view_if_needed()
    desk.shot(page, f"key-settings-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= (390 if phone else 1280)
    page.get_by_role("button", name=words("console.keys.reset"), exact=True).click()
    expect(close).to_have_text("e")
    expect(key_button(page, "assign")).to_have_text("a")


def test_a_changed_key_works_is_shown_everywhere_and_the_former_one_does_nothing(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Another key")
    path = f"{desk.phone_url}/console/c/{conversation}"
    page.goto(f"{desk.phone_url}/console/settings/me")
    key_button(page, "close").click()
    page.keyboard.press("X")
    expect(key_button(page, "close")).to_have_text("X")
    page.goto(path)
    expect(page.locator("desk-thread").get_by_text("Another key")).to_be_visible()
    button = page.locator("conversation-head").get_by_role("button", name=words("console.close"), exact=True)
    expect(button).to_have_attribute("aria-keyshortcuts", "X")
    palette = palette_of(page, words)
    page.keyboard.type("reopen")
    expect(palette.get_by_role("option", selected=True).locator("kbd")).to_have_text(["X"])
    page.keyboard.press("Escape")
    expect(palette).to_have_count(0)
    page.keyboard.press("e")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name=words("console.keys"))
    expect(sheet.get_by_text("X", exact=True)).to_be_visible()
    desk.shot(page, "key-sheet")
    assert_accessible(page)
    assert state_of(desk, conversation) == "open"
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.keyboard.press("X")
    assert state_of(desk, conversation) == "closed"
    # And undone by a key, once the page offers it.
    expect(page.get_by_role("button", name=words("shared.undo"), exact=True)).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.keyboard.press("u")
    assert state_of(desk, conversation) == "open"


def test_what_an_agent_chose_is_on_every_device_at_once_and_what_a_browser_kept_is_moved_up(desk):
    words = Words("en")
    here = console(desk, words, "/settings/me")
    there = console(desk, words, "/settings/me")
    for page in (here, there):
        expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    title = words("console.notices.title")
    here.get_by_role("checkbox", name=title, exact=True).focus()
    here.keyboard.press("Space")
    expect(there.get_by_role("checkbox", name=title, exact=True)).not_to_be_checked()
    # The focus stays where it was.
    expect(here.get_by_role("checkbox", name=title, exact=True)).to_be_focused()
    key_button(here, "close").click()
    here.keyboard.press("w")
    expect(key_button(there, "close")).to_have_text("w")
    later = console(desk, words, "/settings/me")
    expect(later.get_by_role("checkbox", name=title, exact=True)).not_to_be_checked()
    expect(key_button(later, "close")).to_have_text("w")
    ben = member(desk, "Benkeys")
    old = desk.page(language="en", session=ben)
    kept = json.dumps({"sound": False, "keys": {"isOff": False, "own": {"close": "Q"}}})
    old.add_init_script(f"if (!localStorage.getItem('moved')) localStorage.setItem('fd.preferences.{ben.member}', '{kept}');")
    old.goto(f"{desk.phone_url}/console/settings/me")
    expect(key_button(old, "close")).to_have_text("Q")
    old.wait_for_function(f"() => localStorage.getItem('fd.preferences.{ben.member}') === null")
    chosen = ben.fetch("/api/session")["preferences"]["console"]
    assert chosen["sound"] is False and chosen["keys"]["own"] == {"close": "Q"}


def test_keys_that_are_off_do_nothing_and_the_palette_stays(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "No keys, please")
    page.goto(f"{desk.phone_url}/console/settings/me")
    page.get_by_role("checkbox", name=words("console.keys.on"), exact=True).uncheck()
    page.goto(f"{desk.phone_url}/console/c/{conversation}")
    expect(page.locator("desk-thread").get_by_text("No keys, please")).to_be_visible()
    expect(page.locator(".side-foot kbd")).to_be_hidden()
    for key in ("e", "a", "n", "?"):
        page.keyboard.press(key)
    expect(page.locator("note-box")).to_be_hidden()
    expect(page.get_by_role("dialog")).to_have_count(0)
    palette = palette_of(page, words)
    expect(palette.locator("kbd")).to_have_count(0)
    page.keyboard.type("close or")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.keyboard.press("Enter")
    assert state_of(desk, conversation) == "closed"


def test_two_keys_after_each_other_open_places_and_forms(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Two keys")
    page.keyboard.press("c")
    page.keyboard.press("l")
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "list")
    # Out of the field, and still at the conversation.
    page.keyboard.press("Escape")
    expect(page.locator("desk-thread .log")).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page).to_have_url(re.compile("/console/templates$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page).to_have_url(re.compile("/console$"))
    page.keyboard.press("3")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.view.waiting"))


@pytest.mark.parametrize("later, goes", [(1_400, True), (1_600, False)])
def test_the_second_key_counts_from_when_it_was_pressed_and_not_from_when_the_page_came_to_it(desk, later, goes):
    words = Words("en")
    page = desk.page(session=desk.owner)
    page.clock.install()
    page.goto(f"{desk.phone_url}/console/templates")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    press = """([key, at]) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true });
      Object.defineProperty(event, "timeStamp", { value: at });
      document.body.dispatchEvent(event);
    }"""
    page.evaluate(press, ["g", 10_000])
    # The page is busy for long and comes to the second key afterwards, or is not.
    page.clock.fast_forward(3_000 if goes else 1)
    page.evaluate(press, ["i", 10_000 + later])
    page.evaluate(press, ["?", 10_000 + later])
    expect(page.get_by_role("dialog", name=words("console.keys"))).to_be_visible()
    expect(page).to_have_url(re.compile("/console$" if goes else "/console/templates$"))


def test_keys_pressed_within_one_frame_are_all_followed(desk):
    words = Words("en")
    page = console(desk, words, "/templates")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate("""() => {
      for (const key of ["g", "i", "3"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    }""")
    expect(page).to_have_url(re.compile("/console\\?view=waiting$"))
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.view.waiting"))


def test_a_key_pressed_where_a_dialog_has_just_closed_is_followed(desk):
    words = Words("en")
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.keyboard.press("?")
    sheet = page.locator("shortcut-sheet dialog[open]")
    expect(sheet).to_be_visible()
    # The focus stays in it until the browser comes to draw.
    sheet.evaluate(f"""(dialog) => {{
      dialog.close();
      ({PRESS_AT_ONCE})(dialog.querySelector(".key-groups"), ["S"]);
    }}""")
    expect(page.get_by_role("dialog", name=words("views.save"), exact=True)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_palette_finds_templates_kinds_times_views_settings_and_customers_beyond_the_rows(desk, language):
    words = Words(language)
    business = live_business(desk)["id"]
    desk.owner.post("/api/templates", {
        "business": business, "name": f"palette-{language}", "title": f"From the palette {language}", "parameters": [],
        "payload": {"type": "text", "body": "Found by its name."}}, expect=201)
    page, _, conversation = open_conversation(desk, words, f"Find it all ({language})")
    palette = palette_of(page, words)
    desk.shot(page, f"palette-{language}")
    assert_accessible(page)
    field = palette.get_by_role("combobox")
    for typed in (words("composer.kind.list"), words("console.snooze.tomorrow"), words("console.view.snoozed"),
                  words("console.notices"), words("console.section.gateway"), words("shared.theme.dark"), "日本語"):
        field.fill(typed)
        expect(palette.get_by_role("option").filter(has_text=typed).first).to_be_visible()
    # Robin is not in the view of closed conversations, nor among the rows.
    page.keyboard.press("Escape")
    page.locator("inbox-nav").get_by_role("button", name=re.compile(f"^{re.escape(words('console.view.closed'))}")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.view.closed"))
    palette = palette_of(page, words)
    palette.get_by_role("combobox").fill("robin")
    expect(palette.get_by_role("option").filter(has_text="Robin")).to_have_count(1)
    field = palette.get_by_role("combobox")
    field.fill(f"From the palette {language}")
    expect(palette.get_by_role("option").filter(has_text=f"From the palette {language}")).to_have_count(1)
    page.keyboard.press("Enter")
    picker = page.locator("template-picker")
    expect(picker.locator(".tp-preview").get_by_text("Found by its name.")).to_be_visible()
    picker.get_by_role("button", name=words("composer.template.insert"), exact=True).click()
    expect(page.get_by_role("textbox", name=words("composer.text.label"), exact=True)).to_have_value("Found by its name.")
    palette = palette_of(page, words)
    palette.get_by_role("combobox").fill(words("console.snooze.tomorrow"))
    page.keyboard.press("Enter")
    expect(page.locator(".fd-toast").last).to_contain_text(words("console.snoozed.until", time="").strip().split(" ")[0][:4])
    assert state_of(desk, conversation) == "snoozed"


def test_what_is_typed_right_after_the_palettes_key_is_typed_into_it(desk):
    words = Words("en")
    Customer(desk.server, live_business(desk)["id"]).say("Typed fast")
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.evaluate("""() => {
      for (const [key, ctrlKey] of [["k", true], ["t", false], ["e", false], ["m", false], ["p", false]]) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true, composed: true }));
      }
    }""")
    palette = page.get_by_role("dialog", name=words("console.palette"))
    expect(palette.get_by_role("combobox")).to_have_value("temp")
    expect(palette.get_by_role("option").first).to_contain_text(re.compile(words("console.templates"), re.IGNORECASE))


def test_what_is_typed_after_a_kind_was_chosen_is_in_its_form_and_no_key_of_the_page(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "When can I come?")
    composer = page.locator("desk-composer")
    composer.get_by_role("button", name=words("composer.kind.time"), exact=True).click()
    field = composer.locator("time-form input").first
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("See e")
    expect(field).to_have_value("See e")
    composer.get_by_role("button", name=words("composer.kind.time"), exact=True).click()
    page.keyboard.type("x")
    expect(composer.get_by_role("textbox", name=words("composer.text.label"), exact=True)).to_have_value("x")
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "open"
    expect(page.locator(".row-check input:checked")).to_have_count(0)


@pytest.mark.parametrize("width, height, whole", [(1280, 800, True), (640, 400, False), (390, 844, False)])
def test_the_sheet_shows_all_keys_at_once_where_there_is_room_and_scrolls_down_where_there_is_not(desk, width, height, whole):
    words = Words("en")
    page = console(desk, words, viewport={"width": width, "height": height})
    expect(page.locator("conversation-list .list")).to_be_visible()
    page.keyboard.press("?")
    keys = page.locator("shortcut-sheet .key-groups")
    expect(keys.get_by_text(words("console.key.close"), exact=True)).to_be_attached()
    size = keys.evaluate("(one) => ({ tall: one.scrollHeight - one.clientHeight, wide: one.scrollWidth - one.clientWidth })")
    assert (size["tall"] <= 0, size["wide"]) == (whole, 0)
    expect(page.locator("shortcut-sheet dialog").get_by_role("button", name=words("shared.close"), exact=True)).to_be_in_viewport(ratio=1)
