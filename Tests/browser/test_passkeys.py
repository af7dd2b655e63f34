"""Passkeys in a real browser, with the browser's own authenticator: adding, signing in, removing."""

import contextlib
import time

import pytest
from conftest import Desk
from looks import assert_accessible
from pages import console, live_business
from playwright.sync_api import expect
from support.authenticator import App
from support.server import PASSWORD, Installation, Session
from support.words import Words


@pytest.fixture(scope="module")
def installed(running):
    """A server that is reached as localhost, where passkeys work without TLS, and a browser."""
    with Installation(
            "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000") as server:
        browser = running.browser.browser_type.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        made = Desk(server, browser)
        made.phone_url = f"http://localhost:{server.port}"
        yield made
        browser.close()


@pytest.fixture
def desk(installed):
    """That server with no page open."""
    yield installed
    faults = installed.close()
    assert not faults, faults


def join(desk, name, business=None):
    """A member with an account; the session that it began."""
    business = business or live_business(desk)["id"]
    session = Session(desk.server)
    session.email = f"{name.lower()}@example.com"
    made = desk.owner.post(f"/api/businesses/{business}/members", {"email": session.email, "role": "agent"}, 201)
    session.post("/api/invitations/accept", {
        "token": made["invitationUrl"].split("#invite=")[1], "name": name, "password": PASSWORD}, 201)
    return session


class Authenticator:
    """The authenticator of a page: with a screen lock, whose person is there."""

    def __init__(self, desk, page, verifies=True):
        # It would be there for the next test's page too.
        desk.forget(page)
        self.line = page.context.new_cdp_session(page)
        self.line.send("WebAuthn.enable", {"enableUI": False})
        self.id = self.line.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": verifies, "automaticPresenceSimulation": True}})["authenticatorId"]

    def keys(self):
        """The passkeys in it."""
        return self.line.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def put(self, key):
        """Gives it a passkey of another one."""
        self.line.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": key})


def sign_in_page(desk, key, offers=False, **look):
    """The sign-in page in another window, whose authenticator has a passkey. It would choose by itself what is offered at the field."""
    page = desk.page(**look)
    if not offers:
        page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false;")
    page.goto(f"{desk.phone_url}/console")
    Authenticator(desk, page).put(key)
    return page


@contextlib.contextmanager
def signed_in(desk, name, language, **look):
    """The own settings of a new member."""
    words = Words(language)
    session = join(desk, name)
    page = console(desk, words, "/settings/me", session=session, **look)
    yield words, session, page, page.locator("passkey-settings")


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_person_adds_a_passkey_by_keyboard_and_signs_in_with_it_alone(desk, language, scheme, phone):
    with signed_in(desk, f"Ada-{language}", language, scheme=scheme, phone=phone) as (words, session, page, part):
        device = Authenticator(desk, page)
        expect(part.get_by_role("heading", name=words("passkeys.title"))).to_be_visible()
        add = part.get_by_role("button", name=words("passkeys.add"), exact=True)
        add.press("Enter")
        name = part.get_by_label(words("passkeys.name"), exact=True)
        expect(name).to_be_focused()
        expect(name).to_have_value("Linux")
        assert_accessible(page)
        desk.shot(page, f"passkey-add-{language}")
        page.keyboard.type("Desk phone")
        part.get_by_label(words("console.password"), exact=True).fill("not the password at all")
        page.keyboard.press("Enter")
        expect(part.get_by_role("alert")).to_have_text(words("secondFactor.wrongPassword"))
        expect(part.get_by_label(words("console.password"), exact=True)).to_be_focused()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        expect(part.get_by_role("listitem")).to_contain_text("Desk phone")
        expect(part.get_by_role("listitem")).to_contain_text(words("passkeys.unused"))
        expect(add).to_be_focused()
        assert_accessible(page)
        part.scroll_into_view_if_needed()
        desk.shot(page, f"passkeys-{language}")
        (key,) = device.keys()

        other = sign_in_page(desk, key, language=language, scheme=scheme, phone=phone)
        button = other.get_by_role("button", name=words("passkeys.signIn"), exact=True)
        expect(button).to_be_visible()
        assert_accessible(other)
        desk.shot(other, f"passkey-sign-in-{language}")
        button.press("Enter")
        expect(other.locator("desk-workspace")).to_be_visible()
        page.reload()
        expect(part.get_by_role("listitem")).not_to_contain_text(words("passkeys.unused"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_passkey_that_was_removed_is_refused_and_the_password_goes_on(desk, language):
    with signed_in(desk, f"Ben-{language}", language) as (words, session, page, part):
        device = Authenticator(desk, page)
        part.get_by_role("button", name=words("passkeys.add"), exact=True).click()
        part.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        (key,) = [part.get_by_role("listitem").wait_for(), device.keys()][1]
        # The same authenticator makes no second one.
        part.get_by_role("button", name=words("passkeys.add"), exact=True).click()
        part.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(part.get_by_role("alert")).to_have_text(words("passkeys.known"))
        part.get_by_role("button", name=words("shared.cancel"), exact=True).click()
        part.get_by_role("button", name=words("passkeys.remove.label", name="Linux")).click()
        question = page.get_by_role("dialog")
        expect(question).to_have_accessible_name(words("passkeys.remove.question", name="Linux"))
        question.get_by_role("button", name=words("passkeys.remove"), exact=True).click()
        expect(part.get_by_role("listitem")).to_have_count(0)
        expect(part.get_by_role("button", name=words("passkeys.add"), exact=True)).to_be_focused()

        other = sign_in_page(desk, key, language=language)
        other.get_by_role("button", name=words("passkeys.signIn"), exact=True).click()
        expect(other.locator("sign-in-form").get_by_role("alert")).to_have_text(words("passkeys.refused"))
        other.get_by_label(words("console.email")).fill(session.email)
        other.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
        other.keyboard.press("Enter")
        expect(other.locator("desk-workspace")).to_be_visible()
        other.faults.clear()  # The browser itself says that a request was refused.


def test_a_passkey_that_is_chosen_at_the_field_of_the_address_signs_in(desk):
    with signed_in(desk, "Dee", "en") as (words, session, page, part):
        device = Authenticator(desk, page)
        part.get_by_role("button", name=words("passkeys.add"), exact=True).click()
        part.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        part.get_by_role("listitem").wait_for()
        other = sign_in_page(desk, device.keys()[0], offers=True)
        expect(other.locator("desk-workspace")).to_be_visible()


# What asks for a passkey: offers at the field stand until they are ended, and a question is cancelled at once.
ASKED = """
PublicKeyCredential.isConditionalMediationAvailable = async () => true;
window.asked = [];
navigator.credentials.get = ({ mediation, signal }) => new Promise((done, fail) => {
  asked.push(mediation ?? "question");
  signal.addEventListener("abort", () => fail(signal.reason));
  if (!mediation) fail(new DOMException("", "NotAllowedError"));
});
"""


def expect_asked(page, *kinds):
    """Waits until the browser was asked so; it has no time of its own where the page has a clock."""
    deadline = time.monotonic() + 10
    while page.evaluate("asked") != list(kinds):
        assert time.monotonic() < deadline, page.evaluate("asked")
        page.wait_for_timeout(20)


def test_an_offer_that_a_device_slept_through_is_made_anew_also_in_a_browser_that_joins_no_signals(desk):
    page = desk.page()
    page.add_init_script("delete AbortSignal.any;" + ASKED)
    page.clock.install()
    page.goto(f"{desk.phone_url}/console")
    expect_asked(page, "conditional")
    page.clock.fast_forward(3_600_000)
    expect_asked(page, "conditional", "conditional")
    # A device that wakes has no network yet.
    page.context.set_offline(True)
    with page.expect_event("requestfailed"):
        page.clock.fast_forward(3_600_000)
    page.context.set_offline(False)
    page.wait_for_timeout(100)
    page.clock.fast_forward(10_000)
    expect_asked(page, *["conditional"] * 3)
    expect(page.locator("sign-in-form .fd-error")).to_have_text("")
    page.faults.clear()  # The browser itself says that it was offline.


def test_after_a_cancelled_question_passkeys_are_offered_at_the_field_again(desk):
    page = desk.page()
    page.add_init_script(ASKED)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator("sign-in-form")).to_be_visible()
    expect_asked(page, "conditional")
    page.get_by_role("button", name=Words("en")("passkeys.signIn"), exact=True).click()
    expect_asked(page, "conditional", "question", "conditional")
    expect(page.locator("sign-in-form").get_by_role("alert")).to_have_text(Words("en")("passkeys.cancelled"))


def test_a_passkey_of_another_account_with_the_same_address_shows_that_account(desk):
    words = Words("en")
    first = join(desk, "Gil")
    device = console(desk, words, "/settings/me", session=first)
    keys = Authenticator(desk, device)
    part = device.locator("passkey-settings")
    part.get_by_role("button", name=words("passkeys.add"), exact=True).click()
    part.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    device.keyboard.press("Enter")
    part.get_by_role("listitem").wait_for()
    (key,) = keys.keys()
    # A separate account of the address, which has a passkey too and signs in by its password.
    second, other = Session(desk.server), "seven green lanterns in a row"
    shop = desk.owner.post("/api/businesses", {"name": "Shop", "colour": "#336699", "mode": "test"}, 201)["id"]
    made = desk.owner.post(f"/api/businesses/{shop}/members", {"email": first.email, "role": "agent"}, 201)
    second.post("/api/invitations/accept", {
        "token": made["invitationUrl"].split("#invite=")[1], "name": "Second", "password": other, "separate": True}, 201)
    page = console(desk, words, "/settings/me", session=second)
    Authenticator(desk, page).put(key)
    # As where a business is closed to it. The page may ask again as it is left, when no answer can be fetched any more.
    closed = {"host": "localhost", "passwordNeeded": True, "codeNeeded": False, "passkeyNeeded": True, "passkeys": []}
    page.route("**/api/session/passkeys", lambda route: route.fulfill(json=closed))
    page.reload()
    button = page.locator("passkey-settings").get_by_role("button", name=words("passkeys.signIn"), exact=True)
    expect(button).to_be_visible()
    with page.expect_event("load"):
        button.click()
    expect(page.locator("account-settings")).to_contain_text("Gil")


def guarded_business(desk, name):
    """A business whose members need a second factor or a passkey; its owner has one."""
    made = desk.owner.post("/api/businesses", {"name": name, "colour": "#336699", "mode": "test"}, expect=201)["id"]
    if not desk.owner.fetch("/api/session/second-factor")["isActive"]:
        app = App(desk.owner.post("/api/session/second-factor", {"password": PASSWORD}, 201)["secret"])
        desk.owner.post("/api/session/second-factor/confirmation", {"code": app.code()})
    desk.owner.call("PATCH", f"/api/businesses/{made}", {"requiresSecondFactor": True})
    return made


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_passkey_opens_a_business_that_requires_a_second_factor_and_the_password_alone_does_not(desk, language, scheme, phone):
    words = Words(language)
    session = join(desk, f"Fay-{language}", guarded_business(desk, f"Vault {language}"))
    page = desk.page(language=language, scheme=scheme, phone=phone, session=session)
    device = Authenticator(desk, page)
    page.goto(f"{desk.phone_url}/console")
    part = page.locator("passkey-settings")
    expect(page.get_by_role("heading", name=words("console.account.waiting"), exact=True)).to_be_visible()
    part.get_by_role("button", name=words("passkeys.add"), exact=True).click()
    assert_accessible(page)
    desk.shot(page, f"passkey-waiting-{language}")
    part.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("desk-workspace")).to_be_visible()
    # Another browser of the person's, which signs in by the password.
    other = sign_in_page(desk, device.keys()[0], language=language, scheme=scheme, phone=phone)
    other.get_by_label(words("console.email")).fill(session.email)
    other.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
    other.keyboard.press("Enter")
    expect(other.locator("passkey-settings")).to_contain_text(words("passkeys.first"))
    expect(other.locator("second-factor-settings").get_by_role("button")).to_have_count(0)
    assert_accessible(other)
    desk.shot(other, f"passkey-waiting-again-{language}")
    other.locator("passkey-settings").get_by_role("button", name=words("passkeys.signIn"), exact=True).press("Enter")
    expect(other.locator("desk-workspace")).to_be_visible()


def test_a_device_without_a_screen_lock_says_so_and_a_cancelled_question_too(desk):
    with signed_in(desk, "Cai", "en") as (words, session, page, part):
        Authenticator(desk, page, verifies=False)
        part.get_by_role("button", name=words("passkeys.add"), exact=True).click()
        part.get_by_label(words("console.password"), exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(part.get_by_role("alert")).to_have_text(words("passkeys.cancelled"))
        # The form is there still, with what was typed.
        expect(part.get_by_label(words("console.password"), exact=True)).to_have_value(PASSWORD)


def test_where_no_passkey_works_nothing_is_offered_and_the_settings_say_why(running):
    words = Words("en")
    page = console(running, words, "/settings/me")
    try:
        part = page.locator("passkey-settings")
        expect(part).to_contain_text(words("passkeys.hindrance.host"))
        expect(part.get_by_role("button")).to_have_count(0)
        other = running.page()
        other.goto(f"{running.phone_url}/console")
        expect(other.get_by_label(words("console.email"))).to_be_visible()
        expect(other.get_by_role("button", name=words("passkeys.signIn"))).to_have_count(0)
    finally:
        faults = running.close()
    assert not faults, faults
