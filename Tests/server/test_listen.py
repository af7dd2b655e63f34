"""`frontdesk listen` and `trigger`: events on the way to a local program, verified there with standardwebhooks."""

import http.server
import json
import queue
import re
import signal
import socket
import subprocess
import threading

import pytest
from support.binary import BINARY, ROOT
from support.server import Customer, Session
from support.waiting import until
from support.webhook_receiver import Receiver


class Listening:
    """A running `frontdesk listen`."""

    def __init__(self, server, key, receiver, *flags):
        self.process = subprocess.Popen(
            [str(BINARY), "listen", "--server", server.url, "--forward-to", receiver.url, *flags], cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"FRONTDESK_KEY": key})
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def wait(self, pattern):
        """The match in the first line that has one."""
        while True:
            line = self.lines.get(timeout=60)
            if found := re.search(pattern, line):
                return found

    def end(self):
        """Its exit code after SIGINT."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=20)


@pytest.fixture(scope="module")
def shop(server, owner):
    """A test business, and a key for it."""
    business = owner.post("/api/businesses", {"name": "Listening", "mode": "test"}, expect=201)
    return business["id"], server.make_key("Listening")


def free_port():
    """A port on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.one_process
def test_events_reach_a_local_program_signed_in_order_and_once_across_a_crash_of_the_server(server, shop, tmp_path):
    business, key = shop
    customer = Customer(server, business)
    first = customer.say("Before anybody listens")["message"]
    with Receiver() as receiver:
        after = Session(server, key).fetch(f"/api/conversations/{first['conversation']}/messages")["head"]
        listening = Listening(server, key, receiver, "--events", "message.accepted", "--after", after)
        receiver.secrets = [listening.wait(r"Signing secret: (whsec_\S+)")[1]]
        for number in range(5):
            customer.say(f"Message {number}")
        receiver.wait(5)
        assert listening.wait(r"message\.accepted  \S+  (200) \(\d+ ms\)")
        # The server dies, comes back at the same address, and nothing is lost or doubled.
        server.listen = f"127.0.0.1:{server.port}"
        server.kill()
        listening.wait("does not answer")
        server.start()
        for number in range(5, 10):
            customer.say(f"Message {number}")
        events = receiver.wait(10)
        listening.wait("connected again")
        said = [event["data"]["message"]["payload"]["body"] for _, event in events]
        assert said == [f"Message {number}" for number in range(10)]
        assert [headers["webhook-id"] for headers, _ in events] == [event["id"] for _, event in events]
        assert receiver.refused == 0
        assert listening.end() == 0
        last = listening.wait(r"--after (\S+)")[1]
    assert last == events[-1][1]["id"]


def test_a_receiver_that_is_away_gets_its_events_when_it_is_back_and_a_refusal_is_shown(server, shop, tmp_path):
    business, key = shop
    secret = tmp_path / "secret"
    secret.write_text("whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=\n")
    customer = Customer(server, business)
    with Receiver() as receiver:
        receiver.secrets = [secret.read_text().strip()]
        receiver.status = 503
        opened = customer.say("Opened")["message"]
        session, place = Session(server, key), opened["conversation"]
        begin = session.fetch(f"/api/conversations/{place}/messages")["head"].rsplit("-", 1)[0] + "-0"
        # A node may be behind the one that accepted it, and say a position before it.
        found = until(
            lambda: session.call("GET", f"/api/events?after={begin}&filter[conversation]={place}&filter[type]=message.accepted",
                                 headers={"Accept": "application/json"}).json(), lambda page: page["data"])
        after = found["data"][0]["id"]
        listening = Listening(
            server, key, receiver, "--events", "message.accepted", "--secret-file", str(secret), "--after", after)
        listening.wait("as it is in the file")
        customer.say("One")
        customer.say("Two")
        assert listening.wait(r"the receiver is away: (503)")
        receiver.status = 200
        said = [event["data"]["message"]["payload"]["body"] for _, event in receiver.wait(2)]
        assert said == ["One", "Two"]
        receiver.secrets = []
        customer.say("Three")
        assert listening.wait(r"401 \(\d+ ms\): (I do not accept this\.)")
        assert listening.end() == 0
        listening.wait("2 accepted, 1 not accepted")


def test_an_end_by_a_signal_is_not_called_a_lost_connection(server, shop):
    business, key = shop
    with Receiver() as receiver:
        listening = Listening(server, key, receiver, "--events", "message.accepted")
        receiver.secrets = [listening.wait(r"Signing secret: (whsec_\S+)")[1]]
        # Said until one arrives: the stream is open then.
        customer = Customer(server, business)
        customer.say("Is it open?")
        while not receiver.events:
            customer.say("Now?")
            # An event of another node comes half a second later at most; what a phone says has a rate.
            receiver.wait_a_moment()
        # With the last one answered it waits for the server.
        customer.say("Last")
        head = Session(server, key).fetch("/api/conversations?page%5Bsize%5D=1")["head"]
        listening.wait(rf"message\.accepted  {head}  ")
        assert listening.end() == 0
        said = []
        while not said or "to go on here later" not in said[-1]:
            said.append(listening.lines.get(timeout=60))
    assert not [line for line in said if "does not answer" in line], said


def test_a_place_to_begin_that_is_no_event_is_refused(server, shop):
    with Receiver() as receiver:
        said = run("listen", "--server", server.url, "--forward-to", receiver.url, "--after", "8", key=shop[1], check=2)
    assert '--after is the id of an event, not "8"' in said and "for example --after" in said


def run(*words, key=None, check=None):
    """A command to its end; its output."""
    done = subprocess.run(
        [str(BINARY), *words], cwd=ROOT, capture_output=True, text=True, timeout=60, env={"FRONTDESK_KEY": key} if key else {})
    assert done.returncode == check, f"{done.returncode}: {done.stdout} {done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture
def schemas(tmp_path):
    """The flag that names a catalogue of one type of event."""
    events = tmp_path / "schemas" / "events"
    events.mkdir(parents=True)
    example = {"id": "e-1", "type": "note.added", "time": "2026-01-01T00:00:00.000Z", "data": {"note": {"text": "Ring back"}}}
    (events / "note.added.json").write_text(json.dumps({"examples": [example]}))
    return "--schemas", str(events.parent)


def test_a_key_that_is_wrong_or_a_server_that_is_away_is_said(server, shop, schemas):
    with Receiver() as receiver:
        assert "answered 401" in run("listen", "--server", server.url, "--forward-to", receiver.url, key="fd_test_x.y", check=1)
        assert "a key is needed" in run("listen", "--server", server.url, "--forward-to", receiver.url, check=2)
        assert "does not answer" in run(
            "trigger", "note.added", "--server", f"http://127.0.0.1:{free_port()}", *schemas, key=shop[1], check=2)


def test_an_address_that_leads_elsewhere_is_said():
    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(301)
            self.send_header("Location", "https://desk.example/api/events")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as plain:
        threading.Thread(target=plain.serve_forever, daemon=True).start()
        said = run("listen", "--server", f"http://127.0.0.1:{plain.server_port}", "--forward-to", "http://127.0.0.1:9",
                   key="fd_test_x.y", check=1)
        assert "answered 301" in said and "leads elsewhere" in said
        plain.shutdown()


def test_an_example_is_triggered_at_a_local_program_and_by_the_server_at_the_endpoints_that_want_it(server, owner, shop, schemas, tmp_path):
    business, key = shop
    secret = tmp_path / "secret"
    with Receiver() as receiver:
        receiver.verifies = False
        made = owner.post(f"/api/businesses/{business}/webhooks", {"url": receiver.url, "types": ["note.added"]}, expect=201)
        receiver.events.clear()
        receiver.verifies, receiver.secrets = True, [made["secret"]]
        secret.write_text(made["secret"])
        said = run("trigger", "note.added", "--forward-to", receiver.url, "--secret-file", str(secret), *schemas, check=0)
        assert re.search(r"note\.added  \S+  \S+  200 \(\d+ ms\)", said)
        local = receiver.events[-1][1]
        assert local["type"] == "note.added" and "note" in local["data"]
        said = run("trigger", "note.added", "--server", server.url, *schemas, key=key, check=0)
        assert f"{receiver.url}  200" in said
        assert receiver.events[-1][1]["type"] == "note.added" and receiver.events[-1][1]["data"] == local["data"]
        assert "did you mean note.added?" in run("trigger", "note.aded", "--forward-to", receiver.url, *schemas, check=2)
        owner.call("PATCH", f"/api/businesses/{business}/webhooks/{made['id']}", {"state": "disabled"})
        assert "no enabled endpoint wants" in run("trigger", "note.added", "--server", server.url, *schemas, key=key, check=1)
