"""An archive or a row that no program wrote ends with a refusal, not with all memory of the machine."""

import hashlib
import json
import resource
import sqlite3
import subprocess
import time

import pytest
from support.server import BINARY, Customer, Installation
from support.webhook_receiver import Receiver

MOST_BYTES = 3 << 30


def bounded():
    """Gives a process an address space that it cannot grow beyond."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def run(*words):
    """Runs a command within these bounds; it has a minute."""
    return subprocess.run(
        [str(BINARY), *map(str, words)], capture_output=True, check=False, text=True, timeout=60, preexec_fn=bounded)


@pytest.fixture(scope="module")
def shop():
    """A server with a webhook endpoint, which has ended."""
    with Installation() as server:
        owner = server.make_owner()
        business = owner.post("/api/businesses", {"name": "Shop", "mode": "test"}, 201)["id"]
        owner.post(f"/api/businesses/{business}/webhooks", {"url": "http://127.0.0.1:9/hook"}, 201)
        server.end()
        yield server


@pytest.mark.parametrize("settings", ["settings", "0:,", "-,", "}{"])
def test_an_archive_whose_webhook_has_no_settings_is_refused(shop, tmp_path, settings):
    archive = tmp_path / "export.jsonl"
    assert run("export", archive, "--data", shop.data).returncode == 0
    lines = [json.loads(line) for line in archive.read_text().splitlines()]
    [webhook] = [line for line in lines if line["type"] == "webhook"]
    webhook["settings"] = settings
    body = "".join(json.dumps(line) + "\n" for line in lines[:-1])
    lines[-1]["sha256"] = hashlib.sha256(body.encode()).hexdigest()
    archive.write_text(body + json.dumps(lines[-1]) + "\n")
    done = run("import", archive, "--data", tmp_path / "copy")
    assert done.returncode == 1 and '"settings" is not that of a webhook' in done.stderr, (done.returncode, done.stderr[-500:])


def test_a_damaged_row_of_a_webhook_is_found_and_takes_no_memory(shop):
    with sqlite3.connect(shop.data / "frontdesk.sqlite") as file:
        assert file.execute("UPDATE webhooks SET settings = 'damaged'").rowcount == 1
    done = run("export", shop.data.parent / "damaged.jsonl", "--data", shop.data)
    assert done.returncode == 1, (done.returncode, done.stderr[-500:])


@pytest.mark.parametrize("damage", ["position = 0", "attempts = 9223372036854775807"])
def test_a_damaged_delivery_does_not_end_the_server(damage):
    with Installation("--private-endpoints") as server, Receiver(verifies=False) as receiver:
        owner = server.make_owner()
        business = owner.post("/api/businesses", {"name": "Shop", "mode": "test"}, 201)["id"]
        receiver.status = 500
        made = owner.post(f"/api/businesses/{business}/webhooks", {"url": receiver.url, "types": ["message.accepted"]}, 201)
        path = f"/api/businesses/{business}/webhooks/{made['id']}"
        customer = Customer(server, business)
        customer.say("Hello")
        wait(lambda: owner.fetch(path)["deliveries"]["pending"] == 1)
        server.end()
        with sqlite3.connect(server.data / "frontdesk.sqlite") as file:
            assert file.execute(f"UPDATE deliveries SET {damage}, due_at = 0").rowcount == 1
        tried = receiver.attempts
        # Pages and their sessions stay at their address.
        server.listen = f"127.0.0.1:{server.port}"
        server.start()
        # What is posted to another endpoint is behind the attempt, or what came instead of it.
        other = owner.post(f"/api/businesses/{business}/webhooks", {"url": receiver.url, "types": ["message.accepted"]}, 201)["id"]
        Customer(server, business).say("Hello again")
        wait(lambda: owner.fetch(f"/api/businesses/{business}/webhooks/{other}")["deliveries"]["pending"] == 1 and receiver.attempts > tried)
        assert server.process.poll() is None
        assert owner.call("GET", path + "/deliveries").status_code == 200


def wait(test):
    """Waits until something is so, for 20 seconds."""
    end = time.monotonic() + 20
    while not test():
        assert time.monotonic() < end
        time.sleep(0.05)
