"""Sign-in as an independent provider does it: the token of version 1 is opened, the code of version 2 used."""

import base64
import json
import os
import urllib.parse
import uuid

import pytest
import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")
PAGE = "https://shop.example/signed-in"


def request(version="1.0", **oauth2):
    """A request to sign in."""
    state = base64.b64encode(os.urandom(24)).decode()
    return {"type": "interactive", "interactiveData": {
        "bid": BID, "data": {
            "version": version, "requestIdentifier": str(uuid.uuid4()), "images": [],
            "authenticate": {"oauth2": {
                "responseType": "code", "scope": ["name", "email"], "state": state, **oauth2}}},
        "receivedMessage": {"title": "Sign in to the shop"},
        "replyMessage": {"title": "You have signed in"}}}


def point(key):
    """The base64 of a key's uncompressed public point."""
    raw = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.b64encode(raw).decode()


def opened(token, key):
    """An encrypted token, decrypted as the protocol page says: ECDH, X9.63, AES-GCM with an IV of 16 bytes."""
    raw = base64.b64decode(token)
    one_time, encrypted = raw[:97], raw[97:]
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP384R1(), one_time)
    agreed = key.exchange(ec.ECDH(), public)
    both = X963KDF(algorithm=hashes.SHA256(), length=48, sharedinfo=one_time).derive(agreed)
    return AESGCM(both[:32]).decrypt(both[32:], encrypted, None).decode()


def answer_of(provider):
    """The next answer's part, and its whole data."""
    data = provider.next("interactive")["interactiveData"]["data"]
    return data["authenticate"], data


def ask(provider, customer, content):
    """Sends a request to sign in; returns it."""
    return provider.send(customer.name, content, path="/authenticate")[0]


def user(provider, token, expect=200):
    """The person to whom the OAuth provider resolves an access token."""
    answer = requests.get(provider.base.removesuffix("/v1") + "/oauth/userinfo", timeout=20,
                          headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == expect, answer.text
    return answer.json()


def test_the_token_of_version_1_is_decrypted_and_names_the_customer(server, owner, provider, customer):
    """The device announces AUTH; the reply carries a token for the request's key alone."""
    assert {"AUTH", "AUTH2"} <= set(
        provider.posts[-1].headers["capability-list"].split(","))
    key = ec.generate_private_key(ec.SECP384R1())
    sent = ask(provider, customer, request(
        responseEncryptionKey=point(key), clientSecret="hush-hush"))
    asked = customer.fetch(f"/api/phone/{customer.business}/sign-ins/{sent['id']}")
    assert asked["version"] == 1 and asked["problems"] == []
    taken = customer.choose(sent["id"], signIn={"outcome": "granted", "name": "Ana Grün"})
    assert "redirect" not in taken
    reply, data = answer_of(provider)
    assert reply["status"] == "authenticated" and "errors" not in reply
    assert data["requestIdentifier"] \
        == sent["interactiveData"]["data"]["requestIdentifier"]
    token = opened(reply["token"], key)
    assert user(provider, token)["name"] == "Ana Grün"
    user(provider, token + "x", expect=401)
    with pytest.raises(Exception):
        opened(reply["token"], ec.generate_private_key(ec.SECP384R1()))
    customer.choose(sent["id"], expect=422, signIn={"outcome": "granted"})

    log = json.dumps(owner.fetch(f"/api/businesses/{provider.business}/gateway/exchanges")["data"])
    for secret in (reply["token"], token, "hush-hush"):
        assert secret not in log and secret not in server.log_text()
    assert "***" in log


@pytest.mark.parametrize("outcome,code,domain", [
    ("refused", 0, "com.apple.icloud.messages.business.authentication.error"),
    ("failed", 0, "com.apple.icloud.messages.business.internalAuthentication"),
    ("canceled", 1, "com.apple.AuthenticationServices.WebAuthenticationSession"),
])
def test_every_other_outcome_is_sent_with_its_error(provider, customer, outcome, code, domain):
    """And the customer may try again afterwards."""
    key = ec.generate_private_key(ec.SECP384R1())
    sent = ask(provider, customer, request(responseEncryptionKey=point(key)))
    customer.choose(sent["id"], signIn={"outcome": outcome})
    reply, data = answer_of(provider)
    assert reply["status"] == "failed" and "token" not in reply
    assert [(one["code"], one["domain"]) for one in reply["errors"]] == [(code, domain)]
    assert data["replyMessage"] == {
        "title": "Authentication Failed", "alternateTitle": "Authentication Failed",
        "style": "icon"}
    customer.choose(sent["id"], signIn={"outcome": "granted"})
    assert answer_of(provider)[0]["status"] == "authenticated"


def test_a_key_that_is_no_point_fails_as_on_a_device(provider, customer):
    """97 bytes that begin with 04 pass the rules of the message, and no cipher."""
    bad = base64.b64encode(b"\x04" + b"k" * 96).decode()
    sent = ask(provider, customer, request(responseEncryptionKey=bad))
    asked = customer.fetch(f"/api/phone/{customer.business}/sign-ins/{sent['id']}")
    assert asked["problems"] == ["key_not_a_point"]
    customer.choose(sent["id"], signIn={"outcome": "granted"})
    [error] = answer_of(provider)[0]["errors"]
    assert error == {"code": 2, "domain": "com.apple.icloud.messages.business.cryptor",
                     "message": "Failed creating key"}


def exchange(provider, **form):
    """Exchanges a code for its access token at the token endpoint, as the business's page does."""
    form = {"grant_type": "authorization_code", "redirect_uri": PAGE,
            "client_id": provider.business, "client_secret": provider.secret, **form}
    return requests.post(
        provider.base.removesuffix("/v1") + "/oauth/token", data=form, timeout=20)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_the_code_of_version_2_reaches_the_businesss_page_and_is_used_once(
        server, owner, provider, customer, version):
    """`redirectURI` makes it version 2, whatever `data.version` says."""
    sent = ask(provider, customer, request(version, redirectURI=PAGE))
    taken = customer.choose(sent["id"], signIn={"outcome": "granted", "name": "Ana"})
    reply, _ = answer_of(provider)
    assert reply == {"status": "authenticated"}
    page, _, query = taken["redirect"].partition("?")
    values = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
    oauth2 = sent["interactiveData"]["data"]["authenticate"]["oauth2"]
    assert page == PAGE and values["state"] == oauth2["state"]
    for wrong in ({"client_secret": "AAAA"}, {"redirect_uri": PAGE + "/"}, {"code": "x"}):
        answer = exchange(provider, **{"code": values["code"], **wrong})
        assert answer.status_code in (400, 401) and answer.json()["error"].startswith("invalid_")
    answer = exchange(provider, code=values["code"])
    assert answer.status_code == 200 and answer.json()["token_type"] == "Bearer"
    assert answer.json()["scope"] == "name email"
    token = answer.json()["access_token"]
    assert user(provider, token)["name"] == "Ana"
    assert exchange(provider, code=values["code"]).json()["error"] == "invalid_grant"
    log = json.dumps(owner.fetch(f"/api/businesses/{provider.business}/gateway/exchanges")["data"])
    for secret in (values["code"], token, provider.secret,
                   urllib.parse.quote_plus(provider.secret)):
        assert secret not in log and secret not in server.log_text()


@pytest.mark.parametrize("outcome,error", [("refused", "access_denied"), ("failed", "server_error")])
def test_the_page_of_version_2_gets_the_error(provider, customer, outcome, error):
    """RFC 6749 4.1.2.1; only the reply reports a customer who closes the page."""
    sent = ask(provider, customer, request("2.0", redirectURI=PAGE + "?shop=7"))
    taken = customer.choose(sent["id"], signIn={"outcome": outcome})
    assert taken["redirect"].startswith(f"{PAGE}?shop=7&error={error}&state=")
    assert answer_of(provider)[0]["status"] == "failed"
    assert "redirect" not in customer.choose(sent["id"], signIn={"outcome": "canceled"})
    assert answer_of(provider)[0]["status"] == "failed"


def test_a_customer_never_reads_the_client_secret_of_a_request(provider, customer):
    """Neither in the list nor by itself nor in the answer; the provider's own bytes are kept."""
    key = ec.generate_private_key(ec.SECP384R1())
    sent = ask(provider, customer, request(
        responseEncryptionKey=point(key), clientSecret="hush-hush"))
    answered = customer.choose(sent["id"], signIn={"outcome": "granted"})
    token = answer_of(provider)[0]["token"]
    path = f"/api/phone/{customer.business}/messages"
    shown = customer.fetch(path)["data"]
    asked = next(one for one in shown if one["id"] == sent["id"])
    oauth2 = asked["payload"]["interactiveData"]["data"]["authenticate"]["oauth2"]
    assert sorted(oauth2) == ["responseEncryptionKey", "responseType", "scope", "state"]
    for seen in (shown, customer.fetch(f"{path}/{sent['id']}"), answered):
        text = json.dumps(seen)
        assert "hush-hush" not in text and token not in text


def test_version_2_is_tried_without_tls_at_a_page_on_loopback(provider, customer):
    """In a test business, and on loopback only."""
    page = "http://127.0.0.1:9/signed-in"
    sent = ask(provider, customer, request("2.0", redirectURI=page))
    taken = customer.choose(sent["id"], signIn={"outcome": "granted", "name": "Ana"})
    assert taken["redirect"].startswith(f"{page}?code=")
    assert answer_of(provider)[0] == {"status": "authenticated"}
    elsewhere = ask(provider, customer, request("2.0", redirectURI="http://shop.example/in"))
    asked = customer.fetch(f"/api/phone/{customer.business}/sign-ins/{elsewhere['id']}")
    assert asked["problems"] == ["redirect_not_usable"]
