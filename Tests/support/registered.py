"""A provider that is registered at a house by the command line."""

import contextlib
import re

from support.provider import Provider


@contextlib.contextmanager
def registered(house, business, made=None):
    """Registers a provider for a business; it listens while the block runs."""
    made = made or Provider()
    printed = house.command("gateway", "register", "--business", business,
                            "--endpoint", made.endpoint, "--msp-id", "msp-7").stdout
    secret = re.search(r"[A-Za-z0-9+/]{43}=", printed).group(0)
    try:
        yield made.learn(house.url + "/v1", "msp-7", secret, business)
    finally:
        made.stop()
