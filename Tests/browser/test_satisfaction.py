"""Satisfaction from the switch to the report: the owner switches it on, a closed conversation asks, the phone answers, and nothing opens again."""

import time

import pytest
from looks import assert_accessible
from pages import Phone, console
from playwright.sync_api import expect
from support.words import Words
from test_labels import LOOKS, ready


def switch_on(desk, words, shop, kind="quickReply", **look):
    """The owner has customers asked, on the settings page."""
    page = ready(console(desk, words, "/settings/satisfaction", **look))
    panel = page.locator("satisfaction-panel")
    panel.locator("#satisfaction-business").select_option(shop["id"])
    box = panel.get_by_label(words("satisfaction.on"), exact=True)
    expect(box).not_to_be_checked()
    # A wrong value is refused where it is typed.
    days = panel.get_by_label(words("satisfaction.days"), exact=True)
    expect(days).to_have_value("30")
    days.fill("0")
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_role("alert").filter(has_text="365")).to_be_visible()
    days.fill("30")
    box.focus()
    page.keyboard.press("Space")
    panel.get_by_label(words("satisfaction.kind"), exact=True).select_option(kind)
    question = panel.locator(f"#satisfaction-question-{words.language}")
    expect(question).not_to_have_value("")
    asked = question.input_value()
    expect(page.frame_locator("satisfaction-panel iframe").get_by_text(asked).first).to_be_visible()
    panel.get_by_role("button", name=words("shared.save"), exact=True).press("Enter")
    expect(panel.get_by_text(words("satisfaction.saved"), exact=True)).to_be_visible()
    # Who saves by keyboard goes on from there.
    expect(panel.get_by_role("button", name=words("shared.save"), exact=True)).to_be_focused()
    assert desk.owner.fetch(f"/api/businesses/{shop['id']}/satisfaction")["isOn"] is True
    return page, asked


def counted(desk, shop):
    """The report's total, once it counts the answer."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        total = desk.owner.fetch(f"/api/businesses/{shop['id']}/reports")["total"]
        if total["satisfactionAnswered"]:
            return total
        time.sleep(0.3)
    raise AssertionError("the answer is not counted")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_customer_is_asked_after_closing_and_the_answer_is_shown_and_counted(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Satisfaction {language}"}, expect=201)
    page, asked = switch_on(desk, words, shop, scheme=scheme, phone=phone)
    desk.shot(page, f"satisfaction-settings-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    device = Phone(desk, words, scheme=scheme).open(f"{desk.phone_url}/b/{shop['id']}")
    with device.page.expect_response(lambda one: one.url.endswith("/messages") and one.request.method == "POST") as caught:
        device.say("Where is my parcel?")
    conversation = caught.value.json()["message"]["conversation"]
    desk.owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "It is there"}, expect=201)
    page.goto(f"{desk.phone_url}/console/c/{conversation}?business={shop['id']}")
    ready(page)
    thread = page.locator("desk-thread")
    expect(thread.get_by_text("It is there")).to_be_visible()
    page.keyboard.press("e")
    expect(thread.get_by_text(asked).first).to_be_visible()
    # The customer taps a score on the phone page.
    given = words_of(desk, shop, language)[3]
    choice = device.page.get_by_role("button", name=given, exact=True)
    expect(choice).to_be_visible()
    desk.shot(device.page, f"satisfaction-phone-{language}-{scheme}")
    choice.click()
    expect(thread.get_by_text(words("thread.event.satisfaction", score=4))).to_be_visible()
    stands_below_its_answer(thread, words, given)
    page.reload()
    ready(page)
    stands_below_its_answer(thread, words, given)
    found = desk.owner.fetch(f"/api/conversations/{conversation}")
    assert (found["state"], found["unread"], found["waitingSince"]) == ("closed", 0, None)
    assert found["satisfaction"]["score"] == 4
    if not phone:
        expect(page.locator("customer-panel").get_by_text(words("customer.satisfactionOf", score=4), exact=True)).to_be_visible()
    desk.shot(page, f"satisfaction-thread-{language}-{scheme}")
    assert_accessible(page)
    total = counted(desk, shop)
    assert [total[name] for name in ("satisfactionAsked", "satisfactionAnswered", "scored4", "meanScore", "begun", "closed")] == [1, 1, 1, 4, 1, 1]
    page.goto(f"{desk.phone_url}/console/reports")
    page.locator("#report-business").select_option(shop["id"])
    tile = page.locator(".report-tile", has=page.get_by_text(words("reports.meanScore"), exact=True))
    expect(tile.locator("dd").first).to_have_text("4.0")
    expect(page.locator(".report-scores li").nth(1)).to_contain_text("100")
    page.locator(".report-scores").scroll_into_view_if_needed()
    desk.shot(page, f"satisfaction-report-{language}-{scheme}")
    assert_accessible(page)


def stands_below_its_answer(thread, words, given):
    """The line of the score comes after the message that gives it."""
    line = thread.get_by_text(words("thread.event.satisfaction", score=4))
    expect(line).to_be_visible()
    answer = thread.get_by_text(given, exact=True).last
    expect(answer).to_be_visible()
    assert line.bounding_box()["y"] > answer.bounding_box()["y"]


def words_of(desk, shop, language):
    """What the scores of a business are called, that of 1 first."""
    return desk.owner.fetch(f"/api/businesses/{shop['id']}/satisfaction")["texts"][language]["choices"]


def test_a_form_asks_for_a_score_and_words_and_the_words_are_in_the_customer_column(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Satisfaction form"}, expect=201)
    page, _ = switch_on(desk, words, shop, kind="form")
    desk.shot(page, "satisfaction-settings-form")
    device = Phone(desk, words).open(f"{desk.phone_url}/b/{shop['id']}")
    with device.page.expect_response(lambda one: one.url.endswith("/messages") and one.request.method == "POST") as caught:
        device.say("Where is my parcel?")
    conversation = caught.value.json()["message"]["conversation"]
    desk.owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "It is there"}, expect=201)
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "closed"}, 200)
    card = device.page.locator("desk-card").last
    expect(card).to_contain_text("How satisfied")
    asked = desk.owner.fetch(f"/api/conversations/{conversation}/messages")["data"][-1]
    assert asked["kind"] == "form" and asked["automatic"] is True
    device.page.evaluate("""async ([business, message, id]) => {
      const answer = await fetch(`/api/phone/${business}/choices`, { method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ id, inReplyTo: message, form: { answers: [
          { page: "satisfaction", items: ["satisfaction-2"] }, { page: "comment", text: "It took very long." }] } }) });
      const said = await answer.text();
      if (answer.status !== 201) throw new Error(said);
    }""", [shop["id"], asked["id"], "0b1f0a52-5d35-4d9e-9f5a-9a2f0a6f9b11"])
    page.goto(f"{desk.phone_url}/console/c/{conversation}?business={shop['id']}")
    ready(page)
    expect(page.locator("desk-thread").get_by_text(words("thread.event.satisfaction", score=2))).to_be_visible()
    expect(page.locator("customer-panel q")).to_have_text("It took very long.")
    desk.shot(page, "satisfaction-comment")
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "closed"
    counted(desk, shop)
    for width, height in ((640, 512), (320, 256)):
        assert_usable_when_small(desk, words, page, shop, conversation, width, height)


def assert_usable_when_small(desk, words, page, shop, conversation, width, height):
    """Settings, report and the customer's column scroll in one direction, and each part of them is reached."""

    def reached(part):
        part.scroll_into_view_if_needed()
        expect(part).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{desk.phone_url}/console/settings/satisfaction")
    panel = page.locator("satisfaction-panel")
    panel.locator("#satisfaction-business").select_option(shop["id"])
    for part in ("#satisfaction-on", "#satisfaction-comment-en", ".form-actions button", "figcaption"):
        reached(panel.locator(part))
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/reports")
    page.locator("#report-business").select_option(shop["id"])
    for row in (0, 4):
        reached(page.locator(".report-scores li").nth(row))
    page.goto(f"{desk.phone_url}/console/c/{conversation}?business={shop['id']}")
    ready(page)
    expect(page.locator("desk-thread").get_by_text(words("thread.event.satisfaction", score=2))).to_be_attached()
    page.get_by_role("button", name=words("console.side"), exact=True).click()
    score = page.locator("customer-panel").get_by_text(words("customer.satisfactionOf", score=2), exact=True)
    reached(score)
    assert score.evaluate("(node) => node.getClientRects().length") == 1
    reached(page.locator("customer-panel q"))
    desk.shot(page, f"satisfaction-column-{width}")
    assert_accessible(page)
