"""Files on the real binary: uploads that memory does not feel, parts, tags, and packed pages."""

import hashlib
import pathlib
import re
import socket

import pytest
import requests
from support.server import Customer

SIZE = 100_000_000
BOUND_MB = 24


def forget_peak(server):
    """Resets the peak of the resident memory; returns what is resident now, in MB."""
    pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    return memory(server, "VmRSS")


def memory(server, name="VmHWM"):
    """The most memory that the server had resident since `forget_peak`, in MB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+) kB", status).group(1)) / 1024


def pieces(digest, size):
    """So many bytes that repeat nothing."""
    block = bytes(range(256)) * 390 + bytes(160)
    for number in range(size // 100_000):
        piece = number.to_bytes(8, "big") + block[8:100_000]
        digest.update(piece)
        yield piece


class Sized:
    """A generator with a length, which is sent with `Content-Length` and read bit by bit."""

    def __init__(self, source, size):
        self.source, self.size, self.rest = source, size, b""

    def __len__(self):
        return self.size

    def read(self, most=-1):
        """At most so many bytes more."""
        if not self.rest:
            self.rest = next(self.source, b"")
        piece, self.rest = self.rest[:most], self.rest[most:]
        return piece


@pytest.fixture(scope="module")
def phone(server, sandbox):
    """A customer who has written."""
    phone = Customer(server, sandbox["id"])
    phone.say("Hello")
    return phone


@pytest.mark.one_process
@pytest.mark.parametrize("framing, size", [("length", SIZE), ("chunks", SIZE // 2)])
def test_a_large_file_passes_through_little_memory(server, phone, framing, size):
    base = f"/api/phone/{phone.business}/attachments"
    # The first upload allocates memory once that does not belong to the file.
    phone.call("POST", f"{base}?name=first.bin", b"first", 201,
               headers={"Content-Type": "application/octet-stream"})
    before, digest = forget_peak(server), hashlib.sha256()
    source = pieces(digest, size)
    answer = phone.request(
        "POST", f"{server.url}{base}?name=large.bin",
        data=Sized(source, size) if framing == "length" else source,
        headers={"Content-Type": "application/octet-stream"}, timeout=120)
    assert answer.status_code == 201, answer.text
    assert answer.json()["id"] == digest.hexdigest() and answer.json()["size"] == size
    grown = memory(server) - before
    print(f"note: {size} bytes uploaded by {framing}: memory grew by {grown:.1f} MB")
    assert grown < BOUND_MB
    before, got = forget_peak(server), hashlib.sha256()
    with phone.get(f"{server.url}{base}/{digest.hexdigest()}", stream=True, timeout=120) as down:
        assert down.headers["Content-Length"] == str(size)
        for piece in down.iter_content(1 << 20):
            got.update(piece)
    assert got.hexdigest() == digest.hexdigest()
    assert memory(server) - before < BOUND_MB


def test_a_part_of_a_file_and_its_strong_tag(server, phone):
    base = f"/api/phone/{phone.business}/attachments"
    content = bytes(range(256)) * 300
    made = phone.call("POST", f"{base}?name=a.bin", content, 201,
                      headers={"Content-Type": "application/octet-stream"}).json()
    path = f"{base}/{made['id']}"
    whole = phone.call("GET", path)
    tag = whole.headers["ETag"]
    assert whole.content == content and tag.startswith('"') and "bytes" in whole.headers[
        "Accept-Ranges"]
    for field, status, first, last in [
            ("bytes=0-0", 206, 0, 0), ("bytes=100-199", 206, 100, 199),
            ("bytes=76700-", 206, 76_700, 76_799), ("bytes=-1", 206, 76_799, 76_799),
            ("bytes=76000-99999", 206, 76_000, 76_799), ("bytes=76800-", 416, 0, 0),
            ("bytes=5-2", 200, 0, 76_799), ("bytes=0-1,3-4", 200, 0, 76_799)]:
        part = phone.call("GET", path, expect=status, headers={"Range": field})
        if status != 416:
            assert part.content == content[first:last + 1], field
        if status == 206:
            assert part.headers["Content-Range"] == f"bytes {first}-{last}/76800"
    assert phone.call("GET", path, headers={"Range": "bytes=0-9", "If-Range": '"other"'}
                      ).content == content
    assert phone.call("GET", path, expect=206, headers={"Range": "bytes=0-9", "If-Range": tag}
                      ).content == content[:10]
    assert phone.call("GET", path, expect=304, headers={"If-None-Match": tag}).content == b""


@pytest.mark.one_process
def test_a_file_is_sent_by_the_kernel_while_others_are_served(server, phone):
    """A stalled reader of a large file delays no other client, and gets the rest later."""
    base = f"/api/phone/{phone.business}/attachments"
    content = bytes(range(256)) * 40_000
    made = phone.call("POST", f"{base}?name=b.bin", content, 201,
                      headers={"Content-Type": "application/octet-stream"}).json()
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    slow.connect(("127.0.0.1", server.port))
    slow.settimeout(30)
    slow.sendall((f"GET {base}/{made['id']} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                  f"Cookie: fdc={phone.cookies['fdc']}\r\nConnection: close\r\n\r\n").encode())
    heard = slow.recv(100)
    for _ in range(20):
        assert requests.get(server.url + "/livez", timeout=10).status_code == 200
    while more := slow.recv(65536):
        heard += more
    assert heard.endswith(content) and heard.startswith(b"HTTP/1.1 200")


@pytest.mark.one_process
def test_our_own_files_are_compressed_for_clients_that_accept_it(server):
    url = server.url + "/web/console/index.html"
    for _ in range(200):
        packed = requests.get(url, timeout=10, headers={"Accept-Encoding": "gzip"})
        if "Content-Encoding" in packed.headers:
            break
    plain = requests.get(url, timeout=10, headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip" and packed.content == plain.content
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for answer, accepts in ((packed, "gzip"), (plain, "identity")):
        again = requests.get(url, timeout=10, headers={
            "Accept-Encoding": accepts, "If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304 and again.content == b""
        assert again.headers["ETag"] == answer.headers["ETag"]
        assert "Content-Encoding" not in again.headers
