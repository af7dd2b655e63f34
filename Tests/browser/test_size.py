"""A thread of 10,000 messages and a list of 5,000 rows: what is drawn does not grow with them, nor what an event touches."""

import re

import pytest
from pages import console
from playwright.sync_api import expect
from size import LIST, THREAD, TOUCHED
from support.words import Words

MESSAGES, ROWS = 10_000, 5_000
# Elements of what is drawn: rows with their cards, shadow trees included.
MOST_OF_THREAD, MOST_OF_LIST = 3_000, 1_500
# The new row, and the two whose group it ends or joins; of a list the one that moves up.
TOUCHED_BY_ONE = 4
# Rows of a list that are drawn at once.
IN_VIEW = 40


@pytest.fixture
def thread(desk):
    """A page with the long thread alone."""
    page = console(desk, Words("en"))
    expect(page.locator("inbox-nav")).to_be_visible()
    page.evaluate(THREAD + TOUCHED + "null")
    page.evaluate("(count) => makeThread(count)", MESSAGES)
    return page


def in_view(page, sequence):
    """Whether a message is on screen."""
    page.wait_for_function("""(id) => {
      const row = thread.shadowRoot.querySelector(`[data-id="${id}"]`)?.getBoundingClientRect();
      const view = log.getBoundingClientRect();
      return row && row.bottom > view.top && row.top < view.bottom;
    }""", arg=f"00000000-0000-4000-8000-{sequence:012d}")


def assert_bounded(page):
    """So many elements, wherever the reader is."""
    count = page.evaluate("countElements(thread.shadowRoot)")
    assert count <= MOST_OF_THREAD, f"{count} elements"


def test_a_message_that_is_sought_while_the_first_rows_are_drawn_stays_in_view(thread):
    # Its page comes between the frame that draws the newest rows and the one that begins at their end.
    thread.evaluate("""async () => {
      await makeThread(120);
      const all = thread.messages;
      globalThis.thread = document.createElement("desk-thread");
      Object.assign(thread.style, { display: "block", height: "700px" });
      document.body.replaceChildren(thread);
      globalThis.log = thread.shadowRoot.querySelector(".log");
      thread.messages = all.slice(-60);
      await frames(1);
      thread.messages = all;
      thread.reveal(all[2].id);
      await frames(20);
    }""")
    in_view(thread, 3)
    # A new message leaves the reader where it is.
    thread.evaluate("(async () => { addMessage(); await frames(4); })()")
    in_view(thread, 3)


def test_a_long_thread_is_drawn_in_part_and_a_message_touches_a_few_rows(thread):
    in_view(thread, MESSAGES)
    assert_bounded(thread)
    list_ = "thread.shadowRoot.querySelector('.rows')"
    touched = [thread.evaluate(f"touchedBy({list_}, addMessage)") for _ in range(3)]
    assert max(touched) <= TOUCHED_BY_ONE, touched
    in_view(thread, MESSAGES + 3)
    # Where earlier rows are put away, it is some at once and not with each message.
    for _ in range(60):
        thread.evaluate("(async () => { addMessage(); await frames(2); })()")
        assert_bounded(thread)
    in_view(thread, MESSAGES + 63)
    # A reader who is elsewhere keeps every row.
    thread.evaluate("log.scrollTop -= 3000")
    thread.evaluate("frames(4)")
    before = thread.evaluate("rowInView()")
    assert thread.evaluate(f"touchedBy({list_}, addMessage)") <= TOUCHED_BY_ONE
    assert thread.evaluate("rowInView()") == before


def test_a_reader_goes_up_through_a_long_thread_without_a_jump(thread):
    thread.locator("desk-thread .log").hover()
    for _ in range(60):
        before = thread.evaluate("rowInView()")
        thread.evaluate("log.scrollTop -= 500")
        # The row that was in view has moved by just that, whatever was drawn above it.
        now = thread.evaluate("""async (id) => {
          await frames(3);
          const row = thread.shadowRoot.querySelector(`[data-id="${id}"]`);
          return row && row.getBoundingClientRect().top - log.getBoundingClientRect().top;
        }""", before["id"])
        assert now is not None and abs(now - before["top"] - 500) < 3, (before, now)
        assert_bounded(thread)
    # The bar of the window goes far in one step.
    thread.evaluate("log.scrollTop = 0")
    in_view(thread, 1)
    assert_bounded(thread)
    thread.evaluate("log.scrollTop = log.scrollHeight / 2")
    thread.evaluate("frames(4)")
    assert thread.evaluate("rowInView()") is not None
    assert_bounded(thread)


def test_a_message_far_up_is_brought_into_view_and_the_way_down_leads_to_the_end(thread):
    thread.evaluate("thread.reveal(messageAt(137).id)")
    in_view(thread, 137)
    assert thread.evaluate("thread.shadowRoot.activeElement.dataset.id").endswith("137")
    assert_bounded(thread)
    thread.evaluate("thread.scrollToEnd()")
    in_view(thread, MESSAGES)
    # What was in focus is not drawn any more: the thread has it.
    assert thread.evaluate("thread.shadowRoot.activeElement?.className ?? ''").startswith("log")
    assert_bounded(thread)


def test_a_long_list_is_drawn_in_part_and_an_event_touches_a_few_rows(desk):
    page = console(desk, Words("en"))
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.evaluate(LIST + TOUCHED + "null")
    page.evaluate("(count) => fillList(count)", ROWS)
    rows = "document.querySelector('conversation-list .conversation-rows')"
    count = "countElements(document.querySelector('conversation-list'))"
    assert page.evaluate(f"{rows}.scrollHeight") >= ROWS * 60
    assert page.evaluate(count) <= MOST_OF_LIST
    # One far down moves to the top, and those in view get another place; then it is there already, and changed alone.
    moved, changed = [page.evaluate(f"touchedBy({rows}, () => changeOne(4321, {revision}))") for revision in (2, 3)]
    assert moved <= IN_VIEW and changed <= TOUCHED_BY_ONE, (moved, changed)
    expect(page.locator("conversation-list a.row").first).to_contain_text("Message of 4321")
    page.evaluate(f"{rows}.parentElement.scrollTop = 150_000")
    # Other tests have conversations of their own above.
    expect(page.locator("conversation-list a.row").first).to_contain_text(re.compile(r"Customer 2[34]\d\d"))
    assert page.evaluate(count) <= MOST_OF_LIST
    assert page.evaluate(f"touchedBy({rows}, () => changeOne(4000, 2))") <= IN_VIEW
