"""Verifies webhooks of Frontdesk with libraries: `pip install standardwebhooks cryptography`."""

import base64

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook


def verify(headers, body, secret):
    """Raises where a webhook is not one that `secret` (`whsec_…`) has signed within five minutes."""
    Webhook(secret).verify(body, headers, json_parse=False)


def verify_public(headers, body, key, now):
    """The same with a public key (`whpk_…`); `now` is the time in seconds."""
    headers = {name.lower(): value for name, value in headers.items()}
    name, at = headers["webhook-id"], headers["webhook-timestamp"]
    if "." in name or abs(now - int(at)) > 300:
        raise ValueError("replayed")
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
    for one in headers["webhook-signature"].split(" ")[:16]:
        version, _, signature = one.partition(",")
        if version == "v1a":
            try:
                return public.verify(base64.b64decode(signature), f"{name}.{at}.".encode() + body)
            except InvalidSignature:
                continue
    raise ValueError("forged")
