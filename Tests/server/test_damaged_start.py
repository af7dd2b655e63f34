"""A start over a row that no program wrote ends with a sentence that names the row."""

import os
import sqlite3
import subprocess

import pytest
from support.server import BINARY, ROOT, Installation


@pytest.fixture(scope="module")
def data():
    """The data of a server that has ended."""
    with Installation() as server:
        server.end()
        yield server.data


@pytest.mark.parametrize(("damage", "repair", "row"), [
    ("UPDATE pruned SET position = -5", "UPDATE pruned SET position = 0", "the row of the table pruned"),
    ("UPDATE pruned SET position = 9223372036854775807", "UPDATE pruned SET position = 0", "the row of the table pruned"),
    ("INSERT OR REPLACE INTO settings VALUES ('clock', '-9223372036854775808')", "DELETE FROM settings WHERE name = 'clock'",
     "the row clock of the table settings"),
    ("INSERT OR REPLACE INTO settings VALUES ('clock', 'noon')", "DELETE FROM settings WHERE name = 'clock'",
     "the row clock of the table settings"),
    ("INSERT OR REPLACE INTO settings VALUES ('starts', '9223372036854775807')", "DELETE FROM settings WHERE name = 'starts'",
     "the row starts of the table settings"),
])
def test_a_damaged_row_ends_the_start_with_its_name_and_with_what_to_do(data, damage, repair, row):
    change(data, damage)
    done = subprocess.run(
        [str(BINARY), "serve", "--listen", "127.0.0.1:0", "--data", str(data), "--sandbox"], cwd=ROOT, capture_output=True,
        check=False, text=True, timeout=60)
    change(data, repair)
    assert done.returncode == 1, (done.returncode, done.stderr[-500:])
    assert row in done.stderr, done.stderr[-500:]
    assert ": set it to" in done.stderr or "remove it" in done.stderr, done.stderr[-500:]


def change(data, statement):
    """Writes to the file of a store that no server has."""
    file = sqlite3.connect(data / "frontdesk.sqlite")
    file.execute(statement)
    file.commit()
    file.close()


@pytest.mark.parametrize("files", [16, 20, 23, 26, 127])
def test_a_process_that_may_open_too_few_files_says_so_and_nothing_else(data, files):
    words = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", str(BINARY), "serve", "--listen", "127.0.0.1:0", "--data", str(data)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False,
                          env={"PATH": os.environ["PATH"]})
    assert done.returncode == 1, done
    assert done.stderr.splitlines() == [
        f"frontdesk: this process may open {files} files, and a server needs 128 at least",
        '  raise the limit: LimitNOFILE=32768 in the unit of systemd, or "ulimit -n 32768" before the command']
