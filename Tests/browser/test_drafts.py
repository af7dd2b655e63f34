"""Drafts of an agent: kept on the server, the same on every device, gone with the message."""

import json

import pytest
from looks import assert_accessible
from pages import choose_kind, console, live_business, open_conversation, wait_for
from playwright.sync_api import expect
from support.server import Session
from support.words import Words


def field_of(page, words):
    """Where an answer is written."""
    return page.get_by_role("textbox", name=words("composer.text.label"), exact=True)


def draft_of(desk, conversation):
    """The owner's draft as the server has it, or None."""
    answer = desk.owner.get(f"{desk.server.url}/api/conversations/{conversation}/draft")
    return answer.json() if answer.status_code == 200 else None


def is_saved(answer):
    """Whether this is the answer to a draft that was saved."""
    return answer.request.method == "PUT" and answer.url.endswith("/draft") and answer.status == 200


def refuse(page, address, status, code, detail):
    """Every request to this address is refused."""
    page.route(address, lambda route: route.fulfill(
        status=status, content_type="application/problem+json", body=json.dumps(
            {"type": f"/docs/problems/{code}", "title": code, "status": status, "code": code, "detail": detail})))


def test_a_draft_survives_a_reload_and_is_gone_with_its_message(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Keep what I write")
    with page.expect_response(is_saved):
        field_of(page, words).fill("Half a sentence")
    assert draft_of(desk, conversation)["text"] == "Half a sentence"
    row = page.locator(f"conversation-list a.row[data-open='{conversation}']")
    expect(row).to_contain_text("Half a sentence")
    page.reload()
    expect(field_of(page, words)).to_have_value("Half a sentence")
    field_of(page, words).fill("Half a sentence, and the rest.")
    field_of(page, words).press("Enter")
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    assert draft_of(desk, conversation) is None
    expect(row).to_contain_text("Half a sentence, and the rest.")
    expect(row.locator(".row-draft")).to_have_count(0)
    page.reload()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    expect(field_of(page, words)).to_have_value("")


def test_what_is_typed_just_before_a_reload_is_a_draft_too(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "No time to rest")
    field_of(page, words).fill("Typed and reloaded")
    page.reload()
    expect(field_of(page, words)).to_have_value("Typed and reloaded")


def test_a_draft_goes_on_at_another_device(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "On two devices")
    other = console(desk, words, f"/c/{conversation}")
    expect(other.locator("desk-thread").get_by_text("On two devices")).to_be_visible()
    with page.expect_response(is_saved):
        field_of(page, words).fill("Begun here")
    expect(field_of(other, words)).to_have_value("Begun here")
    with other.expect_response(is_saved):
        field_of(other, words).fill("Begun here, ended there")
    expect(field_of(page, words)).to_have_value("Begun here, ended there")
    field_of(other, words).press("Enter")
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    expect(field_of(page, words)).to_have_value("")


def test_what_another_device_wrote_while_this_one_was_offline_is_here_when_it_is_back(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Out of reach")
    other = console(desk, words, f"/c/{conversation}")
    with page.expect_response(is_saved):
        field_of(page, words).fill("Begun here")
    expect(field_of(other, words)).to_have_value("Begun here")
    for text in ("Gone on with there", ""):
        page.context.set_offline(True)
        expect(page.locator(".line-mark[data-state=offline]")).to_be_visible()
        with other.expect_response(lambda answer: answer.url.split("?")[0].endswith("/draft") and answer.request.method in ("PUT", "DELETE")):
            field_of(other, words).fill(text)
        page.context.set_offline(False)
        expect(field_of(page, words)).to_have_value(text)
        expect(page.locator(".line-mark[data-state=live]")).to_be_visible()


def test_what_was_written_without_a_connection_is_kept_once_there_is_one(desk):
    words = Words("en")
    page, _, first = open_conversation(desk, words, "Under a bridge")
    _, _, second = open_conversation(desk, words, "On the other bank")
    row = page.locator(f"conversation-list [data-open='{first}']")
    line = page.locator(".line-mark[data-state=live]")
    for is_left in (False, True):
        page.context.set_offline(True)
        expect(page.locator(".line-mark[data-state=offline]")).to_be_visible()
        with page.expect_event("requestfailed", lambda request: request.url.endswith("/draft")):
            field_of(page, words).fill(f"Written there {is_left}")
        if is_left:
            # The other one was read before; whether it opens without a connection is not what this shows.
            page.locator(f"conversation-list [data-open='{second}']").click()
        with page.expect_response(is_saved):
            page.context.set_offline(False)
            expect(line).to_be_visible()
            if is_left:
                row.click()
        page.reload()
        expect(field_of(page, words)).to_have_value(f"Written there {is_left}")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_card_and_a_note_are_drafts_too(desk, language):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"A card ({language})")
    choose_kind(page, words, "list")
    with page.expect_response(is_saved):
        page.get_by_role("button", name=words("composer.example"), exact=True).click()
    title = page.locator("list-form input").first
    value = title.input_value()
    page.reload()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "list")
    expect(title).to_have_value(value)
    choose_kind(page, words, "text")
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    note = page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)
    with page.expect_response(is_saved):
        note.fill("Half a note")
    page.reload()
    expect(note).to_have_value("Half a note")
    assert_accessible(page)
    note.press("Control+Enter")
    expect(page.locator("desk-thread").get_by_text("Half a note")).to_be_visible()


def test_a_card_that_was_put_aside_for_a_text_is_a_draft_still(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "A card and then a text")
    choose_kind(page, words, "list")
    with page.expect_response(is_saved):
        page.get_by_role("button", name=words("composer.example"), exact=True).click()
    title = page.locator("list-form input").first
    value = title.input_value()
    choose_kind(page, words, "text")
    row = page.locator(f"conversation-list a.row[data-open='{conversation}']")
    expect(row.locator(".row-draft")).to_be_visible()
    expect(row).to_contain_text(words("composer.kind.list"))
    with page.expect_response(is_saved):
        field_of(page, words).fill("Before the card")
    page.reload()
    expect(field_of(page, words)).to_have_value("Before the card")
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "text")
    with page.expect_response(is_saved):
        field_of(page, words).press("Enter")
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    page.reload()
    choose_kind(page, words, "list")
    expect(title).to_have_value(value)
    page.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(2)
    expect(row.locator(".row-draft")).to_have_count(0)
    assert draft_of(desk, conversation) is None


def test_a_draft_that_is_found_again_asks_before_it_answers_over_a_colleague(desk):
    """Its author has not read the answer that came while the page was closed."""
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Found again")
    with page.expect_response(is_saved):
        field_of(page, words).fill("Begun before")
    page.goto("about:blank")
    key = Session(desk.server, desk.server.make_key(live_business(desk)["id"], name="Bo"))
    key.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Meanwhile"}, 201)
    page.goto(f"{desk.phone_url}/console/c/{conversation}")
    expect(field_of(page, words)).to_have_value("Begun before")
    expect(page.locator(".cp-notice")).to_contain_text("Bo answered")
    field_of(page, words).press("Enter")
    alert = page.locator("desk-composer").get_by_role("alert")
    # How long ago is below the field, where it goes on counting.
    expect(alert).to_contain_text("Bo answered meanwhile")
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"] == 2
    assert_accessible(page)
    # On another device too.
    other = console(desk, words, f"/c/{conversation}")
    expect(field_of(other, words)).to_have_value("Begun before")
    field_of(other, words).press("Enter")
    expect(other.locator("desk-composer").get_by_role("alert")).to_contain_text("Bo answered")
    alert.get_by_role("button", name=words("composer.send.anyway"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(2)
    assert draft_of(desk, conversation) is None


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_files_of_a_draft_are_there_after_a_reload_and_go_with_the_message(desk, language, scheme, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"With a file ({language})", scheme=scheme, phone=phone)
    with page.expect_response(lambda answer: is_saved(answer) and "files" in answer.request.post_data):
        page.locator("desk-composer input[type=file][multiple]").set_input_files(
            {"name": "receipt.txt", "mimeType": "text/plain", "buffer": b"One kettle"})
    assert draft_of(desk, conversation)["text"] == "receipt.txt"
    page.reload()
    chip = page.locator("desk-composer .cp-chip")
    expect(chip).to_contain_text("receipt.txt")
    desk.shot(page, f"draft-file-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours").get_by_text("receipt.txt")).to_be_visible()
    expect(chip).to_have_count(0)
    assert draft_of(desk, conversation) is None


def test_a_file_that_the_server_no_longer_has_is_said_and_nothing_is_sent_without_it(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "A file too old")
    with page.expect_response(lambda answer: is_saved(answer) and "files" in answer.request.post_data):
        page.locator("desk-composer input[type=file][multiple]").set_input_files(
            {"name": "old.txt", "mimeType": "text/plain", "buffer": b"Kept for a day"})
    field_of(page, words).fill("See the file")
    refuse(page, "**/api/attachments/*", 404, "not_found", "There is no such file.")
    page.reload()
    chip = page.locator("desk-composer .cp-chip-failed")
    expect(chip).to_contain_text(words("composer.text.fileGone"))
    send = page.get_by_role("button", name=words("composer.send"), exact=True)
    expect(send).to_be_disabled()
    chip.get_by_role("button", name=words("composer.text.remove", name="old.txt"), exact=True).click()
    expect(send).to_be_enabled()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_card_too_large_for_a_draft_says_that_it_is_in_this_tab_only(desk, language):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"A large card ({language})")
    choose_kind(page, words, "list")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    title = page.locator("list-form input").first
    title.evaluate("(field) => field.removeAttribute('maxlength')")
    title.fill("茶" * 20_000)
    notice = page.locator(".cp-notice")
    expect(notice).to_have_text(words("console.draft.tooLarge"))
    assert_accessible(page)
    title.fill("茶")
    expect(notice).to_be_empty()
    refuse(page, "**/draft", 422, "invalid", "You have 500 drafts.")
    title.fill("お茶")
    expect(notice).to_contain_text("You have 500 drafts.")


def test_the_server_refuses_an_answer_over_a_colleague_that_the_page_has_not_seen(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Not seen yet")
    field = field_of(page, words)
    field.fill("Mine")
    # The page's own connection is cut, so it learns of the other answer only by the refusal.
    page.route_web_socket("**/live", lambda line: line.close())
    page.context.set_offline(True)
    expect(page.locator(".line-mark[data-state=offline]")).to_be_visible()
    key = Session(desk.server, desk.server.make_key(live_business(desk)["id"], name="Bo"))
    key.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Faster"}, 201)
    page.context.set_offline(False)
    field.press("Enter")
    alert = page.locator("desk-composer").get_by_role("alert")
    expect(alert).to_contain_text("Bo answered")
    alert.get_by_role("button", name=words("composer.send.anyway"), exact=True).click()
    expect(field).to_have_value("")
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["sequence"] == 3


def test_a_template_is_not_sent_over_a_colleague_either(desk):
    words = Words("en")
    desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": "too-late", "title": "Too late", "parameters": [],
        "payload": {"type": "text", "body": "We open at ten."}}, expect=201)
    page, _, conversation = open_conversation(desk, words, "A template, too late")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_role("option", name="Too late").click()
    expect(picker.locator(".tp-preview").get_by_text("We open at ten.")).to_be_visible()
    key = Session(desk.server, desk.server.make_key(live_business(desk)["id"], name="Bo"))
    key.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "At ten"}, 201)
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    alert = picker.get_by_role("alert")
    expect(alert).to_contain_text("Bo answered")
    alert.get_by_role("button", name=words("composer.send.anyway"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(2)
    expect(picker).to_be_hidden()


def test_a_template_that_is_sent_beside_a_draft_leaves_it_as_it_is(desk):
    words = Words("en")
    desk.owner.post("/api/templates", {"business": live_business(desk)["id"], "name": "beside", "title": "Beside a draft",
                                       "payload": {"type": "text", "body": "Said by a template"}}, expect=201)
    page, _, conversation = open_conversation(desk, words, "Both, please")
    with page.expect_response(is_saved):
        field_of(page, words).fill("My own words")
    page.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    picker = page.locator("template-picker")
    picker.get_by_text("Beside a draft", exact=True).click()
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    saves = []
    page.on("response", lambda answer: saves.append(answer.status) if answer.request.method == "PUT" and answer.url.endswith("/draft") else None)
    with page.expect_response(is_saved):
        field_of(page, words).fill("My own words, and more")
    # No draft of another device was found there.
    assert saves == [200], saves
    expect(page.locator(f"conversation-list a.row[data-open='{conversation}']")).to_contain_text("My own words, and more")
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and "/draft" in answer.url):
        field_of(page, words).fill("")
    assert draft_of(desk, conversation) is None


def test_a_file_on_its_way_and_a_card_too_large_for_a_draft_are_left_after_a_question_alone(desk, tmp_path):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "Do not go yet")
    asked = []
    page.on("dialog", lambda one: (asked.append(one.type), one.accept()))
    field_of(page, words).fill("Only a text")
    page.reload()
    expect(field_of(page, words)).to_have_value("Only a text")
    assert asked == []
    held = []
    page.route("**/api/attachments?*", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    (tmp_path / "plan.txt").write_text("The plan")
    page.locator("desk-composer .cp-tools input[type=file]").set_input_files(tmp_path / "plan.txt")
    wait_for(page, held)
    page.reload()
    expect(field_of(page, words)).to_have_value("Only a text")
    assert asked == ["beforeunload"]
    choose_kind(page, words, "list")
    title = page.locator("list-form input").first
    title.evaluate("(field) => field.removeAttribute('maxlength')")
    title.fill("茶" * 20_000)
    expect(page.locator(".cp-notice")).to_have_text(words("console.draft.tooLarge"))
    page.reload()
    expect(field_of(page, words)).to_have_value("Only a text")
    assert asked == ["beforeunload"] * 2
