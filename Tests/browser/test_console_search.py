"""Finding a message by its words in the console, by pointer and by keyboard."""

import re
import time

import pytest
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words


def indexed(desk):
    """Waits until all messages can be found."""
    deadline = time.monotonic() + 25
    while desk.owner.fetch("/api/search?q=anything")["index"]["behind"]:
        assert time.monotonic() < deadline, "the index stays behind"
        time.sleep(0.1)


def test_the_arrows_lead_through_what_is_found_and_back_to_the_field(desk):
    words = Words("en")
    customer = Customer(desk.server, live_business(desk)["id"])
    first, second = (customer.say(f"A samovar, {number}")["message"] for number in ("brass", "copper"))
    indexed(desk)
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.keyboard.press("s")
    page.keyboard.type("samovar")
    hits = page.locator("message-search a.hit")
    expect(hits).to_have_count(2)
    page.keyboard.press("ArrowDown")
    expect(hits.nth(0)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox", name=words("console.search"), exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(hits.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"desk-thread li.message[data-id='{first['id']}']")).to_be_focused()
    assert second["sequence"] > first["sequence"]


def test_an_old_message_is_found_by_its_words_and_shown(desk):
    words = Words("en")
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    found = customer.say("My grandmother's kettle whistles in B flat")["message"]
    shop = Session(desk.server, desk.server.make_key(business["id"]))
    for first in (0, 60):
        shop.post("/api/messages/batch", {"messages": [
            {"conversation": found["conversation"], "payload": {
                "v": 1, "type": "text", "body": f"Answer {number}"}}
            for number in range(first, first + 60)]})
    Customer(desk.server, business["id"]).say("急須は割れていました 🍵")
    indexed(desk)
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.keyboard.press("s")
    search = page.get_by_role("searchbox", name=words("console.search"), exact=True)
    expect(search).to_be_focused()
    page.keyboard.type("whistl grandm")
    hit = page.locator("message-search a.hit")
    expect(hit).to_have_count(1)
    expect(hit.locator("mark")).to_have_text(["grandmother", "whistles"])
    expect(page.locator("conversation-list a.row")).to_have_count(0)
    # What was found is no customer, and the list does not say that there is nothing.
    expect(page.locator(".list > .list-status")).to_have_text("")
    assert_accessible(page)
    desk.shot(page, "console-search")
    page.keyboard.press("Enter")
    row = page.locator(f"desk-thread li.message[data-id='{found['id']}']")
    expect(row).to_be_in_viewport()
    expect(row).to_be_focused()
    desk.shot(page, "console-search-found")
    page.keyboard.press("r")
    expect(page.get_by_role("textbox", name=words("composer.text.label"), exact=True)).to_be_focused()
    search.fill("急須")
    expect(hit).to_have_count(1)
    expect(hit.locator("mark")).to_have_text(["急須"])
    expect(page.locator("conversation-list a.row")).to_have_count(0)
    search.fill("nobodyeversaidthis")
    expect(page.get_by_text(words("console.search.none"))).to_be_visible()
    expect(hit).to_have_count(0)
    search.press("Escape")
    expect(search).to_have_value("")
    expect(page.locator("message-search")).to_be_hidden()
    expect(page.locator("conversation-list a.row").nth(1)).to_be_visible()
    search.press("Escape")
    expect(search).not_to_be_focused()


def test_a_found_message_stays_in_view_while_messages_arrive(desk):
    """The end is reached when the message is found; then the customer writes more."""
    business = live_business(desk)
    customer = Customer(desk.server, business["id"])
    found = customer.say("Word 0")["message"]
    shop = Session(desk.server, desk.server.make_key(business["id"]))
    shop.post("/api/messages/batch", {"messages": [
        {"conversation": found["conversation"], "payload": {
            "v": 1, "type": "text", "body": f"Answer {number}"}} for number in range(30)]})
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console/c/{found['conversation']}")
    expect(page.get_by_text("Answer 29", exact=True).first).to_be_visible()
    page.evaluate("""(id) => {
      const thread = document.querySelector("desk-thread");
      const log = thread.shadowRoot.querySelector(".log");
      log.scrollTop = 0;
      log.scrollTop = log.scrollHeight;
      thread.reveal(id);
    }""", found["id"])
    row = page.locator(f"desk-thread li.message[data-id='{found['id']}']")
    expect(row).to_be_focused()
    customer.say("And one thing more")
    expect(page.locator("desk-thread").get_by_text("And one thing more", exact=True)).to_have_count(1)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => "
                  "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))")
    expect(row).to_be_in_viewport()


def test_a_search_with_a_lagging_index_says_so_and_repeats(desk):
    words = Words("ja")
    business = live_business(desk)
    Customer(desk.server, business["id"]).say("抹茶の缶が届きません")
    indexed(desk)
    page = desk.page(language="ja", scheme="dark", session=desk.owner)
    late = []

    def trail(route):
        answer = desk.owner.fetch("/api/search?q=%E6%8A%B9%E8%8C%B6")
        if not late:
            answer["data"], answer["index"]["behind"] = [], 3
        late.append(route)
        route.fulfill(json=answer)

    page.route("**/api/search?*", trail)
    page.goto(f"{desk.phone_url}/console")
    search = page.get_by_role("searchbox", name=words("console.search"), exact=True)
    search.fill("抹茶")
    expect(page.get_by_text(re.compile(words("console.search.behind", count=3)))).to_be_visible()
    hit = page.locator("message-search a.hit")
    expect(hit).to_have_count(1)
    expect(page.get_by_text(re.compile(words("console.search.behind", count=3)))).to_have_count(0)
    desk.shot(page, "console-search-ja-dark")
    assert_accessible(page)


def test_further_hits_stay_while_the_index_lags(desk):
    words = Words("en")
    business = live_business(desk)
    for _ in range(2):
        customer = Customer(desk.server, business["id"])
        for number in range(11):
            customer.say(f"Pu'er cake {number}")
    indexed(desk)
    page = desk.page(session=desk.owner)
    page.clock.install()
    asked = []

    def trail(route):
        answer = desk.owner.fetch(route.request.url.removeprefix(desk.phone_url))
        answer["index"]["behind"] = 3
        asked.append("after" in route.request.url)
        route.fulfill(json=answer)

    page.route("**/api/search?*", trail)
    page.goto(f"{desk.phone_url}/console")
    page.get_by_role("searchbox", name=words("console.search"), exact=True).fill("cake")
    page.clock.fast_forward(300)
    hit = page.locator("message-search a.hit")
    expect(hit).to_have_count(20)
    page.locator("message-search").get_by_role("button", name=words("console.more"), exact=True).click()
    expect(hit).to_have_count(22)
    page.clock.fast_forward(10_000)
    page.evaluate("() => fetch('/api/session').then((answer) => answer.text())")
    expect(hit).to_have_count(22)
    assert asked == [False, True], asked


def test_a_late_answer_to_earlier_words_is_dropped(desk):
    words = Words("en")
    business = live_business(desk)
    for text in ("Early words about oolong", "Later words about genmaicha"):
        Customer(desk.server, business["id"]).say(text)
    indexed(desk)
    page = desk.page(session=desk.owner)
    held = []
    page.route("**/api/search?q=oolong*", lambda route: held.append(route))
    page.goto(f"{desk.phone_url}/console")
    search = page.get_by_role("searchbox", name=words("console.search"), exact=True)
    with page.expect_request("**/api/search?q=oolong*"):
        search.fill("oolong")
    search.fill("genmaicha")
    hit = page.locator("message-search a.hit")
    expect(hit).to_have_count(1)
    expect(hit).to_contain_text("genmaicha")
    with page.expect_response("**/api/search?q=oolong*"):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(hit).to_have_count(1)
    expect(hit).to_contain_text("genmaicha")


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_notes_are_found_by_their_words_and_shown_in_their_thread(desk, language, scheme, phone):
    words = Words(language)
    customer = Customer(desk.server, live_business(desk)["id"])
    said = customer.say(f"Where is it? {language}")["message"]
    path = f"/api/conversations/{said['conversation']}/notes"
    note = desk.owner.post(path, {"text": f"The zeppelin{language} waits in Osaka"}, 201)
    gone = desk.owner.post(path, {"text": f"Another zeppelin{language}, deleted"}, 201)
    desk.owner.call("DELETE", f"{path}/{gone['id']}")
    indexed(desk)
    page = console(desk, words, scheme=scheme, phone=phone)
    search = page.get_by_role("searchbox", name=words("console.search"), exact=True)
    search.fill(f"zeppelin{language}")
    expect(page.get_by_role("heading", name=words("console.search.notes"), exact=True)).to_be_visible()
    hit = page.locator("message-search a.hit")
    expect(hit).to_have_count(1)
    expect(hit.locator("mark")).to_have_text(f"zeppelin{language}")
    assert_accessible(page)
    desk.shot(page, f"console-search-notes-{language}-{scheme}")
    hit.click()
    row = page.locator(f"desk-thread [data-note='{note['id']}']")
    expect(row).to_be_in_viewport()
    expect(row).to_contain_text("Osaka")
    desk.shot(page, f"console-search-note-found-{language}-{scheme}")


def test_keys_move_through_what_is_found_and_a_close_stays_with_it(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Found things", "mode": "test"}, expect=201)["id"]
    found = [Customer(desk.server, shop).say(f"A lost thimble, {number}")["message"]["conversation"] for number in ("silver", "brass")]
    Customer(desk.server, shop).say("Something else altogether")
    indexed(desk)
    page = console(desk, words, f"?business={shop}")
    expect(page.locator("conversation-list a.row")).to_have_count(3)
    page.keyboard.press("s")
    page.keyboard.type("thimble")
    expect(page.locator("message-search a.hit")).to_have_count(2)
    page.keyboard.press("Enter")
    opened = page.locator("desk-thread li.message:focus")
    expect(opened).to_contain_text("brass")
    page.keyboard.press("j")
    expect(opened).to_contain_text("silver")
    # Nothing that was not found comes after the last one.
    page.keyboard.press("j")
    expect(opened).to_contain_text("silver")
    page.keyboard.press("e")
    name = page.locator("#view-title").inner_text()
    expect(page.locator(".fd-toast-words").last).to_have_text(words("console.done.closed", name=name))
    expect(page.locator("conversation-head").get_by_role("button", name=words("console.reopen"), exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(found[0]))
    page.keyboard.press("k")
    expect(opened).to_contain_text("brass")
    # Without words they move through the list again.
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.locator("desk-thread")).to_contain_text("Something else altogether")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_cannot_be_looked_for_is_said_in_words_of_people(desk, language):
    words = Words(language)
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    field = page.get_by_role("searchbox", name=words("console.search"), exact=True)
    said = page.locator("message-search [role=status]")
    field.fill("👍")
    expect(said).to_have_text(words("filter.noWord"))
    field.fill("nowhere to be found")
    expect(said).to_have_text(words("console.search.none"))
    field.fill(" ".join(f"word{number}" for number in range(17)))
    expect(said).to_have_text(words("filter.tooLong"))
    field.fill("👍👍")
    expect(said).to_have_text(words("filter.noWord"))


def test_a_list_is_not_narrowed_to_words_that_cannot_be_looked_for(desk):
    words = Words("en")
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.get_by_role("button", name=words("filter.title"), exact=True).click()
    page.locator("details.filter-more summary").click()
    field = page.get_by_label(words("filter.text"), exact=True)
    field.fill("👍")
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=words("filter.noWord"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"/console$"))
    field.fill("samovar")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"text=samovar"))
