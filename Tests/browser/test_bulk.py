"""Narrowing the list, and changing several conversations at once: by keyboard, mouse and finger."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_labels import LOOKS, make_label, ready, row_of


def shop_with(desk, name, texts):
    """A business with a conversation for each text, the first the newest."""
    shop = desk.owner.post("/api/businesses", {"name": name}, expect=201)
    made = [Customer(desk.server, shop["id"]).say(text)["message"]["conversation"] for text in reversed(texts)]
    return shop, made[::-1]


def rows(page):
    """The rows of the list."""
    return page.locator("conversation-list a.row")


def bar(page, words):
    """The bar of what is selected."""
    return page.get_by_role("region", name=words("bulk.title"), exact=True)


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_the_list_is_narrowed_by_all_that_a_conversation_has_and_the_address_says_it(desk, language, scheme, phone):
    words = Words(language)
    shop, (first, second, third) = shop_with(desk, f"Narrow {language}", ["One", "Two", "Three"])
    label = make_label(desk, shop, f"Narrow label {language}")
    desk.owner.call("PATCH", f"/api/conversations/{first}", {"priority": "urgent", "labels": {"add": [label]}, "assignee": "me"})
    desk.owner.call("PATCH", f"/api/conversations/{second}", {"priority": "urgent"})
    desk.owner.call("PATCH", f"/api/conversations/{third}", {"state": "closed", "priority": "urgent"})
    page = ready(console(desk, words, f"?business={shop['id']}", scheme=scheme, phone=phone))
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name=words("console.filter"), exact=True).click()
    panel = page.get_by_role("dialog", name=words("filter.title"), exact=True)
    panel.get_by_role("checkbox", name=words("customer.priority.urgent"), exact=True).press("Space")
    expect(panel.get_by_role("checkbox", name=words("customer.priority.urgent"), exact=True)).to_be_focused()
    panel.get_by_label(words("customer.state"), exact=True).select_option("any")
    expect(rows(page)).to_have_count(3)
    desk.shot(page, f"filter-{language}-{scheme}")
    assert_accessible(page)
    panel.get_by_role("checkbox", name=f"Narrow label {language}", exact=True).press("Space")
    expect(rows(page)).to_have_count(1)
    panel.get_by_label(words("console.assignee"), exact=True).select_option("none")
    expect(rows(page)).to_have_count(0)
    expect(page.get_by_text(words("console.none.narrowed"))).to_be_visible()
    panel.get_by_label(words("console.assignee"), exact=True).select_option("me")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{desk.phone_url}/console?business={shop['id']}&state=any&assignee=me&label={label}&priority=urgent")
    page.reload()
    expect(rows(page)).to_have_count(1)
    chips = page.locator(".filter-chip")
    expect(chips).to_have_text([words("console.state.any"), words("console.filter.me"), f"Narrow label {language}",
                                words("customer.priorityIs", priority=words("thread.priority.urgent"))])
    desk.shot(page, f"filter-chips-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    # One is removed by keyboard; then the way back.
    page.get_by_role("button", name=words("console.filter.remove", name=f"Narrow label {language}"), exact=True).press("Enter")
    expect(chips).to_have_count(3)
    page.go_back()
    expect(chips).to_have_count(4)
    # By the wait: only open ones, the longest first.
    page.get_by_role("button", name=words("console.filter"), exact=True).click()
    panel.get_by_role("button", name=words("filter.reset"), exact=True).click()
    panel.get_by_label(words("filter.order"), exact=True).select_option("wait")
    expect(page).to_have_url(re.compile(r"order=wait$"))
    expect(rows(page).first).to_contain_text("Two")


# Waits until the page has all of a business that its filter offers.
READ_LISTS = """async (business) => {
  const { lists } = document.querySelector("conversation-list").state;
  for (const name of ["members", "teams", "labels", "attributes"]) await lists.read(business, name);
}"""
HAS_LABEL = """([business, name]) => document.querySelector("conversation-list").state.lists.labels(business).some((one) => one.name === name)"""


@pytest.fixture
def narrowed(desk):
    """The open filter of a list that is narrowed, and what has a label of the business arrive while it is open."""
    words = Words("en")
    shop, _ = shop_with(desk, "Filter meanwhile", ["One", "Two"])
    make_label(desk, shop, "Known")
    page = ready(console(desk, words, f"?business={shop['id']}&priority=urgent"))
    page.get_by_role("button", name=words("console.filter"), exact=True).click()
    panel = page.get_by_role("dialog", name=words("filter.title"), exact=True)
    page.evaluate(READ_LISTS, shop["id"])
    expect(panel.get_by_role("checkbox", name="Known", exact=True)).to_be_attached()

    def arrive(name):
        make_label(desk, shop, name, order=1)
        page.wait_for_function(HAS_LABEL, arg=[shop["id"], name])
        return panel.get_by_role("checkbox", name=name, exact=True)

    return words, page, panel, arrive, f"{desk.phone_url}/console?business={shop['id']}"


def test_a_press_in_the_filter_hits_though_a_label_arrives_meanwhile(narrowed):
    words, page, panel, arrive, whole = narrowed
    reset = panel.get_by_role("button", name=words("filter.reset"), exact=True)
    reset.hover()
    page.mouse.down()
    arrived = arrive("Arrived")
    expect(arrived).to_have_count(0)
    page.mouse.up()
    expect(page).to_have_url(whole)
    expect(arrived).to_be_attached()
    expect(reset).to_have_count(0)


def test_what_is_half_typed_in_the_filter_stays_though_a_label_arrives_meanwhile(narrowed):
    words, page, panel, arrive, whole = narrowed
    panel.get_by_text(words("filter.more"), exact=True).click()
    text = panel.get_by_label(words("filter.text"), exact=True)
    text.press_sequentially("late ord")
    arrived = arrive("Arrived")
    expect(text).to_be_focused()
    text.press_sequentially("er")
    expect(text).to_have_value("late order")
    text.press("Enter")
    expect(page).to_have_url(f"{whole}&priority=urgent&text=late%20order")
    expect(arrived).to_be_attached()
    expect(text).to_be_focused()
    expect(text).to_have_value("late order")
    # A press that passes on what is typed is a press all the same.
    text.press_sequentially("s")
    panel.get_by_role("button", name=words("filter.reset"), exact=True).click()
    expect(page).to_have_url(whole)
    expect(text).to_have_value("")


def test_rows_are_selected_by_keyboard_labelled_closed_and_brought_back(desk):
    words = Words("en")
    shop, ids = shop_with(desk, "By keyboard", [f"Row {number}" for number in range(6)])
    label = make_label(desk, shop, "Keyed")
    page = ready(console(desk, words, f"?business={shop['id']}"))
    expect(rows(page)).to_have_count(6)
    row_of(page, ids[1]).focus()
    page.keyboard.press("x")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowUp")
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=3))
    expect(page.locator("conversation-list li.is-selected")).to_have_count(3)
    expect(row_of(page, ids[3])).to_be_focused()
    page.keyboard.press("l")
    search = page.get_by_role("combobox", name=words("console.labels.find"), exact=True)
    search.fill("Keyed")
    expect(page.get_by_role("option", name="Keyed")).to_have_attribute("aria-checked", "false")
    search.press("Enter")
    expect(page.get_by_text(words("bulk.done", count=3))).to_be_visible()
    expect(page.get_by_role("option", name="Keyed")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Escape")
    labelled = page.locator("conversation-list .label-dots")
    expect(labelled).to_have_count(3)
    desk.shot(page, "bulk-en-light")
    assert_accessible(page)
    page.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(labelled).to_have_count(0)
    expect(page.get_by_text(words("bulk.undone", count=3))).to_be_visible()
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=3))
    # Closed, they leave the list and the selection with it; the way back brings them again.
    row_of(page, ids[3]).focus()
    page.keyboard.press("e")
    expect(rows(page)).to_have_count(3)
    expect(bar(page, words)).to_have_count(0)
    for one in ids[1:4]:
        assert desk.owner.fetch(f"/api/conversations/{one}")["state"] == "closed"
    page.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(rows(page)).to_have_count(6)
    for one in ids[1:4]:
        assert desk.owner.fetch(f"/api/conversations/{one}")["state"] == "open"
    # Escape ends a selection, and another view does.
    row_of(page, ids[0]).focus()
    page.keyboard.press("x")
    expect(bar(page, words)).to_be_visible()
    page.keyboard.press("Escape")
    expect(bar(page, words)).to_have_count(0)
    page.keyboard.press("x")
    inbox_view(page, words, "snoozed").click()
    expect(bar(page, words)).to_have_count(0)


def test_undoing_leaves_what_a_colleague_changed_since_and_lists_it(desk):
    words = Words("en")
    shop, ids = shop_with(desk, "Undone in part", ["One", "Two", "Three"])
    page = ready(console(desk, words, f"?business={shop['id']}&state=any"))
    expect(rows(page)).to_have_count(3)
    row_of(page, ids[0]).focus()
    page.keyboard.press("x")
    bar(page, words).get_by_role("button", name=words("bulk.all", count=3), exact=True).click()
    bar(page, words).get_by_role("button", name=words("console.close"), exact=True).click()
    undo = page.get_by_role("button", name=words("shared.undo"), exact=True)
    expect(undo).to_be_visible()
    desk.owner.call("PATCH", f"/api/conversations/{ids[1]}", {"state": "pending"})
    undo.click()
    expect(page.get_by_text(words("bulk.undone", count=2))).to_be_visible()
    left = page.locator(".bulk-failed li")
    expect(left.first).to_have_text(words("bulk.failed", count=1))
    expect(left.nth(1)).to_contain_text(words("bulk.changedSince"))
    desk.shot(page, "bulk-undone-in-part")
    states = [desk.owner.fetch(f"/api/conversations/{one}")["state"] for one in ids]
    assert states == ["open", "pending", "open"]


def test_undoing_lists_nothing_that_is_as_it_was_before_already(desk):
    words = Words("en")
    shop, ids = shop_with(desk, "Undone already", ["One", "Two"])
    page = ready(console(desk, words, f"?business={shop['id']}&state=any"))
    expect(rows(page)).to_have_count(2)
    row_of(page, ids[0]).focus()
    page.keyboard.press("x")
    bar(page, words).get_by_role("button", name=words("bulk.all", count=2), exact=True).click()
    bar(page, words).get_by_role("button", name=words("console.close"), exact=True).click()
    undo = page.get_by_role("button", name=words("shared.undo"), exact=True)
    expect(undo).to_be_visible()
    desk.owner.call("PATCH", f"/api/conversations/{ids[1]}", {"state": "open"})
    undo.click()
    expect(page.get_by_text(words("bulk.undone", count=1))).to_be_visible()
    expect(page.locator(".bulk-failed")).to_have_count(0)


def test_rows_are_selected_by_mouse_and_changed_but_for_one_that_is_refused(desk):
    words = Words("en")
    shop, ids = shop_with(desk, "By mouse", [f"Row {number}" for number in range(5)])
    page = ready(console(desk, words, f"?business={shop['id']}"))
    expect(rows(page)).to_have_count(5)
    box = page.locator(f"conversation-list li[data-key='{ids[0]}']").get_by_role("checkbox")
    box.hover()
    expect(box).to_have_css("opacity", "1")
    box.click()
    row_of(page, ids[3]).click(modifiers=["Shift"])
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=4))
    expect(page).to_have_url(f"{desk.phone_url}/console?business={shop['id']}")
    bar(page, words).get_by_role("button", name=words("bulk.all", count=5), exact=True).click()
    refusal = {"type": "/docs/problems/forbidden", "title": "Not allowed", "status": 403, "detail": "Not this one.", "code": "forbidden"}
    tries = []

    def refuse_one(route):
        """At first the server puts off; then it changes all but one."""
        changes = route.request.post_data_json["changes"]
        tries.append(len(changes))
        if len(tries) == 1:
            return route.fulfill(status=429, headers={"Retry-After": "1"}, content_type="application/problem+json", json={
                **refusal, "status": 429, "code": "rate_limited"})
        at = next(place for place, one in enumerate(changes) if one["conversation"] == ids[2])
        data = desk.owner.post("/api/conversations/bulk", {"changes": changes[:at] + changes[at + 1:]}, expect=200)["data"]
        data.insert(at, {"id": ids[2], "status": 403, "problem": refusal})
        return route.fulfill(json={"data": data})

    page.route("**/api/conversations/bulk", refuse_one)
    bar(page, words).get_by_role("button", name=words("customer.priority"), exact=True).click()
    page.get_by_role("menuitem", name=words("customer.priority.high"), exact=True).click()
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.waiting", count=0, total=5, seconds=1))
    failed = bar(page, words).get_by_role("alert")
    expect(failed).to_contain_text(words("bulk.failed", count=1))
    expect(failed).to_contain_text("Not this one.")
    expect(page.get_by_text(words("bulk.done", count=4))).to_be_visible()
    # The refused one stays selected, to try again.
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=1))
    desk.shot(page, "bulk-refused")
    assert_accessible(page)
    assert tries == [5, 5]
    page.unroute("**/api/conversations/bulk")
    bar(page, words).get_by_role("button", name=words("bulk.assign"), exact=True).click()
    page.get_by_role("menuitemradio", name=words("console.assignToMe")).click()
    expect(failed).to_be_empty()
    expect(page.get_by_text(words("bulk.done", count=1))).to_be_visible()
    found = {one["id"]: one for one in desk.owner.fetch(f"/api/conversations?business={shop['id']}")["data"]}
    assert [found[one]["priority"] for one in ids] == ["high", "high", "none", "high", "high"]
    assert [bool(found[one]["assignee"]) for one in ids] == [False, False, True, False, False]


def test_rows_are_selected_by_a_long_press_of_a_finger_and_then_by_taps(desk):
    words = Words("ja")
    shop, ids = shop_with(desk, "By finger", ["One", "Two", "Three"])
    page = ready(console(desk, words, f"?business={shop['id']}", phone=True, scheme="dark"))
    expect(rows(page)).to_have_count(3)
    first = row_of(page, ids[0])
    first.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=1))
    first.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})
    first.dispatch_event("click", {"bubbles": True, "cancelable": True})
    row_of(page, ids[1]).tap()
    expect(bar(page, words).get_by_role("status").first).to_have_text(words("bulk.count", count=2))
    expect(page).to_have_url(f"{desk.phone_url}/console?business={shop['id']}")
    desk.shot(page, "bulk-ja-dark")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    bar(page, words).get_by_role("button", name=words("console.snooze"), exact=True).tap()
    page.get_by_role("menuitem", name=re.compile(re.escape(words("console.snooze.tomorrow")))).tap()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name=words("shared.undo"), exact=True).tap()
    expect(rows(page)).to_have_count(3)
    # Without a selection a tap opens a conversation.
    row_of(page, ids[2]).tap()
    expect(page).to_have_url(f"{desk.phone_url}/console/c/{ids[2]}?business={shop['id']}")


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_the_transcript_of_what_is_selected_is_one_page_in_the_order_of_the_list(desk, language, scheme, phone):
    words = Words(language)
    shop, ids = shop_with(desk, f"Transcripts {language}", ["First of three", "Second of three", "Third of three"])
    page = ready(console(desk, words, f"?business={shop['id']}", scheme=scheme, phone=phone))
    expect(rows(page)).to_have_count(3)
    for one in (ids[2], ids[0]):
        row_of(page, one).focus()
        page.keyboard.press("x")
    transcript = bar(page, words).get_by_role("button", name=words("bulk.transcript"), exact=True)
    transcript.press("Enter")
    desk.shot(page, f"bulk-transcript-{language}-{scheme}")
    assert_accessible(page)
    with page.context.expect_page() as opened:
        page.get_by_role("menuitem", name=words("console.transcript.html"), exact=True).press("Enter")
    read = opened.value
    expect(read.get_by_text("First of three")).to_be_visible()
    body = read.locator("body").inner_text()
    assert body.index("First of three") < body.index("Third of three") and "Second of three" not in body
    assert f"language={language}" in read.url
    read.close()
    for format in ("text", "json"):
        transcript.press("Enter")
        with page.context.expect_event("request", lambda one: "/api/transcripts" in one.url) as asked:
            page.get_by_role("menuitem", name=words(f"console.transcript.{format}"), exact=True).press("Enter")
        assert f"format={format}" in asked.value.url and asked.value.url.count(",") + asked.value.url.count("%2C") == 1


def test_more_than_a_hundred_are_changed_by_owners_alone_and_the_bar_says_so(desk):
    words = Words("ja")
    business = live_business(desk)["id"]
    known = Customer(desk.server, business).say("One of very many")["message"]["conversation"]
    for session, is_owner in [(member(desk, "Bo-bulk"), False), (desk.owner, True)]:
        page = ready(console(desk, words, f"?business={business}", session=session, scheme="dark", phone=not is_owner))
        expect(row_of(page, known)).to_be_visible()
        page.evaluate("""(id) => {
          const list = document.querySelector("conversation-list");
          const one = list.state.store.get(id);
          const made = Array.from({ length: 101 }, (_, at) => ({ ...one, id: `row-${at}` }));
          for (const row of made) list.state.store.put(row);
          list.selection.set(made.map((row) => row.id));
          list.update();
        }""", known)
        sentence = bar(page, words).get_by_text(words("bulk.tooMany", count=101, most=100))
        close = bar(page, words).get_by_role("button", name=words("console.close"), exact=True)
        if is_owner:
            expect(close).to_be_enabled()
            expect(sentence).to_have_count(0)
        else:
            expect(sentence).to_be_visible()
            expect(close).to_be_disabled()
            desk.shot(page, "bulk-too-many")
        assert_accessible(page)


def test_of_five_thousand_rows_those_in_view_are_drawn(desk):
    words = Words("en")
    shop, (one,) = shop_with(desk, "Very many", ["I am one of many"])
    page = ready(console(desk, words, f"?business={shop['id']}"))
    expect(rows(page)).to_have_count(1)
    page.evaluate("""(id) => {
      const list = document.querySelector("conversation-list");
      const known = list.state.store.get(id);
      for (let at = 0; at < 5000; at += 1) list.state.store.put({ ...known, id: `row-${String(at).padStart(4, "0")}`,
        lastMessage: { ...known.lastMessage, summary: `Row ${at}`, time: new Date(Date.UTC(2026, 0, 1) - at * 60000).toISOString() } });
      list.update();
    }""", one)
    expect(row_of(page, "row-0000")).to_be_visible()
    assert rows(page).count() < 60
    page.locator(".list-scroll").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
    expect(row_of(page, "row-4999")).to_be_in_viewport()
    assert rows(page).count() < 60
    last = page.locator("conversation-list li[data-key=row-4999]")
    expect(last).to_have_attribute("aria-setsize", "5001")
    # By keyboard, upwards, the focus stays with the row.
    row_of(page, "row-4999").focus()
    for _ in range(60):
        page.keyboard.press("ArrowUp")
    expect(row_of(page, "row-4939")).to_be_focused()
    expect(row_of(page, "row-4939")).to_be_in_viewport()
    assert_accessible(page)
