"""The widget's page, docs/widget.md, in its own words: what its snippets sign is who the customer is."""

import json
import os
import re
import subprocess
import sys
import time
import uuid

import jwt
import pytest
import requests
from support.server import ROOT, Installation
from support.waiting import until

SHOP = "https://shop.example"
PAGE = (ROOT / "docs" / "widget.md").read_text()
SNIPPETS = re.findall(r"```(python|js) (token|hash)\n(.*?)```", PAGE, re.S)


@pytest.fixture(scope="module")
def server():
    """A server with an owner, a shop, and the secret of its widget."""
    with Installation() as running:
        running.owner = running.make_owner()
        running.shop = running.owner.post("/api/businesses", {"name": "Tea Shop"}, expect=201)["id"]
        path = f"/api/businesses/{running.shop}/widget"
        running.owner.call("PUT", path, {"isOn": True, "origins": [SHOP], "greetings": []})
        running.secret = running.owner.post(path + "/secrets", expect=201)["secret"]
        yield running


class Browser(requests.Session):
    """A browser that keeps the widget's cookies, as one does that trusts this machine without TLS."""

    def __init__(self, server):
        super().__init__()
        self.server, self.base = server, f"{server.url}/api/widget/{server.shop}"

    def ask(self, method, path, body=None, origin=SHOP):
        """One exchange with the cookies so far."""
        answer = self.request(
            method, self.base + path, json=body, timeout=20,
            headers={"Origin": origin, "Cookie": "; ".join(f"{one.name}={one.value}" for one in self.cookies)})
        return answer

    def say(self, text):
        """Writes from the frame; the id of the conversation."""
        answer = self.ask("POST", "/phone/messages", {"id": str(uuid.uuid4()), "text": text}, self.server.url)
        assert answer.status_code == 201, answer.text
        return answer.json()["message"]["conversation"]


def signed(language, kind, code, secret, *arguments):
    """What the function of a snippet gives for a customer."""
    words = ", ".join(json.dumps(one) for one in arguments)
    if language == "python":
        command = [sys.executable, "-c", f"{code}\nimport json\nprint(json.dumps(identity({words})))"]
    else:
        command = ["node", "-e", f"{code}\nconsole.log(JSON.stringify(identity({words})))"]
    ran = subprocess.run(command, env={**os.environ, "FRONTDESK_WIDGET_SECRET": secret},
                         capture_output=True, text=True, check=True, timeout=30)
    found = json.loads(ran.stdout)
    return {"token": found} if kind == "token" else found


def test_the_page_has_a_snippet_of_each_form_in_each_language():
    assert sorted((language, kind) for language, kind, _ in SNIPPETS) == [
        ("js", "hash"), ("js", "token"), ("python", "hash"), ("python", "token")]


@pytest.mark.parametrize("language, kind, code", SNIPPETS, ids=[f"{one[0]}-{one[1]}" for one in SNIPPETS])
def test_what_a_snippet_signs_is_who_the_customer_is(server, language, kind, code):
    customer = f"{language}-{kind}-客.7"
    more = ["Ada Lovelace"] if kind == "token" else []
    first, second = Browser(server), Browser(server)
    for browser in (first, second):
        identity = signed(language, kind, code, server.secret, customer, *more)
        answer = browser.ask("POST", "/identity", identity)
        assert answer.status_code == 200, answer.text
    assert first.say("Hello from the laptop") == (conversation := second.say("Hello from the phone"))
    contact = server.owner.fetch(f"/api/businesses/{server.shop}/contacts/{conversation}")
    assert (contact["externalId"], contact["externalIdVerified"]) == (customer, True)
    assert contact["name"] == ("Ada Lovelace" if kind == "token" else None)
    forged = signed(language, kind, code, "fdws_forged", customer, *more)
    refused = first.ask("POST", "/identity", forged)
    assert (refused.status_code, refused.json()["code"]) == (403, "identity_refused")


def test_a_library_may_sign_what_the_page_allows_and_nothing_else(server):
    now = int(time.time())
    browser = Browser(server)
    good = {"sub": "lib", "iat": now, "exp": now + 300, "aud": server.shop}
    cases = [
        (good, "HS256", server.secret, 200), (good, "HS512", server.secret, 403), (good, "none", None, 403),
        ({**good, "aud": "another"}, "HS256", server.secret, 403), ({**good, "iat": now - 310}, "HS256", server.secret, 403),
        ({"sub": "lib", "exp": now + 300}, "HS256", server.secret, 403), ({**good, "exp": now - 1}, "HS256", server.secret, 403)]
    for claims, algorithm, secret, status in cases:
        token = jwt.encode(claims, secret, algorithm=algorithm)
        answer = browser.ask("POST", "/identity", {"token": token})
        assert answer.status_code == status, (claims, algorithm, answer.text)


def test_the_secrets_are_in_no_log_and_lie_encrypted(server):
    assert server.secret not in server.log_text()
    for path in server.data.rglob("*"):
        if path.is_file():
            assert server.secret.encode() not in path.read_bytes(), path


@pytest.mark.one_process
def test_a_restart_keeps_widget_secrets_and_identities(server):
    identity = {"token": jwt.encode({"sub": "kept", "iat": int(time.time())}, server.secret, algorithm="HS256")}
    written, looking = Browser(server), Browser(server)
    for browser in (written, looking):
        assert browser.ask("POST", "/identity", identity).status_code == 200
    conversation = written.say("Before the restart")
    before = server.port
    server.end()
    server.listen = f"127.0.0.1:{before}"
    server.start()
    assert written.say("After the restart") == conversation
    # Who had only looked is still who was signed.
    assert looking.say("My first words") == conversation
    assert server.owner.fetch(f"/api/businesses/{server.shop}/widget")["origins"] == [SHOP]


def test_what_a_browser_was_vouched_for_weeks_ago_is_no_news_of_the_customer(server):
    def token(**claims):
        return {"token": jwt.encode({"sub": "late", "iat": int(time.time()), **claims}, server.secret, algorithm="HS256")}

    laptop, phone = Browser(server), Browser(server)
    assert laptop.ask("POST", "/identity", token(name="Former Name")).status_code == 200
    assert phone.ask("POST", "/identity", token(name="Former Name")).status_code == 200
    path = f"/api/businesses/{server.shop}/contacts/{phone.say('Hello')}"
    assert server.owner.fetch(path)["name"] == "Former Name"
    assert phone.ask("POST", "/identity", token(name="New Name")).status_code == 200

    def opens(browser):
        """A page of the shop is opened: it finds the conversation, and says nothing new of its customer."""
        # Of two nodes one may not have heard yet of what the other has just stored.
        [head] = until(lambda: {server.owner.fetch("/api/conversations")["head"] for _ in range(2)}, lambda found: len(found) == 1)
        opened = browser.ask("GET", "")
        assert opened.status_code == 200 and opened.json()["hasConversation"] is True
        events = server.owner.fetch("/api/events", params={"after": head}, headers={"Accept": "application/json"})["data"]
        assert "contact.saved" not in [one["type"] for one in events]

    opens(laptop)
    assert server.owner.fetch(path)["name"] == "New Name"
    server.owner.call("POST", f"{path}/erasure")
    other = Browser(server)
    other.cookies.update({one.name: one.value for one in laptop.cookies if one.name.endswith("fdi")})
    opens(other)
    assert (server.owner.fetch(path)["name"], server.owner.fetch(path)["externalId"]) == (None, None)
