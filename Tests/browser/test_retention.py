"""Retention on screen: an owner sees how much would go, chooses, sees when it begins, and withdraws it."""

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_labels import LOOKS, ready


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_owner_counts_chooses_and_withdraws_how_long_content_is_kept(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Kept {language}"}, expect=201)
    path = f"/api/businesses/{shop['id']}/retention"
    Customer(desk.server, shop["id"]).say("Hello")
    page = ready(console(desk, words, "/settings/retention", scheme=scheme, phone=phone))
    panel = page.locator("retention-panel")
    panel.locator("#retention-business").select_option(shop["id"])
    box = panel.get_by_label(words("retention.on"), exact=True)
    days = panel.get_by_label(words("retention.days"), exact=True)
    save = panel.get_by_role("button", name=words("shared.save"), exact=True)
    expect(box).not_to_be_checked()
    expect(days).to_be_hidden()
    box.check()
    expect(days).to_have_value("365")
    # A wrong number is refused where it is typed, with what is allowed.
    days.fill("29")
    save.click()
    expect(panel.get_by_role("alert").filter(has_text="3650")).to_be_visible()
    assert desk.owner.fetch(path)["days"] is None
    days.fill("300")
    save.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    desk.shot(page, f"retention-question-{language}-{scheme}")
    assert_accessible(page)
    dialog.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert desk.owner.fetch(path)["days"] is None
    save.press("Enter")
    dialog.get_by_role("button", name=words("retention.confirm"), exact=True).click()
    expect(panel.get_by_text(words("retention.saved"), exact=True)).to_be_visible()
    expect(save).to_be_focused()
    expect(panel.get_by_text(words("retention.withdraw"), exact=True)).to_be_visible()
    desk.shot(page, f"retention-settings-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    # More days before it begins are no question.
    days.fill("400")
    save.click()
    expect(panel.get_by_text(words("retention.saved"), exact=True)).to_be_visible()
    assert desk.owner.fetch(path)["days"] == 400
    page.reload()
    ready(page)
    panel.locator("#retention-business").select_option(shop["id"])
    expect(days).to_have_value("400")
    box.uncheck()
    save.click()
    expect(panel.get_by_text(words("retention.savedOff"), exact=True)).to_be_visible()
    assert desk.owner.fetch(path)["days"] is None


def test_the_button_that_asked_can_be_pressed_again_as_soon_as_its_question_is_answered(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Asked again"}, expect=201)
    Customer(desk.server, shop["id"]).say("Hello")
    page = ready(console(desk, words, "/settings/retention"))
    panel = page.locator("retention-panel")
    panel.locator("#retention-business").select_option(shop["id"])
    panel.get_by_label(words("retention.on"), exact=True).check()
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    # Before the next frame, for which the event of a dialog that was closed waits.
    page.evaluate("""async () => {
      document.querySelector("dialog[open] .fd-button:not(.is-danger)").click();
      for (let more = 0; more < 20; more += 1) await null;
      document.querySelector("retention-panel [type=submit]").click();
    }""")
    page.get_by_role("dialog").get_by_role("button", name=words("retention.confirm"), exact=True).click()
    expect(panel.get_by_text(words("retention.saved"), exact=True)).to_be_visible()


def test_an_agent_is_shown_that_owners_choose(desk):
    words = Words("en")
    agent = member(desk, "Rea")
    page = ready(console(desk, words, "/settings/retention", session=agent))
    panel = page.locator("retention-panel")
    panel.locator("#retention-business").select_option(live_business(desk)["id"])
    expect(panel.get_by_text(words("retention.onlyOwners"), exact=True)).to_be_visible()
    expect(panel.get_by_role("checkbox")).to_have_count(0)
