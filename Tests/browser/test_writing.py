"""Writing in the console: typed text stays, findings are read and fixed, notes are easy to reach."""

import pytest
from looks import assert_accessible
from pages import choose_kind, join, live_business, open_conversation
from playwright.sync_api import expect
from support.words import Words

FORMS = ["quickReply", "list", "time", "payment", "richLink", "app", "form"]
# A sign-in request is left out: the customer's device of these tests announces none; test_question_form has its findings.
LIST = {"type": "interactive", "interactiveData": {
    "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
           "com.apple.icloud.apps.messages.business.extension",
    "data": {"version": "1.0", "requestIdentifier": "teas", "listPicker": {"sections": [
        {"title": "Teas", "items": [{"identifier": "one", "title": "Sencha", "order": 0}]}]}},
    "receivedMessage": {"title": "Choose your tea"}}}


def template(desk, name, payload):
    """A template of the live business without parameters."""
    desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": name, "title": name, "parameters": [],
        "payload": payload}, expect=201)


def insert(page, words, name):
    """Inserts a template by the button beside the text."""
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_role("option", name=name).click()
    picker.get_by_role("button", name=words("composer.template.insert"), exact=True).click()


def text_field(page, words):
    """Where an answer is written."""
    return page.get_by_role("textbox", name=words("composer.text.label"), exact=True)


def test_an_inserted_template_is_at_the_caret_and_undo_removes_it(desk):
    words = Words("en")
    template(desk, "opening-hours", {"type": "text", "body": "We open at ten."})
    page, _, _ = open_conversation(desk, words, "When do you open?")
    field = text_field(page, words)
    field.click()
    page.keyboard.type("Good morning! See you.")
    for _ in "See you.":
        page.keyboard.press("ArrowLeft")
    insert(page, words, "opening-hours")
    expect(field).to_have_value("Good morning! We open at ten.See you.")
    expect(field).to_be_focused()
    caret = len("Good morning! We open at ten.")
    assert field.evaluate("(area) => area.selectionStart") == caret
    page.keyboard.press("Control+z")
    expect(field).to_have_value("Good morning! See you.")
    page.keyboard.press("Control+Shift+z")
    expect(field).to_have_value("Good morning! We open at ten.See you.")
    page.keyboard.type(" ")
    with page.expect_response(lambda answer: answer.request.method == "POST"
                              and "/messages" in answer.url) as sent:
        page.keyboard.press("Enter")
    assert sent.value.json()["payload"]["body"] == "Good morning! We open at ten. See you."


def test_a_form_whose_content_was_replaced_restores_it(desk):
    words = Words("en")
    template(desk, "tea-list", LIST)
    page, _, _ = open_conversation(desk, words, "Which teas?")
    choose_kind(page, words, "list")
    first = page.locator("list-form input").first
    first.fill("Half a list")
    insert(page, words, "tea-list")
    expect(first).to_have_value("Choose your tea")
    desk.shot(page, "replaced")
    back = page.get_by_role("button", name=words("composer.replaced.back"), exact=True)
    expect(back).to_be_in_viewport(ratio=0.99)
    assert_accessible(page)
    back.click()
    expect(first).to_have_value("Half a list")
    expect(back).to_be_hidden()
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    expect(first).not_to_have_value("Half a list")
    back.click()
    expect(first).to_have_value("Half a list")
    page.get_by_role("button", name=words("composer.clear"), exact=True).click()
    expect(first).not_to_have_value("Half a list")
    back.click()
    expect(first).to_have_value("Half a list")
    page.get_by_role("button", name=words("composer.clear"), exact=True).click()
    first.fill("Another one")
    expect(back).to_be_hidden()


def finding(pointer, severity, fix):
    """A finding as the server words it."""
    return {"rule": "too-short", "severity": severity, "pointer": pointer, "line": 1, "column": 1,
            "start": 0, "end": 1, "found": "an empty text", "allowed": "a text", "fix": fix,
            "docs": "/docs/rules/too-short"}


@pytest.mark.parametrize("kind", FORMS)
def test_the_findings_of_a_form_open_and_lead_to_the_field(desk, kind):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, f"Findings of {kind}")
    held = []
    if kind == "payment":
        # It asks for the merchant's session by itself, soon after it is open.
        page.route("**/api/merchant-sessions", lambda route: held.append(route))
    choose_kind(page, words, kind)
    pointers = page.locator(".cp-panel .cp-field.cp-checked").evaluate_all(
        "(all) => all.filter((one) => one.contains(one.control)).map((one) => one.pointer())")
    found = [finding(pointers[-1], "warning", "Say more in the last field."),
             finding(pointers[0], "warning", "Say more in the first field."),
             finding("/nowhere/in/the/form", "warning", "This has no field.")]
    page.route("**/api/validate*", lambda route: route.fulfill(json={
        "kind": kind, "summary": "", "findings": found, "bytes": 1}))
    example = page.get_by_role("button", name=words("composer.example"), exact=True)
    example.click()
    count = page.get_by_role("button", name=words("composer.status.warnings", count=3), exact=True)
    expect(count).to_have_attribute("aria-expanded", "false")
    expect(count).to_be_visible()
    count.focus()
    if kind == "payment":
        # The session changes the form, which is judged again: the count keeps the focus meanwhile.
        for _ in range(100):
            if held:
                break
            page.wait_for_timeout(50)
        page.unroute("**/api/merchant-sessions")
        for route in held:
            route.continue_()
        # With the session a live business at http says that it cannot be sent.
        expect(page.get_by_text(words("composer.pay.unsafe", address=desk.phone_url))).to_be_visible()
    expect(count).to_be_focused()
    page.keyboard.press("Enter")
    rows = page.locator("desk-composer > finding-list li")
    expect(rows).to_have_count(3)
    expect(count).to_have_attribute("aria-expanded", "true")
    words_of_first = rows.nth(0).get_by_role("button", name="Say more in the last field.")
    expect(words_of_first).to_be_focused()
    expect(words_of_first).to_be_in_viewport(ratio=0.99)
    assert rows.nth(0).bounding_box()["height"] > 30
    expect(rows.nth(2).get_by_text("This has no field.")).to_be_visible()
    expect(rows.nth(2).get_by_role("button")).to_have_count(0)
    desk.shot(page, f"findings-{kind}")
    assert_accessible(page)
    # The stub's stored answer ends with the route: from here the form calls the server.
    page.keyboard.press("Enter")
    pointed = "(box) => box.closest('.cp-checked').pointer()"
    focused = page.locator(".cp-panel :focus")
    expect(focused).to_be_in_viewport(ratio=0.99)
    assert page.locator(".cp-panel .cp-checked:focus-within").last.evaluate(pointed) == pointers[-1]
    rows.nth(1).get_by_role("button").click()
    assert page.locator(".cp-panel .cp-checked:focus-within").last.evaluate(pointed) == pointers[0]
    rows.nth(1).get_by_role("button").focus()
    page.keyboard.press("Escape")
    expect(rows.first).to_be_hidden()
    expect(count).to_be_focused()
    count.click()
    expect(rows.first).to_be_visible()
    count.click()
    expect(rows.first).to_be_hidden()


def test_the_findings_of_a_text_open_and_lead_to_it(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Findings of a text")
    page.route("**/api/validate*", lambda route: route.fulfill(json={
        "kind": "text", "summary": "", "findings": [finding("/body", "warning", "Say less.")], "bytes": 1}))
    text_field(page, words).fill("Said")
    count = page.get_by_role("button", name=words("composer.status.warnings", count=1), exact=True)
    count.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Say less.")).to_be_focused()
    page.keyboard.press("Enter")
    expect(text_field(page, words)).to_be_focused()


def test_the_findings_of_the_server_open_in_every_language(desk):
    words = Words("ja")
    page, _, _ = open_conversation(desk, words, "リストの確認", scheme="dark")
    choose_kind(page, words, "quickReply")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    answers = page.locator("quick-reply-form input")
    for number in range(1, answers.count()):
        answers.nth(number).fill("")
    page.get_by_role("button", name=words("composer.status.errors", count=1), exact=True).click()
    row = page.locator("desk-composer > finding-list li")
    expect(row).to_have_count(1)
    expect(row).to_be_visible()
    desk.shot(page, "findings-ja-dark")
    assert_accessible(page)


def test_a_note_is_one_press_away_and_says_how_it_is_sent(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "A note, please")
    for number in range(4):
        customer.say(f"Line {number}\n" + "of a long\nconversation\n" * 5)
    expect(page.locator("desk-thread").get_by_text("Line 3")).to_be_visible()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    note = page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)
    expect(note).to_be_focused()
    expect(page.get_by_text(words("console.noteKeys"))).to_be_visible()
    expect(page.get_by_text(words("console.noteHelp"))).to_be_visible()
    desk.shot(page, "note")
    assert_accessible(page)
    page.keyboard.type("Calls back on Monday.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("desk-thread").get_by_text("Calls back on Monday.")).to_be_in_viewport()
    # What is written next must not reach the customer by mistake: that is chosen.
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).to_be_focused()
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).to_have_value("")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(text_field(page, words)).to_be_focused()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_note_is_written_by_touch(desk, language):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"By touch ({language})", phone=True)
    page.get_by_role("button", name=words("console.writeNote"), exact=True).tap()
    page.get_by_role("textbox", name=words("console.noteLabel"), exact=True).fill("By thumb.")
    desk.shot(page, f"note-touch-{language}")
    assert_accessible(page)
    page.get_by_role("button", name=words("console.addNote"), exact=True).tap()
    expect(page.locator("desk-thread").get_by_text("By thumb.")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in page.locator(".cp-foot button:visible").all():
        assert button.bounding_box()["height"] >= 44, button.inner_text()


def test_the_cursor_waits_in_the_sandbox_once_a_customer_has_come(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    phone.say("Is somebody there?")
    expect(sandbox.composer()).to_be_visible()
    expect(text_field(sandbox.page, words)).to_be_focused()
    sandbox.page.keyboard.type("Yes.")
    sandbox.page.keyboard.press("Enter")
    expect(phone.page.locator("desk-card").get_by_text("Yes.", exact=True)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_file_without_content_is_named_and_not_attached(desk, language, tmp_path):
    words = Words(language)
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "full.txt").write_text("Leaves")
    page, _, _ = open_conversation(desk, words, "Send me the price list")
    page.locator("desk-composer input[type=file]").first.set_input_files([tmp_path / "empty.pdf", tmp_path / "full.txt"])
    expect(page.locator("desk-composer .cp-chip")).to_have_count(1)
    said = words("composer.text.notUploaded", name="empty.pdf", reason=words("composer.text.empty"))
    expect(page.locator("desk-composer").get_by_text(said, exact=True)).to_be_visible()
    page.goto(f"{desk.phone_url}/console/templates")
    editor = page.locator("template-editor")
    editor.get_by_label(words("console.templateTitle"), exact=True).fill("Prices of this week")
    editor.locator("template-text input[type=file]").set_input_files([tmp_path / "empty.pdf", tmp_path / "full.txt"])
    expect(editor.locator(".cp-chip")).to_have_count(1)
    expect(editor.get_by_text(said, exact=True)).to_be_visible()
    editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    expect(page.get_by_text(words("items.saved", name="Prices of this week"), exact=True)).to_be_visible()


@pytest.mark.parametrize("kind, rows", [("list", "[data-section='0'] [data-item]"), ("quickReply", "[data-index]"),
                                        ("payment", "[data-line]"), ("form", "[data-page='0'] [data-item]")])
def test_enter_goes_on_to_the_next_row_of_a_card_and_adds_one_after_the_last(desk, kind, rows):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, f"Row after row of {kind}")
    choose_kind(page, words, kind)
    listed = page.locator(f"desk-composer {rows}")
    before = listed.count()
    listed.first.locator("input[data-key=title], input[data-key=label]").first.focus()
    names = [f"Row {number}" for number in range(before + 1)]
    for name in names:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    expect(listed).to_have_count(before + 2)
    assert listed.evaluate_all("(all) => all.map((one) => one.querySelector('input[data-key]').value)") == [*names, ""]
    expect(listed.last.locator("input[data-key]").first).to_be_focused()
    # After an empty row there is nothing to add, and an input method's Enter is its own.
    page.keyboard.press("Enter")
    expect(listed).to_have_count(before + 2)
    page.keyboard.type("変換")
    page.evaluate("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))")
    expect(listed).to_have_count(before + 2)


PASTE = """(types) => {
  const pasted = new DataTransfer();
  for (const type of types) pasted.setData(type, "<b>a</b>");
  pasted.items.add(new File([new Uint8Array([137, 80, 78, 71])], "image.png", { type: "image/png" }));
  const event = new ClipboardEvent("paste", { clipboardData: pasted, bubbles: true, cancelable: true });
  // What is not prevented, the browser pastes as the words that they are.
  return document.querySelector("textarea.cp-text").dispatchEvent(event);
}"""


@pytest.mark.parametrize("types, are_words", [
    (["text/plain", "text/html"], True), (["text/html"], False), (["text/plain"], False), ([], False)],
    ids=["cells", "picture of a page", "file with its name", "screenshot"])
def test_pasted_words_are_words_though_a_picture_of_them_is_beside_them(desk, types, are_words):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "What is it?")
    assert page.evaluate(PASTE, types) is are_words
    expect(page.locator(".cp-tray .cp-chip")).to_have_count(0 if are_words else 1)


FILL = """([tag, name, count]) => {
  const form = document.querySelector(tag);
  const rows = name === "items" ? form.draft.sections[0].items : form.draft[name];
  while (rows.length < count) rows.push({ ...rows[0], identifier: `more-${rows.length}` });
  form.setDraft(form.draft);
}"""


@pytest.mark.parametrize("kind, tag, name, row", [
    ("list", "list-form", "items", "[data-section='0'] [data-item]"), ("payment", "payment-form", "lineItems", "[data-line]")])
def test_a_form_that_has_no_room_for_another_row_says_so_where_it_would_be_added(desk, kind, tag, name, row):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, f"All of them ({kind})")
    choose_kind(page, words, kind)
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    page.evaluate(FILL, [tag, name, 49])
    form = page.locator(tag)
    full = form.get_by_text(words("composer.full", limit=50), exact=True)
    expect(full).to_have_count(0)
    form.locator(".cp-add").first.click()
    expect(form.locator(row)).to_have_count(50)
    expect(full).to_be_visible()
