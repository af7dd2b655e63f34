"""Words are found in the open conversation, in rows that are not drawn and in messages that were not read, by button, palette and key."""

import pytest
from keys import Keys
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

OLD, NEW = "The kettle whistles", "A kettle, again"


@pytest.fixture(scope="module")
def long_thread(running):
    """A conversation of 130 messages: the page reads 50 of them, and the first one is far from those."""
    business = live_business(running)["id"]
    customer = Customer(running.server, business)
    conversation = customer.say(OLD)["message"]["conversation"]
    # A key writes faster than people may.
    shop = Session(running.server, key=running.server.make_key(business))
    for number in range(128):
        shop.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": f"Line {number}"}, expect=201)
    customer.say(NEW)
    return conversation


def open_thread(desk, words, conversation, **look):
    """The console with that conversation, at its end."""
    page = console(desk, words, f"/c/{conversation}", **look)
    expect(page.locator("desk-thread li.message").first).to_be_visible()
    return page


@pytest.mark.parametrize("language, look", [("en", {}), ("ja", {"scheme": "dark", "phone": True})])
def test_a_message_far_back_is_found_without_being_drawn_or_read_before(desk, long_thread, language, look):
    words = Words(language)
    page = open_thread(desk, words, long_thread, **look)
    if look.get("phone"):
        page.get_by_role("button", name=words("console.head.more"), exact=True).click()
        page.get_by_role("menuitem", name=words("console.find"), exact=True).click()
    else:
        page.keyboard.press("f")
    find = page.get_by_role("search", name=words("console.find"), exact=True)
    field = find.get_by_role("searchbox")
    expect(field).to_be_focused()
    page.keyboard.type("KETTLE")
    status = find.get_by_role("status")
    expect(status).to_have_text(words("find.placeMore", number=1, count=1))
    expect(page.locator("desk-thread li.is-found")).to_contain_text(NEW)
    page.keyboard.press("Enter")
    expect(status).to_have_text(words("find.place", number=2, count=2))
    expect(page.locator("desk-thread li.is-found")).to_contain_text(OLD)
    expect(page.locator("desk-thread").get_by_text(OLD)).to_be_in_viewport()
    expect(field).to_be_focused()
    desk.shot(page, f"find-{language}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    find.get_by_role("button", name=words("find.later"), exact=True).click()
    expect(page.locator("desk-thread").get_by_text(NEW)).to_be_in_viewport()
    field.fill("nothing of this kind")
    expect(status).to_have_text(words("find.none"))
    field.press("Escape")
    expect(find).to_have_count(0)


def test_the_browsers_key_opens_it_only_where_the_browser_would_miss_a_part_and_never_twice(desk, long_thread):
    words = Words("en")
    page = open_thread(desk, words, long_thread)
    page.evaluate("addEventListener('keydown', (event) => { globalThis.taken = event.defaultPrevented; })")
    keys = Keys(page)
    page.keyboard.press("Control+f")
    field = page.get_by_role("search").get_by_role("searchbox")
    keys.at(field)
    assert page.evaluate("taken") is True
    page.keyboard.press("Control+f")
    assert page.evaluate("taken") is False
    keys.press("Escape")
    keys.at(page.locator("desk-thread .log"))
    # All of a short thread is drawn: the browser finds it.
    short = Customer(desk.server, live_business(desk)["id"]).say("A short one")["message"]["conversation"]
    page.goto(f"{desk.phone_url}/console/c/{short}")
    expect(page.locator("desk-thread").get_by_text("A short one")).to_be_visible()
    page.evaluate("addEventListener('keydown', (event) => { globalThis.taken = event.defaultPrevented; })")
    page.keyboard.press("Control+f")
    assert page.evaluate("taken") is False
    expect(page.get_by_role("search")).to_have_count(0)


def test_the_palette_opens_it_and_a_note_is_found_too(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("Find my note")["message"]["conversation"]
    desk.owner.post(f"/api/conversations/{said}/notes", {"text": "A samovar, rather"}, expect=201)
    page = open_thread(desk, words, said)
    keys = Keys(page)
    page.keyboard.press("Control+k")
    keys.type(words("console.find"))
    # What can be done with a conversation is known once it is there.
    expect(page.get_by_role("option", name=words("console.find")).first).to_be_visible()
    keys.press("Enter")
    keys.at(page.get_by_role("search").get_by_role("searchbox"))
    keys.type("samovar")
    expect(page.locator("desk-thread li.note.is-found")).to_contain_text("A samovar, rather")
    keys.press("Escape")
    keys.at(page.locator("desk-thread li.note"))
