"""An upstream gateway that is slow, cuts its answers off, or sends what this server does not know: nothing is lost or doubled."""

import base64
import datetime
import email.utils
import gzip
import http.server
import json
import os
import threading
import time
import uuid

import pytest
import requests
from support.cards import BID
from support.provider import crypt, token
from support.server import Customer

SECRET = base64.b64encode(bytes(range(32))).decode()
KEY = bytes(range(32))


class Gateway:
    """An upstream gateway on loopback, whose answers a test writes."""

    def __init__(self):
        # The posts, as (path, JSON), and the files and decoded data that are here.
        self.posts, self.files, self.decoded, self.gone = [], {}, {}, {}
        self.changed = threading.Condition()
        # What an answer to a message is, byte for byte, and for how long the connection stays after it.
        self.answer, self.pause, self.trickles = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0, False
        # Whether a file comes in a small piece each second.
        self.drips = False
        self.stopping = threading.Event()
        # Whether files may go, and whether one was asked for.
        self.holding, self.asked = threading.Event(), threading.Event()
        self.holding.set()
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""

            protocol_version = "HTTP/1.1"

            def give(self, status, body):
                """Answers with a body."""
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def drip(self, body):
                """Answers with a file, 8 KiB a second, for as long as the other end listens."""
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                for place in range(0, len(body), 8192):
                    self.wfile.write(body[place:place + 8192])
                    gateway.stopping.wait(1)

            def do_GET(self):
                """A link, or a file; what is under `hang` never comes."""
                if self.path in gateway.gone:
                    return self.give(gateway.gone[self.path], b"")
                if self.path == "/v1/preDownload":
                    name = self.headers["MMCS-Url"].rsplit("/", 1)[1]
                    return self.give(200, json.dumps({"download-url": f"{gateway.url}/get/{name}"}).encode())
                name = self.path.rsplit("/", 1)[1]
                if name.startswith("hang"):
                    gateway.stopping.wait(60)
                    self.close_connection = True
                    return None
                gateway.asked.set()
                gateway.holding.wait(30)
                found = gateway.files.get(name)
                if gateway.drips:
                    return self.drip(found)
                return self.give(404 if found is None else 200, found or b"")

            def do_POST(self):
                """A message, or data to decode."""
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/v1/decodePayload":
                    return self.give(200, gateway.decoded[body])
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                with gateway.changed:
                    gateway.posts.append((self.path, json.loads(body)))
                    gateway.changed.notify_all()
                self.wfile.write(gateway.answer)
                # A chunk a second, for as long as the other end listens.
                while gateway.trickles and not gateway.stopping.wait(1):
                    self.wfile.write(b"800\r\n" + b"x" * 0x800 + b"\r\n")
                gateway.stopping.wait(gateway.pause)
                self.close_connection = True
                return None

            def log_message(self, *_):
                """Logs nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Listens no more."""
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()

    def file(self, content):
        """Keeps a file; returns its dictionary."""
        name = uuid.uuid4().hex
        self.files[name] = crypt(content, KEY)
        return dictionary(name, len(content))

    def wait(self, fits, seconds=25):
        """Waits for a post whose JSON fits."""
        def found():
            return any(fits(body) for _, body in self.posts)

        with self.changed:
            assert self.changed.wait_for(found, seconds), self.posts


def dictionary(name, size):
    """How an attachment is described."""
    return {"name": "photo.png", "mimeType": "image/png", "size": size, "signature": "01AB",
            "key": "00" + KEY.hex().upper(), "url": f"https://mmcs.example/{name}", "owner": "M1"}


class Shop:
    """A business that is connected to the gateway, and one customer who came over it."""

    def __init__(self, server, owner, gateway):
        self.server, self.owner, self.gateway = server, owner, gateway
        self.id = owner.post("/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]
        made = owner.request(
            "PUT", f"{server.url}/api/businesses/{self.id}/gateway/upstream", timeout=20,
            json={"baseUrl": gateway.url + "/v1", "mspId": "m-1", "secret": SECRET})
        assert made.status_code == 201, made.text
        address = made.json()["upstream"]["callbackUrl"]
        self.address = server.url + address[address.index("/msp/"):] + "/message"
        self.customer = "urn:mbid:" + base64.b64encode(uuid.uuid4().bytes).decode()
        self.bring(body="Hello")
        self.talk = self.conversation()["id"]

    def bring(self, **members):
        """Posts something of the customer's as the gateway does."""
        body = {"v": 1, "id": str(uuid.uuid4()), "type": "text", "sourceId": self.customer, "destinationId": self.id,
                **members}
        answer = requests.post(self.address, json=body, timeout=60, headers={
            "Authorization": "Bearer " + token(SECRET, aud="m-1"), "id": body["id"], "source-id": self.customer,
            "destination-id": self.id})
        assert answer.status_code == 200, answer.text
        return body

    def conversation(self):
        """The customer's conversation."""
        return self.owner.fetch(f"/api/conversations?business={self.id}")["data"][0]

    def last(self):
        """The newest message."""
        return self.owner.fetch(f"/api/conversations/{self.talk}/messages")["data"][-1]

    def deliveries(self, talk=None):
        """The deliveries of a conversation that are pending or dead, with their messages and attempts."""
        return self.owner.fetch(f"/api/conversations/{talk or self.talk}/deliveries")["data"]


    def ask_provider(self, words):
        """Registers the gateway's machine as a provider too, and says something on a phone; returns the message."""
        made = self.owner.request(
            "PUT", f"{self.server.url}/api/businesses/{self.id}/gateway/registration", timeout=20,
            json={"endpoint": self.gateway.url + "/bots", "settings": {"announcesText": False}})
        assert made.status_code == 201, made.text
        return Customer(self.server, self.id).say(words)["message"]

    def wait_until_tried(self, talk, seconds=40):
        """Waits until nothing is pending that was not tried."""
        deadline = time.monotonic() + seconds
        while any(one["state"] == "pending" and not one["attempts"] for one in self.deliveries(talk)):
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture
def gateway():
    """An upstream gateway on this machine."""
    made = Gateway()
    yield made
    made.stop()


@pytest.fixture
def shop(server, owner, gateway):
    """A business that is connected to it."""
    return Shop(server, owner, gateway)


ANSWERS = {
    "cut off": (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok", 0),
    "too long": (b"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + b"x" * 2_000_000, 0),
    "without an end": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", 20)}


@pytest.mark.parametrize("end", ANSWERS)
def test_a_message_that_was_accepted_is_not_sent_again_for_an_answer_that_cannot_be_read(owner, shop, gateway, end):
    """The status is the answer, and its body is ignored: to the customers' end and to a provider."""
    gateway.answer, gateway.pause = ANSWERS[end]
    owner.post(f"/api/conversations/{shop.talk}/messages", {"type": "text", "body": "An answer"}, expect=201)
    said = shop.ask_provider("A question")
    for words, talk in (("An answer", shop.talk), ("A question", said["conversation"])):
        gateway.wait(lambda body, words=words: body.get("body") == words)
        shop.wait_until_tried(talk)
        # One that failed would be pending, to be tried again.
        assert [one["state"] for one in shop.deliveries(talk) if one["state"] != "delivered"] == []


def test_a_provider_that_answers_slowly_but_steadily_keeps_an_attempt_for_ten_seconds(shop, gateway):
    """The next message of the conversation waits for no longer, and one that was not accepted is tried again."""
    gateway.answer = b"HTTP/1.1 503 Slow\r\nTransfer-Encoding: chunked\r\n\r\n"
    gateway.trickles = True
    said = shop.ask_provider("A question")
    gateway.wait(lambda body: body.get("body") == "A question")
    begin = time.monotonic()
    shop.wait_until_tried(said["conversation"])
    assert time.monotonic() - begin < 20
    assert [one["state"] for one in shop.deliveries(said["conversation"])] == ["pending"]


def test_an_upstream_that_answers_slowly_but_steadily_keeps_an_attempt_for_ten_seconds(owner, shop, gateway):
    """Other conversations wait for their turn meanwhile."""
    gateway.answer = b"HTTP/1.1 503 Slow\r\nTransfer-Encoding: chunked\r\n\r\n"
    gateway.trickles = True
    owner.post(f"/api/conversations/{shop.talk}/messages", {"type": "text", "body": "An answer"}, expect=201)
    gateway.wait(lambda body: body.get("body") == "An answer")
    begin = time.monotonic()
    shop.wait_until_tried(shop.talk)
    assert time.monotonic() - begin < 20
    assert [one["state"] for one in shop.deliveries()] == ["pending"]


@pytest.mark.parametrize("isDate", [False, True], ids=["seconds", "date"])
def test_an_upstream_and_a_provider_say_in_either_form_when_they_want_to_be_asked_again(owner, shop, gateway, isDate):
    """The first wait would be five seconds."""
    begin = time.time()
    field = email.utils.formatdate(begin + 7200, usegmt=True) if isDate else "7200"
    gateway.answer = f"HTTP/1.1 429 Wait\r\nRetry-After: {field}\r\nContent-Length: 0\r\n\r\n".encode()
    owner.post(f"/api/conversations/{shop.talk}/messages", {"type": "text", "body": "An answer"}, expect=201)
    for talk in (shop.talk, shop.ask_provider("A question")["conversation"]):
        shop.wait_until_tried(talk)
        [pending] = shop.deliveries(talk)
        due = datetime.datetime.fromisoformat(pending["due"]).timestamp()
        assert begin + 7100 < due < time.time() + 7300, pending


def test_a_file_that_comes_steadily_but_too_slowly_is_left_out_of_its_message(shop, gateway):
    """A handler's time would end first, and the message be refused each time that it comes."""
    slow = gateway.file(b"a picture" * 40_000)
    gateway.drips = True
    kept = shop.bring(body="\ufffcLook", attachments=[slow])
    assert shop.last()["id"] == kept["id"] and [one["place"] for one in shop.last()["missingFiles"]] == [0]


def test_an_answer_of_a_kind_that_is_not_known_is_kept_under_its_title(shop):
    """A refusal would lose it: the gateway does not send it again after a 400."""
    data = {"version": "1", "requestIdentifier": "r", "replyMessage": {"title": "Two cakes"},
            "cakePicker": {"cakes": ["plum", "apple"]}}
    sent = shop.bring(type="interactive", interactiveData={"bid": BID, "data": data})
    kept = shop.last()
    assert kept["id"] == sent["id"] and kept["kind"] == "interactive"
    assert kept["payload"]["interactiveData"]["data"] == data
    assert kept["summary"] == "Interactive message: Two cakes"


@pytest.mark.parametrize("decoded", [b"[1,2]", b"null", b'"x"'])
def test_a_reference_whose_data_are_no_object_is_stored_as_received(shop, gateway, decoded):
    """The reference stays, under its title, with the reason beside it."""
    packed = os.urandom(50)
    gateway.decoded[packed] = decoded
    file = gateway.file(packed)
    reference = {"bid": BID, "url": file["url"], "owner": "M1", "key": file["key"].lower(), "size": "50",
                 "signature": "01ab", "title": "Your cakes"}
    shop.bring(type="interactive", interactiveDataRef=reference)
    kept = shop.last()
    assert kept["payload"]["interactiveDataRef"] == reference and "interactiveData" not in kept["payload"]
    assert "no object" in kept["missingFiles"][0]["reason"] and "Your cakes" in kept["summary"]


@pytest.mark.parametrize("member,longest", [("locale", 35), ("intent", 256), ("group", 256)])
def test_what_a_link_says_of_a_customer_is_kept_up_to_the_length_that_a_page_sends(shop, member, longest):
    """It stands in each list and in each event of the conversation; the message has all of it."""
    def known():
        found = shop.conversation()
        return (found["customer"] if member == "locale" else found)[member]

    shop.bring(body="First", **{member: "a" * longest})
    assert known() == "a" * longest
    shop.bring(body="Second", **{member: "b" * (longest + 1)})
    assert known() == "a" * longest
    assert shop.last()["payload"][member] == "b" * (longest + 1)


def test_links_that_hang_keep_no_message_for_longer_than_its_gateway_waits(shop, gateway):
    """Ten seconds; and no other file of the message is lost with them."""
    good = gateway.file(b"a picture")
    hanging = [dictionary(f"hang{number}", 5) for number in range(20)]
    begin = time.monotonic()
    shop.bring(body="\ufffc" * 21, attachments=[*hanging[:5], good, *hanging[5:]])
    assert time.monotonic() - begin < 10
    kept = shop.last()
    assert [one["size"] for one in kept["attachments"]] == [9]
    assert [one["place"] for one in kept["missingFiles"]] == [place for place in range(21) if place != 5]


def test_a_gateway_that_reserves_no_upload_says_nothing_of_the_customer(owner, shop, gateway):
    """A 410 there is no 410 to a message, which closes the conversation."""
    gateway.gone["/v1/preUpload"] = 410
    file = owner.call(
        "POST", f"/api/attachments?conversation={shop.talk}&name=a.png", b"12345", expect=201,
        headers={"Content-Type": "application/octet-stream"}).json()["attachment"]
    owner.post(f"/api/conversations/{shop.talk}/messages", {
        "type": "text", "body": "\ufffc", "attachments": [file]}, expect=201)
    deadline = time.monotonic() + 30
    while not any(one["attempts"] for one in shop.deliveries()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    [tried] = shop.deliveries()
    assert tried["state"] == "pending" and "preUpload" in tried["detail"]
    owner.post(f"/api/conversations/{shop.talk}/messages", {"type": "text", "body": "Still there?"}, expect=201)


def test_a_first_message_whose_files_are_still_fetched_when_the_second_comes_is_stored_after_it(shop, gateway):
    """No 503: not every gateway sends again."""
    shop.customer = "urn:mbid:" + base64.b64encode(uuid.uuid4().bytes).decode()
    picture, answers = gateway.file(b"a picture"), []
    gateway.holding.clear()
    first = threading.Thread(target=lambda: answers.append(shop.bring(body="\ufffc", attachments=[picture])))
    first.start()
    assert gateway.asked.wait(20)
    second = shop.bring(body="This is my question")
    gateway.holding.set()
    first.join(30)
    shop.talk = next(one["id"] for one in shop.owner.fetch(f"/api/conversations?business={shop.id}")["data"]
                     if one["customer"]["id"] == shop.customer)
    stored = shop.owner.fetch(f"/api/conversations/{shop.talk}/messages")["data"]
    assert answers and [one["id"] for one in stored] == [second["id"], answers[0]["id"]]
    assert [one["size"] for one in stored[1]["attachments"]] == [9]
