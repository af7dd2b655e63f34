"""Saved views: kept from the filter, listed with their numbers, shared, renamed, ordered and deleted."""

import re

import pytest
from looks import assert_accessible
from pages import console
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_bulk import rows, shop_with
from test_labels import LOOKS, make_label, ready


def saved(page, name):
    """The entry of a saved view in the navigation."""
    return page.locator("inbox-nav").get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))


def save_as(page, words, name, shared=False):
    """Saves the list under a name, by the key."""
    page.keyboard.press("Shift+S")
    form = page.get_by_role("dialog", name=words("views.save"), exact=True)
    form.get_by_label(words("items.name"), exact=True).fill(name)
    if shared:
        form.get_by_role("checkbox", name=words("views.share"), exact=True).press("Space")
    form.get_by_label(words("items.name"), exact=True).press("Enter")
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def choose(page, words, view, text):
    """Chooses from the menu of the open view."""
    page.get_by_role("button", name=words("console.saved.menu", name=view), exact=True).press("Enter")
    item = page.get_by_role("menuitem", name=words(text), exact=True)
    item.press("Enter")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_filter_is_saved_counted_while_messages_arrive_and_opened_again(desk, language, scheme, phone):
    words = Words(language)
    shop, (first, second, third) = shop_with(desk, f"Views {language}", ["One", "Two", "Three"])
    label = make_label(desk, shop, f"Views label {language}")
    desk.owner.post(f"/api/businesses/{shop['id']}/attributes", {
        "of": "conversation", "key": "tier", "name": "Tier", "type": "choice", "choices": ["gold", "silver"]}, expect=201)
    for one in (first, second):
        desk.owner.call("PATCH", f"/api/conversations/{one}", {"labels": {"add": [label]}, "attributes": {"tier": "gold"}})
    page = ready(console(desk, words, f"?business={shop['id']}", scheme=scheme, phone=phone))
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name=words("console.filter"), exact=True).click()
    panel = page.get_by_role("dialog", name=words("filter.title"), exact=True)
    panel.get_by_role("checkbox", name=f"Views label {language}", exact=True).press("Space")
    panel.get_by_text(words("filter.more"), exact=True).click()
    panel.get_by_label(words("filter.attribute"), exact=True).select_option("tier")
    panel.get_by_label(words("filter.valueOf", name="Tier"), exact=True).select_option("gold")
    expect(rows(page)).to_have_count(2)
    desk.shot(page, f"saved-views-filter-{language}-{scheme}")
    assert_accessible(page)
    panel.get_by_role("button", name=words("filter.save"), exact=True).click()
    form = page.get_by_role("dialog", name=words("views.save"), exact=True)
    name = form.get_by_label(words("items.name"), exact=True)
    expect(name).to_be_focused()
    desk.shot(page, f"saved-views-form-{language}-{scheme}")
    name.fill(f"Gold {language}")
    form.get_by_role("checkbox", name=words("views.share"), exact=True).check()
    form.get_by_role("button", name=words("views.save.do"), exact=True).click()
    entry = saved(page, f"Gold {language}")
    expect(entry).to_have_attribute("aria-current", "page")
    expect(entry.locator(".nav-number")).to_have_text("2")
    expect(page.get_by_role("heading", name=f"Gold {language}", exact=True)).to_be_visible()
    desk.shot(page, f"saved-views-{language}-{scheme}")
    assert_accessible(page)
    # The number and the rows follow what happens elsewhere.
    desk.owner.call("PATCH", f"/api/conversations/{third}", {"labels": {"add": [label]}, "attributes": {"tier": "gold"}})
    expect(rows(page)).to_have_count(3)
    expect(entry.locator(".nav-number")).to_have_text("3")
    desk.owner.call("PATCH", f"/api/conversations/{first}", {"state": "closed"})
    expect(rows(page)).to_have_count(2)
    expect(entry.locator(".nav-number")).to_have_text("2")
    # It opens as it was saved, here and after a reload.
    page.locator("inbox-nav .nav-view[data-view=all]").click()
    expect(entry).not_to_have_attribute("aria-current", "page")
    entry.click()
    expect(rows(page)).to_have_count(2)
    page.reload()
    expect(page.get_by_role("heading", name=f"Gold {language}", exact=True)).to_be_visible()
    expect(rows(page)).to_have_count(2)
    # An attribute is shown by its name, and one that was retired as such.
    expect(page.locator(".filter-chip").filter(has_text="Tier: gold")).to_have_count(1)
    # A label that is retired is said, and the list stays narrow.
    desk.owner.call("PATCH", f"/api/businesses/{shop['id']}/labels/{label}", {"retired": True})
    page.reload()
    expect(page.locator(".list-gone")).to_have_text(words("console.saved.missing"))
    expect(rows(page)).to_have_count(2)
    desk.shot(page, f"saved-views-missing-{language}-{scheme}")
    assert_accessible(page)


def test_views_are_renamed_shared_ordered_and_deleted_by_keyboard(desk):
    words = Words("en")
    shop, _ = shop_with(desk, "Kept views", ["One", "Two"])
    page = ready(console(desk, words, f"?business={shop['id']}"))
    expect(rows(page)).to_have_count(2)
    save_as(page, words, "First")
    page.locator("inbox-nav .nav-view[data-view=closed]").click()
    expect(rows(page)).to_have_count(0)
    save_as(page, words, "Second", shared=True)
    names = page.locator("inbox-nav [data-saved] .nav-words")
    expect(names).to_have_text(["First", "Second"])
    choose(page, words, "Second", "views.up")
    expect(names).to_have_text(["Second", "First"])
    choose(page, words, "Second", "views.rename")
    field = page.get_by_label(words("items.name"), exact=True)
    expect(field).to_have_value("Second")
    field.fill("Done")
    field.press("Enter")
    expect(names).to_have_text(["Done", "First"])
    # A change of the list is kept when that is asked for, or undone.
    page.get_by_role("button", name=words("console.filter"), exact=True).click()
    panel = page.get_by_role("dialog", name=words("filter.title"), exact=True)
    panel.get_by_role("checkbox", name=words("customer.priority.high"), exact=True).press("Space")
    page.keyboard.press("Escape")
    expect(page.locator(".list-order")).to_have_text(words("console.saved.changed"))
    choose(page, words, "Done", "views.restore")
    expect(page.locator(".list-order")).to_have_text(words("console.order.newest"))
    # By the palette.
    page.keyboard.press("Control+K")
    page.get_by_role("combobox").fill("view first")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="First", exact=True)).to_be_visible()
    expect(rows(page)).to_have_count(2)
    choose(page, words, "First", "views.remove")
    page.get_by_role("button", name=words("views.remove"), exact=True).press("Enter")
    expect(names).to_have_text(["Done"])
    assert [one["name"] for one in desk.owner.fetch(f"/api/views/saved?business={shop['id']}")["data"]] == ["Done"]


def test_a_list_of_words_has_who_writes_them_later(desk):
    words = Words("en")
    shop, _ = shop_with(desk, "Worded views", ["the heliotrope parcel", "nothing of it"])
    page = ready(console(desk, words, f"?business={shop['id']}&text=heliotrope"))
    expect(rows(page)).to_have_count(1)
    Customer(desk.server, shop["id"]).say("another heliotrope")
    expect(rows(page)).to_have_count(2)
    expect(page.locator(".filter-chip")).to_have_text([words("console.filter.text", text="heliotrope")])


def test_a_list_of_words_is_read_again_while_the_index_of_the_search_lags(desk):
    words = Words("en")
    shop, _ = shop_with(desk, "Late views", ["the celadon parcel"])
    page = desk.page(session=desk.owner)
    lists = []

    def lag(route):
        found = desk.owner.fetch(route.request.url.removeprefix(desk.phone_url))
        # Of two lists the index does not have the message yet.
        lists.append(route)
        route.fulfill(json=found | ({"data": [], "hasMore": False, "next": None} if len(lists) <= 2 else {}))

    def say(route):
        found = desk.owner.fetch(route.request.url.removeprefix(desk.phone_url))
        found["index"]["behind"] = 3 if len(lists) < 2 else 0
        route.fulfill(json=found)

    page.route(re.compile(r"/api/conversations\?.*text(%5D|\])=celadon"), lag)
    page.route(re.compile(r"/api/search\?"), say)
    page.goto(f"{desk.phone_url}/console?business={shop['id']}&text=celadon")
    expect(page.get_by_text(words("console.none.narrowed"))).to_be_visible()
    expect(rows(page)).to_have_count(1)


def test_a_view_of_ones_own_is_on_ones_other_pages_at_once_and_one_of_what_is_due_is_saved(desk):
    words = Words("en")
    shop, _ = shop_with(desk, "Due views", ["One", "Two"])
    desk.owner.call("PUT", f"/api/businesses/{shop['id']}/service-levels", {
        "firstAnswer": {"urgent": 20}, "nextAnswer": {}, "clock": "always"})
    Customer(desk.server, shop["id"]).say("Three")
    page = ready(console(desk, words, f"?business={shop['id']}"))
    other = ready(console(desk, words, f"?business={shop['id']}"))
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name=words("console.filter"), exact=True).click()
    panel = page.get_by_role("dialog", name=words("filter.title"), exact=True)
    panel.get_by_label(words("filter.due"), exact=True).select_option("30")
    expect(rows(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.locator(".filter-chip")).to_have_count(1)
    save_as(page, words, "Due soon")
    expect(saved(other, "Due soon")).to_be_visible()
    # One that is promised something arrives, is listed and counted.
    customer = Customer(desk.server, shop["id"])
    conversation = customer.say("Urgently")["message"]["conversation"]
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"priority": "urgent"})
    expect(rows(page)).to_have_count(1)
    expect(saved(page, "Due soon").locator(".nav-number")).to_have_text("1")
    desk.shot(page, "saved-views-due")
    assert_accessible(page)
    choose(page, words, "Due soon", "views.remove")
    page.get_by_role("dialog").get_by_role("button", name=words("views.remove"), exact=True).press("Enter")
    expect(saved(other, "Due soon")).to_have_count(0)


def test_that_words_searched_for_are_no_part_of_a_view_is_said_before_it_is_saved(desk):
    words = Words("en")
    shop, _ = shop_with(desk, "Views beside a search", ["One"])
    page = ready(console(desk, words, f"?business={shop['id']}"))
    form = page.get_by_role("dialog", name=words("views.save"), exact=True)
    page.keyboard.press("Shift+S")
    expect(form).to_be_visible()
    expect(form.get_by_text(words("views.withoutSearch"))).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("searchbox", name=words("console.search"), exact=True).fill("One")
    page.locator("message-search a.hit").first.press("Shift+S")
    expect(form.get_by_text(words("views.withoutSearch"))).to_be_visible()


def test_a_name_that_is_cut_says_all_of_itself_under_the_pointer(desk):
    words = Words("en")
    name = "A shop of teas and of all that belongs to them"
    shop, _ = shop_with(desk, name, ["One"])
    page = ready(console(desk, words, f"?business={shop['id']}", viewport={"width": 1440, "height": 900}))
    short = page.locator("inbox-nav .nav-words", has_text="Mine")
    cut = page.locator("inbox-nav .nav-words", has_text=name)
    cut.hover()
    expect(cut).to_have_attribute("title", name)
    short.hover()
    expect(short).not_to_have_attribute("title", re.compile(""))
