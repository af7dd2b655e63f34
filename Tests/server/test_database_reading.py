"""A database is read through, exported and imported, beside servers that use it and without them."""

import json
import re
import subprocess
import time

import pytest
from support.binary import BINARY
from support.postgres import shared
from support.server import Customer, Installation, Session

from test_export import fill, lines_of


def run(*words, check=True, **more):
    return subprocess.run([str(BINARY), *map(str, words)], capture_output=True, check=check, timeout=300, **more)


@pytest.fixture
def filled():
    """A server on a new schema, with a conversation that has something of everything, and the schema."""
    address = shared().make_schema()
    with Installation(database=address, nodes=1) as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        fill(server, owner, sandbox)
        yield server, address


def test_verify_reads_a_database_beside_its_server_and_on_a_standby_and_names_what_was_changed(filled):
    server, address = filled
    whole = server.command("verify")
    assert "all is whole" in whole.stdout and " 1 attachments" in whole.stdout and "has every key" in whole.stdout
    standby = shared().make_standby()
    try:
        there = address.replace("postgres?", "postgres?port=5433&")
        assert b"all is whole" in run("verify", "--database", there).stdout
        exported = run("export", "-", "--database", there, "--data", "/nonexistent").stdout
        assert lines_of(exported)
    finally:
        standby.stop()

    server.stop()
    schema = address.rsplit("%3D", 1)[1]
    shared().ask(f"UPDATE {schema}.messages SET summary = 'x' WHERE sequence = 1 AND summary <> ''")
    found = server.command("verify", check=False)
    assert found.returncode == 1 and re.search("damaged: message .*check sum of the row", found.stdout), found.stdout
    refused = server.command("export", "-", check=False)
    assert refused.returncode == 1 and "something is damaged" in refused.stderr
    # The server reads the newest places of the log as soon as it has started, and raises the alarm.
    server.start()
    end = time.monotonic() + 60
    while "event=row_damaged" not in server.log_text():
        assert time.monotonic() < end, server.log_text()
        time.sleep(0.05)
    assert "kind=message" in server.log_text()


def test_a_database_that_is_none_is_a_sentence():
    empty = run("verify", "--database", shared().make_schema(), check=False)
    assert empty.returncode == 2 and b"has no data of Frontdesk's" in empty.stderr
    gone = run("verify", "--database", "postgresql://frontdesk@127.0.0.1:1/postgres", check=False)
    assert gone.returncode == 2 and b"is the server running" in gone.stderr
    gone = run("export", "-", "--database", "postgresql://frontdesk@127.0.0.1:1/postgres", check=False)
    assert gone.returncode == 1 and b"is the server running" in gone.stderr


def test_an_export_of_a_database_becomes_the_same_in_a_database_and_in_a_directory(filled, tmp_path):
    server, address = filled
    file, data = tmp_path / "a.jsonl", tmp_path / "data"
    assert "through the server" in server.command("export", str(file)).stderr
    things = lines_of(file.read_bytes())
    direct = run("export", "-", "--database", address, "--data", tmp_path)
    assert b"on the database" in direct.stderr and lines_of(direct.stdout) == things

    other = shared().make_schema()
    made = run("import", file, "--database", other, "--data", data)
    assert b"all is whole" in made.stdout and b"is imported in the database" in made.stdout
    assert lines_of(run("export", "-", "--database", other).stdout) == things
    again = run("import", file, "--database", other, "--data", data, check=False)
    assert again.returncode == 2 and b"is not empty" in again.stderr and b"--merge" in again.stderr

    # From the database into a directory, and a server on the database that was made.
    run("import", "-", "--data", tmp_path / "directory", input=run("export", "-", "--database", other).stdout)
    assert lines_of(run("export", "-", "--data", tmp_path / "directory").stdout) == things
    with Installation(database=other, data=tmp_path, nodes=1) as second:
        texts = [json.loads(line)["id"] for line in things if line.startswith(b'{"type":"message"')]
        kept = lines_of(second.command("export", "-").stdout.encode())
        assert [line for line in kept if line in set(things)] == things and texts
        second.verify()


def test_a_server_refuses_a_database_while_an_import_runs_and_an_import_that_is_ended_leaves_nothing(
        filled, tmp_path):
    server, _ = filled
    archive = server.command("export", "-").stdout.encode()
    other = shared().make_schema()
    importing = subprocess.Popen(
        [str(BINARY), "import", "-", "--database", other, "--data", str(tmp_path / "a")], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        # All but the end: it waits for the rest in its transaction.
        importing.stdin.write(archive[:-100])
        importing.stdin.flush()
        end = time.monotonic() + 60
        locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted " \
            "AND pid IN (SELECT pid FROM pg_stat_activity WHERE state LIKE 'idle in transaction%')"
        while shared().ask(locks) == "0":
            assert time.monotonic() < end and importing.poll() is None
            time.sleep(0.05)
        refused = run("serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "b", "--database", other, check=False)
        assert refused.returncode == 1 and b"an import into it is under way" in refused.stderr, refused.stderr
        second = run("import", "-", "--database", other, "--data", tmp_path / "c", input=archive, check=False)
        assert second.returncode == 2 and b"an import into it is under way" in second.stderr, second.stderr
    finally:
        importing.kill()
        importing.wait(timeout=60)
    schema = other.rsplit("%3D", 1)[1]
    end = time.monotonic() + 60
    while shared().ask(locks) != "0":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert shared().ask(f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'") == "0"
    cut = run("import", "-", "--database", other, "--data", tmp_path / "a", input=archive[:-100], check=False)
    assert cut.returncode == 1 and b"it was cut off" in cut.stderr
    run("import", "-", "--database", other, "--data", tmp_path / "a", input=archive)


def test_a_merge_into_a_database_beside_its_server_adds_what_is_missing(filled, tmp_path):
    server, _ = filled
    file = tmp_path / "a.jsonl"
    server.command("export", str(file))
    other = shared().make_schema()
    with Installation(database=other, nodes=1) as second:
        owner = second.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        said = Customer(second, sandbox["id"]).say("mine")["message"]
        first = second.command("import", str(file), "--merge")
        assert "added" in first.stdout and "0 were there already" in first.stdout, first
        again = second.command("import", str(file), "--merge")
        assert again.stdout.startswith("added 0 messages in 0 new conversations"), again
        key = second.make_key(sandbox["id"])
        Session(second, key=key).fetch(f"/api/conversations/{said['conversation']}")
        second.verify()
