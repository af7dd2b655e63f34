"""What is open on the page of templates has its own address: back leads to the list, a reload shows it again."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.words import Words


def make_templates(desk, *names):
    """Templates of the live business."""
    for name in names:
        desk.owner.post("/api/templates", {
            "business": live_business(desk)["id"], "name": name, "title": name.capitalize(), "description": "", "parameters": [],
            "payload": {"type": "text", "body": f"This is {name}"}}, expect=201)


def row_of(page, name):
    return page.locator(f"templates-page .nav-row[data-name='{name}']")


def title_of(page):
    return page.locator("templates-page main h1")


@pytest.mark.parametrize("language, phone", [("en", True), ("ja", False)])
def test_an_open_template_has_an_address_of_its_own(desk, language, phone):
    words = Words(language)
    first, second = f"first-{language}", f"second.{language}"
    make_templates(desk, first, second)
    page = console(desk, words, "/templates", phone=phone)
    row_of(page, first).click()
    expect(page).to_have_url(f"{desk.phone_url}/console/templates/{first}")
    expect(title_of(page)).to_have_text(first.capitalize())
    page.reload()
    expect(title_of(page)).to_have_text(first.capitalize())
    expect(page.locator("#template-title")).to_have_value(first.capitalize())
    assert_accessible(page)
    page.go_back()
    expect(page).to_have_url(f"{desk.phone_url}/console/templates")
    expect(row_of(page, first)).to_be_visible()
    expect(row_of(page, second)).to_have_attribute("aria-pressed", "false")
    if phone:
        expect(title_of(page)).to_be_hidden()
        expect(row_of(page, first)).to_be_focused()
    page.go_forward()
    expect(title_of(page)).to_have_text(first.capitalize())
    page.goto(f"{desk.phone_url}/console/templates/{second}")
    expect(title_of(page)).to_have_text(second.capitalize())


def test_a_step_back_from_a_template_with_changes_asks_and_stays_at_its_address(desk):
    words = Words("en")
    make_templates(desk, "asked")
    page = console(desk, words, "/templates", phone=True)
    row_of(page, "asked").click()
    page.locator("#template-title").fill("Not saved")
    page.go_back()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text(words("console.unsaved"))
    expect(page).to_have_url(f"{desk.phone_url}/console/templates/asked")
    question.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(page.locator("#template-title")).to_have_value("Not saved")
    page.go_back()
    question.get_by_role("button", name=words("console.unsaved.leave"), exact=True).click()
    expect(page).to_have_url(f"{desk.phone_url}/console/templates")
    expect(row_of(page, "asked")).to_be_visible()


def test_a_template_that_is_begun_is_named_after_itself_once_it_is_saved_and_one_that_is_removed_leads_to_the_list(desk):
    words = Words("en")
    make_templates(desk, "removed")
    page = console(desk, words, "/templates", phone=True)
    page.locator("templates-page").get_by_role("button", name=words("console.newTemplate"), exact=True).click()
    expect(page).to_have_url(re.compile(r"/console/templates/\+$"))
    page.locator("#template-title").fill("Begun here")
    page.locator("template-editor textarea").first.fill("Words of it")
    page.locator("template-editor .is-primary").click()
    expect(page).to_have_url(re.compile("/console/templates/begun-here$"))
    page.go_back()
    expect(row_of(page, "removed")).to_be_visible()
    row_of(page, "removed").click()
    page.locator(".template-head").get_by_role("button", name=words("shared.delete"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words("shared.delete"), exact=True).click()
    expect(row_of(page, "removed")).to_have_count(0)
    expect(page).to_have_url(re.compile("/console/templates$"))
    page.goto(f"{desk.phone_url}/console/templates/removed")
    expect(page).to_have_url(re.compile("/console/templates$"))
    expect(row_of(page, "begun-here")).to_be_visible()
