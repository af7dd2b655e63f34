"""A device with a passkey (Web Authentication), as a browser hands its answers over."""

import base64
import hashlib
import json
import os
import struct

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text(data):
    """Bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Passkey:
    """A key pair of one of the three kinds, for one site."""

    kinds = {
        -7: (lambda: ec.generate_private_key(ec.SECP256R1()), lambda key, data: key.sign(data, ec.ECDSA(SHA256()))),
        -8: (ed25519.Ed25519PrivateKey.generate, lambda key, data: key.sign(data)),
        -257: (lambda: rsa.generate_private_key(65537, 2048), lambda key, data: key.sign(data, padding.PKCS1v15(), SHA256())),
    }

    def __init__(self, origin, algorithm=-7):
        self.origin, self.host = origin, origin.split("//")[1].split(":")[0]
        self.algorithm = algorithm
        make, self.sign = self.kinds[algorithm]
        self.key, self.id, self.counter, self.handle = make(), os.urandom(32), 0, None

    def _client(self, kind, challenge):
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _data(self, flags, more=b""):
        return hashlib.sha256(self.host.encode()).digest() + struct.pack(">BI", flags, self.counter) + more

    def made(self, options, name):
        """What adds it, by the server's options."""
        self.handle = options["user"]["id"]
        assert self.algorithm in [one["alg"] for one in options["pubKeyCredParams"]]
        public = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        new = bytes(16) + struct.pack(">H", len(self.id)) + self.id + b"\xa0"
        return {"name": name, "id": text(self.id), "clientDataJSON": text(self._client("webauthn.create", options["challenge"])),
                "authenticatorData": text(self._data(0x45, new)), "publicKey": text(public), "publicKeyAlgorithm": self.algorithm}

    def answer(self, options):
        """What signs its person in, by the server's options."""
        assert options["rpId"] == self.host
        client, data = self._client("webauthn.get", options["challenge"]), self._data(0x05)
        return {"id": text(self.id), "clientDataJSON": text(client), "authenticatorData": text(data),
                "signature": text(self.sign(self.key, data + hashlib.sha256(client).digest())), "userHandle": self.handle}
