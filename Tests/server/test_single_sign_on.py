"""Single sign-on against an identity provider of another make: who gets in, who does not, and by which answers."""

import base64
import json
import re
import subprocess
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import jwt
import pytest
import requests
from support.authenticator import App
from support.binary import BINARY, ROOT
from support.company import NAME, Company, at_provider, company, email_of, sign_in, step, whole  # noqa: F401
from support.identity import SECRET
from support.server import PASSWORD, Installation, Session


def test_the_page_knows_of_the_provider_and_nothing_is_asked_of_it(company):
    asked = len(company.provider.asked)
    found = Session(company.server).fetch("/api/session/sso")["provider"]
    assert (found["name"], found["isOnly"]) == (NAME, False)
    assert len(company.provider.asked) == asked


def test_a_person_with_an_account_signs_in_and_is_known_by_the_subject_afterwards(company):
    session = company.join("ben@example.com")
    company.person("sub-ben", "Ben@Example.com")
    assert sign_in(session, company, "/console/settings/me") == "/console/settings/me"
    assert email_of(session) == "ben@example.com"
    identity = session.fetch("/api/session/identities")["identities"][0]
    assert (identity["issuer"], identity["subject"]) == (company.provider.issuer, "sub-ben")
    # Another address, and none that is verified: the subject is the same person.
    company.person("sub-ben", "benjamin@example.org", email_verified=False)
    again = Session(company.server)
    assert sign_in(again, company) == "/console" and email_of(again) == "ben@example.com"
    # The password goes on, since the browser was one of the account's, and the session is one as any other: it ends when its person signs out.
    Session(company.server).post("/api/session", {"email": "ben@example.com", "password": PASSWORD})
    again.call("DELETE", "/api/session", expect=204)
    assert email_of(again) is None and email_of(session) == "ben@example.com"
    # The owners of the person's business read it, and what is personal stays out of the record.
    records = company.owner.fetch(f"/api/businesses/{company.business}/audit?filter%5Bkind%5D=identity_linked")["data"]
    assert [one["subject"]["name"] for one in records] == ["Ben"], records
    linked = records[0]
    assert linked["author"]["id"] == linked["subject"]["id"] and linked["detail"] == company.provider.issuer
    assert "sub-ben" not in json.dumps(records)


def test_what_leads_to_no_account_is_said_in_a_word(company):
    company.join("cara@example.com", "Cara")
    cases = [("sub-0", "nobody-here@example.com", {}, "unknown"), ("sub-1", "cara@example.com", {"email_verified": False}, "unverified"),
             ("sub-2", "cara@example.com", {"email_verified": None}, "unverified"), ("sub-3", None, {}, "unverified"),
             ("sub-4", "no address", {}, "unverified")]
    for sub, email, more, reason in cases:
        company.person(sub, email, **more)
        session = Session(company.server)
        assert sign_in(session, company) == f"/console#sso={reason}", (sub, email)
        assert email_of(session) is None
    # The address of an account is enough once: another person with it does not get the account.
    company.person("sub-cara", "cara@example.com")
    assert sign_in(Session(company.server), company) == "/console"
    company.person("sub-heir", "cara@example.com")
    assert sign_in(Session(company.server), company) == "/console#sso=other"


def test_two_accounts_of_one_address_are_not_chosen_between(company):
    company.join("dora@example.com", "Dora")
    Session(company.server).post("/api/invitations/accept", {
        "token": second_invitation(company, "dora@example.com"), "name": "Dora", "separate": True,
        "password": "another password of dora's"}, 201)
    company.person("sub-dora", "dora@example.com")
    assert sign_in(Session(company.server), company) == "/console#sso=several"


@pytest.mark.parametrize("is_invited", [True, False])
def test_an_account_that_another_prepared_is_the_persons_alone_from_the_link_on(company, is_invited):
    email = f"kim-{is_invited}@example.com".lower()
    mallory = Session(company.server)
    mallory.post("/api/invitations/accept", {"token": second_invitation(company, email), "name": "Kim", "password": PASSWORD}, 201)
    factor = "/api/session/second-factor"
    app = App(mallory.post(factor, {"password": PASSWORD}, 201)["secret"])
    mallory.post(f"{factor}/confirmation", {"code": app.code()})
    company.person(f"sub-{email}", email, name="Kim")
    if is_invited:
        page, kim = accept(company, company.invite(email))
    else:
        kim = Session(company.server)
        page = sign_in(kim, company)
    assert page == "/console" and len(kim.fetch("/api/session")["businesses"]) == 1 + is_invited
    # Neither session, password nor second factor of who made the account is any of it now.
    assert email_of(mallory) is None
    refused = Session(company.server).post("/api/session", {"email": email, "password": PASSWORD, "code": app.code()}, 401)
    assert refused["code"] == "unauthenticated"
    assert kim.fetch(factor)["isActive"] is False
    # Once it is linked nothing ends any more.
    assert sign_in(Session(company.server), company) == "/console" and email_of(kim) == email


def second_invitation(company, email):
    """The token of an invitation to another business."""
    other = company.owner.post("/api/businesses", {"name": f"Of {email}"[:40], "mode": "test"}, 201)["id"]
    made = company.owner.post(f"/api/businesses/{other}/members", {"email": email, "role": "agent"}, 201)
    return made["invitationUrl"].rsplit("=", 1)[-1]


def accept(company, token, session=None):
    """Accepts an invitation at the provider; where the browser lands, and the session."""
    session = session or Session(company.server)
    url = session.post("/api/session/sso", {"return": "/console", "invitation": token})["url"]
    back = step(requests, url).headers["Location"]
    return step(session, back).headers["Location"], session


def test_an_invitation_is_accepted_at_the_provider_by_the_person_it_is_for(company):
    token = company.invite("eve@example.com")
    company.person("sub-mallory", "mallory@example.com")
    assert accept(company, token)[0] == "/console#sso=address"
    company.person("sub-eve", "eve@example.com", name="Eve Example")
    page, session = accept(company, token)
    assert page == "/console"
    who = session.fetch("/api/session")
    assert (who["agent"]["name"], who["agent"]["email"]) == ("Eve Example", "eve@example.com")
    assert [one["id"] for one in who["businesses"]] == [company.business]
    # It is used up; the account is linked, and no password was ever given.
    Session(company.server).post("/api/session/sso", {"invitation": token}, 401)
    assert sign_in(Session(company.server), company) == "/console"
    Session(company.server).post("/api/session", {"email": "eve@example.com", "password": PASSWORD}, 401)
    # An account that is there joins the next business with the same person.
    page, session = accept(company, second_invitation(company, "eve@example.com"))
    assert page == "/console" and len(session.fetch("/api/session")["businesses"]) == 2


def test_a_successor_with_the_same_address_gets_an_account_of_their_own(company):
    company.person("sub-old", "desk@example.com", name="Old")
    accept(company, company.invite("desk@example.com"))
    company.person("sub-new", "desk@example.com", name="New")
    assert sign_in(Session(company.server), company) == "/console#sso=other"
    page, session = accept(company, second_invitation(company, "desk@example.com"))
    assert page == "/console"
    who = session.fetch("/api/session")
    assert who["agent"]["name"] == "New" and len(who["businesses"]) == 1
    # Both have the address, and each gets the own account.
    company.person("sub-old", "desk@example.com", name="Old")
    old = Session(company.server)
    assert sign_in(old, company) == "/console" and old.fetch("/api/session")["agent"]["name"] == "Old"


def test_a_removed_member_belongs_to_no_business_and_ended_sessions_stay_ended(company):
    company.person("sub-finn", "finn@example.com", name="Finn")
    _, session = accept(company, company.invite("finn@example.com"))
    member = session.fetch("/api/session")["agent"]["id"]
    company.owner.call("DELETE", f"/api/businesses/{company.business}/members/{member}", expect=204)
    assert session.fetch("/api/session")["businesses"] == []


def test_who_has_no_password_sets_a_second_factor_up_right_after_the_sign_in(company):
    company.person("sub-gil", "gil@example.com", name="Gil")
    _, session = accept(company, company.invite("gil@example.com"))
    factor = "/api/session/second-factor"
    assert session.fetch(factor)["passwordNeeded"] is False
    app = App(session.post(factor, {}, 201)["secret"])
    recovery = session.post(f"{factor}/confirmation", {"code": app.code()})["recoveryCodes"]
    assert session.fetch(factor)["isActive"] is True
    # The provider decides what a sign-in there needs, so that this goes on without a code.
    again = Session(company.server)
    assert sign_in(again, company) == "/console" and email_of(again) == "gil@example.com"
    again.post(f"{factor}/removal", {"password": PASSWORD, "code": recovery[0]}, 403)
    again.call("POST", f"{factor}/removal", {"code": recovery[0]}, expect=204)


# The way there and back

def test_only_the_browser_that_began_finishes_and_once(company):
    company.join_hal = getattr(company, "join_hal", None) or company.join("hal@example.com", "Hal")
    company.person("sub-hal", "hal@example.com")
    session = Session(company.server)
    back = at_provider(session, company)
    assert step(Session(company.server), back).headers["Location"] == "/console#sso=expired"
    sealed = session.cookies["fd_sso"]
    first = step(session, back)
    assert first.headers["Location"] == "/console" and "fd_sso" not in session.cookies
    # A copy of the cookie finishes nothing a second time, on whichever node.
    company.provider.codes[urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0]] = {}
    thief = Session(company.server)
    thief.cookies.set("fd_sso", sealed)
    assert step(thief, back).headers["Location"] == "/console#sso=expired"
    assert email_of(thief) is None


def test_the_answer_to_an_earlier_sign_in_leaves_the_one_after_it(company):
    company.join_lea = getattr(company, "join_lea", None) or company.join("lea@example.com", "Lea")
    company.person("sub-lea", "lea@example.com")
    session = Session(company.server)
    # Two tabs, of which the second one replaced what the browser carries.
    first, second = at_provider(session, company), at_provider(session, company)
    assert step(session, first).headers["Location"] == "/console#sso=expired"
    assert step(session, second).headers["Location"] == "/console" and email_of(session) == "lea@example.com"


def test_of_many_that_finish_at_once_one_does(company):
    company.join_ida = getattr(company, "join_ida", None) or company.join("ida@example.com", "Ida")
    company.person("sub-ida", "ida@example.com")
    session = Session(company.server)
    back = at_provider(session, company)
    cookies = {"fd_sso": session.cookies["fd_sso"]}
    with ThreadPoolExecutor(8) as pool:
        pages = list(pool.map(lambda _: requests.get(
            back, cookies=cookies, allow_redirects=False, timeout=60).headers["Location"], range(8)))
    assert sorted(pages) == ["/console"] + ["/console#sso=expired"] * 7


@pytest.mark.parametrize("change, reason", [
    ({"state": "of another"}, "expired"), ({"state": None}, "expired"), ({"error": "access_denied"}, "refused"),
    ({"iss": "https://other.example"}, "invalid"), ({"code": None}, "invalid"), ({"code": "made up"}, "invalid"),
    ({"code": "c" * 5_000}, "invalid"),
])
def test_an_answer_that_is_not_the_providers_to_this_browser_signs_no_person_in(company, change, reason):
    session = Session(company.server)
    back = urllib.parse.urlsplit(at_provider(session, company))
    query = {**dict(urllib.parse.parse_qsl(back.query)), **change}
    query = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
    answer = step(session, back._replace(query=query).geturl())
    assert answer.headers["Location"] == f"/console#sso={reason}"
    assert email_of(session) is None


@pytest.mark.parametrize("page", [
    "https://other.example/", "//other.example/", "/\\other.example", "console", "", "/a\r\nSet-Cookie: a=b", "/a b", "/" + "a" * 512])
def test_nothing_but_a_page_of_this_server_is_returned_to(company, page):
    session = Session(company.server)
    answer = step(session, f"{company.server.url}/sso/start?return={urllib.parse.quote(page, safe='')}")
    assert answer.status_code == 400, answer.headers
    session.post("/api/session/sso", {"return": page}, 422)


def test_the_cookie_tells_nothing_and_is_for_this_host_alone(company):
    session = Session(company.server)
    answer = step(session, company.server.url + "/sso/start")
    cookie = answer.headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=600"):
        assert part in cookie
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.headers["Location"]).query))
    opened = base64.urlsafe_b64decode(session.cookies["fd_sso"] + "==")
    assert asked["state"].encode() not in opened and asked["nonce"].encode() not in opened
    changed = bytearray(opened)
    changed[20] ^= 1
    session.cookies.set("fd_sso", base64.urlsafe_b64encode(bytes(changed)).decode().rstrip("="))
    back = step(requests, answer.headers["Location"]).headers["Location"]
    assert step(requests, back).headers["Location"] == "/console#sso=expired"


def test_no_secret_is_in_the_log(company):
    company.join_jon = getattr(company, "join_jon", None) or company.join("jon@example.com", "Jon")
    company.person("sub-jon", "jon@example.com")
    tokens = []
    company.provider.sign = lambda claims: tokens.append(jwt.encode(
        claims, company.provider.keys[0].private, algorithm="RS256", headers={"kid": "first"})) or tokens[-1]
    session = Session(company.server)
    back = at_provider(session, company)
    sealed = session.cookies["fd_sso"]
    assert step(session, back).headers["Location"] == "/console"
    log = company.server.log_text()
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))
    for secret in (*tokens[0].split("."), query["code"], query["state"], sealed, SECRET, session.cookies["fd"]):
        assert secret not in log


# How it is set up

def test_with_the_provider_alone_passwords_are_refused_but_for_the_operators_link(tmp_path):
    company = Company(tmp_path, "--sso-only", "--sso-domain", "Example.com", "--sso-domain", "example.net")
    try:
        session = Session(company.server)
        refused = session.call("POST", "/api/session", {"email": "ada@example.com", "password": PASSWORD}, 403).json()
        assert NAME in refused["detail"]
        session.post("/api/invitations/accept", {
            "token": company.invite("ben@example.com"), "name": "Ben", "password": PASSWORD}, 403)
        assert session.fetch("/api/session/sso")["provider"]["isOnly"] is True
        company.person("sub-ada", "ada@example.com")
        assert sign_in(session, company) == "/console" and email_of(session) == "ada@example.com"
        for domain, page in (("example.org", "/console#sso=domain"), ("example.net", "/console"), ("sub.example.com", "/console#sso=domain")):
            company.person("sub-ada", f"ada@{domain}")
            assert sign_in(Session(company.server), company) == page
        # The operator's link is the way in where the provider is lost; it ends the link to the person there.
        link = re.search(r"#invite=([\w-]+)", company.server.command("owner", "link").stdout).group(1)
        session = Session(company.server)
        session.post("/api/invitations/accept", {"token": link, "name": "Ada", "password": "quite another secret phrase"}, 201)
        assert email_of(session) == "ada@example.com"
        assert session.fetch("/api/session/identities")["identities"] == []
        company.person("sub-other", "ada@example.com")
        assert sign_in(Session(company.server), company) == "/console"
    finally:
        company.close()


def test_without_a_provider_there_is_none():
    with Installation() as server:
        session = Session(server)
        assert session.fetch("/api/session/sso") == {"provider": None, "passwordLinks": False, "passkeys": None}
        session.call("POST", "/api/session/sso", {}, 404)
        assert step(session, server.url + "/sso/start").status_code == 404
        assert step(session, server.url + "/sso/callback").status_code == 404


@pytest.mark.parametrize("words, sentence", [
    (["--sso-client", "a"], "--sso-client needs --sso-issuer"), (["--sso-only"], "--sso-only needs --sso-issuer"),
    (["--sso-issuer", "https://id.example"], "--sso-client is needed beside --sso-issuer"),
    (["--sso-issuer", "http://id.example", "--sso-client", "a"], "--sso-issuer is the provider's own https:// address"),
    (["--sso-issuer", "id.example", "--sso-client", "a"], "--sso-issuer is the provider's own https:// address"),
    (["--sso-issuer", "https://id.example?a=b", "--sso-client", "a"], "--sso-issuer is the provider's own https:// address"),
    (["--sso-issuer", "https://id.example", "--sso-client", "a", "--sso-domain", "@example.com"], "--sso-domain is what stands behind the @"),
    (["--sso-issuer", "https://id.example", "--sso-client", "a", "--sso-name", "n" * 61], "--sso-name takes 1 to 60 characters"),
    (["--sso-issuer", "https://id.example", "--sso-client", "a", "--sso-secret-file", "/dev/null"], "--sso-secret-file has no secret"),
])
def test_a_wrong_configuration_is_one_sentence(tmp_path, words, sentence):
    command = [str(BINARY), "serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0", *words]
    for more in ([], ["--check"]):
        done = subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and done.stderr.count(sentence) == 1, done.stderr
