"""The customer's page where it is hard: a dead line, a keyboard alone, a second tap, a large card."""

import base64
import os
import struct
import time
import zlib

import pytest
from looks import assert_accessible
from pages import Phone, live_business
from playwright.sync_api import expect
from support.server import Session
from support.words import Words

BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")


def interactive(feature, content, **more):
    """A payload of the business with one feature."""
    return {"v": 1, "type": "interactive", "interactiveData": {
        "bid": BID, **more,
        "data": {"version": "1.0", "requestIdentifier": "request-1", feature: content}}}


def tea_list(**more):
    """A list picker with two sections."""
    rows = [{"identifier": name, "title": name.title(), "order": order}
            for order, name in enumerate(("sencha", "hojicha"))]
    extras = [{"identifier": name, "title": name.title(), "order": order}
              for order, name in enumerate(("cup", "spoon"))]
    payload = interactive("listPicker", {"sections": [
        {"title": "Tea", "order": 0, "multipleSelection": False, "items": rows},
        {"title": "Extras", "order": 1, "multipleSelection": True, "items": extras}]},
        receivedMessage={"title": "Which tea?", **more}, replyMessage={"title": "Chosen"})
    return payload


class Talk:
    """A phone that has written, and the business side of its conversation."""

    def __init__(self, desk, words, query="", **look):
        self.desk = desk
        self.business = desk.sandbox_business["id"]
        self.phone = Phone(desk, words, **look).open(
            f"{desk.phone_url}/b/{self.business}{query}")
        expect(self.phone.field).to_be_visible()

    def begin(self, text="Hello"):
        """Sends the first message and finds the conversation."""
        with self.phone.page.expect_response(
                lambda answer: answer.url.endswith("/messages")
                and answer.request.method == "POST") as caught:
            self.phone.say(text)
        assert caught.value.status == 201, caught.value.text()
        self.id = caught.value.json()["message"]["conversation"]
        self.in_step()
        return self

    def in_step(self):
        """Waits until the page has its live line."""
        self.phone.page.wait_for_function(
            "() => document.querySelector('phone-chat').conversation.line === 'live'")

    def send(self, payload):
        """The business sends a payload as it is."""
        return self.desk.owner.post(
            f"/api/conversations/{self.id}/messages", payload, expect=201)

    def stored(self, kind=None):
        """The customer's messages, as the business has them."""
        page = self.desk.owner.fetch(f"/api/conversations/{self.id}/messages")
        return [one for one in page["data"]
                if one["direction"] == "inbound" and kind in (None, one["kind"])]

    def expect_said(self, *texts):
        """Waits until the business has exactly these texts of the customer."""
        deadline = time.monotonic() + 25
        while (said := [one["payload"].get("body") for one in self.stored()]) != list(texts):
            assert time.monotonic() < deadline, said
            self.phone.page.wait_for_timeout(100)


def noise(width, height):
    """A PNG that does not compress: a large picture for a large payload."""
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
    rows = b"".join(b"\0" + os.urandom(width * 3) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def test_messages_written_without_a_connection_are_kept_and_sent_once(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    page.context.set_offline(True)
    talk.phone.say("From the tunnel")
    expect(page.get_by_text(words("phone.waiting"))).to_be_visible()
    desk.shot(page, "phone-offline")
    assert_accessible(page)
    page.faults.clear()  # The browser logs every attempt on a dead line.
    page.context.set_offline(False)
    expect(page.get_by_text(words("phone.waiting"))).to_be_hidden()
    expect(page.get_by_text(words("phone.sent"), exact=True)).to_be_visible()
    talk.in_step()
    talk.expect_said("Hello", "From the tunnel")
    page.faults.clear()


def test_a_reload_without_a_connection_loses_nothing(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    page.route("**/messages", lambda route: route.abort())
    talk.phone.say("Kept in the pocket")
    expect(page.get_by_text(words("phone.waiting"))).to_be_visible()
    page.faults.clear()
    page.unroute("**/messages")
    page.reload()
    expect(page.get_by_text(words("phone.sent"), exact=True)).to_be_visible()
    talk.expect_said("Hello", "Kept in the pocket")


def test_a_list_is_answered_by_keyboard_alone(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    talk.send(tea_list())
    expect(talk.phone.cards("list")).to_be_visible()
    talk.phone.field.focus()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.tagName === 'DESK-CARD'"):
            break
    else:
        raise AssertionError("the card is not reached by Shift+Tab")
    page.keyboard.press("Enter")
    expect(talk.phone.sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(talk.phone.sheet).to_be_hidden()
    page.keyboard.press("Enter")
    talk.phone.sheet.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(talk.phone.sheet.get_by_role("radio").nth(1)).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(talk.phone.sheet.get_by_role("checkbox").first).to_be_checked()
    talk.phone.sheet.locator(".is-confirm").focus()
    page.keyboard.press("Enter")
    expect(talk.phone.sheet).to_be_hidden()
    expect(page.get_by_text(words("phone.sent"), exact=True)).to_be_visible()
    reply = talk.stored("list")[0]["payload"]["interactiveData"]["data"]["listPicker"]
    assert [one["identifier"] for one in reply["sections"][0]["items"]] == ["hojicha", "cup"]
    page.wait_for_function("document.activeElement !== document.body")


def test_a_payment_refused_by_the_gateway_is_corrected_and_paid_once(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    session = desk.owner.post("/api/merchant-sessions", {
        "business": talk.business, "merchantIdentifier": "merchant.test",
        "displayName": "Tea"}, expect=200)
    talk.send(interactive("payment", {
        "paymentRequest": {
            "applePay": {"merchantIdentifier": "merchant.test", "supportedNetworks": ["visa"],
                         "merchantCapabilities": ["supports3DS"]},
            "merchantName": "Tea", "countryCode": "JP", "currencyCode": "JPY",
            "lineItems": [{"label": "Sencha", "amount": "1200", "type": "final"}],
            "total": {"label": "Tea", "amount": "1200", "type": "final"},
            "requiredShippingContactFields": ["name", "postalAddress"]},
        "merchantSession": session["merchantSession"], "endpoints": session["endpoints"],
    }, receivedMessage={"title": "Your tea"}))
    talk.phone.open_card("payment")
    code = talk.phone.sheet.get_by_label(words("phone.pay.postalCode"))
    code.fill("00000")
    # The merchant's answer to the new address comes between the press and its release.
    talk.phone.sheet.locator(".is-confirm").hover()
    with page.expect_response(lambda one: "/payments/" in one.url) as asked:
        page.mouse.down()
    asked.value.finished()
    page.wait_for_timeout(100)
    page.mouse.up()
    expect(talk.phone.sheet.get_by_role("alert")).to_contain_text(
        words("phone.pay.STATUS_INVALID_SHIPPING_POSTAL_ADDRESS"))
    desk.shot(page, "phone-payment-refused")
    assert_accessible(page)
    code.fill("220-0000")
    page.evaluate("""() => {
        const button = document.querySelector(".is-confirm");
        for (let tap = 0; tap < 5; tap += 1) button.click();
    }""")
    expect(talk.phone.sheet).to_be_hidden()
    expect(page.get_by_text(words("phone.sent"), exact=True)).to_be_visible()
    talk.phone.say("Paid")
    expect(page.locator("desk-card").get_by_text("Paid", exact=True).last).to_be_visible()
    paid = talk.stored("payment")
    assert [one["payload"]["interactiveData"]["data"]["payment"]["state"] for one in paid] \
        == ["success"]


def test_a_card_too_large_for_an_event_is_fetched_whole(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    payload = tea_list(imageIdentifier="photo", style="large")
    payload["interactiveData"]["data"]["images"] = [
        {"identifier": "photo", "data": base64.b64encode(noise(200, 120)).decode()}]
    talk.send(payload)
    card = talk.phone.cards("list")
    expect(card.locator("img").first).to_be_visible()
    page = talk.phone.page
    page.wait_for_function("(image) => image.complete", arg=card.locator("img").first.element_handle())
    assert card.locator("img").first.evaluate("(image) => image.naturalWidth") == 200


def test_the_entry_link_carries_intent_group_and_text(desk):
    words = Words("en")
    talk = Talk(desk, words, "?biz-intent-id=orders&biz-group-id=tokyo&body=About%20order%207")
    expect(talk.phone.field).to_have_value("About order 7")
    talk.begin("About order 7")
    assert talk.phone.page.url == f"{desk.phone_url}/b/{talk.business}"
    found = desk.owner.fetch(f"/api/conversations/{talk.id}")
    assert (found["intent"], found["group"]) == ("orders", "tokyo")
    assert talk.stored()[0]["payload"]["intent"] == "orders"


def test_the_reader_stays_where_they_were_after_a_reload(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    shop = Session(desk.server, desk.server.make_key(talk.business))
    sent = shop.post("/api/messages/batch", {"messages": [
        {"conversation": talk.id, "payload": {"v": 1, "type": "text", "body": f"Line {number}"}}
        for number in range(70)]})
    assert {one["status"] for one in sent["results"]} == {201}
    expect(page.locator("desk-card").get_by_text("Line 69")).to_be_visible()
    line = page.locator("desk-card").get_by_text("Line 10", exact=True)
    # The page has the newest fifty; older ones are fetched when the reader scrolls up.
    page.wait_for_function("""() => {
        document.querySelector(".scroller").scrollTop = 0;
        return document.querySelectorAll("article.row").length > 60;
    }""")
    line.scroll_into_view_if_needed()
    expect(page.get_by_role("button", name=words("phone.toEnd"))).to_be_visible()
    # The place that is kept is the one in view, not one passed while scrolling.
    page.wait_for_function("""(key) => {
        const scroller = document.querySelector(".scroller");
        const first = [...scroller.querySelectorAll("[data-sequence]")]
            .find((row) => row.offsetTop + row.offsetHeight > scroller.scrollTop);
        const kept = JSON.parse(localStorage.getItem(key));
        return kept !== null && kept.sequence === Number(first.dataset.sequence)
            && Math.abs(kept.offset - (first.offsetTop - scroller.scrollTop)) < 2;
    }""", arg=f"fd.phone.{talk.business}.place")
    page.reload()
    expect(line).to_be_in_viewport()
    page.get_by_role("button", name=words("phone.toEnd")).click()
    expect(page.locator("desk-card").get_by_text("Line 69")).to_be_in_viewport()


@pytest.mark.parametrize("language, other", [("en", "ja"), ("ja", "en")])
def test_the_language_is_changed_in_the_menu_and_remembered(desk, language, other):
    talk = Talk(desk, Words(language))
    page = talk.phone.page
    assert page.evaluate("document.documentElement.lang") == language
    page.get_by_role("button", name=Words(language)("phone.menu")).click()
    talk.phone.sheet.locator(f"button[lang={other}]").click()
    expect(talk.phone.sheet.get_by_role("heading")).to_have_text(Words(other)("phone.menu"))
    expect(page.locator(f"html[lang={other}]")).to_be_attached()
    page.reload()
    expect(page.get_by_role("button", name=Words(other)("phone.menu"))).to_be_visible()


def test_an_unknown_code_is_refused_with_a_sentence(desk):
    words = Words("en")
    phone = Phone(desk, words).open(f"{desk.phone_url}/j")
    # Written behind the address of the form, as it is read beside it, a code stands in the form.
    phone.page.goto(f"{desk.phone_url}/j/aaaaa-aaaaa")
    expect(phone.page.get_by_label(words("phone.code.label"))).to_have_value("AAAAA-AAAAA")
    phone.page.get_by_role("button", name=words("phone.code.open")).click()
    expect(phone.page.get_by_role("alert")).to_have_text(words("phone.code.wrong"))
    phone.page.goto(f"{desk.phone_url}/j/nothing-of-the-kind")
    expect(phone.page.get_by_role("heading")).to_have_text(words("phone.gone.title"))
    assert_accessible(phone.page)
    phone.page.goto(f"{desk.phone_url}/b/00000000-0000-4000-8000-000000000000")
    expect(phone.page.get_by_role("heading")).to_have_text(words("phone.missing.title"))


def test_the_phone_writes_spaces_and_digits_in_the_font_of_its_letters(desk):
    """A system may know a font of emoji by a short name; its spaces are as wide as an emoji."""
    phone = Phone(desk, Words("en")).open(f"{desk.phone_url}/b/{live_business(desk)['id']}")
    expect(phone.field).to_be_visible()
    widths = phone.page.evaluate("""() => [" ", "0", "n"].map((letter) => {
      const row = document.body.appendChild(document.createElement("span"));
      row.style.cssText = "white-space: pre; position: absolute";
      row.textContent = letter.repeat(10);
      const { width } = row.getBoundingClientRect();
      row.remove();
      return width;
    })""")
    assert widths[0] < widths[2] and widths[1] < 1.2 * widths[2], widths


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_whose_session_ended_says_so_and_begins_a_new_conversation(desk, language):
    words = Words(language)
    talk = Talk(desk, words).begin()
    page, former = talk.phone.page, talk.id
    page.context.set_offline(True)
    expect(page.get_by_text(words("phone.offline"))).to_be_visible()
    page.context.clear_cookies()
    page.context.set_offline(False)
    # The connection is there, and the customer is not: what is written is sent at once.
    expect(page.get_by_text(words("phone.failure.unauthenticated"))).to_be_visible()
    talk.begin("Still there?")
    assert talk.id != former
    expect(page.get_by_text(words("phone.begunAnew"))).to_be_visible()
    expect(page.locator("phone-thread").get_by_text("Hello", exact=True)).to_be_hidden()
    talk.send({"v": 1, "type": "text", "body": "Here I am"})
    expect(page.locator("desk-card").get_by_text("Here I am")).to_be_visible()
    expect(page.get_by_text(words("phone.failure.unauthenticated"))).to_be_hidden()
    page.faults.clear()  # The browser logs every attempt on a dead line, and with a dead session.


def test_a_browser_without_cookies_is_told_that_no_answer_can_come(desk):
    words = Words("en")
    phone = Phone(desk, words)
    # As if the browser kept none: the server knows the sender of no request.
    phone.page.route("**/api/phone/**", lambda route: route.continue_(headers={
        **route.request.headers, "cookie": ""}))
    phone.page.context.on("response", lambda _: phone.page.context.clear_cookies())
    desk.forget(phone.page)
    phone.open(f"{desk.phone_url}/b/{desk.sandbox_business['id']}")
    phone.say("Hello?")
    notice = phone.page.get_by_role("alert").filter(has_text=words("phone.noCookies"))
    expect(notice).to_be_visible()
    assert_accessible(phone.page)
    phone.say("Anybody?")
    expect(phone.page.get_by_text(words("phone.begunAnew"))).to_be_visible()
    expect(notice).to_have_count(1)
    phone.page.faults.clear()  # The browser logs each refused stream.


def test_a_page_whose_scripts_are_on_their_way_shows_that_it_loads(desk):
    page = desk.page(phone=True)
    page.route("**/phone-app.js", lambda _: None)
    page.goto(f"{desk.phone_url}/b/{desk.sandbox_business['id']}", wait_until="commit")
    page.wait_for_selector("phone-app", state="attached")
    page.wait_for_function("""() => getComputedStyle(document.querySelector("phone-app"), "::before").content === '""'""")
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    expect(page.get_by_role("textbox", name=Words("en")("phone.message"), exact=True)).to_be_visible()
    assert page.evaluate("""() => getComputedStyle(document.querySelector("phone-app"), "::before").content""") == "none"


def test_what_was_deleted_is_gone_from_every_page_of_the_browser_and_said_after_a_reload(desk):
    words = Words("en")
    talk = Talk(desk, words).begin("In private")
    page = talk.phone.page
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("In private")).to_be_visible()
    page.bring_to_front()
    page.get_by_role("button", name=words("phone.menu"), exact=True).click()
    talk.phone.sheet.get_by_role("button", name=words("phone.delete")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("phone.deleteConfirm"), exact=True).click()
    for one in (page, other):
        expect(one.get_by_text(words("phone.welcomeBack"))).to_be_visible()
    page.reload()
    expect(page.get_by_text(words("phone.welcomeBack"))).to_be_visible()
    talk.begin("In public")
    expect(page.get_by_text("In private")).to_be_hidden()


def test_what_was_deleted_on_one_device_is_gone_from_another_which_shows_what_begins_anew(desk):
    words = Words("en")
    talk = Talk(desk, words).begin("In private")
    page = talk.phone.page
    other = desk.page(phone=True)
    other.context.add_cookies(page.context.cookies(page.url.replace("/b/", "/api/phone/")))
    other.goto(page.url)
    expect(other.get_by_text("In private")).to_be_visible()
    page.get_by_role("button", name=words("phone.menu"), exact=True).click()
    talk.phone.sheet.get_by_role("button", name=words("phone.delete")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("phone.deleteConfirm"), exact=True).click()
    expect(other.get_by_text(words("phone.welcomeBack"))).to_be_visible()
    expect(other.get_by_text("In private")).to_be_hidden()
    talk.phone.say("In public")
    expect(other.get_by_text("In public")).to_be_visible()
    expect(other.get_by_text("In private")).to_be_hidden()
