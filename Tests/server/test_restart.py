"""A crash under load: every acknowledged message is there, once, in order."""

import fcntl
import json
import os
import threading
import uuid

import pytest
import requests
from support.server import Customer, Installation, Session

WRITERS = 6
KILLS = 3


def test_kill_9_under_load_loses_nothing_acknowledged():
    with Installation("--limit", "key-messages-per-second=100000", "--limit",
               "key-messages-burst=100000") as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        key = server.make_key(sandbox["id"])
        conversations = [Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
                         for _ in range(WRITERS)]
        ledger = {conversation: [] for conversation in conversations}
        for _ in range(KILLS):
            kill_under_load(server, key, ledger)
            server.start()
        program = Session(server, key=key)
        total = 0
        for conversation, acknowledged in ledger.items():
            stored = everything(program, conversation)
            numbers = [message["sequence"] for message in stored]
            assert numbers == list(range(1, len(numbers) + 1))
            ids = [message["id"] for message in stored]
            assert len(ids) == len(set(ids))
            places = {message["id"]: message["sequence"] for message in stored}
            for message, sequence in acknowledged:
                assert places.get(message) == sequence
            sequences = [sequence for _, sequence in acknowledged]
            assert sequences == sorted(sequences)
            total += len(acknowledged)
        assert total > 100, f"only {total} acknowledgements: not a load"
        print(f"note: {total} acknowledged messages over {KILLS} kills, all found")


def kill_under_load(server, key, ledger):
    """Writes from one thread a conversation until the process is killed."""
    enough = threading.Event()

    def write(conversation):
        session = requests.Session()
        session.headers.update({"Authorization": f"Bearer {key}",
                                "Content-Type": "application/json"})
        count = 0
        while True:
            message = str(uuid.uuid4())
            body = json.dumps({"id": message, "type": "text", "body": f"number {count}"})
            try:
                answer = session.post(f"{server.url}/api/conversations/{conversation}/messages",
                                      data=body, timeout=5)
            except requests.RequestException:
                return
            assert answer.status_code == 201, answer.text
            ledger[conversation].append((message, answer.json()["sequence"]))
            count += 1
            if count == 40:
                enough.set()

    threads = [threading.Thread(target=write, args=(c,)) for c in ledger]
    for thread in threads:
        thread.start()
    enough.wait(timeout=30)
    server.kill()
    for thread in threads:
        thread.join(timeout=30)


def everything(program, conversation):
    """All messages of a conversation, page by page."""
    found, after = [], 0
    while True:
        page = program.fetch(
            f"/api/conversations/{conversation}/messages?after={after}&page[size]=300")
        found += page["data"]
        if not page["hasMore"]:
            return found
        after = found[-1]["sequence"]


@pytest.mark.one_process
def test_a_start_waits_for_a_process_that_is_about_to_be_gone_and_not_for_one_that_stays():
    with Installation() as server:
        server.stop()
        with (server.data / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            gone = threading.Timer(0.7, fcntl.flock, (lock, fcntl.LOCK_UN))
            gone.start()
            server.start()
            gone.join()
        server.stop()
        with (server.data / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            refused = server.command("serve", "--listen", "127.0.0.1:0", check=False)
        assert refused.returncode == 1
        assert "another Frontdesk serves the data" in refused.stderr, refused.stderr


@pytest.mark.one_process
def test_a_server_without_standard_streams_writes_its_log_into_nothing_of_its_own():
    server = Installation()
    # As some starters leave it. Its log would go into the first file or socket that it opens.
    server.before = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
    with server:
        streams = [os.readlink(f"/proc/{server.process.pid}/fd/{number}") for number in range(3)]
        assert streams == ["/dev/null"] * 3
