"""The first screen of a new installation leads: answer who waits, send a card, scan with a phone."""

import pytest
from looks import assert_accessible
from pages import choose_kind, console, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

NAME = "Robin (scripted)"


def first_console(desk, server, owner, language="en", **look):
    """The console of a new installation's owner."""
    page = desk.page(language=language, **look)
    page.context.add_cookies([{"name": cookie.name, "value": cookie.value, "url": server.url,
                               "httpOnly": True, "sameSite": "Strict"} for cookie in owner.cookies])
    page.goto(f"{server.url}/console")
    return page


def send(page, words):
    """Presses Send and waits until the server has accepted the message and the composer has emptied itself."""
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/messages" in answer.url) as caught:
        page.get_by_role("button", name=words("composer.send"), exact=True).click()
    assert caught.value.status == 201, caught.value.text()
    # By itself it goes back to Text: nothing of a form can be pressed reliably before.
    expect(page.locator("desk-composer .cp-send")).to_have_attribute("aria-busy", "false")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_before_there_is_an_owner_the_console_shows_the_command_with_a_place_for_the_data(desk, new_server, language):
    page = desk.page(language=language)
    page.goto(f"{new_server.url}/console")
    expect(page.locator(".account-command")).to_have_text("frontdesk owner link --data DIR")
    expect(page.locator(".account-lead")).to_contain_text("--database URL")
    # Which directory it is stays out of a page that needs no account.
    assert str(new_server.data) not in page.content()
    assert_accessible(page)


def test_three_steps_are_ticked_as_they_are_done_and_then_the_card_is_gone(desk, new_server):
    words = Words("en")
    owner = new_server.make_owner()
    page = first_console(desk, new_server, owner)
    card = page.get_by_role("region", name=words("console.first.title", name=NAME))
    expect(card).to_be_visible()
    # Only this computer reaches the address: the window comes before the code.
    phone = card.get_by_role("link", name=words("sandbox.code.openPhone"))
    expect(phone).to_have_class("fd-button jc-open is-primary")
    expect(card.get_by_text(words("sandbox.loopback"))).to_be_visible()
    expect(card.locator(".step.is-done")).to_have_count(0)
    page.wait_for_function("() => document.querySelector('join-code img')?.naturalWidth > 0")
    desk.shot(page, "first-steps")
    assert_accessible(page)
    page.keyboard.press("r")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    expect(field).to_be_focused()
    expect(card).to_have_count(0)
    field.fill("Hello Robin")
    send(page, words)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(card.locator(".step.is-done")).to_have_count(1)
    card.get_by_role("button", name=words("console.first.cardDo"), exact=True).click()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "quickReply")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    send(page, words)
    choose_kind(page, words, "text")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(card.locator(".step.is-done")).to_have_count(2)
    desk.shot(page, "first-steps-two-done")
    sandbox = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])
    Customer(new_server, sandbox["id"]).say("I have scanned it")
    expect(card).to_have_count(0)
    expect(page.get_by_role("heading", name=words("console.pickOne"), exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 800, 390])
def test_the_first_steps_are_dismissed_for_good(desk, new_server, width):
    words = Words("ja")
    page = first_console(desk, new_server, new_server.make_owner(), "ja", scheme="dark", viewport={"width": width, "height": 800})
    card = page.get_by_role("region", name=words("console.first.title", name=NAME))
    expect(card).to_be_visible()
    page.wait_for_function("() => document.querySelector('join-code img')?.naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    desk.shot(page, f"first-steps-ja-dark-{width}")
    assert_accessible(page)
    card.get_by_role("button", name=words("console.first.dismiss"), exact=True).press("Enter")
    expect(card).to_have_count(0)
    page.reload()
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    if width > 720:
        expect(page.get_by_role("heading", name=words("console.pickOne"), exact=True)).to_be_visible()
    expect(card).to_have_count(0)


def test_on_a_phone_the_first_steps_stand_above_the_list_and_lead_to_the_answer(desk, new_server):
    words = Words("en")
    page = first_console(desk, new_server, new_server.make_owner(), phone=True)
    card = page.get_by_role("region", name=words("console.first.title", name=NAME))
    expect(card).to_be_visible()
    expect(page.locator("conversation-list a.row").first).to_be_in_viewport(ratio=0.9)
    expect(card.get_by_role("link", name=words("sandbox.code.openPhone"))).to_be_visible()
    desk.shot(page, "first-steps-390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    card.get_by_role("button", name=words("console.first.answerDo"), exact=True).click()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Hello Robin")
    send(page, words)
    page.get_by_role("link", name=words("shared.back"), exact=True).click()
    expect(card.locator(".step.is-done")).to_have_count(1)
    expect(page.locator("conversation-list a.row").first).to_be_in_viewport(ratio=0.9)


def test_a_code_that_no_phone_can_open_says_so_before_it_is_printed(desk, new_server):
    words = Words("en")
    page = first_console(desk, new_server, new_server.make_owner())
    page.goto(f"{new_server.url}/console/settings")
    links = page.locator("entry-links")
    expect(links.get_by_text(words("console.linkLoopback"), exact=True)).to_be_visible()
    assert_accessible(page)

    # Where customers reach the address there is nothing to say.
    page = console(desk, words, "/settings")
    expect(page.locator("entry-links img.qr").first).to_be_visible()
    expect(page.get_by_text(words("console.linkLoopback"), exact=True)).to_have_count(0)


def card_of(page, words, name):
    """The card that opens a business for customers."""
    return page.get_by_role("region", name=words("console.first.shop.title", name=name))


@pytest.mark.parametrize("language, look", [("en", {}), ("ja", {"scheme": "dark", "phone": True})])
def test_a_business_without_customers_leads_to_its_first_message_and_its_settings(desk, new_server, language, look):
    words = Words(language)
    owner = new_server.make_owner()
    business = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
    page = first_console(desk, new_server, owner, language, **look)
    # Beside the steps of the sandbox is the way to those of the business.
    page.get_by_role("button", name=words("console.first.next", name=business["name"]), exact=True).click()
    card = card_of(page, words, business["name"])
    expect(card.locator(".step")).to_have_count(5)
    expect(card.locator(".step.is-done")).to_have_count(0)
    expect(card.get_by_role("link", name=words("console.tryIt"), exact=True)).to_have_attribute(
        "href", f"{new_server.url}/b/{business['id']}")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    desk.shot(page, f"business-steps-{language}")
    assert_accessible(page)

    # A message of a customer's is the second step, at once.
    Customer(new_server, business["id"]).say("Are you open?")
    expect(card.locator(".step.is-done")).to_have_count(1)
    expect(page.locator("conversation-list a.row")).to_have_count(1)

    card.get_by_role("button", name=words("console.first.shop.nameDo"), exact=True).click()
    page.get_by_label(words("console.businessName"), exact=True).fill("Yanaka Tea")
    page.locator("businesses-panel").get_by_role("button", name=words("shared.save"), exact=True).click()
    page.get_by_text(words("items.saved", name="Yanaka Tea")).wait_for()
    # What was done in the settings is done when the list is shown again.
    page.go_back()
    card = card_of(page, words, "Yanaka Tea")
    expect(card.locator(".step.is-done")).to_have_count(2)
    card.get_by_role("button", name=words("console.first.shop.answersDo"), exact=True).click()
    expect(page.locator("automatic-answers").get_by_role("heading", name=words("hours.answers"), exact=True)).to_be_in_viewport()
    page.go_back()
    card.get_by_role("link", name=words("console.first.shop.links"), exact=True).click()
    expect(page.locator("entry-links").get_by_role("heading", name=words("console.entryLinks"), exact=True)).to_be_in_viewport()

    path = f"/api/businesses/{business['id']}"
    owner.call("PUT", f"{path}/hours", {"timeZone": "Europe/Berlin", "week": {"monday": [{"from": "09:00", "to": "17:00"}]}, "holidays": []})
    owner.post("/api/templates", {"business": business["id"], "name": "hi", "title": "Hi", "payload": {"type": "text", "body": "Hi"}}, 201)
    owner.call("PUT", f"{path}/automatic-answers", {"greeting": {"template": "hi"}})
    page.go_back()
    expect(card.locator(".step.is-done")).to_have_count(4)
    owner.post(f"{path}/members", {"email": "bo@example.com", "role": "agent"}, 201)
    page.reload()
    expect(page.locator("conversation-list a.row")).to_have_count(1)
    expect(page.locator("business-steps")).to_be_attached()
    expect(card).to_have_count(0)


def test_where_the_sandbox_is_off_the_first_steps_are_those_of_the_business(desk):
    words = Words("en")
    page = desk.page(session=desk.owner)
    page.route("**/api/sandbox", lambda route: route.fulfill(
        status=404, content_type="application/problem+json", body='{"type": "/docs/problems/not_found", "status": 404, "code": "not_found", "title": "Not found"}'))
    shop = desk.owner.post("/api/businesses", {"name": "Open today"}, 201)
    page.goto(f"{desk.phone_url}/console?business={shop['id']}")
    expect(card_of(page, words, "Open today")).to_be_visible()
    expect(page.get_by_role("region", name=words("console.first.title", name=NAME))).to_have_count(0)


def test_who_is_no_owner_is_not_asked_to_open_a_business(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Led by another"}, 201)
    page = desk.page(session=member(desk, "Bo", business=shop["id"]))
    page.goto(f"{desk.phone_url}/console")
    expect(page.get_by_role("heading", name=words("console.noneYet"), exact=True)).to_be_visible()
    expect(page.locator("start-steps")).to_have_count(0)


def test_a_business_at_work_has_no_first_steps_and_is_asked_for_nothing_more(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "At work"}, 201)
    for number in range(6):
        Customer(desk.server, shop["id"]).say(f"Customer {number}")
    page = desk.page(session=desk.owner)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response(lambda answer: f"business={shop['id']}" in answer.url and "size%5D=6" in answer.url):
        page.goto(f"{desk.phone_url}/console?business={shop['id']}")
    expect(page.locator("business-steps")).to_be_attached()
    expect(page.locator("conversation-list a.row")).to_have_count(6)
    expect(card_of(page, words, "At work")).to_have_count(0)
    assert [one for one in asked if "/automatic-answers" in one] == []


def test_the_key_of_an_answer_waits_for_who_has_written(desk, new_server):
    page = first_console(desk, new_server, new_server.make_owner())
    expect(page.locator("first-steps .step").first).to_be_visible()
    held = []
    page.route("**/api/conversations?business=*", held.append)
    page.reload()
    expect(page.locator("first-steps")).to_be_attached()
    page.keyboard.press("r")
    for one in held:
        one.continue_()
    expect(page.locator("first-steps .step").first).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator("desk-composer textarea")).to_be_focused()
