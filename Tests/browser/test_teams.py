"""Teams on screen: made in the settings, given conversations beside their assignees, listed in the navigation."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_labels import LOOKS, ready
from test_settings import member


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_owner_makes_a_team_and_chooses_its_members(desk, language, scheme, phone):
    words = Words(language)
    bo = member(desk, f"Bo-team-{language}")
    name = f"Repairs {language}"
    page = console(desk, words, "/settings/teams", scheme=scheme, phone=phone)
    expect(page.locator("#teams-business")).to_have_value(live_business(desk)["id"])
    panel = page.locator("teams-panel")
    panel.get_by_label(words("items.name"), exact=True).fill(name)
    panel.get_by_role("button", name=words("teams.create"), exact=True).click()
    panel.get_by_role("button", name=words("teams.membersOf", name=name, words=words("teams.choose", count=0)), exact=True).press("Enter")
    search = page.get_by_role("combobox", name=words("teams.find", name=name), exact=True)
    search.fill(f"Bo-team-{language}")
    search.press("Enter")
    expect(page.get_by_role("option", name=f"Bo-team-{language}")).to_have_attribute("aria-checked", "true")
    search.fill("Ada")
    search.press("Enter")
    expect(page.get_by_role("option", name="Ada")).to_have_attribute("aria-checked", "true")
    desk.shot(page, f"teams-members-{language}-{scheme}")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(panel.get_by_role("button", name=words("teams.membersOf", name=name, words=words("teams.choose", count=2)), exact=True)).to_be_focused()
    stored = next(one for one in desk.owner.fetch(f"/api/businesses/{live_business(desk)['id']}/teams")["data"] if one["name"] == name)
    assert bo.member in stored["members"] and len(stored["members"]) == 2
    desk.shot(page, f"teams-settings-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    agent = console(desk, words, "/settings/teams", session=bo)
    expect(agent.locator("teams-panel li", has_text=name)).to_contain_text(f"Bo-team-{language}")
    expect(agent.locator("teams-panel :is(button, input)")).to_have_count(0)
    panel.get_by_role("button", name=words("items.retireOf", name=name), exact=True).click()
    expect(panel.get_by_role("button", name=words("items.restoreOf", name=name), exact=True)).to_be_visible()


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_conversation_is_given_to_a_team_and_listed_under_it(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Two teams {language}"}, expect=201)
    teams = {name: desk.owner.post(f"/api/businesses/{shop['id']}/teams", {"name": f"{name} {language}", "colour": colour}, expect=201)["id"]
             for name, colour in [("Bench", "#f76b15"), ("Sales", "#46a758")]}
    conversation = Customer(desk.server, shop["id"]).say("Who will help me?")["message"]["conversation"]
    page = ready(console(desk, words, f"/c/{conversation}", scheme=scheme, phone=phone))
    expect(page.locator("desk-thread").get_by_text("Who will help me?")).to_be_visible()
    colleague = ready(console(desk, words))
    page.locator("conversation-head .assignee").click()
    desk.shot(page, f"teams-menu-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("menuitemradio", name=f"Bench {language}").press("Enter")
    expect(page.locator("desk-thread").get_by_text(
        words("thread.event.teamSet", who=words("thread.event.you"), team=f"Bench {language}"))).to_be_visible()
    view = colleague.locator("inbox-nav").get_by_role("button", name=re.compile(f"^Bench {language}"))
    expect(view.locator(".nav-number")).to_have_text("1")
    view.click()
    expect(colleague.get_by_role("heading", level=1)).to_have_text(f"Bench {language}")
    expect(colleague).to_have_url(f"{desk.phone_url}/console?team={teams['Bench']}")
    expect(colleague.locator("conversation-list a.row")).to_have_count(1)
    colleague.reload()
    expect(colleague.locator("conversation-list a.row")).to_have_count(1)
    # It is undone by the toast, and leaves the team's list.
    page.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(colleague.locator("conversation-list a.row")).to_have_count(0)
    expect(page.locator("desk-thread").get_by_text(words("thread.event.noTeam", who=words("thread.event.you")))).to_be_visible()
