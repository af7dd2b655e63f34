"""Single sign-on by SAML 2.0 with pysaml2 as the provider: who gets in, and which responses let no person in."""

import base64
import random
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zlib

import pytest
import requests
from support import saml
from support.company import email_of, step
from support.saml import Signer, build, moment
from support.saml_company import Company, answered
from support.server import Session


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    """A server with passwords and a provider with SAML."""
    made = Company(tmp_path_factory.mktemp("saml"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def whole(company):
    """Each test begins with a provider that does all as it should."""
    company.provider.respond = None


def person(company, subject, email, name="Ben at work", **more):
    """Who signs in at the provider from now on."""
    company.provider.person = {"subject": subject, "email": email, "name": name, **more}


@pytest.mark.parametrize("signed", ["assertion", "response", "both"])
def test_a_person_signs_in_and_is_known_by_the_subject_afterwards(company, signed):
    email = f"ben-{signed}@example.com"
    session = company.join(email)
    how = {"sign_assertion": signed != "response", "sign_response": signed != "assertion"}
    person(company, f"u-{signed}", email.title(), **how)
    assert company.sign_in(session, "/console/settings/me") == "/console/settings/me"
    assert email_of(session) == email
    identity = session.fetch("/api/session/identities")["identities"][0]
    assert (identity["issuer"], identity["subject"]) == (f"saml:{company.provider.entity}", f"u-{signed}")
    # The same person under another address of the company.
    person(company, f"u-{signed}", f"benjamin-{signed}@example.com", **how)
    again = Session(company.server)
    assert company.sign_in(again) == "/console" and email_of(again) == email


def test_an_invitation_is_accepted_at_the_provider_with_the_name_that_it_has(company):
    made = company.owner.post(f"/api/businesses/{company.business}/members", {"email": "eve@example.com", "role": "agent"}, 201)
    session = Session(company.server)
    person(company, "u-eve", "eve@example.com", "Eve Example")
    url = session.post("/api/session/sso", {"return": "/console", "invitation": made["invitationUrl"].rsplit("=", 1)[-1]})["url"]
    answer = company.post(company.form(step(requests, url)))
    assert step(session, company.server.url + answer.headers["Location"]).headers["Location"] == "/console"
    who = session.fetch("/api/session")["agent"]
    assert (who["name"], who["email"]) == ("Eve Example", "eve@example.com")


def test_people_of_other_domains_and_unknown_people_read_a_word_for_it(company):
    for subject, email, reason in [
            ("u-1", "mallory@elsewhere.example", "domain"), ("u-2", "nobody-here@example.com", "unknown"), ("u-3", "", "unverified"),
            ("u-4", "no address", "unverified"), ("u-5", "a@b@example.com", "unverified")]:
        person(company, subject, email)
        session = Session(company.server)
        assert company.sign_in(session) == f"/console#sso={reason}", email
        assert email_of(session) is None


def test_the_request_is_one_that_pysaml2_accepts_and_says_no_more_than_it_must(company):
    session = Session(company.server)
    begun = step(session, f"{company.server.url}/sso/start")
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(begun.headers["Location"]).query))
    assert query["tenant"] == "1" and len(query["RelayState"]) <= 80
    root = ElementTree.fromstring(zlib.decompress(base64.b64decode(query["SAMLRequest"]), -15))
    assert root.tag == f"{{{saml.P}}}AuthnRequest" and root.get("AssertionConsumerServiceURL") == f"{company.server.url}/sso/acs"
    assert root.find(f"{{{saml.A}}}Issuer").text == f"{company.server.url}/sso/metadata"
    metadata = requests.get(f"{company.server.url}/sso/metadata", timeout=20)
    assert metadata.headers["Content-Type"] == "application/samlmetadata+xml" and metadata.status_code == 200


@pytest.fixture(scope="module")
def ada(company):
    """A person with an account, who was linked by a good response."""
    company.join("ida@example.com", "Ida")
    person(company, "u-1", "ida@example.com")
    return company


GOOD = {
    "an assertion that is signed": {}, "a response that is signed": {"signs": "response"}, "both": {"signs": "both"},
    "a clock 50 seconds ahead": {"begin": lambda: moment(50)}, "a clock 50 seconds behind": {"end": lambda: moment(-50), "confirmed": lambda: moment(-50)},
    "SHA-512": {"signature": {"method": saml.RSA_SHA256.replace("256", "512"), "digest": "http://www.w3.org/2001/04/xmlenc#sha512"}},
    "SHA-384": {"signature": {"method": saml.RSA_SHA256.replace("256", "384"), "digest": "http://www.w3.org/2001/04/xmldsig-more#sha384"}},
    "prefixes that are written although nothing uses them": {"signature": {"inclusive": "xs saml"}},
    "a condition that it is used once": {"conditions": "<saml:OneTimeUse/>"},
    "several audiences": {"conditions": lambda: None},
}


@pytest.mark.parametrize("case", GOOD)
def test_what_providers_do_differently_is_accepted(ada, case):
    more = {name: value() if callable(value) else value for name, value in GOOD[case].items()}
    if case == "several audiences":
        more = {"audience": f"https://other.example</saml:Audience><saml:Audience>{ada.server.url}/sso/metadata"}
    session = Session(ada.server)
    assert answered(ada, session, **more) == "/console", ada.server.log_text()[-600:]
    assert email_of(session) == "ida@example.com"


# What is wrong, and the word of the log for it.
WRONG = [
    ("no signature", "unsigned", {"signs": "none"}),
    ("another provider", "issuer", {"issuer": "https://other.example/metadata"}),
    ("another server's audience", "audience", {"audience": "https://other.example/metadata"}),
    ("no audience", "audience", {"audience": ""}),
    ("another server's address", "destination", {"destination": "https://other.example/sso/acs"}),
    ("another recipient", "confirmation", {"recipient": "https://other.example/sso/acs"}),
    ("another request", "in_response_to", {"answers": "_another"}),
    ("no request", "unsolicited", {"answers": ""}),
    ("a confirmation with a key", "confirmation", {"method": "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"}),
    ("an end long ago", "expired", {"end": lambda: moment(-61)}),
    ("a confirmation that has ended", "expired", {"confirmed": lambda: moment(-61)}),
    ("a begin in the future", "too_early", {"begin": lambda: moment(90)}),
    ("an end that is no time", "expired", {"end": "soon"}),
    ("a condition that nothing here knows", "condition", {"conditions": '<saml:Condition xmlns:x="urn:x" x:type="y"/>'}),
    ("no authentication", "authentication", {"authentication": ""}),
    ("a session that has ended", "expired", {"authentication": lambda: f'<saml:AuthnStatement SessionNotOnOrAfter="{moment(-90)}"/>'}),
    ("a transient name", "subject", {"format": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"}),
    ("an empty name", "subject", {"subject": " "}),
    ("a name of 256 bytes", "subject", {"subject": "x" * 256}),
    ("SAML 1.1", "not_response", {"version": "1.1"}),
    ("SHA-1", "algorithm", {"signature": {"method": saml.DS + "rsa-sha1", "digest": saml.DS + "sha1"}}),
    ("a digest of SHA-1", "algorithm", {"signature": {"digest": saml.DS + "sha1"}}),
    ("the inclusive form", "signature_form", {"signature": {"canonical": "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"}}),
    ("the form with comments", "signature_form", {"signature": {"canonical": saml.EXCLUSIVE + "WithComments"}}),
    ("another transform", "signature_form", {"signature": {"transforms": (saml.ENVELOPED, "http://www.w3.org/TR/2001/REC-xml-c14n-20010315")}}),
    ("no canonical form of the assertion", "signature_form", {"signature": {"transforms": (saml.ENVELOPED,)}}),
    ("a reference to the whole document", "signature_form", {"signature": {"uri": ""}}),
    ("an assertion too many", "assertions", {"beside": f'<saml:Assertion xmlns:saml="{saml.A}" ID="a-2" Version="2.0"/>'}),
    ("an encrypted assertion", "encrypted", {"beside": f'<saml:EncryptedAssertion xmlns:saml="{saml.A}"/>'}),
]


@pytest.mark.parametrize("name, word, more", WRONG, ids=[row[0] for row in WRONG])
def test_a_response_that_is_none_to_this_sign_in_lets_no_person_in(ada, name, word, more):
    session = Session(ada.server)
    read = len(ada.server.log_text())
    assert answered(ada, session, **{key: value() if callable(value) else value for key, value in more.items()}) == "/console#sso=invalid"
    assert email_of(session) is None
    said = ada.server.log_text()[read:]
    assert f"saml {word}" in said, said
    assert "ida@" not in said


def test_who_gives_up_at_the_provider_reads_that(ada):
    inner = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode><samlp:StatusMessage/><!--'
    session = Session(ada.server)
    assert answered(ada, session, status="urn:oasis:names:tc:SAML:2.0:status:Responder") == "/console#sso=refused"
    assert "detail=saml_Responder" in ada.server.log_text()
    ada.provider.respond = lambda request: build(ada.provider, ada.server.url, request, status="urn:oasis:names:tc:SAML:2.0:status:Responder").replace(
        'status:Responder"/>', f'status:Responder">{inner}-->')
    assert ada.sign_in(session) == "/console#sso=refused" and "detail=saml_Responder_AuthnFailed" in ada.server.log_text()


def test_a_signature_by_another_key_is_none_and_one_that_the_certificate_comes_with_is_none(ada, tmp_path):
    other = Signer(tmp_path)
    for kind in ("assertion", "response"):
        assert answered(ada, signs=kind, signer=other) == "/console#sso=invalid"
    assert answered(ada, signer=Signer(tmp_path, "ec"), signature={"method": saml.ECDSA_SHA256}) == "/console#sso=invalid"

    def with_its_certificate(request):
        text = build(ada.provider, ada.server.url, request, signer=other)
        key = f"<ds:KeyInfo><ds:X509Data><ds:X509Certificate>{other.text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>"
        return text.replace("</ds:SignatureValue>", "</ds:SignatureValue>" + key)

    ada.provider.respond = with_its_certificate
    assert ada.sign_in(Session(ada.server)) == "/console#sso=invalid"
    assert "saml signature" in ada.server.log_text()


def evil(text):
    """An assertion of the attacker's own making, without a signature."""
    own = text[text.index("<saml:Assertion"):text.index("</saml:Assertion>")] + "</saml:Assertion>"
    bare = own[:own.index("<ds:Signature")] + own[own.index("</ds:Signature>") + len("</ds:Signature>"):]
    return own, bare.replace("ida@example.com", "owner@example.com").replace(">u-1<", ">u-owner<")


# The eight ways in which what is signed and what is read are parted (Somorovsky and others, USENIX Security 2012), as far as they have
# one assertion of their own, and some of later years.
WRAPPED = {
    "the forged one before the signed one": lambda text, own, bad: text.replace(own, bad + own),
    "the forged one behind the signed one": lambda text, own, bad: text.replace(own, own + bad),
    "the signed one in the forged one": lambda text, own, bad: text.replace(own, bad.replace("</saml:Assertion>", own + "</saml:Assertion>")),
    "the signed one in an Extensions": lambda text, own, bad: text.replace("<samlp:Status>", f"<samlp:Extensions>{own}</samlp:Extensions><samlp:Status>")
    .replace("</samlp:Status>" + own, "</samlp:Status>" + bad),
    "the signed one in the signature of the forged one": lambda text, own, bad: text.replace(own, with_signature(bad, own)),
    "the signature of the signed one in the forged one, with another id": lambda text, own, bad: text.replace(own, with_signature(bad, "", own).replace('ID="a-1"', 'ID="a-9"', 1)),
    "the signature of the signed one in the forged one, with its id": lambda text, own, bad: text.replace(own, with_signature(bad, "", own)),
    "a response in the response": lambda text, own, bad: text.replace(own, bad).replace("</samlp:Response>", f"<samlp:Response>{own}</samlp:Response></samlp:Response>"),
    "a comment in the address": lambda text, own, bad: text.replace("ida@example.com", "owner@example.com<!-- -->"),
    "a comment in the name": lambda text, own, bad: text.replace(">u-1<", ">u-<!-- -->1<").replace("ida@example.com", "owner@example.com"),
    "an entity": lambda text, own, bad: '<!DOCTYPE x [<!ENTITY who "owner@example.com">]>' + text.replace("ida@example.com", "&who;"),
}


def with_signature(bad, inside, own=None):
    """A forged assertion with a signature: that of the signed one, with something in an Object of it."""
    own = own or inside
    signature = own[own.index("<ds:Signature"):own.index("</ds:Signature>")] + f"<ds:Object>{inside}</ds:Object></ds:Signature>"
    place = bad.index("</saml:Issuer>") + len("</saml:Issuer>")
    return bad[:place] + signature + bad[place:]


@pytest.mark.parametrize("case", WRAPPED)
def test_what_is_beside_the_signed_assertion_says_nothing(ada, case):
    def forged(request):
        text = build(ada.provider, ada.server.url, request)
        text = text[text.index("<samlp:Response"):]
        own, bad = evil(text)
        changed = WRAPPED[case](text, own, bad)
        assert changed != text
        return changed

    ada.provider.respond = forged
    session = Session(ada.server)
    page = ada.sign_in(session)
    assert page == "/console#sso=invalid", page
    assert email_of(session) is None


def test_a_comment_that_is_in_no_signed_form_changes_nothing(ada):
    # The signature is over the form without comments: what is read is the same as what was signed.
    ada.provider.respond = lambda request: build(ada.provider, ada.server.url, request).replace("ida@example.com", "ida@exam<!-- x -->ple.com")
    session = Session(ada.server)
    assert ada.sign_in(session) == "/console" and email_of(session) == "ida@example.com", ada.server.log_text()[-500:]


def mutated(text, chance):
    """Some bytes with others in their place, cut out, or repeated."""
    place, changed = chance.randrange(len(text)), bytearray(text)
    match chance.randrange(3):
        case 0:
            changed[place] = chance.randrange(256)
        case 1:
            del changed[place:place + chance.randrange(1, 40)]
        case _:
            other = chance.randrange(len(text))
            changed[place:place] = text[other:other + chance.randrange(1, 80)]
    return bytes(changed)


def test_a_response_that_was_changed_anywhere_lets_in_its_person_or_none(ada):
    seed = random.randrange(1 << 32)
    print(f"note: responses of SAML were changed by seed {seed}")
    chance = random.Random(seed)
    ada.provider.respond = lambda request: build(ada.provider, ada.server.url, request)
    for _ in range(40):
        session = Session(ada.server)
        fields = ada.at_provider(session)
        text = base64.b64decode(fields["SAMLResponse"])
        for _ in range(10):
            answer = ada.post({**fields, "SAMLResponse": base64.b64encode(mutated(text, chance)).decode()})
            page = answer.headers["Location"]
            if page.startswith("/sso/callback?"):
                page = step(session, ada.server.url + page).headers["Location"]
            if page == "/console":
                # What no signature covers was changed.
                assert email_of(session) == "ida@example.com"
                break
            assert page in ("/console#sso=invalid", "/console#sso=refused"), page
            if page.endswith("refused"):
                break
    # What ends early.
    for length in range(1, 400, 7):
        assert ada.post({"SAMLResponse": base64.b64encode(text.rstrip()[:-length]).decode()}).headers["Location"] == "/console#sso=invalid"


def test_only_the_browser_that_began_finishes_and_once(ada):
    session = Session(ada.server)
    ada.provider.respond = lambda request: build(ada.provider, ada.server.url, request)
    fields = ada.at_provider(session)
    place = ada.server.url + ada.post(fields).headers["Location"]
    # Another browser that is given the address, and one with a sign-in of its own.
    assert step(Session(ada.server), place).headers["Location"] == "/console#sso=expired"
    other = Session(ada.server)
    ada.at_provider(other)
    assert step(other, place).headers["Location"] == "/console#sso=expired"
    sealed = session.cookies["fd_sso"]
    assert step(session, place).headers["Location"] == "/console"
    thief = Session(ada.server)
    thief.cookies.set("fd_sso", sealed)
    assert step(thief, place).headers["Location"] == "/console#sso=expired"
    # The response again, with the cookie of before: its sign-in is finished.
    again = ada.server.url + ada.post(fields).headers["Location"]
    assert step(thief, again).headers["Location"] == "/console#sso=expired" and email_of(thief) is None


def test_a_response_for_one_sign_in_does_not_finish_another(ada):
    # An attacker's own good response, with the state of the person who is to be signed in as the attacker.
    person(ada, "u-1", "ida@example.com")
    attacker, victim = Session(ada.server), Session(ada.server)
    own, state = ada.at_provider(attacker), ada.at_provider(victim)["RelayState"]
    place = ada.server.url + ada.post({**own, "RelayState": state}).headers["Location"]
    assert step(victim, place).headers["Location"] == "/console#sso=invalid" and email_of(victim) is None


@pytest.mark.parametrize("fields, status, said", [
    ({"RelayState": "x"}, 303, "/console#sso=invalid"), ({"SAMLResponse": "%%%"}, 303, "/console#sso=invalid"), ({"SAMLResponse": ""}, 303, "/console#sso=invalid"),
    ({"SAMLResponse": base64.b64encode(b"<ab>" * 75_000).decode()}, 303, "/console#sso=invalid"),
    ({"SAMLResponse": base64.b64encode(b"<a " + b" ".join(b"x%d='1'" % n for n in range(9_000)) + b"/>").decode()}, 303, "/console#sso=invalid"),
    ({"SAMLResponse": "A" * 600_000}, 413, "")], ids=["nothing", "no base64", "empty", "300,000 bytes", "9,000 attributes", "600,000 bytes"])
def test_a_form_that_is_no_response_is_refused(company, fields, status, said):
    answer = company.post(fields)
    assert (answer.status_code, answer.headers.get("Location", "")) == (status, said)


def test_what_is_no_form_is_refused(company):
    answer = requests.post(f"{company.server.url}/sso/acs", json={"SAMLResponse": "x"}, timeout=20)
    assert answer.status_code == 415 and "form" in answer.json()["detail"]


def test_the_address_of_responses_that_is_loaded_again_leads_to_the_console(company):
    again = requests.get(f"{company.server.url}/sso/acs", allow_redirects=False, timeout=20)
    assert (again.status_code, again.headers["Location"]) == (302, "/console#sso=expired")


def test_what_would_be_compared_for_long_is_not_read(company):
    # Attributes of two namespaces with long addresses: each would be compared with all others, byte by byte.
    inside = "<y" + "".join(f" x:a{n}='' z:a{n}=''" for n in range(60)) + "/>"
    spaces = "".join(f' xmlns:{name}="urn:{"x" * 60_000}{name}"' for name in "xz")
    text = (f'<samlp:Response xmlns:samlp="{saml.P}"{spaces} ID="r-1" Version="2.0">{saml.template("r-1")}'
            f'<samlp:Status><samlp:StatusCode Value="{saml.SUCCESS}"/></samlp:Status>{inside}</samlp:Response>')
    read = len(company.server.log_text())
    answer = company.post({"SAMLResponse": base64.b64encode(text.encode()).decode()})
    assert answer.headers["Location"] == "/console#sso=invalid" and "saml too_complex" in company.server.log_text()[read:]


def test_without_saml_there_is_no_such_address(server):
    for answer in (requests.get(f"{server.url}/sso/metadata", timeout=20), requests.post(f"{server.url}/sso/acs", data={"SAMLResponse": "x"}, timeout=20)):
        assert answer.status_code == 404
