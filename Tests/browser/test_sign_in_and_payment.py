"""Signing in and paying on the customer's page, with a provider's requests and a merchant on this machine."""

import base64
import os
import re
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from looks import assert_accessible
from pages import choose_kind
from playwright.sync_api import expect
from support.words import Words
from test_phone_story import Talk, interactive

LOOKS = [("en", "light"), ("ja", "dark")]
PAGE = "https://shop.example/signed-in"


def sign_in(**oauth2):
    """A request to sign in."""
    return interactive("authenticate", {"oauth2": {
        "responseType": "code", "scope": ["name", "email", "order history"],
        "state": base64.b64encode(os.urandom(24)).decode(), **oauth2}},
        receivedMessage={"title": "Sign in to see your orders",
                         "subtitle": "With your shop account"},
        replyMessage={"title": "Signed in"})


def first_version():
    """A request of version 1 for a fresh key."""
    key = ec.generate_private_key(ec.SECP384R1())
    raw = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return sign_in(responseEncryptionKey=base64.b64encode(raw).decode())


def look(desk, page, name):
    """A screenshot, and axe's findings; nothing is wider than the phone."""
    desk.shot(page, name)
    assert_accessible(page)
    assert page.evaluate("""() => [document.documentElement, ...document.querySelectorAll(".sheet-body")]
        .every((box) => box.scrollWidth <= Math.min(390, box.clientWidth))""")


def leave(page, outcome):
    """Presses one of the provider's buttons."""
    page.locator(f"[data-outcome={outcome}]").click()


def console(desk, words, talk, **look_of):
    """The same conversation in the agent's console."""
    page = desk.page(language=words.language, session=desk.owner, **look_of)
    page.goto(f"{desk.phone_url}/console/c/{talk.id}")
    return page


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_customer_signs_in_and_the_agent_reads_it(desk, language, scheme):
    words, mark = Words(language), f"{language}-{scheme}"
    talk = Talk(desk, words, scheme=scheme).begin()
    page = talk.phone.page
    talk.send(first_version())
    expect(talk.phone.cards("authentication")).to_be_visible()
    look(desk, page, f"sign-in-card-{mark}")
    talk.phone.cards("authentication").get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        words("phone.signIn.heading", name=desk.sandbox_business["name"]))
    page.locator("summary").click()
    look(desk, page, f"sign-in-page-{mark}")
    page.get_by_label(words("phone.signIn.name")).fill("Ana Grün")
    leave(page, "refused")
    expect(talk.phone.cards("authentication").last).to_contain_text(words("card.signIn.refused"))
    talk.phone.cards("authentication").first.get_by_role("button").click()
    leave(page, "granted")
    expect(talk.phone.cards("authentication").last).to_contain_text(words("card.signedIn"))
    assert page.url == f"{desk.phone_url}/b/{talk.business}"
    look(desk, page, f"sign-in-done-{mark}")
    [failed, done] = talk.stored("authentication")
    token = done["payload"]["interactiveData"]["data"]["authenticate"]["token"]
    assert failed["payload"]["interactiveData"]["data"]["authenticate"]["status"] == "failed"

    agent = console(desk, words, talk, scheme=scheme)
    answers = agent.locator("desk-thread desk-card").get_by_text(words("card.signedIn"))
    expect(answers.first).to_be_visible()
    expect(agent.locator("desk-thread").get_by_text(token[:40])).to_have_count(0)
    desk.shot(agent, f"sign-in-console-{mark}")
    assert_accessible(agent)
    # A customer who has signed in is not asked again.
    page.goto(f"{desk.phone_url}/b/{talk.business}/sign-in/{done['inReplyTo']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("phone.signIn.done"))
    look(desk, page, f"sign-in-over-{mark}")


def test_version_2_goes_to_the_businesss_own_page(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    desk.forget(page)
    page.context.route(f"{PAGE}*", lambda route: route.fulfill(
        content_type="text/html", body="<h1>Welcome to the shop</h1>"))
    talk.send(sign_in(redirectURI=PAGE))
    talk.phone.cards("authentication").get_by_role("button").click()
    leave(page, "granted")
    expect(page.get_by_role("heading", name="Welcome to the shop")).to_be_visible()
    assert page.url.startswith(f"{PAGE}?code=test-code.")
    page.go_back()
    expect(talk.phone.cards("authentication").last).to_contain_text(words("card.signedIn"))


def test_the_example_of_a_sign_in_ends_at_a_page_of_this_server(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page, agent = talk.phone.page, console(desk, words, talk)
    composer = agent.locator("desk-composer")
    choose_kind(agent, words, "raw")
    composer.get_by_label(words("composer.raw.examples")).select_option("authentication")
    button = composer.get_by_role("button", name=words("composer.send"), exact=True)
    expect(button).to_be_enabled()
    with agent.expect_response(lambda answer: answer.request.method == "POST" and re.search(
            r"/conversations/[^/]+/messages(\?|$)", answer.url)) as caught:
        button.click()
    assert caught.value.status == 201, caught.value.text()
    talk.phone.cards("authentication").get_by_role("button").click()
    leave(page, "granted")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("phone.signedIn.heading"))
    assert page.url.startswith(f"{desk.phone_url}/b/{talk.business}/signed-in?code=test-code.")
    expect(page.get_by_text("test-code.")).to_be_visible()
    look(desk, page, "signed-in-en-light")
    page.get_by_role("link", name=words("phone.signIn.home")).click()
    expect(talk.phone.cards("authentication").last).to_contain_text(words("card.signedIn"))


def test_a_request_that_cannot_be_carried_out_shows_the_reason_and_fails(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    talk.send(sign_in(responseEncryptionKey=base64.b64encode(b"\x04" + b"k" * 96).decode()))
    talk.phone.cards("authentication").get_by_role("button").click()
    expect(page.get_by_role("alert").first).to_contain_text(
        words("phone.signIn.problem.key_not_a_point"))
    expect(page.locator("[data-outcome=granted]")).to_have_count(0)
    look(desk, page, "sign-in-broken-en-light")
    leave(page, "failed")
    expect(talk.phone.cards("authentication").last).to_contain_text(words("card.signIn.failed"))
    page.goto(f"{desk.phone_url}/b/{talk.business}/sign-in/{uuid.uuid4()}")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("phone.signIn.missing"))
    assert_accessible(page)


def pick(sheet, title):
    """Chooses a row of the sheet."""
    sheet.get_by_role("radio", name=re.compile("^" + re.escape(title))).check()


def total(talk):
    """The total on the sheet."""
    return talk.phone.sheet.locator(".fd-bill-total dd")


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_customer_walks_through_the_payment_sheet(desk, merchant, language, scheme):
    words, mark = Words(language), f"{language}-{scheme}"
    talk = Talk(desk, words, scheme=scheme).begin()
    page = talk.phone.page
    talk.send(merchant.request())
    sheet = talk.phone.open_card("payment")
    look(desk, page, f"payment-sheet-{mark}")
    pick(sheet, "Courier")
    expect(total(talk)).to_contain_text("13.50")
    pick(sheet, words("phone.pay.card.debit"))
    expect(total(talk)).to_contain_text("4.00")
    code = sheet.get_by_label(words("phone.pay.postalCode"))
    code.fill("99999")
    code.blur()
    expect(sheet.get_by_role("alert")).to_contain_text("Nobody lives there")
    expect(code).to_have_attribute("aria-invalid", "true")
    sheet.get_by_role("alert").scroll_into_view_if_needed()
    look(desk, page, f"payment-wrong-address-{mark}")
    code.fill("12345")
    code.blur()
    expect(total(talk)).to_contain_text("16.50")
    expect(sheet.get_by_text("Air mail", exact=True).first).to_be_visible()
    expect(code).not_to_have_attribute("aria-invalid", "true")
    merchant.answers["/pay"] = (200, {"status": "STATUS_PIN_REQUIRED"})
    sheet.locator(".is-confirm").click()
    expect(sheet.get_by_role("alert")).to_contain_text(words("phone.pay.STATUS_PIN_REQUIRED"))
    look(desk, page, f"payment-refused-{mark}")
    merchant.answers["/pay"] = (500, {})
    sheet.locator(".is-confirm").click()
    expect(sheet.get_by_role("alert")).to_contain_text("answered 500")
    look(desk, page, f"payment-broken-{mark}")
    merchant.answers.clear()
    sheet.locator(".is-confirm").click()
    expect(sheet).to_be_hidden()
    expect(talk.phone.cards("payment").last).to_contain_text(words("card.paid"))
    merchant.wait("/orders")
    look(desk, page, f"payment-done-{mark}")
    agent = console(desk, words, talk, scheme=scheme)
    expect(agent.locator("desk-thread desk-card").get_by_text(words("card.paid")).first).to_be_visible()
    desk.shot(agent, f"payment-console-{mark}")
    assert_accessible(agent)


def test_a_payment_on_a_slow_line_says_that_it_is_under_way(desk, merchant):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page, held = talk.phone.page, []
    talk.send(merchant.request())
    sheet = talk.phone.open_card("payment")
    page.route("**/choices", held.append)
    sheet.locator(".is-confirm").click()
    pays = sheet.locator(".is-confirm")
    expect(pays).to_have_text(re.compile(re.escape(words("phone.pay.paying", amount="")[:6])))
    expect(pays).to_have_attribute("aria-busy", "true")
    expect(pays).to_be_disabled()
    look(desk, page, "payment-under-way")
    held.pop().continue_()
    expect(sheet).to_be_hidden()
    expect(talk.phone.cards("payment").last).to_contain_text(words("card.paid"))


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_payment_that_fails_after_its_sheet_was_closed_says_so_and_leads_back(desk, merchant, language, scheme):
    words = Words(language)
    talk = Talk(desk, words, scheme=scheme).begin()
    page, held = talk.phone.page, []
    talk.send(merchant.request())
    sheet = talk.phone.open_card("payment")
    pick(sheet, "Courier")
    merchant.answers["/pay"] = (200, {"status": "STATUS_PIN_REQUIRED"})
    page.route("**/choices", held.append)
    sheet.locator(".is-confirm").click()
    sheet.get_by_role("button", name=words("shared.close"), exact=True).click()
    expect(sheet).to_be_hidden()
    # While it is under way the card leads back to it: a second one could be paid beside it.
    talk.phone.open_card("payment")
    expect(sheet.locator(".is-confirm")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    held.pop().continue_()
    said = page.get_by_role("status").filter(has_text=words("phone.pay.STATUS_PIN_REQUIRED"))
    expect(said).to_be_visible()
    look(desk, page, f"payment-refused-later-{language}-{scheme}")
    # It waits for the customer, who is writing.
    talk.phone.say("One moment")
    expect(said).to_be_visible()
    said.get_by_role("button", name=words("phone.pay.again"), exact=True).click()
    expect(sheet.get_by_role("alert")).to_contain_text(words("phone.pay.STATUS_PIN_REQUIRED"))
    expect(total(talk)).to_contain_text("13.50")
    page.unroute("**/choices")
    merchant.answers.clear()
    sheet.locator(".is-confirm").click()
    expect(sheet).to_be_hidden()
    expect(talk.phone.cards("payment").last).to_contain_text(words("card.paid"))


@pytest.mark.parametrize("outcome", ["failure", "timeout", "canceled"])
def test_every_outcome_of_a_payment_can_be_chosen(desk, merchant, outcome):
    words = Words("en")
    talk = Talk(desk, words).begin()
    talk.send(merchant.request())
    sheet = talk.phone.open_card("payment")
    pick(sheet, words(f"phone.pay.{outcome}"))
    if outcome == "failure":
        sheet.get_by_label(words("phone.pay.status")).select_option("STATUS_PIN_LOCKOUT")
    expect(sheet.get_by_role("link", name=words("phone.pay.fallback"))).to_have_attribute(
        "href", f"{merchant.url}/fallback")
    talk.phone.confirm()
    expect(sheet).to_be_hidden()
    [answer] = talk.stored("payment")
    payment = answer["payload"]["interactiveData"]["data"]["payment"]
    assert payment["state"] == "paymentNotCompleted" and "status" not in payment
    expect(talk.phone.cards("payment").last).to_contain_text(words("card.paymentNotCompleted"))
    assert not merchant.calls


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_the_page_for_devices_that_cannot_pay_says_so_and_leads_back(desk, language, scheme):
    words = Words(language)
    page = desk.page(phone=True, language=language, scheme=scheme)
    page.goto(f"{desk.phone_url}/pay/{desk.sandbox_business['id']}/fallback")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("phone.cannotPay.title"))
    expect(page.get_by_text(words("phone.cannotPay.money"))).to_be_visible()
    desk.shot(page, f"payment-fallback-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("link", name=words("phone.signIn.home")).click()
    expect(page.get_by_role("textbox", name=words("phone.message"), exact=True)).to_be_visible()
