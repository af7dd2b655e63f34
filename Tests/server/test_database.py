"""A database that cannot be used is one sentence with what to do; one that goes away is waited for."""

import pathlib
import re
import shutil
import socket
import subprocess
import threading
import time
import uuid

import pytest
import requests
from support.binary import BINARY, ROOT
from support.postgres import PostgresServer, shared
from support.server import Customer, Installation, Session

SECRET = "correct-horse-%40"


@pytest.fixture(scope="module")
def database():
    """A server with roles that may do less than is needed."""
    server = shared()
    for statement in (
            "CREATE ROLE reading LOGIN; ALTER ROLE reading SET default_transaction_read_only = on",
            "CREATE ROLE guest LOGIN; CREATE SCHEMA closed",
            "CREATE ROLE locked LOGIN PASSWORD 'correct-horse-@'; GRANT CREATE ON DATABASE postgres TO locked",
            "CREATE SCHEMA foreign_tables; CREATE TABLE foreign_tables.events (a int)",
            "CREATE SCHEMA foreign_names; CREATE TABLE foreign_names.messages (a int)",
            "CREATE SCHEMA locked AUTHORIZATION locked"):
        server.ask(statement)
    return server


def refused(address, data, *more):
    """What a server says that is not to start."""
    done = subprocess.run(
        [str(BINARY), "serve", "--listen", "127.0.0.1:0", "--data", str(data), "--database", address, *more],
        capture_output=True, text=True, timeout=120, check=False)
    said = [line for line in done.stderr.splitlines()
            if "without effect" not in line and not line.startswith("time=") and "warning: " not in line]
    assert done.returncode == 1 and len(said) in (1, 2), done.stderr
    assert SECRET not in done.stderr and "correct-horse" not in done.stderr
    return "\n".join(said)


def answering_no_tls():
    """The port of a server that refuses to encrypt."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            line, _ = listener.accept()
            line.recv(8)
            line.sendall(b"N")

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def test_a_database_that_cannot_be_used_is_one_sentence_with_what_to_do(database, tmp_path):
    folder = database.folder
    cases = [
        ("postgresql://frontdesk@127.0.0.1:1/postgres", "cannot be reached: .*refused", "is the server running"),
        ("postgresql://frontdesk@/postgres?host=/nowhere", "cannot be reached: .*No such file", "is the server running"),
        ("postgresql://frontdesk@nowhere.invalid/postgres", "could not translate host name", "look for a slip"),
        (f"postgresql://frontdesk@/nothing?host={folder}", 'database "nothing" does not exist', "createdb"),
        (f"postgresql://nobody@/postgres?host={folder}", 'role "nobody" does not exist', "createuser"),
        (f"postgresql://locked@/postgres?host={folder}", "no password supplied", "--database-password-file"),
        (f"postgresql://locked:{SECRET}x@/postgres?host={folder}", "password authentication failed",
         "--database-password-file"),
        (f"postgresql://frontdesk@127.0.0.1:{answering_no_tls()}/postgres?sslmode=require",
         "does not support SSL", "sslmode=prefer"),
        (f"postgresql://reading@/postgres?host={folder}", "its transactions only read", "default_transaction_read_only"),
        (f"postgresql://guest@/postgres?host={folder}&options=-csearch_path%3Dclosed", "names no schema that is there|may "
         "not make tables", "GRANT|CREATE SCHEMA"),
        (database.address("absent"), "names no schema that is there", "CREATE SCHEMA"),
        (database.address("foreign_tables"), "has tables of something else", "name an empty schema"),
        (database.address("foreign_names"), "has tables of something else", "name an empty schema"),
        ("postgresql://frontdesk@host:not-a-port/postgres", "is no connection string or URI", "%40"),
    ]
    for address, what, remedy in cases:
        said = refused(address, tmp_path)
        assert re.search(what, said) and re.search(remedy, said), said
        assert "StoreError" not in said and not re.search("postgres [0-9A-Z]{5}", said), said


def test_a_server_that_may_lose_what_it_has_is_refused(tmp_path):
    server = PostgresServer(is_kept=False)
    try:
        said = refused(server.address(), tmp_path)
        assert "fsync off" in said and "ALTER SYSTEM SET fsync = on" in said, said
        for name in ("fsync", "full_page_writes"):
            server.ask(f"ALTER SYSTEM SET {name} = on")
        # What pg_ctl was given counts more than a setting: it is started anew without it.
        server.control("restart", "-m", "fast", "-o", f"-c listen_addresses='' -c unix_socket_directories={server.folder}")
        said = refused(server.address(), tmp_path)
        assert "keeps no data checksums" in said and "pg_checksums --enable" in said, said
    finally:
        server.stop()


def test_a_standby_is_refused_as_what_it_is(database, tmp_path):
    standby = database.make_standby()
    try:
        said = refused(standby.address, tmp_path)
        assert "is a standby" in said and "target_session_attrs=read-write" in said, said
    finally:
        standby.stop()


def test_another_key_or_a_newer_program_is_said(database, tmp_path):
    address = database.make_schema()
    with Installation("--database", address):
        pass
    said = refused(address, tmp_path)
    assert "encrypted with the key" in said and "--encryption-key-file" in said, said
    schema = address.rsplit("%3D", 1)[1]
    database.ask(f"INSERT INTO {schema}.schema_version (version, min_program) VALUES (1000, 999)")
    said = refused(address, tmp_path)
    assert "newer version of Frontdesk" in said and "999" in said, said


def test_two_installations_on_one_schema_are_refused_with_what_to_do(database, tmp_path):
    address = database.make_schema()
    with Installation("--database", address) as server:
        # With the same key it is one of several nodes, and those have one public URL.
        said = refused(address, tmp_path, "--encryption-key-file", str(server.data / "encryption.key"))
        assert f"runs under {server.url}" in said and f"--public-url {server.url}" in said, said


def test_tables_of_another_role_are_said(database, tmp_path):
    address = database.make_schema()
    with Installation("--database", address):
        pass
    schema = address.rsplit("%3D", 1)[1]
    database.ask(f"GRANT USAGE, CREATE ON SCHEMA {schema} TO guest")
    said = refused(address.replace("frontdesk@", "guest@"), tmp_path)
    assert "may not use the tables" in said and "name the role that made them" in said, said


def test_tables_of_a_newer_program_are_served_until_they_are_for_newer_ones_alone(database):
    address = database.make_schema()
    schema = address.rsplit("%3D", 1)[1]
    with Installation("--database", address) as server:
        database.ask(f"INSERT INTO {schema}.schema_version (version, min_program) VALUES (1000, 1)")
        # A node of the version before starts again, and serves.
        server.stop()
        server.start()
        assert requests.get(server.url + "/readyz", timeout=10).status_code == 200
        database.ask(f"INSERT INTO {schema}.schema_version (version, min_program) VALUES (1001, 1000)")
        assert server.process.wait(timeout=60) == 72, server.log_text()[-2_000:]
        assert "event=schema_too_new" in server.log_text() and "1000" in server.log_text()


def test_a_password_is_in_no_list_of_processes_and_no_log(database, tmp_path):
    address = f"postgresql://locked:{SECRET}@/postgres?host={database.folder}&options=-csearch_path%3Dlocked"
    with Installation("--database", address) as server:
        shown = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_text()
        assert "correct-horse" not in shown and f"locked:{'*' * len(SECRET)}@" in shown
        log = server.log_text()
        assert "correct-horse" not in log and "the database's address has a password" in log
        assert requests.get(server.url + "/readyz", timeout=10).status_code == 200
        key = tmp_path / "key"
        shutil.copy(server.data / "encryption.key", key)
    file = tmp_path / "password"
    file.write_text("correct-horse-@\n")
    without = address.replace(f":{SECRET}", "")
    with Installation("--database", without, "--database-password-file", str(file), "--encryption-key-file", str(key)) as server:
        assert "has a password" not in server.log_text() and "correct-horse" not in server.log_text()
    file.write_text("*:*:*:locked:correct-horse-@\n")
    file.chmod(0o600)
    with Installation("--database", without, "--encryption-key-file", str(key), environment={"PGPASSFILE": str(file)}) as server:
        assert requests.get(server.url + "/readyz", timeout=10).status_code == 200
        assert "has a password" not in server.log_text() and "correct-horse" not in server.log_text()


def test_a_command_works_on_the_database_while_no_server_runs(database):
    address = database.make_schema()
    with Installation("--database", address) as server:
        key = server.data / "encryption.key"
        server.stop()
        made = server.command("key", "create", "--name", "shop", "--business", "Sandbox", "--database", address)
        assert "fd_test_" in made.stdout and "on the database" in made.stderr, made
        server.start()
        Session(server, key=re.search(r"fd_test_\S+", made.stdout).group(0)).fetch("/api/businesses")
        assert key.exists()


def test_what_a_command_revokes_on_the_database_is_refused_by_a_node_from_its_end_on(database, tmp_path):
    address = database.make_schema()
    with Installation("--database", address) as server:
        owner = server.make_owner()
        business = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])
        program = Session(server, key=server.make_key(business["id"], name="revoked later"))
        program.fetch("/api/businesses")
        # From another directory: the command has no server there, and works on the database beside the node.
        on_it = ["--data", str(tmp_path), "--database", address, "--encryption-key-file", str(server.data / "encryption.key")]

        def run(*words):
            return subprocess.run([str(BINARY), *words, *on_it], capture_output=True, text=True, timeout=60, check=True)
        key = next(line.split()[0] for line in run("key", "list").stdout.splitlines() if "revoked later" in line)
        assert "on the database" in run("key", "revoke", key).stderr
        assert program.request("GET", server.url + "/api/businesses", timeout=20).status_code == 401


def test_another_epoch_ends_a_running_server_and_is_refused_where_there_is_no_database(database, tmp_path):
    address = database.make_schema()
    with Installation("--database", address) as server:
        # From another directory, so that it is not the server itself that does it.
        begun = subprocess.run(
            [str(BINARY), "epoch", "begin", "--data", str(tmp_path), "--database", address, "--encryption-key-file",
             str(server.data / "encryption.key")], capture_output=True, text=True, timeout=60, check=True)
        assert "Another epoch has begun" in begun.stdout and "on the database" in begun.stderr, begun
        assert server.process.wait(timeout=60) == 71
        server.start()
        assert requests.get(server.url + "/readyz", timeout=10).status_code == 200
    with Installation(data=tmp_path / "own") as own:
        refused = own.command("epoch", "begin", check=False)
        assert refused.returncode == 1 and "frontdesk restore" in refused.stderr, refused


def until(what, seconds=60):
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def test_a_database_that_goes_away_is_waited_for_and_nothing_acknowledged_is_lost():
    own = PostgresServer()
    try:
        with Installation("--database", own.make_schema()) as server:
            owner = server.make_owner()
            business = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])
            program = Session(server, key=server.make_key(business["id"]))
            customer = Customer(server, business["id"])
            conversation = customer.say("first")["message"]["conversation"]
            stream = owner.request("GET", server.url + "/api/events", stream=True, timeout=60)
            assert stream.status_code == 200
            own.control("stop", "-m", "immediate")
            until(lambda: requests.get(server.url + "/readyz", timeout=10).status_code == 503)
            # The reader sees that nothing arrives, and is refused until something can.
            assert b"live" in b"".join(stream.iter_content(None))
            until(lambda: owner.request("GET", server.url + "/api/events", timeout=60).status_code == 503)
            for method, path, body in (
                    ("POST", f"/api/conversations/{conversation}/messages", {"type": "text", "body": "meanwhile"}),
                    ("GET", f"/api/conversations/{conversation}", None)):
                answer = program.request(method, server.url + path, json=body, timeout=60)
                assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1, answer.text
            assert requests.get(server.url + "/livez", timeout=10).status_code == 200
            own.start_again()
            until(lambda: requests.get(server.url + "/readyz", timeout=10).status_code == 200)

            def streams():
                with owner.request("GET", server.url + "/api/events", stream=True, timeout=60) as again:
                    return again.status_code == 200
            until(streams)
            said = {"id": str(uuid.uuid4()), "type": "text", "body": "after"}
            program.post(f"/api/conversations/{conversation}/messages", said, 201)
            thread = program.fetch(f"/api/conversations/{conversation}/messages")["data"]
            bodies = [one["payload"]["body"] for one in thread]
            assert bodies[0] == "first" and bodies[-1] == "after" and bodies.count("meanwhile") <= 1, bodies
            assert server.process.poll() is None
    finally:
        own.stop()


# What an operator does to a database that is served, and how it is undone; whether the server answers meanwhile, and refuses.
TROUBLES = {
    "the role may not use its tables": (
        "REVOKE ALL ON ALL TABLES IN SCHEMA {name} FROM {role}", "GRANT ALL ON ALL TABLES IN SCHEMA {name} TO {role}", False),
    "the schema has another name": ("ALTER SCHEMA {name} RENAME TO {name}_away", "ALTER SCHEMA {name}_away RENAME TO {name}", False),
    "the role may not log in": ("ALTER ROLE {role} NOLOGIN", "ALTER ROLE {role} LOGIN", False),
    "its password is another one": ("ALTER ROLE {role} PASSWORD 'another'", "ALTER ROLE {role} PASSWORD 'correct-horse-@'", False),
    "its transactions only read": (
        "ALTER ROLE {role} SET default_transaction_read_only = on", "ALTER ROLE {role} RESET default_transaction_read_only", True),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_node_waits_out_what_keeps_it_from_its_database_and_goes_on_by_itself(database, trouble):
    spoil, undo, answers = TROUBLES[trouble]
    name = f"n{uuid.uuid4().hex}"
    role, login = ("locked", f"locked:{SECRET}") if "password" in trouble else (name, name)
    if role == name:
        database.ask(f"CREATE ROLE {role} LOGIN")
    database.ask(f"CREATE SCHEMA {name} AUTHORIZATION {role}")
    with Installation("--database", f"postgresql://{login}@/postgres?host={database.folder}&options=-csearch_path%3D{name}") as server:
        owner = server.make_owner()
        business = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])
        program = Session(server, key=server.make_key(business["id"]))
        conversation = Customer(server, business["id"]).say("first")["message"]["conversation"]
        messages = f"/api/conversations/{conversation}/messages"
        database.ask(spoil.format(name=name, role=role))
        try:
            # Settings of a role count for new connections alone.
            database.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'")
            until(lambda: requests.get(server.url + "/readyz", timeout=10).status_code == 503)
            for _ in range(3):
                said = {"id": str(uuid.uuid4()), "type": "text", "body": "meanwhile"}
                answer = program.request("POST", server.url + messages, json=said, timeout=60)
                assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1, answer.text
                # The server has refused it before it was committed.
                assert not answers or answer.json()["code"] != "outcome_unknown", answer.text
            answer = program.request("GET", server.url + messages, timeout=60)
            # Not even read: a node that cannot say that it lives learns of no key that is revoked.
            assert answer.status_code == 503, answer.text
            assert requests.get(server.url + "/livez", timeout=10).status_code == 200
            assert requests.get(server.url + "/readyz", timeout=10).status_code == 503
            metrics = requests.get(server.url + "/metrics", timeout=10).text
            assert "\nfrontdesk_database_reachable 0\n" in metrics
        finally:
            database.ask(undo.format(name=name, role=role))
        until(lambda: requests.get(server.url + "/readyz", timeout=10).status_code == 200)
        # Each of its connections is made anew where it has to be.
        until(lambda: program.request("POST", server.url + messages, json={
            "id": str(uuid.uuid4()), "type": "text", "body": "after"}, timeout=60).status_code == 201)
        bodies = [one["payload"]["body"] for one in program.fetch(messages)["data"]]
        assert bodies[0] == "first" and bodies[-1] == "after" and "meanwhile" not in bodies, bodies
        log = server.log_text()
        assert server.process.poll() is None and "correct-horse" not in log and "event=log_replaced" not in log


def test_every_series_that_an_alarm_asks_for_is_there_on_every_node(database):
    rules = (ROOT / "scripts/packaging/prometheus-rules.yml").read_text()
    asked = set(re.findall(r"\b(?:frontdesk|process)_[a-z_]+(?:\{[^}]*\})?", "\n".join(re.findall(r"expr: (.*)", rules))))
    # Only a server with a certificate of its own has it (test_tls.py).
    asked.remove("frontdesk_certificate_end_timestamp_seconds")
    assert len(asked) > 15
    with Installation(database=database.make_schema(), nodes=2) as server:
        for port in server.ports:
            lines = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=10).text.splitlines()
            for series in asked:
                start = series if "}" in series else (series + "{", series + " ")
                assert any(line.startswith(start) for line in lines), (port, series)
