"""Who is there: chosen in the profile menu, away by itself, seen by colleagues in menus and in the list of members."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_labels import LOOKS, ready


def own(page):
    """The button with the own face."""
    return page.locator("profile-menu .profile-button")


def choose(page, words, state):
    """Chooses by keyboard in the profile menu."""
    own(page).press("Enter")
    choice = page.locator("profile-menu").get_by_role("button", name=re.compile(f"^{re.escape(words(f'presence.{state}'))}"))
    choice.press("Enter")
    expect(choice).to_have_attribute("aria-pressed", "true")
    expect(choice).to_be_focused()


def said(words, state, count):
    """What the roster says of a member."""
    return words("presence.with", state=words(f"presence.{state}"), open=words("presence.open", count=count))


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_colleagues_see_in_the_assign_menu_who_is_there_and_with_how_many_conversations(desk, language, scheme, phone):
    words = Words(language)
    bo = member(desk, f"Bo-there-{language}")
    shop = live_business(desk)["id"]
    asked, other = [Customer(desk.server, shop).say(text)["message"]["conversation"] for text in ("Who is there?", "And now?")]
    page = ready(console(desk, words, f"/c/{asked}", scheme=scheme, phone=phone))
    expect(page.locator("desk-thread").get_by_text("Who is there?")).to_be_visible()
    page.keyboard.press("Shift+A")
    row = page.get_by_role("menuitemradio", name=f"Bo-there-{language}")
    expect(row).to_contain_text(said(words, "offline", 0))
    colleague = ready(console(desk, words, "", session=bo, scheme=scheme, phone=phone))
    expect(own(colleague)).to_have_attribute("aria-label", words("presence.ofName", name=f"Bo-there-{language}", state=words("presence.online")))
    expect(row).to_contain_text(said(words, "online", 0))
    choose(colleague, words, "busy")
    desk.shot(colleague, f"availability-menu-{language}-{scheme}")
    assert_accessible(colleague)
    colleague.keyboard.press("Escape")
    desk.shot(colleague, f"availability-own-{language}-{scheme}")
    expect(row).to_contain_text(said(words, "busy", 0))
    desk.owner.call("PATCH", f"/api/conversations/{other}", {"assignee": bo.member})
    expect(row).to_contain_text(said(words, "busy", 1))
    desk.shot(page, f"availability-roster-{language}-{scheme}")
    assert_accessible(page)
    # To others invisible is offline; to oneself it is what was chosen, after a reload too.
    choose(colleague, words, "invisible")
    expect(row).to_contain_text(said(words, "offline", 1))
    colleague.reload()
    expect(own(colleague)).to_have_attribute("aria-label", words("presence.ofName", name=f"Bo-there-{language}", state=words("presence.invisible")))
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_the_choice_of_one_page_is_that_of_the_agents_other_pages(desk):
    words = Words("en")
    bo = member(desk, "Bo-twice")
    first, second = [ready(console(desk, words, session=bo)) for _ in range(2)]
    choose(first, words, "away")
    expect(own(second)).to_have_attribute("aria-label", words("presence.ofName", name="Bo-twice", state=words("presence.away")))
    # By the palette too, without the menu.
    first.keyboard.press("Control+k")
    first.get_by_role("combobox", name=words("console.palette")).fill(f"{words('presence.title')} {words('presence.busy')}")
    expect(first.get_by_role("option")).to_have_count(1)
    first.keyboard.press("Enter")
    expect(own(second)).to_have_attribute("aria-label", words("presence.ofName", name="Bo-twice", state=words("presence.busy")))
    choose(first, words, "away")
    expect(own(second)).to_have_attribute("aria-label", words("presence.ofName", name="Bo-twice", state=words("presence.away")))
    second.route("**/api/session/availability", lambda route: route.fulfill(status=429, content_type="application/problem+json", json={
        "type": "/docs/problems/rate_limited", "title": "Too many requests", "status": 429, "code": "rate_limited", "detail": "Later."}))
    own(second).click()
    second.locator("profile-menu").get_by_role("button", name=words("presence.busy")).click()
    expect(second.locator(".fd-toast")).to_contain_text("Later.")
    expect(own(second)).to_have_attribute("aria-label", words("presence.ofName", name="Bo-twice", state=words("presence.away")))


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_agent_who_uses_no_key_for_a_while_is_away_and_back_by_the_next_one(desk, language, scheme, phone):
    words = Words(language)
    name = f"Bo-idle-{language}"
    bo = member(desk, name)
    conversation = Customer(desk.server, live_business(desk)["id"]).say("Are you still there?")["message"]["conversation"]
    page = ready(console(desk, words, "/settings/members", scheme=scheme, phone=phone))
    row = page.locator("members-panel tbody tr", has=page.get_by_text(name, exact=True))
    expect(row.locator("agent-presence")).to_have_text(said(words, "offline", 0))
    away = desk.page(language=language, session=bo)
    away.clock.install()
    away.goto(f"{desk.phone_url}/console/c/{conversation}")
    expect(away.locator("desk-thread").get_by_text("Are you still there?")).to_be_visible()
    expect(row.locator("agent-presence")).to_have_text(said(words, "online", 0))
    watching = ready(console(desk, words, f"/c/{conversation}"))
    face = watching.locator("conversation-head .view-faces .face")
    expect(face).to_have_attribute("aria-label", words("console.looking", name=name))
    away.clock.fast_forward("05:01")
    expect(own(away)).to_have_attribute("aria-label", words("presence.ofName", name=name, state=words("presence.away")))
    expect(row.locator("agent-presence")).to_have_text(said(words, "away", 0))
    expect(face).to_have_attribute("aria-label", words("presence.idleHere", name=name))
    desk.shot(watching, f"availability-idle-{language}-{scheme}")
    desk.shot(page, f"availability-members-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    away.keyboard.press("Shift")
    expect(row.locator("agent-presence")).to_have_text(said(words, "online", 0))
    expect(face).to_have_attribute("aria-label", words("console.looking", name=name))


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_the_navigation_lists_the_colleagues_who_are_there_or_have_conversations(desk, language, scheme, phone):
    words = Words(language)
    name = f"Bo-listed-{language}"
    bo = member(desk, name)
    given = Customer(desk.server, live_business(desk)["id"]).say("Bo, please")["message"]["conversation"]
    page = ready(console(desk, words, scheme=scheme, phone=phone))
    row = page.locator(f"inbox-nav [data-of=assignees][data-id='{bo.member}']")
    expect(row).to_have_count(0)
    colleague = ready(console(desk, words, session=bo))
    expect(row).to_have_accessible_name(f"{name} {words('presence.online')}")
    # An agent is not among their own colleagues.
    expect(colleague.locator(f"inbox-nav [data-of=assignees][data-id='{bo.member}']")).to_have_count(0)
    desk.owner.call("PATCH", f"/api/conversations/{given}", {"assignee": bo.member})
    expect(row).to_have_accessible_name(f"{name} {words('presence.online')} 1")
    choose(colleague, words, "away")
    expect(row).to_have_accessible_name(f"{name} {words('presence.away')} 1")
    row.press("Enter")
    expect(page).to_have_url(f"{desk.phone_url}/console?assignee={bo.member}")
    expect(page.locator("conversation-list a.row")).to_have_count(1)
    expect(row).to_have_attribute("aria-current", "page")
    expect(row).to_be_focused()
    desk.shot(page, f"availability-navigation-{language}-{scheme}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    colleague.keyboard.press("Escape")
    # One who is not there any more stays while there is work of theirs.
    choose(colleague, words, "invisible")
    expect(row).to_have_accessible_name(f"{name} {words('presence.offline')} 1")
    inbox_view(page, words, "all").click()
    desk.owner.call("PATCH", f"/api/conversations/{given}", {"assignee": None})
    expect(row).to_have_count(0)
