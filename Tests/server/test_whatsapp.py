"""A business's number at WhatsApp, against a scripted Graph API: text, files, questions, receipts, the 24 hours, a crash."""

import collections
import concurrent.futures
import json
import re
import threading
import time
import uuid

import pytest
import requests
from pywa.types.templates import BodyText, CopyCodeButton, HeaderText, URLButton
from support.graph import HELLO, ORDER, PLACE, VISIT, Graph
from support.server import Installation

BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")


@pytest.fixture
def graph():
    """A Graph API on loopback."""
    made = Graph()
    yield made
    made.stop()


@pytest.fixture
def business(owner, graph):
    """A test business with a number at WhatsApp."""
    made = owner.post("/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]
    graph.connect(owner, made)
    return made


def talk(owner, business):
    """The only conversation of a business."""
    [found] = owner.fetch(f"/api/conversations?business={business}")["data"]
    return found


def send(owner, conversation, payload, expect=201):
    """Sends a message to a conversation."""
    return owner.call("POST", f"/api/conversations/{conversation}/messages", {"id": str(uuid.uuid4()), **payload},
                      expect=expect).json()


def thread(owner, conversation):
    """The messages of a conversation."""
    return owner.fetch(f"/api/conversations/{conversation}/messages")["data"]


def until(what, found, seconds=25):
    """Waits until something is found, and returns it."""
    end = time.monotonic() + seconds
    while not (one := found()):
        assert time.monotonic() < end, what
        time.sleep(0.02)
    return one


def state(owner, conversation, message):
    """How far a message came."""
    found = owner.fetch(f"/api/conversations/{conversation}/deliveries")["data"]
    return next((one for one in found if one["message"] == message["id"] and one["side"] == "whatsapp"), None)


def test_a_customer_writes_is_answered_and_sees_the_answer(server, owner, business, graph):
    assert graph.verify(server).text == "1158201444"
    assert graph.verify(server, "other").status_code == 403
    name = graph.say(server, "Hello")
    graph.say(server, "Hello", wamid=name)
    found = talk(owner, business)
    assert found["customer"]["name"] == "Ada" and found["lastMessage"]["summary"] == "Hello"
    assert [one["payload"]["body"] for one in thread(owner, found["id"])] == ["Hello"]
    sent = send(owner, found["id"], {"type": "text", "body": "Welcome"})
    post = graph.wait(lambda one: one["type"] == "text")
    assert post["to"] == "15551234567" and post["text"]["body"] == "Welcome"
    until("it was accepted", lambda: (state(owner, found["id"], sent) or {}).get("receipt") == "accepted")
    for status, shown in (("sent", "sent"), ("read", "read"), ("delivered", "read"), ("read", "read")):
        graph.status(server, post, status)
        assert state(owner, found["id"], sent)["receipt"] == shown
    # Nothing of the secrets is answered or logged.
    answers = [owner.fetch(f"/api/businesses/{business}/gateway"),
               owner.fetch(f"/api/businesses/{business}/gateway/exchanges")]
    for secret in (graph.token, graph.app_secret, graph.verify_token):
        assert secret not in json.dumps(answers) and secret not in server.log_text()


def test_first_messages_that_come_at_the_same_moment_are_stored_at_once_in_one_conversation(
        server, owner, business, graph):
    """Each is answered with 200: nothing has to be posted again."""
    people, each = 8, 3
    ready = threading.Barrier(people * each)

    def come(sender, words):
        ready.wait(30)
        graph.say(server, words, sender=sender)

    with concurrent.futures.ThreadPoolExecutor(people * each) as pool:
        posts = [pool.submit(come, f"1555000{person:04}", f"{person}-{place}")
                 for person in range(people) for place in range(each)]
        for post in posts:
            post.result()
    found = owner.fetch(f"/api/conversations?business={business}")["data"]
    assert len(found) == people
    said = [sorted(one["payload"]["body"] for one in thread(owner, talk["id"])) for talk in found]
    assert sorted(said) == [[f"{person}-{place}" for place in range(each)] for person in range(people)]


def test_a_wrong_signature_and_another_number_store_nothing(server, owner, business, graph):
    message = {"from": "15551234567", "id": "wamid.1", "timestamp": "1", "type": "text", "text": {"body": "x"}}
    graph.post(server, {"messages": [message]}, expect=403, secret="other")
    unsigned = requests.post(graph.address(server), json={"object": "whatsapp_business_account"}, timeout=20)
    assert unsigned.status_code == 401
    graph.post(server, {"messages": [message]}, number="1")
    assert owner.fetch(f"/api/conversations?business={business}")["data"] == []
    log = owner.fetch(f"/api/businesses/{business}/gateway/exchanges")["data"]
    assert "This is for another number" in json.dumps(log)


def test_posts_for_several_numbers_come_at_one_callback_url(server, owner, business, graph):
    second = Graph()
    try:
        second.number, second.account = "106540352242923", "102290129340399"
        other = owner.post("/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]
        second.connect(owner, other)
        # Meta posts to the app's URL, which is the first number's.
        second.callback = graph.callback
        second.say(server, "To the second shop")
        graph.say(server, "To the first shop")
        assert thread(owner, talk(owner, other)["id"])[-1]["payload"]["body"] == "To the second shop"
        assert [one["payload"]["body"] for one in thread(owner, talk(owner, business)["id"])] == ["To the first shop"]
        found = talk(owner, other)["id"]
        sent = send(owner, found, {"type": "text", "body": "From the second shop"})
        post = second.wait(lambda one: one["type"] == "text")
        until("it was accepted", lambda: (one := state(owner, found, sent)) and one["state"] == "delivered")
        second.status(server, post, "read")
        assert state(owner, found, sent)["receipt"] == "read"
    finally:
        second.stop()


@pytest.mark.one_process
def test_a_number_that_no_business_has_with_the_app_secret_is_shown_and_logged(server, owner, business, graph):
    other = owner.post("/api/businesses", {"name": f"Shop {uuid.uuid4()}", "mode": "test"}, expect=201)["id"]
    owner.call("PUT", f"/api/businesses/{other}/gateway/whatsapp", {
        "phoneNumberId": "5550001", "accessToken": graph.token, "appSecret": "app-secret-2"}, expect=201)
    for number in ("5550002", "5550001", "5550002"):
        graph.post(server, {"messages": []}, number=number)
    unknown = owner.fetch(f"/api/businesses/{business}/gateway")["whatsapp"]["unknownNumbers"]
    assert [(one["phoneNumberId"], one["posts"]) for one in unknown] == [("5550002", 2), ("5550001", 1)]
    assert owner.fetch(f"/api/businesses/{other}/gateway")["whatsapp"]["unknownNumbers"] == []
    lines = [line for line in server.log_text().splitlines() if "whatsapp_number_unknown" in line]
    assert sum("5550002" in line for line in lines) == 1 and sum("5550001" in line for line in lines) == 1
    counts = requests.get(server.url + "/metrics", timeout=20).text
    assert int(re.search(r"^frontdesk_whatsapp_unknown_number_posts_total (\d+)", counts, re.M).group(1)) >= 3


def test_the_answer_to_a_list_picker_is_the_answer_to_it(server, owner, business, graph):
    graph.say(server, "Hello")
    found = talk(owner, business)["id"]
    items = [{"identifier": f"tea-{place}", "title": f"Tea {place}", "subtitle": "A cup", "order": place}
             for place in range(3)]
    sent = send(owner, found, {"type": "interactive", "interactiveData": {
        "bid": BID, "data": {"version": "1.0", "requestIdentifier": "r-1", "listPicker": {
            "sections": [{"title": "Teas", "order": 0, "multipleSelection": False, "items": items}]}},
        "receivedMessage": {"title": "Which tea?", "subtitle": "One of three"}}})
    post = graph.wait(lambda one: one["type"] == "interactive")
    row = post["interactive"]["action"]["sections"][0]["rows"][1]
    assert row["title"] == "Tea 1" and row["description"] == "A cup"
    graph.come(server, {"interactive": {"type": "list_reply", "list_reply": {
        "id": row["id"], "title": row["title"], "description": row["description"]}}},
        context={"from": "1", "id": post["wamid"]})
    answer = thread(owner, found)[-1]
    assert answer["direction"] == "inbound" and answer["kind"] == "list"
    data = answer["payload"]["interactiveData"]["data"]
    assert data["requestIdentifier"] == "r-1"
    [chosen] = data["listPicker"]["sections"][0]["items"]
    assert chosen["identifier"] == "tea-1" and answer["inReplyTo"] == sent["id"]


def test_files_go_both_ways(server, owner, business, graph):
    graph.files["4711"] = ("image/png", b"\x89PNG\r\n\x1a\n" + b"0" * 5_000)
    graph.come(server, {"image": {"id": "4711", "mime_type": "image/png", "sha256": "x", "caption": "Look"}})
    graph.come(server, {"document": {"id": "4712", "mime_type": "application/pdf", "filename": "bill.pdf"}})
    found = talk(owner, business)["id"]
    first, second = thread(owner, found)
    [attachment] = first["attachments"]
    got = owner.call("GET", f"/api/attachments/{attachment['id']}?conversation={found}")
    assert got.content == graph.files["4711"][1]
    assert second["attachments"] == [] and second["missingFiles"][0]["place"] == 0
    held = owner.post(f"/api/attachments?conversation={found}&name=a.png", graph.files["4711"][1], expect=201,
                      headers={"Content-Type": "image/png"})
    send(owner, found, {"type": "text", "body": "\ufffc Here", "attachments": [held["attachment"]]})
    post = graph.wait(lambda one: one["type"] == "image")
    head, data = graph.uploads[post["image"]["id"]]
    assert data == graph.files["4711"][1] and 'filename="a.png"' in head
    assert post["image"]["caption"] == "Here"


def test_errors_of_graph_are_shown_in_words_and_passing_ones_are_tried_again(server, owner, business, graph):
    graph.say(server, "Hello")
    found = talk(owner, business)["id"]
    graph.errors.append((400, 131_026))
    sent = send(owner, found, {"type": "text", "body": "one"})
    dead = until("it was refused", lambda: (
        one := state(owner, found, sent)) and one["state"] == "dead" and one)
    assert "cannot be delivered" in dead["detail"]
    graph.errors.append((429, 130_429))
    send(owner, found, {"type": "text", "body": "two"})
    until("it was tried", lambda: not graph.errors)
    path = f"/api/businesses/{business}/gateway/deliveries/retry-now"
    until("it came", lambda: (owner.call("POST", path, {"side": "whatsapp"}, expect=204) is not None)
          and any(one.get("text") == {"body": "two"} for one in graph.messages))
    # An expired token is final, and replayed once there is another one.
    graph.token = "EAAB-token-2"
    late = send(owner, found, {"type": "text", "body": "three"})
    dead = until("it was refused", lambda: (
        one := state(owner, found, late)) and one["state"] == "dead" and one)
    assert "access token has expired" in dead["detail"]
    owner.call("PUT", f"/api/businesses/{business}/gateway/whatsapp", {"accessToken": graph.token})
    owner.call("POST", f"/api/businesses/{business}/gateway/deliveries/retry", {"side": "whatsapp"})
    graph.wait(lambda one: one.get("text") == {"body": "three"})


def test_after_a_day_a_message_is_refused_until_the_customer_writes(server, owner, business, graph):
    graph.say(server, "Hello", at=time.time() - 86_401)
    found = talk(owner, business)
    assert found["freeFormUntil"] < found["openedAt"]
    refused = send(owner, found["id"], {"type": "text", "body": "late"}, expect=409)
    assert refused["code"] == "reply_window_over"
    assert len(thread(owner, found["id"])) == 1
    graph.say(server, "Again")
    assert talk(owner, business)["freeFormUntil"] > found["openedAt"]
    send(owner, found["id"], {"type": "text", "body": "in time"})
    graph.wait(lambda one: one["type"] == "text")


def list_templates(owner, business, expect=200):
    """What the route answers."""
    return owner.fetch(f"/api/businesses/{business}/gateway/whatsapp/templates", expect=expect)


def send_template(owner, conversation, body, expect=201):
    """Sends a template to a conversation."""
    return owner.call("POST", f"/api/conversations/{conversation}/whatsapp-template-messages", body, expect=expect).json()


VALUES = {"header.1": "A-7", "body.1": "Ada", "body.2": "black tea", "button.1": "A-7", "button.2": "TEA10"}


def test_a_template_is_listed_filled_and_delivered_after_the_time_for_answers(server, owner, business, graph):
    graph.templates = [ORDER, {**HELLO, "status": "PAUSED"}, VISIT, PLACE, HELLO]
    graph.say(server, "Hello", at=time.time() - 86_401)
    found = talk(owner, business)["id"]
    listed = list_templates(owner, business)
    assert [one["name"] for one in listed["data"]] == ["order_ready", "visit_reminder", "shop_place", "hello_world"]
    assert listed["isComplete"] and graph.listed == 2
    assert [one["isFillable"] for one in listed["data"]] == [True, True, False, True]
    assert [one["key"] for one in listed["data"][0]["parameters"]] == list(VALUES)
    assert [one["example"] for one in listed["data"][1]["parameters"]] == ["山田", "3月1日"]
    sent = send_template(owner, found, {"name": "order_ready", "language": "en_US", "values": VALUES})
    assert sent["payload"]["body"] == ("Order A-7\n\nHi Ada, your black tea is ready.\n\nTea shop\n\n"
                                       "[Thanks]\n[Track] https://tea.example/o/A-7\n[Copy offer code] TEA10")
    assert sent["whatsappTemplate"] == {"name": "order_ready", "language": "en_US"} and sent["author"]["name"] == "Ada"
    post = graph.wait(lambda one: one["type"] == "template")
    same = [part.to_dict() for part in (
        HeaderText.params("A-7"), BodyText.params("Ada", "black tea"), URLButton.params(url_variable="A-7", index=1),
        CopyCodeButton.params(coupon_code="TEA10", index=2))]
    lower = [{name: str(value).lower() if name != "parameters" else value for name, value in part.items()} for part in same]
    assert post["template"] == {"name": "order_ready", "language": {"code": "en_US"}, "components": lower}
    graph.status(server, post, "read")
    until("it was read", lambda: state(owner, found, sent)["receipt"] == "read")
    send_template(owner, found, {"name": "visit_reminder", "language": "ja", "values": {"body.name": "佐藤", "body.day": "4月2日"}})
    named = graph.wait(lambda one: one["type"] == "template" and one["template"]["name"] == "visit_reminder")
    assert named["template"]["components"] == [{"type": "body", "parameters": [
        {"type": "text", "parameter_name": "name", "text": "佐藤"}, {"type": "text", "parameter_name": "day", "text": "4月2日"}]}]
    assert thread(owner, found)[-1]["summary"] == "佐藤様、4月2日のご来店をお待ちしております。"
    # It opens no time for answers.
    assert send(owner, found, {"type": "text", "body": "late"}, expect=409)["code"] == "reply_window_over"


def test_a_template_that_cannot_be_sent_says_why(server, owner, business, graph):
    graph.templates = [ORDER, VISIT, PLACE]
    graph.say(server, "Hello")
    found = talk(owner, business)["id"]
    missing = send_template(owner, found, {"name": "order_ready", "language": "en_US", "values": {**VALUES, "body.3": "x"}}, expect=422)
    assert [one["pointer"] for one in missing["errors"]] == ["/values/body.3"]
    fewer = {key: value for key, value in VALUES.items() if key != "body.2"}
    missing = send_template(owner, found, {"name": "order_ready", "language": "en_US", "values": fewer}, expect=422)
    assert "body.2" in missing["errors"][0]["found"]
    for name in ("shop_place", "gone"):
        refused = send_template(owner, found, {"name": name, "language": "en"}, expect=409)
        assert refused["code"] == "whatsapp_template_refused"
    # WhatsApp pauses it within the minute for which the list is kept: then the delivery says so.
    graph.templates = [{**ORDER, "status": "PAUSED"}]
    sent = send_template(owner, found, {"name": "order_ready", "language": "en_US", "values": VALUES})
    dead = until("it was refused", lambda: (one := state(owner, found, sent)) and one["state"] == "dead" and one)
    assert "paused" in dead["detail"] and "132015" in dead["detail"]
    # A connection that was changed asks anew.
    path = f"/api/businesses/{business}/gateway/whatsapp"
    owner.call("PUT", path, {"accountId": None})
    assert list_templates(owner, business, expect=409)["code"] == "whatsapp_unusable"
    owner.call("PUT", path, {"accountId": graph.account, "verifyToken": "verify-2"})
    assert list_templates(owner, business)["data"] == []
    paused = send_template(owner, found, {"name": "order_ready", "language": "en_US", "values": VALUES}, expect=409)
    assert paused["code"] == "whatsapp_template_refused" and "PAUSED" in paused["detail"]
    owner.call("PUT", path, {"accessToken": "another"})
    refused = list_templates(owner, business, expect=409)
    assert refused["code"] == "whatsapp_unusable" and "access token has expired" in refused["detail"]


def test_reading_and_typing_are_shown_to_the_customer_unless_it_is_switched_off(server, owner, business, graph):
    first = graph.say(server, "Hello")
    found = talk(owner, business)["id"]
    # A sign may come before the outbox runs, which only the agent who types repeats.
    until("the typing came", lambda: (owner.call("POST", f"/api/conversations/{found}/typing", {"state": "start"}, expect=204) is not None)
          and graph.reads)
    assert graph.reads[0] == {"messaging_product": "whatsapp", "status": "read", "message_id": first, "typing_indicator": {"type": "text"}}
    second = graph.say(server, "Are you there?")
    owner.call("POST", f"/api/conversations/{found}/read", {"sequence": 2}, expect=204)
    mark = graph.wait_read(lambda one: one["message_id"] == second)
    assert mark == {"messaging_product": "whatsapp", "status": "read", "message_id": second}
    owner.call("POST", f"/api/conversations/{found}/read", {"sequence": 2}, expect=204)
    third = graph.say(server, "Well?")
    send(owner, found, {"type": "text", "body": "Here we are"})
    graph.wait(lambda one: one["type"] == "text")
    graph.wait_read(lambda one: one["message_id"] == third)
    assert [one["message_id"] for one in graph.reads] == [first, second, third]
    owner.call("PUT", f"/api/businesses/{business}/gateway/whatsapp", {"marksRead": False})
    graph.say(server, "Thanks")
    owner.call("POST", f"/api/conversations/{found}/read", {"sequence": 5}, expect=204)
    send(owner, found, {"type": "text", "body": "Bye"})
    last = graph.say(server, "See you")
    owner.call("POST", f"/api/conversations/{found}/read", {"sequence": 7}, expect=204)
    graph.wait(lambda one: one.get("text") == {"body": "Bye"})
    assert [one["message_id"] for one in graph.reads] == [first, second, third]
    # Marks go beside messages, by what is switched and read at that moment, and nothing shows that none was due. So all is read
    # before they are switched on: a mark that is late can only be that of the last message, which is due then anyway.
    owner.call("PUT", f"/api/businesses/{business}/gateway/whatsapp", {"marksRead": True})
    send(owner, found, {"type": "text", "body": "See you soon"})
    graph.wait_read(lambda one: one["message_id"] == last)
    assert [one["message_id"] for one in graph.reads] == [first, second, third, last]


def test_a_quoted_message_is_named_by_the_one_that_quotes_it(server, owner, business, graph):
    first = graph.say(server, "Do you have green tea?")
    found = talk(owner, business)["id"]
    send(owner, found, {"type": "text", "body": "Yes, two kinds"})
    post = graph.wait(lambda one: one["type"] == "text")
    until("it was accepted", lambda: (one := state(owner, found, thread(owner, found)[-1])) and one["state"] == "delivered")
    for name in (first, post["wamid"], "wamid.unknown"):
        graph.say(server, f"About {name}", context={"from": "15551234567", "id": name})
    messages = thread(owner, found)
    assert [one["inReplyTo"] for one in messages[2:]] == [messages[0]["id"], messages[1]["id"], None]


@pytest.mark.one_process
def test_a_killed_server_loses_and_repeats_nothing_that_was_accepted():
    graph = Graph()
    with Installation() as server:
        server.listen = f"127.0.0.1:{server.port}"
        owner = server.make_owner()
        business = owner.post("/api/businesses", {"name": "Shop", "mode": "test"}, expect=201)["id"]
        graph.connect(owner, business)
        graph.say(server, "Hello")
        found = talk(owner, business)["id"]
        # One is sent after the other: a kill cuts off the answer of the last one that came, or of the one after it,
        # and of no other.
        cut, kills = set(), 0
        for place in range(12):
            sent = send(owner, found, {"type": "text", "body": f"text {place}"})
            if place % 4 == 3:
                is_settled = place == 11
                if is_settled:
                    until("it was accepted", lambda sent=sent: (
                        state(owner, found, sent) or {}).get("state") == "delivered")
                server.kill()
                if not is_settled:
                    came = len({one["text"]["body"] for one in graph.messages})
                    cut |= {f"text {came - 1}", f"text {came}"}
                    kills += 1
                server.start()
        send(owner, found, {"type": "text", "body": "text 12"})
        for place in range(13):
            graph.wait(lambda one, place=place: one["text"]["body"] == f"text {place}", 60)
        texts = [one["text"]["body"] for one in graph.messages]
        assert list(dict.fromkeys(texts)) == [f"text {place}" for place in range(13)]
        repeated = {text: count for text, count in collections.Counter(texts).items() if count > 1}
        assert set(repeated) <= cut, f"{repeated}, cut off: {cut}"
        # Several kills may cut off the same one.
        assert sum(repeated.values()) - len(repeated) <= kills, repeated
        graph.say(server, "Thanks")
        assert thread(owner, found)[-1]["payload"]["body"] == "Thanks"
    graph.stop()
