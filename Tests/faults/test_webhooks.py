"""The process is killed while it posts to webhook endpoints: nothing is lost, and conversations keep their order."""

import http.server
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

from faults.load import acknowledgements, write
from faults.stand import IS_LONG, note
from faults.test_kill import kill_after
from faults.wire import Wire

KILLS = 100 if IS_LONG else 5
# Kills of the receiver: each costs the first wait of the schedule, 5 s.
RECEIVER_KILLS = 20 if IS_LONG else 3
# How long a queue may need until it is empty, in seconds.
PATIENCE = 120
PATH = "/api/businesses/{}/webhooks"


class Receiver:
    """Notes each event that is posted to it, in the order in which it came; refuses some once, at random.

    A second refusal would be made up for after five minutes, which no queue here is waited for.
    """

    def __init__(self, moments):
        self.moments, self.lock, self.events, self.refused = moments, threading.Lock(), [], set()
        # Whether it refuses all.
        self.is_away = False
        end = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One post."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                """Notes it, or refuses it."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(end.take(self.headers["webhook-id"], body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, name, body):
        """The status of an answer."""
        with self.lock:
            if name.startswith("test-"):
                return 204
            if self.is_away:
                return 503
            if name not in self.refused and self.moments.random() < 0.005:
                self.refused.add(name)
                return 503
            event = json.loads(body)
            self.events.append((event["conversation"], event["sequence"], event["data"]["message"]["id"]))
            return 204

    def verdict(self, ledger):
        """What was acknowledged and never came, and what came first after a later one of its conversation."""
        with self.lock:
            events = list(self.events)
        acknowledged = {one.id for known in ledger.sent.values() for one in known.values() if one.sequence}
        lost = acknowledged - {message for _, _, message in events}
        newest, seen, reordered = {}, set(), []
        for conversation, sequence, message in events:
            if message not in seen:
                if sequence < newest.get(conversation, 0):
                    reordered.append((conversation, sequence))
                newest[conversation] = sequence
            seen.add(message)
        return len(acknowledged), len(events), lost, reordered


# A receiver in a process of its own: a line of its file is flushed before it answers, as a program does that
# stores what it was given.
PROGRAM = """
import http.server, json, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.headers["webhook-id"].startswith("test-"):
            event = json.loads(body)
            line = json.dumps([event["conversation"], event["sequence"], event["data"]["message"]["id"]])
            with open(sys.argv[2], "ab", 0) as file:
                file.write(line.encode() + b"\\n")
                os.fsync(file.fileno())
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


class KilledReceiver(Receiver):
    """A receiver whose process is killed and started again at the same port."""

    def __init__(self, folder):
        self.lock, self.file = threading.Lock(), folder / "received.jsonl"
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = taken.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self.process = None
        self.start()

    def start(self):
        """Starts the process and waits until it listens."""
        self.process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(self.port), str(self.file)])
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < end, "the receiver does not listen"
                time.sleep(0.05)

    def kill(self):
        """Kills it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    @property
    def events(self):
        """What it stored; a line that was cut off was never answered."""
        lines = self.file.read_bytes().split(b"\n")[:-1] if self.file.exists() else []
        return [tuple(json.loads(line)) for line in lines if line.endswith(b"]")]


def make(stand, receiver):
    """An endpoint for all messages of the stand's business."""
    with Wire(stand.server.port, stand.key) as wire:
        body = json.dumps({"url": receiver.url, "types": ["message.accepted"]}).encode()
        status, _, answer = wire.ask("POST", PATH.format(stand.business), body)
        assert status == 201, answer
        return json.loads(answer)["id"]


def emptied(stand, webhook):
    """Waits until nothing is pending for an endpoint and the reader has seen all."""
    end = time.monotonic() + PATIENCE
    path = stand.folder / "data" / "frontdesk.sqlite"
    while True:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
        try:
            left = connection.execute("SELECT count(*) FROM deliveries WHERE state = 'pending'").fetchone()[0]
            noted = connection.execute("SELECT max(position) FROM deliveries").fetchone()[0]
            newest = connection.execute("SELECT max(position) FROM messages").fetchone()[0]
        finally:
            connection.close()
        if left == 0 and noted == newest:
            return
        assert time.monotonic() < end, f"{webhook}: {left} pending, noted up to {noted} of {newest}"
        time.sleep(0.2)


def test_no_kill_loses_an_event_or_changes_the_order_of_a_conversation(stand):
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    moments = random.Random(seed)
    receiver = Receiver(random.Random(seed + 1))
    stand.start()
    webhook = make(stand, receiver)
    stand.end()
    for kill in range(KILLS):
        if kill % 5 == 4:
            stand.start_cut_short(moments.uniform(0, 0.5))
        stand.start()
        timer = kill_after(stand.server, moments.uniform(0.3, 1.2))
        write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 60), width=2)
        timer.join()
        stand.end()
    stand.start()
    emptied(stand, webhook)
    stand.end()
    acknowledged, posted, lost, reordered = receiver.verdict(stand.ledger)
    assert acknowledged > KILLS and not lost and not reordered, f"FRONTDESK_SEED={seed}: {lost} {reordered}"
    note(f"kill -9 while events are posted: {KILLS} kills, {acknowledged} messages, {posted} accepted posts, seed {seed}")


def test_no_kill_of_the_receiver_loses_an_event_or_changes_the_order_of_a_conversation(stand):
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    moments = random.Random(seed)
    receiver = KilledReceiver(stand.folder)
    try:
        stand.start()
        webhook = make(stand, receiver)
        for _ in range(RECEIVER_KILLS):
            timer = threading.Timer(moments.uniform(0.05, 0.5), receiver.kill)
            timer.start()
            write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 60), width=2)
            timer.join()
            time.sleep(moments.uniform(0, 0.3))
            receiver.start()
        emptied(stand, webhook)
        stand.end()
    finally:
        receiver.kill()
    acknowledged, posted, lost, reordered = receiver.verdict(stand.ledger)
    assert acknowledged > RECEIVER_KILLS and not lost and not reordered, f"FRONTDESK_SEED={seed}: {lost} {reordered}"
    note(f"kill -9 of a receiver of events: {RECEIVER_KILLS} kills, {acknowledged} messages, {posted} stored posts, seed {seed}")


def lost_behind(stand, cursor):
    """What is lost of messages that were accepted and never noted, when the reader goes on at such a cursor."""
    receiver = Receiver(random.Random(1))
    receiver.is_away = True
    stand.start()
    make(stand, receiver)
    write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 40), senders=1)
    stand.end()
    path = stand.folder / "data" / "frontdesk.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM deliveries")
        moved = connection.execute(f"UPDATE readers SET position = ({cursor}) WHERE name = 'webhooks'").rowcount
    connection.close()
    assert moved == 1 and not receiver.events, "there is no cursor, or something was posted"
    receiver.is_away = False
    stand.start()
    write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 10), senders=1)
    emptied(stand, "the endpoint")
    stand.end()
    assert receiver.events, "nothing is posted at all"
    return receiver.verdict(stand.ledger)[2]


def test_a_cursor_before_events_which_are_not_noted_loses_none(stand):
    assert not lost_behind(stand, "SELECT min(position) FROM messages")


def test_control_a_cursor_that_passes_events_which_are_not_noted_loses_them(stand):
    assert lost_behind(stand, "SELECT max(position) FROM messages"), "the check would not see a loss"
