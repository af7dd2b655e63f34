"""A program that receives webhooks, on a loopback port, and verifies them with foreign libraries alone."""

import base64
import json
import typing

import standardwebhooks.webhooks
import svix.webhooks
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from support.provider import Endpoint


class Received(typing.NamedTuple):
    """One post."""

    headers: dict
    body: bytes
    status: int

    @property
    def event(self):
        """The event in it."""
        return json.loads(self.body)


def standard(secret, headers, body):
    """Whether PyPI's standardwebhooks accepts it."""
    try:
        standardwebhooks.webhooks.Webhook(secret).verify(body, headers)
        return True
    except standardwebhooks.webhooks.WebhookVerificationError:
        return False


def by_svix(secret, headers, body):
    """Whether PyPI's svix accepts it."""
    try:
        svix.webhooks.Webhook(secret).verify(body, headers)
        return True
    except svix.webhooks.WebhookVerificationError:
        return False


def by_public_key(key, headers, body):
    """Whether cryptography finds a v1a signature of this public key."""
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
    for written in headers["webhook-signature"].split(" "):
        version, signature = written.split(",")
        if version != "v1a":
            continue
        try:
            public.verify(base64.b64decode(signature), content)
            return True
        except InvalidSignature:
            continue
    return False


class Receiver(Endpoint):
    """Answers 204 to what verifies and 401 to the rest; `answers` overrules that for real events, one after the other.

    While it knows no key it answers 204 to all.
    """

    def __init__(self):
        self.received, self.keys, self.answers = [], [], []
        super().__init__()
        # 204 has no body.
        self.answer = ""

    def verifies(self, headers, body):
        """Whether one of the keys accepts it: by both libraries for v1, by cryptography for v1a."""
        for key in self.keys:
            if key.startswith("whpk_"):
                if by_public_key(key, headers, body):
                    return True
            elif standard(key, headers, body):
                assert by_svix(key, headers, body)
                return True
        return False

    def take(self, path, headers, body):
        """Judges a post and keeps it."""
        headers = {name.lower(): value for name, value in headers.items()}
        with self.changed:
            status = 204 if not self.keys or self.verifies(headers, body) else 401
            if status == 204 and self.answers and not headers["webhook-id"].startswith("test-"):
                status = self.answers.pop(0)
            self.received.append(Received(headers, body, status))
            self.changed.notify_all()
        return status

    @property
    def events(self):
        """The posts that are real events and were accepted, in the order in which they came."""
        with self.changed:
            return [post for post in self.received
                    if not post.headers["webhook-id"].startswith("test-") and 200 <= post.status < 300]

    def wait(self, test, patience=30):
        """Waits until what was accepted passes a test, and returns it."""
        with self.changed:
            assert self.changed.wait_for(lambda: test(self.events), patience), \
                [(post.status, post.body[:90]) for post in self.received]
        return self.events
