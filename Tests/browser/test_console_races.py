"""The console under answers that come late: the last wish counts, nothing written is lost."""

import re

import pytest
from pages import choose_kind, inbox_view, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

WORDS = Words("en")
PRESS_AT_ONCE = """([first, second]) => {
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
  press(first);
  press(second);
}"""


class Inbox:
    """The signed-in owner's console with two customers who have written."""

    def __init__(self, desk, *texts, path=""):
        business = next(one for one in desk.owner.fetch("/api/businesses")["data"]
                        if not one["isSandbox"])
        self.desk = desk
        self.customers = [Customer(desk.server, business["id"]) for _ in texts]
        self.ids = [customer.say(text)["message"]["conversation"]
                    for customer, text in zip(self.customers, texts)]
        self.page = desk.page(session=desk.owner)
        self.page.goto(f"{desk.phone_url}/console{path}")
        expect(self.page.locator(".line-mark[data-state=live]")).to_be_visible()
        for text in texts:
            expect(self.row(text)).to_be_visible()

    def row(self, text):
        """The row of the conversation whose last message this is."""
        return self.page.locator("conversation-list a.row", has_text=text)

    def row_at(self, index):
        """The row of a customer's conversation, whatever it shows: a draft stands in the place of the last message."""
        return self.page.locator(f"conversation-list a.row[data-open='{self.ids[index]}']")

    def put_above(self, index, below):
        """Has a conversation's row directly above another one's: those of other tests go on, and come to the top."""
        script = """([above, below]) => {
            const rows = [...document.querySelectorAll("conversation-list a.row")].map((row) => row.dataset.open);
            return rows.includes(above) && rows.indexOf(above) + 1 === rows.indexOf(below);
        }"""
        for _ in range(20):
            if self.page.evaluate(script, [self.ids[index], self.ids[below]]):
                return
            self.customers[below].say("Once more")
            self.customers[index].say("Once more")
            self.page.wait_for_timeout(100)
        raise AssertionError("the rows are not one below the other")

    def shown(self, text):
        """A message in the open thread."""
        return self.page.locator("desk-thread").get_by_text(text, exact=True)

    @property
    def field(self):
        """Where the answer is written."""
        return self.page.get_by_role("textbox", name=WORDS("composer.text.label"), exact=True)

    @property
    def palette(self):
        """The open palette."""
        return self.page.get_by_role("dialog", name=WORDS("console.palette"))

    def hold(self, pattern):
        """Keeps the answers to what fits until `release()` is called."""
        held, is_open = [], []
        self.page.route(pattern, lambda route: route.continue_() if is_open else held.append(route))

        def release():
            is_open.append(True)
            for route in held:
                route.continue_()
        return held, release

    def in_step(self):
        """Lets the page draw its state."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => "
                           "requestAnimationFrame(() => setTimeout(done))))")


def test_a_key_right_after_the_palette_reaches_the_desk(desk):
    inbox = Inbox(desk, "Palette then key")
    page = inbox.page
    page.keyboard.press("j")
    expect(inbox.shown("Palette then key")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("Palette then key")
    expect(inbox.palette.get_by_role("option")).to_have_count(1)
    page.evaluate(PRESS_AT_ONCE, ["Enter", "r"])
    expect(inbox.palette).to_have_count(0)
    expect(inbox.field).to_be_focused()


@pytest.mark.parametrize("closing", ["Escape", "Control+k"])
def test_a_closed_palette_leaves_the_keys_to_the_desk(desk, closing):
    text = f"Closed by {closing}"
    inbox = Inbox(desk, text)
    page = inbox.page
    inbox.row(text).click()
    expect(inbox.shown(text)).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+k")
    expect(inbox.palette).to_be_visible()
    page.keyboard.press(closing)
    expect(inbox.palette).to_have_count(0)
    page.keyboard.press("r")
    expect(inbox.field).to_be_focused()


def test_a_late_answer_does_not_replace_the_later_choice(desk):
    inbox = Inbox(desk, "Opened first", "Opened second")
    page = inbox.page
    held, release = inbox.hold(f"**/api/conversations/{inbox.ids[0]}/messages*")
    inbox.row("Opened first").click()
    wait_for(page, held)
    inbox.row("Opened second").click()
    expect(inbox.shown("Opened second")).to_be_visible()
    inbox.field.fill("Half writ")
    with page.expect_response(lambda answer: f"{inbox.ids[0]}/messages" in answer.url):
        release()
    inbox.in_step()
    expect(inbox.shown("Opened second")).to_be_visible()
    expect(inbox.shown("Opened first")).to_have_count(0)
    expect(inbox.field).to_be_focused()
    expect(inbox.field).to_have_value("Half writ")
    assert page.url.endswith(inbox.ids[1])


def test_reading_again_follows_to_where_the_agent_went_meanwhile(desk):
    inbox = Inbox(desk, "Read again", "Went there")
    page = inbox.page
    inbox.row("Read again").click()
    expect(inbox.shown("Read again")).to_be_visible()
    held, release = inbox.hold("**/api/conversations?*")
    page.evaluate("""() => { document.querySelector("desk-workspace").state.live.dispatchEvent(
        new CustomEvent("reset", { detail: {} })); }""")
    wait_for(page, held)
    inbox.row("Went there").click()
    expect(inbox.shown("Went there")).to_be_visible()
    inbox.field.fill("Half writ")
    with page.expect_response(lambda answer: f"{inbox.ids[1]}/messages" in answer.url):
        release()
    inbox.in_step()
    expect(inbox.shown("Went there")).to_be_visible()
    expect(inbox.field).to_be_focused()
    expect(inbox.field).to_have_value("Half writ")


def test_reading_the_open_conversation_again_keeps_focus_text_and_earlier_messages(desk):
    inbox = Inbox(desk, "Read once more")
    page = inbox.page
    inbox.row("Read once more").click()
    expect(inbox.shown("Read once more")).to_be_visible()
    inbox.field.fill("Half writ")
    held, release = inbox.hold(f"**/api/conversations/{inbox.ids[0]}/messages*")
    page.evaluate("""() => { document.querySelector("desk-workspace").state.live.dispatchEvent(
        new CustomEvent("reset", { detail: {} })); }""")
    wait_for(page, held)
    expect(inbox.field).to_be_focused()
    page.keyboard.type("ten")
    with page.expect_response(lambda answer: f"{inbox.ids[0]}/messages" in answer.url):
        release()
    inbox.in_step()
    expect(inbox.field).to_be_focused()
    expect(inbox.field).to_have_value("Half written")


def test_a_message_that_arrives_while_its_conversation_opens_is_shown(desk):
    inbox = Inbox(desk, "Opening slowly")
    page = inbox.page
    answers = []

    def read_now_answer_later(route):
        found = desk.owner.call("GET", f"/api/conversations/{inbox.ids[0]}/messages?page[size]=50")
        answers.append((route, found.content))

    page.route(f"**/api/conversations/{inbox.ids[0]}/messages*", read_now_answer_later)
    inbox.row("Opening slowly").click()
    wait_for(page, answers)
    inbox.customers[0].say("Arrived meanwhile")
    expect(inbox.row("Arrived meanwhile")).to_be_visible()
    for route, answer in answers:
        route.fulfill(content_type="application/json", body=answer)
    expect(inbox.shown("Opening slowly")).to_be_visible()
    expect(inbox.shown("Arrived meanwhile")).to_be_visible()


def test_a_key_for_a_conversation_waits_until_it_is_there(desk):
    inbox = Inbox(desk, "Not the one", "The one meant")
    page = inbox.page
    inbox.row("Not the one").click()
    expect(inbox.shown("Not the one")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    held, release = inbox.hold(f"**/api/conversations/{inbox.ids[1]}/messages*")
    inbox.put_above(1, 0)
    page.keyboard.press("k")
    wait_for(page, held)
    page.keyboard.press("r")
    release()
    expect(inbox.shown("The one meant")).to_be_visible()
    expect(inbox.field).to_be_focused()
    page.keyboard.type("To the right one")
    page.keyboard.press("Enter")
    expect(inbox.shown("To the right one")).to_be_visible()
    said = desk.owner.fetch(f"/api/conversations/{inbox.ids[1]}/messages")["data"][-1]
    assert said["payload"]["body"] == "To the right one"


def test_the_palette_finds_customers_who_arrive_while_it_is_open(desk):
    inbox = Inbox(desk, "Was there before")
    page = inbox.page
    page.keyboard.press("Control+k")
    page.keyboard.type("came while it was open")
    expect(inbox.palette.get_by_text(WORDS("console.nothingFound"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(inbox.palette).to_be_visible()
    inbox.customers[0].say("Came while it was open")
    expect(inbox.palette.get_by_role("option", name=re.compile("Came while it was open"))) \
        .to_be_visible()
    page.keyboard.press("Enter")
    expect(inbox.palette).to_have_count(0)
    expect(inbox.shown("Came while it was open")).to_be_visible()


def test_a_draft_stays_with_its_conversation(desk):
    inbox = Inbox(desk, "Draft of one", "Draft of two")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("Draft of one")).to_be_visible()
    inbox.field.fill("For the first")
    inbox.row_at(1).click()
    expect(inbox.shown("Draft of two")).to_be_visible()
    expect(inbox.field).to_have_value("")
    choose_kind(page, WORDS, "list")
    page.get_by_role("button", name=WORDS("composer.example"), exact=True).click()
    inbox.row_at(0).click()
    expect(inbox.shown("Draft of one")).to_be_visible()
    expect(inbox.field).to_have_value("For the first")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")
    page.keyboard.type("A note half wr")
    inbox.row_at(1).click()
    expect(inbox.shown("Draft of two")).to_be_visible()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "list")
    page.get_by_role("link", name=WORDS("console.templates"), exact=True).click()
    expect(page.locator("template-editor")).to_be_visible()
    inbox_view(page, WORDS, "all").click()
    inbox.row_at(0).click()
    expect(inbox.shown("Draft of one")).to_be_visible()
    note = page.get_by_role("textbox", name=WORDS("console.noteLabel"), exact=True)
    if not note.is_visible():
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("n")
    expect(note).to_have_value("A note half wr")
    # Saved a second after the last key, and for no other conversation.
    inbox.row_at(1).click()
    expect(inbox.shown("Draft of two")).to_be_visible()
    page.wait_for_timeout(1500)
    drafts = page.evaluate("() => fetch('/api/drafts').then((answer) => answer.json())")["data"]
    assert [draft["text"] for draft in drafts].count("A note half wr") == 1, drafts


def test_a_form_that_was_opened_while_the_draft_is_read_stays_open(desk):
    inbox = Inbox(desk, "With a draft", "Beside the draft")
    page = inbox.page
    inbox.row_at(0).click()
    expect(inbox.shown("With a draft")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/draft")):
        inbox.field.fill("Half of it")
    page.goto(f"{desk.phone_url}/console/c/{inbox.ids[1]}")
    expect(inbox.shown("Beside the draft")).to_be_visible()
    read, release = inbox.hold("**/draft")
    inbox.row_at(0).click()
    wait_for(page, read)
    expect(inbox.shown("With a draft")).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.press("q")
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "quickReply")
    with page.expect_response("**/draft"):
        release()
    inbox.in_step()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", "quickReply")
    choose_kind(page, WORDS, "text")
    expect(inbox.field).to_have_value("Half of it")


@pytest.mark.parametrize("key, shown", [("n", "note-box"), ("p", "[role=menu]"), ("r", "desk-composer")])
def test_a_key_between_the_answer_and_the_frame_that_draws_it_is_followed(desk, key, shown):
    inbox = Inbox(desk, f"Drawn with the next frame, {key}")
    page = inbox.page
    page.evaluate("""([id, key]) => {
      const { state } = document.querySelector("desk-workspace");
      const plain = requestAnimationFrame;
      const held = [];
      window.requestAnimationFrame = (work) => held.push(work);
      const press = () => {
        if (state.open?.conversation.id !== id || state.opening) return;
        state.removeEventListener("change", press);
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
        window.requestAnimationFrame = plain;
        held.forEach((work) => plain(work));
      };
      state.addEventListener("change", press);
      document.querySelector(`conversation-list a.row[data-open='${id}']`).click();
    }""", [inbox.ids[0], key])
    expect(page.locator(shown)).to_be_visible()
    expect(page.locator(f"{shown}:focus, {shown} :focus")).to_have_count(1)
    expect(page.get_by_text(WORDS("console.mayNotChange"))).to_have_count(0)


def test_templates_that_come_late_are_not_offered_in_the_next_conversation(desk):
    inbox = Inbox(desk, "Templates come late", "Next to that one")
    page = inbox.page
    held, release = inbox.hold("**/composer/template-picker.js*")
    inbox.row("Templates come late").click()
    expect(inbox.shown("Templates come late")).to_be_visible()
    wait_for(page, held)
    inbox.field.press("/")
    inbox.row("Next to that one").click()
    expect(inbox.shown("Next to that one")).to_be_visible()
    release()
    page.evaluate("() => customElements.whenDefined('template-picker')")
    inbox.in_step()
    expect(page.locator("template-picker")).to_be_hidden()


def test_templates_that_do_not_come_can_be_asked_for_again(desk):
    inbox = Inbox(desk, "No templates")
    page = inbox.page
    page.route("**/composer/template-picker.js*", lambda route: route.fulfill(status=404))
    inbox.row("No templates").click()
    expect(inbox.shown("No templates")).to_be_visible()
    inbox.field.press("/")
    expect(page.locator("desk-composer").get_by_text(WORDS("composer.notLoaded"))).to_be_visible()


def close_open(page, words):
    """Closes the open conversation, and gives the button that undoes it."""
    page.locator("conversation-head").get_by_role("button", name=words("console.close"), exact=True).click()
    undo = page.locator(".fd-toast-undo")
    expect(undo).to_be_visible()
    return undo


def test_undoing_a_close_leaves_what_a_colleague_made_of_the_conversation_since(desk):
    inbox = Inbox(desk, "Left to a colleague", "Beside it")
    page, conversation = inbox.page, inbox.ids[0]
    inbox.row("Left to a colleague").click()
    undo = close_open(page, WORDS)
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "snoozed", "snoozedUntil": "2031-01-01T00:00:00Z"})
    # The numbers of the views come behind the events.
    expect(inbox_view(page, WORDS, "snoozed").locator(".nav-number")).not_to_have_text("0")
    undo.click()
    expect(page.get_by_text(WORDS("shared.undo.left"), exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(conversation))
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "snoozed"


def test_undoing_a_close_after_the_customer_wrote_again_says_nothing_of_others(desk):
    inbox = Inbox(desk, "Not done yet", "Beside that")
    page, conversation = inbox.page, inbox.ids[0]
    inbox.row("Not done yet").click()
    undo = close_open(page, WORDS)
    inbox.customers[0].say("It is still broken")
    expect(inbox.row("It is still broken")).to_be_visible()
    since = desk.owner.fetch(f"/api/conversations/{conversation}")["waitingSince"]
    undo.click()
    expect(page).to_have_url(re.compile(conversation))
    expect(page.get_by_text(WORDS("shared.undo.left"), exact=True)).to_have_count(0)
    now = desk.owner.fetch(f"/api/conversations/{conversation}")
    assert (now["state"], now["waitingSince"]) == ("open", since)


def test_the_key_that_undoes_says_so_when_there_is_nothing_to_undo(desk):
    inbox = Inbox(desk, "Too late")
    page = inbox.page
    inbox.row("Too late").click()
    close_open(page, WORDS)
    page.locator(".fd-toast-close").click()
    page.locator("#view-title").click()
    page.keyboard.press("u")
    expect(page.get_by_text(WORDS("shared.undo.none"), exact=True)).to_be_visible()
