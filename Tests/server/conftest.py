"""Shared by the tests of the whole server: one server per module, its owner, its sandbox."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from support import postgres  # noqa: E402
from support.ends import customer, end, merchant, provider, upstream  # noqa: E402, F401
from support.server import Installation  # noqa: E402

# Files that a run on a database leaves out: what they are about is no database, but a data directory's files, or what
# a program does without a store; or they make databases of their own, in every run.
NOT_OF_DATABASES = {
    "archive_damage", "backup", "blobs", "command_table", "configuration_check", "database", "database_reading", "database_secrets", "damaged_start", "disk", "drain",
    "ephemeral", "ephemeral_pages", "ephemeral_webhook", "export", "generated_clients", "import_page", "lint", "memory", "move", "operator",
    "outgoing_library", "packaging", "page_commands", "pages", "passwords", "program_end", "readme", "report_formats", "scale_out",
    "secrets", "testing_a_provider", "tls", "translate", "two_servers", "webhook_signatures"}


def pytest_configure(config):
    """Names the mark of tests that look at the one process of an installation, or at its files."""
    config.addinivalue_line("markers", "one_process: it looks at the one process of an installation, or at its files")


def pytest_collection_modifyitems(config, items):
    """Leaves out, of a run on a database, what is about none, and what looks at a process or its files."""
    # Not `pytest_ignore_collect`, which is not asked about files that are named.
    left = [item for item in items if postgres.is_engine() and (
        item.path.stem.removeprefix("test_") in NOT_OF_DATABASES or item.get_closest_marker("one_process"))]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter):
    """Says what was left out."""
    if postgres.is_engine():
        terminalreporter.write_line(
            f"note: {postgres.node_count()} nodes on PostgreSQL; not on a database: "
            f"{', '.join(sorted(NOT_OF_DATABASES))}, and what looks at one process")


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
