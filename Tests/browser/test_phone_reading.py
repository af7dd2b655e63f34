"""The customer's page for who needs larger letters, and on paper."""

import pytest
from pages import Phone
from playwright.sync_api import expect
from support.words import Words
from test_phone_story import Talk

LARGE = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
def test_letters_of_twice_the_size_are_cut_off_nowhere(desk, language):
    words = Words(language)
    business = desk.owner.post("/api/businesses", {
        "name": "山田茶舗 Tea and Coffee Makers of the Eastern Quarter"}, expect=201)["id"]
    phone = Phone(desk, words, viewport={"width": 320, "height": 600})
    page = phone.page
    page.add_init_script(LARGE)
    phone.open(f"{desk.phone_url}/b/{business}")
    expect(page.locator(".welcome h2")).to_be_visible()
    head, avatar = (page.locator(one).bounding_box() for one in (".chat-head", ".welcome .avatar"))
    assert avatar["y"] >= head["y"] + head["height"]
    page.locator(".welcome p").scroll_into_view_if_needed()
    last, foot = (page.locator(one).bounding_box() for one in (".welcome p", ".chat-foot"))
    assert page.locator(".welcome").evaluate("(box) => { box.scrollTop = 9999; return box.scrollTop; }") > 0
    assert page.locator(".welcome p").bounding_box()["y"] + last["height"] <= foot["y"]
    page.get_by_role("button", name=words("phone.menu"), exact=True).click()
    desk.shot(page, f"phone-large-menu-{language}")
    name = phone.sheet.get_by_text(words("phone.language"), exact=True)
    # In one line, not letter below letter.
    assert name.evaluate("(node) => node.getClientRects().length && node.offsetHeight") < 70
    # What does not fit can be scrolled to; nothing is wider than what it is in.
    switch = phone.sheet.locator(".languages")
    switch.scroll_into_view_if_needed()
    around, inside = phone.sheet.locator(".menu").bounding_box(), switch.bounding_box()
    assert inside["y"] + inside["height"] <= around["y"] + around["height"]
    assert phone.sheet.locator(".sheet-body, .is-danger").evaluate_all(
        "(all) => all.every((box) => box.scrollWidth <= box.clientWidth)")


def test_a_conversation_is_printed_whole(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    for number in range(20):
        talk.send({"v": 1, "type": "text", "body": f"Line {number}\n\nand more"})
    expect(page.locator("desk-card").get_by_text("Line 19")).to_be_visible()
    page.emulate_media(media="print")
    first, last = (page.locator("desk-card").get_by_text(text).first.bounding_box() for text in ("Hello", "Line 19"))
    assert 0 <= first["y"] < last["y"]
    assert page.evaluate("document.documentElement.scrollHeight") >= last["y"]
    expect(talk.phone.field).to_be_hidden()
    desk.shot(page, "phone-print")
