"""Assistants at a real server, with the official client: over HTTP and over the program's standard streams."""

import asyncio
import contextlib
import http.server
import json
import subprocess
import threading
import types

import pytest
import requests
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from support.server import Customer, Session

# With a handshake, and without one: each request says what it is.
MODES = ["legacy", "auto"]


@pytest.fixture(scope="module")
def shop(owner):
    """The first business, which is live."""
    return next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


@pytest.fixture(scope="module")
def key(server, shop):
    return server.make_key(shop["id"])


@pytest.fixture
def conversation(server, shop):
    """A conversation in which a customer asked for tea."""
    return Customer(server, shop["id"]).say("Do you have green tea from Uji?")["message"]["conversation"]


@contextlib.asynccontextmanager
async def over_http(server, key, mode):
    headers = {"Authorization": f"Bearer {key}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with Client(streamable_http_client(server.url + "/mcp", http_client=http), mode=mode) as client:
            yield client


@contextlib.asynccontextmanager
async def over_stdio(server, key, mode, tmp_path):
    file = tmp_path / "key"
    file.write_text(key + "\n")
    words = StdioServerParameters(
        command=str(server.binary), args=["mcp", "--server", server.url, "--key-file", str(file)])
    async with Client(stdio_client(words), mode=mode) as client:
        yield client


def connect(kind, server, key, mode, tmp_path):
    return over_http(server, key, mode) if kind == "http" else over_stdio(server, key, mode, tmp_path)


def found(result):
    """What a tool answered, as JSON."""
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["http", "stdio"])
def test_an_assistant_searches_reads_checks_and_suggests(server, owner, shop, key, conversation, kind, mode, tmp_path):
    async def story():
        async with connect(kind, server, key, mode, tmp_path) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools["read_conversation"].annotations.read_only_hint is True
            assert tools["send_message"].annotations.destructive_hint is True
            listed = found(await client.call_tool("list_conversations", {"state": "any"}))
            assert conversation in [one["id"] for one in listed["data"]]
            thread = found(await client.call_tool("read_conversation", {"conversation": conversation}))
            assert [one["text"] for one in thread["messages"]] == ["Do you have green tea from Uji?"]
            contact = thread["conversation"]["contact"]["id"]
            assert found(await client.call_tool("find_customer", {"contact": contact}))["id"] == contact
            verdict = found(await client.call_tool("validate_message", {"message": {"type": "text", "body": "Yes."}}))
            assert verdict["kind"] == "text" and verdict["findings"] == []
            broken = await client.call_tool("validate_message", {"message": {"type": "text"}})
            assert broken.is_error and "pointer" in broken.content[0].text
            drafted = found(await client.call_tool("draft_reply", {
                "conversation": conversation, "text": "Yes, from Uji.", "remark": "Stock: 12"}))
            return drafted["suggestion"]["id"]

    suggestion = asyncio.run(asyncio.wait_for(story(), 60))
    listed = owner.fetch(f"/api/conversations/{conversation}/suggestions")["data"]
    assert [one["id"] for one in listed] == [suggestion]
    assert listed[0]["author"]["type"] == "key" and listed[0]["remark"] == "Stock: 12"
    thread = owner.fetch(f"/api/conversations/{conversation}/messages")["data"]
    assert len(thread) == 1, "nothing is sent by itself"


@pytest.mark.parametrize("mode", MODES)
def test_a_message_is_sent_once_however_often_it_is_asked_for(server, owner, key, conversation, mode):
    async def story():
        async with over_http(server, key, mode) as client:
            arguments = {"conversation": conversation, "text": "It is here.", "idempotency_key": "one"}
            return [found(await client.call_tool("send_message", arguments))["id"] for _ in range(2)]

    first, second = asyncio.run(asyncio.wait_for(story(), 60))
    assert first == second
    thread = owner.fetch(f"/api/conversations/{conversation}/messages")["data"]
    assert [one["summary"] for one in thread] == ["Do you have green tea from Uji?", "It is here."]
    assert thread[1]["author"]["type"] == "key"


class Between:
    """Stands between assistants and the server, and holds the first call of a tool until it was cancelled."""

    def __init__(self, server):
        self.held, self.cancelled, self.statuses = threading.Event(), threading.Event(), []
        between = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Passes each message on."""

            def do_POST(self):
                """One message, and its answer."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                method = json.loads(body).get("method")
                if method == "tools/call" and not between.held.is_set():
                    between.held.set()
                    between.cancelled.wait(60)
                passed = {name: value for name, value in self.headers.items()
                          if name.lower() not in ("host", "content-length", "connection", "accept-encoding")}
                answer = requests.post(server.url + self.path, data=body, headers=passed, timeout=30)
                if method == "notifications/cancelled":
                    between.statuses.append(answer.status_code)
                    between.cancelled.set()
                with contextlib.suppress(ConnectionError):
                    self.send_response(answer.status_code)
                    if "Content-Type" in answer.headers:
                        self.send_header("Content-Type", answer.headers["Content-Type"])
                    self.send_header("Content-Length", str(len(answer.content)))
                    self.end_headers()
                    self.wfile.write(answer.content)

            def log_message(self, *_):
                """Says nothing."""

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_address[1]}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def stop(self):
        """Ends the listener."""
        self.listener.shutdown()
        self.listener.server_close()


@pytest.mark.parametrize("kind", ["http", "stdio"])
def test_an_assistant_that_cancels_a_call_goes_on_with_the_next_one(server, key, conversation, kind, tmp_path):
    between = Between(server)
    way = types.SimpleNamespace(url=between.url, binary=server.binary)

    async def story():
        async with connect(kind, way, key, "legacy", tmp_path) as client:
            call = asyncio.ensure_future(client.call_tool("list_conversations", {"state": "any"}))
            assert await asyncio.to_thread(between.held.wait, 30), "the call did not come"
            call.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await call
            assert await asyncio.to_thread(between.cancelled.wait, 30), "the server hears nothing of it"
            return found(await client.call_tool("list_conversations", {"state": "any"}))

    try:
        listed = asyncio.run(asyncio.wait_for(story(), 90))
    finally:
        between.stop()
    assert conversation in [one["id"] for one in listed["data"]]
    assert between.statuses == [202]


def test_an_array_is_answered_up_to_its_bound(server, owner, key, conversation):
    words = "Tea. " * 3_000
    for _ in range(20):
        owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": words}, expect=201)
    calls = [{"jsonrpc": "2.0", "id": number, "method": "tools/call",
              "params": {"name": "read_conversation", "arguments": {"conversation": conversation}}} for number in range(20)]
    answer = requests.post(server.url + "/mcp", json=calls, timeout=60, headers={
        **Session(server, key).headers, "MCP-Protocol-Version": "2025-03-26"})
    assert answer.status_code == 200 and len(answer.content) < 2 * 1024 * 1024
    answers = answer.json()
    assert [one["id"] for one in answers] == list(range(20))
    kinds = ["result" if "result" in one else "error" for one in answers]
    assert kinds == sorted(kinds, reverse=True) and set(kinds) == {"result", "error"}
    assert "by itself" in answers[-1]["error"]["message"]


@pytest.mark.parametrize("kind", ["http", "stdio"])
def test_resources_are_listed_to_their_end_and_read(server, owner, shop, key, kind, tmp_path):
    owner.post("/api/templates", {
        "business": shop["id"], "name": "ready", "title": "Ready", "description": "", "payload": {"type": "text", "body": "Ready."},
        "parameters": []}, expect=201)

    async def story():
        async with connect(kind, server, key, "auto", tmp_path) as client:
            uris, cursor = [], None
            while True:
                page = await client.list_resources(cursor=cursor)
                uris += [str(one.uri) for one in page.resources]
                cursor = page.next_cursor
                if not cursor:
                    break
            texts = {}
            for uri in ["frontdesk://schemas/outbound/list-picker.json", "frontdesk://rules/",
                        "frontdesk://events/message.accepted", f"frontdesk://templates/{shop['id']}/ready"]:
                assert uri in uris
                texts[uri] = (await client.read_resource(uri)).contents[0].text
            with pytest.raises(MCPError):
                await client.read_resource("frontdesk://schemas/no-such.json")
            return uris, texts

    uris, texts = asyncio.run(asyncio.wait_for(story(), 60))
    assert len(uris) == len(set(uris)) > 100
    assert json.loads(texts["frontdesk://schemas/outbound/list-picker.json"])["title"] == "List picker"
    assert any(uri.startswith("frontdesk://rules/text") for uri in uris)


def test_the_revision_is_the_clients_or_refused_with_those_there_are(server, key):
    session = Session(server, key)

    def ask(method, version=None, **params):
        headers = {"MCP-Protocol-Version": version} if version else {}
        return requests.post(server.url + "/mcp", timeout=10, headers={**session.headers, **headers}, json={
            "jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    for version in ["2025-03-26", "2025-06-18", "2025-11-25"]:
        agreed = ask("initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "t", "version": "1"})
        assert agreed.json()["result"]["protocolVersion"] == version
        assert ask("tools/list", version).json()["result"]["tools"]
    refused = ask("tools/list", "1999-01-01")
    assert refused.status_code == 400 and "2026-07-28" in refused.json()["error"]["data"]["supported"]
    for method in ["GET", "DELETE"]:
        answer = requests.request(method, server.url + "/mcp", headers=session.headers, timeout=10)
        assert answer.status_code == 405 and answer.headers["Allow"] == "POST"
    foreign = requests.post(server.url + "/mcp", timeout=10, headers={**session.headers, "Origin": "http://evil.example"},
                            json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert foreign.status_code == 403


@pytest.mark.parametrize("host,status", [
    ("localhost:{port}", 200), ("127.0.0.1", 200), ("[::1]:{port}", 200), ("192.168.1.20:{port}", 200),
    ("evil.example:{port}", 403), ("127.evil.example", 403)])
def test_a_server_without_a_name_answers_an_assistant_under_none(server, key, host, status):
    """A page can have its own name lead to this machine (DNS rebinding): its `Origin` is then the request's."""
    name = host.format(port=server.url.rsplit(":", 1)[1])
    answer = requests.post(
        server.url + "/mcp", timeout=10, json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
        headers={"Authorization": f"Bearer {key}", "Host": name, "Origin": f"http://{name}",
                 "MCP-Protocol-Version": "2025-06-18"})
    assert answer.status_code == status, answer.text
    if status == 403:
        assert "--public-url" in answer.json()["detail"]


def test_the_program_answers_a_refusal_and_a_broken_line_and_ends_with_its_input(server, key, tmp_path):
    file = tmp_path / "key"
    file.write_text("fd_live_no.such")
    lines = ["", "no JSON", json.dumps({"jsonrpc": "2.0", "id": "a", "method": "ping"}),
             json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})]
    ran = subprocess.run([str(server.binary), "mcp", "--server", server.url, "--key-file", str(file)],
                         input="\n".join(lines), capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["id"] for one in answers] == ["a"]
    assert "credential" in answers[0]["error"]["message"] or "key" in answers[0]["error"]["message"].lower()
    file.write_text(key)
    ran = subprocess.run([str(server.binary), "mcp", "--server", server.url, "--key-file", str(file)],
                         input="\n".join(lines), capture_output=True, text=True, timeout=30)
    answers = sorted((json.loads(line) for line in ran.stdout.splitlines()), key=lambda one: str(one["id"]))
    assert [one["id"] for one in answers] == [None, "a"] or [one["id"] for one in answers] == ["a", None], answers
    assert {one["id"]: "result" in one for one in answers} == {None: False, "a": True}
    wrong = subprocess.run([str(server.binary), "mcp"], input="", capture_output=True, text=True, timeout=30)
    assert wrong.returncode == 2 and "--server" in wrong.stderr
