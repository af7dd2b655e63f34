"""The own account in a real browser: another name, another password."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, member, refusal
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

# That of `member`, and another one.
OLD, NEW = "seven green lanterns in a row", "three quiet herons by the pond"


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_person_changes_the_own_name_and_sees_it_everywhere(desk, language, scheme, phone):
    words = Words(language)
    nia = member(desk, f"Nia-{language}")
    page = console(desk, words, "/settings/me", session=nia, scheme=scheme, phone=phone)
    account = page.locator("account-settings")
    change = account.get_by_role("button", name=words("account.name.change"), exact=True)
    change.press("Enter")
    name = account.get_by_label(words("console.name"), exact=True)
    expect(name).to_be_focused()
    expect(name).to_have_value(f"Nia-{language}")
    assert_accessible(page)
    desk.shot(page, f"account-name-{language}")
    # Nothing is a name of nothing, and Cancel leads back to the button.
    name.fill(" ")
    page.keyboard.press("Enter")
    expect(account.get_by_role("alert")).to_have_text(words("console.fillIn", label=words("console.name")))
    account.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(change).to_be_focused()
    change.press("Enter")
    name.fill("Nia Novak")
    page.keyboard.press("Enter")
    expect(account.get_by_role("definition").first).to_have_text("Nia Novak")
    expect(change).to_be_focused()
    expect(page.locator("profile-menu .profile-button")).to_have_attribute("aria-label", re.compile("Nia Novak"))
    assert_accessible(page)
    desk.shot(page, f"account-{language}")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_person_changes_the_own_password_and_goes_on_in_this_window_and_nowhere_else(desk, language):
    words = Words(language)
    oz = member(desk, f"Oz-{language}")
    page = console(desk, words, "/settings/me", session=oz)
    other = console(desk, words, "", session=oz)
    expect(other.locator("desk-workspace")).to_be_visible()
    account = page.locator("account-settings")
    account.get_by_role("button", name=words("account.password.change"), exact=True).click()
    now, following = account.get_by_label(words("account.password.now"), exact=True), account.get_by_label(words("account.password.next"), exact=True)
    expect(now).to_be_focused()
    assert_accessible(page)
    desk.shot(page, f"account-password-{language}")
    save = account.get_by_role("button", name=words("account.password.change"), exact=True)
    for typed, chosen, key, at in [
            ("not the password at all", NEW, "account.password.wrong", now), (OLD, "passwordpassword", "console.password.weak", following),
            (OLD, OLD, "account.password.same", following)]:
        now.fill(typed)
        following.fill(chosen)
        save.click()
        expect(account.get_by_role("alert")).to_have_text(words(key))
        expect(at).to_be_focused()
    now.fill(OLD)
    following.fill(NEW)
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("account.password.changed"))).to_be_visible()
    # The other window had another session of the person's.
    expect(other.locator("sign-in-form").get_by_role("alert")).to_have_text(words("console.sessionEnded"))
    other.faults.clear()  # The browser itself says that the line was refused.
    # This one goes on, with its line to the server.
    inbox_view(page, words, "unassigned").click()
    customer = Customer(desk.server, live_business(desk)["id"])
    customer.say(f"After the change {language}")
    expect(page.locator("conversation-list").get_by_text(f"After the change {language}").first).to_be_visible()
    Session(desk.server).post("/api/session", {"email": oz.address, "password": NEW})


def test_a_console_that_reads_that_its_session_has_ended_shows_the_sign_in(desk):
    words = Words("en")
    page = console(desk, words, session=member(desk, "Pam"))
    expect(page.locator("desk-workspace")).to_be_visible()
    # As on a machine whose sandbox is open to all, where the line to the server comes back without a session.
    page.route("**/api/session", lambda route: route.fulfill(**refusal(401, "unauthenticated")))
    page.evaluate("document.querySelector('desk-workspace').dispatchEvent(new CustomEvent('session-changed'))")
    expect(page.locator("sign-in-form").get_by_role("alert")).to_have_text(words("console.sessionEnded"))
