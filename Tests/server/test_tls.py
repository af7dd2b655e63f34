"""TLS on the real binary: versions and suites, and a new certificate without a restart."""

import re
import shutil
import signal
import socket
import ssl
import time

import pytest
from support.certificates import make_certificate
from support.server import Installation


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    """A server behind TLS; `secure.files` are the certificate's, `secure.others` another's."""
    folder = tmp_path_factory.mktemp("certificates")
    used = folder / "used.pem", folder / "used.key"
    first, second = make_certificate(folder, "first"), make_certificate(folder, "second")
    for source, place in zip(first, used):
        shutil.copy(source, place)
    with Installation("--tls-cert", str(used[0]), "--tls-key", str(used[1]),
               public_url="https://localhost") as running:
        running.files, running.first, running.second = used, first, second
        yield running


class Line:
    """One connection that trusts exactly one certificate."""

    def __init__(self, server, trusting, **more):
        context = ssl.create_default_context(cafile=str(trusting[0]))
        for name, value in more.items():
            setattr(context, name, value)
        self.socket = context.wrap_socket(
            socket.create_connection(("127.0.0.1", server.port), timeout=20),
            server_hostname="localhost")

    def ask(self, path="/livez"):
        """One request on this connection; the answer's head and body."""
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += self.socket.recv(65536)
        head, _, body = heard.partition(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.split(b"\r\n")
                      if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            body += self.socket.recv(65536)
        return head.decode(), body


def reload(server, files, word):
    """Replaces the files, signals the server to read them, and waits for its line in the log."""
    before = server.log_text().count(word)
    for source, place in zip(files, server.files):
        shutil.copy(source, place)
    server.process.send_signal(signal.SIGHUP)
    until = time.monotonic() + 20
    while server.log_text().count(word) == before:
        assert time.monotonic() < until, server.log_text()
        time.sleep(0.02)


def test_a_new_certificate_serves_new_connections_and_drops_no_old_one(secure):
    old = Line(secure, secure.first)
    assert old.ask()[0].startswith("HTTP/1.1 200")
    reload(secure, secure.second, "certificate_reloaded")
    with pytest.raises(ssl.SSLCertVerificationError):
        Line(secure, secure.first)
    assert Line(secure, secure.second).ask()[0].startswith("HTTP/1.1 200")
    # Nothing of the old connection was touched.
    assert old.ask()[0].startswith("HTTP/1.1 200")
    reload(secure, secure.first, "certificate_reloaded")
    assert Line(secure, secure.first).ask()[0].startswith("HTTP/1.1 200")


def test_a_certificate_that_cannot_be_used_changes_nothing(secure, tmp_path):
    for bad in ((secure.first[0], secure.second[1]), (tmp_path / "empty", secure.first[1])):
        (tmp_path / "empty").write_text("nothing")
        reload(secure, bad, "certificate_refused")
        assert Line(secure, secure.first).ask()[0].startswith("HTTP/1.1 200")
    reload(secure, secure.first, "certificate_reloaded")


def test_when_the_certificate_ends_is_a_metric_and_one_that_has_ended_is_in_the_log(secure, tmp_path):
    def end(trusting):
        _, body = Line(secure, trusting).ask("/metrics")
        return int(re.search(rb"^frontdesk_certificate_end_timestamp_seconds (\d+)$", body, re.M).group(1))

    assert 89 < (end(secure.first) - time.time()) / 86_400 < 91
    reload(secure, make_certificate(tmp_path, "short", days=3), "certificate_reloaded")
    assert 2 < (end((tmp_path / "short.pem",)) - time.time()) / 86_400 < 4
    assert "certificate_not_valid" not in secure.log_text()
    ended = make_certificate(tmp_path, "ended", ended=True)
    reload(secure, ended, "certificate_reloaded")
    assert "level=warning event=certificate_not_valid" in secure.log_text()
    assert "not valid now: it is from 2020-01-01T00:00:00.000Z to 2020-02-01T00:00:00.000Z" in secure.log_text()
    reload(secure, secure.first, "certificate_reloaded")


def test_only_the_stated_versions_and_suites_are_spoken(secure):
    line = Line(secure, secure.first)
    assert line.socket.version() == "TLSv1.3"
    older = Line(secure, secure.first, maximum_version=ssl.TLSVersion.TLSv1_2)
    assert older.socket.version() == "TLSv1.2"
    assert older.socket.cipher()[0].startswith("ECDHE-ECDSA-")
    assert older.socket.compression() is None
    context = ssl.create_default_context(cafile=str(secure.first[0]))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE-ECDSA-AES128-SHA256:AES128-GCM-SHA256")
    with pytest.raises(ssl.SSLError):
        context.wrap_socket(socket.create_connection(("127.0.0.1", secure.port), timeout=20),
                            server_hostname="localhost")
    assert line.ask()[0].startswith("HTTP/1.1 200")


def test_pages_behind_tls_say_that_there_is_no_way_back_and_bind_no_other_host(secure):
    head, _ = Line(secure, secure.first).ask("/console")
    assert "Strict-Transport-Security: max-age=63072000" in head.splitlines()
