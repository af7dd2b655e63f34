"""Moving in while the server runs, from Chatwoot and from lines of JSON, and moving out as tables."""

import csv
import json
import os
import random
import subprocess
import sys
import time

import pytest
from support.server import BINARY, Customer, Installation, Session

# Runs a command and prints the most memory that it had, in KiB: one that this process began itself would count as having
# had this process's memory.
PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""
CHATWOOT = 1_740_819_600  # 2025-03-01T09:00:00Z


def person(number, **more):
    return {"id": number, "name": f"Person {number}", "email": f"p{number}@example.com", "phone_number": None,
            "identifier": f"C-{number}", "blocked": False, "custom_attributes": {"tier": "gold", "visits": 3, "long": "x" * 501, "none": None, "tags": ["a"]},
            "additional_attributes": {"city": "Kyoto"}, "created_at": CHATWOOT - 100, **more}


def work(number, contact, **more):
    return {"id": number, "status": "resolved", "priority": None, "labels": [], "created_at": CHATWOOT,
            "last_activity_at": CHATWOOT + number, "snoozed_until": None, "muted": False, "messages": [],
            "meta": {"sender": person(contact), "assignee": None, "channel": "Channel::Api"}, **more}


def said(number, conversation, at, kind=0, content="Hello", **more):
    return {"id": number, "content": content, "message_type": kind, "content_type": "text", "private": False,
            "content_attributes": {}, "created_at": CHATWOOT + at, "conversation_id": conversation,
            "sender": {"id": 9, "name": "Alice", "type": "user"} if kind else {"id": 1, "name": "Person 1"},
            **more}


def answers():
    """What Chatwoot's API answers, in the shapes of its documentation, as one file."""
    conversations = [
        work(11, 1, status="open", priority="medium", labels=["refund"], custom_attributes={"order": "A-17", "n" * 41: "x"},
             meta={"sender": person(1), "assignee": {"id": 9, "name": "Ada", "email": "ada@example.com"}}),
        work(5, 1, labels=["vip"], custom_attributes={"order": "A-1", "shop": "Kyoto"}), work(12, 2, status="snoozed", snoozed_until=4_000_000_000),
    ]
    messages = [
        said(101, 5, 10, content="An old question"), said(102, 5, 20, 1, content="An old answer"),
        said(103, 11, 30, content="Is my order ready?"),
        said(104, 11, 35, 1, content="Ask the shop", private=True, content_attributes={"in_reply_to": 103}),
        said(105, 11, 40, 1, content="It is", content_attributes={"in_reply_to": 103}, sender={"id": 9, "name": "Ada", "email": "ada@example.com"}),
        said(106, 11, 41, 2, content="Ada was assigned"), said(107, 11, 42, 1, content=None),
        said(108, 11, 43, content="See", attachments=[
            {"id": 1, "file_type": "image", "data_url": "https://chat.example/photo.jpg"}]),
        said(109, 12, 50, 3, content="Choose", content_type="input_select"),
    ]
    parts = [
        {"payload": [{"id": 1, "title": "refund", "color": "#1f93ff"}, {"id": 2, "title": "vip", "color": "#ff0000"}]},
        [{"id": 1, "account_id": 1, "short_code": "Hi there", "content": "Hello {{contact.name}}"}],
        # Messages before people, newest first, pages that overlap.
        {"meta": {"labels": []}, "payload": messages[::-1]},
        {"meta": {"labels": []}, "payload": messages[:3]},
        {"data": {"meta": {"all_count": 3}, "payload": conversations}},
        {"meta": {"count": 3, "current_page": 1}, "payload": [person(1), person(2), person(3, blocked=True)]},
        {"meta": {"count": 3, "current_page": 2}, "payload": []},
    ]
    return "\n".join(json.dumps(part) for part in parts)


def until(found):
    """Waits until something is so, for a minute."""
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end
        time.sleep(0.1)


class Desk:
    """A server with an owner, a key in a file, and the commands that use it."""

    def __init__(self, server, folder):
        self.server, self.owner, self.folder = server, server.make_owner(), folder
        self.business = self.owner.post("/api/businesses", {"name": "Shop", "mode": "test"}, 201)["id"]
        self.key = server.make_key(self.business)
        self.session = Session(server, key=self.key)
        self.key_file = folder / "key"
        self.key_file.write_text(self.key)

    def run(self, *words, code=0, environment=None):
        done = subprocess.run(
            [str(BINARY), *map(str, words), "--server", self.server.url, "--key-file", str(self.key_file)],
            capture_output=True, text=True, env={**os.environ, **(environment or {})})
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def rows(self, table, query=""):
        text = self.session.call("GET", f"/api/businesses/{self.business}/exports/{table}?{query}").text
        return [json.loads(line) for line in text.splitlines()]

    def head(self):
        return self.session.fetch("/api/conversations")["head"]


@pytest.fixture
def desk(tmp_path):
    with Installation() as server:
        yield Desk(server, tmp_path)


def test_answers_of_chatwoot_come_in_while_the_server_runs_and_a_second_time_not_at_all(desk, tmp_path):
    file = tmp_path / "answers.json"
    file.write_text(answers())
    before = desk.head()
    dry = desk.run("import", file, "--from", "chatwoot", "--dry-run")
    assert "nothing was imported" in dry and desk.head() == before
    first = desk.run("import", file, "--from", "chatwoot")
    assert "message: 6 added, 0 updated, 0 known, 0 refused" in first
    assert "note: 1 added" in first and "customer: 3 added" in first and "label: 2 added" in first
    assert "template: 1 added" in first
    for lost in ("attributes of conversations left out, since metadata has no room for them: 1", "files that are not fetched: their addresses are in the texts: 1",
                 "messages left out, as activities of Chatwoot: 1", "messages that do not say here which one they answer: 1", "messages left out, without text and files: 1", "cards and forms of which the text alone is imported: 1",
                 "contacts with several conversations, which are one here, in the state of the most open one: 1", "contacts that are blocked in Chatwoot and not here: block them: 1"):
        assert lost in first and lost in dry, lost
    # The dry run counted what then happened.
    counts = [line for line in first.splitlines() if ": " in line and "added" in line]
    assert counts == [line for line in dry.splitlines() if ": " in line and "added" in line]
    people = {row["externalId"]: row for row in desk.rows("customers")}
    assert people["C-1"]["name"] == "Person 1" and people["C-1"]["messages"] == 5
    assert people["C-1"]["notes"] == "email: p1@example.com\ncity: Kyoto\nlong: " + "x" * 501
    assert json.loads(people["C-1"]["metadata"]) == {"tier": "gold", "visits": "3"}
    rows = {row["customer"]: row for row in desk.rows("conversations")}
    one = rows[people["C-1"]["customer"]]
    assert (one["state"], one["assignee"], one["priority"]) == ("open", "ada@example.com", "normal")
    assert json.loads(one["metadata"]) == {"order": "A-17", "shop": "Kyoto"}
    assert one["labels"] == "refund|vip" and one["unread"] == 0 and one["waitingSince"] is None
    assert rows[people["C-2"]["customer"]]["state"] == "snoozed"
    assert rows[people["C-3"]["customer"]]["state"] == "closed"
    messages = [row for row in desk.rows("messages") if row["customer"] == people["C-1"]["customer"]]
    assert [row["text"] for row in messages] == [
        "An old question", "An old answer", "Is my order ready?", "It is", "See\nhttps://chat.example/photo.jpg"]
    assert [row["author"] for row in messages][1] == "Alice" and messages[3]["authorEmail"] == "ada@example.com"
    assert [row["inReplyTo"] for row in messages] == [None, None, None, messages[2]["id"], None]
    assert messages[0]["time"] == "2025-03-01T09:00:10.000Z" and messages[0]["importedFrom"] == "chatwoot"
    assert [row["text"] for row in desk.rows("notes")] == ["Ask the shop"]
    until(lambda: desk.owner.fetch("/api/search?q=order%20ready")["data"])
    after = desk.head()
    second = desk.run("import", file, "--from", "chatwoot")
    assert "message: 0 added, 0 updated, 6 known, 0 refused" in second
    assert desk.head() == after


def test_nothing_reacts_to_what_comes_in(desk, tmp_path):
    desk.owner.post(f"/api/businesses/{desk.business}/rules", {
        "name": "all", "when": "customerMessage", "if": [], "then": [{"priority": "urgent"}]}, 201)
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in [
        {"type": "message", "customer": "1", "id": "a", "time": "2025-03-01T09:00:00Z", "direction": "inbound",
         "text": "old"},
        {"type": "message", "customer": "1", "id": "b", "time": "2025-03-01T09:01:00Z", "direction": "inbound",
         "text": "still old"}]))
    desk.run("import", file, "--from", "jsonl")
    # A message of now, on which the rule acts: what came before it in the log was judged by then.
    phone = Customer(desk.server, desk.business)
    here = phone.say("new")["message"]["conversation"]
    until(lambda: desk.owner.fetch(f"/api/conversations/{here}")["priority"] == "urgent")
    imported = next(row for row in desk.rows("conversations") if row["conversation"] != here)
    assert imported["priority"] == "none" and imported["state"] == "closed" and imported["unread"] == 0
    def received(days):
        return desk.owner.fetch(f"/api/businesses/{desk.business}/reports?{days}")["total"]["received"]
    until(lambda: received("") == 1)
    assert received("from=2025-03-01&to=2025-03-02") == 0


def test_lines_that_are_anything_leave_the_server_as_it_was(desk, tmp_path):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    whole = json.dumps({"type": "message", "customer": "1", "id": "a", "time": "2025-03-01T09:00:00Z",
                        "direction": "inbound", "text": "x"}).encode()
    lines = []
    for _ in range(400):
        line = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            line[chance.randrange(len(line))] = chance.choice([0, 0x0D, 0x22, 0x7B, 0x7D, 0xFF, chance.randrange(256)])
        lines.append(bytes(line).replace(b"\n", b" "))
    answer = desk.session.post(
        f"/api/businesses/{desk.business}/imports", b"\n".join(lines),
        headers={"Content-Type": "application/x-ndjson"})
    assert answer["lines"] == 400, f"seed {seed}"
    done = sum(sum(one.values()) for one in answer["counts"].values()) + answer["unknown"]
    assert done + sum(not line.strip(b" \t\r") for line in lines) == 400, f"seed {seed}"


@pytest.mark.one_process
def test_100_000_messages_come_in_and_go_out_within_a_bound_of_memory(desk, tmp_path):
    file = tmp_path / "many.jsonl"
    with file.open("w") as out:
        for number in range(100_000):
            minutes = number // 100
            out.write(json.dumps({
                "type": "message", "customer": str(number % 100), "id": f"m{number}",
                "time": f"2025-03-{1 + minutes // 1440:02d}T{minutes // 60 % 24:02d}:{minutes % 60:02d}:00Z",
                "direction": ("inbound", "outbound")[number % 2], "text": f"message {number} " + "x" * 200}) + "\n")
    watched = [str(BINARY), "import", str(file), "--from", "jsonl", "--server", desk.server.url, "--key-file",
               str(desk.key_file)]
    done = subprocess.run([sys.executable, "-c", PEAK, *watched], capture_output=True, text=True, check=True)
    assert "message: 100000 added" in done.stdout
    peak = int(done.stdout.splitlines()[-1])
    # The file has 30 MB: neither side holds it.
    assert peak < 100_000, peak
    peak = int(next(line for line in open(f"/proc/{desk.server.process.pid}/status") if "VmHWM" in line).split()[1])
    assert peak < 400_000, peak
    target = tmp_path / "many.csv"
    desk.run("export", target, "--as", "csv")
    with target.open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 100_000 and {row["direction"] for row in rows} == {"inbound", "outbound"}
    assert len({(row["customer"], row["id"]) for row in rows}) == 100_000


def test_tables_are_read_by_others_and_come_in_elsewhere(desk, tmp_path):
    phone = Customer(desk.server, desk.business)
    texts = ["=1+1", "+1", "-1", "@x", "\tx", "a,b", 'say "x"', "two\nlines", "ご注文", "  =1;+1"]
    for text in texts:
        phone.say(text)
    desk.run("export", tmp_path / "m.csv", "--as", "csv", "--table", "messages")
    with (tmp_path / "m.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    shown = [row["text"] for row in rows]
    assert shown == [("'" if text.lstrip(" ")[0] in "=+-@\t" else "") + text for text in texts]
    # Spreadsheets look past blanks in front.
    assert not any(cell.lstrip(" ")[:1] in ("=", "+", "-", "@") for row in rows for cell in row.values())
    for table in ("customers", "conversations", "messages", "notes"):
        desk.run("export", tmp_path / f"{table}.jsonl", "--as", "jsonl", "--table", table)
    lines = (tmp_path / "messages.jsonl").read_text().splitlines()
    assert [json.loads(line)["text"] for line in lines] == texts
    assert len({tuple(json.loads(line)) for line in lines}) == 1
    other = desk.owner.post("/api/businesses", {"name": "Branch", "mode": "test"}, 201)["id"]
    key = desk.server.make_key(other)
    desk.key_file.write_text(key)
    for table in ("customers", "conversations", "messages"):
        desk.run("import", tmp_path / f"{table}.jsonl", "--from", "jsonl", "--source", "frontdesk")
    copied = Session(desk.server, key=key).call("GET", f"/api/businesses/{other}/exports/messages").text
    assert [json.loads(line)["text"] for line in copied.splitlines()] == texts
    assert "not there" not in desk.run("import", tmp_path / "messages.jsonl", "--from", "jsonl", "--source", "frontdesk")


def test_an_export_with_an_erased_message_comes_in_whole_and_is_whole_for_verify(desk, tmp_path):
    phone = Customer(desk.server, desk.business)
    said = [phone.say(text)["message"] for text in ("one", "two", "three")]
    desk.owner.call("DELETE", f"/api/conversations/{said[1]['conversation']}/messages/{said[1]['id']}")
    for table in ("customers", "conversations", "messages"):
        desk.run("export", tmp_path / f"{table}.jsonl", "--as", "jsonl", "--table", table)
    other = desk.owner.post("/api/businesses", {"name": "Branch", "mode": "test"}, 201)["id"]
    key = desk.server.make_key(other)
    desk.key_file.write_text(key)
    for table in ("customers", "conversations", "messages"):
        desk.run("import", tmp_path / f"{table}.jsonl", "--from", "jsonl", "--source", "frontdesk")
    again = desk.run("import", tmp_path / "messages.jsonl", "--from", "jsonl", "--source", "frontdesk")
    assert "message: 0 added, 0 updated, 3 known, 0 refused" in again
    copied = Session(desk.server, key=key).call("GET", f"/api/businesses/{other}/exports/messages").text
    rows = [json.loads(line) for line in copied.splitlines()]
    assert [row["text"] for row in rows] == ["one", None, "three"]
    assert [row["erasedAt"] is None for row in rows] == [True, False, True]
    desk.server.verify()


def test_a_line_that_is_too_long_keeps_no_other_from_being_imported(desk, tmp_path):
    file = tmp_path / "lines.jsonl"
    def line(number, text):
        return json.dumps({"type": "message", "customer": "1", "id": f"m{number}", "time": "2025-03-01T09:00:00Z",
                           "direction": "inbound", "text": text})
    file.write_text("\n".join([line(1, "one"), line(2, "x" * 4 * 1024 * 1024), line(3, "three")]), encoding="utf-8-sig")
    for dry in (["--dry-run"], []):
        said = desk.run("import", file, "--from", "jsonl", *dry, code=1)
        assert "line 2: error: found more than 4194303 bytes" in said
        assert "message: 2 added, 0 updated, 0 known, 0 refused" in said
    assert [row["text"] for row in desk.rows("messages")] == ["one", "three"]


def test_answers_of_chatwoot_that_are_nested_without_end_are_refused(desk, tmp_path):
    file = tmp_path / "answers.json"
    file.write_text("[" * 200_000 + "]" * 200_000)
    assert desk.run("import", file, "--from", "chatwoot", code=2) == ""


def test_what_a_contact_of_chatwoot_has_too_much_of_stands_in_the_notes(desk, tmp_path):
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"payload": [person(1, identifier="C" * 300)]}))
    desk.run("import", file, "--from", "chatwoot")
    [row] = desk.rows("customers")
    assert row["name"] == "Person 1" and row["externalId"] is None and "identifier: " + "C" * 300 in row["notes"]


def test_a_wrong_command_line_says_what_is_right(desk, tmp_path):
    file = tmp_path / "f"
    file.write_text("{}")
    desk.run("import", file, "--from", "zendesk", code=2)
    desk.run("import", file, "--from", "chatwoot", "--merge", code=2)
    desk.run("import", "-", "--from", "chatwoot", code=2)
    desk.run("import", file, "--from", "jsonl", "--business", "nobody", code=2)
    desk.run("import", tmp_path / "missing", "--from", "jsonl", code=2)
    assert "error" in desk.run("import", file, "--from", "jsonl", code=1)
    desk.run("export", tmp_path / "t", "--as", "xml", code=2)
    desk.run("export", file, "--as", "csv", code=2)


@pytest.mark.parametrize("text", [
    json.dumps({"payload": [{"id": 1, "name": "Person 1"}]}), '[{"id": 1}]', '{"type": "customer", "id": "c1", "name": "Aki"}\n', "id,name\n1,Aki\n",
    '{"type": "message", "customer": "c1", "id": "m1", "direction": "inbound", "text": "Hello"}'])
@pytest.mark.parametrize("more", [[], ["--merge"]])
def test_what_is_no_export_is_refused_with_how_another_system_s_is_imported(tmp_path, text, more):
    file = tmp_path / "answers.json"
    file.write_text(text)
    done = subprocess.run([str(BINARY), "import", str(file), "--data", str(tmp_path / "data"), *more], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "nothing was imported: line 1: " in done.stderr
    assert "of another system: import it with --from chatwoot or --from jsonl (docs/import.md)" in done.stderr
    assert not (tmp_path / "data").exists()


def test_an_export_that_cannot_be_read_is_not_said_to_be_another_system_s(tmp_path):
    file = tmp_path / "later.jsonl"
    file.write_text('{"type":"frontdesk-export","version":99}\n')
    done = subprocess.run([str(BINARY), "import", str(file), "--data", str(tmp_path / "data")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "another system" not in done.stderr
