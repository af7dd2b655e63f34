"""What a refusal says to a program that is being written: what was found, what is allowed and what to do instead."""

import contextlib

import pytest
import requests
from support.server import Customer, Session


@pytest.fixture(scope="module")
def program(server, sandbox):
    """A program with a key for the sandbox."""
    return Session(server, key=server.make_key(sandbox["id"]))


@contextlib.contextmanager
def endpoint(program, sandbox):
    """The path of an endpoint where nothing listens; removed at the end."""
    path = f"/api/businesses/{sandbox['id']}/webhooks"
    path += "/" + program.post(path, {"url": "http://127.0.0.1:9/hook"}, 201)["id"]
    try:
        yield path
    finally:
        program.call("DELETE", path, expect=204)


def test_an_empty_body_is_answered_with_what_to_send(program, sandbox):
    with endpoint(program, sandbox) as path:
        for action in ("secret", "test", "replay"):
            problem = program.post(f"{path}/{action}", b"", 400)
            assert problem["code"] == "malformed_json" and "send a JSON object, {} where" in problem["detail"]


def test_a_body_for_a_route_without_one_is_answered_with_that(program, sandbox):
    with endpoint(program, sandbox) as path:
        for action in ("handshake", "enable"):
            problem = program.post(f"{path}/{action}", {}, 413)
            assert problem["detail"] == "This route reads no body: send none."


def test_a_state_that_has_a_route_of_its_own_is_answered_with_the_route(program, sandbox):
    with endpoint(program, sandbox) as path:
        [error] = program.call("PATCH", path, {"state": "enabled"}, 422).json()["errors"]
        assert (error["found"], error["allowed"]) == ('"enabled"', "disabled")
        assert error["fix"] == f"Enable it by POST {path}/enable."


def test_a_mistyped_type_of_event_is_answered_with_the_nearest(program, sandbox):
    path = f"/api/businesses/{sandbox['id']}/webhooks"
    errors = program.post(path, {"url": "http://127.0.0.1:9/hook", "types": ["message.acepted", "telegram"]}, 422)["errors"]
    assert [error["fix"] for error in errors] == [
        "Did you mean message.accepted?", "Send types of this list, or an empty list for all."]


@pytest.mark.parametrize("body, pointer, found", [
    ({}, "", "no from and no since"), ({"to": 3}, "", "no from and no since"), ({"since": "2026-11-20"}, "/since", '"2026-11-20"'),
    ({"since": 3}, "/since", "3"), ({"since": None}, "", "no from and no since"), ({"from": "e-3"}, "/from", '"e-3"')])
def test_a_replay_is_refused_for_what_is_wrong_with_it_alone(program, sandbox, body, pointer, found):
    with endpoint(program, sandbox) as path:
        [error] = program.post(path + "/replay", body, 422)["errors"]
        assert (error["pointer"], error["found"]) == (pointer, found)
        assert pointer or error["fix"].startswith("Add from, the first position")


def test_a_value_for_a_template_is_refused_with_what_is_allowed_and_what_to_do(server, program, sandbox):
    there = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    members = [{"name": "start", "type": "date", "label": "Start"}, {"name": "size", "type": "choice", "label": "Size", "choices": ["S", "L"]}]
    program.post("/api/templates", {
        "business": sandbox["id"], "name": "refused-values", "title": "Refused values",
        "payload": {"type": "text", "body": "{{what}}"},
        "parameters": [{"name": "what", "type": "text", "label": "What"}, {"name": "times", "type": "list", "label": "Times", "members": members}]}, 201)
    values = {"times": [{"start": "soon", "size": "M"}, {"secs": 3, "size": "S"}, 7], "what": 3}
    errors = program.post(
        f"/api/conversations/{there}/template-messages", {"template": "refused-values", "values": values}, 422)["errors"]
    said = {error["pointer"]: (error["found"], error["allowed"], error["fix"]) for error in errors}
    assert said == {
        "/values/what": ("another value", "a text", "Send what as a JSON string."),
        "/values/times/0/start": (
            "another value", "a day such as 2026-12-01, or a moment such as 2026-12-01T09:30+09:00", "Send times/0/start in one of these forms."),
        "/values/times/0/size": ("another value", "S, L", "Send one of these as times/0/size."),
        "/values/times/1/start": ("no times/1/start", "the value times/1/start", "Add times/1/start to values."),
        "/values/times/1/secs": ("an unknown value", "the parameters of the template", "Take times/1/secs out, or declare it as a parameter."),
        "/values/times/2": ("no object", "an object with a value for each member", "Send times/2 as a JSON object.")}


def test_a_session_without_origin_is_answered_with_the_header_to_send(server, owner, sandbox):
    answer = requests.post(
        f"{server.url}/api/businesses/{sandbox['id']}/labels", json={"name": "x", "colour": "#336699"},
        cookies=owner.cookies, timeout=10)
    assert answer.status_code == 403
    assert answer.json()["detail"] == f"This request needs the header Origin with the server's address, such as {server.url}."


@pytest.mark.parametrize("path", [
    "/api/transcripts?conversation=x", "/api/search?q=!", "/api/businesses/{business}/retention/preview?days=5",
    "/api/businesses/{business}/retention/preview?days=soon", "/api/translate?from=x&to=slack", "/api/translate?from=slack&to=slack"])
def test_a_needed_parameter_with_a_wrong_value_is_not_to_be_left_out(owner, sandbox, path):
    path = path.replace("{business}", sandbox["id"])
    problem = owner.call("POST" if "translate" in path else "GET", path, {} if "translate" in path else None, expect=422).json()
    [error] = problem["errors"]
    assert error["rule"] == "request-value" and "leave" not in error["fix"] and "leave" not in problem["detail"]
