"""What the assistant offers: no card that cannot be sent, a wish that came to nothing again, and a draft apart from what is written."""

import json

import pytest
from pages import console, live_business, open_conversation
from playwright.sync_api import expect
from support.graph import Graph
from support.model import TEAS, text
from support.words import Words
from test_assistant import ask, desk, installed, model, press, suggestion_of  # noqa: F401


def test_a_draft_that_is_edited_stands_apart_from_what_is_written_and_once(desk, model):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Is my tea ready?")
    model.answers = [text("It is ready.")]
    ask(page, words, "draft")
    expect(suggestion_of(page)).to_contain_text("It is ready.")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Good morning, Ada")
    press(page, words, "edit")
    expect(field).to_have_value("Good morning, Ada\nIt is ready.")
    press(page, words, "edit")
    expect(field).to_be_focused()
    expect(field).to_have_value("Good morning, Ada\nIt is ready.")
    # It can be had again once nothing is left of it.
    field.fill("")
    press(page, words, "edit")
    expect(field).to_have_value("It is ready.")


def test_what_was_wished_for_is_kept_until_a_card_came_of_it(desk, model):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Which teas?")
    ask(page, words, "card")
    wish = page.locator(".assistant-wish textarea")
    wish.fill("three green teas")
    model.answers = [500]
    wish.press("Control+Enter")
    expect(page.locator(".fd-toast").last).to_contain_text(words("assistant.unavailable"))
    page.faults = [one for one in page.faults if "status of 503" not in one]
    ask(page, words, "card")
    expect(wish).to_have_value("three green teas")
    expect(wish).to_be_focused()
    model.answers = [json.dumps(TEAS)]
    wish.press("Control+Enter")
    expect(suggestion_of(page)).to_contain_text("Which tea?")
    assert "three green teas" in model.said()
    ask(page, words, "card")
    expect(wish).to_have_value("")


def test_a_card_that_the_device_cannot_show_is_not_offered(desk, model):
    words, graph = Words("en"), Graph()
    shop = desk.owner.post("/api/businesses", {"name": "Of WhatsApp", "mode": "test"}, expect=201)
    graph.connect(desk.owner, shop["id"])
    graph.say(desk.server, "Which teas?")
    [talk] = desk.owner.fetch(f"/api/conversations?business={shop['id']}")["data"]
    page = console(desk, words, f"/c/{talk['id']}")
    ask(page, words, "card")
    kinds = page.locator(".assistant-wish option")
    expect(kinds).to_have_text([words(f"assistant.kind.{one}") for one in ("list", "quickReply", "time", "text")])
    page.close()
    graph.stop()


def test_for_a_customer_who_left_nothing_is_drafted(desk, model):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "Which teas?")
    customer.call("DELETE", f"/api/phone/{live_business(desk)['id']}/conversation", expect=204)
    expect(page.locator("desk-composer .cp-reason")).to_contain_text(words("composer.left.title"))
    page.get_by_role("button", name=words("console.assistant"), exact=True).click()
    expect(page.get_by_role("menuitem", name=words("assistant.summarise"))).to_be_visible()
    expect(page.get_by_role("menuitem")).to_have_count(1)


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width, height", [(320, 256), (320, 568), (344, 882), (360, 640), (390, 844)])
def test_its_tools_stay_in_the_box_on_a_narrow_screen(desk, width, height, language):
    words = Words(language)
    # 1280 by 1024 at 400 %, and phones.
    page, _, _ = open_conversation(desk, words, f"Narrow {width} {height} {language}", viewport={"width": width, "height": height})
    foot = page.locator("desk-composer .cp-foot")
    expect(foot.get_by_role("button", name=words("console.assistant"), exact=True)).to_be_visible()
    page.get_by_role("textbox", name=words("composer.text.label"), exact=True).fill("Good morning")
    sizes = foot.evaluate("""(foot) => {
      const inside = foot.getBoundingClientRect();
      return [...foot.querySelectorAll("button")].filter((button) => button.checkVisibility()).map((button) => {
        const { left, right, width, height } = button.getBoundingClientRect();
        return { name: button.ariaLabel ?? button.textContent, outside: Math.max(inside.left - left, right - inside.right), width, height };
      });
    }""")
    assert [one for one in sizes if one["outside"] > 0 or min(one["width"], one["height"]) < 24] == []
    assert foot.evaluate("(foot) => foot.scrollWidth - foot.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    desk.shot(page, f"assistant-{width}x{height}-{language}")
