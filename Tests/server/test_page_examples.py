"""The examples of the pages that have no test of their own, run as they are printed."""

import asyncio
import json
import re
import shlex
import subprocess

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from support.server import BINARY, ROOT, Installation


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
