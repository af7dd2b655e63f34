"""The shipped binary has no switch that weakens a promise; the functions of the controls are linked separately."""

import re
import subprocess

import pytest

from faults.load import acknowledgements, write
from faults.stand import REMOVE, note, weakened
from support.server import BINARY, ROOT

PROTECTIONS = ["commit-first", "full-sync", "flush-errors", "full-errors"]
# The functions that the test executable links between the store and SQLite or the system.
BETWEEN = {"sqlite3_step", "sqlite3_exec", "fsync", "fdatasync", "pwrite64"}

# Every way of flushing that the binary has words for, and which files it is for.
WAYS = {
    # The store, and the threads that move its log.
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", "PRAGMA synchronous = FULL",
    # The search index, which is rebuilt from the log when it is damaged.
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
    # A backup's copy, a move and an import, which are flushed as a whole before they get their names.
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF", "PRAGMA synchronous = OFF", "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
}
# Named in a page's text: what a test of ours is run with.
OF_TESTS = {"FRONTDESK_RENDER"}


def words(path):
    """Every run of printable characters in a file."""
    return [found.decode() for found in re.findall(rb"[ -~]{4,}", path.read_bytes())]


def defined(path):
    """The names that a program defines for its libraries."""
    listed = subprocess.run(["nm", "-D", "--defined-only", str(path)], capture_output=True,
                            text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in listed.stdout.splitlines()}


def test_nothing_is_linked_between_the_shipped_store_and_its_libraries():
    assert not defined(BINARY) & BETWEEN
    # The control: the test executable is the same but for this.
    assert defined(weakened()) >= BETWEEN


def test_the_shipped_binary_has_no_weaker_mode():
    text = "\n".join(words(BINARY))
    for word in [REMOVE, *PROTECTIONS]:
        assert word not in text, word
    found = set(re.findall(r"(?:PRAGMA journal_mode = \w+; )?PRAGMA synchronous = \w+", text))
    assert found == WAYS
    control = "\n".join(words(weakened()))
    assert all(word in control for word in [REMOVE, *PROTECTIONS])


def test_every_variable_that_the_shipped_binary_names_is_documented():
    page = (ROOT / "docs" / "configuration.md").read_text()
    named = {name for word in words(BINARY) for name in re.findall(r"FRONTDESK_[A-Z_]+", word)}
    assert {name for name in named if f"`{name}`" not in page} == OF_TESTS


def test_no_flag_speaks_of_flushing_or_checking():
    for command in [["--help"], ["serve", "--help"], ["limits"]]:
        said = subprocess.run([str(BINARY), *command], capture_output=True, text=True, check=True)
        assert said.stdout
        assert not re.search(r"sync|flush|durab|unsafe|check ?sum|journal", said.stdout, re.I)


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_the_switches_of_the_controls_have_no_effect_on_the_shipped_binary(stand, protection):
    server = stand.start()
    server.kill()
    # The same variable, the binary that is shipped.
    server.environment[REMOVE] = protection
    server.start()
    assert server.binary == BINARY
    write(server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 100))
    stand.end()
    verdict = stand.check_after_restart()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    note(f"{REMOVE}={protection} with the shipped binary, killed: {verdict}")
