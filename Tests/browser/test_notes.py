"""Notes are changed and deleted with a trace, mention members, and reach only those."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, member, open_conversation, refusal, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words


def note_field(page, words):
    """Where a note is written."""
    return page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)


def write_note(page, words, text):
    """Writes a note and sends it by its keys."""
    if not note_field(page, words).is_visible():
        page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    note_field(page, words).fill(text)
    page.keyboard.press("Control+Enter")


def notes_of(desk, conversation):
    """The notes of a conversation as the server has them."""
    return desk.owner.fetch(f"/api/conversations/{conversation}/messages")["notes"]


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_note_is_changed_and_deleted_by_its_author_and_leaves_a_trace_live(desk, language, scheme, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"A note to change ({language})", scheme=scheme, phone=phone)
    other = console(desk, words, f"/c/{conversation}", session=member(desk, f"Reader{language}"))
    write_note(page, words, "Ring them on Monday.")
    thread, elsewhere = page.locator("desk-thread li.note"), other.locator("desk-thread li.note")
    expect(elsewhere).to_contain_text("Ring them on Monday.")
    # Only its author can change it.
    expect(elsewhere.get_by_role("button")).to_have_count(0)
    menu = thread.get_by_role("button", name=words("thread.note.menu"), exact=True)
    menu.click()
    desk.shot(page, f"note-menu-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("menuitem", name=words("thread.note.edit"), exact=True).click()
    expect(note_field(page, words)).to_have_value("Ring them on Monday.")
    expect(page.get_by_text(words("console.noteEditing"), exact=True)).to_be_visible()
    assert_accessible(page)
    note_field(page, words).fill("Ring them on Tuesday.")
    page.get_by_role("button", name=words("console.saveNote"), exact=True).click()
    for one in (thread, elsewhere):
        expect(one).to_contain_text("Ring them on Tuesday.")
        expect(one).to_contain_text(words("thread.note.edited"))
    # Escape leaves a note as it is, and gives back what was being written.
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    note_field(page, words).fill("Half a new note")
    menu.click()
    page.get_by_role("menuitem", name=words("thread.note.edit"), exact=True).click()
    note_field(page, words).fill("Never saved")
    page.keyboard.press("Escape")
    expect(note_field(page, words)).to_have_value("Half a new note")
    menu.click()
    page.get_by_role("menuitem", name=re.compile(f"^{words('thread.note.delete')}")).click()
    author = words("thread.note.deleted", name="Ada")
    for one in (page, other):
        expect(one.locator("desk-thread li.note")).to_have_count(0)
        expect(one.locator("desk-thread").get_by_text(author)).to_be_visible()
    desk.shot(page, f"note-deleted-{language}-{scheme}")
    page.reload()
    expect(page.locator("desk-thread").get_by_text(author)).to_be_visible()
    stored, = notes_of(desk, conversation)
    assert stored["text"] == "" and stored["deletedAt"]


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_a_mention_is_chosen_while_typing_and_reaches_the_mentioned_alone(desk, language, phone):
    words = Words(language)
    name = f"Mio{language} Sato"
    mentioned, bystander = member(desk, name.replace(" ", ".")), member(desk, f"Lou{language}")
    shown = name.replace(" ", ".")
    page, _, conversation = open_conversation(desk, words, f"Who knows this? ({language})", phone=phone)
    hers, his = console(desk, words, session=mentioned), console(desk, words, session=bystander)
    for one in (hers, his):
        expect(one.locator(".line-mark[data-state=live]")).to_be_visible()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    field = note_field(page, words)
    field.click()
    page.keyboard.type(f"Please look, @mio{language}")
    menu = page.get_by_role("listbox", name=words("console.mention"))
    expect(menu.get_by_role("option").filter(has_text=shown)).to_have_attribute("aria-selected", "true")
    expect(field).to_be_focused()
    desk.shot(page, f"mention-menu-{language}")
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(field).to_have_value(f"Please look, @{shown} ")
    expect(menu).to_have_count(0)
    # Escape refuses the menu, and the text stays; the button begins another mention.
    page.keyboard.type("@lo")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(field).to_have_value(f"Please look, @{shown} @lo")
    for _ in "@lo":
        page.keyboard.press("Backspace")
    page.get_by_role("button", name=words("console.mention"), exact=True).click()
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Backspace")
    page.keyboard.press("Control+Enter")
    expect(page.locator("desk-thread .mention")).to_have_text(f"@{shown}")
    stored, = notes_of(desk, conversation)
    assert [one["id"] for one in stored["mentions"]] == [mentioned.member]
    # Hers is marked, counted and in the view of mentions, until she has seen it; his is not.
    view = inbox_view(hers, words, "mentions")
    expect(view.locator(".nav-number")).to_have_text("1")
    row = hers.locator(f"conversation-list a.row[data-open='{conversation}']")
    expect(row.locator(".row-mention")).to_be_visible()
    expect(inbox_view(his, words, "mentions").locator(".nav-number")).to_be_empty()
    expect(his.locator(f"conversation-list a.row[data-open='{conversation}'] .row-mention")).to_have_count(0)
    view.click()
    expect(hers.locator("conversation-list a.row")).to_have_count(1)
    desk.shot(hers, f"mentions-view-{language}")
    assert_accessible(hers)
    row.click()
    expect(hers.locator("desk-thread li.note.is-for-reader .mention.is-reader")).to_have_text(f"@{shown}")
    expect(view.locator(".nav-number")).to_be_empty()
    expect(row.locator(".row-mention")).to_have_count(0)
    # It stays in the view, also after a reload.
    hers.reload()
    expect(hers.locator("conversation-list a.row")).to_have_count(1)
    inbox_view(his, words, "mentions").click()
    expect(his.get_by_text(words("console.none.mentions"))).to_be_visible()


def test_a_mention_on_screen_is_seen_at_once(desk):
    words = Words("en")
    mentioned = member(desk, "Noor")
    page, _, conversation = open_conversation(desk, words, "Noticed")
    hers = console(desk, words, f"/c/{conversation}", session=mentioned)
    expect(hers.locator("desk-thread").get_by_text("Noticed")).to_be_visible()
    with hers.expect_response(lambda answer: answer.url.endswith("/read")):
        desk.owner.post(f"/api/conversations/{conversation}/notes", {"text": "@Noor look", "mentions": [mentioned.member]}, expect=201)
    expect(hers.locator("desk-thread li.note.is-for-reader")).to_contain_text("@Noor look")
    # She is looking at it, so it is seen at once.
    expect(inbox_view(hers, words, "mentions").locator(".nav-number")).to_be_empty()
    assert mentioned.fetch("/api/conversations?filter=mentions&state=any")["counts"]["mentions"] == 0


def held_note(desk, first, second):
    """A note of one conversation that is on its way, and the way to another one."""
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, first)
    other = Customer(desk.server, live_business(desk)["id"]).say(second)["message"]["conversation"]
    held = []
    page.route(re.compile(f"/conversations/{conversation}/notes$"), held.append)
    write_note(page, words, "Not for customers.")
    wait_for(page, held)

    def go(to, text):
        page.locator(f"conversation-list a.row[data-open='{to}']").click()
        expect(page.locator("desk-thread").get_by_text(text, exact=True)).to_be_visible()
    return words, page, held[0], (conversation, other), go


def test_a_note_that_is_stored_after_its_conversation_was_left_moves_nothing_in_the_next(desk):
    words, page, request, (first, second), go = held_note(desk, "A slow note", "The next customer")
    go(second, "The next customer")
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    note_field(page, words).fill("Half a note")
    with page.expect_response(lambda answer: answer.url.endswith("/notes")):
        request.continue_()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    # What is typed next is for colleagues still.
    expect(note_field(page, words)).to_be_focused()
    expect(note_field(page, words)).to_have_value("Half a note")
    assert notes_of(desk, second) == []
    go(first, "A slow note")
    expect(page.locator("desk-thread li.note")).to_contain_text("Not for customers.")
    expect(page.get_by_role("textbox", name=words("composer.text.label"), exact=True)).to_be_visible()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    expect(note_field(page, words)).to_have_value("")


def test_a_note_that_is_refused_after_its_conversation_was_left_is_said_and_kept(desk):
    words, page, request, (first, second), go = held_note(desk, "A refused note", "Another customer")
    go(second, "Another customer")
    request.fulfill(**refusal(403, "forbidden"))
    expect(page.locator(".fd-toast:visible")).to_contain_text(words("console.noteUnsent", reason="").split(":")[0])
    go(first, "A refused note")
    expect(note_field(page, words)).to_have_value("Not for customers.")


def test_a_note_goes_to_the_conversation_in_which_it_was_written_when_the_members_come_late(desk):
    words = Words("en")
    page, _, first = open_conversation(desk, words, "Whose note?")
    second = Customer(desk.server, live_business(desk)["id"]).say("Not mine")["message"]["conversation"]
    held = []
    page.route(re.compile("/members$"), held.append)
    page.reload()
    write_note(page, words, "About the first one.")
    wait_for(page, held)
    page.locator(f"conversation-list a.row[data-open='{second}']").click()
    expect(page.locator("desk-thread").get_by_text("Not mine", exact=True)).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/notes")):
        for one in held:
            one.continue_()
        page.unroute(re.compile("/members$"))
    assert [one["text"] for one in notes_of(desk, first)] == ["About the first one."]
    assert notes_of(desk, second) == []


def test_what_is_typed_while_a_note_is_on_its_way_is_not_removed_with_it(desk):
    words, page, request, _, _ = held_note(desk, "A note on its way", "Someone else")
    expect(note_field(page, words)).to_be_focused()
    expect(note_field(page, words)).not_to_be_editable()
    page.keyboard.type("lost?")
    expect(note_field(page, words)).to_have_value("Not for customers.")
    request.continue_()
    expect(page.locator("desk-thread li.note")).to_contain_text("Not for customers.")
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    expect(note_field(page, words)).to_be_editable()


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [375, 390, 640, 1280])
def test_that_the_customer_never_sees_a_note_is_said_in_full(desk, language, width):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"Between us {language} {width}", viewport={"width": width, "height": 800})
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    said, foot = page.locator("note-box .note-help"), page.locator("note-box .cp-foot")
    expect(said).to_have_text(words("console.noteHelp"))
    assert said.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1 && getComputedStyle(one).textOverflow === 'clip'")
    assert foot.evaluate("(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")
    desk.shot(page, f"note-help-{width}-{language}")
