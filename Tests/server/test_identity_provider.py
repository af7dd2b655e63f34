"""ID tokens that sign no person in, and an identity provider that changes or fails."""

import base64
import hashlib
import hmac
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import jwt
import pytest
from support.company import NAME, at_provider, company, email_of, own, sign_in, step, whole  # noqa: F401
from support.identity import CLIENT, Key
from support.server import PASSWORD, Session


# What is wrong with a token

def hs256_with_public_key(provider):
    """A token that a forger signs with what everybody has: the text of the public key."""
    def sign(claims):
        parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
                 for part in ({"alg": "HS256", "typ": "JWT", "kid": "first"}, claims)]
        code = hmac.new(provider.keys[0].pem, b".".join(parts), hashlib.sha256).digest()
        return b".".join([*parts, base64.urlsafe_b64encode(code).rstrip(b"=")]).decode()
    return sign


def unsigned(claims):
    """A token of the algorithm none."""
    return jwt.encode(claims, None, algorithm="none")


def foreign(claims):
    """A token that is signed by another key under the name of the published one."""
    return jwt.encode(claims, Key("first").private, algorithm="RS256", headers={"kid": "first"})


@pytest.mark.parametrize("claims, detail", [
    ({"nonce": "of another sign-in"}, "nonce"), ({"nonce": None}, "claim_missing"), ({"aud": "another client"}, "audience"),
    ({"aud": [CLIENT, "another client"]}, "authorized_client"), ({"azp": "another client"}, "authorized_client"),
    ({"iss": "https://other.example"}, "issuer"), ({"exp": 1_000_000_000}, "expired"), ({"iat": 4_000_000_000}, "too_early"),
    ({"iat": 1_000_000_000}, "too_old"), ({"sub": None}, "claim_missing"), ({"sub": ""}, "subject"), ({"exp": "soon"}, "claim_type"),
])
def test_a_token_with_a_wrong_claim_signs_no_person_in(company, claims, detail):
    company.join_once = getattr(company, "join_once", None) or company.join("gus@example.com", "Gus")
    company.person("sub-gus", "gus@example.com")
    company.provider.claims = claims
    session = Session(company.server)
    assert sign_in(session, company) == "/console#sso=invalid"
    assert email_of(session) is None
    assert f"id_token {detail}" in company.server.log_text()


@pytest.mark.parametrize("how, detail", [("hs256", "algorithm"), ("none", "algorithm"), ("foreign", "signature")])
def test_a_token_that_is_not_signed_by_the_published_key_signs_no_person_in(company, how, detail):
    company.person("sub-gus", "gus@example.com")
    company.provider.sign = {"hs256": hs256_with_public_key(company.provider), "none": unsigned, "foreign": foreign}[how]
    session = Session(company.server)
    assert sign_in(session, company) == "/console#sso=invalid" and email_of(session) is None
    assert f"id_token {detail}" in company.server.log_text()


# A provider that changes, or fails

@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
def test_keys_are_read_again_when_a_token_names_one_that_is_not_known(own, alg):
    assert sign_in(Session(own.server), own) == "/console"
    own.provider.keys.insert(0, Key("second", alg))
    assert sign_in(Session(own.server), own) == "/console"
    assert 2 <= own.provider.asked.count("/keys") <= 2 * own.server.node_count
    # Not for each token: one that names what does not exist costs the provider no request now.
    known = own.provider.asked.count("/keys")
    own.provider.sign = lambda claims: jwt.encode(
        claims, own.provider.keys[1].private, algorithm="RS256", headers={"kid": "made up"})
    for _ in range(3):
        assert sign_in(Session(own.server), own) == "/console#sso=invalid"
    assert own.provider.asked.count("/keys") <= known + own.server.node_count


@pytest.mark.parametrize("kid", ["first", None])
def test_a_key_that_replaces_another_under_its_name_is_read_again(own, kid):
    own.provider.keys[0].kid = kid
    assert sign_in(Session(own.server), own) == "/console"
    own.provider.keys[0] = Key(kid)
    assert sign_in(Session(own.server), own) == "/console"


def test_who_begins_waits_for_none_of_those_whom_a_slow_provider_keeps(own):
    sessions = [Session(own.server) for _ in range(17)]
    backs = [at_provider(session, own) for session in sessions]
    asked, goes_on = threading.Semaphore(0), threading.Event()

    def slow(handler):
        asked.release()
        assert goes_on.wait(30)
        own.provider.send(handler, 500, b"{}")

    own.provider.instead["/token"] = slow
    with ThreadPoolExecutor(17) as pool:
        pages = [pool.submit(step, *one) for one in zip(sessions, backs, strict=True)]
        try:
            # Sixteen of each node ask at once; a further one is refused, and does not wait.
            for _ in range(min(17, 16 * own.server.node_count)):
                assert asked.acquire(timeout=20)
            at_provider(Session(own.server), own)
        finally:
            goes_on.set()
        assert {page.result().headers["Location"] for page in pages} == {"/console#sso=unreachable"}


def test_a_secret_is_sent_as_the_provider_reads_it(own):
    own.provider.methods = ["client_secret_post"]
    assert sign_in(Session(own.server), own) == "/console"


def test_a_provider_that_is_down_is_no_obstacle_for_passwords(own):
    own.provider.close()
    session = Session(own.server)
    refused = session.call("POST", "/api/session/sso", {}, 503).json()
    assert NAME in refused["detail"]
    assert step(session, own.server.url + "/sso/start").headers["Location"] == "/console#sso=unreachable"
    session.post("/api/session", {"email": "ada@example.com", "password": PASSWORD})


def huge(handler):
    """An answer without an end."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(1 << 40))
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b" " * 65_536)
    except OSError:
        pass  # The server has read as much as it wanted.


def silent(handler):
    """No answer, and no more of the connection."""
    handler.close_connection = True


@pytest.mark.parametrize("path, instead, reason", [
    ("/token", 500, "unreachable"), ("/token", 400, "invalid"), ("/token", b"[]", "invalid"), ("/token", b"no JSON", "invalid"),
    ("/token", huge, "unreachable"), ("/token", silent, "unreachable"), ("/keys", 500, "unreachable"), ("/keys", huge, "unreachable"),
    ("/keys", b'{"keys": []}', "invalid"), ("/keys", b"{}", "unreachable"),
])
def test_a_provider_that_answers_nonsense_is_said_to_be_broken(own, path, instead, reason):
    own.provider.instead[path] = instead
    session = Session(own.server)
    assert sign_in(session, own) == f"/console#sso={reason}"
    assert email_of(session) is None


@pytest.mark.parametrize("document", [
    b"{}", b"no JSON", b'{"issuer": "http://127.0.0.1/other"}', "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_a_document_that_is_not_the_providers_is_not_used(own, document):
    if isinstance(document, str):
        document = json.dumps({**own.provider.document(), document: "javascript:alert(1)"}).encode()
    own.provider.instead["/.well-known/openid-configuration"] = document
    session = Session(own.server)
    refused = session.call("POST", "/api/session/sso", {}, 503)
    # It would be the same in a moment, and is not said to be down.
    assert "Retry-After" not in refused.headers and "not be accepted" in refused.json()["detail"]
    assert step(session, own.server.url + "/sso/start").headers["Location"] == "/console#sso=invalid"
