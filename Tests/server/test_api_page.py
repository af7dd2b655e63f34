"""docs/api.md as a reader uses it: its commands, in their order, and its bot, which is killed on the way."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from support.server import BINARY, ROOT, Customer, Session

PAGE = (ROOT / "docs" / "api.md").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the reader works: the commands write their files there."""
    return tmp_path_factory.mktemp("reader")


@pytest.fixture(scope="module")
def said(server, owner, sandbox, folder):
    """What the commands of the page print."""
    blocks = re.findall(r"```sh example\n(.*?)```", PAGE, re.S)
    assert len(blocks) > 8, "the page has no commands"
    script = "set -eo pipefail\n" + "\n".join(blocks).replace("http://127.0.0.1:8080", server.url)
    ran = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=120, cwd=folder,
        env={**os.environ, **server.shared, "FRONTDESK_DATA": str(server.data), "PATH": f"{BINARY.parent}:{os.environ['PATH']}"})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("line", [
    "Your tea is ready for pickup.", "quick-reply 201", "list 201", "time 201", "link 201", "file 201", "published 201", "sent 201",
    "Your table is ready.", "withdrawn 200", "Idempotency-Replayed: true", "Did you mean filter[state]?", "snoozed", "open", 'Add "body".'])
def test_the_commands_of_the_page_do_what_it_says(said, line):
    # A balancer writes the names of header fields in lower case.
    assert line.lower() in said.lower().splitlines(), said


def test_the_examples_of_the_other_kinds_can_be_sent(server, owner, sandbox, said):
    key = Session(server, key=server.make_key(sandbox["id"]))
    there = key.fetch("/api/conversations")["data"][0]["id"]
    named = re.findall(r"`(/schemas/v1/examples/[\w./-]+)`", PAGE)
    assert len(named) == 4
    for name in named:
        payload = key.fetch(name)
        for member in ("v", "id", "sourceId", "destinationId"):
            payload.pop(member, None)
        key.post(f"/api/validate?conversation={there}", payload)


def start(server, sandbox, folder, key):
    """The bot of the page, as a process of its own."""
    (folder / "bot.py").write_text(re.search(r"```python bot.py\n(.*?)```", PAGE, re.S).group(1))
    return subprocess.Popen([sys.executable, "bot.py"], cwd=folder, stdout=subprocess.DEVNULL,
                            env={**os.environ, "HOST": server.url, "KEY": key})


def kill(process):
    """Ends it as a crash would."""
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=10)


def wait_for(look):
    """What `look` finds, within a minute."""
    deadline = time.monotonic() + 60
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not come within 60 s"
        time.sleep(0.02)
    return found


def test_the_bot_of_the_page_answers_once_although_it_is_killed_at_each_step(server, owner, sandbox, said, folder):
    key = server.make_key(sandbox["id"])
    seen = Session(server, key=key)
    phone = Customer(server, sandbox["id"])

    def sent(kind):
        page = phone.fetch(f"/api/phone/{sandbox['id']}/messages")["data"]
        return [one for one in page if one["direction"] == "outbound" and one["kind"] == kind]

    bot = start(server, sandbox, folder, key)
    try:
        wait_for((folder / "cursor.txt").exists)
        there = phone.say("What teas do you have?")["message"]["conversation"]
        card = wait_for(lambda: sent("list"))[0]
        kill(bot)
        # It is away while the customer picks.
        phone.choose(card["id"], list={"identifiers": ["sencha"]})
        bot = start(server, sandbox, folder, key)
        card = wait_for(lambda: sent("time"))[0]
        kill(bot)
        phone.choose(card["id"], time={"identifier": "b"})
        bot = start(server, sandbox, folder, key)
        wait_for(lambda: seen.fetch(f"/api/conversations/{there}")["state"] == "pending")
        # A node that has not read the last event yet has a head before it.
        wait_for(lambda: (folder / "cursor.txt").read_text() == seen.fetch("/api/conversations")["head"])
    finally:
        kill(bot)
    assert [len(sent(kind)) for kind in ("list", "time", "text")] == [1, 1, 1]
    notes = seen.fetch(f"/api/conversations/{there}/messages")["notes"]
    assert [note["text"] for note in notes] == ["Wants to come to the tasting."]


def named(place, data):
    """What is at a place of the page in an answer; `[*]` stands for each element."""
    found = [data]
    for part in re.findall(r"[\w-]+|\[[*\d]+\]", place):
        if part == "[*]":
            found = [element for one in found for element in one]
        else:
            found = [one[int(part[1:-1]) if part.startswith("[") else part] for one in found]
    return found


def test_the_places_of_the_page_name_what_was_picked_and_nothing_else(server, owner, sandbox, said, folder):
    rows = dict(re.findall(r"^\| (quickReply|list|time) \| `([^`]+)`", PAGE, re.M))
    key = Session(server, key=server.make_key(sandbox["id"]))
    phone = Customer(server, sandbox["id"])
    there = phone.say("What do you have?")["message"]["conversation"]
    for kind, name, choice, picked in [
            ("quickReply", "quick-reply", {"quickReply": {"identifier": "tomorrow"}}, "tomorrow"),
            ("list", "list", {"list": {"identifiers": ["hojicha"]}}, "hojicha"), ("time", "time", {"time": {"identifier": "b"}}, "b")]:
        card = key.post(f"/api/conversations/{there}/messages", json.loads((folder / f"{name}.json").read_text()), 201)
        phone.choose(card["id"], **choice)
        answer = key.fetch(f"/api/conversations/{there}/messages")["data"][-1]
        assert (answer["kind"], answer["inReplyTo"]) == (kind, card["id"])
        assert named(rows[kind], answer["payload"]["interactiveData"]["data"]) == [picked]
        assert named("choice.items[*].identifier", answer) == [picked]


def test_the_list_for_language_models_and_the_index_lead_to_what_is_there(server):
    anonymous = Session(server)
    for path, pattern in (("/llms.txt", r"\]\((/[^)]+)\)"), ("/docs/", r"\]\(([^):]+)\)")):
        text = anonymous.get(server.url + path).text
        targets = re.findall(pattern, text)
        assert len(targets) > 10, path
        for target in targets:
            address = server.url + (target if target.startswith("/") else "/docs/" + target)
            assert anonymous.get(address).status_code == 200, target
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\((\w[\w-]*\.md)\)", text)), "a document that the index does not name"


def test_an_example_of_an_answer_is_what_a_server_answers(server, owner, sandbox, said):
    key = Session(server, key=server.make_key(sandbox["id"]))
    there = key.fetch("/api/conversations")["data"][0]["id"]
    refused = key.post(f"/api/conversations/{there}/messages", '{"type":"text"}', 422)
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    assert refused == document["components"]["responses"]["Problem"]["content"]["application/problem+json"]["example"]
