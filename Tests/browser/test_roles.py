"""The console offers what the server says that a role may do, whatever the role is called."""

import re

import pytest
from looks import assert_accessible
from pages import live_business
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words


def with_permissions(page, desk, role, names):
    """Answers the session with another role in every business."""
    def answer(route):
        session = desk.owner.fetch("/api/session")
        for business in session["businesses"]:
            business |= {"role": role, "permissions": names}
        route.fulfill(json=session)
    page.route(re.compile(r"/api/session$"), answer)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_a_role_that_may_only_read_sees_the_thread_and_nothing_to_change_it(desk, language, scheme):
    words = Words(language)
    said = Customer(desk.server, live_business(desk)["id"]).say("Who may answer?")["message"]
    page = desk.page(language=language, scheme=scheme, session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "live.follow"])
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    expect(page.locator("desk-thread li.message desk-card")).to_have_count(1)
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_visible()
    expect(page.locator(".view-composer")).to_be_hidden()
    expect(page.get_by_role("button", name=words("console.close"), exact=True)).to_have_count(0)
    expect(page.locator("conversation-head .later")).to_have_count(0)
    expect(page.locator("conversation-head .assignee")).to_be_disabled()
    page.keyboard.press("n")
    expect(page.locator("note-box")).to_be_hidden()
    desk.shot(page, f"role-reads-{language}")
    assert_accessible(page)


def test_a_role_with_members_manage_invites_every_role_but_owner(desk):
    words = Words("en")
    page = desk.page(session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "members.read", "members.manage"])
    page.goto(f"{desk.phone_url}/console/settings/members")
    expect(page.get_by_role("button", name=words("console.invite"), exact=True)).to_be_visible()
    expect(page.locator("#member-role option")).to_have_text([words("console.role.agent")])
    page.goto(f"{desk.phone_url}/console/settings/keys")
    expect(page.get_by_text(words("console.onlyOwners.keys"))).to_be_visible()
    page.goto(f"{desk.phone_url}/console/settings/me")
    expect(page.locator("dl.facts")).to_contain_text(words("console.role.owner"))
