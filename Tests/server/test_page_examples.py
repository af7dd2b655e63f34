"""The examples of the pages that have no test of their own, run as they are printed."""

import asyncio
import json
import os
import re
import shlex
import subprocess

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from support.server import BINARY, ROOT, Customer, Installation, Session


def blocks(page, info):
    """The blocks of a page that are marked so."""
    text = (ROOT / "docs" / page).read_text()
    found = re.findall(rf"```{info}\n(.*?)```", text, re.S)
    assert found, f"{page} has no block {info}"
    return found


def test_the_example_of_translations_prints_what_the_page_shows():
    [block] = blocks("translate.md", "text example")
    command, *shown = block.strip().splitlines()
    words = shlex.split(command.removeprefix("$ "))
    ran = subprocess.run([str(BINARY), *words[1:]], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr
    printed = (ran.stdout + ran.stderr).splitlines()
    for line in shown:
        begin = line.split("…")[0]
        assert any(one.startswith(begin) for one in printed), f"not printed: {line}"


def test_the_configuration_of_an_assistant_that_starts_programs_connects_it(server, owner, tmp_path):
    [block] = blocks("assistants.md", "json program")
    program = json.loads(block)["mcpServers"]["frontdesk"]
    assert program["command"] == "frontdesk"
    # The page's key, made as it says.
    page = (ROOT / "docs" / "assistants.md").read_text()
    [making] = blocks("assistants.md", "sh key")
    words = shlex.split(re.search(r"frontdesk (key create .*?) --data", making)[1])
    shop = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
    words = [shop["name"] if word == "My business" else word for word in words]
    file = tmp_path / "key"
    places = {"https://desk.example": server.url, "/home/ada/frontdesk.key": str(file)}
    assert places.keys() <= set(program["args"])

    async def tools_of(words):
        made = server.command(*words)
        file.write_text(re.search(r"fd_live_\S+", made.stdout)[0] + "\n")
        words = [places.get(word, word) for word in program["args"]]
        started = StdioServerParameters(command=str(server.binary), args=words)
        async with Client(stdio_client(started)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}
    listed = re.findall(r"^\| `(\w+)` \|", page, re.M)
    assert set(listed) - {"send_message"} == asyncio.run(tools_of(words))
    # What the page says of the scope that it leaves out.
    assert set(listed) == asyncio.run(tools_of([*words, "--scope", "send"]))


@pytest.mark.one_process
def test_a_server_starts_with_the_flags_and_variables_that_name_a_model(tmp_path):
    [block] = blocks("assistants.md", "sh serve")
    commands = block.replace("\\\n", " ").strip().splitlines()
    assert len(commands) == 2
    key = tmp_path / "model.key"
    key.write_text("secret\n")
    for command in commands:
        words = [str(key) if word == "/etc/frontdesk/model.key" else word for word in shlex.split(command)]
        begin = words.index("frontdesk")
        assert words[begin + 1] == "serve"
        given = dict(word.split("=", 1) for word in words[:begin])
        with Installation(*words[begin + 2:], environment=given) as server:
            assert server.make_owner().fetch("/api/session")["assistant"]["model"] in command


def test_the_commands_of_the_page_about_events_read_a_page_with_what_comes_after_the_cursor(server, sandbox):
    [block] = blocks("events.md", "sh page")
    key = server.make_key(sandbox["id"])
    text = block.replace("https://desk.example", server.url)
    # Between its two commands something happens.
    keep, read = text.split("curl -sS -H \"Authorization: Bearer $KEY\" -H \"Accept", 1)
    there = Customer(server, sandbox["id"]).say("Before")["message"]["conversation"]
    say = (f"curl -sSf -o /dev/null -H \"Authorization: Bearer $KEY\" -H 'Content-Type: application/json' "
           f"-d '{{\"type\": \"text\", \"body\": \"After\"}}' {server.url}/api/conversations/{there}/messages\n")
    # Another node has what happened a moment later.
    script = (f"set -eo pipefail\n{keep}{say}for _ in $(seq 300); do\n"
              f"PAGE=$(curl -sS -H \"Authorization: Bearer $KEY\" -H \"Accept{read})\n"
              "case $PAGE in *After*) break ;; esac\nsleep 0.1\ndone\necho \"$PAGE\"")
    ran = subprocess.run(["bash", "-c", script], env={**os.environ, "KEY": key}, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    page = json.loads(ran.stdout)
    [shown] = re.findall(r"```text\n(\{\"data\".*?)```", (ROOT / "docs" / "events.md").read_text(), re.S)
    assert page.keys() == json.loads(shown.replace("…", "")).keys()
    assert [one["data"]["message"]["summary"] for one in page["data"]] == ["After"]
    assert page["hasMore"] is False and page["next"] == page["head"]


def test_the_requests_of_the_page_about_bots_register_one_and_hand_over(server, owner, sandbox):
    known = {one["id"] for one in owner.fetch(f"/api/businesses/{sandbox['id']}/keys")["data"]}
    secret = server.make_key(sandbox["id"], name="page", scopes=["read", "send"])
    [made] = {one["id"] for one in owner.fetch(f"/api/businesses/{sandbox['id']}/keys")["data"]} - known

    def request(name):
        """The path and the body of a request of the page."""
        [block] = blocks("bots.md", f"http {name}")
        line, body = block.strip().split("\n", 1)
        method, path = line.split()
        assert method == "POST"
        return path.replace("{business}", sandbox["id"]), json.loads(body.replace("the key's id", made))

    path, body = request("register")
    bot = owner.post(path, body, 201)
    page = (ROOT / "docs" / "bots.md").read_text()
    table = re.search(r"\| member \| \|\n\|---\|---\|\n(.*?)\n\n", page, re.S)[1]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert {name for name in named if name not in bot} == set(), "the page names a member that a bot does not have"
    try:
        conversation = Customer(server, sandbox["id"]).say("I want to return it")["message"]["conversation"]
        control = f"/api/conversations/{conversation}/control"
        assert owner.fetch(control)["controller"]["id"] == bot["id"]
        path, body = request("pass")
        Session(server, key=secret).post(path.replace("{conversation}", conversation), body)
        given = owner.fetch(control)
        assert given["controller"] is None and given["metadata"] == body["metadata"]
        notes = owner.fetch(f"/api/conversations/{conversation}/messages")["notes"]
        assert [note["text"] for note in notes] == [body["summary"]]
    finally:
        owner.call("PATCH", f"/api/businesses/{sandbox['id']}/bots/{bot['id']}", {"retired": True})


def test_the_page_about_webhooks_says_what_an_endpoint_is_where_only_its_address_is_given(server, owner, sandbox):
    page = (ROOT / "docs" / "webhooks.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page.partition("## An endpoint")[2].partition("**Handshake.**")[0], re.M))
    path = f"/api/businesses/{sandbox['id']}/webhooks"
    made = owner.post(path, {"url": "http://127.0.0.1:9/hook"}, 201)
    owner.call("DELETE", f"{path}/{made['id']}", expect=204)
    assert rows.keys() <= made.keys()
    said = {"payload": "`full` unless you say", "order": "`conversation` unless you say", "concurrency": "4 unless you say",
            "signing": "`v1` unless you say"}
    for member, words in said.items():
        assert words in rows[member] and f"{made[member]}" == words.split()[0].strip("`")
