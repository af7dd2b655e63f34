"""Webhooks in the settings: made, tried, changed, rotated, replayed and removed, by keyboard."""

import re

import pytest
from looks import assert_accessible
from pages import console, refusal, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.webhook_receiver import Receiver
from support.words import Words
from test_labels import LOOKS, ready


def choose(page, words, name, item):
    """Something of an endpoint's menu, by keyboard."""
    page.get_by_role("button", name=words("webhooks.more", name=name), exact=True).press("Enter")
    page.get_by_role("menuitem", name=words(f"webhooks.{item}"), exact=True).press("Enter")


def fits(page):
    """Nothing is wider than the page."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def make(page, words, url, name, types=()):
    """Makes an endpoint in the form; its key."""
    page.get_by_role("button", name=words("webhooks.new"), exact=True).press("Enter")
    expect(page.locator("#webhook-url")).to_be_focused()
    page.keyboard.type(url)
    page.locator("#webhook-description").fill(name)
    if types:
        page.get_by_role("button", name=words("webhooks.someEvents"), exact=True).press("Enter")
        for one in types:
            page.get_by_role("checkbox", name=one, exact=True).press("Space")
    page.get_by_role("button", name=words("webhooks.create"), exact=True).press("Enter")
    expect(page.locator("webhook-form")).to_have_count(0)
    return page.locator(".callout code").inner_text()


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_endpoint_is_made_tried_rotated_and_its_deliveries_are_sent_again(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Hooks {language}", "mode": "test"}, expect=201)
    page = ready(console(desk, words, "/settings/webhooks", scheme=scheme, phone=phone))
    panel = page.locator("webhooks-panel")
    panel.locator("#webhooks-business").select_option(shop["id"])
    expect(panel.get_by_text(words("webhooks.none"), exact=True)).to_be_visible()
    look = f"{language}-{scheme}{'-phone' if phone else ''}"
    with Receiver() as receiver, Receiver(verifies=False) as careless:
        # The form says what is missing, and what is refused, where it is typed.
        panel.get_by_role("button", name=words("webhooks.new"), exact=True).press("Enter")
        panel.get_by_role("button", name=words("webhooks.create"), exact=True).press("Enter")
        expect(panel.get_by_role("alert").filter(has_text=words("webhooks.url"))).to_be_visible()
        panel.get_by_role("button", name=words("webhooks.someEvents"), exact=True).press("Enter")
        panel.get_by_role("button", name=words("webhooks.headerAdd"), exact=True).press("Enter")
        desk.shot(page, f"webhooks-form-{look}")
        assert_accessible(page)
        fits(page)
        panel.get_by_role("button", name=words("shared.cancel"), exact=True).press("Enter")
        expect(panel.get_by_role("button", name=words("webhooks.new"), exact=True)).to_be_focused()
        # One that verifies nothing is said to be open to forgery, plainly.
        make(page, words, careless.url, "Careless")
        expect(panel.get_by_text(words("webhooks.handshake.openToForgery"), exact=True)).to_be_visible()
        secret = make(page, words, receiver.url, "Shop", ["message.accepted"])
        assert re.fullmatch(r"whsec_[A-Za-z0-9+/]+=*", secret)
        receiver.secrets = [secret]
        # It knew no secret when it was made; now it does.
        choose(page, words, "Shop", "try")
        row = panel.locator(".webhook-item").filter(has_text="Shop")
        expect(row.get_by_text(words("webhooks.handshake.verified"), exact=True)).to_be_visible()
        expect(page.get_by_role("button", name=words("webhooks.more", name="Shop"), exact=True)).to_be_focused()
        desk.shot(page, f"webhooks-list-{look}")
        assert_accessible(page)
        fits(page)
        choose(page, words, "Shop", "test")
        expect(row.get_by_role("status").filter(has_text="200")).to_be_visible()
        # A customer writes: delivered, and again from the log.
        Customer(desk.server, shop["id"]).say("Do you have green tea?")
        (first, event), = receiver.wait(1, "message.accepted")
        panel.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
        log = panel.locator("webhook-log")
        log.get_by_role("button", name=words("webhooks.filter.delivered", count=1), exact=True).press("Enter")
        position = first["webhook-id"].split("-")[1]
        expect(log.locator("li summary").first).to_have_text(words("webhooks.attempt.accepted", status=200))
        log.locator("li summary").first.press("Enter")
        expect(log.get_by_text(f"webhook-id: {first['webhook-id']}")).to_be_visible()
        desk.shot(page, f"webhooks-log-{look}")
        assert_accessible(page)
        fits(page)
        # Enlarged to 200 %, and in the narrowest window, all of it is there without scrolling sideways.
        shown = page.viewport_size
        for width in (640, 320):
            page.set_viewport_size({"width": width, "height": 400})
            fits(page)
        desk.shot(page, f"webhooks-zoom-{look}")
        page.set_viewport_size(shown)
        log.get_by_role("button", name=words("webhooks.replayOneOf", position=position), exact=True).press("Enter")
        again, _ = receiver.wait(2, "message.accepted")[1]
        assert again["webhook-id"] == first["webhook-id"] and event["business"] == shop["id"]
        # A new secret signs beside the old one.
        choose(page, words, "Shop", "rotate")
        page.get_by_role("dialog").get_by_role("button", name=words("webhooks.rotate"), exact=True).press("Enter")
        expect(panel.locator(".callout code")).not_to_have_text(secret)
        receiver.secrets = [panel.locator(".callout code").inner_text()]
        Customer(desk.server, shop["id"]).say("Or black tea?")
        newest, _ = receiver.wait(3, "message.accepted")[2]
        assert newest["webhook-signature"].count("v1,") == 2
        # Disabled, enabled, removed.
        choose(page, words, "Shop", "disable")
        page.get_by_role("dialog").get_by_role("button", name=words("webhooks.disable"), exact=True).press("Enter")
        expect(row.get_by_text(words("webhooks.state.disabled.member"), exact=True)).to_be_visible()
        choose(page, words, "Shop", "enable")
        expect(row.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()
        choose(page, words, "Careless", "remove")
        page.get_by_role("dialog").get_by_role("button", name=words("webhooks.remove"), exact=True).press("Enter")
        expect(panel.locator(".webhook-item")).to_have_count(1)
        left = desk.owner.fetch(f"/api/businesses/{shop['id']}/webhooks")["data"]
        assert [(one["description"], one["types"], one["state"]) for one in left] == [("Shop", ["message.accepted"], "enabled")]


def test_an_endpoint_stays_in_its_business_and_its_maker_sees_the_secret_wherever_they_are(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201) for name in ("Hooks here", "Hooks there")]
    page = ready(console(desk, words, "/settings/webhooks"))
    panel = page.locator("webhooks-panel")
    choice = panel.locator("#webhooks-business")
    choice.select_option(shops[0]["id"])
    expect(panel.get_by_text(words("webhooks.none"), exact=True)).to_be_visible()
    held = []
    page.route(re.compile("/webhooks$"), lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    with Receiver() as receiver:
        panel.get_by_role("button", name=words("webhooks.new"), exact=True).click()
        panel.locator("#webhook-url").fill(receiver.url)
        panel.get_by_role("button", name=words("webhooks.create"), exact=True).click()
        wait_for(page, held)
        choice.select_option(shops[1]["id"])
        expect(panel.get_by_text(words("webhooks.none"), exact=True)).to_be_visible()
        held[0].continue_()
        dialog = page.get_by_role("dialog", name="Hooks here", exact=True)
        expect(dialog.locator("code")).to_have_text(re.compile("^whsec_"))
        assert_accessible(page)
        dialog.get_by_role("button", name=words("shared.close"), exact=True).click()
        expect(dialog).to_have_count(0)
        expect(choice).to_have_value(shops[1]["id"])
        expect(panel.get_by_text(words("webhooks.none"), exact=True)).to_be_visible()
        choice.select_option(shops[0]["id"])
        expect(panel.locator(".webhook-item")).to_have_count(1)


def test_another_address_asks_for_the_fields_that_are_kept_for_the_former_one(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Moves", "mode": "test"}, expect=201)
    path = f"/api/businesses/{shop['id']}/webhooks"
    with Receiver() as receiver, Receiver() as other:
        made = desk.owner.post(path, {"url": receiver.url, "description": "Shop", "headers": [{"name": "X-Shop", "value": "tea"}]},
                               expect=201)
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        for address, is_same in ((receiver.url + "?a=b", True), (other.url, False)):
            choose(page, words, "Shop", "changeShort")
            panel.locator("#webhook-url").fill(address)
            panel.get_by_role("button", name=words("shared.save"), exact=True).press("Enter")
            if not is_same:
                expect(panel.get_by_role("alert").filter(has_text=words("webhooks.headersAnew"))).to_be_visible()
                panel.get_by_role("button", name=words("webhooks.headersReplace"), exact=True).press("Enter")
                panel.get_by_label(words("webhooks.headerNameOf", number=1), exact=True).fill("X-Shop")
                panel.get_by_label(words("webhooks.headerValueOf", number=1), exact=True).fill("milk")
                panel.get_by_role("button", name=words("shared.save"), exact=True).press("Enter")
            expect(page.locator("webhook-form")).to_have_count(0)
            assert desk.owner.fetch(f"{path}/{made['id']}")["url"] == address


def test_an_endpoint_that_is_saved_late_is_in_the_list_of_its_business_when_that_is_on_screen_again(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201) for name in ("Late here", "Late there")]
    page = ready(console(desk, words, "/settings/webhooks"))
    panel = page.locator("webhooks-panel")
    choice = panel.locator("#webhooks-business")
    held = []
    page.route(re.compile("/webhooks$"), lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    with Receiver() as receiver:
        choice.select_option(shops[0]["id"])
        panel.get_by_role("button", name=words("webhooks.new"), exact=True).click()
        panel.locator("#webhook-url").fill(receiver.url)
        panel.get_by_role("button", name=words("webhooks.create"), exact=True).click()
        wait_for(page, held)
        for shop in (shops[1], shops[0]):
            choice.select_option(shop["id"])
            expect(panel.get_by_text(words("webhooks.none"), exact=True)).to_be_visible()
        held[0].continue_()
        dialog = page.get_by_role("dialog", name="Late here", exact=True)
        dialog.get_by_role("button", name=words("shared.close"), exact=True).click()
        expect(panel.locator(".webhook-item")).to_have_count(1)


def delivery(position):
    """A delivery that is dead, as the API gives it."""
    time = "2026-11-20T09:15:32.480Z"
    return {"position": position, "event": f"evt_{position}", "type": "message.accepted", "time": time, "conversation": None,
            "state": "dead", "attempts": 3, "due": time, "request": None, "last": {"time": time, "status": 500, "detail": f"Refused {position}", "milliseconds": 4, "answer": ""}}


def test_the_focus_stays_with_its_delivery_when_others_come_and_a_problem_goes_when_it_is_over(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Focus of a log", "mode": "test"}, expect=201)
    with Receiver() as receiver:
        desk.owner.post(f"/api/businesses/{shop['id']}/webhooks", {"url": receiver.url, "description": "Shop"}, expect=201)
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        shown = [1, 2]
        page.route(re.compile("/deliveries[?]"), lambda route: route.fulfill(json={
            "data": [delivery(position) for position in shown], "hasMore": False, "next": None, "previous": None}) if shown
            else route.fulfill(**refusal(404, "not_found")))
        panel.locator("#webhooks-business").select_option(shop["id"])
        panel.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
        summary = panel.locator(".deliveries li[data-position='2'] summary")
        replay = panel.get_by_role("button", name=words("webhooks.replayOneOf", position=2), exact=True)
        for control in (summary, replay):
            control.focus()
            shown.insert(0, shown[0] + 10)
            expect(panel.locator(".deliveries li")).to_have_count(len(shown))
            expect(control).to_be_focused()
        shown.clear()
        news = panel.locator("webhook-log [role=status]").first
        expect(news).not_to_be_empty()
        shown.append(2)
        expect(news).to_be_empty()


def test_who_goes_on_while_an_endpoint_is_removed_keeps_the_focus(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201) for name in ("Removed here", "Gone on to")]
    with Receiver() as receiver:
        desk.owner.post(f"/api/businesses/{shops[0]['id']}/webhooks", {"url": receiver.url, "description": "Shop"}, expect=201)
        page = ready(console(desk, words, "/settings/webhooks"))
        choice = page.locator("webhooks-panel #webhooks-business")
        choice.select_option(shops[0]["id"])
        held = []
        page.route(re.compile("/webhooks/"), lambda route: held.append(route) if route.request.method == "DELETE" else route.continue_())
        choose(page, words, "Shop", "remove")
        page.get_by_role("dialog").get_by_role("button", name=words("webhooks.remove"), exact=True).press("Enter")
        wait_for(page, held)
        choice.select_option(shops[1]["id"])
        expect(page.get_by_text(words("webhooks.none"), exact=True)).to_be_visible()
        choice.focus()
        held[0].continue_()
        expect(page.get_by_text(words("webhooks.removed", name="Shop"))).to_be_visible()
        expect(choice).to_be_focused()


def test_letters_in_a_menu_that_has_the_focus_itself_lead_to_its_items(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Letters of a menu", "mode": "test"}, expect=201)
    with Receiver() as receiver:
        desk.owner.post(f"/api/businesses/{shop['id']}/webhooks", {"url": receiver.url, "description": "Shop"}, expect=201)
        page = ready(console(desk, words, "/settings/webhooks"))
        page.locator("#webhooks-business").select_option(shop["id"])
        page.get_by_role("button", name=words("webhooks.more", name="Shop"), exact=True).press("Enter")
        menu = page.get_by_role("menu")
        # As after a press beside the items.
        menu.evaluate("(menu) => menu.focus()")
        # Nothing begins with these two.
        page.keyboard.type("zq")
        item = menu.get_by_role("menuitem", name=words("webhooks.remove"), exact=True)
        menu.evaluate("(menu) => menu.focus()")
        page.wait_for_function("(begun) => performance.now() - begun > 1000", arg=page.evaluate("performance.now()"))
        page.keyboard.type(words("webhooks.remove")[:2])
        expect(item).to_be_focused()
        assert page.faults == []


def test_an_endpoint_that_is_disabled_elsewhere_is_so_on_the_page_at_once(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Gone meanwhile", "mode": "test"}, expect=201)
    path = f"/api/businesses/{shop['id']}/webhooks"
    with Receiver() as receiver:
        made = desk.owner.post(path, {"url": receiver.url, "description": "Shop"}, expect=201)
        receiver.secrets = [made["secret"]]
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        expect(panel.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()
        desk.owner.call("PATCH", f"{path}/{made['id']}", {"state": "disabled"})
        expect(panel.get_by_text(words("webhooks.state.disabled.member"), exact=True)).to_be_visible()
        desk.owner.post(f"{path}/{made['id']}/enable")
        expect(panel.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()


def test_of_two_answers_that_pass_each_other_the_page_shows_the_later_one(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Passing", "mode": "test"}, expect=201)
    path = f"/api/businesses/{shop['id']}/webhooks"
    with Receiver() as receiver:
        made = desk.owner.post(path, {"url": receiver.url, "description": "Shop"}, expect=201)
        receiver.secrets = [made["secret"]]
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        expect(panel.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()
        held = []
        page.route(f"**{path}", lambda route: held.append((route, desk.owner.fetch(path))), times=1)
        desk.owner.call("PATCH", f"{path}/{made['id']}", {"state": "disabled"})
        wait_for(page, held)
        with page.expect_response(lambda answer: answer.url.endswith(path)):
            desk.owner.post(f"{path}/{made['id']}/enable")
        [(route, disabled)] = held
        with page.expect_response(lambda answer: answer.url.endswith(path)):
            route.fulfill(json=disabled)
        page.wait_for_timeout(200)
        expect(panel.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()


def test_a_header_field_without_a_name_is_not_left_out_unsaid(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Nameless", "mode": "test"}, expect=201)
    page = ready(console(desk, words, "/settings/webhooks"))
    panel = page.locator("webhooks-panel")
    panel.locator("#webhooks-business").select_option(shop["id"])
    panel.get_by_role("button", name=words("webhooks.new"), exact=True).press("Enter")
    panel.locator("#webhook-url").fill("https://shop.example/hook")
    panel.get_by_role("button", name=words("webhooks.headerAdd"), exact=True).press("Enter")
    panel.get_by_label(words("webhooks.headerValueOf", number=1), exact=True).fill("tea")
    panel.get_by_role("button", name=words("webhooks.create"), exact=True).press("Enter")
    expect(panel.get_by_role("alert").filter(has_text=words("webhooks.headerNameless"))).to_be_visible()


def test_a_refused_address_is_said_at_its_field(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Refused address", "mode": "test"}, expect=201)
    page = ready(console(desk, words, "/settings/webhooks"))
    page.locator("#webhooks-business").select_option(shop["id"])
    page.get_by_role("button", name=words("webhooks.new"), exact=True).click()
    field = page.locator("#webhook-url")
    field.fill("shop.example")
    page.get_by_role("button", name=words("webhooks.create"), exact=True).click()
    fault = page.locator(".fd-field", has=field).get_by_role("alert")
    expect(fault).to_contain_text("shop.example")
    expect(fault).to_be_in_viewport()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("shop.example"))
    assert_accessible(page)
    page.keyboard.press("End")
    page.keyboard.type("/hook")
    expect(fault).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_a_delivery_that_is_held_says_behind_which_and_the_endpoint_says_that_it_fails_and_is_well_again(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Held deliveries", "mode": "test"}, expect=201)
    with Receiver() as receiver:
        desk.owner.post(f"/api/businesses/{shop['id']}/webhooks", {"url": receiver.url, "description": "Shop"}, expect=201)
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        row = panel.locator(".webhook-item").filter(has_text="Shop")
        expect(row.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()
        held = [{**delivery(41), "state": "pending", "conversation": "c"}, {**delivery(42), "state": "pending", "conversation": "c", "attempts": 0, "last": None},
                {**delivery(43), "state": "pending", "conversation": "d", "attempts": 0, "last": None}]
        page.route(re.compile("/deliveries[?]"), lambda route: route.fulfill(json={"data": held, "hasMore": False, "next": None, "previous": None}))
        failing = [True]

        def fail(one):
            return {**one, "failingSince": "2026-11-20T09:15:32.480Z" if failing[0] else None}

        path = f"/api/businesses/{shop['id']}/webhooks"
        (endpoint,) = desk.owner.fetch(path)["data"]
        one = desk.owner.fetch(f"{path}/{endpoint['id']}")
        page.route(re.compile("/webhooks/[0-9a-f-]+$"), lambda route: route.fulfill(json=fail(one)))
        page.route(re.compile("/webhooks$"), lambda route: route.fulfill(json={"data": [fail(endpoint)], "hasMore": False, "next": None, "previous": None}))
        panel.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
        summaries = panel.locator(".deliveries li summary")
        expect(summaries.nth(1)).to_have_text(words("webhooks.heldBehind", position=41))
        expect(summaries.nth(2)).to_have_text(words("webhooks.noAttempt"))
        expect(row.get_by_text(words("webhooks.state.failing"), exact=True)).to_be_visible()
        failing[0] = False
        expect(row.get_by_text(words("webhooks.state.enabled"), exact=True)).to_be_visible()
        expect(row.get_by_text(words("webhooks.state.failing"), exact=True)).to_have_count(0)
