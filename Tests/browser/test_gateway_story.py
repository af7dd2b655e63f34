"""A provider and an upstream gateway in the console: registration, deliveries, the wire log, replay."""

import shlex

import pytest
from looks import assert_accessible
from pages import Phone, Sandbox, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.provider import come
from support.words import Words

LOOKS = [("en", "light"), ("ja", "dark")]
SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


@pytest.fixture
def business(desk):
    """A test business of its own."""
    return desk.owner.post(
        "/api/businesses", {"name": "Bot shop", "mode": "test"}, expect=201)


def settings(desk, words, business, **look):
    """The gateway settings of a business."""
    page = desk.page(language=words.language, session=desk.owner, **look)
    page.goto(f"{desk.phone_url}/console/settings/gateway")
    page.locator("#gateway-business").select_option(business["id"])
    expect(page.get_by_role("button", name=words("gateway.register"), exact=True)).to_be_visible()
    return page


def part(page, words, key):
    """One half of the panel."""
    return page.get_by_role("region", name=words(key), exact=True)


def shown(area, label):
    """The text of a field that can be copied."""
    field = area.locator(".copy-field", has=area.page.locator(".fd-label").get_by_text(label, exact=True))
    return field.locator("code").inner_text()


def register(desk, page, words, business, end):
    """Registers the program as a provider, which learns the MSP id and the secret from the page."""
    area = part(page, words, "gateway.provider")
    area.get_by_label(words("gateway.endpoint"), exact=True).fill(end.endpoint)
    area.get_by_role("button", name=words("gateway.register"), exact=True).click()
    expect(area.get_by_text(words("gateway.secretOnce"))).to_be_visible()
    assert shown(area, words("gateway.baseUrl")) == f"{desk.phone_url}/v1"
    end.learn(desk.server.url + "/v1", shown(area, words("gateway.mspId")),
              shown(area, words("gateway.secret")), business["id"])


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_registered_provider_gets_messages_and_answers(desk, business, end, language, scheme):
    words = Words(language)
    page = settings(desk, words, business, scheme=scheme)
    desk.shot(page, f"gateway-none-{language}-{scheme}")
    assert_accessible(page)
    register(desk, page, words, business, end)
    # Nothing failed, so nothing is in the colour of failures.
    expect(part(page, words, "gateway.provider").get_by_text(words("gateway.dead", count=0))).to_have_class("count")
    desk.shot(page, f"gateway-registered-{language}-{scheme}")
    assert_accessible(page)

    phone = Phone(desk, words).open(f"{desk.phone_url}/b/{business['id']}")
    phone.say("Is it in stock?")
    post = end.wait(lambda post: post["type"] == "text")
    assert post.path == "/bots/message" and post.body["body"] == "Is it in stock?"
    assert [post.body["type"] for post in end.posts] == ["typing_start", "text"]
    assert post.headers["Authorization"].startswith("Bearer ")
    end.send(post.body["sourceId"], {"type": "text", "body": "It is: seven of them; that's all."})
    expect(phone.page.locator("desk-card").get_by_text("seven of them")).to_be_visible()

    area = part(page, words, "gateway.provider")
    expect(area.get_by_text(words("gateway.delivered", count=1))).to_be_visible()
    log = part(page, words, "gateway.wireLog").locator("wire-exchanges")
    expect(log.locator("li")).to_have_count(3)
    log.locator("li", has_text=words("wire.course.received")).locator("summary").press("Enter")
    expect(log.get_by_text("seven of them")).to_be_visible()
    expect(log.get_by_text(end.secret)).to_have_count(0)
    desk.shot(page, f"gateway-wire-{language}-{scheme}")
    assert_accessible(page)
    page.reload()
    expect(page.get_by_role("heading", name=words("gateway.title"), exact=True)).to_be_visible()
    expect(page.get_by_text(end.secret)).to_have_count(0)


def test_a_message_shows_its_exchanges_on_the_wire(desk, business, end):
    words = Words("en")
    register(desk, settings(desk, words, business), words, business, end)
    said = Customer(desk.server, business["id"]).say("It's about $HOME; `reboot`")
    end.wait(lambda post: post["type"] == "text")
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console/c/{said['message']['conversation']}")
    page.locator("desk-thread li.message.is-theirs button.wire").first.click()
    drawer = page.locator("wire-drawer dialog")
    exchange = drawer.locator("wire-exchanges li")
    expect(exchange).to_have_count(1)
    exchange.locator("summary").click()
    expect(exchange.get_by_text("capability-list")).to_be_visible()
    desk.shot(page, "gateway-drawer-en-light")
    assert_accessible(page)
    data = desk.owner.fetch(
        f"/api/businesses/{business['id']}/gateway/exchanges?conversation="
        f"{said['message']['conversation']}&message={said['message']['id']}")["data"]
    words_of = shlex.split(data[0]["curl"])
    assert words_of[:2] == ["printf", "%s"] and "It's about $HOME; `reboot`" in words_of[2]
    drawer.get_by_role("button", name=words("shared.close"), exact=True).click()
    expect(drawer).to_be_hidden()


def test_a_delivery_waits_with_its_reason_while_the_provider_is_away(desk, business, end):
    words = Words("en")
    page = settings(desk, words, business, viewport={"width": 390, "height": 844})
    register(desk, page, words, business, end)
    end.stop()
    Customer(desk.server, business["id"]).say("Is anybody there?")
    area = part(page, words, "gateway.provider")
    waiting = area.get_by_role("region", name=words("gateway.waitingList"), exact=True)
    expect(waiting.get_by_text(f"no answer from 127.0.0.1:{end.port}")).to_be_visible()
    expect(area.get_by_text(words("gateway.pending", count=1))).to_be_visible()
    waiting.scroll_into_view_if_needed()
    desk.shot(page, "gateway-waiting-en-390")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    end.start()
    area.get_by_role("button", name=words("gateway.retryNow"), exact=True).click()
    end.wait(lambda post: post.get("body") == "Is anybody there?")
    expect(area.get_by_text(words("gateway.delivered", count=1))).to_be_visible()
    expect(waiting).to_have_count(0)


def test_a_refused_message_is_dead_until_it_is_replayed(desk, business, upstream):
    words = Words("ja")
    page = settings(desk, words, business, scheme="dark", viewport={"width": 390, "height": 844})
    area = part(page, words, "gateway.upstream")
    area.get_by_label(words("gateway.upstreamUrl"), exact=True).fill(upstream.url + "/v1")
    area.get_by_label(words("gateway.mspId"), exact=True).fill("m-1")
    area.get_by_label(words("gateway.secret"), exact=True).fill(SECRET)
    area.get_by_role("button", name=words("gateway.connect"), exact=True).click()
    expect(area.get_by_text(words("gateway.callback"), exact=True)).to_be_visible()
    callback = shown(area, words("gateway.callback"))
    assert callback.startswith(f"{desk.phone_url}/msp/")

    come(desk.server, callback, "m-1", SECRET, business["id"], "Hello")
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    upstream.status, upstream.answer = 400, "400 Bad Request : no such business"
    desk.owner.post(f"/api/conversations/{talk['id']}/messages",
                    {"type": "text", "body": "Hello to you"}, expect=201)
    dead = area.get_by_role("region", name=words("gateway.deadList"), exact=True)
    expect(dead.get_by_text("400")).to_be_visible()
    dead.scroll_into_view_if_needed()
    desk.shot(page, "gateway-dead-ja-390")
    assert_accessible(page)
    upstream.status, upstream.answer = 200, ""
    dead.get_by_role("button").press("Enter")
    upstream.wait(lambda post: post.get("body") == "Hello to you")
    expect(dead).to_have_count(0)
    expect(area.get_by_text(words("gateway.delivered", count=1))).to_be_visible()


def test_the_sandbox_shows_its_wire_and_a_secret_can_be_renewed(desk, end):
    words = Words("en")
    base = f"/api/businesses/{desk.sandbox_business['id']}/gateway"
    made = desk.owner.call("PUT", base + "/registration", {"endpoint": end.endpoint}, expect=201).json()
    try:
        sandbox = Sandbox(desk, words).open_raw()
        end.wait(lambda post: post["type"] == "text")
        sandbox.page.get_by_role("tab", name=words("sandbox.lower.wire"), exact=True).click()
        rows = sandbox.page.locator(".sb-lower wire-exchanges li")
        expect(rows).to_have_count(2)
        desk.shot(sandbox.page, "gateway-sandbox-wire")
        assert_accessible(sandbox.page)
        sandbox.page.get_by_text(words("sandbox.wire.setUp"), exact=True).click()
        dials = sandbox.page.locator("fault-dials")
        dials.locator("summary").click()
        dials.get_by_label(words("sandbox.fault.share", fault=words("sandbox.fault.status"))).fill("100")
        dials.get_by_label(words("sandbox.fault.value", fault=words("sandbox.fault.status"))).fill("418")
        dials.get_by_role("button", name=words("sandbox.fault.apply"), exact=True).click()
        expect(dials.get_by_text(words("sandbox.fault.saved"))).to_be_visible()
        faults = desk.owner.fetch(base)["registration"]["settings"]["faults"]
        assert faults == {"seed": 1, "status": {"probability": 1, "value": 418}}
        desk.shot(sandbox.page, "gateway-sandbox-faults")
        assert_accessible(sandbox.page)
        sandbox.page.set_viewport_size({"width": 390, "height": 844})
        sandbox.page.get_by_role("tab", name=words("sandbox.tab.json"), exact=True).click()
        desk.shot(sandbox.page, "gateway-sandbox-wire-390")
        assert_accessible(sandbox.page)
        dials.get_by_role("button", name=words("sandbox.fault.off"), exact=True).click()
        expect(dials.locator("summary")).to_contain_text(words("sandbox.fault.none"))
        dials.locator("summary").click()
        sandbox.page.get_by_role("tab", name=words("sandbox.lower.log"), exact=True).click()
        sandbox.page.locator(".ml-wire").click()
        drawer = sandbox.page.locator("wire-drawer dialog")
        expect(drawer.locator("wire-exchanges li")).to_have_count(1)
        desk.shot(sandbox.page, "gateway-sandbox-drawer")
        assert_accessible(sandbox.page)

        page = desk.page(session=desk.owner)
        page.goto(f"{desk.phone_url}/console/settings/gateway")
        page.locator("#gateway-business").select_option(
        desk.sandbox_business["id"])
        area = part(page, words, "gateway.provider")
        area.get_by_role("button", name=words("gateway.renew"), exact=True).click()
        page.locator("dialog[open]").get_by_role("button", name=words("gateway.renew"), exact=True).click()
        expect(area.get_by_text(words("gateway.secretOnce"))).to_be_visible()
        assert shown(area, words("gateway.secret")) != made["secret"]
        area.get_by_role("button", name=words("gateway.remove"), exact=True).click()
        page.locator("dialog[open]").get_by_role("button", name=words("gateway.remove"), exact=True).click()
        expect(area.get_by_role("button", name=words("gateway.register"), exact=True)).to_be_visible()
    finally:
        desk.owner.request("DELETE", desk.server.url + base + "/registration", timeout=20)


def test_a_secret_that_comes_late_is_shown_with_the_business_that_it_belongs_to(desk, business, end):
    words = Words("en")
    other = desk.owner.post("/api/businesses", {"name": "Beside the bot shop", "mode": "test"}, expect=201)
    page = settings(desk, words, business)
    held = []
    page.route("**/gateway/registration", held.append)
    area = part(page, words, "gateway.provider")
    area.get_by_label(words("gateway.endpoint"), exact=True).fill(end.endpoint)
    area.get_by_role("button", name=words("gateway.register"), exact=True).click()
    wait_for(page, held)
    page.locator("#gateway-business").select_option(other["id"])
    expect(page.get_by_role("button", name=words("gateway.register"), exact=True)).to_be_visible()
    area.get_by_label(words("gateway.endpoint"), exact=True).fill("http://half.example/typed")
    held[0].continue_()
    dialog = page.get_by_role("dialog", name="Bot shop", exact=True)
    expect(dialog.locator("code")).not_to_be_empty()
    dialog.get_by_role("button", name=words("shared.close"), exact=True).click()
    expect(page.locator("#gateway-business")).to_have_value(other["id"])
    expect(area.get_by_label(words("gateway.endpoint"), exact=True)).to_have_value("http://half.example/typed")
    expect(page.get_by_text(words("gateway.secretOnce"))).to_have_count(0)
