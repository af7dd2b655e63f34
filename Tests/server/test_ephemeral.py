"""The ephemeral gateway: who may use it, its clock, its scripted customers, and its reports about them."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest
import requests
from support.ephemeral import BUSINESS, SECRET, Ephemeral
from support.server import BINARY, ROOT
from support.provider import Provider

STORY = """
    customer=Aki locale=ja_JP intent=order group=shop
    customer=Bo
    Aki says Hello
    Bo says Good morning
    Aki expects text saying "You said: Hello"
    Bo expects text
    Aki says menu
    Aki expects list at /interactiveData/data/listPicker/sections/0/items/0/identifier is "tea"
    Aki picks Coffee
    Aki expects text saying "You picked Coffee"
    Bo says form
    Bo fills
      drink = Tea
      name = "Bo Smith"
    Bo expects text containing "Bo Smith"
    Bo says bill
    Bo cancels the payment
    Bo expects text containing paymentNotCompleted
    Bo pays
    Bo expects text containing success
    Aki says login
    Aki refuses to sign in
    Aki expects text containing failed
    Aki cancels the sign-in
    Aki expects text containing failed
    Aki attaches note.txt saying Thank you
    Aki expects text containing "note.txt"
    Aki reacts liked to "You picked"
    Aki waits 2 hours
    Bo reacts 🎉
    Aki deletes the conversation
    Aki goes silent
    """


@pytest.fixture
def provider():
    """A provider of the protocol page's, which answers nothing by itself."""
    made = Provider()
    yield made
    made.stop()


@pytest.fixture
def gateway(provider):
    """An ephemeral gateway in front of it."""
    with Ephemeral(provider.endpoint) as running:
        provider.learn(running.url + "/v1", "ephemeral", SECRET, BUSINESS)
        yield running


def exchanges(gateway):
    """The whole wire log, newest first."""
    path, found = f"{gateway.url}/api/businesses/{BUSINESS}/gateway/exchanges", []
    while True:
        before = {"before": found[-1]["number"]} if found else {}
        page = requests.get(path, params=before, timeout=20).json()["data"]
        if not page:
            return found
        found += page


def echoing(story, times):
    """Runs a story in fresh gateways in front of a program that answers; returns the result of each run."""
    runs = []
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for _ in range(times):
        with Ephemeral(f"http://127.0.0.1:{port}") as gateway:
            bot = subprocess.Popen(
                [sys.executable, str(ROOT / "Tests" / "support" / "echo_provider.py")],
                stdout=subprocess.PIPE, text=True, env={
                    **os.environ, "PORT": str(port), "GATEWAY_URL": gateway.url + "/v1", "SECRET": SECRET})
            try:
                assert "ready" in bot.stdout.readline()
                ran = gateway.run(story)
                runs.append((ran, exchanges(gateway)))
            finally:
                bot.kill()
                bot.wait()
    return runs


def test_the_same_script_gives_the_same_ids_times_and_bytes_each_time():
    first, second = echoing(STORY, 2)
    assert first[0]["passed"], "\n".join(first[0]["transcript"])
    assert first[0] == second[0]

    def sent(run):
        # Newest first; the token's iat is the machine's time, and the port is the gateway's own.
        bodies = [one["request"]["body"] for one in run[1] if one["course"] == "sent"]
        return [re.sub(r"127\.0\.0\.1:\d+", "HOST", str(body)) for body in bodies]

    assert len(sent(first)) > 12 and sent(first) == sent(second)
    assert first[0]["now"] == "2026-01-01T02:00:00.000Z"


def test_a_customer_signs_in_and_the_provider_reads_the_token():
    [(ran, _)] = echoing("""
        Aki says login
        Aki signs in as Aki Tanaka
        Aki expects text saying "Sign-in: authenticated as Aki Tanaka"
        """, 1)
    assert ran["passed"], "\n".join(ran["transcript"])


def test_posts_of_the_provider_that_the_gateway_refused_are_reported(gateway, provider):
    gateway.run("Aki says Hello")
    provider.send(provider.next("text")["sourceId"], {"type": "text"}, expect=400)
    unmet = gateway.expect(409, timeout="1 ms")
    assert len(unmet["refused"]) == 1 and unmet["refused"][0].startswith("400 Bad Request : ")
    assert "The gateway refused: 400 Bad Request" in unmet["detail"]
    ran = gateway.run("Aki expects text within 1 ms")
    assert "The gateway refused: 400" in ran["failure"]["reason"]
    # What was for another customer explains nothing; what was for none may have been for this one.
    ran = gateway.run("Bo says Hello\nBo expects text within 1 ms")
    assert "refused" not in ran["failure"]["reason"], ran["failure"]
    provider.send("urn:mbid:AAAAAAAAAAAAAAAAAAAAAA", {"type": "text"}, expect=404)
    assert "The gateway refused: 404" in gateway.run("Bo expects text within 1 ms")["failure"]["reason"]


def test_another_seed_gives_other_customers(gateway):
    one, two = gateway.run("Aki says Hello", seed=1), gateway.run("Aki says Hello", seed=2)
    assert one["customers"][0]["customer"] != two["customers"][0]["customer"]
    several = gateway.expect(422, customer="Aki")
    assert "name the conversation instead" in several["detail"]


def test_a_later_script_continues_where_an_earlier_one_ended(gateway, provider):
    first = gateway.run("Aki says Hello")
    message = provider.next("text")
    provider.send(message["sourceId"], {"type": "text", "body": "One"})
    provider.send(message["sourceId"], {"type": "text", "body": "Two"})
    gateway.passes("Aki expects text saying One")
    again = gateway.run("Aki expects text saying Two\nAki says Thanks")
    assert again["passed"] and again["customers"] == first["customers"]
    assert provider.next("text")["body"] == "Thanks"


def test_intent_group_and_typing_reach_the_provider(gateway, provider):
    gateway.passes("customer=Aki locale=ja_JP intent=order group=shop\nAki says Hello")
    message = provider.next("text")
    assert (message["locale"], message["intent"], message["group"]) == ("ja_JP", "order", "shop")
    assert provider.posts[0].body["type"] == "typing_start"


def test_deleting_closes_and_a_later_word_opens_again(gateway, provider):
    gateway.passes("Aki says Hello\nAki deletes the conversation")
    message = provider.next("text")
    provider.next("close")
    provider.send(message["sourceId"], {"type": "text", "body": "Still there?"}, expect=410)
    gateway.passes("Aki says I am back")
    assert provider.next("text")["body"] == "I am back"
    provider.send(message["sourceId"], {"type": "text", "body": "Welcome"})


def test_reactions_arrive_as_the_text_that_devices_send(gateway, provider):
    gateway.passes("customer=Aki locale=ja_JP\ncustomer=Bo\nAki says Hello\nBo says Hello")
    for _ in range(2):
        provider.send(provider.next("text")["sourceId"], {"type": "text", "body": "Hi"})
    gateway.passes("Aki expects text\nBo expects text\nAki reacts liked\nBo reacts loved to Hi\nBo reacts 🎉")
    assert [provider.next("text")["body"] for _ in range(3)] == [
        "「Hi」にいいねを付けました", "Loved “Hi”", "Reacted 🎉 to “Hi”"]


def test_a_failed_delivery_waits_for_the_clock_and_no_longer(gateway, provider):
    provider.status = 503
    ran = gateway.run("Aki says Hello")
    assert "answered 503" in ran["transcript"][-1] and "5 seconds" in ran["transcript"][-1]
    attempts = len([post for post in provider.posts if post.body["type"] == "text"])
    assert attempts == 1
    provider.status = 200
    before = gateway.advance("4 s")
    assert before["deliveries"]["waiting"] == 1 and before["now"] == "2026-01-01T00:00:04.000Z"
    after = gateway.advance("1 s")
    assert after["deliveries"] == {"waiting": 0, "dead": 0, "next": None, "detail": None}
    assert provider.next("text")["body"] == "Hello"


def test_ten_attempts_and_then_the_delivery_is_given_up(gateway, provider):
    provider.status = 500
    gateway.run("Aki says Hello")
    waits = ["5 s", "5 min", "30 min", "2 h", "5 h", "10 h", "14 h", "20 h", "24 h"]
    for place, wait in enumerate(waits):
        state = gateway.advance(wait)["deliveries"]
        assert state["dead"] == (1 if place == len(waits) - 1 else 0), wait
    assert len([post for post in provider.posts if post.body["type"] == "text"]) == 10


def test_tokens_live_by_the_machine_s_clock(gateway, provider):
    gateway.run("Aki says Hello\nAki waits 30 days")
    customer = provider.next("text")["sourceId"]
    provider.send(customer, {"type": "text", "body": "Made now"})
    gateway.passes("Aki expects text saying \"Made now\"")


def test_expect_waits_for_a_later_message_and_returns_its_position(gateway, provider):
    gateway.run("Aki says Hello")
    customer = provider.next("text")["sourceId"]
    provider.send(customer, {"type": "text", "body": "Order 7 is ready"})
    assert gateway.expect(customer="Aki", kind="message")["found"]
    found = gateway.expect(customer="Aki", kind="text", matches="Order [0-9]+", pointer="/type", equals="text")
    assert found["message"]["payload"]["body"] == "Order 7 is ready"
    begin = time.monotonic()
    gateway.expect(409, contains="Order", after=found["position"], timeout="300 ms")
    assert 0.3 <= time.monotonic() - begin < 5
    provider.send(customer, {"type": "text", "body": "Order 8 is ready"})
    later = gateway.expect(contains="Order", after=found["position"])
    assert later["message"]["payload"]["body"] == "Order 8 is ready"


def test_near_misses_say_every_reason(gateway, provider):
    gateway.run("Aki says Hello\nBo says Hello")
    customer = provider.next("text")["sourceId"]
    provider.send(customer, {"type": "text", "body": "Order 7"})
    unmet = gateway.expect(409, kind="list", contains="8", timeout="1 ms")
    [miss] = unmet["nearMisses"]
    assert miss["reasons"] == ["its kind is text, not list", '"8" is not in "Order 7"']
    assert "1 other came" in unmet["detail"] and "Order 7" in unmet["detail"]
    ran = gateway.run("Bo expects text within 100 ms")
    assert not ran["passed"] and ran["failure"]["line"] == 1
    assert "The business sent nothing else" in ran["failure"]["reason"]


def test_an_expectation_with_an_unknown_parameter_is_refused_with_the_nearest(gateway):
    assert "Did you mean kind?" in gateway.expect(400, knd="text")["detail"]


@pytest.mark.parametrize("query, words", [
    ({"kind": "txt"}, "allowed: message, text, quickReply"),
    ({"matches": "("}, "pattern of ECMA-262"), ({"pointer": "v"}, "JSON pointer"),
    ({"equals": "1"}, "equals with the parameter pointer"), ({"timeout": "61 s"}, "up to 1 minute"),
    ({"timeout": "soon"}, "a number and ms"), ({"after": "-1"}, "a position that an earlier answer had"),
    ({"conversation": "7"}, "the UUID of a conversation"), ({"customer": "Aki"}, "No script with a customer")])
def test_an_expectation_that_makes_no_sense_is_refused(gateway, query, words):
    assert words in gateway.expect(422, **query)["detail"]


def test_a_script_that_cannot_be_read_is_refused_with_the_place(gateway):
    answer = requests.post(gateway.url + "/sandbox/scripts", data="Aki says Hello\nAki sings", timeout=20)
    problem = answer.json()
    assert answer.status_code == 422 and (problem["line"], problem["column"]) == (2, 5)
    assert 'found "sings"' in problem["detail"] and "says, picks" in problem["detail"]


@pytest.mark.parametrize("step, words", [
    ("Aki picks Tea", "sent nothing to pick from"), ("Aki pays", "sent nothing to pay"),
    ("Aki reacts liked", "sent nothing yet"), ("Aki deletes", "no conversation yet"),
    ("Aki attaches a.txt saying x", "Write first")])
def test_a_step_that_cannot_be_done_fails_with_a_reason(gateway, step, words):
    ran = gateway.run(step)
    assert not ran["passed"] and words in ran["failure"]["reason"]


def test_simulate_prints_a_transcript_and_ends_with_an_exit_code(gateway, provider, tmp_path):
    def simulate(text, *flags):
        (tmp_path / "script").write_text(text)
        ran = subprocess.run(
            [str(BINARY), "simulate", str(tmp_path / "script"), *flags], capture_output=True, text=True,
            timeout=60)
        return ran.returncode, ran.stdout + ran.stderr

    code, printed = simulate("Aki says Hello", "--gateway", gateway.url, "--seed", "9")
    assert code == 0 and 'Aki says "Hello"' in printed and "passed, seed 9" in printed
    code, printed = simulate("Aki expects text within 1 ms", "--gateway", gateway.url + "/")
    assert code == 1 and "FAILED in line 1" in printed
    code, printed = simulate("Aki sings\nAki says x\nAki dances", "--check")
    assert code == 2 and "line 1, column 5" in printed and "line 3, column 5" in printed
    code, printed = simulate("Aki says x", "--check")
    assert code == 0 and "can be read" in printed
    code, printed = simulate("Aki says x")
    assert code == 2 and "--gateway is needed" in printed
    code, printed = simulate("Aki says x", "--gateway", "http://127.0.0.1:1")
    assert code == 2 and "does not answer" in printed


# Who may use it

@pytest.mark.parametrize("headers, status", [
    ({}, 200), ({"Host": "evil.example"}, 401), ({"Host": "localhost:1"}, 200),
    ({"X-Forwarded-For": "192.0.2.1"}, 401), ({"Forwarded": "for=192.0.2.1"}, 401)])
def test_only_programs_of_this_machine_read_the_clock(gateway, headers, status):
    assert requests.get(gateway.url + "/sandbox/clock", headers=headers, timeout=20).status_code == status


def test_a_page_of_another_origin_changes_nothing(gateway):
    for path, body in [("/sandbox/scripts", "Aki says x"), ("/sandbox/clock/advance", '{"by":"1 s"}')]:
        answer = requests.post(gateway.url + path, data=body, timeout=20, headers={
            "Origin": "https://evil.example", "Content-Type": "application/json"})
        assert answer.status_code == 403, answer.text
    state = requests.get(gateway.url + "/sandbox/clock", timeout=20).json()
    assert state["now"] == "2026-01-01T00:00:00.000Z"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.com"])
def test_it_listens_on_loopback_only(host):
    ran = subprocess.run(
        [str(BINARY), "gateway", "--ephemeral", "--endpoint", "http://127.0.0.1:9", "--host", host],
        capture_output=True, text=True, timeout=20)
    assert ran.returncode == 2 and "loopback only" in ran.stderr and host in ran.stderr


@pytest.mark.parametrize("flags, words", [
    (["--port", "0"], "needs --ephemeral"), (["--ephemeral"], "--endpoint is needed"),
    (["--ephemeral", "--endpoint", "ftp://a"], "--endpoint is needed"),
    (["--ephemeral", "--endpoint", "http://127.0.0.1:9", "--port", "x"], "--port is 0 to 65535"),
    (["--ephemeral", "--endpoint", "http://127.0.0.1:9", "--business", "7"], "--business is a UUID"),
    (["--ephemeral", "--endpoint", "http://127.0.0.1:9", "--secret", "x"], "the secret is"),
    (["--ephemeral", "--endpoint", "http://127.0.0.1:9", "--clock", "noon"], "--clock is a moment")])
def test_a_wrong_flag_is_reported(flags, words):
    ran = subprocess.run(
        [str(BINARY), "gateway", *flags], capture_output=True, text=True, timeout=20)
    assert ran.returncode == 2 and words in ran.stderr, ran.stderr


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_that_it_is_not_durable_and_ends_cleanly(provider, by, tmp_path):
    gateway = Ephemeral(provider.endpoint)
    gateway.run("Aki says Hello")
    begin = time.monotonic()
    printed, complained, code = gateway.end(by)
    assert code == 0 and time.monotonic() - begin < 5, complained
    assert "NOT DURABLE" in printed and SECRET not in printed
    assert not gateway.port_file.exists()
    assert not os.listdir(gateway.scratch.name)
    gateway.scratch.cleanup()


def test_a_port_file_of_an_earlier_run_is_gone_before_this_one_listens(provider, tmp_path):
    stale = tmp_path / "port"
    stale.write_text("1\n")
    # It cannot listen, so the file must not name a port afterwards.
    taken = provider.url.rsplit(":")[-1]
    ran = subprocess.run(
        [str(BINARY), "gateway", "--ephemeral", "--endpoint", provider.endpoint, "--port", taken,
         "--port-file", str(stale)], capture_output=True, text=True, timeout=30)
    assert ran.returncode == 1 and "cannot be listened on" in ran.stderr, ran.stderr
    assert not stale.exists()


def served(gateway):
    """How many requests its handlers were given, this one included."""
    text = requests.get(f"{gateway.url}/metrics", timeout=20).text
    return int(re.search(r"^frontdesk_http_requests_total (\d+)$", text, re.M).group(1))


def test_it_ends_while_a_request_waits(gateway):
    begin, before = time.monotonic(), served(gateway)
    waiting = subprocess.Popen(
        ["curl", "-sS", f"{gateway.url}/sandbox/expect?timeout=60s"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE) if shutil.which("curl") else None
    if waiting is None:
        pytest.fail("curl is not installed; scripts/needs-tests installs it")
    # Each look at the number is a request of its own; the one more is the one that waits.
    end, looks = begin + 20, 1
    while served(gateway) != before + looks + 1:
        assert time.monotonic() < end and waiting.poll() is None, waiting.stderr.read()
        looks += 1
    assert waiting.poll() is None
    begin = time.monotonic()
    _, _, code = gateway.end()
    assert code == 0 and time.monotonic() - begin < 10
    waiting.wait(timeout=10)


def test_without_a_given_secret_one_is_generated_and_printed(provider):
    process = subprocess.Popen(
        [str(BINARY), "gateway", "--ephemeral", "--endpoint", provider.endpoint], stdout=subprocess.PIPE,
        text=True)
    printed = ""
    # Reading its output to the end waits for its end as well.
    for line in process.stdout:
        printed += line
        if "Clock:" in line:
            break
    process.terminate()
    assert process.wait(timeout=20) == 0
    assert re.search(r"Secret: +[A-Za-z0-9+/]{43}=\n", printed), printed
