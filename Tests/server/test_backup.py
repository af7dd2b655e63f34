"""A backup beside the running server, and a server that continues from it."""

import shutil
import subprocess
import time

import pytest

from support.server import BINARY, Customer, Installation, Session


def test_a_backup_is_restored_with_a_new_epoch(tmp_path):
    backup, data, kept = (tmp_path / name for name in ("backup", "data", "kept.key"))
    with Installation() as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        key = server.make_key(sandbox["id"])
        said = Customer(server, sandbox["id"]).say("Before the backup")["message"]
        path = f"/api/conversations/{said['conversation']}/messages"
        before = Session(server, key=key).fetch(path)
        assert "all is whole" in server.command("verify").stdout
        assert "all is whole" in server.command("backup", str(backup)).stdout
        refused = server.command("backup", str(backup), check=False)
        assert refused.returncode == 1 and "is there already" in refused.stderr
        Session(server, key=key).post(path, {"type": "text", "body": "After it"}, expect=201)
        assert server.command("restore", str(backup), check=False).returncode == 2
        shutil.copy(server.data / "encryption.key", kept)
    run("verify", backup)
    run("restore", str(backup), data)
    # No backup has the key; the operator keeps it apart.
    shutil.copy(kept, data / "encryption.key")
    with Installation(data=tmp_path) as server:
        after = Session(server, key=key).fetch(path)
        assert after["data"] == before["data"]
        assert after["head"].split("-")[0] != before["head"].split("-")[0]
        assert "all is whole" in server.command("verify").stdout


def test_a_backup_that_cannot_be_written_says_where_and_why(tmp_path):
    with Installation() as server:
        refused = server.command("backup", str(tmp_path / "none" / "backup"), check=False)
        assert refused.returncode == 1
        assert f"the backup in {tmp_path}/none/backup could not be made: " in refused.stderr
        assert "No such file or directory" in refused.stderr and "StoreError" not in refused.stderr


def test_a_backup_in_a_folder_that_only_the_server_sees_is_no_backup():
    server = Installation()
    # As PrivateTmp= of systemd.
    server.before = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /var/tmp && exec "$@"', "sh"]
    with server:
        lost = server.command("backup", "/var/tmp/frontdesk-test-backup", check=False)
        assert lost.returncode == 1 and "a /var/tmp/frontdesk-test-backup of its own" in lost.stderr


def test_a_server_that_ended_leaves_its_log_empty(tmp_path):
    with Installation(data=tmp_path) as server:
        server.stop()
        log = tmp_path / "data" / "frontdesk.sqlite-wal"
        assert not log.exists() or log.stat().st_size == 0


def test_a_directory_that_an_import_fills_is_not_served_and_not_filled_twice(tmp_path):
    data, archive = tmp_path / "data", tmp_path / "archive"
    with Installation() as server:
        server.command("export", str(archive))
    lines = archive.read_bytes().splitlines(keepends=True)
    first = subprocess.Popen(
        [str(BINARY), "import", "-", "--data", str(data)], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    first.stdin.write(b"".join(lines[:2]))
    first.stdin.flush()
    deadline = time.monotonic() + 60
    while not (data / "incoming-store").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    served = ask("serve", "--listen", "127.0.0.1:0", "--data", data)
    assert served.returncode == 1 and "is not whole: a restore, an import or a move into it" in served.stderr
    checked = ask("serve", "--check", "--listen", "127.0.0.1:0", "--data", data)
    assert checked.returncode == 2 and served.stderr.splitlines()[0] in checked.stderr
    second = ask("import", archive, "--data", data)
    assert second.returncode == 1 and f"another process works on {data}" in second.stderr
    # The key may be put there before the end, and an import that fails leaves it.
    (data / "encryption.key").write_text("of the operator")
    first.stdin.close()
    assert first.wait(timeout=60) == 1
    assert [path.name for path in data.iterdir()] == ["encryption.key"]
    (data / "encryption.key").unlink()
    assert ask("import", archive, "--data", data).returncode == 0
    run("verify", data)


@pytest.mark.parametrize("room", [64, None], ids=["for-nothing", "for-the-database-alone"])
def test_a_disk_without_room_for_a_backup_is_named_as_that(tmp_path, room):
    small, backup = tmp_path / "small", tmp_path / "backup"
    small.mkdir()
    with Installation(data=tmp_path) as server:
        server.command("backup", str(backup))
        server.stop()
    room = room or (backup / "frontdesk.sqlite").stat().st_size // 1024 + 8
    mount = f'mount -t tmpfs -o size={room}k none {small} && exec "$@"'
    for words in [("backup", small / "backup", "--data", tmp_path / "data"), ("restore", backup, "--data", small / "data")]:
        refused = ask(*words, before=["unshare", "--mount", "sh", "-c", mount, "sh"])
        assert refused.returncode == 1
        assert "the disk is full" in refused.stderr or "No space left on device" in refused.stderr


@pytest.mark.parametrize(("megabytes", "fits"), [(257, False), (320, True)])
def test_a_backup_on_the_disk_of_the_data_leaves_the_room_that_the_server_needs(tmp_path, megabytes, fits):
    small = tmp_path / "small"
    small.mkdir()
    with Installation(data=tmp_path / "own") as server:
        server.stop()
    mount = f'mount -t tmpfs -o size={megabytes}m none {small} && cp -r {server.data} {small}/data && "$@"; code=$?; ls {small}; exit $code'
    done = ask("backup", small / "monday", "--data", small / "data", before=["unshare", "--mount", "sh", "-c", mount, "sh"])
    assert done.returncode == (0 if fits else 1), done
    # Nothing is left of one that was refused.
    left = done.stdout.splitlines()
    assert left[left.index("data"):] == (["data", "monday"] if fits else ["data"])
    assert fits == ("the backup is in" in done.stdout)
    assert fits != ("on the same disk: it needs" in done.stderr and "another disk" in done.stderr)


def ask(*words, before=()):
    """Runs a command and gives back what it said; a server that starts is ended."""
    return subprocess.run(
        ["timeout", "20", *before, str(BINARY), *map(str, words)], capture_output=True, text=True, check=False)


def run(*words):
    """Runs a command on a directory, the last word."""
    *words, data = map(str, words)
    done = subprocess.run([str(BINARY), *words, "--data", data], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all is whole" in done.stdout
