"""Encryption keys of servers on one database: rotated while none runs, or while all do, and given up when they are lost."""

import base64
import os
import re
import subprocess

import pytest
import requests
from support.binary import BINARY
from support.postgres import shared
from support.registered import registered
from support.server import Customer, Installation


@pytest.fixture
def server():
    """One node on a database of its own, which the test stops and starts on one address."""
    with Installation(database=shared().make_schema(), nodes=1) as running:
        running.listen = f"127.0.0.1:{running.port}"
        yield running


def sandbox(owner):
    return next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]


def made():
    """A new key as its file has it."""
    return base64.b64encode(os.urandom(32)).decode()


def counts(server):
    """How many secrets each key encrypts, the current key first."""
    listed = server.command("secrets", "list").stdout
    return [(key, int(count)) for key, count in
            re.findall(r"(?m)^([0-9a-f]{16})  (?:encrypts|decrypts)  (\d+)", listed)]


def put(server, *keys):
    """Has the nodes' file of keys these, the current one first."""
    file = server.data / "encryption.key"
    file.write_text("".join(f"{key}\n" for key in keys))
    file.chmod(0o600)


def key_of(server):
    """The one key in the nodes' file."""
    [key] = re.findall(r"(?m)^[A-Za-z0-9+/]{43}=$", (server.data / "encryption.key").read_text())
    return key


def restart(server, number):
    """Ends a node as an operator does, and starts it again where it was."""
    server.processes[number].terminate()
    server.processes[number].wait(timeout=40)
    server.start_node(number)


def test_a_rotation_keeps_every_secret_and_changes_nothing_while_a_node_runs(server):
    owner = server.make_owner()
    business = sandbox(owner)
    with registered(server, business) as provider:
        [(old, count)] = counts(server)
        assert count >= 5
        before = (server.data / "encryption.key").read_bytes()
        for word in ("rotate", "forget"):
            refused = server.command("secrets", word, check=False)
            assert refused.returncode == 1 and "a node runs on the database" in refused.stderr, refused
            assert "stop every node first" in refused.stderr and not refused.stdout, refused
        assert (server.data / "encryption.key").read_bytes() == before and counts(server) == [(old, count)]
        server.stop()
        rotated = server.command("secrets", "rotate")
        assert old in rotated.stdout and "every node" in rotated.stdout and "no node runs" in rotated.stderr, rotated
        (new, encrypts), left = counts(server)
        assert new != old and encrypts == count and left == (old, 0)
        server.start()
        Customer(server, business).say("hello")
        assert provider.wait(lambda post: post.get("body") == "hello")
        # A node without the new key says so, and starts with it.
        server.stop()
        after = (server.data / "encryption.key").read_bytes()
        (server.data / "encryption.key").write_bytes(before)
        with pytest.raises(RuntimeError, match=f"encrypted with the key {new}"):
            server.start()
        lacking = server.command("secrets", "rotate", check=False)
        assert lacking.returncode == 1 and new in lacking.stderr and "copy the file of another node" in lacking.stderr
        assert (server.data / "encryption.key").read_bytes() == before
        (server.data / "encryption.key").write_bytes(after)
        server.start()
        server.verify()


def test_keys_of_the_environment_are_rotated_by_the_first_of_them(server):
    server.make_owner()
    [(_, count)] = counts(server)
    given, new = key_of(server), made()
    server.stop()
    (server.data / "encryption.key").unlink()
    server.shared["FRONTDESK_ENCRYPTION_KEY"] = f"{new},{given}"
    rotated = server.command("secrets", "rotate")
    assert "the first of those that were given" in rotated.stdout, rotated
    server.shared["FRONTDESK_ENCRYPTION_KEY"] = new
    server.start()
    assert [number for _, number in counts(server)] == [count]
    assert not (server.data / "encryption.key").exists()


def test_a_lost_key_costs_the_secrets_that_it_encrypts_and_nothing_else(server):
    owner = server.make_owner()
    with registered(server, sandbox(owner)):
        key = server.data / "encryption.key"
        server.stop()
        key.unlink()
        with pytest.raises(RuntimeError, match="frontdesk secrets forget"):
            server.start()
        assert not key.exists()
        forgot = server.command("secrets", "forget")
        assert "msp-7" in forgot.stdout and "has no secret" in forgot.stdout and str(key) in forgot.stdout, forgot
        server.start()
        assert owner.fetch("/api/businesses")["data"]
        again = server.command("gateway", "list").stdout
        assert "msp-7" in again, again
        server.verify()


def test_nodes_rotate_one_after_the_other_and_a_step_that_is_left_out_is_refused():
    with Installation(database=shared().make_schema(), nodes=2) as server:
        owner = server.make_owner()
        business = sandbox(owner)
        with registered(server, business) as provider:
            [(old, count)] = counts(server)
            former, new = key_of(server), made()

            # The new key comes first at once: the other node could not read what this one writes.
            put(server, new, former)
            with pytest.raises(RuntimeError, match="which runs on it, lacks the key"):
                restart(server, 0)
            assert requests.get(server.url + "/readyz", timeout=20).status_code == 200
            put(server, former)
            server.start_node(0)
            assert counts(server) == [(old, count)]

            put(server, former, new)
            for number in (0, 1):
                restart(server, number)
            assert counts(server)[0] == (old, count)
            put(server, new, former)
            restart(server, 0)
            # The other one has it, if not as the first: everything is readable to both.
            assert counts(server)[1] == (old, 0)
            Customer(server, business).say("between")
            assert provider.wait(lambda post: post.get("body") == "between")
            restart(server, 1)
            (fresh, encrypts), left = counts(server)
            assert fresh != old and encrypts == count and left == (old, 0)
            put(server, new)
            for number in (0, 1):
                restart(server, number)
            Customer(server, business).say("after")
            assert provider.wait(lambda post: post.get("body") == "after")
            assert counts(server) == [(fresh, count)]
            server.verify()


def test_commands_on_a_database_without_data_make_none_and_say_what_to_do(tmp_path):
    address = shared().make_schema()
    for words in (("key", "list"), ("owner", "link"), ("secrets", "list"), ("secrets", "rotate"), ("secrets", "forget"),
                  ("epoch", "begin"), ("gateway", "list")):
        done = subprocess.run(
            [str(BINARY), *words, "--data", str(tmp_path / "data"), "--database", address], capture_output=True, text=True,
            timeout=60, check=False)
        assert done.returncode == 1 and "has no data of Frontdesk's" in done.stderr, (words, done)
    assert not (tmp_path / "data").exists()
    schema = address.rsplit("%3D", 1)[1]
    assert shared().ask(f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'") == "0"


@pytest.mark.parametrize("words", [("backup", "copy"), ("restore", "copy")])
def test_a_command_that_copies_a_directory_refuses_a_database_and_says_where_the_way_is(tmp_path, words):
    done = subprocess.run(
        [str(BINARY), *words, "--data", str(tmp_path / "data"), "--database", shared().address()], capture_output=True,
        text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 1 and "PostgreSQL's own programs" in done.stderr and "scale-out.md" in done.stderr, done
    assert list(tmp_path.iterdir()) == []
