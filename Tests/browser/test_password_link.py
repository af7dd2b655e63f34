"""E-mails in a real browser: who forgot the password, and who is invited."""

import pytest
from conftest import Desk
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.mail import MailServer
from support.server import PASSWORD, Installation, Session
from support.words import Words

NEW = "seven green lanterns in a row"


@pytest.fixture(scope="module")
def installed(running):
    """A server that sends e-mails, and a browser that reaches it."""
    with MailServer() as mail, Installation(
            *mail.flags(), "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000",
            public_url="http://phone.test") as server:
        browser = running.browser.browser_type.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", f"--host-resolver-rules=MAP phone.test 127.0.0.1:{server.port}"])
        made = Desk(server, browser)
        made.mail = mail
        yield made
        browser.close()


@pytest.fixture
def desk(installed):
    """That server with no page open, and a mail server that accepts all."""
    installed.mail.answers, installed.mail.got = [], []
    yield installed
    faults = installed.close()
    assert not faults, faults


def join(desk, email, name):
    """An account with a password."""
    business = live_business(desk)["id"]
    made = desk.owner.post(f"/api/businesses/{business}/members", {"email": email, "role": "agent"}, 201)
    Session(desk.server).post("/api/invitations/accept", {
        "token": made["invitationUrl"].split("#invite=")[1], "name": name, "password": PASSWORD}, 201)
    desk.mail.got = []


def path_of(desk, got):
    """The address of the link of an e-mail."""
    return f"{desk.phone_url}/console#invite={got.links[0]}"


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_person_who_forgot_the_password_sets_a_new_one_by_keyboard_alone(desk, language, scheme, phone):
    words = Words(language)
    email = f"ben-{language}@example.com"
    join(desk, email, "Ben")
    page = desk.page(language=language, scheme=scheme, phone=phone)
    page.goto(f"{desk.phone_url}/console")
    page.get_by_label(words("console.email")).fill(email)
    forgot = page.get_by_role("button", name=words("console.passwordLink"), exact=True)
    forgot.focus()
    page.keyboard.press("Enter")
    # What was typed is there, and the field has the focus.
    field = page.get_by_label(words("console.email"))
    expect(field).to_be_focused()
    expect(field).to_have_value(email)
    assert_accessible(page)
    desk.shot(page, f"mail-ask-{language}")
    page.keyboard.press("Enter")
    said = page.get_by_role("status")
    expect(said).to_have_text(words("console.passwordLink.sent", email=email, minutes=30))
    expect(said).to_be_focused()
    assert_accessible(page)
    desk.shot(page, f"mail-sent-{language}")
    [got] = desk.mail.wait(1)
    assert got.to == [email] and got.mail["Content-Language"] == language
    page.get_by_role("button", name=words("console.passwordLink.back"), exact=True).click()
    expect(page.get_by_role("heading", name=words("console.account.sign-in"), exact=True)).to_be_visible()

    page.goto("about:blank")
    page.goto(path_of(desk, got))
    expect(page.get_by_role("heading", name=words("console.account.password"), exact=True)).to_be_visible()
    expect(page.get_by_label(words("console.email"))).to_have_value(email)
    page.get_by_label(words("console.password"), exact=True).fill(NEW)
    page.keyboard.press("Enter")
    expect(page.locator("desk-workspace")).to_be_visible()
    assert desk.mail.wait(2)[-1].mail["Content-Language"] == language


def test_what_is_wrong_with_the_address_is_said_at_its_field(desk):
    words = Words("en")
    page = desk.page()
    page.goto(f"{desk.phone_url}/console")
    page.get_by_role("button", name=words("console.passwordLink"), exact=True).click()
    send = page.get_by_role("button", name=words("console.passwordLink.action"), exact=True)
    for typed in ("", "ben"):
        page.get_by_label(words("console.email")).fill(typed)
        send.click()
        expect(page.get_by_role("alert")).not_to_be_empty()
        expect(page.get_by_label(words("console.email"))).to_be_focused()
    page.route("**/api/session/password-links", lambda route: route.abort("internetdisconnected"))
    page.get_by_label(words("console.email")).fill("ben@example.com")
    send.click()
    expect(page.get_by_role("alert")).to_have_text(words("shared.problem.offline"))
    expect(page.get_by_label(words("console.email"))).to_have_value("ben@example.com")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_owner_reads_whether_an_invitation_was_sent(desk, language):
    words = Words(language)
    page = console(desk, words, "/settings/members", viewport={"width": 1280, "height": 800})
    for email, answer, key in [("vic@example.com", None, "sent"), ("uma@example.com", "550 no such person", "failed")]:
        desk.mail.answers = [answer] if answer else []
        page.locator("members-panel").get_by_label(words("console.email"), exact=True).fill(email)
        page.get_by_role("button", name=words("console.invite"), exact=True).click()
        expect(page.get_by_role("status").filter(has_text=email)).to_contain_text(words(f"roles.invitationMail.{key}", email=email))
        desk.shot(page, f"mail-invite-{key}-{language}")
    assert [got.to for got in desk.mail.got] == [["vic@example.com"]]
    assert desk.mail.got[0].mail["Content-Language"] == language


def test_an_invitation_whose_link_was_lost_gets_a_new_one_and_the_former_is_of_no_use(desk):
    words = Words("en")
    business = live_business(desk)["id"]
    made = desk.owner.post(f"/api/businesses/{business}/members", {"email": "lost@example.com", "role": "supervisor"}, 201)
    page = console(desk, words, "/settings/members")
    again = page.get_by_role("button", name=words("roles.invitation.againFor", email="lost@example.com"), exact=True)
    again.press("Enter")
    shown = page.get_by_role("status").filter(has_text="lost@example.com")
    expect(shown).to_contain_text(words("roles.invitationMail.sent", email="lost@example.com"))
    expect(shown.get_by_role("button")).to_be_focused()
    expect(page.get_by_role("row").filter(has_text="lost@example.com")).to_have_count(1)
    first, second = desk.mail.wait(2)
    assert made["invitationUrl"].endswith(first.links[0]) and first.links != second.links
    other = Session(desk.server)
    other.post("/api/invitations/open", {"token": first.links[0]}, 401)
    assert other.post("/api/invitations/open", {"token": second.links[0]})["role"] == "supervisor"
