"""Verifies webhooks of Frontdesk (Standard Webhooks 1.0) with Python alone. Copy this file into your program.

Pass to `verify` the bytes of the body as they came, before anything parses them, and answer 401 where it raises
`Refused`. `Events` knows what came before, by which you recognize what comes again and what comes late. Python alone
has no Ed25519: for `whpk_` keys see verify_library.py.
"""

import base64
import hashlib
import hmac
import time


class Refused(Exception):
    """This webhook is not to be acted on; the text says why."""


def verify(headers, body, secrets, now=None):
    """The id of a genuine webhook; `secrets` are the `whsec_` texts that are valid, two while one is rotated."""
    headers = {name.lower(): value for name, value in headers.items()}
    name, at, signatures = (headers.get("webhook-" + one) for one in ("id", "timestamp", "signature"))
    if not (name and at and signatures):
        raise Refused("missing")
    if "." in name:  # Then what is signed could be read in two ways.
        raise Refused("invalid-id")
    if not (at.isascii() and at.isdigit() and str(int(at[:18])) == at):
        raise Refused("invalid-timestamp")
    age = (time.time() if now is None else now) - int(at)
    if abs(age) > 300:
        raise Refused("too-old" if age > 0 else "too-new")
    given = signatures.split(" ")
    if len(given) > 16:
        raise Refused("too-many-signatures")
    content = f"{name}.{at}.".encode() + body
    matches = 0
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        if len(key) < 24:  # Such as that of a variable that is not set: then everybody could sign.
            raise ValueError("this is no secret of a webhook")
        code = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        # Every signature is compared, so that the time says nothing about a match.
        matches += sum(hmac.compare_digest(code, one.encode()) for one in given)
    if not matches:
        raise Refused("no-match")
    return name


class Events:
    """What came before, by id and by conversation; keep it in your database, in one transaction with what you do."""

    def __init__(self):
        self.ids, self.newest = set(), {}

    def is_late(self, name, event):
        """Whether a later event of its conversation came before: act on it, but let it replace nothing newer.

        With the order "conversation" that is what was given up and is replayed, or missed while the endpoint was disabled.
        Do not refuse it: a refusal is a failed attempt, and failed attempts disable an endpoint in the end.
        """
        conversation = event.get("conversation")
        return not name.startswith("test-") and self.position(name) < self.newest.get(conversation, 0)

    def is_new(self, name, event):
        """Whether it is to be acted on; False for one that came before, which is answered with 200 all the same."""
        if name in self.ids:
            return False
        conversation = event.get("conversation")
        if conversation and not name.startswith("test-"):
            self.newest[conversation] = max(self.position(name), self.newest.get(conversation, 0))
        self.ids.add(name)
        return True

    @staticmethod
    def position(name):
        """The place of the event with this id in the log."""
        return int(name.split("-")[1])
