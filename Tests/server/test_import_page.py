"""docs/import.md as a reader uses it: its program, which reads another system, and its commands, in their order."""

import http.server
import json
import os
import re
import subprocess
import sys
import threading
import urllib.parse

import duckdb
import pytest
from support.server import BINARY, ROOT, Installation, Session
from test_import import person, said, work

PAGE = (ROOT / "docs" / "import.md").read_text()
PROGRAM = re.search(r"```python chatwoot.py\n(.*?)```", PAGE, re.S).group(1)
# A page of 20 contacts, and one of conversations with their contacts, has more than a pipe holds.
SIZE, LONG = 20, "x" * 4_000
PIPE = 64 * 1024
# Messages of the first conversation: three answers, the last of them not full.
MESSAGES = 45
# Rows by which DuckDB judges a column by itself.
SAMPLE = 20_480
BEGIN = 1_767_258_000 - 1_740_819_600  # The moments of test_import's messages, moved to January 2026.


class Chatwoot:
    """Answers as its API does, in pages; each address is refused once at first."""

    def __init__(self, passes_over=()):
        self.passes_over, self.asked, self.sizes, self.keys = set(passes_over), [], [], set()
        self.people = [person(one, custom_attributes={}, additional_attributes={"about": LONG}) for one in range(1, 41)]
        self.works = [work(one, one, meta={"sender": self.people[one - 1], "assignee": None}) for one in range(1, 31)]
        self.messages = {one: [said(one * 100_000, one, BEGIN, content=f"First of {one}")] for one in range(1, 31)}
        self.messages[1] = [said(1_000 + one, 1, BEGIN + one, one % 2, content=f"Message {one}") for one in range(MESSAGES)]
        end = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""

            def do_GET(self):
                """Answers it."""
                end.keys.add(self.headers["api_access_token"])
                is_new = self.path not in end.asked
                end.asked.append(self.path)
                body = b"" if is_new else json.dumps(end.answer(self.path)).encode()
                end.sizes.append(len(body))
                self.send_response(503 if is_new else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, target):
        """What it answers to a request."""
        path, _, query = target.removeprefix("/api/v1/accounts/7/").partition("?")
        known = {name: value for name, value in urllib.parse.parse_qsl(query) if name not in self.passes_over}

        def page(things):
            begin = (int(known.get("page", 1)) - 1) * SIZE
            return things[begin:begin + SIZE]
        if path == "labels":
            return {"payload": [{"id": 1, "title": "refund", "color": "#1f93ff"}]}
        if path == "canned_responses":
            return [{"id": 1, "account_id": 1, "short_code": "Hi there", "content": "Hello {{contact.name}}"}]
        if path == "agents":
            # A sender of a message has no address, so that is where it is found.
            return [{"id": 9, "account_id": 7, "name": "Alice", "email": "ada@example.com", "role": "administrator", "confirmed": True}]
        if path == "contacts":
            return {"meta": {"count": len(self.people)}, "payload": page(self.people)}
        if path == "conversations":
            assert known["status"] == "all"
            return {"data": {"meta": {"all_count": len(self.works)}, "payload": page(self.works)}}
        conversation = re.fullmatch(r"conversations/(\d+)/messages", path).group(1)
        before = int(known.get("before", 1 << 40))
        return {"meta": {}, "payload": [one for one in self.messages[int(conversation)] if one["id"] < before][-SIZE:]}


@pytest.fixture
def chatwoot():
    system = Chatwoot()
    yield system
    system.server.shutdown()


def read(system, folder):
    """Runs the program of the page."""
    # It waits a second and more where it is refused.
    (folder / "chatwoot.py").write_text("import time; time.sleep = lambda _: None\n" + PROGRAM)
    return subprocess.run(
        [sys.executable, "chatwoot.py"], cwd=folder, capture_output=True, text=True, timeout=60,
        env={**os.environ, "CHATWOOT": system.url, "ACCOUNT": "7", "TOKEN": "secret"})


def run(page, server, folder):
    """Runs commands of the page."""
    done = subprocess.run(
        ["bash", "-c", "set -eo pipefail\n" + page.replace("https://desk.example", server.url)], cwd=folder, capture_output=True, text=True, timeout=120,
        env={**os.environ, "FRONTDESK_DATA": str(server.data), "PATH": f"{BINARY.parent}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_program_and_the_commands_of_the_page_bring_all_of_another_system(chatwoot, tmp_path):
    done = read(chatwoot, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert chatwoot.keys == {"secret"} and sum(size > PIPE for size in chatwoot.sizes) == 3
    assert not (tmp_path / "answers.part").exists()
    before = [target.partition("before=")[2] for target in dict.fromkeys(chatwoot.asked) if "/1/messages" in target]
    assert before == ["", "1025", "1005", "1000"]
    commands = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    assert [block.split()[0] for block in commands] == ["CHATWOOT=https://chat.example", "(umask", "frontdesk", "frontdesk"]
    with Installation() as server:
        owner = server.make_owner()
        business = next(one["id"] for one in owner.fetch("/api/businesses")["data"] if one["name"] == "My business")
        imported = run(commands[1], server, tmp_path)
        assert f"message: {MESSAGES + 29} added, 0 updated, 0 known, 0 refused" in imported
        assert "customer: 40 added" in imported and "label: 1 added" in imported and "template: 1 added" in imported
        assert "a dry run: nothing was imported" in imported
        run(commands[3], server, tmp_path)
        rows = [json.loads(line) for line in (tmp_path / "messages.jsonl").read_text().splitlines()]
        assert not any(isinstance(value, (dict, list)) for row in rows for value in row.values())
        texts = [row["text"] for row in rows if row["text"].startswith("Message")]
        assert texts == [f"Message {one}" for one in range(MESSAGES)]
        assert {row["authorEmail"] for row in rows if row["direction"] == "outbound"} == {"ada@example.com"}
        assert {row["author"] for row in rows if row["direction"] == "outbound"} == {"Ada"}
        assert len((tmp_path / "messages.csv").read_text().splitlines()) == 1 + len(rows) == MESSAGES + 30
        # The key of the page has what an import needs, and a key that names no scope has not.
        words = server.command("key", "create", "--name", "plain", "--business", business).stdout
        plain = Session(server, key=re.search(r"fd_live_[A-Za-z0-9_.-]+", words).group(0))
        refused = plain.post(f"/api/businesses/{business}/imports", b"{}", 403, headers={"Content-Type": "application/x-ndjson"})
        assert refused["code"] == "missing_scope"


def test_the_lines_of_the_page_are_imported_by_its_commands(tmp_path):
    (lines,) = re.findall(r"```json\n(.*?)```", PAGE, re.S)
    (tmp_path / "history.jsonl").write_text(lines)
    commands = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    with Installation() as server:
        server.make_owner()
        imported = run(commands[1].splitlines()[0] + "\n" + commands[2], server, tmp_path)
    before, after = imported.split("a dry run: nothing was imported")
    for counted in (before, after):
        assert "message: 2 added, 0 updated, 0 known, 0 refused" in counted and "note: 1 added" in counted, imported


def test_the_statement_of_the_page_makes_parquet_of_an_export_whatever_its_texts_look_like(tmp_path):
    (statement,) = re.findall(r"```sql\n(.*?)```", PAGE, re.S)
    with Installation() as server:
        owner = server.make_owner()
        business = owner.post("/api/businesses", {"name": "Shop", "mode": "test"}, 201)["id"]
        key = Session(server, key=server.make_key(business))
        lines = "\n".join(json.dumps({
            "type": "message", "customer": "1", "id": f"m{number}", "time": f"2026-01-01T09:00:0{number}.000Z",
            "direction": ("inbound", "outbound")[number], "text": text, "metadata": {"order": "A-17"}})
            for number, text in enumerate(("2026-01-01", "No date")))
        key.post(f"/api/businesses/{business}/imports", lines.encode(), headers={"Content-Type": "application/x-ndjson"})
        rows = key.call("GET", f"/api/businesses/{business}/exports/messages").text.splitlines(keepends=True)
    # The first row often enough that what is like it fills what DuckDB looks at by itself.
    (tmp_path / "messages.jsonl").write_text(SAMPLE * rows[0] + "".join(rows))
    # It reads and writes where it is started.
    subprocess.run([sys.executable, "-c", "import duckdb, sys; duckdb.sql(sys.argv[1])", statement], cwd=tmp_path, check=True, timeout=60)
    table = f"'{tmp_path / 'messages.parquet'}'"
    columns = {name: kind for name, kind, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM {table}").fetchall()}
    assert list(columns) == list(json.loads(rows[0]))
    assert {name: columns[name] for name in ("time", "text", "sequence", "automatic", "payload", "metadata")} == {
        "time": "TIMESTAMP WITH TIME ZONE", "text": "VARCHAR", "sequence": "BIGINT", "automatic": "BOOLEAN",
        "payload": "VARCHAR", "metadata": "VARCHAR"}
    assert duckdb.sql(f"SELECT count(*) FROM {table}").fetchall() == [(SAMPLE + 2,)]
    [(text, order, moment)] = duckdb.sql(
        f"SELECT text, metadata, epoch_ms(time) FROM {table} ORDER BY sequence DESC LIMIT 1").fetchall()
    assert (text, json.loads(order), moment) == ("No date", {"order": "A-17"}, 1_767_258_001_000)


@pytest.mark.parametrize("name", ["before", "page"])
def test_the_program_of_the_page_ends_without_a_file_where_the_other_system_passes_over_what_it_asks(name, tmp_path):
    system = Chatwoot(passes_over=[name])
    done = read(system, tmp_path)
    system.server.shutdown()
    assert done.returncode != 0 and f"AssertionError: it passes over `{name}`" in done.stderr, done.stdout + done.stderr
    assert not (tmp_path / "answers.json").exists()
