"""Attributes of conversations and contacts: defined in the settings, filled in beside the conversation."""

import pytest
from looks import assert_accessible
from pages import console, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_labels import LOOKS


def open_attributes(desk, words, shop, **look):
    """The settings of a business's attributes."""
    page = console(desk, words, "/settings/attributes", **look)
    page.locator("#attributes-business").select_option(shop["id"])
    expect(page.get_by_role("heading", level=2, name=words("attributes.of.conversation"), exact=True)).to_be_visible()
    return page


def stored(desk, shop):
    """The definitions, as the API has them."""
    return desk.owner.fetch(f"/api/businesses/{shop['id']}/attributes")["data"]


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_owner_defines_attributes_and_learns_of_a_fault_where_it_is_typed(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Attributes {language}"}, expect=201)
    page = open_attributes(desk, words, shop, scheme=scheme, phone=phone)
    create = page.get_by_role("button", name=words("attributes.create"), exact=True)
    name, key = page.locator("#attribute-name"), page.locator("#attribute-key")
    create.press("Enter")
    expect(page.locator("#attribute-name-fault")).to_have_text(words("attributes.fault.name.empty"))
    expect(name).to_be_focused()
    name.press_sequentially("Order number")
    expect(key).to_have_value("order_number")
    key.fill("Order No")
    expect(page.locator("#attribute-key-fault")).to_have_text(words("attributes.fault.key.letters"))
    expect(key).to_have_attribute("aria-invalid", "true")
    create.press("Enter")
    expect(key).to_be_focused()
    assert stored(desk, shop) == []
    key.fill("order_no")
    expect(page.locator("#attribute-key-fault")).to_be_empty()
    create.press("Enter")
    expect(page.get_by_label(words("items.nameOf", name="Order number"), exact=True)).to_be_visible()
    # The form is empty again and has the focus; the key is in use now.
    expect(name).to_be_focused()
    name.press_sequentially("Tier")
    key.fill("order_no")
    expect(page.locator("#attribute-key-fault")).to_have_text(words("attributes.fault.key.used"))
    page.locator("#attribute-of").select_option("contact")
    key.fill("tier")
    page.locator("#attribute-type").select_option("choice")
    create.press("Enter")
    expect(page.locator("#attribute-choices-fault")).to_have_text(words("attributes.fault.choices.none"))
    desk.shot(page, f"attributes-fault-{language}-{scheme}")
    assert_accessible(page)
    page.locator("#attribute-choices").fill("gold\nsilver\ngold")
    create.press("Enter")
    another = page.get_by_label(words("attributes.newChoice", name="Tier"), exact=True)
    another.fill("gold")
    another.press("Enter")
    expect(page.get_by_text(words("attributes.fault.choice.there"))).to_be_visible()
    another.fill("bronze")
    another.press("Enter")
    expect(page.locator("attributes-panel .chip")).to_have_text(["gold", "silver", "bronze"])
    expect(another).to_be_focused()
    assert [(one["of"], one["key"], one["type"], one["choices"]) for one in stored(desk, shop)] == [
        ("conversation", "order_no", "text", []), ("contact", "tier", "choice", ["gold", "silver", "bronze"])]
    # Further ones, renamed, moved and retired by keyboard.
    desk.owner.post(f"/api/businesses/{shop['id']}/attributes", {"of": "conversation", "key": "day", "name": "Day", "type": "date", "order": 20}, expect=201)
    page = open_attributes(desk, words, shop, scheme=scheme, phone=phone)
    renamed = page.get_by_label(words("items.nameOf", name="Day"), exact=True)
    renamed.fill("Delivery day")
    renamed.press("Enter")
    up = page.get_by_role("button", name=words("labels.up", name="Delivery day"), exact=True)
    up.press("Enter")
    expect(page.get_by_role("button", name=words("labels.down", name="Delivery day"), exact=True)).to_be_focused()
    page.get_by_role("button", name=words("items.retireOf", name="Order number"), exact=True).press("Enter")
    restore = page.get_by_role("button", name=words("items.restoreOf", name="Order number"), exact=True)
    expect(restore).to_be_focused()
    desk.shot(page, f"attributes-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    restore.press("Enter")
    expect(page.locator("attributes-panel .attribute-list").first.locator("input.fd-input")).to_have_count(2)
    expect(page.get_by_label(words("items.nameOf", name="Order number"), exact=True)).to_be_focused()
    assert [one["name"] for one in stored(desk, shop) if one["of"] == "conversation"] == ["Delivery day", "Order number"]


def test_what_is_defined_can_be_filled_in_beside_the_conversation(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Filled in"}, expect=201)
    conversation = Customer(desk.server, shop["id"]).say("Where is my order?")["message"]["conversation"]
    page = console(desk, words, f"/c/{conversation}")
    expect(page.locator("desk-thread").get_by_text("Where is my order?")).to_be_visible()
    # The page has read that there are none.
    page.get_by_role("link", name=words("console.settings"), exact=True).click()
    page.get_by_role("link", name=words("console.section.attributes"), exact=True).click()
    page.locator("#attributes-business").select_option(shop["id"])
    page.locator("#attribute-name").fill("Order number")
    page.get_by_role("button", name=words("attributes.create"), exact=True).click()
    expect(page.get_by_label(words("items.nameOf", name="Order number"), exact=True)).to_be_visible()
    page.go_back()
    page.go_back()
    box = page.locator("attribute-box", has=page.get_by_role("heading", name=words("attribute.conversation")))
    box.get_by_role("button", name=words("contact.edit"), exact=True).click()
    box.get_by_label("Order number", exact=True).fill("A-17")
    box.get_by_role("button", name=words("contact.save"), exact=True).click()
    expect(box.get_by_text("A-17")).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["attributes"] == {"order_number": "A-17"}


def test_an_agent_reads_the_attributes_and_changes_nothing(desk):
    words = Words("ja")
    business = next(one for one in desk.owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
    desk.owner.post(f"/api/businesses/{business['id']}/attributes", {
        "of": "contact", "key": "seen_by_agents", "name": "Seen", "type": "choice", "choices": ["yes"]}, expect=201)
    page = console(desk, words, "/settings/attributes", session=member(desk, "Bo-attributes"), scheme="dark", phone=True)
    expect(page.get_by_text(words("attributes.onlyOwners"))).to_be_visible()
    expect(page.get_by_text("seen_by_agents")).to_be_visible()
    expect(page.locator("attributes-panel :is(button, input, textarea)")).to_have_count(0)
    assert_accessible(page)
