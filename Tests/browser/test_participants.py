"""Participants and followers of a conversation: added, removed, notified of changes; teams are mentioned in notes."""

import pytest
from looks import assert_accessible
from pages import console, live_business, member, open_conversation
from playwright.sync_api import expect
from support.words import Words


def people(page, words):
    return page.get_by_role("region", name=words("participants.title"), exact=True)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_participants_are_added_and_removed_and_an_agent_follows(desk, language, scheme):
    words = Words(language)
    bo = member(desk, "Bo" if language == "en" else "Beate")
    name = bo.fetch("/api/session")["agent"]["name"]
    page, _, conversation = open_conversation(desk, words, f"Who looks after this? {language}", scheme=scheme)
    box = people(page, words)
    box.get_by_role("button", name=words("participants.add"), exact=True).click()
    menu = page.get_by_role("dialog", name=words("participants.find"))
    expect(menu).to_be_visible()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(box.get_by_text(name, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    thread = page.locator("desk-thread")
    expect(thread.get_by_text(words("thread.event.participantsAdded", who=words("thread.event.you"), names=name))).to_be_visible()
    box.get_by_role("button", name=words("participants.follow"), exact=True).click()
    expect(box.get_by_role("button", name=words("participants.unfollow"), exact=True)).to_have_attribute("aria-pressed", "true")
    expect(box.get_by_text(words("participants.here", here=1, count=2))).to_be_visible()
    expect(thread.get_by_text(words("thread.event.follows", who=words("thread.event.you")))).to_be_visible()
    # A colleague who opens it is counted as here.
    theirs = console(desk, Words("en"), f"/c/{conversation}", session=bo)
    expect(theirs.locator("desk-thread")).to_contain_text("Who looks after this?")
    expect(box.get_by_text(words("participants.here", here=2, count=2))).to_be_visible()
    desk.shot(page, f"participants-{language}")
    assert_accessible(page)
    box.get_by_role("button", name=words("participants.remove", name=name), exact=True).click()
    expect(thread.get_by_text(words("thread.event.participantsRemoved", who=words("thread.event.you"), names=name))).to_be_visible()
    found = desk.owner.fetch(f"/api/conversations/{conversation}")
    assert [one["id"] for one in found["participants"]] == []
    assert len(found["watchers"]) == 1


def test_a_team_is_mentioned_and_each_of_its_members_finds_the_note(desk):
    words = Words("en")
    business = live_business(desk)["id"]
    cy = member(desk, "Cy")
    team = desk.owner.post(f"/api/businesses/{business}/teams", {
        "name": "Night", "colour": "#336699", "members": [cy.member]}, 201)
    page, _, conversation = open_conversation(desk, words, "Who is there at night?")
    page.keyboard.press("n")
    note = page.get_by_label(words("console.noteLabel"), exact=True)
    expect(note).to_be_focused()
    page.keyboard.type("Please look, @Nig")
    option = page.get_by_role("option", name="Night")
    expect(option).to_be_visible()
    desk.shot(page, "mention-team")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    thread = page.locator("desk-thread")
    expect(thread.locator(".mention", has_text="@Night")).to_be_visible()
    listed = cy.fetch(f"/api/conversations?filter=mentions&state=any&business={business}")
    assert [one["id"] for one in listed["data"]] == [conversation]
    assert listed["counts"]["mentions"] == 1
    assert [one["id"] for one in desk.owner.fetch(f"/api/conversations/{conversation}")["participants"]][-1] == cy.member
    desk.owner.call("PATCH", f"/api/businesses/{business}/teams/{team['id']}", {"retired": True})


def test_an_agent_chooses_of_which_changes_to_be_notified(desk):
    words = Words("en")
    dee = member(desk, "Dee")
    page = console(desk, words, "/settings/me", session=dee)
    handed = page.get_by_role("checkbox", name=words("console.notices.handed"), exact=True)
    expect(handed).to_be_checked()
    expect(page.get_by_role("checkbox", name=words("console.notices.closed"), exact=True)).not_to_be_checked()
    desk.shot(page, "settings-notices-changes")
    assert_accessible(page)
