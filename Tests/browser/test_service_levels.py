"""Service levels on screen: chosen in the settings, shown in row and head, listed before they break, overdue in the thread."""

import pytest
from looks import assert_accessible
from pages import console, inbox_view
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_bulk import rows
from test_labels import LOOKS, ready


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_levels_are_chosen_and_a_customer_who_waits_is_due(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Levels {language}"}, expect=201)
    page = ready(console(desk, words, "/settings/levels", scheme=scheme, phone=phone))
    panel = page.locator("service-levels")
    panel.locator("#levels-business").select_option(shop["id"])
    field = panel.get_by_label(words("levels.minutesOf", answer=words("levels.firstAnswer"), priority=words("customer.priority.none")), exact=True)
    expect(field).to_have_value("")
    field.fill("0")
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    label = words("levels.minutesOf", answer=words("levels.firstAnswer"), priority=words("customer.priority.none"))
    alert = panel.get_by_role("alert").filter(has_text=words("console.numberWithin", label=label, min=1, max=43200))
    expect(alert).to_be_visible()
    expect(field).to_be_focused()
    # A number that is none is not read as an empty field, which promises nothing.
    page.keyboard.press("Control+a")
    page.keyboard.type("-")
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(alert).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("10")
    expect(alert).to_have_count(0)
    panel.get_by_label(words("levels.clock"), exact=True).select_option("always")
    panel.get_by_role("button", name=words("shared.save"), exact=True).press("Enter")
    expect(panel.get_by_text(words("levels.saved"), exact=True)).to_be_visible()
    desk.shot(page, f"service-levels-settings-{language}-{scheme}")
    assert_accessible(page)
    conversation = Customer(desk.server, shop["id"]).say("Due soon")["message"]["conversation"]
    page.goto(f"{desk.phone_url}/console?business={shop['id']}")
    ready(page)
    row = rows(page)
    expect(row.locator(".due-mark")).to_be_visible()
    view = inbox_view(page, words, "due")
    expect(view.locator(".nav-number")).to_have_text("1")
    view.click()
    expect(row).to_have_count(1)
    row.click()
    expect(page.locator("conversation-head .due-mark")).to_be_visible() if not phone else None
    desk.shot(page, f"service-levels-due-{language}-{scheme}")
    assert_accessible(page)
    # An answer ends it, here and in the list.
    desk.owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Here"}, expect=201)
    expect(page.locator(".due-mark")).to_have_count(0)
