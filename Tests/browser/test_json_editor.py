"""Writing a payload by hand: findings in place, fixes, suggestions, help, by keyboard and pointer."""

import json
import re

import pytest
from looks import assert_accessible
from pages import Sandbox
from playwright.sync_api import expect
from support.server import ROOT
from support.words import Words

EXAMPLES = ROOT / "Schemas" / "examples" / "outbound"
BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")


def picker(live="huge", start="2001-01-01T10:00+0000"):
    """A time picker with one error and one warning behind characters of several bytes."""
    return json.dumps({
        "type": "interactive", "interactiveData": {
            "bid": BID, "data": {
                "version": "1.0", "requestIdentifier": "r",
                "event": {"identifier": "e", "title": "お茶 🍵 é", "timeslots": [
                    {"identifier": "a", "startTime": start, "duration": 1800}]}},
            "receivedMessage": {"title": "いつ 🍵 ?"}, "useLiveLayout": live}},
        ensure_ascii=False, indent=2)


def open_raw(desk, language="en", **look):
    """The sandbox's Raw JSON and the words of its page."""
    words = Words(language)
    return Sandbox(desk, words, **look).open_raw(), words


def selected(sandbox):
    """The selected text of the editor."""
    return sandbox.editor.evaluate(
        "(area) => area.value.slice(area.selectionStart, area.selectionEnd)")


def line_of(text, part):
    """The line that a part of the text is in."""
    return text[:text.index(part)].count("\n") + 1


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_findings_stand_under_their_own_characters_and_in_the_gutter(desk, language, scheme):
    sandbox, words = open_raw(desk, language, scheme=scheme)
    text, page = picker(), sandbox.page
    sandbox.editor.fill(text)
    expect(sandbox.findings).to_have_count(2)
    expect(page.locator(".je-under-error")).to_have_text(['"huge"'])
    expect(page.locator(".je-under-warning")).to_have_text(['"2001-01-01T10:00+0000"'])
    looks = [page.locator(f".je-under-{name}").evaluate(
        "(part) => getComputedStyle(part).textDecorationStyle") for name in ("error", "warning")]
    assert looks == ["wavy", "dashed"]
    marks = page.locator("json-editor .je-mark")
    # The lines in view and some beyond are drawn; both marks are among them.
    expect(marks).to_have_text([
        str(line_of(text, "2001-01-01")), str(line_of(text, '"huge"'))])
    signs = [mark.evaluate("(one) => getComputedStyle(one, '::before').content")
             for mark in marks.all()]
    assert signs == ['"▲"', '"●"']
    assert_accessible(page)
    desk.shot(page, f"editor-findings-{language}-{scheme}")


def test_a_finding_of_several_lines_stands_under_all_of_them_and_not_under_their_indent(desk):
    sandbox, _ = open_raw(desk)
    sandbox.editor.fill('{\n  "type": "text",\n  "body":\n    [\n      1,\n\n      2\n    ]\n}')
    expect(sandbox.findings).to_have_count(1)
    under = sandbox.page.locator(".je-under-error")
    expect(under.first).to_be_attached()
    lines = sandbox.page.locator(".je-line").evaluate_all("""(lines) => lines.map((line) =>
        [...line.querySelectorAll(".je-under-error")].map((part) => part.textContent).join(""))""")
    assert lines == ["", "", "", "[", "1,", "", "2", "]", ""]
    expect(sandbox.page.locator("json-editor .je-mark")).to_have_text(["4"])


def test_the_open_kind_and_the_tools_stay_in_view_when_the_window_narrows(desk):
    sandbox, _ = open_raw(desk)
    page = sandbox.page
    tools = page.locator("desk-composer .cp-foot button:visible")
    for width in (900, 420, 320):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.get_by_role("region", name=sandbox.words("composer.kind.raw"), exact=True)).to_be_visible()
        edges = tools.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().right)")
        assert len(edges) >= 5 and max(edges) <= width


def test_f8_goes_from_finding_to_finding_and_announces_each(desk):
    sandbox, words = open_raw(desk)
    page = sandbox.page
    sandbox.editor.fill(picker())
    expect(sandbox.findings).to_have_count(2)
    sandbox.place_caret(0)
    page.keyboard.press("F8")
    assert selected(sandbox) == '"2001-01-01T10:00+0000"'
    card = page.locator("help-card")
    expect(card).to_contain_text(words("composer.findings.warning"))
    link = card.get_by_role("link", name="slot-past")
    assert page.request.get(desk.server.url + link.get_attribute("href")).ok
    page.keyboard.press("F8")
    assert selected(sandbox) == '"huge"'
    page.keyboard.press("F8")
    assert selected(sandbox) == '"2001-01-01T10:00+0000"'
    page.keyboard.press("Shift+F8")
    assert selected(sandbox) == '"huge"'
    expect(page.locator("json-editor [role=status]")).to_contain_text("2 of 2")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_mark_in_the_gutter_is_reached_by_tab_and_by_pointer(desk):
    sandbox, _ = open_raw(desk)
    page = sandbox.page
    sandbox.editor.fill(picker())
    expect(sandbox.findings).to_have_count(2)
    page.locator("json-editor .je-mark").last.click()
    assert selected(sandbox) == '"huge"'
    card = page.locator("help-card")
    expect(card).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("json-editor .je-mark").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("json-editor .je-mark").last).to_be_focused()
    expect(card).to_be_hidden()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(sandbox.editor).to_be_focused()
    assert selected(sandbox) == '"2001-01-01T10:00+0000"'
    expect(card).to_be_visible()


def test_a_help_card_about_to_close_stays_when_the_pointer_returns(desk):
    sandbox, _ = open_raw(desk)
    page = sandbox.page
    sandbox.editor.fill(picker())
    expect(sandbox.findings).to_have_count(2)
    page.evaluate("""() => {
      const mark = document.querySelector("json-editor .je-mark");
      mark.click();
      mark.focus();
      mark.click();
    }""")
    page.wait_for_timeout(400)  # Longer than the card stays behind; under load it is only kinder.
    expect(page.locator("help-card")).to_be_visible()


def test_marks_follow_what_is_typed_before_the_next_answer(desk):
    sandbox, _ = open_raw(desk)
    page = sandbox.page
    text = picker()
    sandbox.editor.fill(text)
    expect(sandbox.findings).to_have_count(2)
    page.route("**/api/validate*", lambda route: None)
    sandbox.place_caret(text.index("お茶"))
    page.keyboard.type("Grüner ")
    expect(page.locator(".je-line", has_text="Grüner")).to_be_visible()
    expect(page.locator(".je-under-error")).to_have_text(['"huge"'])


def test_a_fix_is_made_and_undone(desk):
    sandbox, words = open_raw(desk)
    page = sandbox.page
    bad = '{\n  "type": "text",\n  "body": "日本🍵",\n}'
    sandbox.editor.fill(bad)
    expect(sandbox.findings).to_have_count(1)
    sandbox.findings.get_by_role("button", name=re.compile("^Fix")).click()
    expect(sandbox.findings).to_have_count(0)
    fixed = sandbox.editor.input_value()
    assert json.loads(fixed) == {"type": "text", "body": "日本🍵"}
    page.keyboard.press("Control+z")
    assert sandbox.editor.input_value() == bad
    expect(sandbox.findings).to_have_count(1)
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+.")
    assert sandbox.editor.input_value() == fixed


def test_all_fixes_of_the_server_are_made_at_once_and_undone_at_once(desk):
    sandbox, words = open_raw(desk)
    page = sandbox.page
    payload = json.loads((EXAMPLES / "list-picker" / "valid-two-sections.json").read_text())
    for member in ("id", "sourceId", "destinationId"):
        del payload[member]
    payload["interactiveData"]["data"]["listPicker"]["sections"][0]["title"] = "大きさ 🍵"
    data = payload["interactiveData"]["data"]
    payload["interactiveData"]["receivedMessage"]["style"] = "Icon"
    data["listPicker"]["sections"][0]["order"] = "0"
    bad = json.dumps(payload, ensure_ascii=False, indent=2)
    sandbox.editor.fill(bad)
    expect(sandbox.findings).to_have_count(2)
    page.locator("json-editor .je-fixall").click()
    expect(sandbox.findings).to_have_count(0)
    fixed = json.loads(sandbox.editor.input_value())
    assert fixed["interactiveData"]["receivedMessage"]["style"] == "icon"
    assert fixed["interactiveData"]["data"]["listPicker"]["sections"][0]["order"] == 0
    page.keyboard.press("Control+z")
    assert sandbox.editor.input_value() == bad


def test_names_and_values_are_suggested_while_typing(desk):
    sandbox, words = open_raw(desk)
    page = sandbox.page
    options = page.get_by_role(
        "listbox", name=words("composer.editor.suggestionList")).get_by_role("option")
    sandbox.editor.focus()
    page.keyboard.press("Control+Space")
    expect(options.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(options.first).to_be_hidden()
    page.keyboard.type("{")
    page.keyboard.press("Enter")
    page.keyboard.type('"')
    expect(options.first).to_contain_text("type")
    expect(options.first).to_contain_text(words("composer.editor.required"))
    expect(options.first).to_have_attribute("aria-selected", "true")
    active = sandbox.editor.get_attribute("aria-activedescendant")
    assert active == options.first.get_attribute("id")
    expect(page.locator("completion-list .sg-words")).to_contain_text("Kind of the message")
    assert_accessible(page)
    desk.shot(page, "editor-suggestions")
    page.keyboard.type("ty")
    expect(options).to_have_count(1)
    page.keyboard.press("Tab")
    expect(options.filter(has_text="typing_end")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert json.loads(sandbox.editor.input_value() + "}") == {"type": "text"}
    page.keyboard.type(",")
    page.keyboard.press("Enter")
    page.keyboard.type('"')
    expect(options.first).to_contain_text("body")
    assert "type" not in [label.split("\n")[0] for label in options.all_inner_texts()]
    options.first.click()
    page.keyboard.type("Hello")
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.type("}")
    assert json.loads(sandbox.editor.input_value()) == {"type": "text", "body": "Hello"}
    expect(sandbox.findings).to_have_count(0)
    sandbox.send()


def test_a_place_is_explained_to_the_pointer_and_to_the_keyboard(desk):
    sandbox, words = open_raw(desk)
    page, card = sandbox.page, sandbox.page.locator("help-card")
    text = picker(live=True, start="2040-01-01T10:00+0000")
    sandbox.editor.fill(text)
    sandbox.place_caret(text.index("receivedMessage") + 2)
    page.keyboard.press("F1")
    expect(card).to_contain_text("The bubble the customer gets")
    expect(page.locator("json-editor [role=status]")).to_contain_text("The bubble the customer gets")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    sandbox.place_caret(text.index('"title": "いつ'))
    page.locator(".je-line", has_text="いつ").locator(".js-key").hover(force=True)
    expect(card).to_contain_text("The line people read first")
    expect(card).to_contain_text(words("composer.limit.maxLength", count=512))
    desk.shot(page, "editor-help")
    assert_accessible(page)
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_editor_fits_a_narrow_page(desk, scheme):
    sandbox, words = open_raw(desk, "ja", viewport={"width": 390, "height": 844}, scheme=scheme)
    page = sandbox.page
    sandbox.editor.fill(picker())
    expect(sandbox.findings).to_have_count(2)
    page.locator("json-editor").get_by_role(
        "button", name=words("composer.editor.next")).click()
    expect(page.locator("help-card")).to_be_visible()
    assert_accessible(page)
    for part in ("json-editor", "help-card"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, part
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    desk.shot(page, f"editor-390-{scheme}")
    page.keyboard.press("Escape")
    page.locator("json-editor").get_by_role(
        "button", name=words("composer.editor.keys")).click()
    assert_accessible(page)


def test_a_payload_of_300_kb_is_drawn_by_the_lines_in_view(desk):
    sandbox, words = open_raw(desk)
    payload = json.loads((EXAMPLES / "list-picker" / "valid-two-sections.json").read_text())
    for member in ("id", "sourceId", "destinationId"):
        del payload[member]
    item = {"identifier": "x", "title": "T", "subtitle": "s" * 60}
    payload["interactiveData"]["data"]["listPicker"]["sections"][0]["items"] = [
        {**item, "identifier": f"i{number}"} for number in range(499)]
    payload["interactiveData"]["data"]["images"] = [
        {"identifier": "p", "data": "iVBORw0KGgo" + "A" * 230_000}]
    text = json.dumps(payload)
    assert len(text) > 270_000
    sandbox.editor.fill(text)
    drawn = sandbox.page.locator("json-editor .je-line")
    expect(drawn.first).to_contain_text("AAAA")
    assert len(drawn.first.text_content()) < 5000
    sandbox.page.get_by_role("button", name=words("composer.raw.format"), exact=True).click()
    laid_out = sandbox.editor.input_value()
    assert len(laid_out) > 300_000 and json.loads(laid_out) == payload
    sandbox.place_caret(laid_out.index('"i400"'))
    sandbox.page.keyboard.type("9")
    expect(drawn.filter(has_text="i400")).to_be_attached()
    assert drawn.count() < 100
    sandbox.page.keyboard.press("Control+z")
    assert sandbox.editor.input_value() == laid_out
    sandbox.page.keyboard.press("Control+z")
    assert sandbox.editor.input_value() == text
    sandbox.page.keyboard.press("Control+Shift+z")
    assert sandbox.editor.input_value() == laid_out


def test_a_damaged_paste_is_noticed_and_repaired_after_a_look(desk):
    sandbox, words = open_raw(desk)
    page = sandbox.page
    logged = '"{\\"type\\":\\"text\\",\\"body\\":\\"日本 🍵\\"}"'
    page.evaluate("""(text) => {
      const area = document.createElement("textarea");
      document.body.append(area);
      area.value = text;
      area.select();
      document.execCommand("copy");
      area.remove();
    }""", logged)
    sandbox.editor.focus()
    page.keyboard.press("Control+v")
    expect(sandbox.editor).to_have_value(logged)
    hint = page.get_by_text(words("composer.repair.suspect"))
    expect(hint).to_be_visible()
    page.locator(".cp-suspicion").get_by_role(
        "button", name=words("composer.repair.open")).click()
    panel = page.locator("repair-panel")
    expect(panel.locator(".rp-list li").first).to_be_visible()
    expect(panel.get_by_role("region")).to_contain_text("日本 🍵")
    desk.shot(page, "editor-repair")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert sandbox.editor.input_value() == logged


def test_text_that_does_not_read_is_offered_to_the_doctor(desk):
    sandbox, words = open_raw(desk, "ja", scheme="dark", viewport={"width": 390, "height": 844})
    page = sandbox.page
    bad = "{\n  \u201ctype\u201d: 'text', // 挨拶\n  body: \u201cHello\u201d,\n}"
    sandbox.editor.fill(bad)
    page.get_by_role("button", name=words("composer.repair.open")).click()
    panel = page.locator("repair-panel")
    take = panel.get_by_role("button", name=words("composer.repair.apply"))
    expect(take).to_be_visible()
    desk.shot(page, "editor-repair-390-ja")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    take.click()
    assert json.loads(sandbox.editor.input_value()) == {"type": "text", "body": "Hello"}
    expect(sandbox.findings).to_have_count(0)
    page.keyboard.press("Control+z")
    assert sandbox.editor.input_value() == bad
