"""Shared by the fault tests: one prepared store, copied for each of them."""

import pathlib
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from faults.stand import Prepared, Stand  # noqa: E402


@pytest.fixture(scope="session")
def prepared():
    """A store with a key and conversations, made by the release binary."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-faults-") as folder:
        yield Prepared(folder)


@pytest.fixture
def stand(prepared):
    """A copy of it on the usual disk."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-faults-") as folder:
        made = Stand(folder, prepared)
        yield made
        if made.server and made.server.process.poll() is None:
            made.end()
