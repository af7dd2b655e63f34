"""A server whose people sign in at a provider with SAML, and a browser's way there and back."""

import urllib.parse

import requests
from support import saml
from support.company import NAME, step
from support.saml import build
from support.server import PASSWORD, Installation, Session


class Company:
    """A server whose people sign in at a provider with SAML."""

    def __init__(self, folder, *more):
        self.provider = saml.SAMLProvider(folder)
        self.server = Installation(
            "--saml-metadata", str(self.provider.metadata), "--sso-domain", "example.com", "--sso-name", NAME,
            "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000", *more)
        self.server.start()
        self.owner = self.server.make_owner()
        self.business = self.owner.fetch("/api/businesses")["data"][0]["id"]
        self.provider.learn(requests.get(self.server.url + "/sso/metadata", timeout=20).text)

    def close(self):
        """Ends both."""
        self.server.stop()
        self.server.scratch.cleanup()
        self.provider.close()

    def join(self, email, name="Ben"):
        """An account with a password; the session that it began."""
        made = self.owner.post(f"/api/businesses/{self.business}/members", {"email": email, "role": "agent"}, 201)
        session = Session(self.server)
        session.post("/api/invitations/accept", {"token": made["invitationUrl"].rsplit("=", 1)[-1], "name": name, "password": PASSWORD}, 201)
        return session

    def form(self, page):
        """The fields that the provider's page has a browser post."""
        fields = {}
        for piece in page.text.split('<input type="hidden" name="')[1:]:
            name, _, rest = piece.partition('" value="')
            fields[name] = rest.partition('"')[0]
        return fields

    def at_provider(self, session, page="/console"):
        """From the console to the provider; what its page has the browser post."""
        begun = step(session, f"{self.server.url}/sso/start?return={urllib.parse.quote(page, safe='')}")
        assert begun.status_code == 302, begun.text
        return self.form(step(requests, begun.headers["Location"]))

    def post(self, fields):
        """What a browser does with the provider's form: another site's page, so that no cookie comes along."""
        return requests.post(f"{self.server.url}/sso/acs", data=fields, headers={"Origin": self.provider.url}, allow_redirects=False, timeout=30)

    def sign_in(self, session, page="/console"):
        """The whole way; where the browser lands."""
        answer = self.post(self.at_provider(session, page))
        assert answer.status_code == 303, answer.text
        place = answer.headers["Location"]
        if place.startswith("/sso/callback?"):
            place = step(session, self.server.url + place).headers["Location"]
        return place


def answered(company, session=None, **more):
    """Where a browser lands with a response that was made by hand."""
    company.provider.respond = lambda request: build(company.provider, company.server.url, request, **more)
    return company.sign_in(session or Session(company.server))
