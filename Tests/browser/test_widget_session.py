"""What lasts in the frame of a widget on another site: a sign-in for a card, and a customer whose session ended."""

import json
import re

import pytest
import requests
from playwright.sync_api import expect
from support.server import ROOT
from support.words import Words
from test_sign_in_and_payment import PAGE, first_version, sign_in
from test_widget import running, site  # noqa: F401
from widget_site import Shop, assert_frame_accessible, forget_cookies, frame, launcher, opened, say, shot

# What docs/widget.md has a page do, in its own words.
DOCUMENT = (ROOT / "docs" / "widget.md").read_text()
RENEWING = "\n".join(re.search(pattern, DOCUMENT, re.S).group(1) for pattern in (
    r"```js\n(window\.Frontdesk = .*?)```", r"```js renew\n(.*?)```"))


def identify(page, token):
    """Identifies the customer, and waits for the answer, which sets cookies."""
    with page.expect_response(lambda one: one.url.endswith("/identity") and one.request.method == "POST") as answer:
        page.evaluate("(token) => Frontdesk('identify', { token })", token)
    assert answer.value.status == 200
    answer.value.finished()


def signs_anew(site, page, customer, monkeypatch):
    """The shop's own server, which knows who is signed in there; how often it was asked."""
    asked = []
    # A page that asks its own server allows that.
    policy = site.shop.policy()
    monkeypatch.setattr(site.shop, "policy", lambda: policy.replace("connect-src", "connect-src 'self'"))

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(body=site.token(customer))

    page.route(f"{site.shop.url}/frontdesk-identity", answer)
    return asked


def test_a_customer_whose_session_ended_goes_on_in_the_same_conversation_by_a_new_identity(site, monkeypatch):
    site.shop.script = RENEWING
    page = site.page()
    asked = signs_anew(site, page, "4713", monkeypatch)
    page.goto(site.shop.url)
    expect(launcher(page)).to_be_visible()
    identify(page, site.token("4713"))
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    conversation = say(page, "Signed in")
    page.locator("frontdesk-widget iframe").evaluate("(one) => { one.mark = 1; }")
    # The same customer once more: nothing is loaded anew.
    identify(page, site.token("4713"))
    assert say(page, "Still here") == conversation
    # As after thirty days.
    forget_cookies(page)
    with page.expect_response(lambda one: one.url.endswith("/identity") and one.request.method == "POST") as renewed:
        frame(page).locator("#message").fill("After a month")
        frame(page).locator("phone-composer button[type=submit]").click()
    assert renewed.value.status == 200
    site.answer(conversation, "Welcome back")
    expect(frame(page).get_by_text("Welcome back").first).to_be_visible()
    expect(frame(page).get_by_text("After a month").first).to_be_visible()
    expect(frame(page).locator(".is-failed, .is-waiting, .is-sending")).to_have_count(0)
    # It came into this conversation, and not into a new one without a name.
    assert sorted(site.messages(conversation)) == ["After a month", "Signed in", "Still here", "Welcome back"]
    assert page.locator("frontdesk-widget iframe").evaluate("(one) => one.mark") == 1
    assert len(asked) == 1


def signed_in(site, customer, page=None):
    """A page with the widget open for a customer."""
    page = page or opened(site)
    page.evaluate("(token) => Frontdesk('identify', { token })", site.token(customer))
    expect(frame(page).locator("#message")).to_be_visible()
    return page


def test_an_open_frame_is_loaded_anew_when_the_browser_has_another_customer(site):
    """Two hosts of one site share the widget's cookies, and not what their pages keep."""
    second = Shop(site.server.url, site.shop.business)
    site.set(origins=[site.shop.url, second.url])
    page = signed_in(site, "4721")
    first = say(page, "I am A")
    other = page.context.new_page()
    other.faults = []
    other.goto(second.url)
    launcher(other).click()
    expect(frame(other).locator("#message")).to_be_visible()
    signed_in(site, "4722", other)
    conversation = say(other, "I am B")
    expect(frame(page).get_by_text("I am B").first).to_be_visible(timeout=30_000)
    expect(frame(page).get_by_text("I am A")).to_have_count(0)
    assert say(page, "Still B") == conversation
    assert site.messages(first) == ["I am A"]
    second.stop()


@pytest.mark.parametrize("is_open", [True, False])
def test_signing_out_on_one_host_leaves_nothing_in_the_frame_on_another(site, is_open):
    second = Shop(site.server.url, site.shop.business)
    site.set(origins=[site.shop.url, second.url])
    page = signed_in(site, f"47240{is_open:d}")
    say(page, "I am A")
    if not is_open:
        page.evaluate("Frontdesk('close')")
    other = page.context.new_page()
    other.faults = []
    other.goto(second.url)
    expect(launcher(other)).to_be_visible()
    with other.expect_response(lambda one: one.url.endswith("/identity") and one.request.method == "DELETE"):
        other.evaluate("Frontdesk('reset')")
    page.wait_for_function("(key) => JSON.parse(localStorage.getItem(key)).user === null", arg=f"frontdesk.{site.shop.business}")
    if not is_open:
        launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).get_by_text("I am A")).to_have_count(0)
    second.stop()


def test_signing_out_on_one_host_empties_the_frame_of_a_visitor_without_a_name_on_another(site):
    second = Shop(site.server.url, site.shop.business)
    site.set(origins=[site.shop.url, second.url])
    page = opened(site)
    former = begin(site, page)
    frame(page).locator("#message").fill("Half a sent")
    other = page.context.new_page()
    other.faults = []
    other.goto(second.url)
    expect(launcher(other)).to_be_visible()
    with other.expect_response(lambda one: one.url.endswith("/identity") and one.request.method == "DELETE"):
        other.evaluate("Frontdesk('reset')")
    expect(frame(page).get_by_text("Without a name")).to_have_count(0)
    expect(frame(page).locator("#message")).to_have_value("")
    assert say(page, "Another visitor") != former
    second.stop()


def test_signing_out_and_going_on_at_once_leaves_nothing_in_the_browser(site):
    page = signed_in(site, "4723")
    say(page, "Signed in")
    with page.expect_navigation():
        page.evaluate("() => { Frontdesk('reset'); location = '/logout'; }")
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).get_by_text("Signed in")).to_have_count(0)
    assert [one["name"] for one in page.context.cookies() if one["name"] in ("fdw", "fdi")] == []


def test_what_is_half_written_without_a_name_is_still_there_after_signing_in(site):
    page = opened(site)
    say(page, "Without a name")
    frame(page).locator("#message").fill("Half a sent")
    signed_in(site, "4724", page)
    expect(frame(page).locator("#message")).to_have_value("Half a sent")
    expect(frame(page).get_by_text("Without a name")).to_have_count(0)


def begin(site, page):
    """Sends a first message, and waits until the frame has asked whether the browser keeps the customer."""
    address = f"/api/widget/{site.shop.business}/phone"
    with page.expect_response(lambda one: one.url.endswith(address) and one.request.method == "GET") as asked:
        conversation = say(page, "Without a name")
    asked.value.finished()
    return conversation


def test_a_message_whose_answer_was_lost_before_the_customer_signed_in_arrives_once(site):
    page, cut = site.page(), []

    def relay(line):
        server = line.connect_to_server()
        line.on_message(server.send)
        # With the answer the stream is lost, which would bring the message.
        server.on_message(lambda text: cut or line.send(text))

    page.route_web_socket(re.compile(r"/live$"), relay)
    page.goto(site.shop.url)
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    conversation = begin(site, page)
    cut.append(True)
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    stored = []

    def lose(route):
        request = route.request
        # Those of before: the server stores the first attempt, and the answer comes to none.
        if request.method != "POST" or "former" in json.loads(request.post_data):
            return route.continue_()
        if not stored:
            stored.append(requests.post(request.url, data=request.post_data.encode(), cookies=cookies, timeout=30, headers={
                "Content-Type": "application/json", "Origin": site.server.url}).status_code)
        return route.fulfill(status=429, content_type="application/problem+json", body='{"code":"rate_limited"}')

    page.route("**/phone/messages", lose)
    frame(page).locator("#message").fill("Lost")
    frame(page).locator("phone-composer button[type=submit]").click()
    expect(frame(page).locator(".is-waiting").first).to_be_visible()
    assert stored == [201]
    with page.expect_response(lambda one: one.request.method == "POST" and "former" in (one.request.post_data or "")) as again:
        signed_in(site, "4731", page)
    assert again.value.status == 201
    expect(frame(page).locator(".is-failed, .is-waiting, .is-sending")).to_have_count(0)
    page.unroute("**/phone/messages")
    own = say(page, "With a name")
    assert own != conversation
    assert site.messages(conversation) == ["Without a name", "Lost"]
    assert site.messages(own) == ["With a name"]


def test_files_that_were_chosen_without_a_name_are_sent_after_signing_in(site):
    page = opened(site)
    begin(site, page)
    frame(page).locator("phone-composer input[type=file]").set_input_files(
        {"name": "tea.txt", "mimeType": "text/plain", "buffer": b"Sencha"})
    expect(frame(page).locator(".pending-file")).to_have_count(1)
    send = frame(page).locator("phone-composer button[type=submit]")
    expect(send).to_be_enabled()
    page.evaluate("(token) => Frontdesk('identify', { token })", site.token("4732"))
    expect(frame(page).get_by_text("Without a name")).to_have_count(0)
    # There is no conversation to upload it to yet.
    expect(frame(page).locator(".pending-file")).to_have_count(1)
    expect(send).to_be_disabled()
    own = say(page, "With a name")
    expect(frame(page).locator(".pending-file")).to_have_count(1)
    expect(send).to_be_enabled()
    with page.expect_response(lambda one: one.url.endswith("/phone/messages") and one.request.method == "POST") as sent:
        send.click()
    assert sent.value.status == 201
    thread = site.owner.fetch(f"/api/conversations/{own}/messages")["data"]
    assert [[file["name"] for file in one.get("attachments") or []] for one in thread] == [[], ["tea.txt"]]


# Headless Chromium keeps no page to come back to; what such a page gets is this event.
COMES_BACK = "() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }"


def comes_back(page):
    """Has the page come back as it was left, and waits until it has asked who the customer is."""
    with page.expect_response(lambda one: "/api/widget/" in one.url and "locale=" in one.url) as asked:
        page.evaluate(COMES_BACK)
    assert asked.value.status == 200


def test_a_page_that_comes_back_to_the_same_customer_goes_on_as_it_was(site):
    page = signed_in(site, "4733")
    conversation = say(page, "Before")
    page.locator("frontdesk-widget iframe").evaluate("(one) => { one.mark = 1; }")
    frame(page).locator("#message").fill("Half a sent")
    comes_back(page)
    assert page.locator("frontdesk-widget iframe").evaluate("(one) => one.mark") == 1
    expect(frame(page).locator("#message")).to_have_value("Half a sent")
    assert say(page, "After") == conversation


def test_a_page_that_comes_back_after_a_sign_out_in_another_tab_shows_nothing_of_the_customer(site):
    page = signed_in(site, "4734")
    say(page, "I am A")
    # What another tab did while this one was kept: a page in that state hears of no change of the storage.
    forget_cookies(page)
    page.evaluate("""(key) => localStorage.setItem(key, JSON.stringify({
      ...JSON.parse(localStorage.getItem(key)), user: null, seen: 0, generation: "later", from: null }))""",
                  f"frontdesk.{site.shop.business}")
    comes_back(page)
    expect(page.locator("frontdesk-widget iframe")).to_have_count(0)
    expect(launcher(page)).to_have_attribute("aria-expanded", "false")
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).get_by_text("I am A")).to_have_count(0)


def test_a_page_that_comes_back_to_another_customer_shows_that_ones_conversation(site):
    """Two hosts of one site share the widget's cookies, and not what their pages keep."""
    second = Shop(site.server.url, site.shop.business)
    site.set(origins=[site.shop.url, second.url])
    page = signed_in(site, "4735")
    say(page, "I am A")
    other = page.context.new_page()
    other.faults = []
    other.goto(second.url)
    launcher(other).click()
    expect(frame(other).locator("#message")).to_be_visible()
    signed_in(site, "4736", other)
    conversation = say(other, "I am B")
    comes_back(page)
    expect(frame(page).get_by_text("I am B").first).to_be_visible()
    expect(frame(page).get_by_text("I am A")).to_have_count(0)
    assert say(page, "Still B") == conversation
    second.stop()


def test_a_frame_that_comes_back_asks_whose_it_is(site):
    page = signed_in(site, "4737")
    conversation = say(page, "Before")
    with page.expect_response(lambda one: one.url.endswith(f"/api/widget/{site.shop.business}/phone")) as asked:
        frame(page).locator("body").evaluate(COMES_BACK)
    assert asked.value.json()["conversation"]["id"] == conversation
    assert say(page, "After") == conversation


def card(page):
    """The card that asks to sign in."""
    return frame(page).locator("desk-card").get_by_role("group", name=Words("en")("card.authentication")).first


@pytest.fixture
def testing(site):
    """The same shop with a test business, whose customers have a sandbox's provider to sign in at."""
    before = site.shop.business
    site.shop.business = site.owner.post("/api/businesses", {"name": "Tea Shop", "mode": "test"}, expect=201)["id"]
    site.owner.call("PUT", f"/api/businesses/{site.shop.business}/widget", {"isOn": True, "origins": [site.shop.url], "greetings": []})
    yield site
    site.shop.business = before


def test_a_customer_signs_in_for_a_card_within_the_frame(testing):
    words, site = Words("en"), testing
    page = opened(site)
    conversation = say(page, "Where is my order?")
    path = f"/api/conversations/{conversation}/messages"
    site.owner.post(path, first_version(), expect=201)
    card(page).get_by_role("button").click()
    sheet = frame(page).locator("dialog.sheet[open]")
    expect(sheet.get_by_role("heading", level=1)).to_have_text(words("phone.signIn.heading", name="Tea Shop"))
    assert_frame_accessible(page)
    shot(page, "widget-sign-in")
    sheet.locator("[data-outcome=granted]").click()
    expect(sheet).to_have_count(0)
    expect(frame(page).get_by_text(words("card.signedIn")).first).to_be_visible()
    # A business's own page opens in a window of its own; the card is settled where it was asked.
    page.context.route(f"{PAGE}*", lambda route: route.fulfill(content_type="text/html", body="<h1>Welcome to the shop</h1>"))
    site.owner.post(path, sign_in(redirectURI=PAGE), expect=201)
    expect(frame(page).locator("desk-card").get_by_role("group", name=words("card.authentication"))).to_have_count(3)
    frame(page).locator("desk-card").get_by_role("group", name=words("card.authentication")).last.get_by_role("button").click()
    sheet.locator("[data-outcome=granted]").click()
    expect(sheet.get_by_text(words("phone.signIn.goOnHint", host="shop.example"))).to_be_visible()
    shot(page, "widget-sign-in-redirect")
    with page.expect_popup() as popup:
        sheet.get_by_role("link", name=words("phone.signIn.open")).press("Enter")
    popup.value.faults = []
    expect(popup.value.get_by_role("heading", name="Welcome to the shop")).to_be_visible()
    assert popup.value.url.startswith(f"{PAGE}?code=test-code.")
    expect(sheet).to_have_count(0)
    answers = [one for one in site.owner.fetch(path)["data"] if one["direction"] == "inbound" and one["kind"] == "authentication"]
    assert len(answers) == 2
