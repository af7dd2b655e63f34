"""The signatures of webhooks as foreign libraries see them: standardwebhooks and svix v1, cryptography v1a.

The cases are those of docs/webhooks/test-vectors.json, which the Swift tests sign and verify too: what these
libraries sign our verifier accepts, and what our signer writes they accept, because it is the same bytes.
"""

import base64
import importlib.util
import json
from datetime import datetime, timezone

import pytest
import standardwebhooks.webhooks
import svix.webhooks
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from support import webhook_vectors

CASES = json.loads(webhook_vectors.FILE.read_text())["cases"]
# What the libraries do not look at and ours does: an id with a full stop, times in other writings, how many
# signatures there are.
LENIENT = {"invalid-id", "invalid-timestamp", "too-many-signatures"}


def verifies_v1a(key, case):
    """Whether cryptography finds a v1a signature of this public key; it knows nothing of times."""
    headers = case["headers"]
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{case['body']}".encode()
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
    for written in headers["webhook-signature"].split(" "):
        version, signature = written.split(",")
        try:
            public.verify(base64.b64decode(signature), content)
        except (InvalidSignature, ValueError):
            continue
        return version == "v1a"
    return False


@pytest.fixture
def library_at(monkeypatch):
    """The library with its clock at a time."""
    def at(seconds):
        class Clock(datetime):
            @classmethod
            def now(cls, tz=None):
                return datetime.fromtimestamp(seconds, tz or timezone.utc)
        monkeypatch.setattr(standardwebhooks.webhooks, "datetime", Clock)
    return at


def test_the_test_vectors_are_what_the_libraries_make():
    assert webhook_vectors.FILE.read_text() == webhook_vectors.text()


@pytest.mark.parametrize("library", [standardwebhooks.webhooks.Webhook, svix.webhooks.Webhook],
                         ids=["standardwebhooks", "svix"])
def test_the_library_accepts_and_refuses_v1_as_we_do(library, library_at):
    judged = 0
    for case in CASES:
        secrets = [key for key in case["verifiers"] if key.startswith("whsec_")]
        if not secrets or case.get("reason") in LENIENT:
            continue
        library_at(case["now"])
        accepted = False
        for secret in secrets:
            try:
                library(secret).verify(case["body"], case["headers"])
            except json.JSONDecodeError:
                accepted = True  # It parses what it has accepted, and one case has no body.
            except Exception:  # noqa: BLE001: each refusal is one, whatever the library calls it.
                continue
            else:
                accepted = True
        assert accepted == (case["verdict"] == "accepted"), case["title"]
        judged += 1
    assert judged > 25


def test_cryptography_accepts_and_refuses_v1a_as_we_do():
    judged = 0
    for case in CASES:
        keys = [key for key in case["verifiers"] if key.startswith("whpk_")]
        if not keys or case.get("reason") in {"too-old", "too-new"}:
            continue
        accepted = any(verifies_v1a(key, case) for key in keys)
        assert accepted == (case["verdict"] == "accepted"), case["title"]
        judged += 1
    assert judged > 6


# The verifiers that docs/webhooks/ offers; that in JavaScript is in Tests/web.

def page(name):
    """A file of docs/webhooks/ as a module."""
    loader = importlib.util.spec_from_file_location(name, webhook_vectors.FILE.parent / f"{name}.py")
    module = importlib.util.module_from_spec(loader)
    loader.loader.exec_module(module)
    return module


def test_the_verifier_in_python_accepts_genuine_webhooks_and_refuses_others_for_their_reason():
    kit, judged = page("verify"), 0
    for case in CASES:
        if any(key.startswith("whpk_") for key in case["verifiers"]):
            continue
        reason = None
        try:
            headers = {name.title(): value for name, value in case["headers"].items()}
            assert kit.verify(headers, case["body"].encode(), case["verifiers"], case["now"]) == case["headers"]["webhook-id"]
        except kit.Refused as refused:
            reason = str(refused)
        assert reason == case.get("reason"), case["title"]
        judged += 1
    assert judged > 30
    with pytest.raises(kit.Refused, match="too-old"):
        kit.verify(CASES[0]["headers"], CASES[0]["body"].encode(), CASES[0]["verifiers"])


def test_the_verifier_with_libraries_accepts_genuine_webhooks_and_refuses_others(library_at):
    kit, judged = page("verify_library"), 0
    for case in CASES:
        if len(case["verifiers"]) > 1 or case.get("reason") in LENIENT:
            continue
        library_at(case["now"])
        key, body, accepted = case["verifiers"][0], case["body"].encode(), True
        try:
            if key.startswith("whpk_"):
                kit.verify_public(case["headers"], body, key, case["now"])
            else:
                kit.verify(case["headers"], body, key)
        except Exception:  # noqa: BLE001: each refusal is one, whatever the libraries call it.
            accepted = False
        assert accepted == (case["verdict"] == "accepted"), case["title"]
        judged += 1
    assert judged > 30


def test_the_kit_knows_an_event_that_comes_again_and_accepts_one_that_comes_late_as_a_replay_brings_it():
    events = page("verify").Events()
    for name, conversation, is_late, is_new in [
            ("e-5", "a", False, True), ("e-5", "a", False, False), ("e-9", "b", False, True), ("e-7", "a", False, True),
            ("e-6", "a", True, True), ("e-6", "a", True, False), ("e-8", "b", True, True), ("e-5", "a", True, False),
            ("e-3", None, False, True), ("e-2", None, False, True), ("test-c", "a", False, True), ("test-c", "a", False, False)]:
        assert events.is_late(name, {"conversation": conversation}) is is_late, name
        assert events.is_new(name, {"conversation": conversation}) is is_new, name
