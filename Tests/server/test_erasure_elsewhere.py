"""What was erased is in no copy beside it: answers of endpoints and receivers, remembered answers, files of the gateway."""

import re
import threading

import pytest
from support.provider import Provider, come
from support.receiver import Receiver
from support.registered import registered
from support.server import Customer, Installation, Session
from support.waiting import until

SECRET = "4111 1111 1111 1111"
BID = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension"
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Echo(Receiver):
    """Answers every event with what may not be kept."""

    def __init__(self):
        super().__init__()
        self.answer = SECRET

    def take(self, path, headers, body):
        """Accepts with 200, as 204 has no body."""
        return 200 if super().take(path, headers, body) == 204 else 401


class Held(Provider):
    """Answers what has the secret once it is let go on, with 400 and what it got."""

    def __init__(self):
        self.came, self.goes_on = threading.Event(), threading.Event()
        super().__init__()

    def take(self, path, headers, body):
        """Waits with a message that has the secret."""
        status = super().take(path, headers, body)
        if SECRET not in str(self.posts[-1].body):
            return status
        self.answer = f"Not {SECRET}"
        self.came.set()
        assert self.goes_on.wait(20)
        return 400


@pytest.fixture
def key(server, sandbox):
    """A key of the sandbox's business."""
    return Session(server, key=server.make_key(sandbox["id"]))


def erase(session, path):
    """Erases all of a path."""
    place = None
    while True:
        place = session.post(f"{path}/erasure{f'?from={place}' if place else ''}")["next"]
        if place is None:
            return


@pytest.mark.parametrize("order", ["conversation", "none"])
def test_what_an_endpoint_answered_goes_with_the_person(server, owner, sandbox, key, order):
    base = f"/api/businesses/{sandbox['id']}"
    receiver = Echo()
    made = owner.post(f"{base}/webhooks", {"url": receiver.url + "/hook", "order": order}, 201)
    receiver.keys = [made["secret"]]
    hook = f"{base}/webhooks/{made['id']}"
    try:
        conversation = Customer(server, sandbox["id"]).say(SECRET)["message"]["conversation"]
        contact = f"{base}/contacts/{conversation}"
        owner.post(f"/api/conversations/{conversation}/notes", {"text": SECRET}, 201)
        key.call("PATCH", contact, {"name": f"Onyx {SECRET}", "externalId": SECRET})
        wanted = {"message.accepted", "note.added", "contact.saved"}

        def answers():
            shown = owner.fetch(f"{hook}/deliveries?filter[state]=delivered&page[size]=100")["data"]
            return [(one["type"], one["last"]["answer"]) for one in shown]
        until(answers, lambda found: wanted <= {type for type, answer in found if answer == SECRET})
        receiver.answer = "thanks"
        erase(owner, contact)
        until(lambda: len(receiver.events), lambda count: count >= 6)
        assert not [type for type, answer in answers() if answer == SECRET], answers()
    finally:
        owner.call("DELETE", hook, expect=204)
        receiver.stop()


def test_what_a_receiver_answers_behind_an_erasure_is_not_kept(server, owner, sandbox, key):
    with registered(server, sandbox["id"], Held()) as provider:
        phone = Customer(server, sandbox["id"])
        said = phone.say(f"It is {SECRET}")["message"]
        assert provider.came.wait(20)
        path = f"/api/conversations/{said['conversation']}"
        erase(owner, path)
        provider.goes_on.set()
        log = f"/api/businesses/{sandbox['id']}/gateway/exchanges?filter[message]={said['id']}&filter[conversation]={said['conversation']}"
        found = until(lambda: owner.fetch(log)["data"], bool)
        assert SECRET not in str(found), found
        dead = until(lambda: owner.fetch(f"/api/businesses/{sandbox['id']}/gateway/deliveries?filter[state]=dead")["data"], bool)
        assert SECRET not in str(dead), dead


def test_why_an_upstream_refused_is_not_kept_behind_an_erasure(server, owner, key):
    secret = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    business = owner.post("/api/businesses", {"name": "Kept nowhere", "mode": "test"}, expect=201)["id"]
    upstream = Held()
    try:
        printed = server.command("gateway", "connect", "--business", business, "--base-url", upstream.url + "/v1",
                                 "--msp-id", "m-9", "--secret", secret).stdout
        callback = re.search(r"at the gateway: +(\S+)", printed).group(1)
        come(server, callback, "m-9", secret, business, "Hello")
        talk = until(lambda: owner.fetch(f"/api/conversations?business={business}")["data"], bool)[0]["id"]
        path = f"/api/conversations/{talk}"
        said = owner.post(f"{path}/messages", {"type": "text", "body": f"It is {SECRET}"}, 201)["id"]
        assert upstream.came.wait(20)
        erase(owner, path)
        upstream.goes_on.set()
        dead = until(lambda: owner.fetch(f"/api/businesses/{business}/gateway/deliveries?side=upstream&filter[state]=dead")["data"], bool)
        log = until(lambda: owner.fetch(f"/api/businesses/{business}/gateway/exchanges?filter[conversation]={talk}&filter[message]={said}")["data"], bool)
        events = f"/api/events?filter[type]=message.refused_upstream&business={business}"
        refused = until(lambda: owner.fetch(events, headers={"Accept": "application/json"})["data"], bool)
        assert SECRET not in f"{dead}{log}{refused}", (dead, log, refused)
    finally:
        upstream.stop()


def test_a_batch_with_a_refused_message_is_not_remembered_with_it(server, owner, sandbox, key):
    conversation = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    batch = {"messages": [{"conversation": conversation, "payload": {"type": SECRET, "body": "x"}}]}
    once = {"Idempotency-Key": '"the-batch"'}
    first = key.post("/api/messages/batch", batch, headers=once)
    assert SECRET in str(first), first
    assert first["results"][0]["conversation"] == conversation
    erase(owner, f"/api/conversations/{conversation}")
    again = key.post("/api/messages/batch", batch, 410, headers=once)
    assert again["code"] == "message_erased"


def form(pictures):
    """A form with one question, whose answer repeats so many descriptions of pictures."""
    images = [{"identifier": str(number), "data": PICTURE, "description": "x" * 400} for number in range(pictures)]
    pages = [{"pageIdentifier": "c", "type": "input", "subtitle": "Why?", "options": {"regex": "[a-z ]+", "required": True}}]
    return {"type": "interactive", "interactiveData": {"bid": BID, "data": {
        "mspVersion": "1.0", "requestIdentifier": "the-form", "images": images, "dynamic": {
            "version": "1.1", "template": "form", "data": {"startPageIdentifier": "c", "pages": pages}}},
        "receivedMessage": {"title": "A question", "style": "icon"}, "replyMessage": {"title": "Answered", "style": "icon"}}}


@pytest.mark.one_process
def test_the_gateway_keeps_no_file_of_what_was_erased():
    with Installation() as server:
        owner = server.make_owner()
        business = next(one["id"] for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])

        def files():
            return [path for path in (server.data / "blobs").rglob("*") if path.is_file()]
        with registered(server, business) as provider:
            phone = Customer(server, business)
            conversation = phone.say("hello")["message"]["conversation"]
            customer = provider.next("text")["sourceId"]
            upload = provider.upload("plan.bin", "application/octet-stream", b"the plan" * 1_000)
            provider.send(customer, {"type": "text", "body": "\ufffc", "attachments": [upload]})
            asked, _ = provider.send(customer, form(30))
            phone.choose(asked["id"], form={"answers": [{"page": "c", "text": "the queue"}]})
            reference = provider.next("interactive")["interactiveDataRef"]
            assert "the queue" in str(provider.decode(reference))
            # The upload, the attachment that it became, and the reply.
            assert len(files()) == 3
            erase(owner, f"/api/conversations/{conversation}")
        # The last round of housekeeping is that of the end; one of the same process leaves files that came in lately.
        server.stop()
        server.start()
        server.stop()
        assert files() == []
