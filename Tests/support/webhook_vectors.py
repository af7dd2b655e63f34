"""The test vectors of webhooks, made by PyPI's standardwebhooks (v1) and cryptography (v1a).

`python Tests/support/webhook_vectors.py` writes docs/webhooks/test-vectors.json again. The tests of the
Swift module, of the foreign libraries and of the verifiers in docs/webhooks/ run the same cases.
"""

import base64
import json
import pathlib
from datetime import datetime, timezone

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from standardwebhooks.webhooks import Webhook

FILE = pathlib.Path(__file__).parents[2] / "docs" / "webhooks" / "test-vectors.json"
NOW = 1674087231
ID = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
BODY = ('{"type":"message.accepted","timestamp":"2023-01-19T00:13:51.000Z",'
        '"data":{"text":"お茶 \\u2615 & <b>"}}')
SWAPPED = ('{"timestamp":"2023-01-19T00:13:51.000Z","type":"message.accepted",'
           '"data":{"text":"お茶 \\u2615 & <b>"}}')


def encoded(prefix, key):
    """A key as text."""
    return prefix + base64.b64encode(key).decode()


SECRET = encoded("whsec_", bytes(range(1, 33)))
SMALLEST = encoded("whsec_", bytes(range(24)))
LARGEST = encoded("whsec_", bytes(range(64)))
OTHER = encoded("whsec_", bytes(range(101, 133)))
# The seeds of RFC 8032, 7.1, tests 1 and 2.
KEY = encoded("whsk_", bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
OTHER_KEY = encoded("whsk_", bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))


def private(key):
    """The Ed25519 key of a `whsk_` text."""
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(key.removeprefix("whsk_")))


def public(key):
    """The `whpk_` text of a `whsk_` text."""
    return encoded("whpk_", private(key).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def signature(key, body=BODY, at=NOW, name=ID):
    """One signature, by the library that its key belongs to."""
    if key.startswith("whsk_"):
        signed = private(key).sign(f"{name}.{at}.{body}".encode())
        return "v1a," + base64.b64encode(signed).decode()
    return Webhook(key).sign(name, datetime.fromtimestamp(at, timezone.utc), body)


def case(title, signers=(SECRET,), verifiers=None, body=BODY, at=NOW, now=NOW, reason=None, **changes):
    """One case: what `signers` sign, then `changes` of it, for a verifier that has `verifiers`."""
    written = " ".join(signature(key, body, at) for key in signers)
    row = {
        "title": title,
        "verdict": "refused" if reason else "accepted",
        **({"reason": reason} if reason else {"signers": list(signers)}),
        "verifiers": list(verifiers or [key for key in signers if key.startswith("whsec_")]),
        "now": now,
        "headers": {"webhook-id": ID, "webhook-timestamp": str(at), "webhook-signature": written},
        "body": body}
    if "signature" in changes:
        row.pop("signers", None)
    for name, value in changes.items():
        if name == "body_received":
            row["body"] = value
        elif value is None:
            del row["headers"]["webhook-" + name]
        else:
            row["headers"]["webhook-" + name] = value
    return row


def cases():
    """Every case; those of the same kind beside each other."""
    good, good_v1a = signature(SECRET), signature(KEY)
    return [
        case("a webhook with one secret"),
        case("the smallest secret", [SMALLEST]),
        case("the largest secret", [LARGEST]),
        case("an empty body", body=""),
        case("a public key", [KEY], [public(KEY)]),
        case("a secret and a public key", [SECRET, KEY], [SECRET, public(KEY)]),
        case("both kinds of signatures for a receiver with the public key", [SECRET, KEY], [public(KEY)]),
        case("a rotation for a receiver with the new secret", [SECRET, OTHER], [SECRET]),
        case("a rotation for a receiver with the old secret", [SECRET, OTHER], [OTHER]),
        case("a rotation for a receiver with both secrets", [SECRET, OTHER], [OTHER, SECRET]),
        case("a rotation for a receiver with the old public key", [KEY, OTHER_KEY], [public(OTHER_KEY)]),
        case("five minutes old", now=NOW + 300),
        case("five minutes ahead", now=NOW - 300),
        case("an unknown version before the known one", signature=f"v9,abcd {good}"),
        case("forged: signed with another secret", [OTHER], [SECRET], reason="no-match"),
        case("forged: signed with another private key", [OTHER_KEY], [public(KEY)], reason="no-match"),
        case("forged: another body", reason="no-match", body_received=BODY.replace("お茶", "水")),
        case("forged: another id", reason="no-match", id="msg_another"),
        case("forged: a space after the body", reason="no-match", body_received=BODY + " "),
        case("forged: the code of v1 as v1a", [SECRET], [public(KEY)], reason="no-match",
             signature=good.replace("v1,", "v1a,")),
        case("forged: the signature of v1a as v1", [KEY], [SECRET], reason="no-match",
             signature=good_v1a.replace("v1a,", "v1,")),
        # A receiver that uses the public key as a secret would accept what anybody can sign.
        case("forged: signed with the public key as a secret", [SECRET], [public(KEY)], reason="no-match",
             signature=signature(public(KEY).replace("whpk_", "whsec_"))),
        case("replayed: older than five minutes", now=NOW + 301, reason="too-old"),
        case("replayed: a day old", [KEY], [public(KEY)], now=NOW + 86_400, reason="too-old"),
        case("replayed: an old one with the time of today", now=NOW + 86_400, reason="no-match",
             timestamp=str(NOW + 86_400)),
        case("newer than five minutes", now=NOW - 301, reason="too-new"),
        case("truncated: the last byte of the body", reason="no-match", body_received=BODY[:-1]),
        case("truncated: no body", reason="no-match", body_received=""),
        case("truncated: the last letters of the signature", reason="no-match", signature=good[:-5]),
        case("truncated: a signature of one byte", reason="no-match", signature=good[:5] + "=="),
        case("truncated: only the version", reason="no-match", signature="v1,"),
        case("truncated: the last byte of a v1a signature", [KEY], [public(KEY)], reason="no-match",
             signature="v1a," + base64.b64encode(base64.b64decode(good_v1a[4:])[:-1]).decode()),
        case("re-ordered: the members of the body", reason="no-match", body_received=SWAPPED),
        case("re-ordered: the signature of another webhook", reason="no-match",
             signature=signature(SECRET, BODY.replace("お茶", "水"))),
        case("re-ordered: id and time", reason="invalid-id", id=f"{ID}.{NOW}", timestamp=str(NOW + 60),
             # The bytes that are signed are the same: msg_….1674087231.1674087291.{…}
             signature=signature(SECRET, f"{NOW + 60}.{BODY}")),
        case("no id", reason="missing", id=None),
        case("no time", reason="missing", timestamp=None),
        case("no signature", reason="missing", signature=None),
        case("an empty signature", reason="missing", signature=""),
        case("a time with a fraction", reason="invalid-timestamp", timestamp=f"{NOW}.0"),
        case("a time with a sign", reason="invalid-timestamp", timestamp=f"+{NOW}"),
        case("a time with a zero in front", reason="invalid-timestamp", timestamp=f"0{NOW}"),
        case("a time that is a date", reason="invalid-timestamp", timestamp="2023-01-19T00:13:51Z"),
        case("seventeen signatures", reason="too-many-signatures",
             signature=" ".join([signature(OTHER)] * 16 + [good])),
    ]


def text():
    """The file's text."""
    return json.dumps({
        "about": "Cases for verifiers of Standard Webhooks 1.0. The time is `now`, in seconds since 1970; "
                 "`verifiers` are the keys of the receiver; `signers` those that made the signatures, in "
                 "their order.",
        "cases": cases()}, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
