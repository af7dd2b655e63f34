"""Single bits flipped in a copy of the store: `frontdesk verify` finds each that touches message data."""

import random
import re
import shutil
import sqlite3

from faults.load import after, write
from faults.stand import IS_LONG, note

FLIPS = 2_000 if IS_LONG else 40
# Enough for several pages of every table, few enough to be read thousands of times.
SECONDS = 0.1
# A message's content and position; the rest of the file may be wrong without harm to it.
READ = ["SELECT * FROM messages ORDER BY position", "SELECT * FROM events ORDER BY position"]
PAYLOAD = re.compile(rb'"type":"text","body":"[^"]*"')


class Copy:
    """A store that no server runs on, with one bit wrong at a time."""

    def __init__(self, stand, folder):
        self.server, self.data = stand.server, folder / "data"
        shutil.copytree(stand.folder / "data", self.data,
                        ignore=shutil.ignore_patterns("lock", "admin.socket"))
        self.file = self.data / "frontdesk.sqlite"
        log = self.data / "frontdesk.sqlite-wal"
        assert not log.exists() or log.stat().st_size == 0, "the log was not moved at the end"
        self.sound = self.file.read_bytes()
        self.content = self.read()

    def flip(self, place, bit):
        """Puts the file back as it was, but for one bit."""
        for name in ("-wal", "-shm"):
            (self.data / f"frontdesk.sqlite{name}").unlink(missing_ok=True)
        wrong = bytearray(self.sound)
        wrong[place] ^= 1 << bit
        self.file.write_bytes(wrong)

    def verify(self):
        """Runs `frontdesk verify`: whether it found no damage, and its output."""
        self.server.data = self.data
        done = self.server.command("verify", check=False)
        # 2: the file is no store that it can read.
        assert done.returncode in (0, 1, 2), f"verify ended with {done.returncode}: {done.stderr}"
        return done.returncode == 0, done.stdout + done.stderr

    def read(self):
        """All of the messages as SQLite gives them; None where it cannot."""
        try:
            with sqlite3.connect(f"file:{self.file}?immutable=1", uri=True) as database:
                database.text_factory = bytes
                return [database.execute(query).fetchall() for query in READ]
        except sqlite3.Error:
            return None

    def is_well_formed(self):
        """SQLite's own opinion, which knows nothing of checksums."""
        try:
            with sqlite3.connect(f"file:{self.file}?immutable=1", uri=True) as database:
                return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        except (sqlite3.Error, UnicodeDecodeError):
            # A complaint that quotes damaged text is no UTF-8.
            return False


def make_copy(stand, folder):
    """A store with some messages, ended in order, and its copy."""
    stand.start()
    write(stand.server.port, stand.key, stand.ledger, after(SECONDS))
    stand.server.stop()
    copy = Copy(stand, folder)
    is_well, said = copy.verify()
    assert is_well, f"a sound store is called damaged: {said}"
    return copy


def flip(copy, places, chance):
    """Flips a bit at each place; returns how many were found, and how many SQLite did not see.

    A flip that is not found must have changed no message: the file has unused space.
    """
    found = unseen = 0
    for done, place in enumerate(places):
        if IS_LONG and done % 200 == 0:
            note(f"{done} flips: {found} found")
        copy.flip(place, chance.randrange(8))
        is_well, said = copy.verify()
        if is_well:
            assert copy.read() == copy.content, f"a bit at {place} changed messages unseen: {said}"
            continue
        found += 1
        unseen += copy.is_well_formed()
    return found, unseen


def test_every_bit_flipped_in_a_payload_is_found(stand, tmp_path):
    copy = make_copy(stand, tmp_path)
    chance = random.Random(2026)
    places = [place for match in PAYLOAD.finditer(copy.sound) for place in range(*match.span())]
    assert len(places) > 1_000, "no payload lies in the file in one piece"
    found, unseen = flip(copy, chance.sample(places, FLIPS), chance)
    note(f"flips: {found} of {FLIPS} in payloads found, the others changed none; "
         f"control, SQLite's own check without checksums: {unseen} not found")
    assert found > FLIPS * 0.8 and unseen > 0


def test_a_bit_flipped_anywhere_is_found_or_changes_no_message(stand, tmp_path):
    copy = make_copy(stand, tmp_path)
    chance = random.Random(2027)
    places = [chance.randrange(len(copy.sound)) for _ in range(FLIPS)]
    found, _ = flip(copy, places, chance)
    note(f"flips: {found} of {FLIPS} anywhere in the file found, the others touched no message")
    assert found > 0
