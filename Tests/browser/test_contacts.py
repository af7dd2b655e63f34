"""What the business knows of a person: the third column of the console edits it, and every view shows the name."""

import re

import pytest
from looks import assert_accessible
from pages import open_conversation, refusal, wait_for, with_contact
from playwright.sync_api import expect
from support.words import Words


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_a_contact_is_named_in_the_third_column_and_shown_everywhere(desk, language, scheme):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"I have a name ({language})", scheme=scheme)
    box = page.locator("side-column contact-box")
    box.get_by_role("button", name=words("contact.add"), exact=True).click()
    box.get_by_label(words("contact.name"), exact=True).fill(f"Mrs Sato {language}")
    box.get_by_label(words("contact.externalId"), exact=True).fill(f"C-{language}")
    box.get_by_label(words("contact.notes"), exact=True).fill("Prefers mornings.\nSpeaks softly.")
    desk.shot(page, f"contact-form-{language}-{scheme}")
    assert_accessible(page)
    box.get_by_role("button", name=words("contact.save"), exact=True).click()
    expect(box.get_by_text("Prefers mornings.")).to_be_visible()
    expect(page.locator("#view-title")).to_have_text(f"Mrs Sato {language}")
    expect(page.locator("side-column .customer-head h2")).to_have_text(f"Mrs Sato {language}")
    expect(page.locator("conversation-list").get_by_text(f"Mrs Sato {language}")).to_be_visible()
    desk.shot(page, f"contact-{language}-{scheme}")
    # A colleague renames: the row and the box follow without a reload.
    shown = desk.owner.fetch(f"/api/conversations/{conversation}")
    path = f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}"
    desk.owner.call("PATCH", path, {"name": f"Dr Sato {language}"})
    expect(page.locator("#view-title")).to_have_text(f"Dr Sato {language}")
    expect(box.get_by_text(f"Dr Sato {language}")).to_be_visible()


@pytest.mark.parametrize("language, scheme", [("en", "dark"), ("ja", "light")])
def test_metadata_that_programs_keep_is_shown_and_follows_them(desk, language, scheme):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"I have an order ({language})", scheme=scheme)
    box = page.locator("side-column contact-box")
    expect(box.get_by_role("button", name=words("contact.add"), exact=True)).to_be_visible()
    about = {name: box.get_by_role("region", name=words(name), exact=True)
             for name in ("contact.metadata", "contact.metadata.conversation")}
    for region in about.values():
        expect(region).to_have_count(0)
    shown = desk.owner.fetch(f"/api/conversations/{conversation}")
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"metadata": {"注文 <b>": "A-17"}})
    expect(about["contact.metadata.conversation"]).to_contain_text("A-17")
    expect(about["contact.metadata.conversation"].locator("dt")).to_have_text(["注文 <b>"])
    path = f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}"
    desk.owner.call("PATCH", path, {"metadata": {"crm": "4711"}})
    expect(about["contact.metadata"]).to_contain_text("4711")
    desk.shot(page, f"metadata-{language}-{scheme}")
    assert_accessible(page)
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"metadata": {"注文 <b>": None}})
    expect(about["contact.metadata.conversation"]).to_have_count(0)


ONE_CONTACT = re.compile("/contacts/[^/?]+$")
DRAW = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def test_an_answer_of_before_does_not_replace_what_is_known_of_a_contact_since(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "I change fast")
    box = page.locator("side-column contact-box")
    expect(box.get_by_role("button", name=words("contact.add"), exact=True)).to_be_visible()
    shown = desk.owner.fetch(f"/api/conversations/{conversation}")
    path = f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}"
    first, second = [], []
    page.route(ONE_CONTACT, lambda route: (second if first else first).append(route))
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"metadata": {"order": "A-1"}})
    wait_for(page, first)
    before = desk.owner.fetch(path)
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"metadata": {"order": "A-2"}})
    wait_for(page, second)
    second[0].continue_()
    expect(box.get_by_text("A-2")).to_be_visible()
    with page.expect_response(ONE_CONTACT):
        first[0].fulfill(json=before)
    page.evaluate(DRAW)
    expect(box.get_by_text("A-2")).to_be_visible()


def test_a_contact_that_cannot_be_read_again_stays_in_its_form(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "I am written about")
    box = page.locator("side-column contact-box")
    add = box.get_by_role("button", name=words("contact.add"), exact=True)
    expect(add).to_be_visible()
    held = []
    page.route(ONE_CONTACT, lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"metadata": {"order": "A-1"}})
    wait_for(page, held)
    add.click()
    name = box.get_by_label(words("contact.name"), exact=True)
    name.fill("Mr Half")
    box.get_by_label(words("contact.notes"), exact=True).focus()
    with page.expect_response(ONE_CONTACT):
        held[0].fulfill(**refusal(404, "not_found"))
    page.evaluate(DRAW)
    expect(name).to_have_value("Mr Half")
    page.unroute(ONE_CONTACT)
    box.get_by_role("button", name=words("contact.save"), exact=True).click()
    about = box.get_by_role("region", name=words("contact.title"), exact=True)
    expect(about.get_by_role("button", name=words("contact.edit"), exact=True)).to_be_visible()
    expect(box.get_by_text("Mr Half")).to_be_visible()


def test_a_number_that_another_contact_has_is_refused_beside_the_field(desk):
    words = Words("en")
    _, _, first = open_conversation(desk, words, "I was first")
    shown = desk.owner.fetch(f"/api/conversations/{first}")
    desk.owner.call(
        "PATCH", f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}", {"externalId": "C-taken"})
    page, _, _ = open_conversation(desk, words, "I was second")
    box = page.locator("side-column contact-box")
    box.get_by_role("button", name=words("contact.add"), exact=True).click()
    box.get_by_label(words("contact.externalId"), exact=True).fill("C-taken")
    box.get_by_role("button", name=words("contact.save"), exact=True).click()
    expect(box.get_by_role("alert")).not_to_be_empty()
    expect(box.get_by_label(words("contact.externalId"), exact=True)).to_have_value("C-taken")
    box.get_by_label(words("contact.externalId"), exact=True).press("Escape")
    expect(box.get_by_role("button", name=words("contact.add"), exact=True)).to_be_focused()


def test_a_block_is_shown_in_the_head_and_undone(desk):
    words = Words("en")
    page, customer, conversation = open_conversation(desk, words, "Too many words")
    box = page.locator("side-column contact-box")
    with_contact(page, words, "block")
    page.get_by_role("dialog").get_by_role("button", name=words("contact.block"), exact=True).click()
    expect(page.locator(".view-meta")).to_contain_text(words("contact.blocked"))
    expect(page.locator("desk-thread").get_by_text("blocked the customer")).to_be_visible()
    desk.shot(page, "contact-blocked")
    assert_accessible(page)
    with_contact(page, words, "unblock")
    expect(page.locator(".view-meta")).not_to_contain_text(words("contact.blocked"))


def test_two_contacts_are_merged_and_parted_in_the_third_column(desk):
    words = Words("en")
    _, _, first = open_conversation(desk, words, "From my phone")
    shown = desk.owner.fetch(f"/api/conversations/{first}")
    desk.owner.call(
        "PATCH", f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}", {"name": "Person of two phones"})
    page, _, second = open_conversation(desk, words, "From my tablet")
    box = page.locator("side-column contact-box")
    with_contact(page, words, "merge")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("two pho")
    dialog.get_by_role("button", name="Person of two phones").click()
    expect(page.locator("#view-title")).to_have_text("Person of two phones")
    expect(box.get_by_role("button", name=words("contact.unmerge"), exact=True)).to_be_visible()
    desk.shot(page, "contact-merged")
    assert desk.owner.fetch(f"/api/conversations/{first}")["contact"]["id"] == second
    box.get_by_role("button", name=words("contact.unmerge"), exact=True).click()
    expect(page.locator("#view-title")).not_to_have_text("Person of two phones")
    assert desk.owner.fetch(f"/api/conversations/{first}")["contact"]["id"] == first


def test_a_contact_that_the_server_merged_is_said_to_be_of_before_the_sign_in(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "I am signed in now")

    def merged(route):
        body = desk.owner.fetch(route.request.url.removeprefix(desk.phone_url))
        body["mergedFrom"] = [{"id": body["id"], "name": "Visitor", "at": body["createdAt"], "by": {"type": "server", "id": "", "name": None}}]
        route.fulfill(json=body)
    page.route(re.compile(f"/contacts/{conversation}$"), merged)
    page.reload()
    line = page.locator("side-column .contact-merged li > span")
    expect(line).to_have_text(words("contact.mergedFrom.signedIn", name="Visitor"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_attributes_are_given_values_in_the_third_column(desk, language):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"Where is my order? ({language})")
    business = desk.owner.fetch(f"/api/conversations/{conversation}")["business"]
    for key, kind, more in (("order", "text", {}), ("weight", "number", {}), ("tier", "choice", {"choices": ["gold", "silver"]})):
        desk.owner.post(f"/api/businesses/{business}/attributes", {
            "of": "conversation", "key": f"{key}_{language}", "name": f"{key} {language}", "type": kind, **more}, expect=201)
    page.reload()
    box = page.locator("side-column attribute-box").first
    box.get_by_role("button", name=words("contact.edit"), exact=True).click()
    box.get_by_label(f"order {language}").fill("A-17")
    box.get_by_label(f"weight {language}").fill("much")
    box.get_by_label(f"tier {language}").select_option("gold")
    box.get_by_role("button", name=words("contact.save"), exact=True).click()
    expect(box.get_by_role("alert")).not_to_be_empty()
    box.get_by_label(f"weight {language}").fill("12.50")
    desk.shot(page, f"attributes-form-{language}")
    assert_accessible(page)
    box.get_by_role("button", name=words("contact.save"), exact=True).click()
    expect(box.get_by_text("A-17")).to_be_visible()
    expect(box.get_by_text("12.5")).to_be_visible()
    expect(page.locator("desk-thread").get_by_text(words("thread.event.attributes", who=words("thread.event.you")))).to_be_visible()
    desk.shot(page, f"attributes-{language}")
    values = desk.owner.fetch(f"/api/conversations/{conversation}")["attributes"]
    assert values == {f"order_{language}": "A-17", f"weight_{language}": 12.5, f"tier_{language}": "gold"}


def test_the_transcript_is_opened_from_the_head(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Write <b>this</b> down")
    page.get_by_role("button", name=words("console.head.more"), exact=True).click()
    with page.expect_popup() as opened:
        page.get_by_role("menuitem", name=words("console.transcript.html"), exact=True).click()
    transcript = opened.value
    expect(transcript.get_by_text("Write <b>this</b> down")).to_be_visible()
    desk.shot(transcript, "transcript")
