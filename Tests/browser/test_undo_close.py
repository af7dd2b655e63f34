"""A closing that was a mistake: undone by the toast, by the key, and by opening the conversation again."""

from pages import console
from playwright.sync_api import expect
from support.words import Words
from test_console_races import Inbox, close_open

WORDS = Words("en")


def waiting_since(desk, conversation):
    """Since when the customer waits."""
    return desk.owner.fetch(f"/api/conversations/{conversation}")["waitingSince"]


def test_a_customer_whose_conversation_is_opened_again_after_a_mistaken_close_waits_as_before(desk):
    inbox = Inbox(desk, "Closed by mistake", "Another one")
    page, conversation = inbox.page, inbox.ids[0]
    since = waiting_since(desk, conversation)
    inbox.row("Closed by mistake").click()
    close_open(page, WORDS)
    page.locator(".fd-toast-close").click()
    page.evaluate("(id) => { history.pushState(null, '', `/console/c/${id}`); dispatchEvent(new PopStateEvent('popstate')); }", conversation)
    page.locator("conversation-head").get_by_role("button", name=WORDS("console.reopen"), exact=True).click()
    expect(page.get_by_text(WORDS("console.done.open", name="").strip(": "))).to_be_visible()
    assert since and waiting_since(desk, conversation) == since


def test_a_conversation_that_was_closed_elsewhere_is_opened_again_without_a_customer_who_waits(desk):
    inbox = Inbox(desk, "Closed elsewhere")
    conversation = inbox.ids[0]
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "closed"})
    page = console(desk, WORDS, f"/c/{conversation}")
    page.locator("conversation-head").get_by_role("button", name=WORDS("console.reopen"), exact=True).click()
    expect(page.get_by_text(WORDS("console.done.open", name="").strip(": "))).to_be_visible()
    assert waiting_since(desk, conversation) is None


def test_what_a_colleague_changes_at_the_moment_of_an_undo_stays_and_the_page_says_so(desk):
    inbox = Inbox(desk, "Undone in the same moment", "One that is left alone")
    page, conversation = inbox.page, inbox.ids[0]
    path = f"/api/conversations/{conversation}"
    inbox.row("Undone in the same moment").click()
    undo = close_open(page, WORDS)

    def overtaken(route):
        desk.owner.call("PATCH", path, {"state": "pending"})
        route.continue_()

    page.route(f"**{path}", overtaken, times=1)
    undo.click()
    expect(page.get_by_text(WORDS("shared.undo.left"), exact=True)).to_be_visible()
    assert desk.owner.fetch(path)["state"] == "pending"
