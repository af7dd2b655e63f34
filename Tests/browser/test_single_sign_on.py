"""Single sign-on in a real browser: the provider is another site, with a page of its own."""

import json

import pytest
from conftest import Desk
from looks import assert_accessible
from pages import live_business
from playwright.sync_api import expect
from support.authenticator import App
from support.identity import CLIENT, SECRET, IdentityProvider
from support.server import PASSWORD, Installation, Session
from support.words import Words

NAME = "Example account"


def begin(running, provider, folder, *more):
    """A server whose people sign in at a provider, and a browser that reaches it under the name of another site."""
    secret = folder / "secret"
    secret.write_text(SECRET)
    server = Installation(
        "--sso-issuer", provider.issuer, "--sso-client", CLIENT, "--sso-secret-file", str(secret), "--sso-name", NAME,
        "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000", *more,
        public_url="http://phone.test")
    server.start()
    browser = running.browser.browser_type.launch(
        executable_path="/usr/bin/chromium-headless-shell",
        args=["--no-sandbox", f"--host-resolver-rules=MAP phone.test 127.0.0.1:{server.port}"])
    return server, browser


@pytest.fixture(scope="module")
def provider():
    """A provider whose page asks for a press."""
    with IdentityProvider() as one:
        one.has_page = True
        yield one


@pytest.fixture(scope="module")
def installed(running, provider, tmp_path_factory):
    """A server with passwords and that provider."""
    server, browser = begin(running, provider, tmp_path_factory.mktemp("sso"))
    yield Desk(server, browser)
    browser.close()
    server.stop()
    server.scratch.cleanup()


@pytest.fixture
def desk(installed, provider):
    """That server with no page open, and a provider that does all as it should."""
    provider.claims, provider.instead = {}, {}
    yield installed
    faults = installed.close()
    assert not faults, faults


def person(provider, sub, email, name):
    """Who signs in at the provider from now on."""
    provider.person = {"sub": sub, "email": email, "email_verified": True, "name": name}


def invite(desk, email):
    """The token of a new invitation."""
    made = desk.owner.post(f"/api/businesses/{live_business(desk)['id']}/members", {"email": email, "role": "agent"}, 201)
    return made["invitationUrl"].rsplit("=", 1)[-1]


def go(page, words, who):
    """From the sign-in page over the provider's page, whose link is pressed, and back."""
    page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True).click()
    expect(page.get_by_role("heading", name=NAME, exact=True)).to_be_visible()
    page.get_by_role("link", name=f"Sign in as {who}", exact=True).click()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_person_signs_in_sees_the_link_and_signs_out(desk, provider, language):
    words = Words(language)
    email = f"ben-{language}@example.com"
    Session(desk.server).post("/api/invitations/accept", {"token": invite(desk, email), "name": "Ben", "password": PASSWORD}, 201)
    person(provider, f"ben-{language}", email, "Ben at work")
    page = desk.page(language=language)
    page.goto(f"{desk.phone_url}/console/settings/me")
    expect(page.get_by_label(words("console.password"), exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True)).to_be_visible()
    assert_accessible(page)
    desk.shot(page, f"sso-sign-in-{language}")
    go(page, words, "Ben at work")
    # The page that was wanted, with the link to the provider on it.
    expect(page.get_by_role("heading", name=words("console.sso.identity"), exact=True)).to_be_visible()
    assert page.url == f"{desk.phone_url}/console/settings/me"
    expect(page.locator("linked-identities")).to_contain_text(provider.issuer)
    assert_accessible(page)
    # The session is in the browser: it is there after the page is loaded again.
    page.reload()
    expect(page.locator("linked-identities")).to_contain_text(provider.issuer)
    page.evaluate("document.querySelector('desk-workspace').signOut()")
    expect(page.get_by_role("link", name=words("console.sso.signOut", name=NAME), exact=True)).to_have_attribute(
        "href", f"{provider.issuer}/end?client_id=front%2Fdesk%2B1&post_logout_redirect_uri=http%3A%2F%2Fphone.test%2Fconsole")
    assert_accessible(page)
    page.get_by_role("link", name=words("console.sso.signOut", name=NAME), exact=True).click()
    expect(page.get_by_role("heading", name="Signed out there")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_person_who_is_unknown_reads_what_to_do(desk, provider, language):
    words = Words(language)
    person(provider, "zoe", "zoe@example.com", "Zoe")
    page = desk.page(language=language)
    page.goto(f"{desk.phone_url}/console")
    go(page, words, "Zoe")
    expect(page.get_by_role("alert")).to_have_text(words("console.sso.unknown"))
    assert page.url == f"{desk.phone_url}/console"
    assert_accessible(page)
    desk.shot(page, f"sso-unknown-{language}")
    # Who goes back at the provider reads that, and may try again.
    page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True).click()
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(words("console.sso.refused", name=NAME))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_invitation_is_accepted_at_the_provider(desk, provider, language):
    words = Words(language)
    email = f"eve-{language}@example.com"
    person(provider, f"eve-{language}", email, "Eve Example")
    page = desk.page(language=language)
    page.goto(f"{desk.phone_url}/console#invite={invite(desk, email)}")
    expect(page.get_by_role("heading", name=words("console.account.invite"), exact=True)).to_be_visible()
    # Both ways are named, not the password alone.
    expect(page.get_by_text(words("console.sso.invite.leadOr", business=live_business(desk)["name"], email=email, name=NAME), exact=True)).to_be_visible()
    go(page, words, "Eve Example")
    expect(page.locator("desk-workspace")).to_be_visible()
    # Eve has no password, and sets a second factor up without one.
    page.goto(f"{desk.phone_url}/console/settings/me")
    place = page.locator("second-factor-settings")
    press = lambda key: place.get_by_role("button", name=words(key), exact=True).click()  # noqa: E731
    press("secondFactor.setUp")
    code = place.get_by_label(words("secondFactor.code.app"), exact=True)
    expect(code).to_be_focused()
    expect(place.get_by_label(words("console.password"), exact=True)).to_have_count(0)
    code.fill(App(place.locator(".factor-secret").text_content()).code())
    press("secondFactor.turnOn")
    recovery = place.locator(".factor-codes li").first.text_content()
    press("secondFactor.kept")
    press("secondFactor.turnOff")
    expect(place.get_by_label(words("console.password"), exact=True)).to_have_count(0)
    press("secondFactor.code.app.other")
    place.get_by_label(words("secondFactor.code.recovery"), exact=True).fill(recovery)
    press("secondFactor.turnOff")
    expect(place.get_by_role("status")).to_have_text(words("secondFactor.turnOff.done"))


def test_who_has_no_password_reads_what_to_do_once_the_sign_in_is_a_while_ago(desk, provider):
    words = Words("en")
    person(provider, "ivy", "ivy@example.com", "Ivy Example")
    page = desk.page()
    page.goto(f"{desk.phone_url}/console#invite={invite(desk, 'ivy@example.com')}")
    go(page, words, "Ivy Example")
    expect(page.locator("desk-workspace")).to_be_visible()
    page.route("**/api/session/second-factor", lambda route: route.fulfill(
        json={"isActive": False, "since": None, "recoveryCodesLeft": 0, "passwordNeeded": True, "passkeyNeeded": False}))
    page.goto(f"{desk.phone_url}/console/settings/me")
    place = page.locator("second-factor-settings")
    place.get_by_role("button", name=words("secondFactor.setUp"), exact=True).click()
    expect(place.get_by_label(words("console.password"), exact=True)).to_be_focused()
    expect(place.get_by_text(words("secondFactor.password.none"))).to_be_visible()
    assert_accessible(page)
    desk.shot(page, "sso-password-none")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_long_name_of_the_provider_fits_on_a_phone(desk, language):
    words = Words(language)
    page = desk.page(language=language, phone=True)
    # As long as --sso-name may be.
    name = "Account of the whole company and friends " + "w" * 19
    known = {"provider": {"name": name, "isOnly": False, "signOutUrl": None}, "passwordLinks": False, "passkeys": None}
    # Its answer is none that can be accepted, now or in a moment.
    broken = {"type": "/docs/problems/unavailable", "title": "Not available", "status": 503, "code": "unavailable", "detail": "It is not."}
    page.route("**/api/session/sso", lambda route: route.fulfill(json=known) if route.request.method == "GET"
               else route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(broken)))
    page.goto(f"{desk.phone_url}/console#sso=unreachable")
    button = page.get_by_role("button", name=words("console.sso.action", name=name), exact=True)
    expect(page.get_by_role("alert")).to_have_text(words("console.sso.unreachableOr", name=name))
    button.click()
    expect(page.get_by_role("alert")).to_have_text(words("console.sso.invalid", name=name))
    page.faults[:] = [fault for fault in page.faults if "503" not in fault]
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert_accessible(page)
    desk.shot(page, f"sso-long-name-{language}")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_provider_that_is_down_leaves_the_password(running, tmp_path, language):
    words = Words(language)
    provider = IdentityProvider()
    server, browser = begin(running, provider, tmp_path)
    try:
        desk = Desk(server, browser)
        provider.close()
        page = desk.page(language=language)
        page.goto(f"{desk.phone_url}/console")
        page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True).click()
        expect(page.get_by_role("alert")).to_have_text(words("console.sso.unreachableOr", name=NAME))
        page.get_by_label(words("console.email")).fill("ada@example.com")
        page.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
        page.get_by_role("button", name=words("console.account.sign-in.action"), exact=True).click()
        expect(page.locator("desk-workspace")).to_be_visible()
        # What the browser itself logs of the answer 503 is no fault of the page.
        page.faults[:] = [fault for fault in page.faults if "503" not in fault]
        assert not desk.close()
    finally:
        browser.close()
        server.stop()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_with_the_provider_alone_no_password_is_asked_for(running, tmp_path, language):
    words = Words(language)
    with IdentityProvider() as provider:
        provider.has_page = True
        server, browser = begin(running, provider, tmp_path, "--sso-only")
        try:
            desk = Desk(server, browser)
            person(provider, "ada", "ada@example.com", "Ada at work")
            page = desk.page(language=language)
            # A browser that the account was signed in with: from any other, the first sign-in there ends the owner's sessions.
            page.context.add_cookies([{"name": one.name, "value": one.value, "url": desk.phone_url, "httpOnly": True, "sameSite": "Strict"}
                                      for one in desk.owner.cookies if "device" in one.name])
            page.goto(f"{desk.phone_url}/console")
            button = page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True)
            expect(button).to_be_focused()
            expect(page.locator("input")).to_have_count(0)
            assert_accessible(page)
            desk.shot(page, f"sso-only-{language}")
            go(page, words, "Ada at work")
            expect(page.locator("desk-workspace")).to_be_visible()
            assert not desk.close()
        finally:
            browser.close()
            server.stop()
