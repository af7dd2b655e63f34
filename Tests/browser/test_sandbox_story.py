"""The main job in a real browser: scan, write, answer with every kind of reply, be answered."""

import json
import time

import pytest
from looks import assert_accessible
from pages import Phone, Sandbox, join
from playwright.sync_api import expect
from support.words import Words

LOOKS = [("en", "light"), ("ja", "dark")]


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_every_kind_of_reply_and_its_answer(desk, tmp_path, language, scheme):
    words = Words(language)
    sandbox, phone = join(desk, words, tmp_path, scheme)
    name = f"{language}-{scheme}"
    desk.shot(sandbox.page, f"sandbox-waiting-{name}")
    assert_accessible(sandbox.page)
    assert_accessible(phone.page)
    desk.shot(phone.page, f"phone-empty-{name}")

    started = time.monotonic()
    phone.say("こんにちは" if language == "ja" else "Hello, is this in stock?")
    expect(sandbox.composer()).to_be_visible()
    print(f"note: the sandbox turned into the composer after {time.monotonic() - started:.2f} s")

    sandbox.say("Yes, it is.")
    expect(phone.page.locator("desk-card").get_by_text("Yes, it is.")).to_be_visible()

    sandbox.send_example("quickReply")
    chips = phone.page.locator("desk-card").get_by_role("group", name=words("card.quickReply"))
    answer = phone.pick(chips.last.get_by_role("button").nth(1))
    assert answer["payload"]["interactiveData"]["data"]["quick-reply"]["selectedIndex"] == 1

    sandbox.send_example("list")
    desk.shot(phone.page, f"phone-list-{name}")
    phone.open_card("list")
    desk.shot(phone.page, f"phone-list-sheet-{name}")
    assert_accessible(phone.page)
    phone.sheet.locator("label").nth(1).click()
    answer = phone.confirm()
    data = answer["payload"]["interactiveData"]["data"]
    assert len(data["listPicker"]["sections"][0]["items"]) == 1
    expect(phone.cards("list").first.locator("..")).to_contain_text(data["replyMessage"]["title"])

    sandbox.send_example("time")
    phone.open_card("time")
    desk.shot(phone.page, f"phone-time-sheet-{name}")
    assert_accessible(phone.page)
    phone.sheet.locator("label").first.click()
    answer = phone.confirm()
    assert len(answer["payload"]["interactiveData"]["data"]["event"]["timeslots"]) == 1

    sandbox.choose_kind("payment")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    expect(sandbox.composer().get_by_text(words("composer.pay.sessionReady"))).to_be_visible()
    sandbox.send()
    phone.open_card("payment")
    expect(phone.sheet.get_by_text(words("phone.pay.banner"))).to_be_visible()
    desk.shot(phone.page, f"phone-payment-sheet-{name}")
    assert_accessible(phone.page)
    answer = phone.confirm()
    assert answer["payload"]["interactiveData"]["data"]["payment"]["state"] == "success"

    sandbox.send_example("richLink")
    expect(phone.page.locator("desk-card").get_by_text(
        words("composer.example.link.title")).last).to_be_visible()

    sandbox.send_example("app")
    phone.open_card("app")
    desk.shot(phone.page, f"phone-app-sheet-{name}")
    assert_accessible(phone.page)
    url = "?answer=%20a%2Bb&emoji=%F0%9F%8D%B5&" + "x" * 2000
    phone.sheet.get_by_role("textbox").fill(url)
    answer = phone.confirm()
    assert answer["payload"]["interactiveData"]["URL"] == url

    desk.shot(sandbox.page, f"sandbox-open-{name}")
    desk.shot(phone.page, f"phone-thread-{name}")
    assert_accessible(sandbox.page)
    assert_accessible(phone.page)


def test_typing_travels_both_ways_and_the_place_is_kept_after_a_reload(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Hello")
    expect(sandbox.composer()).to_be_visible()
    phone.field.press_sequentially("I am wri")
    expect(sandbox.page.get_by_text(words("sandbox.writing"))).to_be_visible()
    field = sandbox.page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    # A signal without a listener is lost: the phone connects with its first message.
    phone.page.wait_for_function(
        "() => document.querySelector('phone-chat').conversation.line === 'live'")
    field.press_sequentially("So am I")
    name = desk.sandbox_business["name"]
    expect(phone.page.get_by_text(words("phone.typing", name=name)).first).to_be_attached()
    phone.page.reload()
    expect(phone.page.locator("desk-card").get_by_text("Hello", exact=True)).to_be_visible()
    expect(phone.field).to_have_value("I am wri")


def test_mute_delete_and_come_back(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Hello")
    expect(sandbox.composer()).to_be_visible()
    phone.page.get_by_role("button", name=words("phone.menu")).click()
    phone.sheet.get_by_role("switch", name=words("phone.mute")).click()
    expect(phone.sheet.get_by_role("switch", name=words("phone.mute"))).to_be_checked()
    desk.shot(phone.page, "phone-menu")
    assert_accessible(phone.page)
    phone.sheet.get_by_role("button", name=words("phone.delete")).click()
    question = phone.page.get_by_role("alertdialog")
    assert_accessible(phone.page)
    question.get_by_role("button", name=words("phone.deleteConfirm"), exact=True).click()
    expect(sandbox.page.get_by_text(words("composer.left.title"))).to_be_visible()
    desk.shot(sandbox.page, "sandbox-left")
    phone.say("I am back")
    expect(sandbox.page.get_by_text(words("composer.left.title"))).to_be_hidden()
    sandbox.say("Welcome back")
    expect(phone.page.locator("desk-card").get_by_text("Welcome back")).to_be_visible()
    expect(phone.page.locator("desk-card").get_by_text("Hello", exact=True)).to_be_hidden()


def test_what_was_sent_and_stays_in_its_form_is_not_typed_anew(desk):
    words = Words("en")
    sandbox = Sandbox(desk, words).open_raw()
    page = sandbox.page
    sandbox.choose_kind("list")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    send = sandbox.composer().get_by_role("button", name=words("composer.send"), exact=True)
    expect(send).to_be_enabled()
    asked = []
    page.on("request", lambda one: asked.append(one.url.split("?")[0].rsplit("/", 1)[1]) if one.method == "POST" else None)
    # The form is judged once more after its message was accepted.
    with page.expect_response(lambda one: "/api/validate" in one.url and "messages" in asked):
        send.click()
    assert "typing" not in asked[asked.index("messages"):], asked


def test_raw_json_is_the_bytes_of_the_form_and_is_checked_while_typing(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Hello")
    expect(sandbox.composer()).to_be_visible()
    sandbox.choose_kind("list")
    sandbox.composer().get_by_role("button", name=words("composer.example"), exact=True).click()
    sandbox.page.get_by_role("button", name=words("composer.json.editRaw")).click()
    editor = sandbox.page.get_by_role("textbox", name=words("composer.raw.label"), exact=True)
    text = editor.input_value()
    payload = json.loads(text)
    assert payload["interactiveData"]["data"]["listPicker"]["sections"]
    editor.fill(text.replace('"listPicker"', '"listPiker"', 1))
    piker = sandbox.page.locator("raw-form finding-list li", has_text="/interactiveData/data")
    expect(piker.first).to_be_visible()
    desk.shot(sandbox.page, "sandbox-raw-findings")
    assert_accessible(sandbox.page)
    editor.fill("{\n  \"type\": ,\n}")
    expect(piker).to_have_count(0)
    expect(sandbox.page.locator("raw-form finding-list li").first).to_be_visible()
    marked = '{ "type":"text",   "body":"caf\\u00e9 1.50" }'
    editor.fill(marked)
    stored = sandbox.send()
    exact = desk.owner.call(
        "GET", f"/api/conversations/{stored['conversation']}/messages/{stored['id']}").content
    assert b'"type":"text",   "body":"caf\\u00e9 1.50" }' in exact


def test_attachments_go_both_ways(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Hello")
    expect(sandbox.composer()).to_be_visible()
    picture = tmp_path / "tea.png"
    sandbox.page.screenshot(path=picture)
    (tmp_path / "notes.pdf").write_bytes(b"%PDF-1.4 not much of one")
    sandbox.choose_kind("text")
    sandbox.composer().locator("input[type=file][multiple]").set_input_files(
        [picture, tmp_path / "notes.pdf"])
    field = sandbox.page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Two files")
    sandbox.send()
    expect(phone.page.locator("desk-card").get_by_role(
        "button", name=words("card.attachmentImage", name="tea.png"))).to_be_visible()
    expect(phone.page.locator("desk-card").get_by_role(
        "link", name=words("card.download", name="notes.pdf"))).to_be_visible()
    phone.page.wait_for_function("""() => [...document.querySelectorAll('phone-chat *')]
        .flatMap((node) => [...(node.shadowRoot?.querySelectorAll('img') ?? [])])
        .some((image) => image.naturalWidth > 100)""")
    desk.shot(phone.page, "phone-attachments")
    phone.page.locator("input[type=file]").set_input_files(picture)
    phone.say("And one back")
    expect(sandbox.device.locator("desk-card").get_by_text("And one back")).to_be_visible()
    assert_accessible(phone.page)


def test_my_app_asks_for_its_placeholders(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Hello")
    expect(sandbox.composer()).to_be_visible()
    sandbox.choose_kind("myApp")
    file = tmp_path / "app.json"
    file.write_text(json.dumps({"type": "interactive", "interactiveData": {
        "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:<team-identifier>:<extension>",
        "appId": 123456789, "appName": "Tea", "URL": "?a=1",
        "receivedMessage": {"title": "Your order"}}}))
    sandbox.page.locator("myapp-form input[type=file]").set_input_files(file)
    team = sandbox.composer().get_by_label("team-identifier")
    team.fill("ABCDE12345")
    sandbox.composer().get_by_label("extension", exact=False).last.fill("com.example.tea.ext")
    desk.shot(sandbox.page, "sandbox-my-app")
    assert_accessible(sandbox.page)
    stored = sandbox.send()
    assert stored["payload"]["interactiveData"]["bid"].endswith(":ABCDE12345:com.example.tea.ext")


def test_the_typed_code_opens_the_conversation_too(desk, tmp_path):
    words = Words("en")
    sandbox = Sandbox(desk, words).open()
    typed = sandbox.page.locator(".jc-letters").inner_text()
    phone = Phone(desk, words).open(f"{desk.phone_url}/j")
    assert_accessible(phone.page)
    desk.shot(phone.page, "phone-code")
    phone.page.get_by_label(words("phone.code.label")).fill(typed.lower())
    phone.page.get_by_role("button", name=words("phone.code.open")).click()
    phone.say("Typed, not scanned")
    expect(sandbox.composer()).to_be_visible()


def test_without_the_printed_link_the_sandbox_is_locked(desk):
    words = Words("en")
    page = desk.page()
    page.goto(f"{desk.phone_url}/sandbox")
    expect(page.get_by_role("heading", name=words("sandbox.locked.title"))).to_be_visible()
    desk.shot(page, "sandbox-locked")
    assert_accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_form_of_the_composer_is_accessible(desk, tmp_path, scheme):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, scheme)
    phone.say("Hello")
    expect(sandbox.composer()).to_be_visible()
    for kind in ("quickReply", "list", "time", "payment", "form", "authentication", "richLink", "app", "myApp", "raw"):
        sandbox.choose_kind(kind)
        example = sandbox.composer().get_by_role(
            "button", name=words("composer.example"), exact=True)
        if example.is_visible():
            example.click()
        sandbox.composer().evaluate(
            "(node) => { for (const fold of node.querySelectorAll('details')) fold.open = true; }")
        assert_accessible(sandbox.page)
        desk.shot(sandbox.page, f"composer-{kind}-{scheme}")
    sandbox.page.set_viewport_size({"width": 390, "height": 844})
    for tab in ("device", "compose", "json"):
        sandbox.page.get_by_role("tab", name=words(f"sandbox.tab.{tab}"), exact=True).click()
        assert_accessible(sandbox.page)
        assert sandbox.page.evaluate("document.documentElement.scrollWidth") <= 390
        desk.shot(sandbox.page, f"sandbox-{tab}-390-{scheme}")
