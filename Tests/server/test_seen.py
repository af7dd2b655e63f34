"""The operator's view: metrics that parse, pages that name them all, and nothing that is private."""

import json
import re
import socket
import uuid

import pytest
import requests
import websockets.sync.client
from prometheus_client.parser import text_string_to_metric_families

from support.postgres import is_engine
from support.server import PASSWORD, ROOT, Customer, Installation, Session


def families(server):
    """The metrics by name; parsing them is half of the check."""
    text = requests.get(server.url + "/metrics", timeout=10).text
    return {family.name: family for family in text_string_to_metric_families(text)}


@pytest.mark.one_process
def test_metrics_are_prometheus_text_and_count_events(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    before = families(server)
    phone.say("One")
    phone.call("POST", f"/api/phone/{sandbox['id']}/messages", b"{", 400)
    owner.call("GET", f"/api/conversations/{uuid.uuid4()}", expect=404)
    after = families(server)

    def value(found, name, **labels):
        return sum(s.value for s in found[name].samples
                   if labels.items() <= s.labels.items() and not s.name.endswith("_created"))

    def risen(name, **labels):
        return value(after, name, **labels) - value(before, name, **labels)

    assert risen("frontdesk_messages_accepted", direction="inbound") == 1
    assert risen("frontdesk_refused", reason="malformed_json") == 1
    assert risen("frontdesk_refused", reason="not_found") == 1
    assert risen("frontdesk_log_position") >= 1
    assert value(after, "process_resident_memory_bytes") > 1_000_000
    assert value(after, "process_open_fds") > 3
    [build] = after["frontdesk_build_info"].samples
    assert build.value == 1 and re.fullmatch(r"\d+\.\d+\.\d+", build.labels["version"])
    assert {s.labels["class"] for s in after["frontdesk_http_responses"].samples} == {f"{n}xx" for n in range(1, 6)}
    # The phone's two, the agent's one, and the first page of metrics.
    assert risen("frontdesk_http_responses") >= 4
    assert risen("frontdesk_http_responses", **{"class": "4xx"}) == 2
    times = {s.name: s.value for s in after["frontdesk_http_request_seconds"].samples if s.name.endswith(("_count", "_sum"))}
    assert times["frontdesk_http_request_seconds_count"] > 0 and times["frontdesk_http_request_seconds_sum"] >= 0
    commits = {s.name: s.value for s in after["frontdesk_commit_seconds"].samples
               if s.name.endswith(("_count", "_sum"))}
    assert commits["frontdesk_commit_seconds_count"] > 0
    assert {s.labels["queue"] for s in after["frontdesk_queue_jobs"].samples} == {
        "writer", "readers", "search"}


@pytest.mark.one_process
def test_every_metric_is_on_the_page_and_no_other(server, owner):
    with requests.get(server.url + "/\x7f", timeout=10) as refused:
        assert refused.status_code in (400, 404)
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        raw.recv(100)
    text = requests.get(server.url + "/metrics", timeout=10).text
    shown = set(re.findall(r"^# TYPE (\S+)", text, re.M))
    page = (ROOT / "docs" / "operations.md").read_text()
    section = page.split("\n## Metrics\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    assert shown - listed == set()
    of_databases = {name for name in listed if name.startswith("frontdesk_database_")}
    # What is shown with --blobs, --mail-server or a certificate alone.
    rare = {"frontdesk_blobs_reachable", "frontdesk_mails_total", "frontdesk_certificate_end_timestamp_seconds"}
    assert listed - shown - rare == (set() if is_engine() else of_databases)


def test_health_is_public_and_metrics_are_for_this_machine_only(server):
    assert requests.get(server.url + "/livez", timeout=10).text == "ok\n"
    assert requests.get(server.url + "/readyz", timeout=10).text == "ok\n"
    far = requests.get(server.url + "/metrics", timeout=10,
                       headers={"X-Forwarded-For": "192.0.2.1"})
    assert far.status_code == 404


class Canaries:
    """Texts that must not be seen, each unlike any other."""

    def __init__(self):
        self.private, self.secret = {}, {}

    def text(self, name):
        """Something private: it may be in the answer to its sender, and nowhere else."""
        return self.private.setdefault(name, f"canary{uuid.uuid4().hex}")

    def keep(self, name, secret):
        """A secret: it is in no answer that refuses something."""
        assert secret
        self.secret[name] = secret
        return secret


def test_no_private_text_and_no_secret_is_in_logs_metrics_errors_and_addresses():
    canaries, errors, addresses = Canaries(), [], []

    def watch(answer, *_, **__):
        if answer.status_code >= 400:
            errors.append((answer.request.path_url, answer.text + str(answer.headers)))
        addresses.append(str(answer.headers.get("Location", "")))
        return answer

    with Installation("--log-level", "debug") as server:
        owner = server.make_owner()
        canaries.keep("setup token", server.token("setup"))
        canaries.keep("password", PASSWORD)
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        business = sandbox["id"]
        phone = Customer(server, business)
        key = canaries.keep("key", server.make_key(business))
        program = Session(server, key=key)
        visitor = Session(server)
        for session in (owner, phone, program, visitor):
            session.hooks["response"].append(watch)

        # Texts by people, through every route that accepts one.
        first = phone.say(canaries.text("customer's text"))["message"]
        conversation = f"/api/conversations/{first['conversation']}"
        program.post(conversation + "/messages",
                     {"type": "text", "body": canaries.text("answer")}, 201)
        program.post(conversation + "/messages",
                     {"type": "text", "body": canaries.text("refused text"), "v": 7}, 422)
        program.call("POST", conversation + "/messages",
                     b'{"type":"text","body":"' + canaries.text("half").encode(), 400)
        owner.post(conversation + "/notes", {"text": canaries.text("note")}, 201)
        owner.call("POST", conversation + "/notes", {"text": canaries.text("odd note"), "x": 1},
                   422)
        program.post("/api/messages/batch", {"messages": [
            {"conversation": first["conversation"],
             "payload": {"type": "text", "body": canaries.text("batch")}}]})
        program.post(conversation + "/messages", {
            "type": "text", "body": canaries.text("keyed")}, 201,
            headers={"Idempotency-Key": f'"{canaries.text("idempotency key")}"'})
        owner.fetch("/api/search", params={"q": canaries.text("search")})
        program.call("GET", "/api/search?q=" + "9" * 300 + canaries.text("long search"),
                     expect=422)
        visitor.call("GET", f"/api/{canaries.text('path')}", expect=404)
        owner.call("POST", "/api/attachments?conversation=" + first["conversation"],
                   b"\x00\x01", 201, headers={
                       "Content-Type": "application/octet-stream",
                       "Content-Disposition":
                           f'attachment; filename="{canaries.text("file")}.bin"'})

        # Secrets, right ones and wrong ones.
        canaries.keep("agent's cookie", owner.cookies.get("fd"))
        canaries.keep("customer's cookie", phone.cookies.get("fdc"))
        wrong = canaries.keep("wrong password", f"wrong {uuid.uuid4()}")
        visitor.call("POST", "/api/session", {"email": "ada@example.com", "password": wrong}, 401)
        forged = canaries.keep("forged key", key[:-6] + "AAAAAA")
        Session.call(visitor, "GET", "/api/conversations", expect=401,
                     headers={"Authorization": f"Bearer {forged}"})
        visitor.cookies.set("fd", canaries.keep("forged cookie", uuid.uuid4().hex * 2))
        visitor.call("GET", "/api/keys", expect=401)
        visitor.cookies.clear()
        invited = owner.post(f"/api/businesses/{business}/members",
                             {"email": "ben@example.com", "role": "agent"}, 201)
        token = canaries.keep("invitation", invited["invitationUrl"].rsplit("=", 1)[-1])
        weak = canaries.keep("weak password", "zq9short")
        visitor.post("/api/invitations/accept",
                      {"token": token, "name": "Ben", "password": weak}, 422)
        code = owner.post("/api/sandbox/codes", {}, 201)
        canaries.keep("join code", code["url"].rsplit("/", 1)[-1])
        canaries.keep("typed code", code["typed"])
        half = canaries.keep("mistyped code", code["typed"][:-1] + (
            "B" if code["typed"][-1] == "A" else "A"))
        visitor.post("/api/phone/codes", {"typed": half}, 404)
        with websockets.sync.client.connect(
                server.url.replace("http", "ws") + "/api/live",
                additional_headers={"Authorization": f"Bearer {key}"}) as live:
            live.send(json.dumps({"type": canaries.text("frame")}))
            try:
                live.recv(timeout=1)
            except (TimeoutError, websockets.ConnectionClosed):
                pass
        metrics = requests.get(server.url + "/metrics", timeout=10).text
        log = server.log_text()
        server.stop()
        log += server.log_text()
    assert "event=request " in log and "operation=sendMessage" in log
    assert len(errors) > 8
    everywhere = {"the log": log, "the metrics": metrics, "addresses": " ".join(addresses)}
    for name, text in {**canaries.private, **canaries.secret}.items():
        for place, content in everywhere.items():
            assert text not in content, f"{name} is in {place}"
    for name, secret in canaries.secret.items():
        for path, content in errors:
            assert secret not in content, f"{name} is in the refusal of {path}"
