"""A provider that is registered at a server by the command line."""

import contextlib
import re

from support.provider import Provider


@contextlib.contextmanager
def registered(server, business, made=None):
    """Registers a provider for a business; it listens while the block runs."""
    made = made or Provider()
    printed = server.command("gateway", "register", "--business", business,
                            "--endpoint", made.endpoint, "--msp-id", "msp-7").stdout
    secret = re.search(r"[A-Za-z0-9+/]{43}=", printed).group(0)
    try:
        yield made.learn(server.url + "/v1", "msp-7", secret, business)
    finally:
        made.stop()
