"""Labels and priorities on screen: made in the settings, put on conversations, counted and listed in the navigation."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_settings import member

LOOKS = [("en", "light", False), ("ja", "dark", True)]


def make_label(desk, business, name, colour="#0090ff", order=0):
    """A label of a business, by the API."""
    return desk.owner.post(f"/api/businesses/{business['id']}/labels", {
        "name": name, "colour": colour, "order": order}, expect=201)["id"]


def ready(page):
    """Waits until the page has its live connection."""
    expect(page.locator(".line-mark[data-state=live]")).to_be_attached()
    return page


def row_of(page, conversation):
    """The row of a conversation."""
    return page.locator(f"conversation-list [data-open='{conversation}']")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_owner_makes_renames_colours_orders_and_retires_labels(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Labels {language}"}, expect=201)
    make_label(desk, live_business(desk), f"Elsewhere {language}")
    page = console(desk, words, "/settings/labels", scheme=scheme, phone=phone)
    page.locator("#labels-business").select_option(shop["id"])
    panel = page.locator("labels-panel")
    expect(panel.get_by_text(words("labels.none"))).to_be_visible()
    for name in ("Returns", "VIP", "Late"):
        panel.get_by_label(words("items.name"), exact=True).fill(name)
        panel.get_by_label(words("items.name"), exact=True).press("Enter")
        expect(panel.get_by_label(words("items.nameOf", name=name))).to_have_value(name)
    names = panel.locator(".item-list .fd-input")

    def stored(field, retired=False):
        found = desk.owner.fetch(f"/api/businesses/{shop['id']}/labels")["data"]
        return [one[field] for one in found if one["retired"] == retired]

    assert stored("name") == ["Returns", "VIP", "Late"]
    assert len(set(stored("colour"))) == 3
    # By keyboard: up twice, and the focus stays with what is moved.
    up = panel.get_by_role("button", name=words("labels.up", name="Late"), exact=True)
    up.press("Enter")
    expect(names.nth(1)).to_have_value("Late")
    up.press("Enter")
    expect(names.nth(0)).to_have_value("Late")
    expect(panel.get_by_role("button", name=words("labels.down", name="Late"), exact=True)).to_be_focused()
    assert stored("name") == ["Late", "Returns", "VIP"]
    # A name that is in use is refused in a sentence, and the old name is back.
    names.nth(1).fill("vip")
    names.nth(1).press("Enter")
    expect(panel.get_by_role("alert").filter(has_text=words("labels.taken"))).to_be_visible()
    expect(names.nth(1)).to_have_value("Returns")
    names.nth(1).fill("Exchange")
    names.nth(1).press("Enter")
    expect(page.get_by_text(words("items.saved", name="Exchange"))).to_be_visible()
    assert stored("name") == ["Late", "Exchange", "VIP"]
    panel.get_by_role("button", name=words("items.colourOf", name="VIP"), exact=True).click()
    desk.shot(page, f"labels-colours-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("button", name="#8e4ec6", exact=True).click()
    expect(page.get_by_text(words("items.saved", name="VIP"))).to_be_visible()
    assert stored("colour")[2] == "#8e4ec6"
    panel.get_by_role("button", name=words("items.retireOf", name="Late"), exact=True).click()
    restore = panel.get_by_role("button", name=words("items.restoreOf", name="Late"), exact=True)
    expect(restore).to_be_visible()
    assert stored("name", retired=True) == ["Late"]
    desk.shot(page, f"labels-settings-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    restore.click()
    expect(names).to_have_count(3)


def test_an_agent_sees_labels_and_is_offered_no_change(desk):
    words = Words("en")
    shop = live_business(desk)
    make_label(desk, shop, "Seen by agents")
    page = console(desk, words, "/settings/labels", session=member(desk, "Lou"))
    panel = page.locator("labels-panel")
    expect(panel.get_by_text("Seen by agents", exact=True)).to_be_visible()
    expect(panel.get_by_text(words("labels.onlyOwners"))).to_be_visible()
    expect(panel.locator("button, input")).to_have_count(0)
    assert_accessible(page)


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_label_is_added_and_removed_by_keyboard_and_seen_everywhere_at_once(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Repairs {language}"}, expect=201)
    first = f"Returns {language}"
    ids = {name: make_label(desk, shop, name, colour, place) for place, (name, colour) in enumerate(
        [(first, "#f76b15"), ("VIP", "#8e4ec6"), ("Warranty", "#46a758")])}
    customer = Customer(desk.server, shop["id"])
    conversation = customer.say("The kettle leaks")["message"]["conversation"]
    page = ready(console(desk, words, f"/c/{conversation}", scheme=scheme, phone=phone))
    head = page.locator("conversation-head")
    expect(page.locator("desk-thread").get_by_text("The kettle leaks")).to_be_visible()
    colleague = ready(console(desk, words))

    def pick(text):
        if phone:
            head.locator(".side-open").click()
            page.locator("customer-panel [data-menu=labels]").click()
        else:
            page.keyboard.press("l")
        page.get_by_role("combobox", name=words("console.labels.find"), exact=True).fill(text)
        # The rest of the list is the offer to make a label of this name.
        expect(page.get_by_role("option")).to_have_count(2)
        page.keyboard.press("Enter")

    def close():
        page.keyboard.press("Escape")
        expect(page.get_by_role("combobox")).to_have_count(0)
        if phone:
            page.locator("side-column .side-hide").click()

    pick("ret")
    expect(head.locator(".label-chip")).to_have_text([first])
    expect(page.get_by_role("option")).to_have_count(3)
    expect(page.get_by_role("option", name=first)).to_have_attribute("aria-checked", "true")
    desk.shot(page, f"labels-menu-{language}-{scheme}")
    assert_accessible(page)
    close()
    line = page.locator("desk-thread").get_by_text(
        words("thread.event.labelsAdded", count=1, who=words("thread.event.you"), names=first))
    expect(line).to_be_visible()
    expect(row_of(colleague, conversation).get_by_role("img", name=words("customer.labelsAre", names=first))).to_be_visible()
    view = colleague.locator("inbox-nav").get_by_role("button", name=re.compile(f"^{first}"))
    expect(view.locator(".nav-number")).to_have_text("1")
    # Undo, by the toast.
    page.get_by_role("button", name=words("shared.undo"), exact=True).first.click()
    expect(head.locator(".label-chip")).to_have_count(0)
    expect(view).to_have_count(0)
    # Three labels: a row shows two dots and a number, at the same height.
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"labels": {"add": list(ids.values())}})
    expect(row_of(colleague, conversation).locator(".label-dots")).to_have_text("+1")
    assert row_of(colleague, conversation).evaluate("(one) => one.getBoundingClientRect().height") == 60
    expect(head.locator(".label-chip")).to_have_text([first, "VIP"])
    expect(head.locator(".label-more")).to_have_text("+1")
    pick("war")
    close()
    expect(head.locator(".label-more")).to_have_count(0)
    # A renamed label has its new name in lines of before.
    desk.owner.call("PATCH", f"/api/businesses/{shop['id']}/labels/{ids[first]}", {"name": "Sent back"})
    expect(head.locator(".label-chip").first).to_have_text("Sent back")
    expect(page.locator("desk-thread").get_by_text(
        words("thread.event.labelsAdded", count=1, who=words("thread.event.you"), names="Sent back"))).to_be_visible()
    desk.shot(page, f"labels-head-{language}-{scheme}")
    desk.shot(colleague, f"labels-list-{language}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_the_view_of_a_label_is_in_the_address_and_the_way_back_leads_out_of_it(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Addresses"}, expect=201)
    label = make_label(desk, shop, "Findable")
    with_label = Customer(desk.server, shop["id"]).say("I have the label")["message"]["conversation"]
    without = Customer(desk.server, shop["id"]).say("I have none")["message"]["conversation"]
    desk.owner.call("PATCH", f"/api/conversations/{with_label}", {"labels": {"add": [label]}})
    page = ready(console(desk, words))
    expect(row_of(page, without)).to_be_visible()
    view = page.locator("inbox-nav").get_by_role("button", name=re.compile("^Findable"))
    view.click()
    expect(view).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("heading", level=1)).to_have_text("Findable")
    expect(page.locator("conversation-list a.row")).to_have_count(1)
    row_of(page, with_label).click()
    expect(page).to_have_url(f"{desk.phone_url}/console/c/{with_label}?label={label}")
    address = page.url
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Findable")
    expect(page.locator("conversation-list a.row")).to_have_count(1)
    inbox_view(page, words, "mine").click()
    expect(page).to_have_url(f"{desk.phone_url}/console/c/{with_label}?view=mine")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Findable")
    page.go_back()
    expect(page).to_have_url(f"{desk.phone_url}/console?label={label}")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.view.all"))
    expect(row_of(page, without)).to_be_visible()
    # A colleague opens the link.
    other = console(desk, words)
    other.goto(address)
    expect(other.get_by_role("heading", level=1)).to_have_text("Findable")
    expect(other.locator("desk-thread").get_by_text("I have the label")).to_be_visible()
    # It leaves the list when it loses the label.
    desk.owner.call("PATCH", f"/api/conversations/{with_label}", {"labels": {"remove": [label]}})
    expect(other.locator("conversation-list a.row")).to_have_count(0)
    expect(other.get_by_text(words("console.none.narrowed"))).to_be_visible()


def test_an_owner_makes_a_label_while_labelling(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "In passing"}, expect=201)
    conversation = Customer(desk.server, shop["id"]).say("Something new")["message"]["conversation"]
    page = ready(console(desk, words, f"/c/{conversation}"))
    page.locator("conversation-head .label-button").click()
    expect(page.get_by_text(words("console.labels.noneOwner"))).to_be_visible()
    page.get_by_role("combobox", name=words("console.labels.find"), exact=True).fill("Novelty")
    page.get_by_role("option", name=words("console.pick.make", name="Novelty")).click()
    expect(page.locator("conversation-head .label-chip")).to_have_text(["Novelty"])
    assert [one["name"] for one in desk.owner.fetch(f"/api/businesses/{shop['id']}/labels")["data"]] == ["Novelty"]


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_priority_is_set_marked_in_the_row_written_in_the_thread_and_undone(desk, language, scheme, phone):
    words = Words(language)
    conversation = Customer(desk.server, live_business(desk)["id"]).say(f"It burns {language}")["message"]["conversation"]
    page = ready(console(desk, words, f"/c/{conversation}", scheme=scheme, phone=phone))
    expect(page.locator("desk-thread").get_by_text(f"It burns {language}")).to_be_visible()
    colleague = ready(console(desk, words))
    if phone:
        page.locator("conversation-head .side-open").click()
        page.locator("customer-panel [data-menu=priority]").click()
    else:
        page.keyboard.press("p")
    desk.shot(page, f"priority-menu-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("menuitemradio", name=words("customer.priority.urgent"), exact=True).press("Enter")
    is_urgent = words("customer.priorityIs", priority=words("thread.priority.urgent"))
    expect(row_of(colleague, conversation).get_by_role("img", name=is_urgent)).to_be_visible()
    if phone:
        page.locator("side-column .side-hide").click()
    expect(page.locator("desk-thread").get_by_text(words(
        "thread.event.priority", who=words("thread.event.you"), priority=words("thread.priority.urgent")))).to_be_visible()
    page.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(row_of(colleague, conversation).get_by_role("img", name=is_urgent)).to_have_count(0)
    expect(page.locator("desk-thread").get_by_text(words(
        "thread.event.priority", who=words("thread.event.you"), priority=words("thread.priority.none")))).to_be_visible()


@pytest.mark.parametrize("width, is_named", [(1440, True), (1280, False)])
def test_labels_are_named_beside_the_customer_where_there_is_room_and_are_dots_elsewhere(desk, width, is_named):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": f"Named labels {width}"}, expect=201)
    labels = [make_label(desk, shop, name, order=order) for order, name in enumerate(("Returns", "VIP"))]
    conversation = Customer(desk.server, shop["id"]).say("With two labels")["message"]["conversation"]
    contact = desk.owner.fetch(f"/api/conversations/{conversation}")["contact"]["id"]
    desk.owner.call("PATCH", f"/api/businesses/{shop['id']}/contacts/{contact}", {"name": "Mika Tanaka"})
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"labels": {"add": labels}})
    page = console(desk, words, f"/c/{conversation}", viewport={"width": width, "height": 900})
    chips = page.locator(".view-title .label-chip span")
    expect(chips).to_have_text(["Returns", "VIP"])
    shown = chips.evaluate_all("(all) => all.map((one) => one.clientWidth > 10 && one.scrollWidth <= one.clientWidth)")
    assert shown == [is_named, is_named]
    title = page.locator("#view-title")
    assert title.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    if is_named:
        assert abs(chips.first.bounding_box()["y"] - title.bounding_box()["y"]) < 6
