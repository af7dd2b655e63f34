"""Customers' browsers that are notified of answers: by a push service and a browser of foreign libraries."""

import time
import uuid

import pytest
import requests
from support.push import Browser, PushService, sender_of, text_of
from support.server import Customer, Installation
from support.waiting import until


@pytest.fixture(scope="module")
def service():
    """A push service."""
    running = PushService()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def server(service):
    """A Frontdesk whose operator named the push service."""
    with Installation("--push-service", service.url) as running:
        yield running


class Talk:
    """A customer who wrote, and the business's side of it."""

    def __init__(self, server, owner, business):
        self.owner, self.customer = owner, Customer(server, business["id"])
        self.id = self.customer.say("Is there tea?")["message"]["conversation"]
        self.path = f"/api/phone/{business['id']}/push"

    def put(self, browser, expect=204):
        """Has a browser notified."""
        return self.customer.call("PUT", self.path, browser.subscription, expect)

    def answer(self, text="There is."):
        """Answers as the business."""
        return self.owner.post(f"/api/conversations/{self.id}/messages", {"type": "text", "body": text}, 201)

    @property
    def known(self):
        """What the page reads."""
        return self.customer.fetch(self.path)


@pytest.fixture
def talk(server, owner, sandbox):
    """A new conversation."""
    return Talk(server, owner, sandbox)


def test_an_answer_is_pushed_once_encrypted_signed_and_without_a_word_of_it(service, sandbox, talk):
    browser = Browser(service)
    assert talk.known["devices"] == []
    talk.put(browser)
    talk.put(browser)
    assert talk.known["devices"] == [browser.name(talk.id)]
    sequence = talk.answer("Sencha and hojicha.")["sequence"]
    [pushed] = service.wait(browser, 1)
    assert browser.read(pushed.body) == {"conversation": talk.id, "business": sandbox["name"], "sequence": sequence}
    claims = sender_of(pushed, service, talk.known["key"])
    assert claims["sub"].startswith("http") and 0 < claims["exp"] - time.time() <= 86_400
    kept = ("content-encoding", "ttl", "urgency")
    assert [pushed.headers[name] for name in kept] == ["aes128gcm", "86400", "high"]
    assert len(pushed.headers["topic"]) == 32 and talk.id not in pushed.headers["topic"]
    # The customer's own words, and a note among colleagues, are no answer.
    talk.customer.say("Thanks!")
    talk.owner.post(f"/api/conversations/{talk.id}/notes", {"text": "A regular"}, 201)
    last = talk.answer("See you.")["sequence"]
    assert [browser.read(one.body)["sequence"] for one in service.wait(browser, 2)] == [sequence, last]


def test_the_words_are_read_with_the_session_of_the_customer(service, talk):
    browser = Browser(service)
    talk.put(browser)
    message = talk.answer("Sencha.")
    sequence = browser.read(service.wait(browser, 1)[0].body)["sequence"]
    path = f"/api/phone/{talk.customer.business}/messages?page[after]={sequence - 1}&page[size]=1"
    [read] = talk.customer.fetch(path)["data"]
    assert read["summary"] == "Sencha." and "erasedAt" not in read
    talk.owner.call("DELETE", f"/api/conversations/{talk.id}/messages/{message['id']}")
    [read] = talk.customer.fetch(path)["data"]
    assert read["erasedAt"] and not read["summary"]


def test_every_browser_of_the_conversation_is_told_and_no_other_ones(service, server, owner, sandbox, talk):
    other = Talk(server, owner, sandbox)
    one, two, foreign = (Browser(service) for _ in range(3))
    talk.put(one)
    talk.put(two)
    other.put(foreign)
    sequence = talk.answer()["sequence"]
    for browser in (one, two):
        assert browser.read(service.wait(browser, 1)[0].body)["sequence"] == sequence
    other.answer()
    assert foreign.read(service.wait(foreign, 1)[0].body)["conversation"] == other.id
    assert [len(service.wait(browser, 1)) for browser in (one, two, foreign)] == [1, 1, 1]


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_the_push_service_does_not_know_is_removed(service, talk, status):
    gone, other = Browser(service), Browser(service)
    talk.put(gone)
    talk.put(other)
    service.statuses[gone.path] = status
    talk.answer()
    until(lambda: talk.known["devices"], lambda devices: devices == [other.name(talk.id)])
    talk.answer("Anything else?")
    service.wait(other, 2)
    assert len(service.wait(gone, 1)) == 1


def test_a_push_service_that_fails_is_asked_again_and_holds_nothing_else(service, talk):
    failing, other = Browser(service), Browser(service)
    talk.put(failing)
    talk.put(other)
    service.statuses[failing.path] = 503
    talk.answer()
    service.wait(failing, 1)
    last = talk.answer("And again.")["sequence"]
    service.wait(other, 2)
    service.statuses.clear()
    again = service.wait(failing, 2)
    # What is sent again is the newest.
    assert failing.read(again[-1].body)["sequence"] == last


def test_a_browser_is_told_no_longer_once_its_customer_says_so(service, server, talk):
    one, other = Browser(service), Browser(service)
    talk.put(one)
    talk.put(other)
    outsider = Customer(server, talk.customer.business)
    outsider.say("Hello")
    outsider.call("DELETE", f"{talk.path}/{one.name(talk.id)}", expect=404)
    talk.customer.call("DELETE", f"{talk.path}/{one.name(talk.id)}", expect=204)
    talk.customer.call("DELETE", f"{talk.path}/{one.name(talk.id)}", expect=404)
    talk.customer.call("DELETE", f"{talk.path}/nothing", expect=404)
    talk.answer()
    service.wait(other, 1)
    assert one.path not in [pushed.path for pushed in service.pushed]
    # A muted conversation says nothing, and one that the customer deleted has no browser any more.
    talk.customer.post(f"/api/phone/{talk.customer.business}/mute", {"muted": True}, 204)
    talk.answer("In silence")
    # Once a later answer elsewhere was pushed, that one was looked at.
    beside, witness = Talk(server, talk.owner, {"id": talk.customer.business}), Browser(service)
    beside.put(witness)
    beside.answer()
    service.wait(witness, 1)
    talk.customer.post(f"/api/phone/{talk.customer.business}/mute", {"muted": False}, 204)
    last = talk.answer("Aloud")["sequence"]
    assert other.read(service.wait(other, 2)[-1].body)["sequence"] == last
    talk.customer.call("DELETE", f"/api/phone/{talk.customer.business}/conversation", expect=204)
    talk.customer.say("I am back")
    assert talk.known["devices"] == []


def test_a_conversation_has_eight_browsers_and_the_oldest_makes_room(service, talk):
    browsers = [Browser(service) for _ in range(9)]
    for browser in browsers:
        talk.put(browser)
    assert talk.known["devices"] == [browser.name(talk.id) for browser in browsers[1:]]


def test_what_is_no_subscription_of_a_push_service_is_refused(service, talk):
    browser = Browser(service)
    whole = browser.subscription
    for change, members in (
            ({"endpoint": "https://chat.example.com/hook"}, ["/endpoint"]),
            ({"endpoint": "http://fcm.googleapis.com/a"}, ["/endpoint"]),
            ({"endpoint": "https://127.0.0.1/a"}, ["/endpoint"]),
            ({"endpoint": "https://fcm.googleapis.com/" + "a" * 2022}, ["/endpoint"]),
            ({"point": text_of(bytes([4]) + bytes(64))}, ["/point"]),
            ({"point": "short", "secret": "short"}, ["/point", "/secret"]),
            ({"secret": "!" * 22}, ["/secret"]),
            ({"expirationTime": None}, ["/expirationTime"])):
        answer = talk.customer.call("PUT", talk.path, {**whole, **change}, 422).json()
        assert [finding["pointer"] for finding in answer["errors"]] == members
        assert whole["secret"] not in str(answer) and "example.com" not in str(answer)
    talk.customer.call("PUT", talk.path, b"{" + b" " * 4100, expect=413)
    # The longest endpoint is accepted.
    longest = {**whole, "endpoint": "https://fcm.googleapis.com/" + "a" * 2021}
    talk.customer.call("PUT", talk.path, longest, 204)


def test_only_a_customer_of_the_conversation_has_itself_told(server, owner, service, talk):
    outsider = Customer(server, talk.customer.business)
    outsider.call("GET", talk.path, expect=401)
    outsider.call("PUT", talk.path, Browser(service).subscription, expect=401)
    foreign = talk.path.replace(talk.customer.business, str(uuid.uuid4()))
    talk.customer.call("GET", foreign, expect=401)
    assert owner.get(server.url + talk.path, timeout=20).status_code in (401, 403)


def test_erasing_a_conversation_removes_its_browsers(service, talk):
    browser = Browser(service)
    talk.put(browser)
    place = None
    while True:
        step = talk.owner.post(f"/api/conversations/{talk.id}/erasure{f'?from={place}' if place else ''}")
        place = step.get("next")
        if not place:
            break
    assert talk.known["devices"] == []


@pytest.mark.one_process
def test_the_key_stays_over_a_restart_and_what_is_counted_is_shown(service):
    with Installation("--push-service", service.url) as own:
        owner = own.make_owner()
        business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        talk, browser = Talk(own, owner, business), Browser(service)
        talk.put(browser)
        key = talk.known["key"]
        own.stop()
        own.start()
        for session in (owner, talk.customer):
            session.headers["Origin"] = own.url
        assert talk.known == {"key": key, "devices": [browser.name(talk.id)]}
        talk.answer()
        service.wait(browser, 1)
        until(lambda: requests.get(own.url + "/metrics", timeout=10).text,
              lambda text: 'frontdesk_push_messages_total{result="sent"} 1' in text)
        assert browser.endpoint not in own.log_text() and text_of(browser.secret) not in own.log_text()


def test_without_the_operators_word_no_other_push_service_is_known(service):
    with Installation() as own:
        owner = own.make_owner()
        business = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        Talk(own, owner, business).put(Browser(service), 422)
