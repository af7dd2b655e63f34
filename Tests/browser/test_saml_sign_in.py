"""Single sign-on by SAML in a real browser: the provider is another site, whose page posts a form to this server."""

import pytest
import requests
from conftest import Desk
from looks import assert_accessible
from playwright.sync_api import expect
from support.saml import SAMLProvider
from support.server import PASSWORD, Installation, Session
from support.words import Words

NAME = "Example account"


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    """A provider whose page asks for a press."""
    with SAMLProvider(tmp_path_factory.mktemp("saml")) as one:
        one.has_page = True
        yield one


@pytest.fixture(scope="module")
def installed(running, provider):
    """A server of another site, whose people sign in there."""
    server = Installation("--saml-metadata", str(provider.metadata), "--sso-domain", "example.com", "--sso-name", NAME,
                          "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000", public_url="http://phone.test")
    server.start()
    browser = running.browser.browser_type.launch(
        executable_path="/usr/bin/chromium-headless-shell",
        args=["--no-sandbox", f"--host-resolver-rules=MAP phone.test 127.0.0.1:{server.port}"])
    provider.learn(requests.get(f"{server.url}/sso/metadata", timeout=20).text)
    yield Desk(server, browser)
    browser.close()
    server.stop()
    server.scratch.cleanup()


@pytest.fixture
def desk(installed):
    """That server with no page open."""
    yield installed
    faults = installed.close()
    assert not faults, faults


def join(desk, email):
    """An account with a password."""
    business = desk.owner.fetch("/api/businesses")["data"][0]["id"]
    made = desk.owner.post(f"/api/businesses/{business}/members", {"email": email, "role": "agent"}, 201)
    session = Session(desk.server)
    session.post("/api/invitations/accept", {"token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Ben", "password": PASSWORD}, 201)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_person_signs_in_at_a_provider_of_another_site(desk, provider, language):
    words = Words(language)
    email = f"ben-{language}@example.com"
    join(desk, email)
    provider.person = {"subject": f"u-{language}", "email": email, "name": "Ben at work"}
    page = desk.page(language=language)
    page.goto(f"{desk.phone_url}/console/settings/me")
    page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True).click()
    expect(page.get_by_role("heading", name="Ben at work", exact=True)).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).click()
    # Where the person wanted to go, signed in, with the link to the provider named there.
    linked = page.locator("linked-identities")
    expect(linked).to_contain_text(f"saml:{provider.entity}")
    assert page.url == f"{desk.phone_url}/console/settings/me"
    assert_accessible(page)
    desk.shot(page, f"saml-linked-{language}")
    page.reload()
    expect(linked).to_contain_text(f"saml:{provider.entity}")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_who_is_of_another_domain_reads_that_and_may_try_again(desk, provider, language):
    words = Words(language)
    provider.person = {"subject": "u-zoe", "email": "zoe@elsewhere.example", "name": "Zoe"}
    page = desk.page(language=language, phone=True)
    page.goto(f"{desk.phone_url}/console")
    page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True).click()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(words("console.sso.domain"))
    expect(page.get_by_role("button", name=words("console.sso.action", name=NAME), exact=True)).to_be_visible()
    # A response that is opened again, by going back, is of use no more.
    page.go_back()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(words("console.sso.expired"))
    desk.shot(page, f"saml-expired-{language}")
