"""A year of counters of reports, as 1,000 conversations a day leave them behind."""

import sqlite3
import uuid

DAYS, SLOTS_A_DAY, SLOT = 365, 40, 900_000
# The first day, 2026-01-01, in milliseconds since 1970, and its query.
BEGIN, QUERY = 1_767_225_600_000, "from=2026-01-01&to=2026-12-31&zone=Europe/Berlin"
NUMBERS = ("begun", "received", "sent", "closed", "resolution_ms", "answers", "answer_ms", "waits",
           "wait_ms", "cards", "cards_answered", "cards_paid")
# How many members of a dimension do something in a slot.
MEMBERS = {"total": 1, "agent": 12, "team": 4, "label": 8, "kind": 6, "entry": 5}


def fill(data, business):
    """Adds the counters to a store that no server has open, and its reader's cursor at the log's end."""
    connection = sqlite3.connect(data / "frontdesk.sqlite")
    with connection:
        epoch = connection.execute("SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1").fetchone()[0]
        newest = connection.execute("SELECT coalesce(max(position), 0) FROM events").fetchone()[0]
        connection.execute("INSERT OR REPLACE INTO readers VALUES ('reports', ?, ?)", (epoch, newest))
        connection.executemany(
            f"INSERT OR REPLACE INTO report_counts (business, dimension, slot, member, {', '.join(NUMBERS)}) "
            f"VALUES ({', '.join('?' * (4 + len(NUMBERS)))})", rows(uuid.UUID(business).bytes))
    connection.close()


def rows(business):
    """The rows of a year: an open quarter of an hour has 25 conversations."""
    for day in range(DAYS):
        for slot in range(SLOTS_A_DAY):
            begin = BEGIN + (day * 96 + 32 + slot) * SLOT
            for dimension, count in MEMBERS.items():
                for member in range(count):
                    name = "" if dimension == "total" else str(uuid.UUID(int=(0xA << 64) + member))
                    share = max(1, 25 // count)
                    yield (business, dimension, begin, name, share, share * 3, share * 3, share,
                           share * 3_600_000, share, share * 60_000, share * 2, share * 120_000, share,
                           share // 2, share // 4)
