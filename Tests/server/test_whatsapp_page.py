"""docs/whatsapp.md as a reader uses it: its commands, and its bodies of requests."""

import json
import os
import re
import subprocess
import time

import pytest
import requests
from support.graph import Graph
from support.server import BINARY, ROOT

PAGE = (ROOT / "docs" / "whatsapp.md").read_text()
COMMANDS = re.search(r"\n +(\(umask 077; editor.*?rm whatsapp\.json)\n", PAGE, re.S).group(1)
SECRETS = re.search(r'`(\{"accessToken".*?\})`', PAGE).group(1)
BODY = re.search(r'\n +(\{"phoneNumberId".*\})\n', PAGE).group(1)
TEMPLATE = json.loads(re.search(r"whatsapp-template-messages\n +(\{.*\})\n", PAGE).group(1))
# A reader is root, has a user of the service, and writes the file with an editor.
READER = """
set -eo pipefail
runuser() { test "$1 $2 $3" = "-u frontdesk --"; shift 3; "$@"; }
editor() { printf %s "$SECRETS" > "$1"; stat -c %a "$1" > mode; }
"""


def filled(text):
    """A text of the page with whole secrets instead of their beginnings."""
    assert text.count("…") == 2
    return text.replace("…", "x" * 20)


@pytest.fixture
def business(owner):
    """A test business."""
    return owner.post("/api/businesses", {"name": f"Shop {time.monotonic()}", "mode": "test"}, expect=201)["id"]


def test_the_commands_of_the_page_connect_a_number_and_leave_no_secret_behind(server, owner, tmp_path):
    commands = COMMANDS.replace("/var/lib/frontdesk", str(server.data))
    assert commands != COMMANDS
    done = subprocess.run(
        ["bash", "-c", READER + commands], cwd=tmp_path, capture_output=True, text=True, timeout=60,
        env={**os.environ, "SECRETS": filled(SECRETS), "PATH": f"{BINARY.parent}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "mode").read_text() == "600\n" and not (tmp_path / "whatsapp.json").exists()
    mine = next(one["id"] for one in owner.fetch("/api/businesses")["data"] if one["name"] == "My business")
    found = owner.fetch(f"/api/businesses/{mine}/gateway")["whatsapp"]
    assert found["phoneNumberId"] == json.loads(BODY)["phoneNumberId"]
    path = re.search(r"/whatsapp/\S+", done.stdout).group(0)
    token = re.search(r"Verify token: +(\S+)", done.stdout).group(1)
    asked = {"hub.mode": "subscribe", "hub.challenge": "1158201444"}
    assert requests.get(server.url + path, {**asked, "hub.verify_token": token}, timeout=20).text == "1158201444"
    assert requests.get(server.url + path, {**asked, "hub.verify_token": token + "0"}, timeout=20).status_code == 403


def test_the_body_of_the_page_connects_a_number(owner, business):
    made = owner.call("PUT", f"/api/businesses/{business}/gateway/whatsapp", json.loads(filled(BODY)), expect=201).json()
    assert made["verifyToken"] and "xxx" not in json.dumps(made)


def test_the_template_message_of_the_page_is_sent(server, owner, business):
    graph = Graph()
    try:
        graph.connect(owner, business)
        graph.templates = [{
            "name": TEMPLATE["name"], "language": TEMPLATE["language"], "status": "APPROVED", "category": "UTILITY",
            "parameter_format": "POSITIONAL", "id": "9", "components": [
                {"type": "HEADER", "format": "TEXT", "text": "Order {{1}}", "example": {"header_text": ["A-1"]}},
                {"type": "BODY", "text": "Hi {{1}}, it is ready.", "example": {"body_text": [["Ada"]]}},
                {"type": "BUTTONS", "buttons": [
                    {"type": "URL", "text": "Track", "url": "https://tea.example/o/{{1}}", "example": ["https://tea.example/o/A-1"]}]}]}]
        graph.say(server, "Hello", at=time.time() - 86_401)
        [talk] = owner.fetch(f"/api/conversations?business={business}")["data"]
        sent = owner.call("POST", f"/api/conversations/{talk['id']}/whatsapp-template-messages", TEMPLATE, expect=201).json()
        assert sent["payload"]["body"] == "Order A-1042\n\nHi Ada, it is ready.\n\n[Track] https://tea.example/o/A-1042"
        assert graph.wait(lambda one: one["type"] == "template")["template"]["name"] == TEMPLATE["name"]
    finally:
        graph.stop()
