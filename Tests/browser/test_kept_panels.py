"""A panel that is drawn again by an answer of its own keeps the focus, and what was typed in its other parts."""

import re
import time

import pytest
from pages import console, live_business, wait_for
from playwright.sync_api import expect
from support.graph import HELLO, ORDER, VISIT, Graph
from support.server import Customer
from support.words import Words
from test_labels import ready

SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


@pytest.fixture
def graph():
    """A Graph API on loopback."""
    made = Graph()
    yield made
    made.stop()


def part(page, words, key):
    """One part of the gateway's settings."""
    return page.get_by_role("region", name=words(key), exact=True)


def confirm(page, words, key):
    """Presses the button of the open question."""
    page.locator("dialog[open]").get_by_role("button", name=words(key), exact=True).press("Enter")


def test_the_focus_returns_to_the_menu_of_a_note_that_was_drawn_again_while_it_was_open(desk):
    words = Words("en")
    conversation = Customer(desk.server, live_business(desk)["id"]).say("A note with a menu")["message"]["conversation"]
    note = desk.owner.post(f"/api/conversations/{conversation}/notes", {"text": "Before"}, expect=201)
    page = ready(console(desk, words, f"/c/{conversation}"))
    menu = page.locator("desk-thread").get_by_role("button", name=words("thread.note.menu"), exact=True)
    menu.press("Enter")
    expect(page.get_by_role("menuitem", name=words("thread.note.edit"))).to_be_focused()
    desk.owner.call("PATCH", f"/api/conversations/{conversation}/notes/{note['id']}", {"text": "After"})
    expect(page.locator("desk-thread").get_by_text("After", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(menu).to_be_focused()
    expect(menu).to_have_attribute("aria-expanded", "false")


def test_what_is_typed_for_one_link_stays_while_another_is_saved(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Kept links", "mode": "test"}, expect=201)
    page = console(desk, words, "/settings/gateway")
    page.locator("#gateway-business").select_option(shop["id"])
    provider, upstream = part(page, words, "gateway.provider"), part(page, words, "gateway.upstream")
    secret = upstream.get_by_label(words("gateway.secret"), exact=True)
    secret.fill(SECRET)
    upstream.get_by_label(words("gateway.upstreamUrl"), exact=True).fill("https://half.example/ty")
    endpoint = provider.get_by_label(words("gateway.endpoint"), exact=True)
    endpoint.fill("https://bots.example.com/one")
    endpoint.press("Enter")
    expect(provider.get_by_text(words("gateway.secretOnce"))).to_be_visible()
    expect(provider.get_by_role("button", name=words("shared.copy"), exact=True).first).to_be_focused()
    expect(secret).to_have_value(SECRET)
    expect(upstream.get_by_label(words("gateway.upstreamUrl"), exact=True)).to_have_value("https://half.example/ty")
    # A fold closes with what was saved in it, and its title has the focus.
    fold = provider.locator("summary", has_text=words("gateway.change"))
    fold.press("Enter")
    endpoint.fill("https://bots.example.com/two")
    endpoint.press("Enter")
    expect(endpoint).to_be_hidden()
    expect(fold).to_be_focused()
    fold.press("Enter")
    expect(endpoint).to_have_value("https://bots.example.com/two")
    expect(secret).to_have_value(SECRET)
    # The question gives the focus back to a button that is there no longer.
    provider.get_by_role("button", name=words("gateway.remove"), exact=True).press("Enter")
    confirm(page, words, "gateway.remove")
    expect(provider.get_by_role("button", name=words("gateway.register"), exact=True)).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")
    expect(secret).to_have_value(SECRET)


def test_what_is_typed_for_a_new_key_stays_while_another_one_is_revoked(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Kept keys"}, expect=201)["id"]
    for name in ("Kept one", "Kept two"):
        desk.owner.post("/api/keys", {"name": name, "businesses": [shop], "scopes": ["read"]}, expect=201)
    page = console(desk, words, "/settings/keys")
    name = page.locator("#key-name")
    name.fill("Half ty")
    page.get_by_role("button", name=words("keys.replaceTitle", name="Kept two"), exact=True).press("Enter")
    replacing = page.locator(".key-item", has_text="Kept two").locator(".key-detail form")
    expect(replacing).to_be_visible()
    revoke = page.get_by_role("button", name=words("console.revokeKey", name="Kept one"), exact=True)
    revoke.press("Enter")
    confirm(page, words, "console.revoke")
    expect(revoke).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")
    expect(name).to_have_value("Half ty")
    expect(replacing).to_be_visible()
    # The secret of a successor has the focus, and the form of a new key begins anew with its own secret alone.
    replacing.get_by_role("button", name=words("keys.replace"), exact=True).press("Enter")
    expect(page.locator(".callout").get_by_role("button", name=words("shared.copy"), exact=True)).to_be_focused()
    expect(name).to_have_value("Half ty")
    name.fill("Whole")
    name.press("Enter")
    expect(page.locator(".key-item", has_text="Whole")).to_be_visible()
    expect(name).to_have_value("")


def test_an_invitation_that_is_half_typed_stays_while_another_is_withdrawn(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Kept invitations"}, expect=201)["id"]
    for address in ("kept.one@example.com", "kept.two@example.com"):
        desk.owner.post(f"/api/businesses/{shop}/members", {"email": address, "role": "agent"}, expect=201)
    page = console(desk, words, "/settings/members")
    page.locator("#member-business").select_option(shop)
    withdraw = page.get_by_role("button", name=words("console.withdrawInvitation", email="kept.one@example.com"), exact=True)
    expect(withdraw).to_be_visible()
    email = page.locator("#member-email")
    email.fill("half@exam")
    page.locator("#member-role").select_option("owner")
    withdraw.press("Enter")
    confirm(page, words, "console.withdraw")
    expect(withdraw).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")
    expect(email).to_have_value("half@exam")
    expect(page.locator("#member-role")).to_have_value("owner")
    email.fill("half@example.com")
    email.press("Enter")
    expect(page.locator(".callout").get_by_role("button", name=words("shared.copy"), exact=True)).to_be_focused()
    expect(email).to_have_value("")


def test_the_menu_in_which_the_language_is_chosen_stays_open_with_the_focus(desk):
    page = console(desk, Words("en"))
    page.locator("profile-menu .profile-button").press("Enter")
    page.get_by_role("button", name="日本語", exact=True).press("Enter")
    expect(page.get_by_role("button", name=Words("ja")("shared.signOut"), exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="日本語", exact=True)).to_be_focused()
    expect(page.locator("profile-menu .profile-button")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(page.locator("profile-menu .profile-button")).to_be_focused()


def test_what_was_typed_for_a_template_is_there_when_it_is_chosen_again(desk, graph):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Kept templates", "mode": "test"}, expect=201)
    graph.templates = [ORDER, VISIT, HELLO]
    graph.connect(desk.owner, shop["id"])
    graph.say(desk.server, "Is my tea there?", at=time.time() - 2 * 86_400)
    [talk] = desk.owner.fetch(f"/api/conversations?business={shop['id']}")["data"]
    page = console(desk, words, f"/c/{talk['id']}")
    page.get_by_role("button", name=words("window.templates"), exact=True).click()
    picker = page.locator("whatsapp-templates")
    order = picker.get_by_role("button", name="order_ready")
    order.press("Enter")
    field = picker.get_by_label(words("whatsapp.field.body", name="{{1}}"), exact=True)
    field.fill("Ada")
    field.press("Escape")
    expect(order).to_be_focused()
    order.press("Enter")
    expect(field).to_have_value("Ada")
    expect(picker.locator("desk-card")).to_contain_text("Hi Ada")


def test_the_menu_of_a_message_stays_at_it_while_the_thread_is_drawn_anew(desk):
    words = Words("en")
    customer = Customer(desk.server, live_business(desk)["id"])
    first = customer.say("The first with a menu")["message"]
    page = ready(console(desk, words, f"/c/{first['conversation']}"))
    more = page.locator("desk-thread").get_by_role("button", name=words("thread.moreOf", summary="The first with a menu"), exact=True)
    more.press("Enter")
    item = page.get_by_role("menuitem", name=words("thread.erase"))
    expect(item).to_be_focused()
    former = more.element_handle()
    # The message is the last of its group no longer, and its row another node.
    customer.say("A second one")
    expect(page.locator("desk-thread").get_by_text("A second one", exact=True)).to_be_visible()
    page.wait_for_function("(node) => !node.isConnected", arg=former)
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(item).to_be_focused()
    page.wait_for_function("""() => {
      const [menu, button] = [document.querySelector("[role=menu]"),
        document.querySelector("desk-thread").shadowRoot.querySelector(".more[aria-expanded=true]")].map((one) => one.getBoundingClientRect());
      return Math.min(Math.abs(menu.top - button.bottom), Math.abs(button.top - menu.bottom)) < 10;
    }""")
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    expect(more).to_have_attribute("aria-expanded", "false")
    # Of a message that was erased meanwhile there is nothing more to choose.
    more.press("Enter")
    expect(item).to_be_focused()
    desk.owner.call("DELETE", f"/api/conversations/{first['conversation']}/messages/{first['id']}")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.locator("desk-thread .log")).to_be_focused()


def test_what_takes_the_place_of_a_button_of_the_templates_has_its_focus(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Kept starters", "mode": "test"}, expect=201)["id"]
    page = console(desk, words, "/templates")
    page.locator("#template-business").select_option(shop)
    page.get_by_role("button", name=words("console.template.addStarters"), exact=True).press("Enter")
    row = page.locator(".nav-row").first
    expect(row).to_be_focused()
    row.press("Enter")
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(row).to_be_focused()
    page.get_by_role("button", name=words("shared.delete"), exact=True).press("Enter")
    page.keyboard.press("Escape")
    # The button is busy as long as its question is there.
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name=words("shared.delete"), exact=True)).to_be_focused()
    page.get_by_role("button", name=words("shared.delete"), exact=True).press("Enter")
    confirm(page, words, "shared.delete")
    expect(page.locator(".settings-nav").get_by_role("button", name=words("console.newTemplate"), exact=True)).to_be_focused()


def test_while_another_business_s_templates_are_loaded_nothing_of_the_former_one_is_there_to_press(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201)["id"] for name in ("Left now", "Waited for")]
    page = console(desk, words, "/templates")
    choice = page.locator("#template-business")
    choice.select_option(shops[0])
    starters = page.get_by_role("button", name=words("console.template.addStarters"), exact=True)
    expect(starters).to_be_visible()
    held = []
    asked = re.compile(f"/api/templates[?]business={shops[1]}")
    page.route(asked, held.append)
    choice.select_option(shops[1])
    wait_for(page, held)
    expect(page.locator("templates-page nav button, templates-page main button")).to_have_count(0)
    held[0].continue_()
    page.unroute(asked)
    starters.press("Enter")
    expect(page.locator(".nav-row").first).to_be_focused()
    named = {shop: desk.owner.fetch(f"/api/templates?business={shop}")["data"] for shop in shops}
    assert (len(named[shops[0]]), len(named[shops[1]])) == (0, 10)


def test_an_invitation_is_neither_lost_nor_sent_to_the_former_business_while_another_is_loaded(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201)["id"] for name in ("Members left", "Members chosen")]
    page = console(desk, words, "/settings/members")
    choice, email, role = (page.locator(f"#member-{one}") for one in ("business", "email", "role"))
    choice.select_option(shops[0])
    expect(page.get_by_role("button", name=words("console.invite"), exact=True)).to_be_enabled()
    email.fill("half@exam")
    role.select_option("owner")
    held = []
    asked = re.compile(f"/businesses/{shops[1]}/members$")
    page.route(asked, held.append)
    choice.select_option(shops[1])
    wait_for(page, held)
    # What is typed into a page that is about to be another one's would go with it.
    for node in (email, page.get_by_role("button", name=words("console.invite"), exact=True), page.locator(".table-frame").first):
        assert node.evaluate("(node) => node.closest('[inert]') !== null")
    held[0].continue_()
    page.unroute(asked)
    expect(page.locator("members-panel [inert]")).to_have_count(0)
    expect(email).to_have_value("half@exam")
    expect(role).to_have_value("owner")
    email.fill("half@example.com")
    email.press("Enter")
    expect(page.locator(".callout").get_by_role("button", name=words("shared.copy"), exact=True)).to_be_focused()
    expect(email).to_have_value("")
    invited = [len(desk.owner.fetch(f"/api/businesses/{shop}/invitations")["data"]) for shop in shops]
    assert invited == [0, 1]
    # Who goes back before the other one is there can use what is shown.
    late = []
    choice.select_option(shops[0])
    expect(page.locator("members-panel [inert]")).to_have_count(0)
    page.route(asked, late.append)
    choice.select_option(shops[1])
    wait_for(page, late)
    choice.select_option(shops[0])
    expect(page.locator("members-panel [inert]")).to_have_count(0)
    late[0].continue_()
