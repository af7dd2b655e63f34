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
    # What a key or a menu would do is refused before it is sent.
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.method not in ("GET", "HEAD") else None)
    for key in ("e", "a", "z", "l", "p"):
        page.keyboard.press(key)
        expect(page.get_by_text(words("console.mayNotChange"))).to_be_visible()
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.locator("side-column").get_by_role("button", name=words("contact.add"), exact=True)).to_have_count(0)
    expect(page.locator("side-column .customer-menu")).to_have_count(0)
    row = page.locator(f"conversation-list [data-open='{said['conversation']}']")
    row.focus()
    page.keyboard.press("x")
    bar = page.get_by_role("region", name=words("bulk.title"), exact=True)
    expect(bar.get_by_text(words("console.mayNotChange"))).to_be_visible()
    expect(bar.get_by_role("button", name=words("bulk.assign"), exact=True)).to_be_disabled()
    assert asked == []
    desk.shot(page, f"role-reads-{language}")
    assert_accessible(page)


def test_a_role_that_may_handle_and_not_write_has_the_note_alone(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("Who may note?")["message"]
    page = desk.page(session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "conversations.handle", "live.follow"])
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    note = page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)
    expect(note).to_be_visible()
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_visible()
    expect(page.locator("desk-composer")).to_be_hidden()
    expect(page.get_by_role("button", name=words("console.reply"), exact=True)).to_have_count(0)
    page.keyboard.press("r")
    expect(note).to_be_focused()
    note.fill("Only for us")
    note.press("Control+Enter")
    expect(page.locator("desk-thread").get_by_text("Only for us")).to_be_visible()
    expect(note).to_be_visible()
    expect(page.locator("desk-composer")).to_be_hidden()
    desk.shot(page, "role-notes")
    assert_accessible(page)


def test_a_role_that_may_write_and_not_handle_has_the_answer_alone(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("Who may answer me?")["message"]
    page = desk.page(session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "messages.send", "live.follow"])
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    expect(field).to_be_visible()
    expect(page.get_by_role("button", name=words("console.writeNote"), exact=True)).to_have_count(0)
    field.fill("I do.")
    # Without the permission for drafts nothing is stored, and the line below the box says so.
    expect(page.get_by_text(words("console.draft.mayNotKeep"))).to_be_visible()
    field.press("Enter")
    expect(page.locator("desk-thread").get_by_text("I do.")).to_be_visible()
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
