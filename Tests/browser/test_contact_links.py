"""Contacts across businesses: linked, shown and parted by who belongs to both, and seen by no one else."""

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words
from test_labels import LOOKS, ready


def customers(desk, name, words):
    """A second live business, and a customer in each: their conversations and contacts."""
    second = desk.owner.post("/api/businesses", {"name": name, "mode": "live"}, expect=201)
    made = []
    for business in (live_business(desk)["id"], second["id"]):
        conversation = Customer(desk.server, business).say(f"Hello ({name})")["message"]["conversation"]
        contact = desk.owner.fetch(f"/api/conversations/{conversation}")["contact"]["id"]
        made.append((business, conversation, contact))
    desk.owner.call("PATCH", f"/api/businesses/{second['id']}/contacts/{made[1][2]}", {"name": f"Sato {name}"})
    return second, made


def open_customer(desk, words, conversation, session=None, phone=False, **look):
    """The conversation with its third column."""
    page = ready(console(desk, words, f"/c/{conversation}", session=session, phone=phone, **look))
    expect(page.locator("contact-box .contact-actions, contact-box attribute-box").first).to_be_attached()
    if phone:
        page.get_by_role("button", name=words("console.side"), exact=True).click()
    return page


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_member_of_both_links_and_unlinks_a_contact_and_a_member_of_one_sees_nothing(desk, language, scheme, phone):
    words = Words(language)
    name = f"Tea garden {language}"
    second, [(first, here, contact), (_, there, other)] = customers(desk, name, words)
    page = open_customer(desk, words, here, phone=phone, scheme=scheme)
    links = page.locator("contact-links")
    links.get_by_role("button", name=words("contact.link.new"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("contact.link.new"), exact=True)
    search = dialog.get_by_label(words("contact.search"), exact=True)
    expect(search).to_be_focused()
    dialog.get_by_label(words("console.business"), exact=True).select_option(second["id"])
    search.fill("Sato")
    found = dialog.locator(".customer-row")
    expect(found).to_have_count(1)
    desk.shot(page, f"contact-links-dialog-{language}-{scheme}")
    assert_accessible(page)
    found.press("Enter")
    expect(links.get_by_text(words("contact.link.also", business=name), exact=True)).to_be_visible()
    expect(links.get_by_role("link", name=f"Sato {name}")).to_be_visible()
    links.scroll_into_view_if_needed()
    desk.shot(page, f"contact-links-{language}-{scheme}")
    assert_accessible(page)
    # Who belongs to the first business alone is offered nothing, and answered as if there were none.
    colleague = member(desk, f"Link{language}{int(phone)}")
    other_page = open_customer(desk, words, here, session=colleague, phone=phone, scheme=scheme)
    expect(other_page.locator("contact-box")).to_be_attached()
    expect(other_page.locator("contact-links")).to_have_count(0)
    assert colleague.fetch(f"/api/businesses/{first}/contacts/{contact}/links")["data"] == []
    refused = colleague.call("PUT", f"/api/businesses/{first}/contacts/{contact}/links/{other}", expect=404)
    assert "Sato" not in refused.text
    # Unlinked, with the way back in a toast; the link leads to the other conversation.
    links.get_by_role("button", name=words("contact.link.partOf", name=f"Sato {name}", business=name), exact=True).press("Enter")
    expect(links.get_by_role("link")).to_have_count(0)
    page.locator(".fd-toast-undo").click()
    link = links.get_by_role("link", name=f"Sato {name}")
    expect(link).to_be_visible()
    link.press("Enter")
    expect(page.locator("desk-thread").get_by_text(f"Hello ({name})")).to_be_attached()
    page.wait_for_url(f"**/c/{there}")


def test_the_way_back_links_the_contact_that_was_unlinked_though_another_is_open(desk):
    words = Words("en")
    _, [(first, here, contact), (second, _, other)] = customers(desk, "Two at once", words)
    elsewhere = Customer(desk.server, first).say("Another person")["message"]["conversation"]
    third = desk.owner.fetch(f"/api/conversations/{elsewhere}")["contact"]["id"]
    path = f"/api/businesses/{first}/contacts"
    desk.owner.call("PUT", f"{path}/{contact}/links/{other}", expect=204)
    page = open_customer(desk, words, here)
    page.locator("contact-links").get_by_role(
        "button", name=words("contact.link.partOf", name="Sato Two at once", business="Two at once"), exact=True).click()
    undo = page.locator(".fd-toast-undo")
    expect(undo).to_be_visible()
    with page.expect_response(f"**/contacts/{third}/links"):
        page.evaluate("(path) => document.querySelector('desk-workspace').go(path)", f"/console/c/{elsewhere}")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/links/" in answer.url):
        undo.click()
    assert [one["contact"] for one in desk.owner.fetch(f"{path}/{contact}/links")["data"]] == [other]
    assert desk.owner.fetch(f"{path}/{third}/links")["data"] == []


def test_a_verified_number_joins_contacts_and_says_so(desk):
    words = Words("en")
    second, [(first, here, contact), (_, _, other)] = customers(desk, "Garden", words)
    for business, one in ((first, contact), (second["id"], other)):
        Session(desk.server, desk.server.make_key(business, f"till {business[:4]}")).call(
            "PATCH", f"/api/businesses/{business}/contacts/{one}", {"externalId": "G-4711"})
    page = open_customer(desk, words, here)
    links = page.locator("contact-links")
    expect(links.get_by_text(words("contact.link.also", business="Garden"), exact=True)).to_be_visible()
    expect(links).to_contain_text(words("contact.link.byID"))
    expect(page.locator("contact-box .contact-verified")).to_have_text(words("contact.verified"))
    desk.shot(page, "contact-links-verified")
    assert_accessible(page)
