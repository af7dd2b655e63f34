"""A draft as other vendors' channels write it, and what that loses, by keyboard and on a phone's width."""

import pytest
from looks import assert_accessible
from playwright.sync_api import expect
from support.words import Words
from test_sandbox_layout import talking

pytestmark = pytest.mark.every_language


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_draft_is_shown_as_other_vendors_write_it(desk, language):
    words = Words(language)
    _, sandbox = talking(desk, words)
    sandbox.choose_kind("list")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    view = sandbox.page.locator("#sb-json json-view").first
    switch = view.get_by_label(words("composer.json.shownAs"))
    # It looks like every other choice of the pages, not like the browser's own.
    expect(switch).to_have_css("appearance", "none")
    assert switch.bounding_box()["height"] == 36
    expect(view.locator(".js-lines")).to_contain_text("listPicker")
    switch.focus()
    sandbox.page.keyboard.press("ArrowDown")
    expect(switch).to_have_value("whatsapp")
    expect(view.locator(".js-lines")).to_contain_text("messaging_product")
    lost = view.get_by_label(words("composer.json.lost"), exact=True)
    expect(lost).to_contain_text("/interactiveData/data/requestIdentifier")
    expect(lost).to_contain_text(words("composer.json.lost.dropped"))
    expect(view.get_by_role("button", name=words("composer.json.editRaw"))).to_be_disabled()
    assert_accessible(sandbox.page)
    desk.shot(sandbox.page, f"shapes-{language}")
    switch.select_option("slack")
    expect(view.locator(".js-lines")).to_contain_text("static_select")
    switch.select_option("messages-for-business")
    expect(view.locator(".js-lines")).to_contain_text("listPicker")
    expect(lost).to_be_hidden()


def test_the_switch_fits_a_phone(desk):
    words = Words("en")
    _, sandbox = talking(desk, words, viewport={"width": 390, "height": 844})
    sandbox.choose_kind("text")
    sandbox.composer().get_by_role("textbox").first.fill("We open at nine.")
    sandbox.page.get_by_role("tab", name=words("sandbox.tab.json"), exact=True).click()
    view = sandbox.page.locator("#sb-json json-view").first
    view.get_by_label(words("composer.json.shownAs")).select_option("telegram")
    expect(view.locator(".js-lines")).to_contain_text("We open at nine.")
    # Who sends, who receives and the message's own id are said otherwise there, and nothing else is lost.
    expect(view).to_contain_text("/destinationId")
    expect(view).not_to_contain_text("/body")
    width = sandbox.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    assert_accessible(sandbox.page)
    desk.shot(sandbox.page, "shapes-390")
