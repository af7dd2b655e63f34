"""WhatsApp in the console: the number in the settings, the time to answer in the composer, receipts at the messages."""

import datetime
import time

import pytest
from looks import assert_accessible
from pages import wait_for
from playwright.sync_api import expect
from support.graph import HELLO, ORDER, PLACE, VISIT, Graph
from support.server import Customer
from support.words import Words

NARROW = {"width": 390, "height": 844}
LOOKS = [("en", "light", None), ("ja", "dark", NARROW)]


@pytest.fixture
def graph():
    """A Graph API on loopback."""
    made = Graph()
    yield made
    made.stop()


@pytest.fixture
def business(desk):
    """A test business of its own."""
    return desk.owner.post("/api/businesses", {"name": "Tea shop", "mode": "test"}, expect=201)


def fits(page):
    """Nothing is wider than the page."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def shown(area, label):
    """The text of a field that can be copied."""
    field = area.locator(".copy-field", has=area.page.locator(".fd-label").get_by_text(label, exact=True))
    return field.locator("code").inner_text()


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_an_owner_connects_a_number_changes_it_and_disconnects(desk, business, graph, language, scheme, viewport):
    words = Words(language)
    page = desk.page(language=language, session=desk.owner, scheme=scheme, viewport=viewport)
    page.goto(f"{desk.phone_url}/console/settings/gateway")
    page.locator("#gateway-business").select_option(business["id"])
    area = page.get_by_role("region", name=words("gateway.whatsapp"), exact=True)
    number = area.get_by_label(words("gateway.phoneNumberId"), exact=True)
    number.fill("+1 555 000 1111")
    area.get_by_label(words("gateway.accessToken"), exact=True).fill(graph.token + " ")  # As it is copied.
    area.get_by_label(words("gateway.appSecret"), exact=True).fill(graph.app_secret)
    area.get_by_role("button", name=words("gateway.connect"), exact=True).click()
    expect(area.get_by_role("alert")).to_have_text(words("gateway.noDigits", label=words("gateway.phoneNumberId")))
    expect(number).to_be_focused()
    number.fill(f" {graph.number}")
    area.get_by_text(words("gateway.more"), exact=True).click()
    area.get_by_label(words("gateway.graphUrl"), exact=True).fill(graph.url + "/v23.0")
    area.get_by_label(words("gateway.accountId"), exact=True).fill(graph.account)
    desk.shot(page, f"whatsapp-form-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    area.get_by_role("button", name=words("gateway.connect"), exact=True).click()
    expect(area.get_by_text(words("gateway.verifyTokenOnce"))).to_be_visible()
    graph.callback = shown(area, words("gateway.whatsappCallback"))
    token = shown(area, words("gateway.verifyToken"))
    assert graph.callback.startswith(desk.phone_url + "/whatsapp/")
    expect(area.get_by_text(words("gateway.whatsappNotHttps"))).to_be_visible()
    assert graph.verify(desk.server, token).text == "1158201444"
    desk.shot(page, f"whatsapp-connected-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    page.reload()
    page.locator("#gateway-business").select_option(business["id"])
    expect(area.get_by_text(graph.number)).to_be_visible()
    expect(area.get_by_text(token)).to_have_count(0)
    # The token that is kept stays at its address.
    area.get_by_text(words("gateway.change"), exact=True).click()
    area.get_by_text(words("gateway.more"), exact=True).click()
    address = area.get_by_role("textbox", name=words("gateway.graphUrl"), exact=True)
    address.fill("http://127.0.0.1:9/v23.0")
    area.get_by_role("button", name=words("gateway.save"), exact=True).click()
    expect(area.get_by_role("alert").filter(has_text=words("gateway.tokenAnew"))).to_be_visible()
    address.fill(graph.url + "/v24.0")
    with page.expect_response(lambda answer: answer.request.method == "PUT") as saved:
        area.get_by_role("button", name=words("gateway.save"), exact=True).click()
    assert saved.value.status == 200
    graph.say(desk.server, "Hello")
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    assert talk["customer"]["name"] == "Ada"
    area.get_by_role("button", name=words("gateway.remove"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words("gateway.remove"), exact=True).click()
    expect(area.get_by_role("button", name=words("gateway.connect"), exact=True)).to_be_visible()
    assert graph.verify(desk.server, token).status_code == 404


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_the_composer_shows_the_time_left_and_that_it_is_over(desk, business, graph, language, scheme, viewport):
    words = Words(language)
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "Two days ago", at=time.time() - 2 * 86_400)
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner, scheme=scheme, viewport=viewport)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    window = page.locator("reply-window")
    expect(window).to_contain_text(words("window.over.text"))
    send = page.locator("desk-composer .cp-send")
    expect(send).to_be_disabled()
    expect(window.get_by_role("button", name=words("window.templates"), exact=True)).to_be_visible()
    desk.shot(page, f"whatsapp-over-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    # The customer writes: it opens by itself.
    graph.say(desk.server, "Still there?")
    expect(window).not_to_contain_text(words("window.over.title"))
    expect(window).to_contain_text("23 h" if language == "en" else "23時間")
    page.locator("desk-composer textarea").first.fill("Yes, we are")
    expect(send).to_be_enabled()
    send.click()
    sent = page.locator("desk-thread li.message", has_text="Yes, we are")
    post = graph.wait(lambda one: one["type"] == "text")
    for status in ("delivered", "read"):
        graph.status(desk.server, post, status)
        expect(sent.get_by_text(words(f"thread.receipt.{status}"), exact=True)).to_be_visible()
    desk.shot(page, f"whatsapp-window-{language}-{scheme}")
    assert_accessible(page)
    fits(page)


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_after_the_time_an_agent_fills_a_template_sees_its_text_and_sends_it(desk, business, graph, language, scheme, viewport):
    words = Words(language)
    graph.templates = [ORDER, VISIT, PLACE, HELLO]
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "Is my tea there?", at=time.time() - 2 * 86_400)
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner, scheme=scheme, viewport=viewport)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    page.get_by_role("button", name=words("window.templates"), exact=True).click()
    picker = page.locator("whatsapp-templates")
    order = picker.get_by_role("button", name="order_ready")
    expect(order).to_be_focused()
    expect(order).to_contain_text(words("whatsapp.category.UTILITY"))
    expect(picker.get_by_role("button", name="shop_place")).to_be_disabled()
    desk.shot(page, f"whatsapp-templates-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    order.click()
    fields = {
        words("whatsapp.field.header", name="{{1}}"): "A-7", words("whatsapp.field.body", name="{{1}}"): "Ada",
        words("whatsapp.field.body", name="{{2}}"): "black tea", words("whatsapp.field.suffix", button="Track"): "A-7",
        words("whatsapp.field.code"): "TEA10",
    }
    first = picker.get_by_label(next(iter(fields)), exact=True)
    expect(first).to_be_focused()
    expect(picker.locator("desk-card")).to_contain_text("Hi {{1}}, your {{2}} is ready.")
    send = picker.get_by_role("button", name=words("whatsapp.send"), exact=True)
    send.click()
    expect(picker.get_by_text(words("whatsapp.fill"), exact=True).filter(visible=True)).to_have_count(len(fields))
    expect(first).to_be_focused()
    for label, value in fields.items():
        picker.get_by_label(label, exact=True).fill(value)
    expect(picker.get_by_text(words("whatsapp.fill"), exact=True)).to_have_count(0)
    expect(picker.locator("desk-card")).to_contain_text("Hi Ada, your black tea is ready.")
    desk.shot(page, f"whatsapp-template-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    send.click()
    sent = page.locator("desk-thread li.message", has_text="Hi Ada, your black tea is ready.")
    expect(sent.get_by_text(words("thread.whatsappTemplate", name="order_ready", language="en_US"), exact=True)).to_be_visible()
    expect(picker).to_have_count(0)
    expect(page.get_by_role("button", name=words("window.templates"), exact=True)).to_be_focused()
    post = graph.wait(lambda one: one["type"] == "template")
    assert [part["type"] for part in post["template"]["components"]] == ["header", "body", "button", "button"]
    graph.status(desk.server, post, "delivered")
    expect(sent.get_by_text(words("thread.receipt.delivered"), exact=True)).to_be_visible()
    desk.shot(page, f"whatsapp-template-sent-{language}-{scheme}")
    assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_why_no_template_can_be_sent_is_in_the_language_of_the_agent(desk, business, graph, language):
    words = Words(language)
    graph.templates = [HELLO]
    graph.connect(desk.owner, business["id"])
    path = f"/api/businesses/{business['id']}/gateway/whatsapp"
    desk.owner.call("PUT", path, {"accountId": None})
    graph.say(desk.server, "Hello", at=time.time() - 2 * 86_400)
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    page.get_by_role("button", name=words("window.templates"), exact=True).click()
    picker = page.locator("whatsapp-templates")
    expect(picker).to_contain_text(words("whatsapp.unusable"))
    desk.shot(page, f"whatsapp-unusable-{language}")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(picker).to_have_count(0)
    desk.owner.call("PUT", path, {"accountId": graph.account})
    page.get_by_role("button", name=words("window.templates"), exact=True).click()
    picker.get_by_role("button", name="hello_world").click()
    # It is refused once more than the list, which is kept for a minute, says.
    page.route("**/whatsapp-template-messages*", lambda route: route.fulfill(
        status=409, content_type="application/problem+json",
        body='{"type":"/docs/problems/whatsapp_template_refused","status":409,"code":"whatsapp_template_refused","title":"x","detail":"PAUSED"}'))
    picker.get_by_role("button", name=words("whatsapp.send"), exact=True).click()
    expect(picker.get_by_role("alert")).to_contain_text(words("whatsapp.refused"))
    page.keyboard.press("Escape")
    expect(picker.get_by_role("button", name="hello_world")).to_be_focused()


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_a_quoted_message_stands_above_the_one_that_quotes_it(desk, business, graph, language, scheme, viewport):
    words = Words(language)
    graph.connect(desk.owner, business["id"])
    first = graph.say(desk.server, "Do you have green tea, and is it the one of last spring that my sister liked so much?")
    graph.say(desk.server, "From Uji", context={"from": "15551234567", "id": first})
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner, scheme=scheme, viewport=viewport)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    quote = page.locator("desk-thread li.message", has_text="From Uji").locator("button.quote")
    expect(quote).to_contain_text("Do you have green tea")
    desk.shot(page, f"whatsapp-quote-{language}-{scheme}")
    assert_accessible(page)
    fits(page)
    quote.click()
    expect(page.locator("desk-thread li.message.is-found")).to_contain_text("Do you have green tea")
    # The agent has seen it, and so has the customer that.
    graph.wait_read(lambda one: "typing_indicator" not in one)
    assert words("thread.quote.show") == quote.get_attribute("title")


@pytest.mark.parametrize("language, reason", [
    ("en", "it cannot be delivered: the customer does not use WhatsApp"), ("ja", "お届けできません。お客様が WhatsApp を使っていないか")])
def test_why_a_message_was_not_sent_is_in_the_language_of_the_agent(desk, business, graph, language, reason):
    words = Words(language)
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "Hello")
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    graph.errors = [(400, 131_026)]
    page.locator("desk-composer textarea").first.fill("Do you get this?")
    page.locator("desk-composer .cp-send").click()
    sent = page.locator("desk-thread li.message", has_text="Do you get this?")
    expect(sent).to_contain_text(words("thread.refusedWhatsapp"))
    expect(sent).to_contain_text(reason)
    expect(sent).to_contain_text("(131026: (#131026) refused)")
    desk.shot(page, f"whatsapp-refused-{language}")
    page.goto(f"{desk.phone_url}/console/settings/gateway")
    page.locator("#gateway-business").select_option(business["id"])
    expect(page.get_by_role("region", name=words("gateway.whatsapp"), exact=True)).to_contain_text(reason)
    assert_accessible(page)


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_a_file_that_could_not_be_fetched_is_shown_as_lost(desk, business, graph, language, scheme, viewport):
    words = Words(language)
    graph.connect(desk.owner, business["id"])
    graph.come(desk.server, {"image": {"id": "999", "mime_type": "image/jpeg", "caption": "Look"}})
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner, scheme=scheme, viewport=viewport)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    lost = page.get_by_text(words("thread.missingFile", name="image.jpg", reason="no such file (100)"))
    expect(lost).to_be_visible()
    danger = page.evaluate("getComputedStyle(document.body.appendChild(Object.assign("
                           "document.createElement('i'), { style: 'color: var(--fd-danger)' }))).color")
    expect(lost).to_have_css("color", danger)
    assert_accessible(page)


def test_a_conversation_of_the_phone_page_has_no_such_time(desk, business, graph):
    said = Customer(desk.server, business["id"]).say("Hello")
    page = desk.page(language="en", session=desk.owner)
    page.goto(f"{desk.phone_url}/console/c/{said['message']['conversation']}")
    expect(page.locator("desk-thread li.message").first).to_be_visible()
    expect(page.locator("reply-window")).to_have_count(0)


def in_the_last_hour(desk, business, graph):
    """The conversation of a customer who may be answered for one more hour, on a page whose clock a test moves."""
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "An hour is left", at=time.time() - 23 * 3_600)
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language="en", session=desk.owner)
    page.clock.install()
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    expect(page.locator("reply-window")).to_be_visible()
    return page


FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def test_what_is_written_when_the_time_ends_can_be_read_and_its_next_letters_run_no_keys(desk, business, graph):
    words = Words("en")
    page = in_the_last_hour(desk, business, graph)
    field = page.locator("desk-composer textarea").first
    field.click()
    page.keyboard.type("Half writ")
    page.clock.fast_forward("02:00:00")
    expect(page.locator("reply-window")).to_contain_text(words("window.over.title"))
    page.evaluate(FRAMES)
    page.keyboard.type("ea")
    expect(field).to_be_focused()
    expect(field).not_to_be_editable()
    expect(field).to_have_value("Half writ")
    page.keyboard.press("Control+a")
    assert page.evaluate("getSelection().toString()") == "Half writ"
    assert_accessible(page)
    # The customer writes: it goes on where it was.
    graph.say(desk.server, "Still there?")
    expect(field).to_be_editable()
    page.keyboard.press("End")
    page.keyboard.type("ten")
    expect(field).to_have_value("Half written")
    now = desk.owner.fetch(f"/api/conversations/{page.url.rsplit('/', 1)[-1]}")
    assert (now["state"], now["assignee"]) == ("open", None)


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_after_the_time_only_what_can_be_sent_is_offered(desk, business, graph, language, scheme, viewport):
    words = Words(language)
    graph.templates = [HELLO]
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "Two days ago", at=time.time() - 2 * 86_400)
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner, scheme=scheme, viewport=viewport)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    choose = page.get_by_role("button", name=words("window.templates"), exact=True)
    expect(choose).to_be_visible()
    field = page.locator("desk-composer textarea").first
    expect(field).to_have_attribute("placeholder", words("composer.text.shut"))
    tools = page.get_by_role("toolbar", name=words("composer.kinds"), exact=True)
    expect(tools).to_be_hidden()
    desk.shot(page, f"whatsapp-shut-{language}-{scheme}")
    assert_accessible(page)
    # The key that answers, and the one that inserts a template, lead to what can be sent.
    page.keyboard.press("r")
    expect(choose).to_be_focused()
    page.keyboard.press("/")
    picker = page.locator("whatsapp-templates")
    expect(picker.get_by_role("button", name="hello_world")).to_be_focused()
    page.keyboard.press("Escape")
    expect(choose).to_be_focused()
    graph.say(desk.server, "Still there?")
    expect(tools).to_be_visible()
    expect(field).to_have_attribute("placeholder", words("composer.text.placeholder"))
    page.locator("conversation-view").press("r")
    expect(field).to_be_focused()


def test_the_templates_have_the_room_of_a_card_that_was_being_written_when_the_time_ended(desk, business, graph):
    words = Words("en")
    graph.templates = [HELLO]
    page = in_the_last_hour(desk, business, graph)
    page.get_by_role("button", name=words("composer.kind.list"), exact=True).click()
    sheet = page.locator("desk-composer .cp-sheet")
    expect(sheet).to_be_visible()
    page.clock.fast_forward("02:00:00")
    page.get_by_role("button", name=words("window.templates"), exact=True).click()
    expect(page.locator("whatsapp-templates").get_by_role("button", name="hello_world")).to_be_focused()
    expect(sheet).to_be_hidden()
    page.keyboard.press("Escape")
    expect(sheet).to_be_visible()


def test_a_time_to_answer_that_comes_late_is_not_shown_in_the_next_conversation(desk, business, graph):
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "Mine has an end")
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    other = Customer(desk.server, business["id"]).say("Mine has none")["message"]["conversation"]
    page = desk.page(language="en", session=desk.owner)
    held = []
    page.route("**/composer/reply-window.js*", held.append)
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    wait_for(page, held)
    page.locator(f"conversation-list a.row[data-open='{other}']").click()
    expect(page.locator("desk-thread").get_by_text("Mine has none")).to_be_visible()
    held[0].continue_()
    page.evaluate("() => customElements.whenDefined('reply-window')")
    page.evaluate(FRAMES)
    expect(page.locator("reply-window:visible")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_refusal_because_the_time_is_over_is_in_the_language_of_the_agent(desk, business, graph, language):
    words = Words(language)
    graph.connect(desk.owner, business["id"])
    graph.say(desk.server, "Two days ago", at=time.time() - 2 * 86_400)
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    page = desk.page(language=language, session=desk.owner)
    # The clock of the agent's computer is behind.
    page.clock.install(time=datetime.datetime.now() - datetime.timedelta(days=2))
    page.goto(f"{desk.phone_url}/console/c/{talk['id']}")
    expect(page.locator("reply-window")).to_be_visible()
    page.locator("desk-composer textarea").first.fill("Too late")
    page.keyboard.press("Enter")
    expect(page.locator("desk-composer").get_by_role("alert")).to_contain_text(words("window.over.text"))
