"""The memory of one request, whatever its content: bounded by the largest body."""

import base64
import gzip
import json
import os
import subprocess
import threading

import pytest
import requests
from support.binary import BINARY
from support.ephemeral import BUSINESS, SECRET, Ephemeral
from support.server import Customer, Installation, Session
from support.provider import Provider, token
from support.registered import registered

MIB = 1 << 20
# The largest JSON body that a route reads, `payload-bytes`.
BODY = 4 * MIB
# A body is read, parsed, validated, rewritten and sent: at most so many times its size, whatever its content.
# The most seen is 24 times, and it differs by a few MiB from run to run.
MOST = 40 * BODY
FREE = [word for name in ("validations", "key-messages", "agent-messages", "searches", "address-requests")
        for word in ("--limit", f"{name}-per-second=100000", "--limit", f"{name}-burst=100000")]


class Gauge:
    """Returns the peak of resident memory of a process since the previous call."""

    def __init__(self, process):
        self.folder = f"/proc/{process.pid}"
        self.idle = self.read("RssAnon")

    def read(self, word):
        """A line of the process's status, in bytes."""
        with open(f"{self.folder}/status") as status:
            line = next(line for line in status if line.startswith(word + ":"))
        return int(line.split()[1]) * 1024

    def above(self, act):
        """The peak in bytes above the idle process while `work` ran; and its result."""
        with open(f"{self.folder}/clear_refs", "w") as clear:
            clear.write("5")
        done = act()
        # Pages of the database's file are the system's: the system evicts them under memory pressure.
        return self.read("VmHWM") - self.read("RssFile") - self.idle, done


class Desk:
    """A server, its gauge, a key, and a conversation to write to."""

    def __init__(self, server):
        owner = server.make_owner()
        self.server = server
        self.business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
        self.key = Session(server, key=server.make_key(self.business))
        self.customer = Customer(server, self.business)
        self.conversation = self.customer.say("Hello")["message"]["conversation"]
        self.gauge = Gauge(server.process)

    def ask(self, method, path, body=b"", kind="application/json"):
        """The status of an answer, which is read to its end; fails when the request used too much memory."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        assert len(body) <= BODY
        taken, answer = self.gauge.above(lambda: self.key.request(
            method, self.server.url + path, data=body, headers={"Content-Type": kind}, timeout=120))
        assert taken < MOST, f"{method} {path}: {taken / MIB:.0f} MiB for {len(body)} bytes"
        assert len(answer.content) < MOST
        return answer.status_code

    def publish(self, name, payload, parameters=(), expect=201):
        """Publishes a template; JSON texts stay as they are."""
        payload = payload if isinstance(payload, str) else json.dumps(payload)
        status = self.ask("POST", "/api/templates",
                          f'{{"business":"{self.business}","name":"{name}","title":"t",'
                          f'"payload":{payload},"parameters":{json.dumps(list(parameters))}}}')
        assert status == expect

    def preview(self, name, values):
        """The status of a preview."""
        return self.ask("POST", f"/api/templates/{name}/preview",
                        {"business": self.business, "values": values})


@pytest.fixture(scope="module")
def desk():
    """One server for all; the idle process is measured before the first of them."""
    with Installation(*FREE) as server:
        yield Desk(server)


def deep(inner, key="k" * 1000, levels=55):
    """A value below keys of a pointer's greatest length."""
    return "".join(f'{{"{key}":' for _ in range(levels)) + inner + "}" * levels


def test_the_measurement_sees_a_large_allocation():
    with Installation("--limit", "passwords-at-once=8", "--limit", "logins-per-address-and-minute=1000") as server:
        gauge = Gauge(server.process)

        def sign_in(number):
            requests.post(server.url + "/api/session", timeout=60, headers={"Origin": server.url}, json={
                "email": f"nobody{number}@example.com", "password": "correct horse battery"})

        def all_at_once():
            threads = [threading.Thread(target=sign_in, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        # Each hash needs 32 MiB; some of them are made at the same time.
        assert max(gauge.above(all_at_once)[0] for _ in range(5)) > 60 * MIB


TEXT = [{"name": "p", "type": "text"}]


def test_a_template_that_values_would_make_huge_is_refused(desk):
    payload = {"type": "text", "body": "{{p}}" * 2000}
    desk.publish("blown", payload, TEXT)
    assert desk.preview("blown", {"p": "x" * 500_000}) == 413
    assert desk.ask("POST", f"/api/conversations/{desk.conversation}/template-messages",
                    {"template": "blown", "values": {"p": "x" * 500_000}}) == 413
    desk.publish("default", payload, [{**TEXT[0], "default": "x" * 500_000}])
    assert desk.preview("default", {}) == 413


@pytest.mark.parametrize("name, payload", [
    ("one text", json.dumps({"type": "text", "body": "{{p}}" * 800_000})),
    ("one text, unknown", json.dumps({"type": "text", "body": "".join("{{q%d}}" % n for n in range(300_000))})),
    ("many texts", deep("[" + ",".join(['"{{p}}"'] * 19_000) + "]")),
    ("many texts, unknown", deep("[" + ",".join('"{{q%d}}"' % n for n in range(19_000)) + "]")),
    ("many texts, half a gap", deep("[" + ",".join(['"{{p"'] * 19_000) + "]"))])
def test_a_template_of_many_placeholders_is_refused_in_bounded_memory(desk, name, payload):
    desk.publish("many", payload, TEXT, expect=422)


def test_values_that_are_all_wrong_are_refused_in_bounded_memory(desk):
    choices = [{"name": f"p{n}", "type": "choice", "choices": ["x" * 400] * 100} for n in range(90)]
    desk.publish("choices", {"type": "text", "body": "{{p0}}"}, choices)
    assert desk.preview("choices", {f"p{n}": "y" for n in range(90)}) == 422
    assert desk.preview("choices", {f"z{n}" + "z" * 900: "y" for n in range(990)}) == 422


@pytest.fixture(scope="module")
def stocked():
    """A server that holds 60 messages and 60 templates of the largest size, its caches warm."""
    # Blanks between values are kept, and are no text that a rule would speak of.
    padded = '{"type":"text",' + " " * (BODY - 1000) + '"body":"a needle in a haystack"}'
    with Installation(*FREE) as server:
        desk = Desk(server)
        desk.path = f"/api/conversations/{desk.conversation}/messages"
        assert desk.ask("POST", desk.path, padded) == 201
        for _ in range(59):
            desk.key.call("POST", desk.path, padded.encode(), expect=201)
        for number in range(60):
            desk.key.call("POST", "/api/templates", (
                f'{{"business":"{desk.business}","name":"large-{number}","title":"t","payload":{padded}}}'
            ).encode(), expect=201)
        while (found := desk.key.fetch("/api/search?q=needle&page[size]=300"))["index"]["behind"]:
            assert server.process.poll() is None
        assert len(found["data"]) == 60
        desk.gauge = Gauge(server.process)
        yield desk


@pytest.mark.parametrize("path", [
    "/api/templates", "/api/search?q=needle&page[size]=300", "/api/conversations?page[size]=300", "{messages}"])
def test_a_list_is_read_in_bounded_memory_however_large_its_elements(stocked, path):
    assert stocked.ask("GET", path.replace("{messages}", stocked.path + "?page[size]=300")) == 200


BODIES = {
    "one long text": json.dumps({"type": "text", "body": "x" * (BODY - 100)}),
    "many values": json.dumps({"type": "text", "body": "x", "y": [{"a": "b" * 180}] * 9900}),
    "many unknown keys": "{" + ",".join(f'"{"k" * 1000}{n}":1' for n in range(990)) + "}",
    "many old spellings": json.dumps({"type": "interactive", "interactiveData": {
        "bid": "x", "data": {"listPicker": {"sections": [{"items": [
            {"imageidentifier": "a", "Title": "b"} for _ in range(5000)]}]}}}}),
    "many texts far below": '{"type":"text","body":"x","y":' + deep(
        "[" + ",".join(['"\\u0000%2520"'] * 15_000) + "]") + "}",
    "many placeholders": json.dumps({"type": "text", "body": "\ufffc" * 1_000_000}, ensure_ascii=False),
    "many pictures": json.dumps({"type": "interactive", "interactiveData": {"bid": "x", "data": {"images": [
        {"identifier": str(n), "data": "89504e470d0a1a0a" * 40} for n in range(4000)]}}}),
}


@pytest.mark.parametrize("path", ["/api/validate", "/api/validate?kind=template", "/api/validate?profile=lenient"])
@pytest.mark.parametrize("name", BODIES)
def test_a_payload_is_validated_in_bounded_memory(desk, path, name):
    # The rulebook's tests cover the findings; this test covers the memory of reporting them.
    desk.ask("POST", path, BODIES[name])


@pytest.mark.parametrize("name", BODIES)
def test_the_errors_of_a_request_are_reported_in_bounded_memory(desk, name):
    for path in ("/api/templates", "/api/templates/blown/preview"):
        assert desk.ask("POST", path, BODIES[name]) == 422


def test_a_batch_of_wrong_messages_is_answered_in_bounded_memory(desk):
    payload = '{"type":"text","y":' + deep("[" + ",".join(['"\\u0000"'] * 150) + "]", levels=7) + "}"
    one = f'{{"conversation":"{desk.conversation}","payload":{payload}}}'
    assert desk.ask("POST", "/api/messages/batch", f'{{"messages":[{",".join([one] * 100)}]}}') == 200


def packed(text, times):
    """A text packed and written as base64, again and again."""
    for number in range(times):
        text = gzip.compress(text) if number % 2 == 0 else base64.b64encode(text)
    return text


def quoted(size):
    """JSON within a text within JSON, as deep as fits."""
    text = '{"a":"b"}'
    while len(text) < size:
        text = '{"a":' + json.dumps(text) + "}"
    return text


LARGE = b'{"a":"' + b"x" * (BODY - 20) + b'"}'
SICK = {
    "gzip bomb": gzip.compress(bytes(200 * MIB)),
    "gzip bomb of two members": gzip.compress(bytes(3 * MIB)) * 500,
    "packed eleven times": packed(LARGE, 11),
    "many packed pictures": ('{"images":[' + ",".join(
        '{"identifier":"%d","data":"%s"}' % (n, base64.b64encode(gzip.compress(bytes(BODY))).decode())
        for n in range(100)) + "]}").encode(),
    "texts within texts": quoted(MIB).encode(),
    "base64 far below": ('{"k":' + deep("[" + ",".join(['"aGVsbG8gd29ybGQgaGVsbG8="'] * 15_000) + "]")
                         + "}").encode(),
    "halves of characters": b"\xed\xa0\x80\xed\xb0\x80" * 600_000,
    "a log line": b"2026-01-01 INFO " + b'payload={"a":1} ' * 200_000,
    "single quotes": ("{'a': '" + "\\'" * 1_500_000 + "'}").encode(),
    "wide letters": ('{"a":"' + "\u4e00" * 1_900_000 + '"}').encode("utf-16"),
    "letters of Windows": b'{"a":"' + b"\x80" * (BODY - 10) + b'"}',
}


@pytest.mark.parametrize("name", SICK)
def test_the_doctor_works_in_bounded_memory(desk, name):
    assert desk.ask("POST", "/api/doctor", SICK[name], "text/plain") == 200


def test_a_provider_s_compressed_body_is_decompressed_in_bounded_memory(desk):
    with registered(desk.server, desk.business) as provider:
        for body in (gzip.compress(bytes(200 * MIB)), gzip.compress(bytes(BODY))):
            taken, answer = desk.gauge.above(lambda body=body: requests.post(
                provider.base + "/message", data=body, timeout=60, headers={
                    "Authorization": "Bearer " + token(provider.secret, iss=provider.msp_id),
                    "Content-Type": "application/json", "Content-Encoding": "gzip",
                    "Source-Id": provider.business, "Destination-Id": "urn:mbid:AAAA", "id": "1"}))
            assert answer.status_code in (400, 413) and taken < MOST


def largest(*words):
    """The peak of a command's resident memory in bytes; its exit code and its output."""
    process = subprocess.Popen([str(BINARY), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024, process.returncode, printed


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_files_are_linted_in_bounded_memory(tmp_path, form):
    (tmp_path / "fine.json").write_text('{"type":"text","body":"Hello"}')
    idle, _, _ = largest("lint", "--format", form, tmp_path / "fine.json")
    for number, body in enumerate(BODIES.values()):
        (tmp_path / f"{number}.json").write_text(body)
    taken, code, printed = largest("lint", "--format", form, *sorted(tmp_path.glob("?.json")))
    assert code == 1 and printed
    assert taken - idle < MOST, f"{(taken - idle) / MIB:.0f} MiB"
    assert len(printed) < MOST


def test_a_script_is_run_in_bounded_memory():
    provider = Provider()
    with Ephemeral(provider.endpoint) as gateway:
        provider.learn(gateway.url + "/v1", "ephemeral", SECRET, BUSINESS)
        gauge = Gauge(gateway.process)
        lines = ["Aki says " + "x" * 130] * 400 + ["Aki expects text saying \"" + "y" * 900 + "\" within 1 ms"]
        taken, ran = gauge.above(lambda: gateway.run("\n".join(lines)))
        assert not ran["passed"] and ran["failure"]["line"] == 401
        assert taken < MOST, f"{taken / MIB:.0f} MiB"
    provider.stop()
