"""The process is killed while readers of the log work: they end where an undisturbed run ends."""

import collections
import contextlib
import json
import os
import random
import sqlite3
import time
import uuid

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


# A rule for some of the messages, and one for what that rule does.
RULES = (
    ("first", "messageSent", '[{"text":"7"}]', '[{"priority":"low"},{"priority":"high"},{"note":"seen"}]'),
    ("second", "priorityChanged", "[]", '[{"note":"changed"}]'),
)


def add_rules(stand):
    """Writes the rules into the store, and lets their reader begin."""
    with database(stand) as connection:
        for number, (name, when, conditions, actions) in enumerate(RULES):
            connection.execute(
                "INSERT INTO rules (id, business, name, is_on, place, trigger_event, conditions, actions) "
                "VALUES (?, ?, ?, 1, ?, ?, ?, ?)",
                (bytes([number + 1] * 16), uuid.UUID(stand.business).bytes, name, number, when, conditions.encode(), actions.encode()))
    caught_up(stand)


def caught_up(stand):
    """Starts the server, waits until rules have seen every event, ends it."""
    stand.start()
    end = time.monotonic() + PATIENCE
    path = stand.folder / "data" / "frontdesk.sqlite"
    try:
        while True:
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
            try:
                (newest,) = connection.execute("SELECT max(position) FROM events").fetchone()
                row = connection.execute("SELECT position FROM readers WHERE name = 'rules'").fetchone()
            finally:
                connection.close()
            if row == (newest,):
                return
            assert time.monotonic() < end, f"rules are at {row} of {newest}"
            time.sleep(0.2)
    finally:
        stand.end()


def done_by_rules(stand):
    """How many notes of each rule there are in each conversation, and how many there must be."""
    with database(stand) as connection:
        notes = collections.Counter()
        for conversation, text in connection.execute("SELECT conversation, text FROM notes WHERE author_kind = 'rule'"):
            notes[(conversation, text)] += 1
        wanted = collections.Counter()
        for conversation, summary in connection.execute(
                "SELECT conversation, summary FROM messages WHERE direction = 'outbound'"):
            if "7" in summary:
                wanted[(conversation, "seen")] += 1
                wanted[(conversation, "changed")] += 2
        return notes, wanted


def test_rules_act_once_on_each_event_however_often_the_process_is_killed(stand):
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    moments = random.Random(seed)
    add_rules(stand)
    for kill in range(KILLS):
        if kill % 5 == 4:
            stand.start_cut_short(moments.uniform(0, 0.5))
        stand.start()
        timer = kill_after(stand.server, moments.uniform(0.3, 1.5))
        # Few messages, so that rules act while the process is killed and not only before.
        write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 20), senders=3, width=2)
        timer.join()
        stand.end()
    caught_up(stand)
    notes, wanted = done_by_rules(stand)
    assert sum(wanted.values()) > 0
    with database(stand) as connection:
        refused = connection.execute(
            "SELECT outcome, count(*) FROM rule_acts GROUP BY outcome").fetchall()
    assert notes == wanted, f"FRONTDESK_SEED={seed}, {refused}"
    with database(stand) as connection:
        kept, whole = connection.execute("SELECT count(*), count(DISTINCT number) FROM rule_acts").fetchone()
    assert kept == whole <= 1_000
    note(f"kill -9 while rules act: {KILLS} kills, {sum(wanted.values())} notes, seed {seed}")


def test_control_a_rule_without_its_note_of_the_event_acts_twice(stand):
    add_rules(stand)
    stand.start()
    write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 60), senders=1)
    stand.end()
    caught_up(stand)
    with database(stand) as connection:
        connection.execute("DELETE FROM rule_acts")
        connection.execute("UPDATE readers SET position = position - 60 WHERE name = 'rules'")
    caught_up(stand)
    notes, wanted = done_by_rules(stand)
    assert notes != wanted, "the check would not see what was done twice"
