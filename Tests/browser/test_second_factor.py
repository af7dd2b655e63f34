"""The second factor in a real browser: set up, signing in with a code and a recovery code, a business that requires it."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.authenticator import App
from support.server import Session
from support.words import Words

WORDING = "seven green lanterns in a row"
FACTOR = "/api/session/second-factor"


def set_up(session):
    """Sets a second factor up over the API; the app and the recovery codes."""
    app = App(session.post(FACTOR, {"password": WORDING}, 201)["secret"])
    return app, session.post(f"{FACTOR}/confirmation", {"code": app.code()})["recoveryCodes"]


def settings_of(page):
    """The part of the settings that is about the second factor."""
    return page.locator("second-factor-settings")


def button(place, words, key):
    """A button by its text."""
    return place.get_by_role("button", name=words(key), exact=True)


def begin_sign_in(desk, words, address, **look):
    """The second step of a sign-in, on a page of its own."""
    page = desk.page(language=words.language, **look)
    page.goto(f"{desk.phone_url}/console")
    page.get_by_label(words("console.email"), exact=True).fill(address)
    page.get_by_label(words("console.password"), exact=True).fill(WORDING)
    button(page, words, "console.account.sign-in.action").click()
    expect(page.get_by_role("heading", name=words("secondFactor.signIn"), exact=True)).to_be_visible()
    return page


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_person_sets_a_second_factor_up_and_signs_in_with_it(desk, language, scheme, phone):
    words = Words(language)
    ben = member(desk, f"Ben{language}")
    page = console(desk, words, "/settings/me", session=ben, scheme=scheme, phone=phone)
    place = settings_of(page)
    button(place, words, "secondFactor.setUp").click()
    password = place.get_by_label(words("console.password"), exact=True)
    expect(password).to_be_focused()
    password.fill("not the password at all")
    password.press("Enter")
    expect(place.get_by_role("alert")).to_have_text(words("secondFactor.wrongPassword"))
    expect(password).to_be_focused()
    password.fill(WORDING)
    password.press("Enter")
    code = place.get_by_label(words("secondFactor.code.app"), exact=True)
    expect(code).to_be_focused()
    picture = place.get_by_role("img", name=words("secondFactor.qr"), exact=True)
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 100
    app = App(place.locator(".factor-secret").text_content())
    assert_accessible(page)
    desk.shot(page, f"second-factor-set-up-{language}")
    code.fill("000000")
    code.press("Enter")
    expect(place.get_by_role("alert")).to_have_text(words("secondFactor.wrong"))
    code.fill(app.code())
    code.press("Enter")
    expect(place.get_by_role("status").filter(has_text=words("secondFactor.isOn"))).to_be_focused()
    recovery = place.locator(".factor-codes li").all_text_contents()
    assert len(recovery) == 10
    assert_accessible(page)
    desk.shot(page, f"second-factor-codes-{language}")
    with page.expect_download() as download:
        place.get_by_role("link", name=words("secondFactor.download"), exact=True).click()
    kept = download.value.path().read_text(encoding="utf-8")
    assert ben.address in kept and all(one in kept for one in recovery)
    button(place, words, "secondFactor.kept").click()
    expect(place.get_by_text(words("secondFactor.left", count=10), exact=True)).to_be_visible()

    page = begin_sign_in(desk, words, ben.address, scheme=scheme, phone=phone)
    field = page.get_by_label(words("secondFactor.code.app"), exact=True)
    expect(field).to_be_focused()
    assert field.get_attribute("autocomplete") == "one-time-code" and field.get_attribute("inputmode") == "numeric"
    assert_accessible(page)
    desk.shot(page, f"second-factor-sign-in-{language}")
    field.fill("12 34")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(words("secondFactor.code.app.help"))
    field.fill("000 000")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(words("secondFactor.wrong"))
    expect(field).to_be_focused()
    shown = app.code()
    field.fill(f" {shown[:3]} {shown[3:]} ")
    field.press("Enter")
    expect(page.locator("desk-workspace")).to_be_visible()

    page = begin_sign_in(desk, words, ben.address)
    button(page, words, "secondFactor.code.app.other").click()
    field = page.get_by_label(words("secondFactor.code.recovery"), exact=True)
    expect(field).to_be_focused()
    field.fill(recovery[4].lower())
    field.press("Enter")
    expect(page.locator("desk-workspace")).to_be_visible()
    page.goto(f"{desk.phone_url}/console/settings/me")
    place = settings_of(page)
    expect(place.get_by_text(words("secondFactor.left", count=9), exact=True)).to_be_visible()
    button(place, words, "secondFactor.turnOff").click()
    place.get_by_label(words("console.password"), exact=True).fill(WORDING)
    button(place, words, "secondFactor.code.app.other").click()
    place.get_by_label(words("secondFactor.code.recovery"), exact=True).fill(recovery[0])
    button(place, words, "secondFactor.turnOff").click()
    expect(button(place, words, "secondFactor.setUp")).to_be_visible()
    assert Session(desk.server).post("/api/session", {"email": ben.address, "password": WORDING})["agent"]


def test_a_form_that_was_left_open_asks_for_the_password_that_has_come_to_be_needed(desk):
    words = Words("en")
    tom = member(desk, "Tom")
    app, recovery = set_up(tom)
    page = console(desk, words, "/settings/me", session=tom)
    place = settings_of(page)

    # What the server says within ten minutes of a sign-in of a linked account.
    early = {**tom.fetch(FACTOR), "passwordNeeded": False}
    page.route(f"**{FACTOR}", lambda route: route.fulfill(json=early))
    button(place, words, "secondFactor.turnOff").click()
    field = place.get_by_label(words("secondFactor.code.app"), exact=True)
    expect(field).to_be_focused()
    page.unroute(f"**{FACTOR}")
    field.fill(app.code())
    field.press("Enter")
    password = place.get_by_label(words("console.password"), exact=True)
    expect(password).to_be_focused()
    assert_accessible(page)
    password.fill(WORDING)
    button(place, words, "secondFactor.code.app.other").click()
    place.get_by_label(words("secondFactor.code.recovery"), exact=True).fill(recovery[0])
    button(place, words, "secondFactor.turnOff").click()
    expect(button(place, words, "secondFactor.setUp")).to_be_visible()


def test_the_way_back_leads_to_the_password(desk):
    words = Words("en")
    bob = member(desk, "Bob")
    set_up(bob)
    page = begin_sign_in(desk, words, bob.address)
    button(page, words, "secondFactor.back").click()
    expect(page.get_by_role("heading", name=words("console.account.sign-in"), exact=True)).to_be_visible()
    expect(page.get_by_label(words("console.password"), exact=True)).to_have_value("")


def test_a_link_to_a_new_password_goes_on_with_the_code(desk):
    words = Words("en")
    owner = member(desk, "Olga", role="owner")
    app, _ = set_up(owner)
    printed = desk.server.command("owner", "link", "--email", owner.address).stdout
    page = desk.page()
    link = re.search(r"invite=[\w-]+", printed).group(0)
    page.goto(f"{desk.phone_url}/console#{link}")
    page.get_by_label(words("console.password"), exact=True).fill("nine blue kettles on the wall")
    button(page, words, "console.account.password.action").click()
    field = page.get_by_label(words("secondFactor.code.app"), exact=True)
    expect(field).to_be_focused()
    field.fill(app.code())
    button(page, words, "console.account.sign-in.action").click()
    expect(page.locator("desk-workspace")).to_be_visible()


def test_an_owner_requires_one_and_a_member_without_one_sees_what_to_do(desk):
    words = Words("en")
    owner = member(desk, "Rita", role="owner")
    business = owner.post("/api/businesses", {"name": "Vault", "mode": "test"}, 201)["id"]
    made = owner.post(f"/api/businesses/{business}/members", {"email": "sam@second-factor.example.com", "role": "agent"}, 201)
    sam = Session(desk.server)
    sam.post("/api/invitations/accept", {
        "token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Sam", "password": WORDING}, 201)

    def require(page):
        page.goto(f"{desk.phone_url}/console/settings/businesses")
        page.locator(".business-card", has_text="Vault").click()
        mark = page.get_by_label(words("console.requireFactor"), exact=True)
        mark.check()
        button(page.locator("businesses-panel"), words, "shared.save").first.click()
        return mark

    page = desk.page(session=owner)
    require(page)
    expect(page.locator("businesses-panel").get_by_role("alert").filter(has_text="second factor")).to_be_visible()
    set_up(owner)
    require(page)
    expect(page.get_by_text(words("items.saved", name="Vault"), exact=True)).to_be_visible()
    page.goto(f"{desk.phone_url}/console/settings/members")
    page.get_by_label(words("console.business"), exact=True).select_option(business)
    rows = page.locator("members-panel table").first.get_by_role("row")
    expect(rows.filter(has_text="Rita")).to_contain_text(words("console.factor.on"))
    expect(rows.filter(has_text="Sam")).to_contain_text(words("console.factor.off"))
    assert_accessible(page)

    page = desk.page(session=sam)
    page.goto(f"{desk.phone_url}/console")
    expect(page.get_by_role("heading", name=words("console.account.waiting"), exact=True)).to_be_visible()
    expect(page.locator(".account-lead")).to_contain_text("Vault")
    place = settings_of(page)
    button(place, words, "secondFactor.setUp").click()
    assert_accessible(page)
    place.get_by_label(words("console.password"), exact=True).fill(WORDING)
    button(place, words, "secondFactor.continue").click()
    app = App(place.locator(".factor-secret").text_content())
    place.get_by_label(words("secondFactor.code.app"), exact=True).fill(app.code())
    button(place, words, "secondFactor.turnOn").click()
    button(place, words, "secondFactor.kept").click()
    expect(page.locator("desk-workspace")).to_be_visible()
    assert live_business(desk)
