"""The process is killed while readers of the log work: they end where an undisturbed run ends."""

import contextlib
import json
import os
import random
import sqlite3
import time

from faults.load import acknowledgements, write
from faults.stand import IS_LONG, note
from faults.test_kill import kill_after
from faults.wire import Wire

KILLS = 200 if IS_LONG else 5
TABLES = ("report_counts", "report_conversations", "report_cards")
# How long a reader may need to catch up, in seconds.
PATIENCE = 120


@contextlib.contextmanager
def database(stand):
    """The stand's database; no server runs."""
    connection = sqlite3.connect(stand.folder / "data" / "frontdesk.sqlite")
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def rows(stand):
    """Everything that the readers have stored."""
    with database(stand) as connection:
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def ask(wire, path):
    """The answer to a question with the stand's key, as JSON."""
    status, _, body = wire.ask("GET", path)
    assert status == 200, f"{path}: {status} {body[:200]}"
    return json.loads(body)


def counted(stand):
    """Starts the server, waits until every event is counted, ends it; everything that is stored then."""
    stand.start()
    end = time.monotonic() + PATIENCE
    try:
        with Wire(stand.server.port, stand.key) as wire:
            while True:
                head = ask(wire, f"/api/views?business={stand.business}")["head"]
                upto = ask(wire, f"/api/businesses/{stand.business}/reports")["countedUpTo"]
                if upto == head:
                    break
                assert time.monotonic() < end, f"counted up to {upto} of {head}"
                # The reader gathers news for a quarter of a second; searches have a rate.
                time.sleep(0.25)
    finally:
        stand.end()
    return rows(stand)


def test_no_kill_is_counted_twice_or_not_at_all(stand):
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    moments = random.Random(seed)
    for kill in range(KILLS):
        if kill % 5 == 4:
            stand.start_cut_short(moments.uniform(0, 0.5))
        stand.start()
        timer = kill_after(stand.server, moments.uniform(0.05, 0.9))
        write(stand.server.port, stand.key, stand.ledger, lambda: False, senders=3)
        timer.join()
        stand.end()
    disturbed = counted(stand)
    with database(stand) as connection:
        connection.execute("DELETE FROM readers")
    assert counted(stand) == disturbed, f"FRONTDESK_SEED={seed}"
    note(f"kill -9 while readers work: {KILLS} kills, {len(disturbed['report_counts'])} rows of counters, "
         f"seed {seed}")


def test_control_a_cursor_that_is_not_of_its_commit_counts_twice(stand):
    stand.start()
    write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 200), senders=1)
    stand.end()
    whole = counted(stand)
    with database(stand) as connection:
        connection.execute("UPDATE readers SET position = position - 100")
    assert counted(stand) != whole, "the check would not see what is counted twice"
