"""The gateway's links by command line and API, and its wire log pasted into a real shell."""

import os
import re
import subprocess
import time
import uuid

import pytest
import requests
from support.server import BINARY, Customer
from support.provider import come, token

HOSTILE = "it's $(touch pwned) `id` \"$TOKEN\" \\ ! 日本 '́;x \u009b2J\n\tend"


@pytest.fixture
def business(owner):
    """A test business of its own."""
    return owner.post(
        "/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]


def registered(server, business, end, *more):
    """Registers the other end as a business's provider by the command line; the link's id."""
    printed = server.command(
        "gateway", "register", "--business", business, "--endpoint", end.endpoint, *more).stdout

    def value(name):
        return re.search(rf"^{name}: +(\S+)$", printed, re.MULTILINE).group(1)

    end.learn(value("Base URL"), value("MSP id"), value("Secret"), business)
    return re.search(r"gateway remove: (\S+)", printed).group(1)


def test_a_provider_registered_beside_the_running_server_gets_events_at_once(server, owner, business, end):
    made = registered(server, business, end)
    assert end.base == server.url + "/v1"
    customer = Customer(server, business)
    said = customer.say(HOSTILE)
    post = end.wait(lambda post: post["type"] == "text")
    assert post.body["body"] == HOSTILE and post.body["id"] == said["message"]["id"]
    end.send(post.body["sourceId"], {"type": "text", "body": HOSTILE})
    thread = owner.fetch(f"/api/conversations/{said['message']['conversation']}/messages")["data"]
    assert [one["payload"]["body"] for one in thread] == [HOSTILE, HOSTILE]

    listed = server.command("gateway", "list").stdout
    assert made in listed and end.secret not in listed
    assert end.secret not in server.log_text()
    server.command("gateway", "remove", made)
    again = server.command("gateway", "remove", made, check=False)
    assert again.returncode == 1 and "no link has the id" in again.stderr
    owner.fetch(f"/api/businesses/{business}/gateway/exchanges")
    refused = requests.post(server.url + "/v1/message", json={}, timeout=20, headers={
        "Authorization": "Bearer " + token(end.secret, iss=end.msp_id)})
    assert refused.status_code == 403


def test_an_exchange_pasted_into_a_shell_sends_the_same_bytes(server, owner, business, end, tmp_path):
    registered(server, business, end)
    said = Customer(server, business).say(HOSTILE)
    first = end.wait(lambda post: post["type"] == "text")
    # Noted when the answer is here, which the other end sent just now.
    path = (f"/api/businesses/{business}/gateway/exchanges?conversation="
            f"{said['message']['conversation']}&message={said['message']['id']}")
    end_of_wait = time.monotonic() + 30
    while not (found := owner.fetch(path)["data"]) and time.monotonic() < end_of_wait:
        time.sleep(0.02)
    [exchange] = found
    assert exchange["course"] == "sent" and exchange["status"] == 200
    assert end.secret not in str(exchange) and "Bearer ***" in str(exchange["request"])
    end.posts.clear()
    environment = {**os.environ, "TOKEN": token(end.secret, aud=end.msp_id)}
    subprocess.run(["bash", "-c", exchange["curl"]], cwd=tmp_path, env=environment, check=True,
                   capture_output=True, timeout=30)
    again = end.wait(lambda post: post["type"] == "text")
    assert again.body == first.body and not list(tmp_path.iterdir())
    assert again.headers["Authorization"] == "Bearer " + environment["TOKEN"]


def test_a_provider_s_own_request_pasted_into_a_shell_reaches_the_customer(server, owner, business, end, tmp_path):
    registered(server, business, end)
    said = Customer(server, business).say("Hello")
    post = end.wait(lambda post: post["type"] == "text")
    end.send(post.body["sourceId"], {"type": "text", "body": HOSTILE})
    path = f"/api/businesses/{business}/gateway/exchanges"
    exchange = next(one for one in owner.fetch(path)["data"] if one["course"] == "received")
    environment = {**os.environ, "TOKEN": token(end.secret, iss=end.msp_id)}
    printed = subprocess.run(
        ["bash", "-c", exchange["curl"] + " -w '%{http_code}'"], cwd=tmp_path, env=environment,
        check=True, capture_output=True, text=True, timeout=30)
    # The same id with the same bytes: known, and dropped.
    assert printed.stdout == "200", printed.stdout
    thread = owner.fetch(f"/api/conversations/{said['message']['conversation']}/messages")["data"]
    assert [one["payload"]["body"] for one in thread] == ["Hello", HOSTILE]
    assert not list(tmp_path.iterdir())


def test_a_business_connected_by_the_command_line_answers_upstream(server, owner, business, upstream):
    secret = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    printed = server.command(
        "gateway", "connect", "--business", business, "--base-url", upstream.url + "/v1",
        "--msp-id", "m-1", "--secret", secret).stdout
    callback = re.search(r"at the gateway: +(\S+)", printed).group(1)
    assert callback.startswith(server.url + "/msp/") and secret not in printed
    come(server, callback, "m-1", secret, business, "Hello")
    talk = owner.fetch(f"/api/conversations?business={business}")["data"][0]["id"]
    owner.post(f"/api/conversations/{talk}/messages",
               {"id": str(uuid.uuid4()), "type": "text", "body": HOSTILE}, expect=201)
    post = upstream.wait(lambda post: post["type"] == "text")
    assert post.path == "/v1/message" and post.body["body"] == HOSTILE


@pytest.mark.parametrize("way", ["a file", "standard input", "both", "no file", "a long file"])
def test_a_secret_comes_from_a_file_or_standard_input(server, business, upstream, tmp_path, way):
    secret = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    file = tmp_path / "gateway.secret"
    file.write_text(secret[:20] + "\n" + secret[20:] + "\n" + (" " * 5_000 if way == "a long file" else ""))
    words = ["gateway", "connect", "--business", business, "--base-url", upstream.url + "/v1",
             "--msp-id", "m-1", "--secret-file",
             {"standard input": "-", "no file": str(tmp_path / "none")}.get(way, str(file))]
    if way == "both":
        words += ["--secret", secret]
    made = subprocess.run(
        [str(BINARY), *words, "--data", str(server.data)], input=file.read_text(), text=True,
        capture_output=True, timeout=30)
    if way not in ("a file", "standard input"):
        assert made.returncode == 2 and "--secret" in made.stderr or str(tmp_path) in made.stderr
        return
    assert made.returncode == 0, made.stderr
    callback = re.search(r"at the gateway: +(\S+)", made.stdout).group(1)
    come(server, callback, "m-1", secret, business, "Hello")


def test_a_provider_registered_without_a_server_is_there_when_it_starts(server, owner, business, end):
    server.stop()
    made = registered(server, business, end, "--msp-id", "m-7")
    assert end.msp_id == "m-7"
    taken = server.command(
        "gateway", "register", "--business", business, "--endpoint", end.endpoint, check=False)
    assert taken.returncode == 1 and made in taken.stderr
    server.start()
    owner.headers["Origin"] = server.url
    Customer(server, business).say("Hello")
    assert end.wait(lambda post: post["type"] == "text").body["body"] == "Hello"
