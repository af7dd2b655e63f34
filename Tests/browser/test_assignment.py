"""Owners choose who is given conversations by themselves; a new one lands at an agent who is online and has room."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

OFF = {"strategy": "off", "sticky": False, "capacity": 10, "giveBackMinutes": None, "capacities": {}}


def reset(desk):
    """Nothing is assigned by itself."""
    business = f"/api/businesses/{live_business(desk)['id']}"
    desk.owner.call("PUT", f"{business}/assignment", OFF)
    return business


def open_assignment(desk, language, session=None, **look):
    words = Words(language)
    page = console(desk, words, "/settings/assignment", session=session, **look)
    expect(page.get_by_role("heading", name=words("assignment.title"), exact=True, level=1)).to_be_visible()
    return words, page


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_an_owner_chooses_who_is_next_and_learns_of_a_fault_where_it_is(desk, language, scheme, phone):
    business = reset(desk)
    words, page = open_assignment(desk, language, scheme=scheme, phone=phone)
    rule = page.get_by_role("region").filter(has=page.get_by_role("radio")).first
    expect(rule.get_by_text(words("assignment.summary.off"))).to_be_visible()
    rule.get_by_role("radio", name=words("assignment.round_robin")).check()
    capacity = rule.get_by_label(words("assignment.capacity"), exact=True)
    save = rule.get_by_role("button", name=words("shared.save"), exact=True)
    for wrong in ["0", "1001", "2.5", ""]:
        capacity.fill(wrong)
        save.click()
        expect(rule.get_by_role("alert")).to_have_text(words("assignment.fault.capacity"))
        expect(capacity).to_be_focused()
        expect(capacity).to_have_attribute("aria-invalid", "true")
    capacity.fill("3")
    rule.get_by_label(words("assignment.giveBack"), exact=True).check()
    minutes = rule.get_by_label(words("assignment.minutes"), exact=True)
    minutes.fill("1441")
    save.click()
    expect(rule.get_by_role("alert")).to_have_text(words("assignment.fault.minutes"))
    minutes.fill("20")
    desk.shot(page, f"settings-assignment-{language}")
    assert_accessible(page)
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/assignment")):
        save.click()
    expect(page.get_by_text(words("assignment.summary.back", minutes=20))).to_be_visible()
    stored = desk.owner.fetch(f"{business}/assignment")["assignment"]
    assert (stored["strategy"], stored["capacity"], stored["giveBackMinutes"]) == ("round_robin", 3, 20)
    own = page.get_by_role("spinbutton", name=words("assignment.ownNumber", name="Ada"))
    own.fill("7")
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.get_by_role("region").filter(has=own).get_by_role("button", name=words("shared.save"), exact=True).click()
    # Of other tests some may be assigned to the owner.
    load = re.escape(words("assignment.load", open="OPEN", capacity=7)).replace("OPEN", r"\d+")
    expect(page.get_by_text(re.compile(load)).first).to_be_visible()
    assert list(desk.owner.fetch(f"{business}/assignment")["assignment"]["capacities"].values()) == [7]
    reset(desk)


def test_a_new_conversation_lands_at_whoever_is_online_and_has_room(desk):
    business = reset(desk)
    # Those who wait longest come first: of other tests none does.
    for one in desk.owner.fetch(f"/api/conversations?business={business.split('/')[-1]}&state=open&page[size]=100")["data"]:
        desk.owner.call("PATCH", f"/api/conversations/{one['id']}", {"state": "closed"})
    bo = member(desk, "Ivo")
    bo_id = bo.fetch("/api/session")["agent"]["id"]
    words, page = open_assignment(desk, "en", session=bo)
    expect(page.get_by_text(words("assignment.onlyOwners"))).to_be_visible()
    desk.owner.call("PUT", f"{business}/assignment", {**OFF, "strategy": "least_busy", "capacities": {bo_id: 1}})
    first = Customer(desk.server, business.split("/")[-1]).say("Who has me?")["message"]["conversation"]
    page.goto(f"{desk.phone_url}/console/c/{first}")
    line = words("thread.event.automatic.assigned.you", why=words("thread.event.why.least_busy"))
    expect(page.locator("desk-thread").get_by_text(line)).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{first}")["assignee"]["id"] == bo_id
    second = Customer(desk.server, business.split("/")[-1]).say("And me?")["message"]["conversation"]
    assert desk.owner.fetch(f"/api/conversations/{second}")["assignee"] is None
    # Closing makes room: who waits is given at once.
    bo.call("PATCH", f"/api/conversations/{first}", {"state": "closed"})
    page.goto(f"{desk.phone_url}/console/c/{second}")
    expect(page.locator("desk-thread").get_by_text(line)).to_be_visible()
    desk.shot(page, "thread-assigned-automatically")
    reset(desk)
