"""An authenticator app (RFC 6238) as a person has it, whose owner never shows one code twice."""

import base64
import hashlib
import hmac
import struct
import time


def code_at(secret, step):
    """What the app shows in a step of 30 seconds."""
    mac = hmac.new(base64.b32decode(secret), struct.pack(">q", step), hashlib.sha1).digest()
    place = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[place:place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


class App:
    """An authenticator app whose owner never shows one code twice."""

    def __init__(self, secret):
        self.secret, self.step = secret.replace(" ", ""), 0

    def code(self):
        """The next code that the server can accept: at most one step early, and waiting for it where need be."""
        step = max(self.step + 1, int(time.time()) // 30)
        while step > int(time.time()) // 30 + 1:
            time.sleep(0.2)
        self.step = step
        return code_at(self.secret, step)
