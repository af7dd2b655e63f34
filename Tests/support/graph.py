"""A Graph API of WhatsApp's on loopback, and Meta's side of the webhooks, by the published reference alone.

Sources: https://developers.facebook.com/documentation/business-messaging/whatsapp/ (messages, media, webhooks).
"""

import hashlib
import hmac
import http.server
import json
import re
import threading
import time
import urllib.parse
import uuid

import requests

# A template with a variable in each of its parts.
ORDER = {
    "name": "order_ready", "language": "en_US", "status": "APPROVED", "category": "UTILITY", "parameter_format": "POSITIONAL",
    "id": "1", "components": [
        {"type": "HEADER", "format": "TEXT", "text": "Order {{1}}", "example": {"header_text": ["A-1042"]}},
        {"type": "BODY", "text": "Hi {{1}}, your {{2}} is ready.", "example": {"body_text": [["Ada", "green tea"]]}},
        {"type": "FOOTER", "text": "Tea shop"},
        {"type": "BUTTONS", "buttons": [
            {"type": "QUICK_REPLY", "text": "Thanks"},
            {"type": "URL", "text": "Track", "url": "https://tea.example/o/{{1}}", "example": ["https://tea.example/o/A-1042"]},
            {"type": "COPY_CODE", "text": "Copy offer code", "example": "TEA5"}]}]}
# One in Japanese, with named variables; one without variables; one that needs a place.
VISIT = {
    "name": "visit_reminder", "language": "ja", "status": "APPROVED", "category": "MARKETING", "parameter_format": "NAMED", "id": "2",
    "components": [{"type": "BODY", "text": "{{name}}様、{{day}}のご来店をお待ちしております。", "example": {
        "body_text_named_params": [{"param_name": "name", "example": "山田"}, {"param_name": "day", "example": "3月1日"}]}}]}
HELLO = {"name": "hello_world", "language": "en", "status": "APPROVED", "category": "UTILITY", "id": "3",
         "components": [{"type": "BODY", "text": "Welcome back to the tea shop."}]}
PLACE = {"name": "shop_place", "language": "en", "status": "APPROVED", "category": "UTILITY", "id": "4",
         "components": [{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY", "text": "Here we are."}]}


class Graph:
    """Checks the token, accepts messages and uploads, returns files; errors are set by the test."""

    token, app_secret, verify_token = "EAAB-token", "app-secret-1", "verify-1"
    number, account = "106540352242922", "102290129340398"
    # Templates in a page.
    page = 2

    def __init__(self):
        self.changed = threading.Condition()
        # Messages by arrival, uploads and files of customers by id.
        self.messages, self.uploads, self.files = [], {}, {}
        # Read marks by arrival, the account's templates, and how often they were listed.
        self.reads, self.templates, self.listed = [], [], 0
        # Errors to answer the next messages with: (status, code).
        self.errors = []
        graph = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""

            protocol_version = "HTTP/1.1"

            def do_GET(self):
                """The address of a file, or its bytes."""
                if not self.is_allowed():
                    return
                path, _, query = self.path.partition("?")
                if path == f"/v23.0/{graph.account}/message_templates":
                    self.answer(*graph.templates_page(dict(urllib.parse.parse_qsl(query))))
                    return
                name = path.rsplit("/", 1)[-1]
                if name not in graph.files:
                    self.answer(404, {"error": {"message": "no such file", "code": 100}})
                elif self.path.startswith("/files/"):
                    self.answer(200, graph.files[name][1], graph.files[name][0])
                else:
                    kind, data = graph.files[name]
                    self.answer(200, {"id": name, "url": f"{graph.url}/files/{name}", "mime_type": kind,
                                      "file_size": len(data), "messaging_product": "whatsapp"})

            def do_POST(self):
                """A message or an upload."""
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if not self.is_allowed():
                    return
                if self.path == f"/v23.0/{graph.number}/media":
                    self.answer(200, {"id": graph.keep(body, self.headers["Content-Type"])})
                elif self.path == f"/v23.0/{graph.number}/messages":
                    self.answer(*graph.accept(json.loads(body)))
                else:
                    self.answer(404, {"error": {"message": "no such path", "code": 2500}})

            def is_allowed(self):
                """Whether the token is right."""
                if self.headers.get("Authorization") == f"Bearer {graph.token}":
                    return True
                self.answer(401, {"error": {"message": "Error validating access token", "code": 190}})
                return False

            def answer(self, status, body, kind="application/json"):
                """Answers JSON or bytes."""
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                """Logs nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        """Where it is reached."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def stop(self):
        """Stops listening."""
        self.server.shutdown()
        self.server.server_close()

    def connect(self, owner, business, expect=201):
        """Connects a business to the number; returns the answer."""
        made = owner.call("PUT", f"/api/businesses/{business}/gateway/whatsapp", {
            "phoneNumberId": self.number, "accountId": self.account, "accessToken": self.token,
            "appSecret": self.app_secret, "verifyToken": self.verify_token, "graphUrl": self.url + "/v23.0",
        }, expect=expect).json()
        self.callback = made["whatsapp"]["callbackUrl"]
        return made

    # Graph's side

    def keep(self, body, kind):
        """Reads an upload's form; returns its id."""
        boundary = kind.split("boundary=")[1].encode()
        parts = {}
        for part in body.split(b"--" + boundary)[1:-1]:
            head, data = part.removeprefix(b"\r\n").split(b"\r\n\r\n", 1)
            name = head.split(b'name="')[1].split(b'"')[0].decode()
            parts[name] = (head.decode(), data.removesuffix(b"\r\n"))
        assert parts["messaging_product"][1] == b"whatsapp"
        name = str(uuid.uuid4().int)[:15]
        self.uploads[name] = parts["file"]
        return name

    def accept(self, message):
        """Judges and keeps a message; returns status and answer."""
        with self.changed:
            assert message["messaging_product"] == "whatsapp", message
            if message.get("status") == "read":
                self.reads.append(message)
                self.changed.notify_all()
                return 200, {"success": True}
            if self.errors:
                status, code = self.errors.pop(0)
                return status, {"error": {"message": f"(#{code}) refused", "code": code}}
            assert message["to"].isdigit(), message
            if message["type"] == "template" and (code := self.fault(message["template"])):
                return 400, {"error": {"message": f"(#{code}) refused", "code": code}}
            name = f"wamid.{uuid.uuid4().hex}"
            self.messages.append({**message, "wamid": name})
            self.changed.notify_all()
        return 200, {"messaging_product": "whatsapp", "messages": [{"id": name}]}

    def templates_page(self, query):
        """A page of the account's templates; returns status and answer."""
        self.listed += 1
        assert "components" in query["fields"].split(",") and int(query["limit"]) <= 100, query
        found = [one for one in self.templates if one["status"] == query.get("status", one["status"])
                 and query.get("name", "") in one["name"]]
        begin = int(query.get("after", "0"))
        page = found[begin:begin + self.page]
        end = str(begin + len(page))
        more = {"next": f"{self.url}/elsewhere?after={end}"} if int(end) < len(found) else {}
        return 200, {"data": page, "paging": {"cursors": {"before": str(begin), "after": end}, **more}}

    def fault(self, sent):
        """The code of what is wrong with a template that is sent; None for nothing."""
        own = next((one for one in self.templates if one["name"] == sent["name"]
                    and one["language"] == sent["language"]["code"]), None)
        if own is None or own["status"] not in ("APPROVED", "PAUSED"):
            return 132_001
        if own["status"] == "PAUSED":
            return 132_015
        wanted = {}
        for part in own["components"]:
            if part["type"] in ("HEADER", "BODY"):
                wanted[part["type"].lower()] = len(set(re.findall(r"\{\{\w+\}\}", part.get("text", ""))))
            for place, button in enumerate(part.get("buttons", [])):
                if button["type"] == "COPY_CODE" or "{{1}}" in button.get("url", ""):
                    wanted[f"button {place}"] = 1
        given = {f"button {part['index']}" if part["type"] == "button" else part["type"]: len(part["parameters"])
                 for part in sent.get("components", [])}
        return None if given == {place: count for place, count in wanted.items() if count} else 132_000

    def wait_read(self, fits, seconds=25):
        """Waits for the first read mark that matches."""
        def found():
            return next((one for one in self.reads if fits(one)), None)

        with self.changed:
            assert self.changed.wait_for(found, seconds), f"only {self.reads} came"
            return found()

    def wait(self, fits, seconds=25):
        """Waits for the first message that matches."""
        def found():
            return next((one for one in self.messages if fits(one)), None)

        with self.changed:
            assert self.changed.wait_for(found, seconds), f"only {self.messages} came"
            return found()

    # Meta's side

    def verify(self, server, token=None):
        """Asks for the callback URL as Meta does; returns the answer."""
        return requests.get(self.address(server), timeout=20, params={
            "hub.mode": "subscribe", "hub.verify_token": token or self.verify_token, "hub.challenge": "1158201444"})

    def address(self, server):
        """The callback URL, on the port of the server."""
        return server.url + self.callback[self.callback.index("/whatsapp/"):]

    def post(self, server, value, expect=200, secret=None, number=None):
        """Posts a webhook, signed."""
        value = {"messaging_product": "whatsapp", **value,
                 "metadata": {"display_phone_number": "15550001111", "phone_number_id": number or self.number}}
        body = json.dumps({"object": "whatsapp_business_account", "entry": [
            {"id": self.account, "changes": [{"field": "messages", "value": value}]}]}).encode()
        code = hmac.new((secret or self.app_secret).encode(), body, hashlib.sha256).hexdigest()
        answer = requests.post(self.address(server), data=body, timeout=30, headers={
            "Content-Type": "application/json", "X-Hub-Signature-256": f"sha256={code}"})
        assert answer.status_code == expect, f"{answer.status_code} {answer.text}"
        return answer

    def come(self, server, content, sender="15551234567", name="Ada", at=None, wamid=None, **more):
        """Posts a customer's message of a kind, such as `text={"body": "Hello"}`; returns its name."""
        [(kind, part)] = content.items()
        message = {"from": sender, "id": wamid or f"wamid.{uuid.uuid4().hex}", "timestamp": str(int(at or time.time())),
                   "type": kind, kind: part, **more}
        self.post(server, {"contacts": [{"wa_id": sender, "profile": {"name": name}}], "messages": [message]})
        return message["id"]

    def say(self, server, text, **more):
        """Posts a customer's text."""
        return self.come(server, {"text": {"body": text}}, **more)

    def status(self, server, message, status, expect=200, **more):
        """Posts what became of a message."""
        self.post(server, {"statuses": [{
            "id": message["wamid"], "status": status, "timestamp": str(int(time.time())), "recipient_id": message["to"],
            **({"biz_opaque_callback_data": message["biz_opaque_callback_data"]}
               if "biz_opaque_callback_data" in message else {}), **more}]}, expect=expect)
