"""Shared by the tests of the whole server: one server per module, its owner, its sandbox."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from support.ends import customer, end, merchant, provider, upstream  # noqa: E402, F401
from support.server import Installation  # noqa: E402


@pytest.fixture(scope="module")
def server():
    """A running Frontdesk with an empty data directory."""
    with Installation() as running:
        yield running


@pytest.fixture(scope="module")
def owner(server):
    """The first owner, signed in."""
    return server.make_owner()


@pytest.fixture(scope="module")
def sandbox(owner):
    """The sandbox's business."""
    return next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
