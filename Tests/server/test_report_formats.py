"""Every example gets the same findings from every interface: lint in all formats, validate, a send, and the
message as it is stored; docs/lint.md names what an interface does not check."""

import datetime
import itertools
import json
import re
import uuid

import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SARIF
from support import lint
from support.server import Customer, Installation, Session

ALL = lint.examples()
GROUPS = [list(group) for _, group in itertools.groupby(
    sorted(ALL, key=lambda e: (e.group, e.name)), key=lambda e: e.group)]
IDS = ["-".join([group[0].direction if group[0].is_message else "paper",
                 *group[0].settings.values()]) for group in GROUPS]
# The capabilities of the customer's page.
DEVICE = "QUICK,LIST,TIME,FORM,AUTH,AUTH2"


@pytest.fixture(scope="module")
def server():
    """A server without a pace, so that all examples fit into seconds."""
    with Installation("--limit", "key-messages-per-second=100000",
               "--limit", "key-messages-burst=100000",
               "--limit", "validations-per-second=100000",
               "--limit", "validations-burst=100000") as running:
        yield running


@pytest.fixture(scope="module")
def program(server, sandbox):
    """A program with a key for the sandbox."""
    return Session(server, key=server.make_key(sandbox["id"]))


def judged(group, format):
    """One lint of a group's files."""
    first = group[0]
    kind = "message" if first.is_message else "auto"
    return lint.lint(
        [e.name for e in group], format, first.direction, kind=kind, **first.settings)


def by_place(findings):
    """Findings in an order of their own, to be compared as a set."""
    return sorted(findings, key=lambda f: (f["line"], f["column"], f["rule"], f["pointer"]))


def findings_of(answer):
    """The findings of an answer to a payload, and of malformed JSON its place."""
    body = answer.json()
    if answer.status_code == 400:
        return body["line"], body["column"]
    return body.get("errors", body.get("findings", []))


@pytest.mark.parametrize("group", GROUPS, ids=IDS)
def test_lint_finds_what_the_examples_state(group):
    reports = lint.read_json(judged(group, "json"))
    assert list(reports) == [e.name for e in group]
    for example in group:
        report = reports[example.name]
        # An expectation states every finding, and each finding without its sentences.
        stated = ("rule", "severity", "pointer", "line", "column", "edits")
        found = [{name: f[name] for name in stated if name in f} for f in report["findings"]]
        assert by_place(found) == by_place(example.findings), example.name
        assert report["isRefused"] == example.is_invalid, example.name


@pytest.mark.parametrize("format, read", [
    ("text", lint.read_text), ("github", lint.read_github), ("sarif", lint.read_sarif)],
    ids=["text", "github", "sarif"])
@pytest.mark.parametrize("group", GROUPS, ids=IDS)
def test_every_format_reports_the_same(group, format, read):
    stated = {file: lint.plain(report)
              for file, report in lint.read_json(judged(group, "json")).items()}
    output = judged(group, format)
    if format == "sarif":
        SARIF.model_validate_json(output)
    assert read(output) == {file: items for file, items in stated.items() if items}


@pytest.mark.parametrize("group", GROUPS, ids=IDS)
def test_validate_answers_the_same(group, program):
    reports = lint.read_json(judged(group, "json"))
    for example in group:
        query = {"direction": example.direction, "kind": example.kind, **example.settings}
        answer = program.request(
            "POST", f"{program.server.url}/api/validate", params=query, data=example.text,
            headers={"Content-Type": "application/json"}, timeout=20)
        report = reports[example.name]
        assert answer.status_code in ((200,) if not report["isRefused"] else (400, 422))
        same = report["findings"]
        if "fault" in report:
            same = (report["fault"]["line"], report["fault"]["column"])
        assert findings_of(answer) == same, example.name


def test_a_send_reports_the_same(program, server, sandbox, tmp_path):
    customer = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    path = f"/api/conversations/{customer}/messages"
    name = program.fetch(f"/api/conversations/{customer}")["customer"]["id"]
    count = 0
    for group in GROUPS:
        # Inbound payloads and documents that are no message cannot be sent; see docs/lint.md, Interfaces.
        if group[0].direction != "outbound" or not group[0].is_message:
            continue
        profile = group[0].settings["profile"]
        texts = {f"{n}.json": addressed(e.text, sandbox["id"], name)
                 for n, e in enumerate(group)}
        for file, text in texts.items():
            (tmp_path / file).write_bytes(text)
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        reports = lint.read_json(lint.lint(
            texts, "json", "outbound", cwd=tmp_path, profile=profile, mode="test", now=now,
            capabilities=DEVICE, **{"source-id": sandbox["id"], "destination-id": name}))
        for file, text in texts.items():
            answer = program.request(
                "POST", f"{server.url}{path}", params={"profile": profile}, data=text,
                headers={"Content-Type": "application/json"}, timeout=20)
            report = reports[file]
            found = sent(answer)
            same = report["findings"]
            if answer.status_code == 201:
                # A stored message is edited no more.
                same = [{n: f[n] for n in f if n != "edits"} for f in same]
            if answer.status_code == 202:
                # A signal is not stored, and no warning with it.
                same = []
            if "fault" in report:
                same = (report["fault"]["line"], report["fault"]["column"])
            assert found == same, (file, text[:300])
            count += 1
    assert count > 100


def sent(answer):
    """The findings of an answer to a send: its errors, or the warnings it was stored with."""
    assert answer.status_code in (201, 202, 400, 422), answer.text
    if answer.status_code == 202:
        return []
    return answer.json().get("warnings", []) if answer.status_code == 201 else findings_of(answer)


def addressed(text, business, customer):
    """A payload with the ends of a conversation, and an id of its own, in place of the example's."""
    text = text.replace(b"b9159070-c454-4135-8bf3-049809624818", business.encode())
    text = re.sub(rb'"urn:mbid:[A-Za-z0-9+/=]+"', json.dumps(customer).encode(), text)
    try:
        stated = json.loads(text).get("id")
        return text.replace(str(uuid.UUID(stated)).encode(), str(uuid.uuid4()).encode(), 1)
    except (ValueError, AttributeError, TypeError):
        return text
