"""What bad input gets: the stated status, a reason, and nothing stored."""

import uuid

import pytest
import requests
from support.server import ROOT, Customer, Session


@pytest.fixture(scope="module")
def conversation(server, sandbox):
    """A conversation with one message."""
    return Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]


@pytest.fixture(scope="module")
def program(server, sandbox):
    """A program with a key for the sandbox."""
    return Session(server, key=server.make_key(sandbox["id"]))


REFUSED = [
    ("malformed JSON", '{"type":"text",\n "body":}', 400, "malformed_json"),
    ("a duplicate key", '{"type":"text","type":"text","body":"x"}', 400, "malformed_json"),
    ("an unknown type", '{"type":"telegram","body":"x"}', 422, "invalid"),
    ("a missing body", '{"type":"text"}', 422, "invalid"),
    ("a body that is no text", '{"type":"text","body":["x"],"colour":"red"}', 422, "invalid"),
    ("a close", '{"type":"close"}', 422, "invalid"),
    ("another source", '{"type":"text","body":"x","sourceId":"%s"}' % uuid.uuid4(), 422, "invalid"),
    # A balancer that still sends the rest of the body may lose the answer that came before its end.
    pytest.param("more than 4 MiB", '{"type":"text","body":"%s"}' % ("x" * (4 << 20)), 413, "too_large",
                 marks=pytest.mark.one_process),
]


@pytest.mark.parametrize("name, body, status, code", REFUSED, ids=[getattr(row, "values", row)[0] for row in REFUSED])
def test_refused_and_nothing_stored(program, conversation, name, body, status, code):
    path = f"/api/conversations/{conversation}/messages"
    before = program.fetch(path)["data"]
    problem = program.post(path, body.encode(), status)
    assert problem["code"] == code
    if status == 422:
        for finding in problem["errors"]:
            assert finding["rule"] and finding["line"] >= 1 and finding["column"] >= 1
            assert finding["pointer"] == "" or finding["pointer"].startswith("/")
    if code == "malformed_json":
        assert problem["line"] >= 1 and problem["column"] >= 1
    same = program.post(f"/api/validate?conversation={conversation}", body.encode(), status)
    assert same["code"] == code and same.get("errors") == problem.get("errors")
    assert program.fetch(path)["data"] == before


def test_no_credential_is_401_and_a_wrong_one_too(server, conversation):
    path = f"/api/conversations/{conversation}/messages"
    body = {"type": "text", "body": "x"}
    Session(server, key="fd_test_" + "A" * 43).post(path, body, 401)
    bare = Session(server)
    bare.post(path, body, 401, headers={"Host": "example.com", "Origin": "http://example.com"})


def test_an_unknown_or_foreign_object_is_404(server, owner, sandbox, program):
    program.fetch(f"/api/conversations/{uuid.uuid4()}/messages", 404)
    other = next(b for b in owner.fetch("/api/businesses")["data"] if not b["isSandbox"])
    foreign = Customer(server, other["id"]).say("Hello")["message"]["conversation"]
    program.fetch(f"/api/conversations/{foreign}/messages", 404)
    program.post(f"/api/conversations/{foreign}/messages", {"type": "text", "body": "x"}, 404)


def test_the_page_that_a_refusal_names_can_be_read(server, program, conversation):
    missing = program.fetch(f"/api/conversations/{uuid.uuid4()}/messages", 404)
    assert missing["type"] == "/docs/problems/not_found"
    refused = program.post(f"/api/conversations/{conversation}/messages", {"type": "text"}, 422)
    pages = [missing["type"], refused["type"], *(found["docs"] for found in refused["errors"])]
    for page in pages:
        answer = requests.get(server.url + page, timeout=20)
        assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/markdown")
        # The hand-written page, not one generated from the code.
        assert answer.text == (ROOT / f"{page[1:]}.md").read_text()
    assert requests.get(server.url + "/docs/problems/no_such_code", timeout=20).status_code == 404


def test_a_request_from_another_site_is_403(server, owner, conversation):
    path = f"/api/conversations/{conversation}/messages"
    owner.post(path, {"type": "text", "body": "x"}, 403, headers={"Origin": "http://evil.example"})


def test_an_unknown_flag_is_an_error_with_a_hint(server):
    answer = server.command("serve", "--lisen", "127.0.0.1:0", check=False)
    assert answer.returncode != 0 and "--listen" in answer.stderr
