"""What becomes of an assistant's request whose connection closes, of arrays, and of revisions of the future."""

import asyncio
import json
import socket
import time

import pytest
import requests
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from support.server import Customer, Session

HANDSHAKES = ["2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.fixture(scope="module")
def shop(owner):
    """The first business, which is live."""
    return next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


@pytest.fixture(scope="module")
def key(server, shop):
    return server.make_key(shop["id"])


def call(number, tool, **arguments):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def ask(server, key, body, version=None):
    """Posts a message, or several."""
    fields = {"MCP-Protocol-Version": version} if version else {}
    return requests.post(server.url + "/mcp", json=body, timeout=60, headers={**Session(server, key).headers, **fields})


def post_and_close(server, key, body, version):
    """Sends a request and closes the connection in the same moment."""
    text = json.dumps(body).encode()
    head = (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {key}\r\n"
            f"MCP-Protocol-Version: {version}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as raw:
        raw.sendall(head.encode() + text)


def sent(owner, conversation):
    """How many messages the business sent there, once no more come."""
    deadline, last = time.monotonic() + 60, None
    while time.monotonic() < deadline:
        thread = owner.fetch(f"/api/conversations/{conversation}/messages?page[size]=100")["data"]
        count = sum(one["author"]["type"] == "key" for one in thread)
        if count == last:
            return count
        last = count
        time.sleep(0.5)
    raise AssertionError("messages are sent without an end")


def test_the_work_of_a_closed_connection_stops(server, owner, shop, key):
    counts = []
    # Where the client pauses between its last byte and the close, all may be done before: then once more.
    for _ in range(5):
        conversation = Customer(server, shop["id"]).say("Is my tea there?")["message"]["conversation"]
        batch = [call(number, "send_message", conversation=conversation, text=f"{number}") for number in range(20)]
        post_and_close(server, key, batch, "2025-03-26")
        counts.append(sent(owner, conversation))
        if counts[-1] < len(batch):
            break
    assert counts[-1] < 20, counts
    # The server serves the next one, also under an id that was used there.
    assert ask(server, key, {"jsonrpc": "2.0", "id": 0, "method": "ping"}, "2025-11-25").json()["result"] == {}


@pytest.mark.parametrize("version", HANDSHAKES)
def test_what_was_done_before_a_connection_closed_stays_and_is_done_once(server, owner, shop, key, version):
    conversation = Customer(server, shop["id"]).say("Is my tea there?")["message"]["conversation"]
    message = call(1, "send_message", conversation=conversation, text="It is.", idempotency_key="one")
    post_and_close(server, key, message, version)
    assert sent(owner, conversation) in (0, 1)
    # The client cannot know which, and asks again.
    assert ask(server, key, message, version).json()["result"]["isError"] is False
    assert sent(owner, conversation) == 1


def test_the_official_client_that_goes_away_in_a_call_leaves_a_server_that_answers_the_next(server, key):
    async def connect():
        headers = {"Authorization": f"Bearer {key}"}
        http = create_mcp_http_client(headers=headers)
        return http, Client(streamable_http_client(server.url + "/mcp", http_client=http), mode="auto")

    async def story():
        http, client = await connect()
        async with http, client:
            going = [asyncio.ensure_future(client.call_tool("list_conversations", {"state": "any"})) for _ in range(8)]
            await asyncio.sleep(0)
            for one in going:
                one.cancel()
            await asyncio.gather(*going, return_exceptions=True)
        http, client = await connect()
        async with http, client:
            return await client.call_tool("list_conversations", {"state": "any"})

    assert not asyncio.run(asyncio.wait_for(story(), 60)).is_error


@pytest.mark.parametrize("version", [*HANDSHAKES[1:], "2026-07-28"])
def test_an_array_is_refused_where_the_revision_has_none(server, owner, shop, key, version):
    conversation = Customer(server, shop["id"]).say("Is my tea there?")["message"]["conversation"]
    batch = [call(number, "send_message", conversation=conversation, text="It is.") for number in range(8)]
    answer = ask(server, key, batch, version)
    assert answer.status_code == 400
    refusal = answer.json()
    assert refusal["id"] is None and refusal["error"]["code"] == -32600
    assert version in refusal["error"]["message"] and "2025-03-26" in refusal["error"]["message"]
    assert sent(owner, conversation) == 0


@pytest.mark.parametrize("version", ["2025-03-26", None])
def test_an_array_of_eight_is_answered_in_its_order(server, key, version):
    batch = [
        {"jsonrpc": "2.0", "id": "a", "method": "ping"},
        call(7, "list_conversations", state="any"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 3, "method": "no/such"},
        call(2, "no_such_tool"),
        {"jsonrpc": "1.0", "id": 9, "method": "ping"},
        call(1, "validate_message", message={"type": "text", "body": "Yes."}),
        {"jsonrpc": "2.0", "id": "z", "method": "tools/list"},
    ]
    answer = ask(server, key, batch, version)
    assert answer.status_code == 200
    answers = answer.json()
    assert [one["id"] for one in answers] == ["a", 7, 3, 2, None, 1, "z"]
    codes = [one.get("error", {}).get("code") for one in answers]
    assert codes == [None, None, -32601, -32602, -32600, None, None]


def test_an_array_of_too_many_is_refused_with_its_count(server, key):
    pings = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(21)]
    for batch in [[], pings]:
        answer = ask(server, key, batch, "2025-03-26")
        assert answer.status_code == 400
        assert f" {len(batch)} messages" in answer.json()["error"]["message"]
    assert len(ask(server, key, pings[:20], "2025-03-26").json()) == 20


@pytest.mark.parametrize("wanted", ["2026-07-28", "2027-01-01", "9999-12-31", "draft", ""])
def test_a_revision_newer_than_those_with_a_handshake_is_negotiated_down(server, key, wanted):
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": wanted, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    for stated in [None, wanted or None]:
        agreed = ask(server, key, begin, stated)
        assert agreed.status_code == 200, agreed.text
        assert agreed.json()["result"]["protocolVersion"] == "2025-11-25"
    tools = ask(server, key, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, "2025-11-25")
    assert tools.json()["result"]["tools"]


def test_a_request_of_a_revision_of_the_future_is_refused_with_those_there_are(server, key):
    body = {"jsonrpc": "2.0", "id": 5, "method": "tools/list"}
    answer = ask(server, key, body, "2027-01-01")
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert answer.json()["id"] == 5 and error["code"] == -32022
    assert error["data"] == {"supported": [*HANDSHAKES, "2026-07-28"], "requested": "2027-01-01"}
