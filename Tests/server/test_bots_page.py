"""docs/bots.md as a reader uses it: its bots, which are killed at random and answer each message once."""

import json
import os
import random
import re
import subprocess
import sys
import time

import pytest
from support.server import ROOT, Customer, Session

PAGE = (ROOT / "docs" / "bots.md").read_text()
BOTS = {"python": ("bot.py", sys.executable), "js": ("bot.mjs", "node")}
CUSTOMERS, TEXTS, DEATHS = 4, 4, 8


def source(language):
    """The bot of the page in a language."""
    return re.search(rf"```{language} {BOTS[language][0]}\n(.*?)```", PAGE, re.S).group(1)


class Running:
    """A bot as a process of its own, which dies as in a crash."""

    def __init__(self, server, language, folder, key):
        self.start = lambda: subprocess.Popen(
            [BOTS[language][1], BOTS[language][0]], cwd=folder, stdout=subprocess.DEVNULL,
            env={**os.environ, "HOST": server.url, "KEY": key})
        self.process = self.start()

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=10)

    def kill_and_start(self):
        self.kill()
        self.process = self.start()


def wait_for(look):
    """What `look` finds, within a minute."""
    deadline = time.monotonic() + 60
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not come within 60 s"
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("language", BOTS)
def test_a_bot_is_shorter_than_60_lines(language):
    assert len(source(language).splitlines()) < 60


def test_an_owner_makes_the_key_and_the_bot_in_the_words_of_the_page_and_people_return_it(server, owner, sandbox, tmp_path):
    text = re.search(r"```sh signed-in\n(.*?)```", PAGE, re.S).group(1).replace("http://127.0.0.1:8080", server.url)
    ran = subprocess.run(
        ["bash", "-c", f'set -eo pipefail\n{text}\necho\necho "$KEY"'], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    made, key = ran.stdout.split()
    bot = json.loads(made)
    path = f"/api/businesses/{sandbox['id']}/bots"
    try:
        assert bot["first"] and bot in owner.fetch(path)["data"]
        program = Session(server, key=key)
        there = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
        control, message = f"/api/conversations/{there}/control", f"/api/conversations/{there}/messages"
        program.post(message, {"type": "text", "body": "Hello"}, 201)
        refused = program.call("PATCH", f"/api/conversations/{there}", {"state": "pending"}, 403).json()
        assert refused["detail"].startswith("A registered bot does not set a conversation to pending. Pass it to people")
        program.post(control, {"action": "pass", "summary": "Said hello."})
        program.post(message, {"type": "text", "body": "And?"}, 409)
        returned = json.loads(re.search(r'`(\{"action": "pass", "to": \{"type": "bot".*?\})`', PAGE).group(1))
        returned["to"]["id"] = bot["id"]
        for caller in (owner, Session(server, key=server.make_key(sandbox["id"], name="plain"))):
            assert caller.post(control, returned)["controller"]["id"] == bot["id"]
            program.post(message, {"type": "text", "body": "Here again"}, 201)
            agent = owner.fetch("/api/session")["agent"]["id"]
            assert program.post(control, {"action": "pass", "to": {"type": "agent", "id": agent}})["controller"]["id"] == agent
    finally:
        owner.call("PATCH", f"{path}/{bot['id']}", {"retired": True})


@pytest.mark.parametrize("language", BOTS)
def test_a_bot_that_is_killed_at_random_answers_each_message_once_and_hands_over_once(
        server, owner, sandbox, tmp_path, language):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    known = {one["id"] for one in owner.fetch(f"/api/businesses/{sandbox['id']}/keys")["data"]}
    key = server.make_key(sandbox["id"], name=f"bot {language}")
    [made] = {one["id"] for one in owner.fetch(f"/api/businesses/{sandbox['id']}/keys")["data"]} - known
    bots = f"/api/businesses/{sandbox['id']}/bots"
    bot = owner.post(bots, {"name": language, "key": made, "answerSeconds": 600, "first": True}, 201)
    (tmp_path / BOTS[language][0]).write_text(source(language))
    running = Running(server, language, tmp_path, key)
    try:
        wait_for((tmp_path / "cursor.txt").exists)
        customers = [Customer(server, sandbox["id"]) for _ in range(CUSTOMERS)]
        turns = [(number, f"{number}.{text}") for text in range(TEXTS) for number in range(CUSTOMERS)]
        deaths = sorted(chance.sample(range(len(turns)), DEATHS))
        there = {}
        for turn, (number, text) in enumerate(turns):
            there[number] = customers[number].say(text)["message"]["conversation"]
            time.sleep(chance.random() * 0.3)
            if turn in deaths:
                running.kill_and_start()
        for number, customer in enumerate(customers):
            expected = [f"You said: {number}.{text}" for text in range(TEXTS)]

            def answers(customer=customer):
                page = customer.fetch(f"/api/phone/{sandbox['id']}/messages")["data"]
                return [one["payload"]["body"] for one in page if one["direction"] == "outbound"]
            wait_for(lambda: len(answers()) >= TEXTS)
            assert sorted(answers()) == expected
        customers[0].say("A person, please")
        path = f"/api/conversations/{there[0]}"
        for _ in range(3):
            time.sleep(chance.random() * 0.4)
            running.kill_and_start()
        wait_for(lambda: owner.fetch(f"{path}/control")["controller"] is None)
        customers[0].say("Still there?")
        customers[1].say("End")
        wait_for(lambda: len([one for one in customers[1].fetch(f"/api/phone/{sandbox['id']}/messages")["data"]
                              if one["direction"] == "outbound"]) == TEXTS + 1)
        thread = owner.fetch(f"{path}/messages")
        assert [note["text"] for note in thread["notes"]] == ["Asks for a person: A person, please"]
        outbound = [one for one in thread["data"] if one["direction"] == "outbound"]
        assert len(outbound) == TEXTS
        assert all(one["automatic"] for one in outbound)
        refused = Session(server, key=key).post(f"{path}/messages", {"type": "text", "body": "Here again"}, 409)
        assert refused["code"] == "not_in_control"
    finally:
        running.kill()
    owner.call("PATCH", f"{bots}/{bot['id']}", {"retired": True})
