"""Attachments in a bucket: by several nodes, in one that cannot be used, and in one that goes away."""

import hashlib
import os
import pathlib
import re
import subprocess
import time
import uuid

import pytest
import requests
from support.binary import BINARY
from support.postgres import shared
from support.s3 import SECRET, S3Server, environment
from support.server import Customer, Installation, Session

SIZE = 100_000_000
BOUND_MB = 24
KINDLESS = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def bucket():
    """An S3 server."""
    server = S3Server()
    yield server
    server.stop()


def refused(*flags, code=1, **variables):
    """What a server says that is not to start, without its secret."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    done = subprocess.run(
        [str(BINARY), "serve", "--listen", "127.0.0.1:0", *flags],
        capture_output=True, text=True, timeout=120, check=False, env={**inherited, **variables})
    said = [line for line in done.stderr.splitlines() if "without effect" not in line and not line.startswith("time=")]
    assert done.returncode == code and len(said) in (1, 2), done.stderr
    assert SECRET not in done.stderr and "secret-of" not in done.stderr
    return "\n".join(said)


def test_a_bucket_that_cannot_be_used_is_one_sentence_with_what_to_do(bucket, tmp_path):
    base = ["--data", str(tmp_path / "data"), "--database", shared().make_schema()]
    good = [*base, *bucket.flags("refused")]
    opened, empty = tmp_path / "opened", tmp_path / "empty"
    for file, mode in ((opened, 0o644), (empty, 0o600)):
        file.write_text(f"aws_access_key_id = frontdesk\n# {SECRET}\n")
        file.chmod(mode)
    cases = [
        (good, environment(secret="secret-of-another"), "not that of the key.*SignatureDoesNotMatch", "slip in the secret"),
        (good, environment(key="nobody"), "does not know the key.*InvalidAccessKeyId", "slip in the key's id"),
        (good, environment("reader", "secret-of-reader"), "may not do that.*writing: 403", "s3:PutObject"),
        (good, environment("writer", "secret-of-writer"), "may not do that.*reading: 403", "s3:GetObject"),
        (good, environment("keeper", "secret-of-keeper"), "may not do that.*removing: 403", "s3:DeleteObject"),
        (good, environment("blind", "secret-of-blind"), "may not do that.*reading: 403", "s3:ListBucket"),
        ([*base, *bucket.flags("refused", "nothing")], environment(), "no such bucket", "make the bucket"),
        ([*good, "--blobs-region", "eu-west-1"], environment(), "another region.*us-east-1", "--blobs-region"),
        ([*base, "--blobs", "s3://attachments", "--blobs-endpoint", "http://127.0.0.1:1"], environment(),
         "cannot be reached", "--blobs-endpoint"),
        ([*base, "--blobs", "s3://attachments", "--blobs-endpoint", "http://nowhere.invalid"], environment(),
         "cannot be reached", "--blobs-endpoint"),
        (good, {}, "there is no key", "--blobs-credentials-file"),
        (good, {**environment(), "AWS_SESSION_TOKEN": "x"}, "such a key ends", "a key of its own"),
        ([*good, "--blobs-credentials-file", "/nowhere/key"], {}, "is not there", "aws_access_key_id"),
        ([*good, "--blobs-credentials-file", str(opened)], {}, "everybody on this machine may read", "chmod 600"),
        ([*good, "--blobs-credentials-file", str(empty)], {}, "has no key", "aws_access_key_id"),
    ]
    for flags, variables, what, remedy in cases:
        said = refused(*flags, **variables)
        assert re.search(what, said) and re.search(remedy, said), said
    bucket.fail("clock")
    try:
        said = refused(*good, **environment())
    finally:
        bucket.fail()
    assert "clock" in said and "NTP" in said, said
    bucket.fail("full")
    try:
        said = refused(*good, **environment())
    finally:
        bucket.fail()
    assert "it is full" in said and "quota" in said, said
    # Of the key alone that may not remove.
    assert len(bucket.objects("refused/")) == 1


def test_flags_that_do_not_belong_together_are_refused(tmp_path):
    data = ["--data", str(tmp_path / "data")]
    database = [*data, "--database", "postgresql://nobody@/nothing?host=/nowhere"]
    for flags, what in (
            ([*data, "--blobs", "s3://attachments"], "--blobs needs --database"),
            ([*database, "--blobs-region", "us-east-1"], "--blobs-region is given without --blobs"),
            ([*database, "--blobs", "/srv/files"], "s3://BUCKET"),
            ([*database, "--blobs", "s3://attachments", "--blobs-endpoint", "10.0.0.5"], "https://HOST")):
        assert what in refused(*flags, code=2)


def upload(session, business, content, name="file.bin"):
    """Stores a file for a business; returns its id."""
    answer = session.request(
        "POST", f"{session.server.url}/api/attachments?business={business}&name={name}", data=content,
        headers=KINDLESS, timeout=180)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def fetch(session, business, file, expect=200, **headers):
    """Reads a file of a business."""
    answer = session.request("GET", f"{session.server.url}/api/attachments/{file}?business={business}", headers=headers,
                             timeout=180)
    assert answer.status_code == expect, answer.text
    return answer


class Pair:
    """Two nodes on one database and one bucket, and a key for both."""

    def __init__(self, bucket, tmp_path, *flags):
        self.prefix = uuid.uuid4().hex
        file = tmp_path / "bucket-key"
        file.write_text(f"[default]\naws_access_key_id = frontdesk\naws_secret_access_key = {SECRET}\n")
        file.chmod(0o600)
        flags = [*flags, *bucket.flags(self.prefix), "--blobs-credentials-file", str(file),
                 "--public-url", "http://127.0.0.1:1"]
        address = shared().make_schema()
        self.one = Installation(*flags, "--database", address, nodes=1)
        self.other = Installation(
            *flags, "--database", address, "--encryption-key-file", str(self.one.data / "encryption.key"), nodes=1)
        self.nodes = [self.one, self.other]
        for node in self.nodes:
            node.start()
        secret = re.search(r"fd_test_\S+", self.one.command(
            "key", "create", "--name", "shop", "--business", "Sandbox").stdout).group(0)
        self.keys = [Session(node, key=secret) for node in self.nodes]
        self.business = self.keys[0].fetch("/api/businesses")["data"][0]["id"]

    def stop(self):
        """Ends both."""
        for node in self.nodes:
            node.stop()
            node.scratch.cleanup()


@pytest.fixture
def pair(bucket, tmp_path):
    """Two nodes."""
    made = Pair(bucket, tmp_path)
    yield made
    made.stop()


def until(what, seconds=60):
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def test_what_comes_in_on_one_node_is_read_from_the_other_whole_and_in_parts(bucket, pair):
    content = os.urandom(1_300_000)
    one, other = pair.keys
    file = upload(one, pair.business, content)
    assert file == hashlib.sha256(content).hexdigest()
    assert fetch(other, pair.business, file).content == content
    for first, last in ((0, 0), (5, 99), (524_200, 600_000), (1_299_990, 1_299_999)):
        part = fetch(other, pair.business, file, 206, Range=f"bytes={first}-{last}")
        assert part.content == content[first:last + 1]
        assert part.headers["Content-Range"] == f"bytes {first}-{last}/1300000"
    names = bucket.objects(pair.prefix + "/")
    assert len(names) == 1
    # The same bytes are stored once, whichever node they come in on.
    assert upload(other, pair.business, content) == file
    assert bucket.objects(pair.prefix + "/") == names
    assert [line for line in bucket.requests() if names[0] in line and line.startswith("PUT")] == [
        f"PUT /attachments/{names[0]} 200"]


def test_a_large_file_passes_through_little_memory(bucket, pair):
    one = pair.keys[0]
    upload(one, pair.business, b"first")
    process = pathlib.Path(f"/proc/{pair.one.process.pid}")

    def resident(name):
        return int(re.search(rf"{name}:\s+(\d+) kB", (process / "status").read_text()).group(1)) / 1024

    block, digest = os.urandom(1_000_000), hashlib.sha256()

    def pieces():
        for number in range(SIZE // len(block)):
            piece = number.to_bytes(8, "big") + block[8:]
            digest.update(piece)
            yield piece

    (process / "clear_refs").write_text("5")
    before = resident("VmRSS")
    begin = time.monotonic()
    file = upload(one, pair.business, pieces())
    seconds = time.monotonic() - begin
    up = resident("VmHWM") - before
    assert file == digest.hexdigest()
    (process / "clear_refs").write_text("5")
    before, got, begin = resident("VmRSS"), hashlib.sha256(), time.monotonic()
    with one.get(f"{pair.one.url}/api/attachments/{file}?business={pair.business}", stream=True, timeout=180) as answer:
        for piece in answer.iter_content(65_536):
            got.update(piece)
    down = resident("VmHWM") - before
    assert got.digest() == digest.digest()
    print(f"note: 100 MB to S3 in {seconds:.1f} s, back in {time.monotonic() - begin:.1f} s; memory grew by "
          f"{up:.1f} and {down:.1f} MB")
    assert up < BOUND_MB and down < BOUND_MB
    # The upload was kept in a file without a name.
    assert not [path.name for path in pair.one.data.iterdir() if path.name.startswith("upload-")]


def test_a_bucket_that_goes_away_stops_files_only_and_comes_back_by_itself(bucket, pair):
    one, other = pair.keys
    customer = Customer(pair.one, pair.business)
    customer.headers["Origin"] = "http://127.0.0.1:1"
    file = upload(one, pair.business, b"before")
    bucket.kill()
    try:
        for session in pair.keys:
            answer = fetch(session, pair.business, file, 503)
            assert int(answer.headers["Retry-After"]) >= 1
            answer = session.request(
                "POST", f"{session.server.url}/api/attachments?business={pair.business}&name=a", data=b"meanwhile",
                headers=KINDLESS, timeout=60)
            assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1, answer.text
            assert requests.get(session.server.url + "/readyz", timeout=10).status_code == 200
        said = customer.say("messages go on")["message"]["conversation"]
        other.post(f"/api/conversations/{said}/messages", {"type": "text", "body": "yes"}, 201)
        log = pair.one.log_text()
        assert log.count("event=blobs_unreachable") == 1 and "event=blobs_reachable" not in log, log
        metrics = requests.get(pair.one.url + "/metrics", timeout=10).text
        assert "frontdesk_blobs_reachable 0" in metrics
    finally:
        bucket.start()
    assert fetch(one, pair.business, file).content == b"before"
    assert fetch(other, pair.business, upload(one, pair.business, b"meanwhile")).content == b"meanwhile"
    until(lambda: "event=blobs_reachable" in pair.one.log_text())
    assert "frontdesk_blobs_reachable 1" in requests.get(pair.one.url + "/metrics", timeout=10).text


def test_the_secret_is_in_no_list_of_processes_and_no_log(bucket, pair):
    upload(pair.keys[0], pair.business, b"one")
    for node in pair.nodes:
        shown = pathlib.Path(f"/proc/{node.process.pid}/cmdline").read_text()
        assert "--blobs" in shown and SECRET not in shown
        assert SECRET not in node.log_text() and SECRET not in node.printed
    assert all(SECRET not in path.read_text(errors="replace") for path in pair.one.data.iterdir() if path.is_file())


def test_a_node_without_the_bucket_or_with_another_one_is_refused(bucket, pair, tmp_path):
    upload(pair.keys[0], pair.business, b"one")
    base = ["--data", str(tmp_path / "other"), "--database", pair.one.flags[pair.one.flags.index("--database") + 1],
            "--encryption-key-file", str(pair.one.data / "encryption.key"), "--public-url", "http://127.0.0.1:1"]
    assert "lie in an S3 bucket; name it with --blobs" in refused(*base)
    said = refused(*base, *bucket.flags("elsewhere"), **environment())
    assert "the bucket and prefix of before" in said


def test_what_nothing_names_is_removed_from_the_bucket_and_what_a_node_left_over_too(bucket, pair):
    address = pair.one.flags[pair.one.flags.index("--database") + 1]
    kept = upload(pair.keys[0], pair.business, b"kept")
    forgotten = upload(pair.keys[1], pair.business, b"forgotten")
    # A node died after it had stored an object, and before it said that it belongs to an attachment.
    dead = f"{pair.prefix}/ffffffff00000001"
    (bucket.folder / "objects" / dead.replace("/", "%2F")).write_bytes(b"left over")
    shared().ask(
        "INSERT INTO blob_uploads (upload, begun_at) VALUES (-4294967295, now() - interval '25 hours'); "
        f"UPDATE attachment_holds SET kept_until = 1 WHERE encode(attachment, 'hex') = '{forgotten}'; "
        "UPDATE blobs SET stored_at = stored_at - interval '1 hour'", address)
    assert len(bucket.objects(pair.prefix + "/")) == 3
    # The housekeeping's first round is at its start.
    for node in pair.nodes:
        node.stop()
    for node in pair.nodes:
        node.start()
    until(lambda: len(bucket.objects(pair.prefix + "/")) == 1)
    for session in pair.keys:
        assert fetch(session, pair.business, kept).content == b"kept"
        fetch(session, pair.business, forgotten, 404)
    assert shared().ask("SELECT count(*) FROM blob_uploads", address) == "0"


def test_files_of_what_was_erased_are_removed_from_the_bucket(bucket, pair):
    address = pair.one.flags[pair.one.flags.index("--database") + 1]
    keys = [Session(node, key=pair.one.make_key("Sandbox", name="erasing")) for node in pair.nodes]
    kept, message, whole = (Customer(pair.one, pair.business) for _ in range(3))
    said = {}
    for customer, content in ((kept, b"kept"), (message, b"of a message"), (whole, b"of a conversation")):
        path = f"/api/phone/{pair.business}/attachments"
        customer.headers["Origin"] = "http://127.0.0.1:1"
        customer.say("Hello")
        stored = customer.post(f"{path}?name=a.bin", content, expect=201, headers={"Content-Type": "application/octet-stream"})
        said[customer] = customer.say("\ufffc", attachments=[stored["id"]])["message"]
        said[customer]["file"] = f"{path}/{stored['id']}"
    assert len(bucket.objects(pair.prefix + "/")) == 3
    one = said[message]
    keys[0].call("DELETE", f"/api/conversations/{one['conversation']}/messages/{one['id']}")
    keys[1].post(f"/api/conversations/{said[whole]['conversation']}/erasure")
    shared().ask("UPDATE blobs SET stored_at = stored_at - interval '1 hour'", address)
    # The housekeeping's first round is at its start.
    for node in pair.nodes:
        node.stop()
    for node in pair.nodes:
        node.start()
    until(lambda: len(bucket.objects(pair.prefix + "/")) == 1)
    assert kept.call("GET", said[kept]["file"]).content == b"kept"
    message.call("GET", one["file"], expect=404)
    assert shared().ask("SELECT count(*) FROM blob_uploads", address) == "0"
