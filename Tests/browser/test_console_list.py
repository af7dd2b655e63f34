"""The console's list beyond the rows that it has read: waiting customers, names, authors, colleagues."""

import datetime
import json
import re

from looks import assert_accessible
from pages import inbox_view
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words
from websockets.sync.client import connect

WORDS = Words("en")
MANY = 53


def business(desk):
    """The business that the first start made for the owner."""
    return next(one for one in desk.owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


def rows(page):
    """The rows of the list."""
    return page.locator("conversation-list a.row")


def test_waiting_customers_are_counted_beyond_the_rows_that_were_read_and_listed_by_their_wait(desk):
    # Of its own, since other tests have customers who wait.
    shop = desk.owner.post("/api/businesses", {"name": "Watches"}, expect=201)
    first = Customer(desk.server, shop["id"]).say("I was here first")["message"]["conversation"]
    for number in range(MANY):
        Customer(desk.server, shop["id"]).say(f"Question {number}")
    waiting = desk.owner.fetch(f"/api/views?business={shop['id']}")["counts"]["waiting"]
    assert waiting["count"] == MANY + 1 and waiting["conversation"] == first
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    page.locator("inbox-nav").get_by_role("button", name=re.compile(f"^{re.escape(shop['name'])}")).click()
    expect(rows(page)).to_have_count(50)
    view = inbox_view(page, WORDS, "waiting")
    expect(view).to_contain_text(f" {MANY + 1} longest")
    expect(page).to_have_title(re.compile(rf"^\({MANY + 1}\) "))
    # Live: one is answered, and the number falls without a reload.
    key = Session(desk.server, desk.server.make_key(shop["id"]))
    newest = desk.owner.fetch(f"/api/conversations?business={shop['id']}&page[size]=1")["data"][0]["id"]
    key.post(f"/api/conversations/{newest}/messages", {"type": "text", "body": "Here you are"}, 201)
    expect(view).to_contain_text(f" {MANY} longest")
    expect(page).to_have_title(re.compile(rf"^\({MANY}\) "))
    # A key's answer is no answer of one's own.
    expect(rows(page).filter(has_text="Here you are")).to_contain_text("shop: Here you are")
    view.click()
    expect(page.get_by_text(WORDS("console.order.wait"), exact=True)).to_be_visible()
    expect(rows(page).first).to_contain_text("I was here first")
    expect(rows(page)).to_have_count(50)
    # The newest wait comes after all others, of which not all were read.
    late = Customer(desk.server, shop["id"])
    late.say("I came last")
    expect(view).to_contain_text(f" {MANY + 1} longest")
    expect(rows(page).filter(has_text="I came last")).to_have_count(0)
    page.get_by_role("button", name=WORDS("console.more"), exact=True).click()
    expect(rows(page)).to_have_count(MANY + 1)
    expect(rows(page).last).to_contain_text("I came last")
    # Who is answered leaves the view, and so does the number.
    key.post(f"/api/conversations/{first}/messages", {"type": "text", "body": "Your turn"}, 201)
    expect(rows(page).first).not_to_contain_text("I was here first")
    expect(rows(page)).to_have_count(MANY)
    desk.shot(page, "console-waiting")
    assert_accessible(page)


def test_a_conversation_moves_from_view_to_view_with_the_numbers_of_the_server(desk):
    shop = business(desk)
    said = Customer(desk.server, shop["id"]).say("Move me around")["message"]["conversation"]
    path = f"/api/conversations/{said}"
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    row = rows(page).filter(has_text="Move me around")

    def number(view):
        """What the server counts, without the unit of the navigation."""
        return desk.owner.fetch("/api/views")["counts"][view]

    def assert_in(*views):
        for view in ("mine", "unassigned", "all", "snoozed"):
            count = number(view)
            expect(inbox_view(page, WORDS, view).locator(".nav-number")).to_have_text(str(count) if count else "")
            inbox_view(page, WORDS, view).click()
            expect(page.get_by_role("heading", level=1)).to_have_text(WORDS(f"console.view.{view}"))
            expect(page.locator(".list > .list-status")).not_to_have_text(WORDS("shared.loading"))
            expect(row).to_have_count(1 if view in views else 0)

    assert_in("unassigned", "all")
    desk.owner.call("PATCH", path, {"assignee": "me"})
    assert_in("mine", "all")
    until = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    desk.owner.call("PATCH", path, {"state": "snoozed", "snoozedUntil": until})
    assert_in("snoozed")
    inbox_view(page, WORDS, "snoozed").click()
    # The row says until when.
    expect(row.locator("time")).to_have_attribute("datetime", re.compile(f"^{until[:16]}"))
    desk.owner.call("PATCH", path, {"state": "closed"})
    assert_in()
    inbox_view(page, WORDS, "closed").click()
    expect(row).to_have_count(1)
    # Pending is offered while there is some; other tests leave some behind.
    for one in desk.owner.fetch("/api/conversations?state=pending")["data"]:
        desk.owner.call("PATCH", f"/api/conversations/{one['id']}", {"state": "open"})
    expect(inbox_view(page, WORDS, "pending")).to_have_count(0)
    desk.owner.call("PATCH", path, {"state": "pending"})
    inbox_view(page, WORDS, "pending").click()
    expect(row).to_have_count(1)


def test_a_row_keeps_its_height_whatever_is_said_in_it(desk):
    shop = business(desk)
    quiet = Customer(desk.server, shop["id"]).say("Short")["message"]["conversation"]
    long = Customer(desk.server, shop["id"]).say("word " * 300 + "x" * 400)["message"]["conversation"]
    secret = desk.server.make_key(shop["id"])
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    heights = "(all) => [...new Set(all.map((one) => one.getBoundingClientRect().height))]"
    expect(page.locator(f"[data-open='{long}']")).to_be_visible()
    assert rows(page).evaluate_all(heights) == [60]
    with connect(f"ws://127.0.0.1:{desk.server.port}/api/live",
                 additional_headers={"Authorization": f"Bearer {secret}"}) as line:
        line.send(json.dumps({"type": "hello", "after": None}))
        line.recv(timeout=20)
        for conversation in (quiet, long):
            line.send(json.dumps({"type": "presence", "conversation": conversation, "state": "looking"}))
            expect(page.locator(f"[data-open='{conversation}'] .is-here")).to_have_count(1)
        assert rows(page).evaluate_all(heights) == [60]
        desk.shot(page, "console-rows")
        assert_accessible(page)


def test_a_customers_name_is_found_whatever_list_is_shown(desk):
    """Robin of the sandbox has a name, and is not among those closed."""
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    inbox_view(page, WORDS, "closed").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(WORDS("console.view.closed"))
    expect(rows(page).filter(has_text="Robin")).to_have_count(0)
    page.get_by_role("searchbox", name=WORDS("console.search"), exact=True).fill("robi")
    expect(rows(page).filter(has_text="Robin")).to_have_count(1)
    rows(page).first.click()
    expect(page).to_have_url(re.compile("/console/c/"))


def test_a_colleague_is_shown_to_later_readers_and_gone_with_the_connection(desk):
    shop = business(desk)
    said = Customer(desk.server, shop["id"]).say("Is anybody there?")["message"]
    secret = desk.server.make_key(shop["id"])
    with connect(f"ws://127.0.0.1:{desk.server.port}/api/live",
                 additional_headers={"Authorization": f"Bearer {secret}"}) as line:
        line.send(json.dumps({"type": "hello", "after": None}))
        line.recv(timeout=20)
        line.send(json.dumps({
            "type": "presence", "conversation": said["conversation"], "state": "writing"}))
        page = desk.page(session=desk.owner)
        page.goto(f"{desk.phone_url}/console")
        row = rows(page).filter(has_text="Is anybody there?")
        expect(row.locator(".is-here")).to_have_text(WORDS("console.writing", name="shop"))
        page.reload()
        expect(row.locator(".is-here")).to_have_text(WORDS("console.writing", name="shop"))
    expect(row.locator(".is-here")).to_have_count(0)


def test_the_next_conversation_after_the_last_row_that_was_read_is_read_and_opened(desk):
    shop = desk.owner.post("/api/businesses", {"name": "Long list"}, expect=201)
    ids = [Customer(desk.server, shop["id"]).say(f"Question {number}")["message"]["conversation"] for number in range(51)]
    page = desk.page(session=desk.owner)
    # The list is newest first: what was begun second is the last of the fifty, and the first is beyond them.
    page.goto(f"{desk.phone_url}/console/c/{ids[1]}?business={shop['id']}")
    expect(page.locator("desk-thread").get_by_text("Question 1", exact=True)).to_be_visible()
    expect(page.locator(f"conversation-list a.row[data-open='{ids[50]}']")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("desk-thread").get_by_text("Question 0", exact=True)).to_be_visible()
    expect(page.locator(f"conversation-list a.row[data-open='{ids[0]}']")).to_be_in_viewport()
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("desk-thread").get_by_text("Question 1", exact=True)).to_be_visible()
