"""`frontdesk serve --check`: the sentences of a start, without a start."""

import contextlib
import os
import socket
import stat
import subprocess

import pytest
from support.binary import BINARY
from support.certificates import make_certificate
from support.server import Installation

FINE = "The configuration is fine.\n"


def run(*words, **variables):
    """A command in an environment without variables of the tests."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("FRONTDESK_")}
    return subprocess.run([str(BINARY), *map(str, words)], capture_output=True, text=True, timeout=120, check=False,
                          env={**plain, **variables})


def check(data, *words, **variables):
    """A check with a port that is free, unless it names another one."""
    listen = [] if "--listen" in words else ["--listen", "127.0.0.1:0"]
    return run("serve", "--check", "--data", data, *listen, *words, **variables)


def findings(done):
    """The lines of a check that found something."""
    assert done.returncode == 2 and not done.stdout, done
    return [line.removeprefix("frontdesk: ") for line in done.stderr.splitlines() if not line.startswith("frontdesk: note: ")]


def state(folder):
    """Every file of a folder with its size and time."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            # A server that runs removes files of its own.
            with contextlib.suppress(FileNotFoundError):
                facts = os.lstat(os.path.join(place, name))
                # A folder's own time is that of what was made or removed in it.
                found[os.path.join(place, name)] = (facts.st_size, facts.st_mtime_ns, facts.st_mode)
    return found


def test_a_configuration_without_a_fault_is_fine_and_makes_nothing(tmp_path):
    data = tmp_path / "deep" / "data"
    done = check(data, "--public-url", "https://chat.example.com", "--limit", "key-messages-burst=800")
    assert done.returncode == 0 and done.stdout == FINE, done
    assert f"note: the data directory {data} is not there; a start makes it" in done.stderr
    assert not list(tmp_path.iterdir())


def test_everything_that_is_wrong_is_a_line(tmp_path):
    (tmp_path / "file").write_text("")
    chain, _ = make_certificate(tmp_path, "one")
    _, key = make_certificate(tmp_path, "two")
    found = findings(check(
        tmp_path / "file", "--listen", "nowhere", "--limit", "requets=1", "--tls-cert", chain, "--tls-key", key,
        "--trusted-proxy", "here", "--name", "", "--blobs", "s3://bucket", "--web", tmp_path / "none",
        "--port-file", tmp_path / "none" / "port", FRONTDESK_LOG_LEVEL="loud", FRONTDESK_ASSISTANT_MODEL="m"))
    for sentence in ("--listen takes HOST:PORT, not \"nowhere\" (for example --listen 127.0.0.1:8080",
                     "unknown limit \"requets\"", "--trusted-proxy takes ADDRESS or ADDRESS/BITS, not \"here\"",
                     "--name takes 1 to 100 characters", "--blobs needs --database",
                     "--log-level is debug, info, warning or error, not \"loud\"",
                     "--assistant-model needs --assistant-url",
                     f"--web: no such folder: {tmp_path}/none",
                     f"the data directory {tmp_path}/file cannot be made: it is a file",
                     f"the private key in {key} does not belong to the certificate in {chain}",
                     f"the port cannot be written to {tmp_path}/none/port ({tmp_path}/none/: No such file or directory)"):
        assert len([line for line in found if line.startswith(sentence)]) == 1, (sentence, found)
    assert len(found) == 11, found


@pytest.mark.parametrize("words", [
    ["--listen", "nowhere"], ["--listen", "192.0.2.1:8080"], ["--public-url", "chat"], ["--limit", "requets=1"],
    ["--tls-cert", "/nowhere/chain.pem", "--tls-key", "/nowhere/key.pem"], ["--tls-cert", "/nowhere/chain.pem"],
    ["--web", "/nowhere"], ["--database-password-file", "/nowhere"], ["--encryption-key", "short"],
    ["--database", "postgresql:///none", "--database-password-file", "/nowhere"], ["--database", "mysql://host/name"],
    ["--public-url", "https://chat.example.com:99999"], ["--port-file", "/"], ["--push-service", "*.com"],
    ["--web", "/srv"],
    ["--mail-server", "smtp://127.0.0.1", "--mail-from", "desk@example.com", "--mail-ca-file", "/etc/hostname"],
])
def test_a_finding_is_the_sentence_of_a_start(tmp_path, words):
    [found] = findings(check(tmp_path / "checked", *words))
    listen = [] if "--listen" in words else ["--listen", "127.0.0.1:0"]
    started = run("serve", "--data", tmp_path / "started", *listen, *words)
    # The hint is a line of its own there, behind log lines perhaps.
    said = [line for line in started.stderr.splitlines() if line.startswith("frontdesk: ")]
    assert started.returncode in (1, 2)
    assert found.startswith(said[-1].removeprefix("frontdesk: ")), (found, started.stderr)


def test_an_empty_name_of_the_data_directory_is_found_as_a_start_finds_it():
    assert findings(check("")) == ["--data names no directory (name one, or leave --data out)"]
    started = run("serve", "--data", "", "--listen", "127.0.0.1:0")
    assert started.returncode in (1, 2) and "frontdesk: --data names no directory" in started.stderr


def test_a_directory_below_a_file_is_found_as_a_start_finds_it(tmp_path):
    (tmp_path / "file").write_text("")
    [found] = findings(check(tmp_path / "file" / "data"))
    started = run("serve", "--data", tmp_path / "file" / "data", "--listen", "127.0.0.1:0")
    assert started.returncode in (1, 2) and f"frontdesk: {found.split(' (')[0]}" in started.stderr, (found, started.stderr)


def test_a_flag_that_is_not_known_ends_a_check_as_a_start(tmp_path):
    done = check(tmp_path / "data", "--listn", "127.0.0.1:1")
    assert done.returncode == 2 and "did you mean --listen?" in done.stderr


def test_a_proxy_that_may_be_anyone_is_a_note(tmp_path):
    done = check(tmp_path / "data", "--trusted-proxy", "0.0.0.0/0", "--trusted-proxy", "10.0.0.0/8")
    assert done.returncode == 0 and done.stdout == FINE
    assert done.stderr.count("believes everybody") == 1, done.stderr


def test_a_misspelt_variable_is_named_and_keeps_nothing_from_starting(tmp_path):
    done = check(tmp_path / "data", FRONTDESK_LISTN="127.0.0.1:1")
    assert done.returncode == 0 and done.stdout == FINE
    assert "the variable FRONTDESK_LISTN is not known" in done.stderr


@pytest.mark.parametrize("words", [["key", "list"], ["verify"], ["limits"], ["owner", "link"]])
def test_every_command_that_reads_variables_names_a_misspelt_one(tmp_path, words):
    more = [] if words == ["limits"] else ["--data", tmp_path / "data"]
    done = run(*words, *more, FRONTDESK_DTA="x", FRONTDESK_LIMT="x")
    assert "the variable FRONTDESK_DTA is not known" in done.stderr
    hint = "did you mean FRONTDESK_LIMIT?" if words == ["limits"] else "did you mean FRONTDESK_DATA?"
    assert hint in done.stderr


def test_a_command_that_reads_no_variable_names_none():
    assert not run("version", FRONTDESK_LISTN="x").stderr


# Beside data, and beside a server


def test_beside_its_own_server_an_address_in_use_is_a_note_and_nothing_is_added(tmp_path):
    with Installation(data=tmp_path / "data") as server:
        before = state(server.data)
        done = check(server.data, "--listen", f"127.0.0.1:{server.port}")
        assert done.returncode == 0 and done.stdout == FINE, done
        assert f"note: 127.0.0.1:{server.port} is in use by the server that runs on {server.data}" in done.stderr
        after = state(server.data)
        assert {path for path in after if not path.endswith(("-wal", "-shm"))} <= set(before)
        assert before[str(server.data / "encryption.key")] == after[str(server.data / "encryption.key")]
        assert server.process.poll() is None
        # Another installation's configuration is not fine with that address.
        [found] = findings(check(tmp_path / "other", "--listen", f"127.0.0.1:{server.port}"))
        assert found.startswith(f"127.0.0.1:{server.port} cannot be listened on: Address already in use")
        # Nor is this one's with the address of another program.
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            [found] = findings(check(server.data, "--listen", f"127.0.0.1:{port}"))
        assert f"127.0.0.1:{port} cannot be listened on" in found and "another program uses the port" in found


def test_beside_data_without_a_server_nothing_is_changed(tmp_path):
    with Installation(data=tmp_path / "data") as server:
        data = server.data
    before = state(data)
    done = check(data)
    assert done.returncode == 0 and done.stdout == FINE, done
    assert state(data) == before
    (data / "encryption.key").chmod(0o644)
    [found] = findings(check(data))
    assert f"everybody on this machine may read {data}/encryption.key" in found
    (data / "encryption.key").unlink()
    done = check(data)
    assert done.returncode == 0 and f"note: the file of keys {data}/encryption.key is missing" in done.stderr
    assert not (data / "encryption.key").exists()


def test_a_certificate_that_has_ended_is_a_note_and_a_key_with_a_passphrase_is_asked_for_nowhere(tmp_path):
    chain, key = make_certificate(tmp_path, "ended", ended=True)
    done = check(tmp_path / "data", "--tls-cert", chain, "--tls-key", key)
    assert done.returncode == 0 and done.stdout == FINE
    assert f"note: the certificate in {chain} is not valid now: it is from 2020-01-01T00:00:00.000Z to " in done.stderr
    locked = tmp_path / "locked.key"
    subprocess.run(["openssl", "ec", "-in", key, "-aes128", "-passout", "pass:locked", "-out", locked], check=True, capture_output=True)
    # With a terminal, at which it would be asked for.
    ours, theirs = os.openpty()
    asked = subprocess.run(
        ["setsid", "--ctty", "--wait", BINARY, "serve", "--check", "--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--tls-cert", chain,
         "--tls-key", locked], stdin=theirs, capture_output=True, text=True, timeout=60, check=False)
    os.close(ours)
    os.close(theirs)
    assert asked.returncode == 2 and f"{locked} is no private key in PEM without a passphrase" in asked.stderr


def test_a_directory_that_everybody_may_enter_is_a_note(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    done = check(data)
    assert done.returncode == 0, done
    assert f"note: everybody on this machine may look into the data directory {data} (chmod 700 it)" in done.stderr
    assert stat.S_IMODE(data.stat().st_mode) == 0o755


def test_a_directory_that_this_user_may_not_write_is_a_finding(tmp_path):
    # Root without what opens every directory to it.
    words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o555)
    done = subprocess.run(
        [*words, str(BINARY), "serve", "--check", "--listen", "127.0.0.1:0", "--data", str(data)],
        capture_output=True, text=True, timeout=120, check=False, env={"PATH": os.environ["PATH"]})
    [found] = [line for line in done.stderr.splitlines() if "note: " not in line]
    assert done.returncode == 2, done
    assert found.startswith(f"frontdesk: the data directory {data} cannot be used: Permission denied")


def test_a_key_that_systemd_gave_the_running_server_alone_is_a_note(tmp_path):
    words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    key = tmp_path / "credentials" / "encryption.key"
    key.parent.mkdir()
    with Installation("--encryption-key-file", str(key)) as server:
        key.chmod(0)

        def check_beside(**variables):
            return subprocess.run(
                [*words, str(BINARY), "serve", "--check", "--listen", f"127.0.0.1:{server.port}", "--data", str(server.data),
                 "--encryption-key-file", str(key)],
                capture_output=True, text=True, timeout=120, check=False, env={"PATH": os.environ["PATH"], **variables})

        done = check_beside(CREDENTIALS_DIRECTORY=str(key.parent))
        assert done.returncode == 0, done
        assert f"note: {key} is a credential, which systemd lets the service read when it starts" in done.stderr
        # Any other file that this user may not read would keep the next start from starting.
        assert "Permission denied" in findings(check_beside(CREDENTIALS_DIRECTORY=str(tmp_path / "others")))[0]
        assert "Permission denied" in findings(check_beside())[0]
