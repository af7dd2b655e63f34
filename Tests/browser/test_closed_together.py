"""Closing and opening again in the moment in which a colleague does it: what the agent saw decides, nothing flips."""

import pytest
from pages import console, member
from playwright.sync_api import expect
from support.words import Words
from test_console_races import Inbox

WORDS = Words("en")

# Presses a key in the moment in which the page learns of another state, before it draws it.
PRESS_WITH_EVENT = """([id, state, key]) => {
  const desk = document.querySelector("desk-workspace").state;
  const press = () => {
    if (desk.open?.conversation.id !== id || desk.open.conversation.state !== state) return;
    desk.removeEventListener("change", press);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    window.isPressed = true;
  };
  desk.addEventListener("change", press);
}"""

# Presses the button in the head as soon as it has other words, or a key.
PRESS_WITH_WORDS = """([words, key]) => {
  const head = document.querySelector("conversation-head");
  const press = () => {
    const button = head.querySelector(`button.close[aria-label='${words}']`);
    if (!button) return;
    watcher.disconnect();
    if (key) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    else button.click();
    window.isPressed = true;
  };
  const watcher = new MutationObserver(press);
  watcher.observe(head, { childList: true, subtree: true, attributes: true });
}"""


def changes(page, conversation):
    """The bodies with which the page changes a conversation."""
    bodies = []
    page.on("request", lambda one: bodies.append(one.post_data_json)
            if one.method == "PATCH" and one.url.endswith(f"/conversations/{conversation}") else None)
    return bodies


def state_of(desk, conversation):
    """The state that a conversation has by now."""
    return desk.owner.fetch(f"/api/conversations/{conversation}")["state"]


@pytest.mark.parametrize("before, after", [("open", "closed"), ("closed", "open")])
def test_the_key_leaves_what_a_colleague_did_in_the_same_moment(desk, before, after):
    text = f"From {before} by two at once"
    inbox = Inbox(desk, text)
    page, conversation = inbox.page, inbox.ids[0]
    colleague = member(desk, f"Closer-{before}")
    inbox.row(text).click()
    expect(inbox.shown(text)).to_be_visible()
    if before == "closed":
        desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "closed"})
        expect(page.locator("conversation-head").get_by_role("button", name=WORDS("console.reopen"), exact=True)).to_be_visible()
    bodies = changes(page, conversation)
    page.evaluate(PRESS_WITH_EVENT, [conversation, after, "e"])
    colleague.call("PATCH", f"/api/conversations/{conversation}", {"state": after})
    page.wait_for_function("() => window.isPressed")
    expect(page.locator(".fd-toast-words").last).to_have_text(WORDS(f"console.already.{after}", name=page.locator("#view-title").inner_text()))
    expect(page.locator(".fd-toast-undo")).to_have_count(0)
    assert (bodies, state_of(desk, conversation)) == ([], after)


def test_the_button_that_has_just_got_other_words_does_what_was_read_on_it(desk):
    inbox = Inbox(desk, "Closed under the pointer")
    page, conversation = inbox.page, inbox.ids[0]
    colleague = member(desk, "Clara")
    inbox.row("Closed under the pointer").click()
    expect(inbox.shown("Closed under the pointer")).to_be_visible()
    bodies = changes(page, conversation)
    page.evaluate(PRESS_WITH_WORDS, [WORDS("console.reopen"), None])
    colleague.call("PATCH", f"/api/conversations/{conversation}", {"state": "closed"})
    page.wait_for_function("() => window.isPressed")
    expect(page.locator(".fd-toast-words").last).to_have_text(WORDS("console.already.closed", name=page.locator("#view-title").inner_text()))
    assert (bodies, state_of(desk, conversation)) == ([], "closed")


def test_a_close_that_arrives_after_a_colleagues_says_so_and_offers_no_way_back(desk):
    inbox = Inbox(desk, "Closed on the way", "The next one")
    page, conversation = inbox.page, inbox.ids[0]
    colleague = member(desk, "Cleo")
    inbox.row("Closed on the way").click()
    expect(inbox.shown("Closed on the way")).to_be_visible()
    name = page.locator("#view-title").inner_text()
    page.locator("#view-title").click()

    def overtaken(route):
        colleague.call("PATCH", f"/api/conversations/{conversation}", {"state": "closed"})
        route.continue_()

    page.route(f"**/api/conversations/{conversation}", overtaken, times=1)
    page.keyboard.press("e")
    expect(page.locator(".fd-toast-words").last).to_have_text(WORDS("console.already.closed", name=name))
    expect(page.locator(".fd-toast-undo")).to_have_count(0)
    assert state_of(desk, conversation) == "closed"


def test_what_a_colleague_put_off_on_the_way_is_closed_and_put_off_again_by_the_undo(desk):
    inbox = Inbox(desk, "Put off on the way", "Beside what is put off")
    page, conversation = inbox.page, inbox.ids[0]
    colleague = member(desk, "Carl")
    inbox.row("Put off on the way").click()
    expect(inbox.shown("Put off on the way")).to_be_visible()
    page.locator("#view-title").click()

    def overtaken(route):
        colleague.call("PATCH", f"/api/conversations/{conversation}", {"state": "snoozed", "snoozedUntil": "2031-01-01T00:00:00Z"})
        route.continue_()

    page.route(f"**/api/conversations/{conversation}", overtaken, times=1)
    page.keyboard.press("e")
    undo = page.locator(".fd-toast-undo")
    expect(undo).to_be_visible()
    assert state_of(desk, conversation) == "closed"
    with page.expect_response(lambda one: one.request.method == "PATCH"):
        undo.click()
    assert state_of(desk, conversation) == "snoozed"


def test_the_key_opens_again_what_the_agent_has_just_closed_themselves(desk):
    [conversation] = Inbox(desk, "Closed and opened").ids
    # A list that it is not in: else the next one opens.
    page = console(desk, WORDS, f"/c/{conversation}?view=snoozed")
    expect(page.locator("desk-thread").get_by_text("Closed and opened", exact=True)).to_be_visible()
    page.locator("#view-title").click()
    page.evaluate(PRESS_WITH_WORDS, [WORDS("console.reopen"), "e"])
    page.keyboard.press("e")
    expect(page.locator(".fd-toast-words").last).to_have_text(WORDS("console.done.open", name=page.locator("#view-title").inner_text()))
    assert state_of(desk, conversation) == "open"


def test_a_key_that_is_held_down_closes_one_conversation_and_not_those_after_it(desk):
    inbox = Inbox(desk, "Below the held key", "Under the held key")
    page = inbox.page
    inbox.row("Under the held key").click()
    expect(inbox.shown("Under the held key")).to_be_visible()
    page.locator("#view-title").click()
    inbox.put_above(1, 0)
    page.keyboard.down("e")
    expect(inbox.row("Under the held key")).to_have_count(0)
    expect(inbox.shown("Below the held key")).to_be_visible()
    bodies = changes(page, inbox.ids[0])
    page.keyboard.down("e")
    page.keyboard.up("e")
    page.keyboard.press("n")
    expect(page.locator("note-box textarea")).to_be_focused()
    inbox.in_step()
    assert (bodies, state_of(desk, inbox.ids[0])) == ([], "open")


def test_a_key_that_is_held_down_goes_on_through_the_list(desk):
    page = Inbox(desk, "Passed by", "Come to by the held key").page
    rows = page.locator("conversation-list a.row").evaluate_all("(rows) => rows.map((row) => row.dataset.open)")
    page.keyboard.down("j")
    expect(page.locator("conversation-view #view-title")).to_be_visible()
    page.keyboard.down("j")
    page.keyboard.up("j")
    page.wait_for_url(f"**/c/{rows[1]}*")
