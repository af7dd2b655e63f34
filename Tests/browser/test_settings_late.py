"""Settings whose answers come late or fail: the business that was chosen last is on screen, and what failed is read again."""

import re

import pytest
from pages import console, wait_for
from playwright.sync_api import expect
from support.words import Words

WORDS = Words("en")
PAGES = [("attributes", "attributes", "attributes"), ("bots", "bots", "bots"), ("labels", "labels", "labels"),
         ("levels", "levels", "service-levels"), ("macros", "macros", "macros"), ("rules", "rules", "rules"),
         ("satisfaction", "satisfaction", "satisfaction"), ("webhooks", "webhooks", "webhooks"), ("widget", "widget", "widget")]


def two_shops(desk, page):
    """Two businesses of the owner, for a page of settings."""
    return [desk.owner.post("/api/businesses", {"name": f"{name} {page}", "mode": "test"}, expect=201)["id"]
            for name in ("Left", "Chosen")]


@pytest.mark.parametrize("section, prefix, route", PAGES, ids=[section for section, *_ in PAGES])
def test_what_fails_for_the_former_business_is_not_shown_in_the_place_of_the_chosen_one(desk, section, prefix, route):
    left, chosen = two_shops(desk, section)
    page = console(desk, WORDS, f"/settings/{section}")
    choice = page.locator(f"#{prefix}-business")
    held = []
    answer = re.compile(f"/businesses/{left}/{route}$")
    page.route(answer, lambda one: held.append(one))
    choice.select_option(left)
    wait_for(page, held)
    with page.expect_response(re.compile(f"/businesses/{chosen}/{route}$")):
        choice.select_option(chosen)
    expect(choice).to_have_value(chosen)
    with page.expect_response(answer):
        held[0].fulfill(status=403, content_type="application/problem+json",
                        json={"code": "forbidden", "title": "Forbidden", "status": 403})
    # The page has read the answer and drawn what it would draw.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(choice).to_have_value(chosen)
    expect(page.get_by_text(WORDS("shared.problem.forbidden"), exact=True)).to_have_count(0)


@pytest.mark.parametrize("section", ["bots", "rules"])
def test_what_could_not_be_read_is_read_when_the_line_is_back(desk, section):
    page = console(desk, WORDS, "/settings/me")
    expect(page.locator(".line-mark[data-state=live]")).to_be_attached()
    answer = re.compile(f"/businesses/[^/]+/{section}$")
    page.route(answer, lambda one: one.fulfill(status=404, content_type="application/problem+json", json={
        "code": "not_found", "title": "Not found", "status": 404}))
    page.get_by_role("link", name=WORDS(f"console.section.{section}"), exact=True).click()
    panel = page.locator(f"{section}-panel")
    expect(panel.get_by_role("alert").first).not_to_be_empty()
    page.unroute(answer)
    page.context.set_offline(True)
    expect(page.locator(".line-mark[data-state=offline]")).to_be_attached()
    page.context.set_offline(False)
    expect(page.locator(".line-mark[data-state=live]")).to_be_attached()
    expect(panel.get_by_role("button", name=WORDS(f"{section}.new"), exact=True)).to_be_visible()
