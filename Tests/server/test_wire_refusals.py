"""Bad input at the gateway's routes, over real sockets: the stated status, its words, nothing lost."""

import base64
import gzip
import http.client
import json
import pathlib
import re
import shutil
import socket
import tempfile
import time
import uuid

import jwt
import pytest
import requests
from support.server import Customer, Installation
from support.provider import Endpoint, Provider, come, token

OTHER_KEY = base64.b64encode(b"x" * 32).decode()
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
MEBIBYTE = 1024 * 1024


def register(server, business, provider):
    """Registers a provider by the command line."""
    printed = server.command("gateway", "register", "--business", business,
                            "--endpoint", provider.endpoint, "--msp-id", "msp-7").stdout
    secret = re.search(r"[A-Za-z0-9+/]{43}=", printed).group(0)
    return provider.learn(server.url + "/v1", "msp-7", secret, business)


@pytest.fixture(scope="module")
def provider(server, sandbox):
    """A provider of the sandbox's business."""
    made = register(server, sandbox["id"], Provider())
    yield made
    made.stop()


@pytest.fixture(scope="module")
def upstream(server, owner):
    """A business whose customers come through an upstream gateway: `post` posts their messages."""
    business = owner.post("/api/businesses", {"name": "Upstream", "mode": "test"}, expect=201)["id"]
    end, secret = Endpoint(), base64.b64encode(b"k" * 32).decode()
    printed = server.command(
        "gateway", "connect", "--business", business, "--base-url", end.url + "/v1",
        "--msp-id", "m-1", "--secret", secret).stdout
    end.business, end.secret, end.msp_id = business, secret, "m-1"
    end.callback = re.search(r"at the gateway: +(\S+)", printed).group(1)
    end.first = come(server, end.callback, "m-1", secret, business, "Hello")
    yield end
    end.stop()


def hello(text="Hello"):
    """A text's members."""
    return {"type": "text", "body": text}


def packed(zeros):
    """A gzip body of so many zero bytes, a thousand times smaller."""
    return gzip.compress(b"0" * zeros, 9)


# The fault of a request, its status, and its sentence. A field that is None is
# left out; `body` replaces the whole body, `claims` and `key` make another token.
WRONG = [
    ("no token", 401, "Authorization is missing", {"fields": {"Authorization": None}}),
    ("no bearer", 403, "Bearer", {"fields": {"Authorization": "Basic eDp5"}}),
    ("rubbish for a token", 403, "", {"fields": {"Authorization": "Bearer a.b.c"}}),
    ("another key", 403, "signature", {"key": OTHER_KEY}),
    ("another algorithm", 403, "HS256", {"algorithm": "HS384"}),
    ("nobody's MSP id", 403, "", {"claims": {"iss": "nobody", "aud": "nobody"}}),
    ("a token of yesterday", 403, "iat", {"claims": {"iat": int(time.time()) - 90_000}}),
    ("a token of tomorrow", 403, "iat", {"claims": {"iat": int(time.time()) + 90_000}}),
    ("a token without an age", 403, "iat", {"claims": {"iat": None}}),
    ("a token of 5 KB", 403, "4096", {"claims": {"pad": "x" * 5_000}}),
    ("an id that is no UUID", 400, "id", {"fields": {"id": "7"}}),
    ("another id in the body", 400, "id", {"fields": {"id": str(uuid.uuid4())}}),
    ("no JSON", 400, "no JSON", {"body": b'{"v":1,'}),
    ("an unknown type", 400, "telegram", {"members": {"type": "telegram"}}),
    ("no gzip, as it says", 400, "gzip", {"fields": {"Content-Encoding": "gzip"}}),
    ("half a gzip", 400, "gzip",
     {"body": packed(9_000)[:20], "fields": {"Content-Encoding": "gzip"}}),
    ("another encoding", 415, "br", {"fields": {"Content-Encoding": "br"}}),
    ("gzip that grows beyond 4 MiB", 413, "unpacked",
     {"body": packed(4 * MEBIBYTE + 1), "fields": {"Content-Encoding": "gzip"}}),
    ("more than 4 MiB", 413, "", {"body": b" " * (4 * MEBIBYTE + 1)}),
]
# A customer's message is accepted all the same: a refusal would lose it.
ONLY_TO_THE_GATEWAY = [
    ("no id", 400, "id", {"fields": {"id": None}}),
    ("a broken rule", 400, "body", {"members": {"body": None}}),
    ("an unknown customer", 404, "no customer", {"fields": {"destination-id": "urn:mbid:AAAA"}}),
    ("no customer's name", 404, "urn:mbid:", {"fields": {"destination-id": "bob"}}),
    ("another business", 403, "source-id", {"fields": {"source-id": str(uuid.uuid4())}}),
    ("a close", 400, "close", {"members": {"type": "close", "body": None}}),
]


def post(url, path, sender, secret, claims, message, wrong):
    """Posts a message with something wrong about it."""
    message = {key: value for key, value in {**message, **wrong.get("members", {})}.items()
               if value is not None}
    claims = {"iat": int(time.time()), **claims, **{
        name: value for name, value in wrong.get("claims", {}).items()
        if name in claims or name not in ("iss", "aud")}}
    signed = jwt.encode(
        {name: value for name, value in claims.items() if value is not None},
        base64.b64decode(wrong.get("key", secret)), algorithm=wrong.get("algorithm", "HS256"))
    fields = {"Authorization": f"Bearer {signed}", "id": message["id"], "source-id": sender,
              "destination-id": message["destinationId"], "Content-Type": "application/json",
              "capability-list": "QUICK", **wrong.get("fields", {})}
    body = wrong.get("body", json.dumps(message).encode())
    return requests.post(
        url + path, data=body, timeout=30,
        headers={name: value for name, value in fields.items() if value is not None})


def check(answer, status, says):
    """A refusal in the gateway's own form, which names the request."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert re.match(rf"{status} [A-Z][A-Za-z ]+ : \S", answer.text), answer.text
    assert says in answer.text, answer.text
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-Id"])


def exchanges(owner, business):
    """The wire log, newest first."""
    return owner.fetch(f"/api/businesses/{business}/gateway/exchanges")["data"]


@pytest.mark.parametrize("name, status, says, wrong", WRONG + ONLY_TO_THE_GATEWAY,
                         ids=[row[0] for row in WRONG + ONLY_TO_THE_GATEWAY])
def test_a_provider_s_mistake_has_its_status_and_nothing_is_lost(
        server, owner, sandbox, provider, name, status, says, wrong):
    """Refused, noted, not stored; the same message sent well arrives, and so does the answer to it."""
    phone = Customer(server, sandbox["id"])
    said = phone.say(f"about {name}")
    customer = provider.wait(lambda post: post.get("body") == f"about {name}").body["sourceId"]
    message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": sandbox["id"],
               "destinationId": customer, **hello()}
    answer = post(provider.base, "/message", sandbox["id"], provider.secret,
                  {"iss": provider.msp_id}, message, wrong)
    check(answer, status, says)
    noted = [one for one in exchanges(owner, sandbox["id"])
             if one["status"] == status and one["course"] == "received"]
    # A body over the limit is not read; a token that names no link belongs to no wire log.
    if name not in ("more than 4 MiB", "no token", "no bearer", "rubbish for a token",
                    "nobody's MSP id", "a token of 5 KB"):
        assert noted and answer.headers["X-Request-Id"] in json.dumps(noted[0]["answer"])
        if name in ("a broken rule", "an unknown type", "no JSON", "another key"):
            assert noted[0]["findings"], noted[0]
    provider.send(customer, {**message})
    phone.say("thanks")
    provider.wait(lambda post: post.get("body") == "thanks" and post["sourceId"] == customer)
    thread = owner.fetch(f"/api/conversations/{said['message']['conversation']}/messages")["data"]
    assert [one["payload"]["body"] for one in thread] == [f"about {name}", "Hello", "thanks"]


@pytest.mark.parametrize("name, status, says, wrong", WRONG, ids=[row[0] for row in WRONG])
def test_an_upstream_s_mistake_has_its_status_and_nothing_is_lost(
        server, owner, upstream, name, status, says, wrong):
    """The same at the other endpoint."""
    customer = upstream.first["sourceId"]
    message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": customer,
               "destinationId": upstream.business, **hello(f"about {name}")}
    path = upstream.callback[upstream.callback.index("/msp/"):] + "/message"
    [talk] = owner.fetch(f"/api/conversations?business={upstream.business}")["data"]
    thread = f"/api/conversations/{talk['id']}/messages"
    before = owner.fetch(thread)["data"]
    claims = {"aud": upstream.msp_id}
    check(post(server.url, path, customer, upstream.secret, claims, message, wrong), status, says)
    assert owner.fetch(thread)["data"] == before
    good = post(server.url, path, customer, upstream.secret, claims, message, {})
    assert good.status_code == 200, good.text
    assert [one["payload"]["body"] for one in owner.fetch(thread)["data"]][len(before):] == [
        f"about {name}"]


def test_a_message_from_upstream_that_breaks_a_rule_is_accepted_and_noted(server, owner, upstream):
    """A customer's message is not lost for its form; the wire log has the findings."""
    customer = upstream.first["sourceId"]
    message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": customer,
               "destinationId": upstream.business, **hello()}
    path = upstream.callback[upstream.callback.index("/msp/"):] + "/message"
    answer = post(server.url, path, customer, upstream.secret, {"aud": upstream.msp_id}, message,
                  {"members": {"body": None}, "fields": {"id": None}})
    assert answer.status_code == 200, answer.text
    assert any(one["rule"] for one in exchanges(owner, upstream.business)[0]["findings"])


@pytest.mark.parametrize("name", ["id", "source-id", "destination-id", "Authorization"])
def test_a_header_that_is_sent_twice_is_refused_with_that_as_the_reason(sandbox, provider, upstream, server, name):
    """Which of the two is meant is not known, and a proxy may read another one."""
    words = f"twice {name}"
    Customer(server, sandbox["id"]).say(words)
    customer = provider.wait(lambda post: post.get("body") == words).body["sourceId"]
    ends = [("/v1/message", provider.secret, {"iss": "msp-7"}, sandbox["id"], customer)]
    ends.append((upstream.callback[len(server.url):] + "/message", upstream.secret, {"aud": "m-1"},
                 "urn:mbid:AAAA", upstream.business))
    for path, secret, claims, source, destination in ends:
        message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": source, "destinationId": destination, **hello()}
        body = json.dumps(message).encode()
        fields = [("Authorization", "Bearer " + token(secret, **claims)), ("id", message["id"]), ("source-id", source),
                  ("destination-id", destination), ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        fields += [one for one in fields if one[0] == name]
        if "/msp/" in path and name == "destination-id":
            continue
        line = http.client.HTTPConnection(server.url.split("//")[1], timeout=30)
        line.putrequest("POST", path, skip_accept_encoding=True)
        for field, value in fields:
            line.putheader(field, value)
        line.endheaders(body)
        answer = line.getresponse()
        text = answer.read().decode()
        assert answer.status == 400 and "is sent 2 times: send it once" in text, text
        assert name.lower() in text.lower()


def test_an_unknown_link_is_404_and_a_closed_conversation_410(server, owner, sandbox, provider):
    """410 until the customer writes again; earlier messages stay."""
    check(requests.post(f"{server.url}/msp/{uuid.uuid4()}/message", json={}, timeout=20), 404, "")
    check(requests.post(server.url + "/v1/telegram", json={}, timeout=20), 404, "")
    phone = Customer(server, sandbox["id"])
    said = phone.say("to be closed")
    customer = provider.wait(lambda post: post.get("body") == "to be closed").body["sourceId"]
    phone.call("DELETE", f"/api/phone/{sandbox['id']}/conversation", expect=204)
    _, answer = provider.send(customer, hello(), expect=410)
    check(answer, 410, "Session not found")
    phone.say("back")
    provider.wait(lambda post: post.get("body") == "back")
    provider.send(customer, hello())
    thread = owner.fetch(f"/api/conversations/{said['message']['conversation']}/messages")["data"]
    assert [one["payload"]["body"] for one in thread] == ["to be closed", "back", "Hello"]


def peak(server):
    """The most memory that the server ever had, in bytes."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) * 1024


def test_a_bomb_of_one_to_a_thousand_costs_no_memory(server, sandbox, provider, upstream):
    """4 MB that would be 4 GB, as many small members so that no single length shows it: 413 at once."""
    one = packed(64 * MEBIBYTE)
    bomb = one * (4 * MEBIBYTE // len(one))
    assert len(bomb) <= 4 * MEBIBYTE and 64 * MEBIBYTE / len(one) > 900
    message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": sandbox["id"],
               "destinationId": "urn:mbid:AAAA", **hello()}
    before = peak(server)
    wrong = {"body": bomb, "fields": {"Content-Encoding": "gzip"}}
    claims, path = {"iss": provider.msp_id}, upstream.callback[upstream.callback.index("/msp/"):]
    for round in range(3):
        check(post(provider.base, "/message", sandbox["id"], provider.secret, claims, message,
                   wrong), 413, "unpacked")
        check(post(server.url, path + "/message", upstream.first["sourceId"], upstream.secret,
                   {"aud": "m-1"}, {**message, "destinationId": upstream.business}, wrong),
              413, "unpacked")
        # The same behind `decodePayload`, whose bytes may be packed themselves.
        inner = requests.post(provider.base + "/decodePayload", data=bomb, timeout=30,
                              headers=provider.headers(bid="b"))
        assert inner.status_code == 413 and "unpacked" in inner.text, inner.text
    grown = peak(server) - before
    print(f"note: {len(bomb)} bytes that would be {64 * MEBIBYTE * (len(bomb) // len(one))}, "
          f"nine times: the peak grew by {grown // 1024} KiB")
    assert grown < 96 * MEBIBYTE, f"the peak grew by {grown} bytes"


@pytest.mark.one_process
def test_the_gateway_s_requests_are_named_counted_and_logged():
    """As every other route's: X-Request-Id, traceresponse, a line, a count."""
    with Installation("--log-level", "debug") as server:
        server.make_owner()
        answer = requests.post(server.url + "/v1/message", json={}, timeout=20, headers={
            "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"})
        check(answer, 401, "missing")
        name = answer.headers["X-Request-Id"]
        assert answer.headers["traceresponse"] == f"00-{TRACE}-{name}-01"
        line = next(one for one in server.log_text().splitlines() if f"request={name}" in one)
        assert (f"event=request request={name} trace={TRACE} operation=gatewayMessage status=401 "
                "code=unauthenticated") in line
        counts = requests.get(server.url + "/metrics", timeout=20).text
        assert 'frontdesk_refused_total{reason="unauthenticated"} 1' in counts


def test_a_provider_has_a_budget_of_writes():
    """429 with Retry-After beyond it; a wrong token uses up nothing."""
    with Installation("--limit", "gateway-writes-burst=5", "--limit", "gateway-writes-per-second=1") as server:
        owner = server.make_owner()
        business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
        provider = register(server, business, Provider())
        Customer(server, business).say("hello")
        customer = provider.next("text")["sourceId"]
        for _ in range(9):
            forged = requests.post(
                provider.base + "/message", json={}, timeout=20,
                headers={"Authorization": "Bearer " + token(OTHER_KEY, iss="msp-7")})
            assert forged.status_code == 403
        statuses = []
        while 429 not in statuses:
            message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": business,
                       "destinationId": customer, **hello()}
            answer = post(provider.base, "/message", business, provider.secret,
                          {"iss": "msp-7"}, message, {})
            statuses.append(answer.status_code)
        assert statuses[:5] == [200] * 5
        check(answer, 429, "")
        assert int(answer.headers["Retry-After"]) >= 1
        provider.stop()


@pytest.mark.one_process
def test_below_the_disk_s_hard_mark_writes_are_refused_and_reading_works():
    """503 with Retry-After before anything is written; all of it is back when there is room."""
    free = shutil.disk_usage(tempfile.gettempdir()).free
    with Installation() as server:
        owner = server.make_owner()
        business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
        provider = register(server, business, Provider())
        Customer(server, business).say("hello")
        customer = provider.next("text")["sourceId"]
        server.stop()
        server.flags += ["--limit", f"disk-hard-bytes={free * 4}"]
        server.start()
        provider.base = server.url + "/v1"
        deadline = time.monotonic() + 10
        while "event=disk_full" not in server.log_text():
            assert time.monotonic() < deadline
        _, answer = provider.send(customer, hello(), expect=503)
        check(answer, 503, "space")
        assert int(answer.headers["Retry-After"]) >= 1
        reserved = requests.get(provider.base + "/preUpload", timeout=20,
                                headers=provider.headers(**{"MMCS-Size": "5"}))
        check(reserved, 503, "space")
        counts = requests.get(server.url + "/metrics", timeout=20).text
        assert "frontdesk_storage_full_total 2\n" in counts
        server.stop()
        del server.flags[-2:]
        server.start()
        provider.base = server.url + "/v1"
        provider.send(customer, hello())
        provider.stop()


@pytest.mark.one_process
def test_a_cut_answer_has_no_byte_and_loses_no_message(server, owner, sandbox, provider):
    """The dial `cut`: the message is stored, its sender got no answer."""
    phone = Customer(server, sandbox["id"])
    said = phone.say("before the cut")
    customer = provider.wait(lambda post: post.get("body") == "before the cut").body["sourceId"]
    path = f"/api/businesses/{sandbox['id']}/gateway/registration"
    put = {"endpoint": provider.endpoint, "settings": {
        "faults": {"seed": 1, "cut": {"probability": 1}}}}
    owner.call("PUT", path, put)
    try:
        message = json.dumps({"v": 1, "id": str(uuid.uuid4()), "sourceId": sandbox["id"],
                              "destinationId": customer, **hello()}).encode()
        head = "".join(f"{name}: {value}\r\n" for name, value in {
            "Host": f"127.0.0.1:{server.port}", "Content-Length": len(message),
            "id": json.loads(message)["id"], "destination-id": customer,
            **provider.headers()}.items())
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as peer:
            peer.sendall(f"POST /v1/message HTTP/1.1\r\n{head}\r\n".encode() + message)
            assert peer.recv(65_536) == b""
    finally:
        owner.call("PUT", path, {"endpoint": provider.endpoint, "settings": {}})
    thread = owner.fetch(f"/api/conversations/{said['message']['conversation']}/messages")["data"]
    assert [one["payload"]["body"] for one in thread] == ["before the cut", "Hello"]
