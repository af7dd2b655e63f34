"""A server whose people sign in at an identity provider, and a browser's way there and back."""

import pathlib
import urllib.parse

import pytest
import requests
from support.identity import CLIENT, SECRET, IdentityProvider
from support.server import PASSWORD, Installation, Session

NAME = "Example account"


def flags(provider, folder, *more):
    """The flags that name a provider."""
    secret = pathlib.Path(folder) / "secret"
    secret.write_text(SECRET + "\n")
    return ["--sso-issuer", provider.issuer, "--sso-client", CLIENT, "--sso-secret-file", str(secret), "--sso-name", NAME, *more]


class Company:
    """A server whose people sign in at a provider."""

    def __init__(self, folder, *more):
        self.provider = IdentityProvider()
        # Everybody here has one address, and signs in often.
        self.server = Installation(*flags(
            self.provider, folder, "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000", *more))
        self.server.start()
        self.owner = self.server.make_owner()
        self.business = self.owner.fetch("/api/businesses")["data"][0]["id"]

    def close(self):
        """Ends both."""
        self.server.stop()
        self.server.scratch.cleanup()
        self.provider.close()

    def invite(self, email, role="agent"):
        """The token of a new invitation."""
        made = self.owner.post(f"/api/businesses/{self.business}/members", {"email": email, "role": role}, 201)
        return made["invitationUrl"].rsplit("=", 1)[-1]

    def join(self, email, name="Ben"):
        """An account with a password; the session that it began."""
        session = Session(self.server)
        session.post("/api/invitations/accept", {"token": self.invite(email), "name": name, "password": PASSWORD}, 201)
        return session

    def person(self, sub, email, **more):
        """Who signs in at the provider from now on."""
        self.provider.person = {"sub": sub, "email": email, "email_verified": True, "name": "Ben at work", **more}


def step(session, url):
    """One request of a browser that follows no redirect; the provider sees no cookie and no header of ours."""
    return session.get(url, allow_redirects=False, timeout=60)


def at_provider(session, company, page="/console"):
    """From the console to the provider, and the address that it sends the browser back to."""
    begun = step(session, f"{company.server.url}/sso/start?return={urllib.parse.quote(page, safe='')}")
    assert begun.status_code == 302, begun.text
    assert begun.headers["Location"].startswith(f"{company.provider.issuer}/authorize?"), begun.headers["Location"]
    return step(requests, begun.headers["Location"]).headers["Location"]


def sign_in(session, company, page="/console"):
    """The whole way; returns where the browser lands."""
    back = step(session, at_provider(session, company, page))
    assert back.status_code == 302, back.text
    return back.headers["Location"]


def email_of(session):
    """Whose session it is; None without one."""
    answer = session.get(session.server.url + "/api/session", timeout=20)
    return answer.json()["agent"]["email"] if answer.status_code == 200 else None


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    """A server with passwords and a provider."""
    made = Company(tmp_path_factory.mktemp("sso"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def whole(request):
    """Each test begins with a provider that does all as it should."""
    if "company" in request.fixturenames:
        provider = request.getfixturevalue("company").provider
        provider.claims, provider.sign, provider.instead, provider.keys[:] = {}, None, {}, provider.keys[:1]
        provider.methods = ["client_secret_basic", "client_secret_post"]


@pytest.fixture
def own(tmp_path):
    """A server and a provider of one test, which knows nothing yet."""
    made = Company(tmp_path)
    made.person("sub-ada", "ada@example.com")
    yield made
    made.close()
