"""The business that was chosen on one page of settings is the one that the next page begins with."""

import re

import pytest
from pages import console
from playwright.sync_api import expect
from support.words import Words

# The pages that begin with the choice of a business, and its field.
FIELDS = {
    "settings/members": "member", "settings/teams": "teams", "settings/assignment": "assignment", "settings/labels": "labels",
    "settings/attributes": "attributes", "settings/hours": "hours", "settings/levels": "levels", "settings/satisfaction": "satisfaction",
    "settings/rules": "rules", "settings/macros": "macros", "settings/library": "library", "settings/keys": "key", "settings/bots": "bots",
    "settings/webhooks": "webhooks", "settings/widget": "widget", "settings/gateway": "gateway", "settings/retention": "retention",
    "settings/audit": "audit", "templates": "template", "reports": "report"}


@pytest.fixture
def shop(desk):
    """A business that no page begins with by itself."""
    return desk.owner.post("/api/businesses", {"name": "Chosen once"}, 201)


def test_the_business_whose_card_is_open_is_the_one_that_colleagues_are_invited_to(desk, shop):
    words = Words("en")
    page = console(desk, words, "/settings")
    page.locator(".business-card", has_text="Chosen once").first.click()
    expect(page.get_by_role("heading", name="Chosen once", level=2)).to_be_visible()
    page.get_by_role("link", name=words("console.section.members"), exact=True).click()
    expect(page.locator("#member-business")).to_have_value(shop["id"])


def test_every_page_with_a_choice_begins_with_what_was_chosen_on_the_one_before(desk, shop):
    words = Words("en")
    page = console(desk, words, "/settings/teams")
    page.locator("#teams-business").select_option(shop["id"])
    expect(page.locator("teams-panel").get_by_text(words("teams.none"))).to_be_visible()
    for path, field in FIELDS.items():
        page.goto(f"{desk.phone_url}/console/{path}")
        expect(page.locator(f"#{field}-business"), path).to_have_value(shop["id"])


def test_a_business_just_created_is_the_chosen_one(desk):
    words = Words("en")
    page = console(desk, words, "/settings")
    page.get_by_role("button", name=words("console.newBusiness")).click()
    dialog = page.get_by_role("dialog", name=words("console.newBusiness"))
    dialog.get_by_label(words("console.businessName"), exact=True).fill("Just created")
    buttons = dialog.locator(".form-actions").get_by_role("button")
    expect(buttons).to_have_text([words("shared.cancel"), words("console.register")])
    buttons.last.click()
    expect(page.get_by_role("heading", name="Just created", level=2)).to_be_visible()
    page.get_by_role("link", name=words("console.section.hours"), exact=True).click()
    expect(page.locator("#hours-business option:checked")).to_have_text("Just created")
    page.get_by_role("link", name=re.compile(f"^{re.escape(words('console.section.members'))}$")).click()
    expect(page.locator("#member-business option:checked")).to_have_text("Just created")
