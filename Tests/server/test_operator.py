"""The operator's view: where secrets are written, the message of a failed start, the traces of a crash."""

import os
import pathlib
import pty
import re
import signal
import socket
import subprocess
import time

import pytest
import requests
from support.binary import BINARY, ROOT
from support.server import Customer, Installation, Session

LINK = re.compile(r"#(?:setup|invite|key)=")


@pytest.fixture(scope="module")
def server():
    with Installation() as server:
        yield server


def serve(*words, environment=None, cwd=None):
    """A server that is meant not to start."""
    return subprocess.run([str(BINARY), "serve", *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **(environment or {})}, cwd=cwd, check=False)


# Secrets


def test_no_secret_and_no_drawing_leaves_by_a_standard_output_that_is_no_terminal(server):
    server.token("setup")
    assert server.url in server.printed
    assert not LINK.search(server.printed) and "\x1b" not in server.printed and "█" not in server.printed
    assert f"frontdesk owner link --data {server.data}" in server.printed
    assert f"frontdesk sandbox link --data {server.data}" in server.printed


def test_a_terminal_is_shown_the_links_and_the_code(tmp_path):
    master, slave = pty.openpty()
    server = subprocess.Popen(
        [str(BINARY), "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data")],
        stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    shown = b""
    try:
        while b"only this machine" not in shown.lower():
            shown += os.read(master, 65_536)
    finally:
        server.terminate()
        assert server.wait(timeout=60) == 0
        os.close(master)
    assert b"#setup=" in shown and b"#key=" in shown and b"\x1b" in shown


def test_the_link_of_the_sandbox_opens_it_and_is_known_to_the_running_server_alone(server):
    key = server.token("key")
    visitor = Session(server)
    visitor.call("POST", "/api/sandbox/session", {"key": key}, 204)
    visitor.call("POST", "/api/sandbox/session", {"key": "A" * len(key)}, 401)


def test_without_a_server_there_is_no_link_of_the_sandbox(tmp_path):
    with Installation(data=tmp_path) as own:
        own.token("key")
    refused = own.command("sandbox", "link", check=False)
    assert refused.returncode == 1 and "no server runs on" in refused.stderr


def test_without_a_sandbox_there_is_no_link_of_it(tmp_path):
    with Installation("--sandbox=off", data=tmp_path) as own:
        refused = own.command("sandbox", "link", check=False)
        assert refused.returncode == 1 and "has no sandbox" in refused.stderr
        assert "sandbox link" not in own.printed


# Messages of a failed start


def test_a_port_in_use_is_reported_as_such(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        failed = serve("--listen", f"127.0.0.1:{port}", "--data", str(tmp_path / "data"))
    assert failed.returncode == 1
    assert f"127.0.0.1:{port} cannot be listened on: Address already in use" in failed.stderr
    assert "another program uses the port" in failed.stderr and "NetError" not in failed.stderr


def test_an_address_of_another_machine_is_reported_as_such(tmp_path):
    failed = serve("--listen", "192.0.2.1:8080", "--data", str(tmp_path / "data"))
    assert failed.returncode == 1
    assert "cannot be listened on: Cannot assign requested address" in failed.stderr
    assert "this machine has no such address" in failed.stderr
    assert "another program" not in failed.stderr


def test_a_certificate_that_is_not_there_is_named_with_the_reason(tmp_path):
    failed = serve("--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"),
                   "--tls-cert", "/nowhere/chain.pem", "--tls-key", "/nowhere/key.pem")
    assert failed.returncode == 1
    assert ("the certificate /nowhere/chain.pem cannot be read: No such file or directory"
            in failed.stderr)


def test_a_file_that_is_no_certificate_is_reported_as_such(tmp_path):
    for name in ("chain.pem", "key.pem"):
        (tmp_path / name).write_text("no PEM\n")
    failed = serve("--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"),
                   "--tls-cert", str(tmp_path / "chain.pem"), "--tls-key", str(tmp_path / "key.pem"))
    assert failed.returncode == 1
    assert f"{tmp_path}/chain.pem is no certificate chain in PEM" in failed.stderr


def test_a_data_directory_that_cannot_be_made_is_named_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("")
    failed = serve("--listen", "127.0.0.1:0", "--data", str(tmp_path / "file" / "data"))
    assert failed.returncode == 1
    assert (f"the data directory {tmp_path}/file/data cannot be made: {tmp_path}/file"
            in failed.stderr)
    assert "Not a directory" in failed.stderr or "File exists" in failed.stderr


def test_an_unknown_variable_is_reported_with_the_nearest_known_one(tmp_path):
    failed = serve("--listen", "192.0.2.1:8080", "--data", str(tmp_path / "data"),
                   environment={"FRONTDESK_LISTN": "127.0.0.1:1"})
    assert "the variable FRONTDESK_LISTN is not known" in failed.stderr
    assert "did you mean FRONTDESK_LISTEN?" in failed.stderr


def test_data_of_a_newer_version_is_reported_as_such(tmp_path):
    import sqlite3
    with Installation(data=tmp_path) as own:
        pass
    with sqlite3.connect(own.data / "frontdesk.sqlite") as database:
        database.execute("PRAGMA user_version = 9999")
    found = own.command("verify", check=False)
    assert found.returncode == 2
    assert "a newer version of Frontdesk made it" in found.stderr
    assert "StoreError" not in found.stderr and "start the server once" not in found.stderr


@pytest.mark.parametrize("words", [("serve", "--listen", "127.0.0.1:0"), ("key", "list"), ("export", "-"), ("secrets", "rotate"),
                                   ("move", "--to", "postgresql://frontdesk@/x?host=/nowhere")], ids=lambda words: words[0])
def test_a_file_that_is_no_store_is_reported_as_such(tmp_path, words):
    data = tmp_path / "data"
    data.mkdir()
    (data / "frontdesk.sqlite").write_text("hello, no database at all\n" * 400)
    failed = subprocess.run([str(BINARY), *words, "--data", str(data)], capture_output=True, text=True, timeout=60, check=False)
    assert failed.returncode == 1
    assert "the database file is no database (SQLite's code 26)" in failed.stderr, failed.stderr
    assert "restore a backup" in failed.stderr and "StoreError" not in failed.stderr, failed.stderr


def test_data_that_this_user_may_not_read_is_not_said_to_be_missing(tmp_path):
    with Installation(data=tmp_path) as own:
        pass
    own.data.chmod(0)
    # Root may read everything without it.
    before = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    try:
        for words in (("verify",), ("secrets", "rotate")):
            failed = subprocess.run([*before, str(BINARY), *words, "--data", str(own.data)],
                                    capture_output=True, text=True, timeout=60, check=False)
            assert f"the data in {own.data} cannot be read: Permission denied" in failed.stderr, failed.stderr
            assert "the user whose server it is" in failed.stderr and "no data in" not in failed.stderr
    finally:
        own.data.chmod(0o700)


def test_a_changed_description_of_a_backup_is_reported_as_such(tmp_path):
    backup = tmp_path / "backup"
    with Installation(data=tmp_path / "live") as own:
        own.command("backup", str(backup))
    note = backup / "backup"
    note.write_bytes(note.read_bytes().replace(b"position ", b"position 1"))
    refused = subprocess.run([str(BINARY), "restore", str(backup), "--data", str(tmp_path / "new")],
                             capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 1
    assert f"{note} is not what the backup wrote there" in refused.stderr
    assert not (tmp_path / "new").exists()


# The database file


def test_attachments_without_their_database_are_not_served_as_an_empty_store(tmp_path):
    with Installation(data=tmp_path) as own:
        business = next(one for one in own.make_owner().fetch("/api/businesses")["data"] if one["isSandbox"])
        customer = Customer(own, business["id"])
        customer.say("Look at this")
        customer.post(
            f"/api/phone/{business['id']}/attachments?name=tea.bin", b"tea" * 1_000, expect=201,
            headers={"Content-Type": "application/octet-stream"})
    for name in ("", "-wal", "-shm"):
        (own.data / f"frontdesk.sqlite{name}").unlink(missing_ok=True)
    for more in ((), ("--check",)):
        failed = serve("--listen", "127.0.0.1:0", "--data", str(own.data), *more)
        assert failed.returncode == (2 if more else 1), failed.stderr
        assert "has attachments, but no database: frontdesk.sqlite is missing" in failed.stderr
        assert "restore a backup" in failed.stderr
    assert not (own.data / "frontdesk.sqlite").exists()


def test_a_database_file_that_is_deleted_under_the_server_is_noticed_written_no_more_and_rescued_as_documented(tmp_path):
    page = (ROOT / "docs" / "operations.md").read_text()
    commands = page.split("### The database file is gone")[1].split("```sh\n")[1].split("```")[0]
    with Installation(data=tmp_path) as own:
        business = next(one for one in own.make_owner().fetch("/api/businesses")["data"] if one["isSandbox"])
        Customer(own, business["id"]).say("before")

        def becomes(status):
            deadline = time.monotonic() + 60
            while requests.get(own.url + "/readyz", timeout=20).status_code != status:
                assert time.monotonic() < deadline, own.log_text()
                time.sleep(0.05)

        file = own.data / "frontdesk.sqlite"
        file.rename(tmp_path / "away")
        # From the next commit on, whenever the server looks for the file itself.
        refused = Customer(own, business["id"]).say("while it is away", expect=503)
        assert refused["code"] == "unavailable"
        becomes(503)
        (tmp_path / "away").rename(file)
        becomes(200)
        assert f"level=error event=store_file_gone file={file}" in own.log_text()
        assert f"event=store_file_back file={file}" in own.log_text()
        for name in ("", "-wal", "-shm"):
            pathlib.Path(f"{file}{name}").unlink()
        becomes(503)
        Customer(own, business["id"]).say("after", expect=503)
        for name, here in (("$(systemctl show --property=MainPID --value frontdesk)", str(own.process.pid)),
                           ("/var/lib/frontdesk.rescued", f"{tmp_path}/rescued"), ("/var/lib/frontdesk/", f"{own.data}/"),
                           ("\nfrontdesk ", f"\n{BINARY} ")):
            assert name in commands
            commands = commands.replace(name, here)
        done = subprocess.run(["sh", "-eu", "-c", commands], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
        # What was acknowledged, and what the scripted customer of the sandbox wrote.
        assert "read 2 messages" in done.stdout and "all is whole" in done.stdout, done.stdout + done.stderr


# Lines of the log


def test_a_failed_sign_in_is_in_the_log_with_the_address_of_the_client_alone():
    with Installation("--trusted-proxy", "127.0.0.1") as own:
        own.make_owner()
        visitor = Session(own)
        for _ in range(3):
            visitor.call("POST", "/api/session", {"email": "ada@example.com", "password": "canary"}, 401,
                         headers={"X-Forwarded-For": "203.0.113.9"})
        [line] = [line for line in own.log_text().splitlines() if "event=sign_in_failed" in line]
        assert line.endswith(" address=203.0.113.9 failed=1 refused=0")
        counts = requests.get(own.url + "/metrics", timeout=20).text
        assert "frontdesk_sign_ins_failed_total 3\n" in counts
        own.stop()
        # What was counted until the end is in the log too.
        lines = [line for line in own.log_text().splitlines() if "event=sign_in_failed" in line]
        assert len(lines) == 2 and lines[1].endswith(" address=203.0.113.9 failed=2 refused=0")
        assert "ada@example.com" not in own.log_text() and "canary" not in own.log_text()


def test_an_administrative_change_is_in_the_log_with_who_made_it(server):
    owner = server.make_owner()
    agent = owner.fetch("/api/session")["agent"]["id"]
    business = owner.fetch("/api/businesses")["data"][0]["id"]
    owner.call("PATCH", f"/api/businesses/{business}", {"colour": "#123456"})
    assert re.search(rf"level=info event=business_changed request=[0-9a-f]+ by=agent:{agent} business={business}$",
                     server.log_text(), re.M)


def test_the_level_of_the_log_is_changed_while_the_server_runs(tmp_path):
    with Installation("--log-level", "warning", data=tmp_path) as own:
        assert "logs from warning on" in own.command("log", "level").stdout
        assert "event=server_started" not in own.log_text()
        assert "logs from debug on" in own.command("log", "level", "debug").stdout
        requests.get(own.url + "/livez", timeout=20)
        assert "event=log_level_changed from=warning to=debug" in own.log_text()
        assert "operation=isAlive" in own.log_text()
        refused = own.command("log", "level", "loud", check=False)
        assert refused.returncode == 1 and 'one of debug, info, warning, error, not "loud"' in refused.stderr
        # The next start reads its own configuration.
        own.stop()
        own.start()
        assert "logs from warning on" in own.command("log", "level").stdout
    refused = own.command("log", "level", "debug", check=False)
    assert refused.returncode == 1 and "no server runs on" in refused.stderr


# Metrics


def test_metrics_are_for_this_machine_unless_the_operator_names_others():
    def status(own, address=None):
        headers = {"X-Forwarded-For": address} if address else {}
        return requests.get(own.url + "/metrics", headers=headers, timeout=20).status_code

    with Installation("--trusted-proxy", "127.0.0.1", "--metrics-from", "192.0.2.0/24") as own:
        assert status(own) == 200 and status(own, "192.0.2.7") == 200
        assert status(own, "203.0.113.9") == 404
        # What a client says itself stands before the address that the proxy adds.
        assert status(own, "192.0.2.7, 203.0.113.9") == 404
    # A proxy that is not trusted asks for others, even from a network that is named.
    with Installation("--metrics-from", "127.0.0.0/8") as own:
        assert status(own) == 200 and status(own, "192.0.2.7") == 404


# Examples in the documentation


def test_the_documented_proxy_command_trusts_the_proxy():
    page = (ROOT / "docs" / "configuration.md").read_text()
    chapter = page.split("### Behind a proxy")[1]
    assert "--trusted-proxy 127.0.0.1" in chapter.split("```")[1]


# Crashes


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV])
def test_a_crash_leaves_no_core_and_prints_no_memory(tmp_path, number):
    with Installation() as own:
        limits = pathlib.Path(f"/proc/{own.process.pid}/limits").read_text()
        assert re.search(r"Max core file size +0 +0 ", limits)
        kept = pathlib.Path(f"/proc/{own.process.pid}/coredump_filter").read_text()
        assert int(kept, 16) == 0
        own.process.send_signal(number)
        assert own.process.wait(timeout=60) == -number
        text = own.log_text()
    assert not re.search(r"(?:[0-9a-f]{2} ){8}", text), text
    assert "Registers" not in text and "Backtrace" not in text


# The work of a team


def command(server, *words, code=0):
    """Runs a command on a server's data; what it prints."""
    done = subprocess.run([str(BINARY), *words, "--data", str(server.data)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done
    return done.stdout if code == 0 else done.stderr


def until(ask, wanted):
    """What is answered as soon as it is as wanted."""
    end = time.monotonic() + 60
    while not wanted(found := ask()):
        assert time.monotonic() < end, f"it never came: {found}"
        # Reports are asked for as often as searches may be: five times a second.
        time.sleep(0.25)
    return found


def test_commands_stop_rules_block_customers_print_reports_and_have_them_counted_anew():
    with Installation() as server:
        owner = server.make_owner()
        business = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
        path = f"/api/businesses/{business['id']}"
        rule = owner.post(f"{path}/rules", {"name": "Late", "when": "closed", "if": [], "then": [{"priority": "low"}]}, expect=201)
        assert rule["id"] in command(server, "rule", "list")
        command(server, "rule", "stop", rule["id"])
        assert owner.fetch(f"{path}/rules/{rule['id']}")["on"] is False
        command(server, "rule", "start", rule["id"])
        assert owner.fetch(f"{path}/rules/{rule['id']}")["on"] is True
        customer = Customer(server, business["id"])
        conversation = customer.say("Hello there")["message"]["conversation"]
        assert "Hello there" in command(server, "transcript", conversation)
        command(server, "customer", "block", conversation)
        customer.say("And again", expect=403)
        command(server, "customer", "unblock", conversation)
        customer.say("And again")
        counted = until(lambda: owner.fetch(f"{path}/reports")["total"], lambda total: total["received"] == 2)
        lines = command(server, "report", business["id"], "--csv").splitlines()
        column = lines[0].split(",").index("received")
        assert sum(int(line.split(",")[column]) for line in lines[1:]) == 2
        assert "reports  at " in command(server, "reader", "list")
        before = owner.fetch(f"{path}/reports")["countedUpTo"]
        command(server, "reader", "replay", "reports")
        # An idle reader begins by itself.
        until(lambda: owner.fetch(f"{path}/reports")["countedUpTo"], lambda end: end == before)
        until(lambda: command(server, "reader", "list"), lambda lines: "reports  at " in lines)
        assert owner.fetch(f"{path}/reports")["total"] == counted
        assert "acts on what happens" in command(server, "reader", "replay", "rules", code=1)
        assert "soon" in command(server, "report", business["id"], "--from", "soon", code=1)
        assert "Ada" in command(server, "member", "list")
