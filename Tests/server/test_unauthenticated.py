"""Attacks of an unauthenticated client, against the real binary and its sockets."""

import base64
import os
import re
import socket
import stat
import subprocess
import time

import pytest
from support.server import BINARY, ROOT, Customer, Installation, Session


def serve(*flags):
    """Runs `frontdesk serve` that is expected to end by itself at once."""
    return subprocess.run([str(BINARY), "serve", *flags], cwd=ROOT, capture_output=True,
                          text=True, timeout=20)


@pytest.mark.one_process
def test_a_start_that_fails_prints_the_reason(server, tmp_path):
    busy = serve("--listen", "127.0.0.1:0", "--data", str(server.data))
    assert busy.returncode == 1 and "another Frontdesk" in busy.stderr
    taken = serve("--listen", f"127.0.0.1:{server.port}", "--data", str(tmp_path / "data"))
    assert taken.returncode == 1 and "cannot be listened on" in taken.stderr
    (tmp_path / "file").write_text("")
    folder = serve("--listen", "127.0.0.1:0", "--data", str(tmp_path / "file"))
    assert folder.returncode == 1 and "data directory" in folder.stderr


@pytest.mark.one_process
def test_no_other_user_reads_the_data_even_in_an_open_directory(tmp_path):
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data").chmod(0o755)
    with Installation(data=tmp_path) as own:
        Customer(own, own.make_owner().fetch("/api/businesses")["data"][0]["id"]).say("Hello")
        names = sorted(path.name for path in own.data.iterdir())
        assert "frontdesk.sqlite" in names
        for path in own.data.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path.name


def raw(server, *lines):
    """Sends a request's head unchanged and returns the connection and the answer's start."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection, connection.recv(65_536).decode(errors="replace")


def upgrade(server, path, *more, host=None):
    """Requests a WebSocket."""
    return raw(
        server, f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{server.port}'}",
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), *more)


def test_a_socket_opens_for_our_own_pages_only(server, owner):
    cookie = "Cookie: fd=" + owner.cookies["fd"]
    ours = "Origin: " + server.url
    for lines, status in [
            ((cookie, ours), "101"), ((cookie, "Origin: http://evil.example"), "403"),
            ((cookie, "Origin: null"), "403"), ((cookie,), "403"),
            (("Origin: http://evil.example",), "403")]:
        connection, answer = upgrade(server, "/api/live", *lines)
        connection.close()
        assert answer.split(" ")[1] == status, (lines, answer)


def test_another_name_for_this_machine_opens_no_sandbox(server):
    """A foreign page whose name resolves to this machine is unauthenticated."""
    evil = f"evil.example:{server.port}"
    for path, status in (("/api/sandbox", "401"), ("/api/businesses", "401"),
                         ("/api/conversations", "401"), ("/metrics", "404")):
        for lines in ((f"Host: {evil}",),
                      (f"Host: 127.0.0.1:{server.port}", "X-Forwarded-For: 192.0.2.1")):
            connection, answer = raw(server, f"GET {path} HTTP/1.1", *lines)
            connection.close()
            assert answer.split(" ")[1] == status, (path, lines, answer)
    connection, answer = upgrade(server, "/api/live", f"Origin: http://{evil}", host=evil)
    connection.close()
    assert answer.split(" ")[1] == "401"


@pytest.mark.parametrize("query", [
    "before=-1", "before=99999999999999999999", "after=1e5", "page[size]=0", "page[size]=301",
    "page[size]=-5", "page[size]=18446744073709551616", "before=%00", "after=1&before=2"])
def test_absurd_numbers_are_refused_and_end_nothing(server, sandbox, query):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("Hello")["message"]["conversation"]
    for path in (f"/api/conversations/{conversation}/messages",
                 f"/api/phone/{sandbox['id']}/messages"):
        answer = phone.get(f"{server.url}{path}?{query}", timeout=10)
        assert answer.status_code == 422, answer.text
        assert answer.json()["code"] == "invalid"
        assert answer.json()["errors"][0]["parameter"] in query
    assert server.process.poll() is None


def test_a_customer_reads_nothing_of_another_customer_or_business(server, owner, sandbox):
    other = next(b for b in owner.fetch("/api/businesses")["data"] if not b["isSandbox"])
    mine, theirs = Customer(server, sandbox["id"]), Customer(server, sandbox["id"])
    theirs.say("theirs")
    message = theirs.say("secret")["message"]
    upload = theirs.call(
        "POST", f"/api/phone/{sandbox['id']}/attachments?name=a.txt", b"secret", 201,
        headers={"Content-Type": "application/octet-stream"}).json()
    mine.say("mine")
    mine.fetch(f"/api/phone/{sandbox['id']}/messages/{message['id']}", 404)
    mine.fetch(f"/api/phone/{sandbox['id']}/attachments/{upload['id']}", 404)
    mine.say("look", 404, attachments=[upload["id"]])
    mine.fetch(f"/api/phone/{other['id']}/messages", 401)
    token = mine.cookies["fdc"]
    answer = Session(server).get(f"{server.url}/api/phone/{other['id']}/messages",
                                headers={"Cookie": f"fdc={token}"}, timeout=10)
    assert answer.status_code == 401
    program = Session(server, key=server.make_key(sandbox["id"]))
    own = mine.fetch(f"/api/phone/{sandbox['id']}")["conversation"]["id"]
    # A link to the file in a payload gives no access to a client that had none.
    program.post(f"/api/conversations/{own}/messages", {
        "type": "text", "body": "\ufffc", "attachments": [upload["attachment"]]}, 422)
    program.fetch(f"/api/attachments/{upload['id']}?conversation={own}", 404)


def test_a_foreign_file_never_runs_as_a_page(server, sandbox):
    phone = Customer(server, sandbox["id"])
    phone.say("Hello")
    name = "x%22%0d%0aX-Evil: 1;.html".replace(" ", "%20")
    upload = phone.call(
        "POST", f"/api/phone/{sandbox['id']}/attachments?name={name}",
        b"<script>alert(1)</script>", 201, headers={"Content-Type": "text/html"}).json()
    answer = phone.call("GET", f"/api/phone/{sandbox['id']}/attachments/{upload['id']}")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "X-Evil" not in answer.headers


def test_no_secret_is_in_the_log(server, owner, sandbox):
    key = server.make_key(sandbox["id"])
    Session(server, key=key).fetch("/api/businesses")
    Session(server, key=key[:-1] + "x").fetch("/api/businesses", 401)
    log = server.log_text()
    for secret in (key, server.token("setup"), server.token("key"), owner.cookies["fd"],
                   "correct horse"):
        assert secret not in log


@pytest.mark.one_process
def test_a_drain_ends_open_streams_and_exits_with_zero(tmp_path):
    # One of eight streams is ended each half second.
    with Installation("--limit", "drain-streams=4s", data=tmp_path) as own:
        owner = own.make_owner()
        cookie = "Cookie: fd=" + owner.cookies["fd"]
        streams = [raw(own, "GET /api/events HTTP/1.1", f"Host: 127.0.0.1:{own.port}", cookie)
                   for _ in range(4)]
        sockets = [upgrade(own, "/api/live", cookie, "Origin: " + own.url) for _ in range(4)]
        assert all(re.match(r"HTTP/1.1 200", answer) for _, answer in streams)
        assert all(re.match(r"HTTP/1.1 101", answer) for _, answer in sockets)
        began = time.monotonic()
        own.process.terminate()
        assert own.process.wait(timeout=31) == 0
        assert time.monotonic() - began < 30
        for connection, _ in streams + sockets:
            connection.close()
