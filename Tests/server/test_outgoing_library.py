"""libcurl and the two dozen libraries that it brings: loaded when something is sent first."""

import json
import pathlib
import re
import time

from support.server import Customer, Installation
from support.registered import registered


def libraries(server):
    """The files that the process has mapped, by name."""
    maps = pathlib.Path(f"/proc/{server.process.pid}/maps").read_text()
    return set(re.findall(r"/([^/\s]+\.so[.\d]*)$", maps, re.M))


def sandbox_of(owner):
    """The sandbox's business."""
    return next(b["id"] for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])


def test_a_server_maps_libcurl_with_its_first_delivery_and_not_before():
    """Serving requests needs none of it."""
    with Installation() as server:
        business = sandbox_of(server.make_owner())
        before = libraries(server)
        assert any(name.startswith("libsqlite3") for name in before), before
        assert not any(name.startswith(("libcurl", "libgnutls")) for name in before), before
        with registered(server, business) as provider:
            assert not any(name.startswith("libcurl") for name in libraries(server))
            Customer(server, business).say("hello")
            assert provider.next("text")["body"] == "hello"
            assert any(name.startswith("libcurl.so.4") for name in libraries(server))


def test_a_server_without_libcurl_names_it_and_delivers_once_it_is_installed(tmp_path):
    """The delivery waits with its reason; nothing else is touched, and no restart is needed."""
    # The loader searches here first and loads any file of this name.
    broken = tmp_path / "libcurl.so.4"
    broken.write_bytes(b"no library")
    with Installation(environment={"LD_LIBRARY_PATH": str(tmp_path)}) as server:
        owner = server.make_owner()
        business = sandbox_of(owner)
        with registered(server, business) as provider:
            customer = Customer(server, business)
            customer.say("hello")
            reason = waiting_reason(owner, business)
            assert "libcurl.so.4 cannot be loaded" in reason, reason
            assert "apt-get install libcurl4" in reason, reason
            assert not provider.posts
            customer.say("still there?")
            broken.unlink()
            assert [provider.next("text", timeout=60)["body"] for _ in range(2)] == [
                "hello", "still there?"]


def waiting_reason(owner, business, seconds=20):
    """The reasons of the pending deliveries, once one of them has failed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = json.dumps(owner.fetch(
            f"/api/businesses/{business}/gateway/deliveries?state=pending")["data"])
        if "no answer from" in text:
            return text
        # The list is read again until one of them has failed; no event reports it.
        time.sleep(0.05)
    raise AssertionError("no delivery failed")
