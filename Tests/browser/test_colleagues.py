"""Several agents at one conversation: who is writing, who was first, what was changed."""

import json
import re

import pytest
from looks import assert_accessible
from pages import live_business, member, open_conversation
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from websockets.sync.client import connect

CUT = "(node) => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight + 1"


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", False), ("en", True), ("ja", True)])
def test_who_else_is_writing_is_said_in_full_and_moves_nothing(desk, language, phone):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"Who writes? ({language} {phone})", phone=phone)
    secret = desk.server.make_key(live_business(desk)["id"], name="Bartholomew of the night shift")
    box = page.locator("desk-composer .cp-box")
    place = box.bounding_box()
    # Where there is no room for the words, the icon is there.
    expect(page.locator("conversation-head .assignee").locator("xpath=*").locator("visible=true")).not_to_have_count(0)
    notice = page.locator(".cp-notice")
    with connect(f"ws://127.0.0.1:{desk.server.port}/api/live",
                 additional_headers={"Authorization": f"Bearer {secret}"}) as line:
        line.send(json.dumps({"type": "hello", "after": None}))
        line.recv(timeout=20)
        line.send(json.dumps({"type": "presence", "conversation": conversation, "state": "writing"}))
        expect(notice).to_have_text(words("console.writing", name="Bartholomew of the night shift"))
        expect(notice).to_be_in_viewport(ratio=0.99)
        assert not notice.evaluate(CUT)
        assert box.bounding_box() == place
        desk.shot(page, f"writing-{language}-{390 if phone else 1280}")
        assert_accessible(page)
    # The note's box stands where the answer's stood.
    expect(notice).to_be_empty()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    bottom = page.locator("note-box .cp-box").bounding_box()
    assert bottom["y"] + bottom["height"] == place["y"] + place["height"]


def test_a_press_in_the_head_hits_though_a_colleague_begins_to_write_meanwhile(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Who closes it?")
    secret = desk.server.make_key(live_business(desk)["id"], name="Bartholomew of the night shift")
    page.locator("conversation-head .close").hover()
    page.mouse.down()
    with connect(f"ws://127.0.0.1:{desk.server.port}/api/live",
                 additional_headers={"Authorization": f"Bearer {secret}"}) as line:
        line.send(json.dumps({"type": "hello", "after": None}))
        line.recv(timeout=20)
        line.send(json.dumps({"type": "presence", "conversation": conversation, "state": "writing"}))
        expect(page.locator(".cp-notice")).to_have_text(words("console.writing", name="Bartholomew of the night shift"))
        with page.expect_response(lambda one: one.request.method == "PATCH" and one.url.endswith(conversation)):
            page.mouse.up()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "closed"


def test_of_two_who_assign_to_themselves_one_wins_and_the_other_reads_who(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Who is first?")
    other = member(desk, "Wes")
    sent = []

    def lose(route):
        """The other's request is handled while this one is on its way."""
        if route.request.method == "PATCH":
            sent.append(json.loads(route.request.post_data))
            other.call("PATCH", f"/api/conversations/{conversation}", {"assignee": "me", "ifAssignee": None})
        route.continue_()

    page.route(f"**/api/conversations/{conversation}", lose)
    page.keyboard.press("a")
    expect(page.locator(".refusal")).to_have_text(words("console.assignedFirst", name="Wes"))
    expect(page.locator("conversation-head .assignee")).to_have_text("Wes")
    assert sent == [{"assignee": "me", "ifAssignee": None}]
    assert_accessible(page)


def overlaps(one, other):
    """Whether two rectangles have a point in common."""
    return (one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
            and one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"])


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_toasts_are_one_stack_that_covers_nothing(desk, language, scheme, phone):
    words = Words(language)
    for number in range(12):
        Customer(desk.server, live_business(desk)["id"]).say(f"Row {number}")
    page, _, _ = open_conversation(desk, words, f"Many changes ({language})", scheme=scheme, phone=phone)
    assignee = page.locator("conversation-head .assignee")
    for item, shown in [("console.assignToMe", "Ada"), ("console.unassign", words("console.unassigned"))]:
        assignee.click()
        page.get_by_role("menuitemradio" if item.endswith("Me") else "menuitem", name=words(item)).click()
        expect(assignee).to_have_text(shown)
    toast = page.locator(".fd-toast:visible")
    expect(toast).to_have_count(1)
    expect(toast).to_contain_text(words("console.done.unassigned"))
    expect(toast).to_contain_text("+1")
    desk.shot(page, f"toasts-{language}-{390 if phone else 1280}")
    place = toast.bounding_box()
    for part in [".view-head", "desk-thread", ".view-composer", ".list-scroll", ".list-head", ".inbox-nav", ".side-places"]:
        found = page.locator(part)
        if found.is_visible():
            assert not overlaps(place, found.bounding_box()), part
    assert_accessible(page)
    toast.get_by_role("button", name=words("shared.dismiss"), exact=True).click()
    # The earlier one comes back, with its own way back.
    expect(toast).to_contain_text(words("console.done.assigned", name="Ada"))
    toast.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(toast).to_have_count(0)


def test_what_is_typed_after_choosing_a_conversation_is_for_that_one_however_slow_the_line(desk):
    """Between the press on a row and the arrival of its messages nothing is written to the former customer."""
    words = Words("en")
    page, _, former = open_conversation(desk, words, "The former one")
    chosen = Customer(desk.server, live_business(desk)["id"]).say("The chosen one")["message"]["conversation"]
    held = []
    page.route(re.compile(rf"/api/conversations/{chosen}(/messages|/scheduled)?(\?|$)"), lambda route: (
        held.append(route) if route.request.method == "GET" else route.continue_()))
    page.locator(f"conversation-list [data-open='{chosen}']").click()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.press_sequentially("For the chosen one")
    expect(page.locator("desk-thread").get_by_text("The former one")).to_have_count(0)
    assert len(held) == 3
    for route in held:
        route.continue_()
    expect(page.locator("desk-thread").get_by_text("The chosen one")).to_be_visible()
    expect(field).to_have_value("For the chosen one")
    field.press("Enter")
    expect(page.locator("desk-thread").get_by_text("For the chosen one")).to_be_visible()
    texts = [[one["summary"] for one in desk.owner.fetch(f"/api/conversations/{each}/messages")["data"]] for each in (former, chosen)]
    assert texts == [["The former one"], ["The chosen one", "For the chosen one"]]
    assert desk.owner.fetch(f"/api/conversations/{former}").get("draft") is None
