"""The console's list beyond the rows that it has read: waiting customers, names, authors, colleagues."""

import json
import re

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


def test_waiting_customers_are_counted_beyond_the_rows_that_were_read(desk):
    shop = business(desk)
    first = Customer(desk.server, shop["id"]).say("I was here first")["message"]["conversation"]
    for number in range(MANY):
        Customer(desk.server, shop["id"]).say(f"Question {number}")
    waiting = desk.owner.fetch(
        f"/api/conversations?state=open&business={shop['id']}&page[size]=1")["counts"]["waiting"]
    assert waiting["count"] == MANY + 1 and waiting["conversation"] == first
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    page.get_by_role("combobox", name=WORDS("console.business"), exact=True).select_option(shop["id"])
    expect(rows(page)).to_have_count(50)
    strip = page.locator(".strip-button")
    expect(strip).to_contain_text(f"{MANY + 1} waiting")
    expect(page).to_have_title(re.compile(rf"^\({MANY + 1}\) "))
    # Live: one is answered, and the number falls without a reload.
    key = Session(desk.server, desk.server.make_key(shop["id"]))
    newest = desk.owner.fetch("/api/conversations?page[size]=1")["data"][0]["id"]
    key.post(f"/api/conversations/{newest}/messages", {"type": "text", "body": "Here you are"}, 201)
    expect(strip).to_contain_text(f"{MANY} waiting")
    expect(page).to_have_title(re.compile(rf"^\({MANY}\) "))
    strip.click()
    expect(page).to_have_url(re.compile(f"/console/c/{first}$"))
    # A key's answer is no answer of one's own.
    expect(rows(page).filter(has_text="Here you are")).to_contain_text("shop: Here you are")


def test_a_customers_name_is_found_whatever_list_is_shown(desk):
    """Robin of the sandbox has a name, and is not among those closed."""
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    page.get_by_role("combobox", name=WORDS("console.stateLabel"), exact=True).select_option("closed")
    expect(rows(page)).to_have_count(0)
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
