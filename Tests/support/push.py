"""A push service and a browser's keys, written from RFC 8030, 8291 and 8292 with foreign libraries alone."""

import base64
import hashlib
import json
import os
import typing
import urllib.parse
import uuid

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from support.provider import Endpoint


def text_of(data):
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text):
    """The bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derive(secret, salt, info, length):
    """HKDF with SHA-256."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


class Pushed(typing.NamedTuple):
    """One message as the push service got it."""

    path: str
    headers: dict
    body: bytes
    status: int


class Browser:
    """One browser with the endpoint that a push service gave it."""

    def __init__(self, service):
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.path = f"/push/{uuid.uuid4()}"
        self.endpoint = service.url + self.path
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self):
        """What its page sends to the server."""
        return {"endpoint": self.endpoint, "point": text_of(self.point), "secret": text_of(self.secret)}

    def name(self, conversation):
        """How the server names the subscription."""
        return hashlib.sha256(f"{conversation} {self.endpoint}".encode()).hexdigest()

    def read(self, body):
        """Decrypts a message (RFC 8291, RFC 8188)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21:21 + length], body[21 + length:]
        assert len(body) <= size == 4096
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derive(shared, self.secret, b"WebPush: info\0" + self.point + sender, 32)
        key = derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(secret, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\2")
        return json.loads(plain[:-1])


class PushService(Endpoint):
    """Accepts messages as RFC 8030 says; `statuses` overrules 201 for a path."""

    def __init__(self):
        self.pushed, self.statuses = [], {}
        super().__init__()
        self.answer = ""

    def take(self, path, headers, body):
        """Keeps a message."""
        with self.changed:
            status = self.statuses.get(path, 201)
            self.pushed.append(Pushed(path, {name.lower(): value for name, value in headers.items()}, body, status))
            self.changed.notify_all()
        return status

    def wait(self, browser, count, patience=30):
        """Waits until so many messages to a browser came, and returns them."""
        def found():
            return [one for one in self.pushed if one.path == browser.path]

        with self.changed:
            assert self.changed.wait_for(lambda: len(found()) >= count, patience), self.pushed
            return found()


def sender_of(pushed, service, key):
    """The verified claims of a message's sender (RFC 8292), whose public key is as the server states it."""
    scheme, _, rest = pushed.headers["authorization"].partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid" and fields["k"] == key
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(key))
    assert jwt.get_unverified_header(fields["t"]) == {"typ": "JWT", "alg": "ES256"}
    parts = urllib.parse.urlsplit(service.url)
    return jwt.decode(fields["t"], public, algorithms=["ES256"], audience=f"{parts.scheme}://{parts.netloc}")
