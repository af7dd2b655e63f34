"""Settings whose answers come late or fail: the business that was chosen last is on screen, and what failed is read again."""

import re

import pytest
from pages import console, refusal, wait_for
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
        held[0].fulfill(**refusal(403, "forbidden"))
    # The page has read the answer and drawn what it would draw.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(choice).to_have_value(chosen)
    expect(page.get_by_text(WORDS("shared.problem.forbidden"), exact=True)).to_have_count(0)


@pytest.mark.parametrize("section", ["bots", "rules"])
def test_what_could_not_be_read_is_read_when_the_line_is_back(desk, section):
    page = console(desk, WORDS, "/settings/me")
    expect(page.locator(".line-mark[data-state=live]")).to_be_attached()
    answer = re.compile(f"/businesses/[^/]+/{section}$")
    page.route(answer, lambda one: one.fulfill(**refusal(404, "not_found")))
    page.get_by_role("link", name=WORDS(f"console.section.{section}"), exact=True).click()
    panel = page.locator(f"{section}-panel")
    expect(panel.get_by_role("alert").first).not_to_be_empty()
    page.unroute(answer)
    page.context.set_offline(True)
    expect(page.locator(".line-mark[data-state=offline]")).to_be_attached()
    page.context.set_offline(False)
    expect(page.locator(".line-mark[data-state=live]")).to_be_attached()
    expect(panel.get_by_role("button", name=WORDS(f"{section}.new"), exact=True)).to_be_visible()


ITEMS = {
    "attributes": lambda name, order: {"of": "conversation", "key": name.lower(), "name": name, "type": "text", "order": order},
    "labels": lambda name, order: {"name": name, "colour": "#0090ff", "order": order},
    "macros": lambda name, _: {"name": name, "shared": True, "actions": [{"priority": "low"}], "parameters": []},
    "rules": lambda name, order: {"name": name, "when": "closed", "if": [], "then": [{"priority": "low"}], "order": order},
}
CHANGES = ("PATCH", "PUT")


def begun(desk, section, button):
    """Two items of a business, of which the first is changed; the page, its choice of a business, and what goes on with the change."""
    left, chosen = two_shops(desk, f"changed {section}")
    path = f"/api/businesses/{left}/{section}"
    for place, name in enumerate(["One", "Two"]):
        desk.owner.post(path, ITEMS[section](name, 10 * (place + 1)), expect=201)
    page = console(desk, WORDS, f"/settings/{section}")
    choice = page.locator(f"#{section}-business")
    choice.select_option(left)
    held, is_open = [], []
    page.route(re.compile(f"/businesses/{left}/{section}/"), lambda one: held.append(one)
               if one.request.method in CHANGES and not is_open else one.continue_())
    page.locator(f"{section}-panel").get_by_role("button", name=WORDS(button, name="One"), exact=True).press("Enter")
    wait_for(page, held)
    choice.select_option(chosen)
    expect(page.locator(f"{section}-panel").get_by_role("button", name=WORDS(button, name="Two"), exact=True)).to_have_count(0)

    def release():
        is_open.append(True)
        for one in held:
            one.continue_()
    return path, page, choice, release


@pytest.mark.parametrize("section", ["attributes", "labels", "rules"])
def test_an_order_that_is_stored_while_the_business_is_left_is_stored_whole_and_not_shown_in_the_next(desk, section):
    button = "rules.down" if section == "rules" else "labels.down"
    path, page, choice, release = begun(desk, section, button)
    release()

    def names():
        return [one["name"] for one in sorted(desk.owner.fetch(path)["data"], key=lambda one: one["order"])]
    for _ in range(200):
        if names() == ["Two", "One"]:
            break
        page.wait_for_timeout(25)
    assert names() == ["Two", "One"]
    panel = page.locator(f"{section}-panel")
    expect(panel.get_by_role("button", name=WORDS(button, name="One"), exact=True)).to_have_count(0)
    expect(choice).to_be_enabled()
    assert page.faults == []


def test_a_macro_that_is_retired_while_the_business_is_left_is_not_shown_in_the_next(desk):
    path, page, choice, release = begun(desk, "macros", "macros.retireOf")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        release()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(page.locator("macros-panel").get_by_text("One", exact=True)).to_have_count(0)
    assert {one["name"]: one["retired"] for one in desk.owner.fetch(path)["data"]} == {"One": True, "Two": False}


def test_a_secret_of_a_widget_that_comes_late_is_shown_wherever_its_maker_is(desk):
    left, chosen = two_shops(desk, "widget secret")
    page = console(desk, WORDS, "/settings/widget")
    choice = page.locator("#widget-business")
    choice.select_option(left)
    held = []
    page.route(re.compile(f"/businesses/{left}/widget/secrets$"), lambda one: held.append(one))
    page.get_by_role("button", name=WORDS("widget.secret.new"), exact=True).press("Enter")
    wait_for(page, held)
    choice.select_option(chosen)
    expect(page.get_by_role("button", name=WORDS("widget.secret.new"), exact=True)).to_be_visible()
    held[0].continue_()
    dialog = page.get_by_role("dialog", name="Left widget secret", exact=True)
    expect(dialog.locator("code")).not_to_be_empty()
    # An Enter that was meant for the page below closes nothing.
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name=WORDS("shared.close"), exact=True).click()
    expect(choice).to_have_value(chosen)
    expect(page.locator(".widget-secrets li")).to_have_count(0)


def test_a_second_press_makes_no_second_secret_of_a_widget(desk):
    left, _ = two_shops(desk, "pressed twice")
    page = console(desk, WORDS, "/settings/widget")
    page.locator("#widget-business").select_option(left)
    held = []
    page.route(re.compile(f"/businesses/{left}/widget/secrets$"), held.append)
    button = page.get_by_role("button", name=WORDS("widget.secret.new"), exact=True)
    button.press("Enter")
    wait_for(page, held)
    button.press("Enter")
    for one in held:
        one.continue_()
    page.unroute(re.compile(f"/businesses/{left}/widget/secrets$"))
    expect(page.locator(".widget-secrets li")).to_have_count(1)
    assert len(desk.owner.fetch(f"/api/businesses/{left}/widget")["secrets"]) == 1


def test_who_removes_a_secret_of_a_widget_keeps_the_focus_and_a_greeting_without_words_is_named(desk):
    left, _ = two_shops(desk, "focus of a secret")
    page = console(desk, WORDS, "/settings/widget")
    page.locator("#widget-business").select_option(left)
    make = page.get_by_role("button", name=WORDS("widget.secret.new"), exact=True)
    make.press("Enter")
    expect(page.locator(".widget-secrets li")).to_have_count(1)
    page.locator(".widget-secrets button").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=WORDS("widget.secret.remove"), exact=True).press("Enter")
    expect(page.locator(".widget-secrets li")).to_have_count(0)
    expect(make).to_be_focused()
    page.get_by_role("button", name=WORDS("widget.greeting.new")).press("Enter")
    page.get_by_role("button", name=WORDS("shared.save"), exact=True).press("Enter")
    said = WORDS("widget.greeting.textMissing", name=WORDS("widget.greeting.of", number=1))
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    expect(page.locator(".widget-greeting textarea").first).to_be_focused()
