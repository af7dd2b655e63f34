"""Invitations in a real browser: a first account, an account that is there, one that never was theirs."""

import pytest
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.server import PASSWORD, Session
from support.words import Words

OWN = "a password of the person's own"


def invite(desk, owner, business, email):
    """The address of a fresh invitation's link, as the browser reaches it."""
    made = owner.post(f"/api/businesses/{business}/members", {"email": email, "role": "agent"}, 201)
    return f"{desk.phone_url}/console#{made['invitationUrl'].split('#')[1]}"


def other_business(desk, name):
    """A business of the owner's beside the first ones."""
    return desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, 201)["id"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_invitation_makes_an_account_and_the_next_one_uses_its_password(desk, language):
    words = Words(language)
    email = f"vic-{language}@example.com"
    first, second = other_business(desk, f"Kiosk {language}"), other_business(desk, f"Stall {language}")
    page = desk.page(language=language)
    page.goto(invite(desk, desk.owner, first, email))
    expect(page.get_by_role("heading", name=words("console.account.invite"), exact=True)).to_be_visible()
    expect(page.locator(".account-lead")).to_contain_text(f"Kiosk {language}")
    expect(page.get_by_label(words("console.email"))).to_have_value(email)
    assert "#" not in page.url
    assert_accessible(page)
    page.get_by_label(words("console.name")).fill("Vic")
    page.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=words("console.account.invite.action"), exact=True).click()
    expect(page.locator("desk-workspace")).to_be_visible()

    # The same address has an account now: the link says so and accepts its password.
    page = desk.page(language=language)
    page.goto(invite(desk, desk.owner, second, email))
    expect(page.locator(".account-lead")).to_contain_text(email)
    expect(page.get_by_role("button", name=words("console.account.join.other"), exact=True)).to_be_visible()
    assert_accessible(page)
    page.get_by_label(words("console.password"), exact=True).fill("not the password at all")
    page.get_by_role("button", name=words("console.account.join.action"), exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(words("console.wrongPassword"))
    page.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=words("console.account.join.action"), exact=True).click()
    expect(page.locator("desk-workspace")).to_be_visible()
    session = Session(desk.server)
    joined = session.post("/api/session", {"email": email, "password": PASSWORD})
    assert {one["id"] for one in joined["businesses"]} == {first, second}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_person_without_the_account_makes_a_separate_one(desk, language):
    words = Words(language)
    email = f"zoe-{language}@example.com"
    first, second = other_business(desk, f"Bar {language}"), other_business(desk, f"Inn {language}")
    squatter = Session(desk.server)
    made = desk.owner.post(f"/api/businesses/{first}/members", {"email": email, "role": "agent"}, 201)
    squatter.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Not Zoe", "password": PASSWORD}, 201)
    page = desk.page(language=language)
    link = invite(desk, desk.owner, second, email)
    page.goto(link)
    page.get_by_role("button", name=words("console.account.join.other"), exact=True).click()
    expect(page.get_by_role("heading", name=words("console.account.separate"), exact=True)).to_be_visible()
    assert_accessible(page)
    page.get_by_label(words("console.name")).fill("Zoe")
    page.get_by_label(words("console.password"), exact=True).fill(OWN)
    page.get_by_role("button", name=words("console.account.separate.action"), exact=True).click()
    expect(page.locator("desk-workspace")).to_be_visible()
    own = Session(desk.server).post("/api/session", {"email": email, "password": OWN})
    theirs = Session(desk.server).post("/api/session", {"email": email, "password": PASSWORD})
    assert [one["id"] for one in own["businesses"]] == [second]
    assert [one["id"] for one in theirs["businesses"]] == [first]
    # The link is used up, and says so.
    page = desk.page(language=language)
    page.goto(link)
    expect(page.get_by_role("heading", name=words("console.account.dead"), exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=words("console.account.sign-in"), exact=True)).to_be_visible()
    assert_accessible(page)


def test_a_person_removed_everywhere_sees_it_and_signs_out(desk):
    words = Words("en")
    business = other_business(desk, "Pier")
    page = desk.page()
    page.goto(invite(desk, desk.owner, business, "rex@example.com"))
    page.get_by_label(words("console.name")).fill("Rex")
    page.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=words("console.account.invite.action"), exact=True).click()
    expect(page.locator("desk-workspace")).to_be_visible()
    path = f"/api/businesses/{business}/members"
    rex = next(one for one in desk.owner.fetch(path)["data"] if one["name"] == "Rex")
    desk.owner.call("DELETE", f"{path}/{rex['id']}", expect=204)
    page.reload()
    expect(page.get_by_role("heading", name=words("console.account.outside"), exact=True)).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name=words("shared.signOut"), exact=True).click()
    expect(page.get_by_role("heading", name=words("console.account.sign-in"), exact=True)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_invitation_that_is_accepted_leaves_the_list_and_what_was_typed_stays(desk, language):
    words = Words(language)
    business, email = live_business(desk)["id"], f"una-{language}@example.com"
    page = console(desk, words, "/settings/members")
    page.get_by_label(words("console.business")).select_option(business)
    page.get_by_label(words("console.email"), exact=True).fill(email)
    page.get_by_role("button", name=words("console.invite"), exact=True).click()
    made = page.get_by_role("status").filter(has_text=words("console.invitationLead", email=email))
    # Of several invitations each link is for another person.
    expect(made).to_contain_text(email)
    link = f"{desk.phone_url}/console#{made.locator('code').text_content().split('#')[1]}"
    invited = page.get_by_role("region", name=words("console.openInvitations"), exact=True)
    expect(invited.get_by_text(email)).to_be_visible()
    typed = page.get_by_label(words("console.email"), exact=True)
    typed.fill("next@example.com")
    joining = desk.page(language=language)
    joining.goto(link)
    joining.get_by_label(words("console.name")).fill(f"Una {language}")
    joining.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    joining.get_by_role("button", name=words("console.account.invite.action"), exact=True).click()
    expect(joining.locator("desk-workspace")).to_be_visible()
    members = page.get_by_role("region", name=words("console.members"), exact=True)
    expect(members.get_by_text(email)).to_be_visible()
    expect(page.get_by_text(email)).to_have_count(1)
    expect(made).to_have_count(0)
    open_count = words("presence.with", state=words("presence.online"), open=words("presence.open", count=0))
    expect(members.get_by_role("row").filter(has_text=email)).to_contain_text(open_count)
    expect(typed).to_have_value("next@example.com")
    assert_accessible(page)
    desk.shot(page, f"invitation-accepted-{language}")


def test_a_new_link_leaves_the_invitations_in_their_places(desk):
    words = Words("en")
    business = other_business(desk, "Two at once")
    for email in ("amy@example.com", "ben@example.com"):
        invite(desk, desk.owner, business, email)
    page = console(desk, words, "/settings/members")
    page.get_by_label(words("console.business"), exact=True).select_option(business)
    emails = page.get_by_role("region", name=words("console.openInvitations"), exact=True).locator("tbody td:first-child")
    expect(emails).to_have_text(["amy@example.com", "ben@example.com"])
    for email in ("amy@example.com", "ben@example.com"):
        page.get_by_role("button", name=words("roles.invitation.againFor", email=email), exact=True).click()
        expect(page.locator(".callout").get_by_text(email)).to_be_visible()
        expect(emails).to_have_text(["amy@example.com", "ben@example.com"])


def test_the_link_of_one_invitation_stays_while_the_next_is_made_and_goes_when_it_is_withdrawn(desk):
    words = Words("en")
    business = other_business(desk, "Invited one by one")
    page = console(desk, words, "/settings/members")
    # The form is this business's once it is asked who is there.
    with page.expect_response(lambda answer: f"{business}/presence" in answer.url):
        page.get_by_label(words("console.business"), exact=True).select_option(business)
    links, email = page.locator("members-panel .callout"), page.get_by_label(words("console.email"), exact=True)
    for address in ("cal@example.com", "dee@example.com"):
        email.fill(address)
        page.get_by_role("button", name=words("console.invite"), exact=True).click()
        expect(links.first).to_contain_text(address)
        # The newest is next to be sent.
        expect(links.first.get_by_role("button", name=words("shared.copy"), exact=True)).to_be_focused()
    expect(links.locator("p")).to_have_text([words("console.invitationLead", email=one) for one in ("dee@example.com", "cal@example.com")])
    first = links.last.locator("code").inner_text()
    # A new link for the same person replaces the one that works no more.
    page.get_by_role("button", name=words("roles.invitation.againFor", email="cal@example.com"), exact=True).click()
    expect(links.locator("p")).to_have_text([words("console.invitationLead", email=one) for one in ("cal@example.com", "dee@example.com")])
    expect(links.first.locator("code")).not_to_have_text(first)
    page.get_by_role("button", name=words("console.withdrawInvitation", email="dee@example.com"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words("console.withdraw"), exact=True).click()
    expect(links.locator("p")).to_have_text([words("console.invitationLead", email="cal@example.com")])
    assert_accessible(page)
