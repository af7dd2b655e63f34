"""The webhook of an ephemeral gateway: every event of a test run, signed, and tried again by the virtual clock."""

import base64
import time

import pytest
from support.ephemeral import BUSINESS, SECRET, Ephemeral
from support.provider import Provider
from support.webhook_receiver import Receiver


@pytest.fixture
def provider():
    """A provider that answers nothing by itself."""
    made = Provider()
    yield made
    made.stop()


def test_events_are_posted_signed_to_a_webhook_and_again_when_the_clock_says_so(provider, tmp_path):
    secret = "whsec_" + base64.b64encode(b"the secret of a test, 32 bytes..").decode()
    (tmp_path / "secret").write_text(secret)
    with Receiver() as receiver, Ephemeral(
            provider.endpoint, "--webhook", receiver.url, "--webhook-secret-file", str(tmp_path / "secret")) as gateway:
        provider.learn(gateway.url + "/v1", "ephemeral", SECRET, BUSINESS)
        receiver.secrets = [secret]
        gateway.run("customer=Aki\nAki says Hello")
        [(_, event)] = receiver.wait(1, "message.accepted")
        assert event["data"]["message"]["payload"]["body"] == "Hello"
        receiver.wait(1, "conversation.opened")
        before, receiver.status = receiver.attempts, 503
        gateway.run("customer=Bo\nBo says Again")
        end = time.monotonic() + 30
        while receiver.attempts == before:
            assert time.monotonic() < end
            time.sleep(0.02)
        receiver.status = 200
        assert len(receiver.wait(1, "message.accepted")) == 1
        # The clock stands still until it is advanced: the first wait of the schedule is 5 s of its time.
        gateway.advance("5 s")
        texts = [one["data"]["message"]["payload"]["body"] for _, one in receiver.wait(2, "message.accepted")]
        assert texts == ["Hello", "Again"]
        assert receiver.refused == 0
        printed, _, _ = gateway.end()
        assert f"Webhook:      {receiver.url}, verified with {secret}" in printed
