"""What is typed or pressed in a list of the settings while the answer to another change comes is not lost."""

import pytest
from pages import console
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_labels import make_label, ready


class Held:
    """The changes that a page asks for reach the server when they are released."""

    def __init__(self, page, pattern):
        self.waiting = []
        page.route(pattern, lambda route: route.continue_() if route.request.method in ("GET", "HEAD") else self.waiting.append(route))

    def release(self, page):
        """Lets the first one through, once it has been asked for, and waits for its answer."""
        for _ in range(500):
            if self.waiting:
                break
            page.wait_for_timeout(20)
        route = self.waiting.pop(0)
        with page.expect_response(lambda answer: answer.request == route.request):
            route.continue_()


@pytest.fixture
def listed(desk):
    """The labels of a business of its own in the settings, whose changes are held back."""
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Kept typing"}, expect=201)
    for place, name in enumerate(("Returns", "VIP", "Late")):
        make_label(desk, shop, name, order=place)
    page = console(desk, words, "/settings/labels")
    page.locator("#labels-business").select_option(shop["id"])
    names = page.locator("labels-panel .item-list .fd-input")
    expect(names).to_have_count(3)
    held = Held(page, f"**/api/businesses/{shop['id']}/labels/**")
    return words, page, names, held, lambda: [
        one["name"] for one in desk.owner.fetch(f"/api/businesses/{shop['id']}/labels")["data"] if not one["retired"]]


def test_a_name_that_is_being_typed_stays_while_another_change_is_saved(listed):
    words, page, names, held, stored = listed
    names.nth(0).fill("Exchange")
    page.keyboard.press("Tab")
    names.nth(1).click()
    page.keyboard.press("End")
    page.keyboard.type(" cust")
    held.release(page)
    expect(page.get_by_text(words("items.saved", name="Exchange"))).to_be_visible()
    page.keyboard.type("omer")
    expect(names.nth(1)).to_have_value("VIP customer")
    # Nothing is saved that is half typed.
    assert not held.waiting
    page.keyboard.press("Enter")
    held.release(page)
    expect(page.get_by_text(words("items.saved", name="VIP customer"))).to_be_visible()
    expect(page.get_by_role("button", name=words("items.retireOf", name="VIP customer"), exact=True)).to_be_visible()
    assert stored() == ["Exchange", "VIP customer", "Late"]


def test_a_press_that_has_begun_still_hits_when_a_change_is_saved_meanwhile(listed):
    words, page, names, held, stored = listed
    names.nth(0).fill("Exchange")
    retire = page.get_by_role("button", name=words("items.retireOf", name="Late"), exact=True)
    box = retire.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    held.release(page)
    expect(page.get_by_text(words("items.saved", name="Exchange"))).to_be_visible()
    page.mouse.up()
    held.release(page)
    expect(page.get_by_role("button", name=words("items.restoreOf", name="Late"), exact=True)).to_be_visible()
    assert stored() == ["Exchange", "VIP"]


def test_the_focus_stays_with_the_row_that_moves(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Moving rows"}, expect=201)
    for name in ("Aa", "Bb", "Cc"):
        desk.owner.post(f"/api/businesses/{shop['id']}/teams", {"name": name, "colour": "#46a758"}, expect=201)
    page = console(desk, words, "/settings/teams")
    page.locator("#teams-business").select_option(shop["id"])
    names = page.locator("teams-panel .item-list .fd-input")
    expect(names).to_have_count(3)
    names.nth(0).fill("Zz")
    # The list is in the order of the names.
    names.nth(0).press("Enter")
    expect(names.nth(2)).to_have_value("Zz")
    expect(names.nth(2)).to_be_focused()


@pytest.mark.parametrize("is_pressed", [False, True])
@pytest.mark.parametrize("kind", ["macros", "rules"])
def test_an_editor_that_was_opened_meanwhile_stays_when_a_change_of_the_list_is_saved(desk, kind, is_pressed):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": f"Editing {kind} {is_pressed}"}, expect=201)
    path = f"/api/businesses/{shop['id']}/{kind}"
    if kind == "macros":
        desk.owner.post(path, {"name": "Close it", "actions": [{"state": "closed"}], "parameters": [], "shared": True}, expect=201)
    else:
        desk.owner.post(path, {"name": "Close it", "on": True, "order": 10, "when": "closed", "if": [], "then": [{"state": "closed"}]}, expect=201)
    page = console(desk, words, f"/settings/{kind}")
    page.locator(f"#{kind}-business").select_option(shop["id"])
    held = Held(page, f"**{path}/**")
    if kind == "macros":
        page.get_by_role("button", name=words("macros.retireOf", name="Close it"), exact=True).click()
        answered = page.get_by_role("button", name=words("macros.restoreOf", name="Close it"), exact=True)
    else:
        page.get_by_role("switch", name=words("rules.onOf", name="Close it"), exact=True).click(no_wait_after=True)
        answered = page.get_by_role("switch", name=words("rules.onOf", name="Close it"), exact=True, checked=False)
    new = page.get_by_role("button", name=words(f"{kind}.new"), exact=True)
    name = page.get_by_role("textbox", name=words(f"{kind}.name"), exact=True)
    if is_pressed:
        # The answer comes between the two halves of the press that opens the editor.
        new.hover()
        page.mouse.down()
        held.release(page)
        page.mouse.up()
        name.fill("Half wr")
    else:
        new.click()
        name.fill("Half wr")
        held.release(page)
    name.press_sequentially("itten")
    expect(name).to_have_value("Half written")
    page.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(answered).to_be_visible()


def test_enter_chooses_the_item_that_was_gone_to_though_another_came_above_it(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Menu that grows"}, expect=201)
    for place, name in enumerate(("Returns", "VIP", "Late")):
        make_label(desk, shop, name, order=10 + place)
    conversation = Customer(desk.server, shop["id"]).say("Hello")["message"]["conversation"]
    page = ready(console(desk, words, f"/c/{conversation}"))
    page.locator("conversation-head .label-button").click()
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_count(3)
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_class("pick-item is-at")
    make_label(desk, shop, "Above", order=1)
    expect(options).to_have_count(4)
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="VIP", exact=True)).to_have_attribute("aria-checked", "true")
    assert len(desk.owner.fetch(f"/api/conversations/{conversation}")["labels"]) == 1
