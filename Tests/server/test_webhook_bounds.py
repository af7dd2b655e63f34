"""What an endpoint that answers slowly keeps from others: nothing beyond its time."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.server import Session
from support.waiting import until


class Dripping:
    """A receiver that answers at once, and whose body comes slowly and never ends; a silent one answers nothing."""

    def __init__(self, is_silent=False):
        self.is_silent, self.ends = is_silent, []
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/hook"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                line, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line):
        began = time.monotonic()
        try:
            line.recv(65_536)
            if not self.is_silent:
                line.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
                # Faster than the slowest body that is waited for elsewhere.
                while time.monotonic() - began < 60:
                    line.sendall(b"x" * 700)
                    time.sleep(0.2)
            line.settimeout(60)
            line.recv(1)
        except OSError:
            pass
        self.ends.append(time.monotonic() - began)
        line.close()

    def stop(self):
        """Accepts no more."""
        self.socket.close()


@pytest.fixture
def receiver(request):
    """A receiver of the kind that the test names."""
    made = Dripping(request.param == "silent")
    yield made
    made.stop()


@pytest.fixture
def shop(owner):
    """A business of its own."""
    return owner.post("/api/businesses", {"name": "Slow Shop", "mode": "test"}, expect=201)["id"]


@pytest.mark.parametrize("receiver", ["dripping"], indirect=True)
def test_a_body_that_comes_slowly_has_the_time_of_an_attempt_and_no_more(server, owner, shop, receiver):
    # The handshake's two test events wait 5 s each, and the answer says what came of it, and has the secret.
    made = owner.post(f"/api/businesses/{shop}/webhooks", {"url": receiver.url, "types": ["message.accepted"]}, expect=201)
    assert made["secret"].startswith("whsec_") and made["handshake"]["result"] == "failed"
    tried = owner.post(f"/api/businesses/{shop}/webhooks/{made['id']}/test", {})
    assert tried["isDelivered"] is False and "too slow" in tried["last"]["detail"]
    assert 4_900 <= tried["last"]["milliseconds"] < 14_000
    owner.call("DELETE", f"/api/businesses/{shop}/webhooks/{made['id']}", expect=204)


@pytest.mark.parametrize("receiver", ["silent"], indirect=True)
def test_few_test_events_are_waited_for_at_once(server, owner, shop, receiver):
    made = owner.post(f"/api/businesses/{shop}/webhooks", {"url": "http://127.0.0.1:9/hook", "types": ["message.accepted"]}, expect=201)
    path = f"/api/businesses/{shop}/webhooks/{made['id']}"
    # Before the first place is one's: on a busy machine it would be given back meanwhile.
    key = server.make_key(shop, scopes=("webhooks",))
    sessions = [Session(server, key) for _ in range(12)]
    with ThreadPoolExecutor(13) as pool:
        # Waits for its handshake, and has one of the places meanwhile.
        changed = pool.submit(owner.request, "PATCH", server.url + path, json={"url": receiver.url}, timeout=60)
        # It is stored before its handshake.
        until(lambda: owner.fetch(path)["url"], lambda url: url == receiver.url)
        answers = list(pool.map(lambda one: one.request("POST", f"{server.url}{path}/test", json={}, timeout=60), sessions))
    assert changed.result().status_code == 200
    refused = [one for one in answers if one.status_code == 429]
    # A second node has places of its own.
    assert len(refused) >= 12 - 4 * server.node_count and {one.headers["Retry-After"] for one in refused} == {"5"}
    assert {one.status_code for one in answers} <= {200, 429}
    # They gave their places back.
    assert owner.post(f"{path}/test", {})["isDelivered"] is False
    owner.call("DELETE", path, expect=204)


def test_that_an_endpoint_is_disabled_says_nothing_of_the_secret_in_its_address(server, owner, shop):
    made = owner.post(f"/api/businesses/{shop}/webhooks", {
        "url": "http://127.0.0.1:9/services/SECRET?token=SECRET", "types": ["message.accepted"]}, expect=201)
    path = f"/api/businesses/{shop}/webhooks/{made['id']}"
    head = owner.fetch(f"/api/conversations?business={shop}")["head"]
    owner.call("PATCH", path, {"state": "disabled"})
    events = owner.fetch("/api/events", params={"after": head, "filter[type]": "webhook.disabled"}, headers={"Accept": "application/json"})["data"]
    assert [one["data"]["url"] for one in events] == ["http://127.0.0.1:9"]
    owner.call("DELETE", path, expect=204)
