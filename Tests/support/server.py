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
from support import postgres
from support.balancer import Balancer
from support.binary import BINARY, ROOT
from support.events import catalogue

PASSWORD = "correct horse battery staple"


# What a key may do.
SCOPES = ("read", "suggest", "send", "templates", "customers", "webhooks", "administration", "people", "wire_log")


class Installation:
    """Starts `frontdesk serve`, reads the links it prints, stops it again."""

    def __init__(self, *flags, data=None, public_url=None, environment=None, nodes=None, database=None):
        self.flags, self.public_url = list(flags), public_url
        self.environment = {**os.environ, **(environment or {})}
        # Where it listens; a test that needs the same port again after a restart puts it here.
        self.listen = "127.0.0.1:0"
        # Words before the command, of a program that runs another in its own place.
        self.before = []
        self.binary = BINARY
        self.scratch = tempfile.TemporaryDirectory(prefix="frontdesk-test-")
        self.data = pathlib.Path(data or self.scratch.name) / "data"
        self.node_count = nodes or postgres.node_count()
        # What the server and the commands on its data have in common, and what single nodes have instead.
        self.shared, self.of_node = {}, {}
        if database or postgres.is_engine():
            self.shared["FRONTDESK_DATABASE"] = database or self.database()
        self.port_file = pathlib.Path(self.scratch.name) / "port"
        self.processes = []
        self.balancer, self.ports = None, [0] * self.node_count
        self._printed = ""
        self.tokens = {}
        # Who asked the server so far, and up to where each of them has had its events checked.
        self.sessions = []

    @property
    def process(self):
        """The process, or that of the first node; nothing before its start."""
        return self.processes[0] if self.processes else None

    def database(self):
        """The address of the schema that belongs to the data directory."""
        known = self.databases
        if str(self.data) not in known:
            known[str(self.data)] = postgres.shared().make_schema()
        return known[str(self.data)]

    # The schemas of all data directories: one that is opened again has its own.
    databases = {}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.scratch.cleanup()

    def start(self):
        """Starts the process and waits for its port; its output is kept.

        Where a run has several nodes, all of them, and a balancer before them.
        """
        # The sandbox has a new key at each start.
        self.tokens.pop("key", None)
        self.log = open(pathlib.Path(self.scratch.name) / "log", "ab")
        if self.node_count > 1:
            self.balancer = Balancer(self.scratch.name)
        self.processes, self.ports = [None] * self.node_count, [0] * self.node_count
        for number in range(self.node_count):
            self.start_node(number)
        threading.Thread(target=self._read, daemon=True).start()
        if self.balancer:
            self.balancer.start(self.ports)
        self.port = self.balancer.port if self.balancer else self.ports[0]
        self.url = f"http://127.0.0.1:{self.port}"

    def start_node(self, number):
        """Starts a node, which has a directory of its own, where it was before if it was there."""
        data, port_file = self.data, self.port_file
        listen = f"127.0.0.1:{self.ports[number]}" if self.ports[number] else self.listen
        more = []
        if number:
            data, port_file = pathlib.Path(f"{data}-{number}"), pathlib.Path(f"{port_file}-{number}")
            more = ["--encryption-key-file", str(self.data / "encryption.key")]
        if self.public_url or self.balancer:
            more += ["--public-url", self.public_url or self.balancer.url]
        port_file.unlink(missing_ok=True)
        process = subprocess.Popen(
            [*self.before, str(self.binary), "serve", "--listen", listen, "--data", str(data),
             "--port-file", str(port_file), "--sandbox", *more, *self.flags],
            cwd=ROOT, stdout=subprocess.DEVNULL if number else subprocess.PIPE, stderr=self.log,
            env={**self.environment, **self.shared, **self.of_node.get(number, {})})
        self.processes[number] = process
        deadline = time.monotonic() + 120
        while not (port_file.exists() and port_file.read_text().strip()):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"frontdesk did not start: {self.log_text()}")
            time.sleep(0.02)
        self.ports[number] = int(port_file.read_text().strip().rsplit(":")[-1])

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

    def kill_node(self, number):
        """Kills a node, as a crash would."""
        self.processes[number].send_signal(signal.SIGKILL)
        self.processes[number].wait(timeout=10)

    def kill(self):
        """Kills the process, as a crash would, and every other node."""
        for number in range(len(self.processes)):
            self.kill_node(number)
        if self.balancer:
            self.balancer.stop()

    def stop(self):
        """Signals the process to end and waits for it; every node one after the other.

        Before that every event that an agent or a key can read is held against the event catalogue.
        """
        try:
            if self.process and all(process.poll() is None for process in self.processes):
                self.check_events()
        finally:
            self.end()

    def check_events(self):
        """Reads the events of all businesses whose agents or keys asked for something, as integrations do."""
        for session in self.sessions:
            pages = 0
            # A test of tens of thousands of messages has seen their forms by then.
            while pages < 20:
                after = f"&after={session.checked}" if session.checked else ""
                try:
                    answer = session.get(f"{self.url}/api/events?limit=300&filter%5Bimported%5D=include{after}", timeout=10,
                                         headers={"Accept": "application/json"})
                except requests.RequestException:
                    return  # Whatever the test made of the server, it serves no client.
                if answer.status_code != 200:
                    break  # Signed out, revoked, refused: what it could see was seen by another.
                page = answer.json()
                for event in page["data"]:
                    catalogue().check(event)
                session.checked, pages = page["next"], pages + 1
                if not page["hasMore"]:
                    break

    def end(self):
        """Signals the process to end and waits for it; every node one after the other."""
        for process in filter(None, self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=35)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait(timeout=10)
        if self.balancer:
            self.balancer.stop()
        self.log.close()

    def command(self, *words, check=True):
        """Runs another `frontdesk` command on the same data directory."""
        return subprocess.run(
            [str(self.binary), *words, "--data", str(self.data)],
            cwd=ROOT, capture_output=True, text=True, check=check, env={**os.environ, **self.shared})

    def verify(self):
        """Expects that everything stored is whole."""
        assert "all is whole" in self.command("verify").stdout

    def make_owner(self):
        """Uses the printed link; returns a signed-in session."""
        session = Session(self)
        session.post("/api/setup", {
            "token": self.token("setup"), "name": "Ada", "email": "ada@example.com",
            "password": PASSWORD}, expect=201)
        return session

    def make_key(self, business, name="shop", scopes=SCOPES):
        """Makes an API key by the command line, with every scope unless it says which; returns its secret."""
        chosen = [word for scope in scopes for word in ("--scope", scope)]
        made = self.command("key", "create", "--name", name, "--business", business, *chosen)
        return re.search(r"fd_(?:live|test)_[A-Za-z0-9_.-]+", made.stdout).group(0)


class Session(requests.Session):
    """Requests to one server; every JSON answer is checked against the OpenAPI file."""

    def __init__(self, server, key=None):
        super().__init__()
        self.server, self.checked = server, None
        self.headers["Origin"] = server.url
        if key:
            del self.headers["Origin"]
            self.headers["Authorization"] = f"Bearer {key}"
        if not isinstance(self, Customer):
            server.sessions.append(self)

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
        if not kind.endswith(("/json", "+json")) or not answer.content:
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
