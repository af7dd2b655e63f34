"""The drain of a server: it accepts connections as long as it waits for streams."""

import signal
import socket

import pytest
import requests
from support.server import Customer, Installation, Session


@pytest.fixture
def server():
    # No stream is ended by the drain while a test looks.
    with Installation("--limit", "drain-streams=15min", "--limit", "drain-all=15min") as server:
        yield server


@pytest.mark.one_process
def test_while_a_stream_is_open_everything_but_new_streams_is_served(server):
    owner = server.make_owner()
    sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
    key = server.make_key(sandbox["id"])
    conversation = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    program = Session(server, key=key)
    stream = program.get(server.url + "/api/events", stream=True, timeout=20)
    assert stream.status_code == 200
    # Its first bytes have come, so it is one of those that the drain finds.
    lines = stream.iter_lines()
    next(lines)
    # A kept connection that was idle when the drain began.
    kept = requests.Session()
    assert kept.get(server.url + "/readyz", timeout=20).status_code == 200

    server.process.send_signal(signal.SIGTERM)
    wait_for(server, "event=server_draining")

    assert kept.get(server.url + "/readyz", timeout=20).status_code == 503
    assert requests.get(server.url + "/readyz", timeout=20).status_code == 503
    assert kept.get(server.url + "/livez", timeout=20).status_code == 200
    sent = program.call("POST", f"/api/conversations/{conversation}/messages",
                        {"type": "text", "body": "in the drain"}, 201)
    assert sent.headers.get("Connection") != "close"
    for line in lines:
        if b"in the drain" in line:
            break
    for path in ("/api/events", "/api/live"):
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} if path == "/api/live" else {}
        refused = program.get(server.url + path, headers=headers, timeout=20)
        assert refused.status_code == 503, refused.text
        assert refused.json()["code"] == "unavailable"
        assert int(refused.headers["Retry-After"]) > 0
    assert server.process.poll() is None

    stream.close()
    assert server.process.wait(timeout=60) == 0
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)


@pytest.mark.one_process
def test_without_streams_it_ends_at_once_though_connections_are_kept(server):
    kept = [requests.Session() for _ in range(3)]
    for session in kept:
        assert session.get(server.url + "/livez", timeout=20).status_code == 200
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=60) == 0


def wait_for(server, words):
    """Waits until the log has them; the process that ends instead is a failure."""
    while words not in server.log_text():
        assert server.process.poll() is None
