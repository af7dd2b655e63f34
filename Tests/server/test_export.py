"""An export beside the running server, and what becomes of it elsewhere."""

import base64
import hashlib
import json
import sqlite3
import subprocess

from support.server import BINARY, PASSWORD, Customer, Installation, Session

JAPANESE = "ご注文の配送日はいつですか🎁\u2028"


def lines_of(data):
    """The things of an export: all lines but the first and the last, checked against the last."""
    lines = data.split(b"\n")
    assert lines.pop() == b""
    head, end = json.loads(lines[0]), json.loads(lines[-1])
    assert head["type"] == "frontdesk-export" and head["version"] == 3
    assert end["lines"] == len(lines) - 1
    assert end["sha256"] == hashlib.sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
    return lines[1:-1]


def secrets_of(server):
    """Every secret in the store's file, in each way in which it could be written."""
    file = sqlite3.connect(f"file:{server.data}/frontdesk.sqlite?mode=ro", uri=True)
    found = [row[0].encode() for row in file.execute(
        "SELECT password FROM agents WHERE password IS NOT NULL")]
    blobs = [row[0] for row in file.execute(
        "SELECT secret FROM keys UNION SELECT token FROM sessions UNION SELECT link FROM join_codes "
        "UNION SELECT typed FROM join_codes UNION SELECT secret FROM gateway_links")]
    file.close()
    assert found and len(blobs) >= 5
    return found + [form for blob in blobs
                    for form in (blob, blob.hex().encode(), base64.b64encode(blob))]


def fill(server, owner, sandbox):
    """A conversation with Japanese, a file, an answer, a note; returns its path and a key."""
    key = server.make_key(sandbox["id"])
    phone = Customer(server, sandbox["id"])
    said = phone.say(JAPANESE)["message"]
    made = phone.call(
        "POST", f"/api/phone/{sandbox['id']}/attachments?name=%E9%85%8D%E9%80%81.bin",
        bytes(range(256)) * 500, 201, headers={"Content-Type": "application/octet-stream"})
    phone.say("with a file", attachments=[made.json()["id"]])
    path = f"/api/conversations/{said['conversation']}"
    Session(server, key=key).post(
        path + "/messages", b'{"type":"text", "body":"1.0\\u002f \\"x\\""}', 201)
    owner.post(path + "/notes", {"text": "折り返し電話"}, 201)
    owner.post("/api/businesses", {"name": "花屋"}, 201)
    return path, key


def run(*words, check=True, **more):
    return subprocess.run([str(BINARY), *map(str, words)], capture_output=True, check=check, **more)


def test_an_export_beside_the_server_becomes_the_same_server_in_another_directory(tmp_path):
    file, other = tmp_path / "a.jsonl", tmp_path / "b"
    with Installation() as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        path, key = fill(server, owner, sandbox)
        for command, flag in (("register", "--endpoint"), ("connect", "--base-url")):
            server.command(
                "gateway", command, "--business", sandbox["id"], flag, "https://elsewhere.example/v1",
                "--msp-id", f"msp-{command}", "--secret", base64.b64encode(command.encode() * 4).decode())
        thread = owner.fetch(path + "/messages")["data"]
        notes = [item for item in owner.fetch(path + "/messages")["notes"]]
        exported = server.command("export", str(file))
        assert "the export is in" in exported.stdout
        assert file.stat().st_mode & 0o077 == 0
        piped = run("export", "-", "--data", server.data)
        things = lines_of(file.read_bytes())
        assert lines_of(piped.stdout) == things and b"exported" in piped.stderr
        assert server.command("export", str(file), check=False).returncode == 2
        for secret in [*secrets_of(server), PASSWORD.encode(), key.encode(),
                       server.token("setup").encode()]:
            assert secret not in file.read_bytes()
        payloads = [json.loads(line)["payload"] for line in things
                    if line.startswith(b'{"type":"message"')]
        assert any(JAPANESE in json.loads(payload)["body"] for payload in payloads)
        assert any('"body":"1.0\\u002f \\"x\\""}' in payload for payload in payloads)
        refused = server.command("import", str(file), check=False)
        assert refused.returncode == 2 and "--merge" in refused.stderr
        busy = server.command("import", str(file), "--merge", check=False)
        assert busy.returncode == 1 and "a server runs on" in busy.stderr

        missing = run("import", file, "--data", other / "data", check=False)
        assert missing.returncode == 2 and b"there is no directory" in missing.stderr
        other.mkdir()
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(file.read_bytes()[:-200])
        refused = run("import", cut, "--data", other / "data", check=False)
        assert refused.returncode == 1 and b"it was cut off" in refused.stderr
        assert not (other / "data").exists()

        made = run("import", "-", "--data", other / "data", input=file.read_bytes())
        assert b"all is whole" in made.stdout
        assert b"the provider msp-register at https://elsewhere.example/v1 has no secret" in made.stdout
        assert b"the gateway at https://elsewhere.example/v1 refuses us" in made.stdout
        with Installation(data=other) as second:
            again = run("export", "-", "--data", second.data)
            # Every start adds a few rows; everything of the export comes before them.
            assert [line for line in lines_of(again.stdout) if line in set(things)] == things
            owner = invited(second)
            assert owner.fetch(path + "/messages")["data"] == thread
            assert owner.fetch(path + "/messages")["notes"] == notes
            assert "all is whole" in second.command("verify").stdout
            Session(second, key=key).call("GET", "/api/conversations", expect=401)


def test_an_endpoint_comes_without_its_secret_and_is_disabled_until_it_has_one(tmp_path):
    file, other = tmp_path / "a.jsonl", tmp_path / "b"
    with Installation() as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        path = f"/api/businesses/{sandbox['id']}/webhooks"
        made = owner.post(path, {
            "url": "http://127.0.0.1:9/hook", "types": ["message.accepted"], "description": "the shop's",
            "headers": [{"name": "Authorization", "value": "hidden"}]}, 201)
        server.command("export", str(file))
    text = file.read_text()
    assert made["id"] in text and "hidden" not in text and made["secret"].removeprefix("whsec_") not in text
    other.mkdir()
    printed = run("import", file, "--data", other / "data").stdout.decode()
    assert "the webhook http://127.0.0.1:9/hook has no secret and is disabled" in printed
    with Installation(data=other) as second:
        owner = invited(second)
        [shown] = owner.fetch(path)["data"]
        assert shown["id"] == made["id"] and shown["state"] == "disabled" and shown["reason"] == "member"
        assert shown["types"] == ["message.accepted"] and shown["description"] == "the shop's"
        assert shown["headers"] == []
        renewed = owner.post(f"{path}/{made['id']}/secret", {"overlapHours": 0})
        assert renewed["secret"].startswith("whsec_") and renewed["secret"] != made["secret"]
        assert owner.post(f"{path}/{made['id']}/enable")["state"] == "enabled"
        assert "all is whole" in second.command("verify").stdout


def invited(server):
    """The imported owner with a new password, by the link that the command line prints."""
    link = server.command("owner", "link", "--email", "ada@example.com").stdout
    token = link.split("#invite=")[1].split()[0]
    session = Session(server)
    session.post("/api/invitations/accept",
                 {"token": token, "name": "Ada", "password": PASSWORD}, expect=201)
    return session


def test_a_merge_adds_missing_messages_and_a_second_one_nothing(tmp_path):
    file = tmp_path / "a.jsonl"
    with Installation() as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        path, _ = fill(server, owner, sandbox)
        before = owner.fetch(path + "/messages")["data"]
        server.command("export", str(file))
    with Installation() as server:
        server.make_owner()
        server.stop()
        first = server.command("import", str(file), "--merge")
        assert "added" in first.stdout and "0 were there already" in first.stdout
        second = server.command("import", str(file), "--merge")
        assert second.stdout.startswith("added 0 messages in 0 new conversations")
        assert "all is whole" in server.command("verify").stdout
        kept = sqlite3.connect(server.data / "frontdesk.sqlite")
        payloads = {row[0] for row in kept.execute("SELECT id FROM messages")}
        assert {message["id"] for message in before} <= payloads
        assert run("import", "-", "--merge", "--data", server.data, check=False).returncode == 2
