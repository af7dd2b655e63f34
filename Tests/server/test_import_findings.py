"""What an import prints, and what it makes of people and states of Chatwoot."""

import json
import subprocess

from support.binary import BINARY
from support.server import PASSWORD, Session
from test_import import desk, person, said, until, work  # noqa: F401


def lines(folder, *all_of_them):
    """A file with a line for each."""
    file = folder / "lines.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in all_of_them))
    return file


def message(name, **more):
    """A line with a message."""
    return {"type": "message", "customer": "1", "id": name, "time": "2025-03-01T09:00:00Z", "direction": "inbound", "text": "x", **more}


def test_what_others_wrote_commands_no_terminal(desk, tmp_path):
    evil = "\x1b[2J\x1b[1;1HAll is well\u202e\r\x9b0m\x7f"
    file = lines(tmp_path, message("new", time="2025-03-02T09:00:00Z"), message(evil), message("m3", **{evil: 1}), {"type": evil}, message("m4", text="", direction=evil))
    printed = subprocess.run([str(BINARY), "import", str(file), "--from", "jsonl", "--server", desk.server.url, "--key-file", str(desk.key_file)], capture_output=True)
    text = (printed.stdout + printed.stderr).decode()
    assert "All is well" in text and "\\u001b[2J" in text and "\\u202e\\u000d\\u009b0m\\u007f" in text
    assert not set(text) & set("\x1b\u202e\r\x9b\x7f"), text


def test_a_finding_says_where_it_is_and_a_total_has_each_line(desk, tmp_path):
    file = lines(tmp_path, message("whole"), '{"type": "message", "type": "note"}', '{"type": "label", "name": "VIP", "colour": "red"}', message("m" * 4 * 1024 * 1024), message("late", time="x"))
    said = desk.run("import", file, "--from", "jsonl", code=1)
    assert "line 2: error: Column 21: " in said and "(column 2)" in said and "line 1" not in said, said
    assert "line 3, label VIP: error: /colour: " in said and "line 5, message late: error: /time: " in said, said
    assert "too long: 1 refused" in said and "message: 1 added, 0 updated, 0 known, 1 refused" in said, said


def test_a_finding_of_chatwoot_names_what_it_is_about(desk, tmp_path):
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"payload": [{"id": 1, "title": "vip", "color": "green"}]}))
    assert 'label "vip", label vip: error: /colour: ' in desk.run("import", file, "--from", "chatwoot", code=1)


def test_agents_of_chatwoot_are_no_customers_and_have_their_messages(desk, tmp_path):
    made = desk.owner.post(f"/api/businesses/{desk.business}/members", {"email": "bob@example.com", "role": "agent"}, 201)
    Session(desk.server).post("/api/invitations/accept", {"token": made["invitationUrl"].rsplit("=", 1)[-1], "name": "Bob", "password": PASSWORD}, 201)
    # Agents and contacts are numbered apart; a contact has an availability, too.
    agents = [{"id": 1, "account_id": 1, "availability_status": "online", "auto_offline": True, "confirmed": True, "email": "bob@example.com",
               "available_name": "Bob", "name": "Bob Agent", "role": "agent", "thumbnail": ""}]
    file = tmp_path / "answers.json"
    for order in (1, -1):
        parts = [agents, {"payload": [person(1, availability_status="offline")]}, {"data": {"meta": {}, "payload": [work(5, 1)]}},
                 {"meta": {}, "payload": [said(7, 5, 10, 1, sender={"id": 1, "name": "Bob Agent", "type": "user"}), said(8, 5, 11, 1, sender={"id": 1, "name": "Robot", "type": "agent_bot"})]}]
        file.write_text("\n".join(json.dumps(part) for part in parts[::order]))
        printed = desk.run("import", file, "--from", "chatwoot")
        assert "customer: " in printed and "passed over" not in printed
        [customer] = desk.rows("customers")
        assert customer["name"] == "Person 1"
        assert [(row["author"], row["authorEmail"]) for row in desk.rows("messages")] == [("Bob", "bob@example.com"), ("Robot", None)]


def test_several_conversations_of_a_person_are_one_in_the_state_of_the_most_open(desk, tmp_path):
    ada = {"sender": person(1), "assignee": {"id": 9, "name": "Ada", "email": "ada@example.com"}}
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"data": {"meta": {}, "payload": [
        work(3, 1, last_activity_at=1_740_819_000, status="open", priority="urgent", meta=ada), work(4, 1, last_activity_at=1_740_819_900),
        work(5, 1, last_activity_at=1_740_819_800, status="pending")]}}))
    printed = desk.run("import", file, "--from", "chatwoot")
    assert "contacts with several conversations, which are one here, in the state of the most open one: 1" in printed
    [row] = desk.rows("conversations")
    assert (row["state"], row["priority"], row["assignee"]) == ("open", "urgent", "ada@example.com")


def test_an_import_whose_server_ends_says_how_far_it_came_and_what_to_do(desk, tmp_path):
    file = lines(tmp_path, *(message(f"m{one}", time=f"2025-03-01T{one // 3_600:02d}:{one // 60 % 60:02d}:{one % 60:02d}Z") for one in range(20_000)))
    words = [str(BINARY), "import", str(file), "--from", "jsonl", "--server", desk.server.url, "--key-file", str(desk.key_file)]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: [row for row in desk.rows("customers") if row["messages"] >= 1_000])
    desk.server.kill()
    out, complaint = running.communicate(timeout=90)
    assert running.returncode == 2 and "message: " in out and " added" in out, (out, complaint)
    # Before several nodes a balancer answers.
    assert "does not answer" in complaint or "answered 50" in complaint, complaint
    assert "run it again, which adds only what is not there yet" in complaint, complaint
    desk.server.start()
    again = desk.run("import", file, "--from", "jsonl")
    assert len(desk.rows("messages")) == 20_000 and " 0 refused" in again
