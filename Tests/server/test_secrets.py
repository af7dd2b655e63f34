"""Secrets over restarts: what was given out before stays good, and lies in no file as it is."""

import base64
import re
import urllib.parse
import uuid

import pytest
import requests
from support.registered import registered
from support.server import Customer, Installation

PAGE = "https://shop.example/signed-in"
BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")


@pytest.fixture
def server():
    """A server of its own, which the test stops and starts on one address."""
    with Installation() as running:
        running.listen = f"127.0.0.1:{running.port}"
        yield running


def restart(server):
    """Stops the server and starts it on the same address."""
    server.stop()
    server.start()


def holding(server, *secrets):
    """The files of the data directory that hold one of these texts or bytes."""
    found = []
    for path in server.data.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found += [f"{path.name} has {one!r}" for one in secrets
                      if (one.encode() if isinstance(one, str) else one) in content]
    return found


def sign_in(provider, customer):
    """Asks for a sign-in that ends at a page; the code that the page was given."""
    sent = provider.send(customer.name, {"type": "interactive", "interactiveData": {
        "bid": BID, "data": {
            "version": "2.0", "requestIdentifier": str(uuid.uuid4()), "images": [],
            "authenticate": {"oauth2": {
                "responseType": "code", "scope": ["name"], "redirectURI": PAGE,
                "state": base64.b64encode(uuid.uuid4().bytes).decode()}}},
        "receivedMessage": {"title": "Sign in"}, "replyMessage": {"title": "Done"}}},
        path="/authenticate")[0]
    taken = customer.choose(sent["id"], signIn={"outcome": "granted", "name": "Ana"})
    query = urllib.parse.urlsplit(taken["redirect"]).query
    return dict(urllib.parse.parse_qsl(query))["code"]


def exchange(provider, code):
    """The status of a code's exchange for an access token."""
    return requests.post(provider.base.removesuffix("/v1") + "/oauth/token", timeout=20, data={
        "grant_type": "authorization_code", "redirect_uri": PAGE, "code": code,
        "client_id": provider.business, "client_secret": provider.secret}).status_code


def test_what_was_given_out_before_a_restart_is_good_after_it_and_plain_in_no_file(server):
    owner = server.make_owner()
    business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
    with registered(server, business) as provider:
        customer = Customer(server, business)
        customer.say("hello")
        customer.name = provider.next("text")["sourceId"]
        upload = requests.get(provider.base + "/preUpload", timeout=20,
                              headers=provider.headers(**{"MMCS-Size": "4"})).json()["upload-url"]
        code, used = sign_in(provider, customer), sign_in(provider, customer)
        assert exchange(provider, used) == 200
        owner.post("/api/sandbox/session", {"key": server.token("key")}, expect=204)
        join = owner.post("/api/sandbox/codes", {}, expect=201)
        tokens = [cookie.value for cookie in customer.cookies] + [
            cookie.value for cookie in owner.cookies]
        assert len(tokens) >= 3
        link = join["url"].rsplit("/", 1)[-1]
        secrets = [provider.secret, base64.b64decode(provider.secret), code, link, join["typed"],
                   join["typed"].replace("-", ""), upload.rsplit("/", 1)[-1], *tokens]
        assert holding(server, *secrets) == []
        restart(server)
        assert holding(server, *secrets) == []
        assert holding(server, provider.msp_id) != []

        assert requests.post(upload, data=b"abcd", timeout=20).status_code == 200
        assert requests.post(upload, data=b"abcd", timeout=20).status_code == 403
        assert exchange(provider, used) == 400
        assert exchange(provider, code) == 200
        assert exchange(provider, code) == 400
        visitor = Customer(server, business)
        typed = visitor.post("/api/phone/codes", {"typed": join["typed"]})
        assert typed["code"] == link
        assert owner.call("GET", join["qrSvg"]).status_code == 200
        customer.say("still here")
        assert provider.wait(lambda post: post.get("body") == "still here")


def test_a_start_without_the_key_says_so_and_loses_nothing(server):
    owner = server.make_owner()
    business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
    with registered(server, business) as provider:
        server.stop()
        key = server.data / "encryption.key"
        assert key.stat().st_mode & 0o777 == 0o600
        content = key.read_bytes()
        for wrong in (None, base64.b64encode(bytes(32)) + b"\n", b"no key\n"):
            key.unlink()
            if wrong:
                key.write_bytes(wrong)
                key.chmod(0o600)
            with pytest.raises(RuntimeError, match="encryption.key"):
                server.start()
            if not wrong:
                assert not key.exists()
                key.touch()
        verified = server.command("verify").stdout
        assert "all is whole" in verified and "is no key" in verified
        key.write_bytes(content)
        server.start()
        customer = Customer(server, business)
        customer.say("hello again")
        assert provider.wait(lambda post: post.get("body") == "hello again")


def test_a_rotation_keeps_every_secret_and_older_backups(server, tmp_path):
    owner = server.make_owner()
    business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
    with registered(server, business) as provider:
        before = server.command("secrets", "list").stdout
        [old] = re.findall(r"(?m)^([0-9a-f]{16})  encrypts  [1-9]", before)
        made = server.command("backup", str(tmp_path / "backup"))
        assert f"secrets are encrypted with the key {old}" in made.stdout
        assert not (tmp_path / "backup" / "encryption.key").exists()
        running = server.command("secrets", "rotate", check=False)
        assert running.returncode == 1 and "a server runs" in running.stderr
        server.stop()
        rotated = server.command("secrets", "rotate").stdout
        assert old in rotated
        listed = server.command("secrets", "list").stdout
        [new] = re.findall(r"(?m)^([0-9a-f]{16})  encrypts  [1-9]", listed)
        assert new != old and f"{old}  decrypts  0 secrets" in listed
        server.start()
        customer = Customer(server, business)
        customer.say("hello")
        assert provider.wait(lambda post: post.get("body") == "hello")
        server.stop()
        # A lost key: the links need a new secret, everything else opens.
        (server.data / "encryption.key").unlink()
        lost = server.command("secrets", "list", check=False)
        assert lost.returncode == 1 and new in lost.stderr
        forgot = server.command("secrets", "forget").stdout
        assert "has no secret" in forgot
        server.start()
        assert owner.fetch("/api/businesses")["data"]


def test_the_environment_gives_the_key():
    key = base64.b64encode(b"k" * 32).decode()
    with Installation(environment={"FRONTDESK_ENCRYPTION_KEY": key}) as server:
        server.make_owner()
        server.stop()
        assert not (server.data / "encryption.key").exists()
        server.start()
        server.stop()
        del server.environment["FRONTDESK_ENCRYPTION_KEY"]
        with pytest.raises(RuntimeError, match="encrypted with the key"):
            server.start()

