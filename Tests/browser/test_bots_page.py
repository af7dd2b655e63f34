"""Bots in the settings: registered with a key made in place, changed, retired and brought back, by keyboard."""

import datetime
import re
import uuid

import pytest
from looks import assert_accessible
from pages import console, member, wait_for
from playwright.sync_api import expect
from support.server import Customer, Session
from support.webhook_receiver import Receiver
from support.words import Words
from test_labels import LOOKS, ready


def bots_page(desk, words, shop, **look):
    """The page of the bots of a business, for its owner."""
    page = ready(console(desk, words, "/settings/bots", **look))
    page.locator("#bots-business").select_option(shop["id"])
    expect(page.locator("#bots-business")).to_have_value(shop["id"])
    return page, page.locator("bots-panel")


def new_shop(desk, name):
    """A business of its own."""
    return desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201)


def new_key(desk, shop, name, scopes=("read", "send")):
    """A key of a business, by the API."""
    return desk.owner.post("/api/keys", {"name": name, "businesses": [shop["id"]], "scopes": list(scopes)}, 201)["key"]["id"]


def fits(page):
    """Nothing is wider than the page."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def press(panel, words, button, **of):
    """Presses a button by the key of its words, by keyboard."""
    panel.get_by_role("button", name=words(button, **of), exact=True).press("Enter")


@pytest.mark.parametrize("language, scheme, phone", [*LOOKS, ("en", "dark", False), ("ja", "light", False)])
def test_an_owner_registers_a_bot_with_a_new_key_which_answers_and_is_changed_retired_and_brought_back(
        desk, language, scheme, phone):
    words = Words(language)
    look = f"{language}-{scheme}{'-phone' if phone else ''}"
    shop = new_shop(desk, f"Bots {look}")
    path = f"/api/businesses/{shop['id']}/bots"
    page, panel = bots_page(desk, words, shop, scheme=scheme, phone=phone)
    expect(panel.get_by_text(words("bots.none"), exact=True)).to_be_visible()
    expect(panel.get_by_role("link", name=words("bots.docs"))).to_have_attribute("href", "/docs/bots")
    desk.shot(page, f"bots-none-{look}")
    assert_accessible(page)
    fits(page)
    # From an empty start, by keyboard alone.
    press(panel, words, "bots.new")
    expect(panel.locator("#bot-name")).to_be_focused()
    expect(panel.locator("#bot-key")).to_have_value("new")
    expect(panel.locator("#bot-seconds")).to_have_value("30")
    page.keyboard.type("Ada")
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(panel.locator("#bot-seconds")).to_be_focused()
    page.keyboard.type("600")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("order\n return \norder\n")
    desk.shot(page, f"bots-form-{look}")
    assert_accessible(page)
    fits(page)
    panel.locator("#bot-name").press("Enter")
    expect(panel.locator("bot-form")).to_have_count(0)
    expect(panel.get_by_role("button", name=words("bots.changeOf", name="Ada"), exact=True)).to_be_focused()
    secret = panel.locator(".callout code").inner_text()
    assert re.match(r"fd_(live|test)_", secret)
    expect(panel.locator(".callout").get_by_role("button", name=words("shared.copy"), exact=True)).to_be_visible()
    row = panel.locator(".bot-item")
    expect(row.get_by_text(words("bots.answersIn", count=600))).to_be_visible()
    for mark in (words("bots.firstOfAll"), words("bots.firstFor", intent="order"), words("bots.firstFor", intent="return")):
        expect(row.get_by_text(mark, exact=True)).to_be_visible()
    desk.shot(page, f"bots-made-{look}")
    assert_accessible(page)
    fits(page)
    [made] = desk.owner.fetch(path)["data"]
    assert (made["name"], made["answerSeconds"], made["first"], made["intents"], made["webhook"], made["retired"]) == (
        "Ada", 600, True, ["order", "return"], None, False)
    [key] = desk.owner.fetch(f"/api/businesses/{shop['id']}/keys")["data"]
    assert (key["id"], key["name"], sorted(key["scopes"])) == (made["key"], "Ada", ["read", "send"])
    # The key is the bot: it answers where it has control.
    bot = Session(desk.server, key=secret)
    talk = Customer(desk.server, shop["id"]).say("Is my tea ready?")["message"]["conversation"]
    assert bot.fetch(f"/api/conversations/{talk}/control")["controller"]["id"] == made["id"]
    bot.post(f"/api/conversations/{talk}/messages", {"id": str(uuid.uuid4()), "type": "text", "body": "It is."}, 201)
    # Changed: the list says so, and nothing else of it is another.
    press(panel, words, "bots.changeOf", name="Ada")
    expect(panel.locator(".callout")).to_have_count(0)
    expect(panel.locator("#bot-key option:checked")).to_have_text(re.compile("^Ada"))
    expect(panel.locator("#bot-key-expires")).to_be_hidden()
    panel.locator("#bot-seconds").fill("90")
    panel.locator("#bot-intents").fill("")
    panel.locator("#bot-first").press("Space")
    panel.locator("#bot-seconds").press("Enter")
    expect(row.get_by_text(words("bots.answersIn", count=90))).to_be_visible()
    expect(row.get_by_text(words("bots.notFirst"), exact=True)).to_be_visible()
    [changed] = desk.owner.fetch(path)["data"]
    # When its program was heard is stored some seconds late.
    assert changed == {**made, "answerSeconds": 90, "first": False, "intents": [], "lastRequestAt": changed["lastRequestAt"]}
    # Retired, and brought back; the focus stays with it.
    press(panel, words, "items.retireOf", name="Ada")
    back = panel.get_by_role("button", name=words("items.restoreOf", name="Ada"), exact=True)
    expect(back).to_be_focused()
    expect(panel.get_by_text(words("bots.noneUsed"), exact=True)).to_be_visible()
    assert desk.owner.fetch(path)["data"][0]["retired"]
    desk.shot(page, f"bots-retired-{look}")
    assert_accessible(page)
    fits(page)
    back.press("Enter")
    expect(panel.get_by_role("button", name=words("items.retireOf", name="Ada"), exact=True)).to_be_focused()
    assert not desk.owner.fetch(path)["data"][0]["retired"]
    # Enlarged to 200 %, and in the narrowest window, all of it is there without scrolling sideways.
    press(panel, words, "bots.changeOf", name="Ada")
    for width in (640, 320):
        page.set_viewport_size({"width": width, "height": 400})
        fits(page)
        panel.locator("#bot-key").scroll_into_view_if_needed()
        desk.shot(page, f"bots-zoom-{width}-{look}")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_what_cannot_be_is_said_at_its_field_by_the_page_and_by_the_server(desk, language, scheme, phone):
    words = Words(language)
    look = f"{language}-{scheme}{'-phone' if phone else ''}"
    shop = new_shop(desk, f"Refused {look}")
    path = f"/api/businesses/{shop['id']}"
    known, spare = new_key(desk, shop, "Known"), new_key(desk, shop, "Spare")
    reader = new_key(desk, shop, "Reader", ["read"])
    desk.owner.post(f"{path}/bots", {"name": "Known", "key": known}, 201)
    page, panel = bots_page(desk, words, shop, scheme=scheme, phone=phone)
    press(panel, words, "bots.new")
    press(panel, words, "bots.create")
    expect(panel.get_by_role("alert").filter(has_text=words("bots.name"))).to_be_visible()
    expect(panel.locator("#bot-name")).to_be_focused()
    # Neither the key of a bot nor one that may not send is offered.
    offered = panel.locator("#bot-key option")
    expect(offered).to_have_count(2)
    assert {known, reader}.isdisjoint(offered.evaluate_all("all => all.map((one) => one.value)"))
    panel.locator("#bot-name").fill("known")
    panel.locator("#bot-seconds").fill("3601")
    panel.locator("#bot-seconds").press("Enter")
    name = panel.locator("#bot-name")
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description(re.compile(re.escape(words("bots.fault.nameTaken"))))
    expect(panel.locator("#bot-seconds")).to_have_accessible_description(re.compile(re.escape(words("bots.fault.answerSeconds"))))
    expect(panel.get_by_role("alert").filter(has_text=words("bots.fault.marked"))).to_be_visible()
    desk.shot(page, f"bots-refused-{look}")
    assert_accessible(page)
    fits(page)
    # No key was made for it.
    assert len(desk.owner.fetch(f"{path}/keys")["data"]) == 3
    # What the server alone knows: a key that was revoked since the form was opened.
    name.fill("Fresh")
    panel.locator("#bot-seconds").fill("45")
    panel.locator("#bot-key").select_option(spare)
    desk.owner.call("DELETE", f"{path}/keys/{spare}", expect=204)
    name.press("Enter")
    choice = panel.locator("#bot-key")
    expect(choice).to_have_accessible_description(re.compile(re.escape(words("bots.fault.key"))))
    expect(choice).to_be_focused()
    expect(name).to_have_value("Fresh")
    # A key made in place is not lost with the answer about its bot: the next try is the same bot.
    choice.select_option("new")

    def lose(route):
        asked = route.request
        desk.owner.call("POST", f"{path}/bots", asked.post_data_buffer, 201, headers={"Idempotency-Key": asked.headers["idempotency-key"]})
        route.abort("internetdisconnected")

    page.route("**/bots", lose, times=1)
    name.press("Enter")
    expect(panel.get_by_role("alert").filter(has_text=words("shared.problem.offline"))).to_be_visible()
    secret = panel.locator(".callout code").inner_text()
    expect(choice.locator("option:checked")).to_have_text(re.compile("Fresh"))
    name.press("Enter")
    expect(panel.locator("bot-form")).to_have_count(0)
    expect(panel.locator(".callout code")).to_have_text(secret)
    expect(panel.locator(".bot-item")).to_have_count(2)
    fresh = desk.owner.fetch(f"{path}/bots")["data"][1]
    assert (fresh["name"], fresh["answerSeconds"]) == ("Fresh", 45)
    assert [one["id"] for one in desk.owner.fetch(f"{path}/keys")["data"] if one["name"] == "Fresh"] == [fresh["key"]]


def test_what_another_owner_saves_is_on_the_page_and_what_is_typed_stays(desk):
    words = Words("en")
    shop = new_shop(desk, "Two owners of bots")
    path = f"/api/businesses/{shop['id']}"
    page, panel = bots_page(desk, words, shop)
    expect(panel.get_by_text(words("bots.none"), exact=True)).to_be_visible()
    key = new_key(desk, shop, "Ada key")
    bot = desk.owner.post(f"{path}/bots", {"name": "Ada", "key": key, "first": True}, 201)
    row = panel.locator(".bot-item")
    expect(row.get_by_text(words("bots.keyNamed", name="Ada key"))).to_be_visible()
    press(panel, words, "bots.new")
    page.keyboard.type("Half typ")
    with page.expect_response(lambda answer: answer.url.endswith(f"{path}/bots")):
        desk.owner.call("PATCH", f"{path}/bots/{bot['id']}", {"name": "Grace"})
    page.keyboard.type("ed")
    name = panel.locator("#bot-name")
    expect(name).to_have_value("Half typed")
    expect(name).to_be_focused()
    # The form knows the name that the other owner has just given.
    name.fill("grace")
    name.press("Enter")
    expect(name).to_have_accessible_description(re.compile(re.escape(words("bots.fault.nameTaken"))))
    press(panel, words, "shared.cancel")
    expect(panel.get_by_role("button", name=words("bots.new"), exact=True)).to_be_focused()
    expect(row.get_by_role("heading", name="Grace")).to_be_visible()
    # A key that is revoked elsewhere is marked at once.
    desk.owner.call("DELETE", f"{path}/keys/{key}", expect=204)
    expect(row.get_by_text(words("bots.unreachable"), exact=True)).to_be_visible()
    desk.shot(page, "bots-key-gone")
    assert_accessible(page)
    # A new key for it, in place.
    press(panel, words, "bots.changeOf", name="Grace")
    panel.locator("#bot-key").select_option("new")
    expect(panel.locator("#bot-key-expires")).to_be_visible()
    panel.locator("#bot-key-expires").select_option("")
    press(panel, words, "shared.save")
    expect(panel.locator("bot-form")).to_have_count(0)
    expect(row.get_by_text(words("bots.unreachable"), exact=True)).to_have_count(0)
    session = Session(desk.server, key=panel.locator(".callout code").inner_text())
    talk = Customer(desk.server, shop["id"]).say("Hello")["message"]["conversation"]
    assert session.fetch(f"/api/conversations/{talk}/control")["controller"]["id"] == bot["id"]


def test_a_bot_hears_by_an_endpoint_and_is_marked_while_that_is_disabled(desk):
    words = Words("en")
    shop = new_shop(desk, "A bot with a webhook")
    path = f"/api/businesses/{shop['id']}"
    with Receiver() as receiver:
        hook = desk.owner.post(f"{path}/webhooks", {"url": receiver.url, "description": "Ears"}, 201)["id"]
        bot = desk.owner.post(f"{path}/bots", {"name": "Ada", "key": new_key(desk, shop, "Ada")}, 201)
        page, panel = bots_page(desk, words, shop)
        press(panel, words, "bots.changeOf", name="Ada")
        panel.locator("#bot-webhook").select_option(label="Ears")
        press(panel, words, "shared.save")
        row = panel.locator(".bot-item")
        expect(row.get_by_text(words("bots.hearsBy", name="Ears"))).to_be_visible()
        assert desk.owner.fetch(f"{path}/bots")["data"] == [{**bot, "webhook": hook}]
        desk.owner.call("PATCH", f"{path}/webhooks/{hook}", {"state": "disabled"})
        page.reload()
        page.locator("#bots-business").select_option(shop["id"])
        expect(row.get_by_text(words("bots.webhookDisabled"), exact=True)).to_be_visible()
        expect(row.get_by_text(words("bots.unreachable"), exact=True)).to_be_visible()
        desk.shot(page, "bots-webhook-disabled")
        assert_accessible(page)
        press(panel, words, "bots.changeOf", name="Ada")
        expect(panel.locator("#bot-webhook option:checked")).to_have_text(words("bots.webhookIs.disabled", name="Ears"))
        panel.locator("#bot-webhook").select_option("")
        press(panel, words, "shared.save")
        expect(panel.locator("bot-form")).to_have_count(0)
        expect(row.get_by_text(words("bots.unreachable"), exact=True)).to_have_count(0)
        assert desk.owner.fetch(f"{path}/bots")["data"] == [bot]


def test_an_endpoint_that_says_it_is_gone_is_marked_at_once(desk):
    words = Words("en")
    shop = new_shop(desk, "Gone")
    path = f"/api/businesses/{shop['id']}"
    with Receiver(verifies=False) as receiver:
        hook = desk.owner.post(f"{path}/webhooks", {"url": receiver.url, "types": ["message.accepted"]}, 201)["id"]
        desk.owner.post(f"{path}/bots", {"name": "Ada", "key": new_key(desk, shop, "Ada"), "webhook": hook}, 201)
        page, panel = bots_page(desk, words, shop)
        row = panel.locator(".bot-item")
        expect(row.get_by_text(words("bots.notFirst"), exact=True)).to_be_visible()
        expect(row.get_by_text(words("bots.webhookDisabled"), exact=True)).to_have_count(0)
        receiver.status = 410
        Customer(desk.server, shop["id"]).say("Is anybody there?")
        expect(row.get_by_text(words("bots.webhookDisabled"), exact=True)).to_be_visible()


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_bot_whose_key_was_replaced_has_the_old_one_until_it_is_given_the_new_one(desk, language, scheme, phone):
    words = Words(language)
    shop = new_shop(desk, f"Replaced {language}")
    path = f"/api/businesses/{shop['id']}"
    key = new_key(desk, shop, "Ada")
    bot = desk.owner.post(f"{path}/bots", {"name": "Ada", "key": key}, 201)
    page, panel = bots_page(desk, words, shop, scheme=scheme, phone=phone)
    row = panel.locator(".bot-item")
    expect(row).to_be_visible()
    made = desk.owner.post(f"/api/keys/{key}/replacement", {"overlapSeconds": 86_400, "expiresAt": None}, 201)["key"]
    mark = row.get_by_text(words("bots.key.replaced"), exact=True)
    expect(mark).to_be_visible()
    expect(row.get_by_text(words("bots.replaced", name=made["name"]))).to_be_visible()
    expect(row.get_by_text(words("bots.unreachable"), exact=True)).to_have_count(0)
    desk.shot(page, f"bots-replaced-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    press(panel, words, "bots.changeOf", name="Ada")
    panel.locator("#bot-key").select_option(made["id"])
    press(panel, words, "shared.save")
    expect(panel.locator("bot-form")).to_have_count(0)
    expect(mark).to_have_count(0)
    assert desk.owner.fetch(f"{path}/bots")["data"] == [{**bot, "key": made["id"]}]


def test_a_key_that_ends_while_the_page_is_open_is_marked_then(desk):
    words = Words("en")
    shop = new_shop(desk, "Ends soon")
    end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
    key = desk.owner.post("/api/keys", {"name": "Short", "businesses": [shop["id"]], "scopes": ["read", "send"],
                                        "expiresAt": end.isoformat("T", "seconds").replace("+00:00", "Z")}, 201)["key"]["id"]
    desk.owner.post(f"/api/businesses/{shop['id']}/bots", {"name": "Ada", "key": key}, 201)
    page = desk.page(session=desk.owner)
    page.clock.install()
    page.goto(f"{desk.phone_url}/console/settings/bots")
    page.locator("#bots-business").select_option(shop["id"])
    row = page.locator("bots-panel .bot-item")
    expect(row.get_by_text(words("bots.answersIn", count=30))).to_be_visible()
    expect(row.get_by_text(words("bots.key.expired"), exact=True)).to_have_count(0)
    page.clock.fast_forward(3_601_000)
    expect(row.get_by_text(words("bots.key.expired"), exact=True)).to_be_visible()


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_agent_reads_who_manages_bots_and_the_palette_leads_there(desk, language, scheme, phone):
    words = Words(language)
    ben = member(desk, f"Ben{language}")
    page = ready(console(desk, words, session=ben, scheme=scheme, phone=phone))
    if phone:
        page.goto(f"{desk.phone_url}/console/settings/bots")
    else:
        page.keyboard.press("Control+k")
        page.get_by_role("dialog", name=words("console.palette")).get_by_role("combobox").fill(words("console.section.bots"))
        page.keyboard.press("Enter")
    panel = page.locator("bots-panel")
    expect(panel.get_by_text(words("bots.onlyOwners"), exact=True)).to_be_visible()
    expect(page.locator(".settings-nav [aria-current=page]")).to_have_text(words("console.section.bots"))
    expect(panel.get_by_role("button")).to_have_count(0)
    expect(panel.locator(".fd-error")).to_have_text("")
    desk.shot(page, f"bots-agent-{language}-{scheme}")
    assert_accessible(page)
    fits(page)


def test_a_key_and_a_bot_that_come_late_stay_in_their_business(desk):
    words = Words("en")
    shops = [new_shop(desk, name) for name in ("Late bots", "No bots")]
    page, panel = bots_page(desk, words, shops[0])
    held = []
    page.route("**/api/keys", held.append)
    press(panel, words, "bots.new")
    page.keyboard.type("Ada")
    panel.locator("#bot-name").press("Enter")
    wait_for(page, held)
    panel.locator("#bots-business").select_option(shops[1]["id"])
    expect(panel.get_by_text(words("bots.none"), exact=True)).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith(f"{shops[0]['id']}/bots")):
        held[0].continue_()
    dialog = page.get_by_role("dialog", name="Late bots", exact=True)
    expect(dialog.locator("code")).to_have_text(re.compile("^fd_"))
    dialog.get_by_role("button", name=words("shared.close"), exact=True).click()
    expect(panel.get_by_text(words("bots.none"), exact=True)).to_be_visible()
    expect(panel.locator(".bot-item")).to_have_count(0)
    assert [one["name"] for one in desk.owner.fetch(f"/api/businesses/{shops[0]['id']}/bots")["data"]] == ["Ada"]


def test_of_two_readings_after_changes_of_another_owner_the_later_one_counts(desk):
    words = Words("en")
    shop = new_shop(desk, "Two readings of bots")
    path = f"/api/businesses/{shop['id']}/bots"
    page, panel = bots_page(desk, words, shop)
    expect(panel.get_by_text(words("bots.none"), exact=True)).to_be_visible()
    bot = desk.owner.post(path, {"name": "Ada", "key": new_key(desk, shop, "Ada key")}, 201)
    name = panel.locator(".bot-item h3")
    expect(name).to_have_text("Ada")
    first, second, listed = [], [], re.compile(f"{path}$")
    page.route(listed, lambda route: (second if first else first).append(route))
    desk.owner.call("PATCH", f"{path}/{bot['id']}", {"name": "Grace"})
    wait_for(page, first)
    before = desk.owner.fetch(path)
    desk.owner.call("PATCH", f"{path}/{bot['id']}", {"name": "Hedy"})
    wait_for(page, second)
    second[0].continue_()
    expect(name).to_have_text("Hedy")
    with page.expect_response(listed):
        first[0].fulfill(json=before)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(name).to_have_text("Hedy")
