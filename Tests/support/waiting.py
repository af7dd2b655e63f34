"""Waits that have an end."""

import time


def until(fetch, test):
    """What a question is answered with once the answer passes a test, within 30 s."""
    end = time.monotonic() + 30
    while not test(found := fetch()):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found
