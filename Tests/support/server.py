"""A Frontdesk of one's own: the release binary on a free port with an empty data directory."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import uuid

import jsonschema
import requests
from support.binary import BINARY, ROOT

PASSWORD = "correct horse battery staple"


class Installation:
    """Starts `frontdesk serve`, reads the links it prints, stops it again."""

    def __init__(self, *flags, data=None, public_url=None, environment=None):
        self.flags, self.public_url = list(flags), public_url
        self.environment = {**os.environ, **(environment or {})}
        # Where it listens; a test that needs the same port again after a restart puts it here.
        self.listen = "127.0.0.1:0"
        # Words before the command, of a program that runs another in its own place.
        self.before = []
        self.binary = BINARY
        self.scratch = tempfile.TemporaryDirectory(prefix="frontdesk-test-")
        self.data = pathlib.Path(data or self.scratch.name) / "data"
        self.port_file = pathlib.Path(self.scratch.name) / "port"
        self.process = None
        self._printed = ""
        self.tokens = {}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.scratch.cleanup()

    def start(self):
        """Starts the process and waits for its port; its output is kept."""
        self.port_file.unlink(missing_ok=True)
        # The sandbox has a new key at each start.
        self.tokens.pop("key", None)
        command = [*self.before, str(self.binary), "serve", "--listen", self.listen, "--data", str(self.data),
                   "--port-file", str(self.port_file), "--sandbox", *self.flags]
        if self.public_url:
            command += ["--public-url", self.public_url]
        self.log = open(pathlib.Path(self.scratch.name) / "log", "ab")
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=self.log, env=self.environment)
        threading.Thread(target=self._read, daemon=True).start()
        deadline = time.monotonic() + 120
        while not (self.port_file.exists() and self.port_file.read_text().strip()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"frontdesk did not start: {self.log_text()}")
            time.sleep(0.02)
        self.port = int(self.port_file.read_text().strip().rsplit(":")[-1])
        self.url = f"http://127.0.0.1:{self.port}"

    def _read(self):
        # A piece is what the server wrote at once: its greeting is whole or not there.
        while piece := os.read(self.process.stdout.fileno(), 65_536):
            self._printed += piece.decode(errors="replace")

    @property
    def printed(self):
        """What it wrote to its standard output, from its greeting on, for which this waits."""
        deadline = time.monotonic() + 60
        while "is ready at" not in self._printed:
            assert time.monotonic() < deadline, f"no greeting after 60 s: {self._printed}"
            time.sleep(0.01)
        return self._printed

    def log_text(self):
        """Everything the server wrote to its standard error."""
        return (pathlib.Path(self.scratch.name) / "log").read_text(errors="replace")

    def token(self, name):
        """The secret of a link: `setup` for the first owner, `key` for the sandbox.

        Nothing of it is on standard output, which is no terminal here; the commands give the links.
        """
        if name not in self.tokens:
            words = {"setup": ("owner", "link"), "key": ("sandbox", "link")}[name]
            link = self.command(*words).stdout
            self.tokens[name] = re.search(rf"#{name}=([A-Za-z0-9_-]+)", link).group(1)
        return self.tokens[name]

    def kill(self):
        """Kills the process, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    def stop(self):
        """Signals the process to end and waits for it."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=35)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()

    def command(self, *words, check=True):
        """Runs another `frontdesk` command on the same data directory."""
        return subprocess.run(
            [str(self.binary), *words, "--data", str(self.data)],
            cwd=ROOT, capture_output=True, text=True, check=check)

    def make_owner(self):
        """Uses the printed link; returns a signed-in session."""
        session = Session(self)
        session.post("/api/setup", {
            "token": self.token("setup"), "name": "Ada", "email": "ada@example.com",
            "password": PASSWORD}, expect=201)
        return session

    def make_key(self, business, name="shop"):
        """Makes an API key by the command line; returns its secret."""
        made = self.command("key", "create", "--name", name, "--business", business)
        return re.search(r"fd_(?:live|test)_[A-Za-z0-9_.-]+", made.stdout).group(0)


class Session(requests.Session):
    """Requests to one server; every JSON answer is checked against the OpenAPI file."""

    def __init__(self, server, key=None):
        super().__init__()
        self.server = server
        self.headers["Origin"] = server.url
        if key:
            del self.headers["Origin"]
            self.headers["Authorization"] = f"Bearer {key}"

    def call(self, method, path, body=None, expect=200, **more):
        """One exchange; a dictionary is sent as JSON, bytes as they are."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        headers = {"Content-Type": "application/json", **more.pop("headers", {})}
        answer = self.request(method, self.server.url + path, data=body, headers=headers,
                              timeout=20, **more)
        assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text}"
        contract(self.server).check(method, path, answer)
        return answer

    def fetch(self, path, expect=200, **more):
        """GET, and the JSON of the answer."""
        return self.call("GET", path, expect=expect, **more).json()

    def post(self, path, body=None, expect=200, **more):
        """POST, and the answer's JSON where it has one."""
        answer = self.call("POST", path, body, expect, **more)
        return answer.json() if answer.content else None


class Customer(Session):
    """A customer's phone: writes first, then has a cookie of its own."""

    def __init__(self, server, business, entry=None):
        super().__init__(server)
        self.business, self.entry = business, entry

    def say(self, text, expect=201, message=None, **more):
        """Sends a text and returns the message as stored."""
        body = {"id": message or str(uuid.uuid4()), "text": text, "locale": "en_US", **more}
        if self.entry:
            body["entry"] = self.entry
        return self.post(f"/api/phone/{self.business}/messages", body, expect)

    def choose(self, message, expect=201, **choice):
        """Answers a card."""
        return self.post(f"/api/phone/{self.business}/choices", {
            "id": str(uuid.uuid4()), "inReplyTo": message, **choice}, expect)


class Contract:
    """The OpenAPI document of a server, as a check on its answers."""

    def __init__(self, document):
        self.document = document
        self.routes = []
        for path, item in document["paths"].items():
            pattern = re.compile("^" + re.sub(r"\{[^}]+\}", "[^/]+", path) + "$")
            self.routes.append((path.count("{"), pattern, item))
        self.routes.sort(key=lambda route: route[0])

    def check(self, method, path, answer):
        """Fails when the answer's status or JSON is not what the document says."""
        plain = path.split("?")[0]
        if not plain.startswith("/api/"):
            return
        for _, pattern, item in self.routes:
            if pattern.match(plain) and method.lower() in item:
                operation = item[method.lower()]
                break
        else:
            assert answer.status_code in (404, 405), f"{method} {plain} is not in the OpenAPI file"
            return
        stated = operation["responses"].get(str(answer.status_code)) or operation[
            "responses"].get("default")
        assert stated, f"{method} {plain}: status {answer.status_code} is not stated"
        stated = self.resolve(stated)
        kind = answer.headers.get("Content-Type", "").split(";")[0]
        if not kind.endswith("json") or not answer.content:
            return
        content = stated.get("content", {}).get(kind)
        assert content, f"{method} {plain} {answer.status_code}: {kind} is not stated"
        schema = {**content["schema"], "components": self.document.get("components", {})}
        jsonschema.Draft202012Validator(schema).validate(answer.json())

    def resolve(self, item):
        """Follows a `$ref` inside the document."""
        while "$ref" in item:
            found = self.document
            for step in item["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            item = found
        return item


_contracts = {}


def contract(server):
    """The contract of a running server, read once from the server itself."""
    if server.url not in _contracts:
        answer = requests.get(server.url + "/api/openapi.json", timeout=10)
        _contracts[server.url] = Contract(answer.json())
    return _contracts[server.url]
