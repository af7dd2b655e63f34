"""The console where there is little room: zoomed to 200 %, with a keyboard open, a phone on its side."""

import pytest
from looks import assert_accessible
from pages import Sandbox, choose_kind, console, live_business, open_conversation
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

pytestmark = pytest.mark.every_language

# 1280×800 and 1280×1024 at 200 %, a phone with its keyboard open, a phone on its side.
SMALL = [(640, 400), (640, 512), (390, 500), (844, 390)]
# The least share of the height that the thread keeps while an answer is written, and least pixels.
SHARE, PIXELS = 0.34, 130


def small(desk, words, text, width, height):
    """A conversation with some messages on a small screen."""
    page, customer, conversation = open_conversation(
        desk, words, text, viewport={"width": width, "height": height})
    for number in range(4):
        customer.say(f"Line {number}")
    expect(page.locator("desk-thread").get_by_text("Line 3")).to_be_visible()
    return page, customer, conversation


def assert_usable(page, height):
    """The thread keeps its height and nothing leaves the screen."""
    thread = page.locator("desk-thread").bounding_box()
    assert thread["height"] >= max(PIXELS, SHARE * height), f"the thread has {thread['height']:.0f} px"
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} px too wide"


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width, height", SMALL)
def test_the_thread_keeps_its_height_while_an_answer_is_written(desk, width, height, language):
    words = Words(language)
    page, customer, _ = small(desk, words, f"Small {width} {language}", width, height)
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    send = page.get_by_role("button", name=words("composer.send"), exact=True)
    assert_usable(page, height)
    field.fill("One line\nand another\nand a third\nand a fourth\nand a fifth\nand a sixth")
    assert_usable(page, height)
    expect(field).to_be_in_viewport(ratio=0.6)
    expect(send).to_be_in_viewport(ratio=0.99)
    expect(page.locator("desk-thread").get_by_text("Line 3")).to_be_in_viewport()
    desk.shot(page, f"small-{width}x{height}-text-{language}")
    assert_accessible(page)
    send.click()
    expect(field).to_have_value("")
    for button in ("button.assignee", ".view-actions > :last-child"):
        expect(page.locator(f"conversation-head {button}")).to_be_in_viewport(ratio=0.99)


KINDS = ["quickReply", "list", "time", "payment", "richLink", "app", "form", "myApp", "raw"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_at_two_hundred_per_cent_thread_and_composer_are_together_whatever_is_composed(desk, language):
    words = Words(language)
    width, height = 640, 512
    page, _, _ = small(desk, words, f"All kinds {language}", width, height)
    send = page.get_by_role("button", name=words("composer.send"), exact=True)
    for kind in KINDS:
        choose_kind(page, words, kind)
        assert_usable(page, height)
        expect(send).to_be_in_viewport(ratio=0.99)
        expect(page.locator("desk-composer .cp-panel")).to_be_in_viewport()
    choose_kind(page, words, "text")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).to_be_in_viewport(ratio=0.9)
    assert_usable(page, height)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("template-picker")).to_be_in_viewport()
    assert_usable(page, height)


@pytest.mark.parametrize("width, height", SMALL)
def test_the_values_of_a_template_can_be_seen_and_sent_on_a_small_screen(desk, width, height):
    words = Words("en")
    desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": f"small-{width}-{height}", "title": f"Small {width} {height}",
        "parameters": [{"name": "order", "type": "text", "label": "Order"}, {"name": "day", "type": "date", "label": "Day"}],
        "payload": {"type": "text", "body": "Your order {{order}} comes on {{day|date}}."}}, 201)
    page, _, _ = small(desk, words, f"A template of {width}x{height}", width, height)
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_role("option", name=f"Small {width} {height}", exact=False).click()
    order = picker.get_by_label("Order", exact=True)
    expect(order).to_be_focused()
    expect(order).to_be_in_viewport(ratio=0.99)
    assert_usable(page, height)
    order.fill("A-17")
    page.keyboard.press("Tab")
    expect(picker.get_by_label("Day", exact=True)).to_be_in_viewport(ratio=0.99)
    page.keyboard.type("2031-05-02")
    send = picker.get_by_role("button", name=words("composer.send"), exact=True)
    send.scroll_into_view_if_needed()
    expect(send).to_be_in_viewport(ratio=0.99)
    desk.shot(page, f"small-{width}x{height}-template")
    assert_accessible(page)
    send.click()
    expect(page.locator("desk-thread").get_by_text("Your order A-17 comes on", exact=False)).to_be_visible()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    expect(field).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("width, height", SMALL)
def test_a_form_on_a_small_screen_scrolls_and_leaves_the_thread_its_height(desk, width, height):
    words = Words("en")
    page, _, _ = small(desk, words, f"A form of {width}", width, height)
    choose_kind(page, words, "payment")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    assert_usable(page, height)
    last = page.locator("payment-form > *").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    expect(page.get_by_role("button", name=words("composer.send"), exact=True)).to_be_in_viewport(ratio=0.99)
    desk.shot(page, f"small-{width}x{height}-payment")
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    assert_usable(page, height)
    page.get_by_role("textbox", name=words("console.noteLabel"), exact=True).fill("A note")
    add = page.get_by_role("button", name=words("console.addNote"), exact=True)
    add.scroll_into_view_if_needed()
    expect(add).to_be_in_viewport(ratio=0.99)
    desk.shot(page, f"small-{width}x{height}-note")
    assert_accessible(page)
    add.click()
    expect(page.locator("desk-thread").get_by_text("A note", exact=True)).to_be_in_viewport()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_new_badge_and_a_name_stay_in_one_piece(desk, language):
    words = Words(language)
    first = Customer(desk.server, desk.sandbox_business["id"])
    second = Customer(desk.server, desk.sandbox_business["id"])
    opened = first.say("The one that is open")["message"]["conversation"]
    other = second.say("Before")["message"]["conversation"]
    sandbox = Sandbox(desk, words)
    sandbox.page.add_init_script(
        f"sessionStorage.setItem('fd.sandbox.conversation', '{opened}')")
    sandbox.open()
    expect(sandbox.composer()).to_be_visible()
    second.say("Somebody new")
    expect(sandbox.page.locator(".sb-who .cs-new")).to_be_visible()
    sandbox.conversations()
    # A name that is one long word, as invited numbers are.
    sandbox.page.locator(".cs-name bdi").first.evaluate("(name) => { name.textContent = '+14085552223'; }")
    row = sandbox.page.locator(f"conversation-switch [data-id='{other}']")
    badge = row.get_by_text(words("sandbox.new"), exact=True)
    expect(badge).to_be_visible()
    lines = """(node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
    }"""
    assert badge.evaluate(lines) == 1
    broken = sandbox.page.locator(".cs-name").evaluate_all("""(all) => all.filter((name) => {
      const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      while (text.nextNode()) {
        for (const { index, 0: word } of text.currentNode.data.matchAll(/\\S+/g)) {
          const range = document.createRange();
          range.setStart(text.currentNode, index);
          range.setEnd(text.currentNode, index + word.length);
          if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) return true;
        }
      }
      return false;
    }).map((name) => name.textContent)""")
    assert broken == []
    desk.shot(sandbox.page, f"sandbox-new-{language}")


def test_the_top_of_the_waiting_page_can_be_reached_where_it_is_higher_than_the_window(desk):
    sandbox = Sandbox(desk, Words("en"), viewport={"width": 1280, "height": 300}).open()
    expect(sandbox.code).to_be_attached()
    title = sandbox.page.get_by_role("heading", level=1)
    title.scroll_into_view_if_needed()
    expect(title).to_be_in_viewport(ratio=0.99)
    sandbox.code.scroll_into_view_if_needed()
    expect(sandbox.code).to_be_in_viewport()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_my_settings_scroll_in_one_direction_at_four_hundred_per_cent(desk, language):
    words = Words(language)
    page = console(desk, words, "/settings/me", viewport={"width": 320, "height": 256})
    for part in ("#notice-browser", "#notice-quiet", "key-settings [data-action='close']", "key-settings .form-actions button"):
        page.locator(part).scroll_into_view_if_needed()
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    key = page.locator("key-settings [data-action='close']")
    key.click()
    page.keyboard.press("X")
    expect(key).to_have_text("X")
    assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_at_four_hundred_per_cent_the_head_has_the_whole_name_of_a_customer(desk, language):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"Who is so near? {language}", viewport={"width": 320, "height": 256})
    contact = desk.owner.fetch(f"/api/conversations/{conversation}")
    name = f"{'お客様' if language == 'ja' else 'Customer'} 7QHX"
    desk.owner.call("PATCH", f"/api/businesses/{contact['business']}/contacts/{contact['contact']['id']}", {"name": name})
    title = page.locator("#view-title")
    expect(title).to_have_text(name)
    inside = page.locator(".view-names").bounding_box()
    box = title.bounding_box()
    assert inside["y"] <= box["y"] and box["y"] + box["height"] <= inside["y"] + inside["height"], (inside, box)
    assert title.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth")
    desk.shot(page, f"head-320x256-{language}")


@pytest.mark.parametrize("look", [{"phone": True}, {"viewport": {"width": 640, "height": 400}}], ids=["phone", "zoomed"])
def test_a_part_of_the_settings_or_a_template_that_was_chosen_is_in_view(desk, look):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "In one column", "mode": "test"}, expect=201)
    for number in range(12):
        desk.owner.post("/api/templates", {"business": shop["id"], "name": f"known-{number}", "title": f"Known {number}", "description": "", "parameters": [],
                                           "payload": {"type": "text", "body": "Known words"}}, expect=201)
    page = console(desk, words, "/settings", **look)
    page.get_by_role("link", name=words("console.section.retention"), exact=True).click()
    heading = page.get_by_role("heading", name=words("retention.title"), level=1)
    page.wait_for_function("(node) => node.getBoundingClientRect().top >= 0 && node.getBoundingClientRect().top < 60", arg=heading.element_handle())
    # The list of all parts is there again where it was left.
    page.get_by_role("link", name=words("console.settings"), exact=True).click()
    expect(page.get_by_role("link", name=words("console.section.retention"), exact=True)).to_be_in_viewport()
    page.get_by_role("link", name=words("console.templates"), exact=True).click()
    page.locator("#template-business").select_option(shop["id"])
    page.locator(".nav-row", has_text="Known 3").click()
    expect(page.get_by_role("heading", name="Known 3", level=1)).to_be_in_viewport()
    expect(page.locator("#template-title")).to_be_in_viewport()
    expect(page.locator("#template-business")).to_be_hidden()
    # The way back leads to the list, at what was chosen.
    page.get_by_role("button", name=words("console.template.all"), exact=True).click()
    expect(page.locator(".nav-row", has_text="Known 3")).to_be_focused()
    expect(page.locator("#template-title")).to_be_hidden()
    assert_accessible(page)


def test_what_is_written_into_a_template_is_in_view_when_the_window_becomes_narrow(desk):
    words = Words("en")
    page = console(desk, words, "/templates")
    page.locator("#template-title").fill("Written in a wide window")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#template-title")).to_be_visible()
    page.get_by_role("button", name=words("console.template.all"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words("console.unsaved.leave"), exact=True).click()
    expect(page.get_by_role("button", name=words("console.newTemplate"), exact=True)).to_be_focused()
    desk.forget(page)
