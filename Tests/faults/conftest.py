"""Shared by the fault tests: one prepared store, copied for each of them."""

import pathlib
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from faults.stand import IS_LONG, Prepared, Stand  # noqa: E402


def pytest_configure(config):
    """Names the mark of tests that are too long for what runs with every change."""
    config.addinivalue_line("markers", "long_tier: too long for what runs with every change")


def pytest_collection_modifyitems(config, items):
    """Leaves them out of the short tier."""
    left = [item for item in items if not IS_LONG and item.get_closest_marker("long_tier")]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


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
