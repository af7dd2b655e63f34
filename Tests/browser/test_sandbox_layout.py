"""Where things are in the sandbox: nothing twice, the log first, room for the form, and what the phone answers at once."""

import datetime
import json
import zoneinfo

import pytest
from looks import assert_accessible
from pages import Phone, Sandbox, join
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_phone_story import Talk, interactive, tea_list

pytestmark = pytest.mark.every_language

LOOKS = [("en", "light"), ("ja", "dark")]


def talking(desk, words, text="Hello", scheme="light", **look):
    """A phone that has written, and the sandbox with its conversation open."""
    talk = Talk(desk, words, scheme=scheme).begin(text)
    sandbox = Sandbox(desk, words, scheme=scheme, **look).open()
    sandbox.turn_to(talk.id)
    expect(sandbox.composer()).to_be_visible()
    return talk, sandbox


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_badge_of_a_new_message_and_the_names_stand_on_one_line(desk, language):
    words = Words(language)
    _, sandbox = talking(desk, words)
    other = Customer(desk.server, desk.sandbox_business["id"])
    other.say("And me")
    expect(sandbox.page.locator(".sb-who .cs-new")).to_have_text(words("sandbox.newCount", count=1))
    badge = sandbox.conversations().locator(".cs-new").first
    expect(badge).to_be_visible()
    for part in (badge, sandbox.page.locator(".cs-name bdi").first):
        lines = part.evaluate("(node) => { const range = document.createRange(); range.selectNodeContents(node);"
                              " return new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size; }")
        assert lines == 1
    desk.shot(sandbox.page, f"sandbox-badge-{language}")


def test_raw_json_is_shown_once_and_has_room(desk):
    words = Words("en")
    _, sandbox = talking(desk, words)
    sandbox.choose_kind("list")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    draft = sandbox.page.get_by_role("tab", name=words("sandbox.lower.draft"), exact=True)
    expect(draft).to_have_attribute("aria-selected", "true")
    sandbox.page.get_by_role("button", name=words("composer.json.editRaw")).click()
    expect(sandbox.editor).to_be_visible()
    expect(draft).to_be_hidden()
    expect(sandbox.page.get_by_role("tab", name=words("sandbox.lower.log"), exact=True)).to_have_attribute("aria-selected", "true")
    assert sandbox.editor.bounding_box()["height"] >= 220
    assert_accessible(sandbox.page)
    # With something to fix, its words are whole, and the text keeps its room.
    sandbox.editor.fill(sandbox.editor.input_value().replace('"sections"', '"sectons"', 1))
    expect(sandbox.findings.first).to_be_visible()
    sandbox.page.wait_for_function("(list) => list.scrollHeight <= list.clientHeight", arg=sandbox.page.locator("raw-form finding-list").element_handle())
    assert sandbox.editor.bounding_box()["height"] >= 180
    desk.shot(sandbox.page, "sandbox-raw-once")
    sandbox.choose_kind("list")
    expect(draft).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_the_buttons_of_the_json_share_a_line_on_a_phone(desk, language, scheme):
    words = Words(language)
    _, sandbox = talking(desk, words, scheme=scheme)
    sandbox.choose_kind("quickReply")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    sandbox.page.set_viewport_size({"width": 390, "height": 844})
    sandbox.page.get_by_role("tab", name=words("sandbox.tab.json"), exact=True).click()
    head = sandbox.page.locator(".js-head").locator("visible=true").first
    buttons = [head.get_by_role("button", name=words(name), exact=True) for name in ("composer.json.copy", "composer.json.editRaw")]
    expect(buttons[1]).to_be_visible()
    left, right = (one.bounding_box() for one in buttons)
    assert left["y"] == right["y"] and left["x"] < right["x"] and right["x"] + right["width"] <= 390
    assert_accessible(sandbox.page)
    desk.shot(sandbox.page, f"sandbox-json-head-{language}-{scheme}-390")


def test_the_help_of_a_place_covers_no_fix_and_no_finding(desk):
    words = Words("en")
    _, sandbox = talking(desk, words)
    sandbox.choose_kind("raw")
    text = '{"type": "interactive", "interactiveData": {"bid": "x", "dta": {}, "receivedMesage": {}}}'
    sandbox.editor.fill(text)
    expect(sandbox.findings.first).to_be_visible()
    sandbox.place_caret(text.index("dta") + 1)
    sandbox.page.keyboard.press("F1")
    card = sandbox.page.locator("help-card")
    expect(card).to_be_visible()
    box = card.bounding_box()
    editor = sandbox.editor.bounding_box()
    assert box["y"] + box["height"] <= editor["y"] + editor["height"] + 1
    desk.shot(sandbox.page, "sandbox-help-card")
    # A press on what stands below the text is no press on the card.
    sandbox.findings.first.get_by_role("button").first.click()
    expect(sandbox.editor).to_be_visible()


def test_the_wire_shows_its_log_first_and_sets_up_behind_one_button(desk):
    words = Words("en")
    _, sandbox = talking(desk, words)
    sandbox.page.get_by_role("tab", name=words("sandbox.lower.wire"), exact=True).click()
    pane = sandbox.page.locator(".sb-lower").bounding_box()
    log = sandbox.page.locator("wire-exchanges").bounding_box()
    assert log["y"] - pane["y"] < 80
    expect(sandbox.page.locator("provider-registration")).to_be_hidden()
    sandbox.page.get_by_text(words("sandbox.wire.setUp"), exact=True).click()
    expect(sandbox.page.locator("provider-registration")).to_be_visible()
    assert_accessible(sandbox.page)


def test_sent_and_received_opens_the_newest_message(desk):
    words = Words("en")
    talk, sandbox = talking(desk, words, "The first one")
    sandbox.say("The newest one")
    expect(talk.phone.page.locator("desk-card").get_by_text("The newest one")).to_be_visible()
    sandbox.page.get_by_role("tab", name=words("sandbox.lower.log"), exact=True).click()
    rows = sandbox.page.locator(".ml-row")
    expect(rows.first).to_have_attribute("aria-pressed", "true")
    expect(rows.first).to_contain_text("The newest one")
    expect(sandbox.page.locator("message-log json-view")).to_contain_text("The newest one")


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_a_wide_window_has_phone_form_and_code_beside_each_other(desk, language, scheme):
    words = Words(language)
    _, sandbox = talking(desk, words, scheme=scheme, viewport={"width": 1920, "height": 1080})
    sandbox.choose_kind("time")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    phone, form, code = [sandbox.page.locator(one).bounding_box() for one in (".sb-phone", ".sb-compose", ".sb-json")]
    assert phone["x"] + phone["width"] <= form["x"] + 1 and form["x"] + form["width"] <= code["x"] + 1
    assert abs(form["y"] - code["y"]) <= 1 and code["height"] > 900
    assert sandbox.page.locator("time-form").bounding_box()["width"] <= 641
    assert_accessible(sandbox.page)
    desk.shot(sandbox.page, f"sandbox-wide-{language}-{scheme}")


def test_a_quick_reply_is_answered_by_one_tap_and_only_once(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Ask me")
    expect(sandbox.composer()).to_be_visible()
    sandbox.send_example("quickReply")
    chips = phone.page.locator("desk-card").get_by_role("group", name=words("card.quickReply"))
    sent = []
    phone.page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/choices") else None)
    answer = phone.pick(chips.last.get_by_role("button").first)
    assert answer["payload"]["interactiveData"]["data"]["quick-reply"]["selectedIndex"] == 0
    expect(phone.sheet).to_have_count(0)
    assert len(sent) == 1


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_the_words_of_the_mute_row_switch_it(desk, language, scheme):
    words = Words(language)
    talk = Talk(desk, words, scheme=scheme).begin()
    page = talk.phone.page
    page.get_by_role("button", name=words("phone.menu")).click()
    switch = talk.phone.sheet.get_by_role("switch", name=words("phone.mute"))
    expect(switch).not_to_be_checked()
    talk.phone.sheet.get_by_text(words("phone.muteHint")).click()
    expect(switch).to_be_checked()
    assert_accessible(page)
    page.keyboard.press("Escape")
    # The focus stays in the page: on what opened the sheet, or on the thread.
    page.wait_for_function("() => document.activeElement !== document.body")


def test_a_file_with_a_long_name_keeps_its_icon_and_its_button(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    name = "a-very-long-name-of-a-file-that-nobody-would-ever-read-to-its-end.pdf"
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "application/pdf", "buffer": b"%PDF-1.4"})
    chip = page.locator(".pending-file")
    expect(chip).to_be_visible()
    # While it is uploaded the tray is drawn again and again.
    expect(chip.locator("progress")).to_have_count(0)
    assert chip.locator(".pending-name svg").bounding_box()["width"] >= 18
    button = page.get_by_role("button", name=words("phone.removeFile", name=name)).bounding_box()
    assert button["x"] + button["width"] <= 390
    desk.shot(page, "phone-long-file")


def test_an_answered_list_says_how_many_were_chosen_and_a_straight_form_how_many_questions_it_has(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    talk.send(interactive("listPicker", {"sections": [{"title": "Teas", "multipleSelection": True, "items": [
        {"identifier": str(number), "title": f"Tea {number}", "order": number, "style": "default"} for number in range(4)]}]},
        receivedMessage={"title": "Choose"}, replyMessage={"title": "Chosen"}))
    talk.phone.open_card("list")
    for number in (0, 1):
        talk.phone.sheet.locator("label").nth(number).click()
    talk.phone.confirm()
    answer = talk.phone.page.locator("desk-card .card.is-list.is-answer")
    expect(answer).to_contain_text(words("card.chosenCount", count=2))
    pages = [{"pageIdentifier": name, "type": "input", "subtitle": f"What about {name}?",
              **({"nextPageIdentifier": "b"} if name == "a" else {"submitForm": True})} for name in ("a", "b")]
    talk.send(interactive("dynamic", {"version": "1.2", "template": "messageForms", "data": {
        "startPageIdentifier": "a", "pages": pages}}, receivedMessage={"title": "Two"}, replyMessage={"title": "Done"}))
    talk.phone.page.locator("desk-card .card.is-form .head").last.click()
    expect(talk.phone.sheet.get_by_text(words("phone.form.questionOf", number=1, count=2))).to_be_visible()


def test_times_that_are_over_are_not_counted_and_their_day_is_not_on_the_card(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    now = datetime.datetime.now(datetime.timezone.utc)
    slots = [{"identifier": str(days), "duration": 1800,
              "startTime": (now + datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M+0000")} for days in (-2, -1, 1, 2, 3)]
    talk.send(interactive("event", {"identifier": "e", "title": "Look", "timeslots": slots}, receivedMessage={"title": "When?"}))
    expect(talk.phone.cards("time")).to_contain_text(words("card.times", count=3))
    first = (now + datetime.timedelta(days=1)).astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    expect(talk.phone.cards("time").locator(".tile.is-date")).to_have_text(f"{first:%b}{first.day}")


def test_a_japanese_payment_asks_family_name_and_postal_code_first_and_countries_by_name(desk, tmp_path):
    words = Words("ja")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("お支払い")
    expect(sandbox.composer()).to_be_visible()
    sandbox.choose_kind("payment")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    expect(sandbox.composer().get_by_text(words("composer.pay.sessionReady"))).to_be_visible()
    payload = sandbox.send()["payload"]
    request = payload["interactiveData"]["data"]["payment"]["paymentRequest"]
    phone.open_card("payment")
    keys = phone.sheet.locator(".pay-contact .fd-input").evaluate_all("(all) => all.map((one) => one.id)")
    if "name" in request.get("requiredShippingContactFields", []):
        assert keys.index("pay-familyName") < keys.index("pay-givenName")
    if "pay-postalCode" in keys:
        assert keys.index("pay-postalCode") < keys.index("pay-addressLines")
        expect(phone.sheet.locator("#pay-countryCode option:checked")).to_have_text("日本")
    assert "pay-familyName" in keys or "pay-postalCode" in keys, keys
    desk.shot(phone.page, "phone-payment-ja")


def test_a_section_that_may_be_left_says_so(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    talk.send(tea_list())
    talk.phone.open_card("list")
    hints = talk.phone.sheet.locator("legend small")
    expect(hints).to_have_text([words("card.chooseAtMostOne"), words("card.chooseAny")])


@pytest.mark.parametrize("place, offset", [("Harbour shop", 540), (None, 60), (None, 540)])
def test_times_name_the_place_whose_clock_is_meant(desk, place, offset):
    words = Words("en")
    talk = Talk(desk, words).begin()
    # In winter the page's own zone, Berlin, is one hour ahead.
    year = datetime.datetime.now(datetime.timezone.utc).year + 1
    talk.send(interactive("event", {"identifier": "e", "title": "Look", "timezoneOffset": offset,
                                    **({"location": {"title": place}} if place else {}), "timeslots": [
        {"identifier": "one", "duration": 1800, "startTime": f"{year}-01-15T10:00+0000"}]}, receivedMessage={"title": "When?"}))
    talk.phone.open_card("time")
    zone = "GMT+9" if offset == 540 else "Central European Time"
    text = words("card.zoneAt", place=place, zone=zone) if place else words("card.zone", zone=zone)
    expect(talk.phone.sheet.locator(".fd-event-facts")).to_contain_text(text)


def test_a_question_that_asks_for_a_text_is_ready_for_typing_by_touch_too(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    pages = [{"pageIdentifier": "a", "type": "select", "subtitle": "Which?", "nextPageIdentifier": "b",
              "items": [{"identifier": "one", "title": "One", "value": "1"}]},
             {"pageIdentifier": "b", "type": "input", "subtitle": "Why?", "submitForm": True}]
    talk.send(interactive("dynamic", {"version": "1.2", "template": "messageForms", "data": {
        "startPageIdentifier": "a", "pages": pages}}, receivedMessage={"title": "Two"}, replyMessage={"title": "Done"}))
    talk.phone.page.locator("desk-card .card.is-form .head").last.tap()
    sheet = talk.phone.sheet
    sheet.locator("label").first.tap()
    sheet.get_by_role("button", name=words("phone.form.next"), exact=True).tap()
    expect(sheet.locator("#form-field")).to_be_focused()


def test_the_thread_ends_at_the_payment_that_was_just_made(desk, merchant):
    words = Words("en")
    talk = Talk(desk, words).begin()
    for number in range(30):
        talk.desk.owner.post(f"/api/conversations/{talk.id}/messages", {"v": 1, "type": "text", "body": f"Line {number}"}, expect=201)
    talk.send(merchant.request())
    talk.phone.open_card("payment")
    talk.phone.sheet.locator(".is-confirm").click()
    expect(talk.phone.sheet).to_be_hidden()
    talk.phone.page.wait_for_function("""() => {
      const scroller = document.querySelector("phone-thread .scroller");
      return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2
        && [...document.querySelectorAll("phone-thread desk-card")].at(-1).shadowRoot.querySelector(".card.is-answer");
    }""")
    talk.phone.page.wait_for_function("() => document.activeElement !== document.body")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_tools_of_raw_json_keep_their_places(desk, language):
    words = Words(language)
    _, sandbox = talking(desk, words)
    sandbox.choose_kind("raw")
    names = ("repair.open", "raw.format", "raw.newID")
    tools = [sandbox.composer().get_by_role("button", name=words(f"composer.{name}"), exact=True) for name in names]

    def look():
        return [(tool.bounding_box(), tool.is_enabled()) for tool in tools]
    empty = look()
    assert [enabled for _, enabled in empty] == [False, False, False]
    sandbox.editor.fill('{"type": "text", "body": "a", "id": "6f2d1c5e-0000-4000-8000-000000000033"}')
    expect(tools[1]).to_be_enabled()
    assert [enabled for _, enabled in look()] == [False, True, True]
    sandbox.editor.fill('{"type": "text", ')
    expect(tools[0]).to_be_enabled()
    broken = look()
    assert [enabled for _, enabled in broken] == [True, False, False]
    assert [box for box, _ in broken] == [box for box, _ in empty]
    desk.shot(sandbox.page, f"raw-tools-{language}")


def test_a_key_that_belongs_elsewhere_says_where_and_is_taken_out_by_its_fix(desk):
    words = Words("ja")
    _, sandbox = talking(desk, words)
    sandbox.choose_kind("raw")
    payload = tea_list()
    payload["interactiveData"]["data"]["multipleSelection"] = True
    sandbox.editor.fill(json.dumps(payload))
    row = sandbox.findings.filter(has_text="unknown-key")
    expect(row).to_contain_text("/interactiveData/data/listPicker/sections/0")
    desk.shot(sandbox.page, "finding-unknown-key")
    row.get_by_role("button", name=words("composer.editor.fix")).last.click()
    expect(row).to_have_count(0)
    expect(sandbox.editor).to_have_value(json.dumps(tea_list()))


def test_the_conversations_are_behind_the_head_above_the_phone(desk):
    words = Words("en")
    talk, sandbox = talking(desk, words)
    page = sandbox.page
    head = page.locator(".sb-who")
    expect(head).to_have_attribute("aria-expanded", "false")
    other = Customer(desk.server, desk.sandbox_business["id"]).say("From another phone")["message"]["conversation"]
    expect(head.locator(".cs-new")).to_have_text(words("sandbox.newCount", count=1))
    head.press("Enter")
    popup = page.get_by_role("dialog", name=words("sandbox.conversations"))
    expect(popup.locator(f"[data-id='{talk.id}']")).to_be_focused()
    desk.shot(page, "sandbox-conversations")
    assert_accessible(page)
    popup.get_by_text(words("sandbox.invite"), exact=True).click()
    expect(popup.locator("join-code img")).to_be_visible()
    page.wait_for_function("() => document.querySelector('join-code img')?.naturalWidth > 0")
    desk.shot(page, "sandbox-conversations-invite")
    page.keyboard.press("Escape")
    expect(popup).to_have_count(0)
    expect(head).to_be_focused()
    sandbox.turn_to(other)
    expect(head.locator(".cs-new")).to_have_count(0)
    expect(sandbox.device.locator("desk-card").get_by_text("From another phone")).to_be_visible()
    head.click()
    popup.get_by_role("button", name=words("sandbox.newCode"), exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(words("sandbox.title"))
