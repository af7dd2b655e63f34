"""The main job over plain HTTP: a customer writes first, programs answer, answers come back."""

import json
import secrets
import uuid

from support.server import Customer, Session


def test_a_customer_writes_first_and_a_key_answers(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    first = phone.say("Do you have this in blue?")["message"]
    assert first["sequence"] == 1 and first["direction"] == "inbound"

    program = Session(server, key=server.make_key(sandbox["id"]))
    payload = {"type": "text", "body": "Yes, in three sizes."}
    answer = program.post(f"/api/conversations/{first['conversation']}/messages", payload, 201)
    assert answer["sequence"] == 2
    assert answer["payload"]["body"] == payload["body"]

    seen = phone.fetch(f"/api/phone/{sandbox['id']}/messages")["data"]
    assert [m["sequence"] for m in seen] == [1, 2]


def test_the_posted_bytes_are_the_stored_bytes(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("Hello")["message"]["conversation"]
    program = Session(server, key=server.make_key(sandbox["id"], "bytes"))
    text = '{  "type" : "text",\n "body":"caf\\u00e9 \\/ 1.50" }'
    answer = program.call("POST", f"/api/conversations/{conversation}/messages",
                          text.encode(), 201)
    assert b'"type" : "text",\n "body":"caf\\u00e9 \\/ 1.50" }' in answer.content


def test_a_pick_from_a_list_is_returned_in_the_protocols_shape(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("What sizes?")["message"]["conversation"]
    program = Session(server, key=server.make_key(sandbox["id"], "list"))
    items = [{"identifier": name, "title": name.upper(), "order": n, "style": "default"}
             for n, name in enumerate(["s", "m", "l"])]
    sent = program.post(f"/api/conversations/{conversation}/messages", {
        "type": "interactive",
        "interactiveData": {
            "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
                   "com.apple.icloud.apps.messages.business.extension",
            "data": {"version": "1.0", "requestIdentifier": str(uuid.uuid4()),
                     "images": [],
                     "listPicker": {"sections": [{
                         "title": "Sizes", "order": 0, "multipleSelection": False,
                         "items": items}]}},
            "receivedMessage": {"title": "Choose a size", "style": "icon"},
            "replyMessage": {"title": "Size chosen", "style": "icon"}}}, 201)
    phone.choose(sent["id"], expect=422, list={"identifiers": ["xl"]})
    phone.choose(sent["id"], expect=422, list={"identifiers": ["s", "m"]})
    reply = phone.choose(sent["id"], list={"identifiers": ["m"]})["message"]
    sections = reply["payload"]["interactiveData"]["data"]["listPicker"]["sections"]
    assert [item["identifier"] for item in sections[0]["items"]] == ["m"]
    assert [item["identifier"] for item in sections[1]["items"]] == ["s", "l"]
    assert reply["inReplyTo"] == sent["id"]


def test_the_same_id_twice_is_stored_once(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("Hello")["message"]["conversation"]
    program = Session(server, key=server.make_key(sandbox["id"], "twice"))
    path = f"/api/conversations/{conversation}/messages"
    body = {"id": str(uuid.uuid4()), "type": "text", "body": "Once"}
    first = program.call("POST", path, body, 201)
    again = program.call("POST", path, body, 201)
    assert first.content == again.content
    program.post(path, {**body, "body": "Another"}, 409)
    assert len(program.fetch(path)["data"]) == 2


def test_a_first_message_whose_answer_was_lost_makes_no_second_customer(server, owner, sandbox):
    body = {"id": str(uuid.uuid4()), "text": "Is anybody there?", "locale": "en_US",
            "secret": secrets.token_urlsafe(32)}
    path = f"/api/phone/{sandbox['id']}/messages"
    lost = Customer(server, sandbox["id"]).post(path, body, 201)["message"]
    phone = Customer(server, sandbox["id"])
    again = phone.post(path, body, 201)["message"]
    assert again == lost
    assert phone.say("It is me")["message"]["sequence"] == 2
    other = {**body, "id": str(uuid.uuid4()), "secret": secrets.token_urlsafe(32)}
    another = Customer(server, sandbox["id"]).post(path, other, 201)["message"]
    assert another["conversation"] != lost["conversation"]


def test_a_customer_who_left_gets_no_message_until_they_write_again(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("Hello")["message"]["conversation"]
    program = Session(server, key=server.make_key(sandbox["id"], "left"))
    path = f"/api/conversations/{conversation}/messages"
    phone.call("DELETE", f"/api/phone/{sandbox['id']}/conversation", expect=204)
    refusal = program.post(path, {"type": "text", "body": "Still there?"}, 409)
    assert refusal["code"] == "customer_left"
    phone.say("I am back")
    program.post(path, {"type": "text", "body": "Welcome back"}, 201)


def test_a_batch_has_a_result_for_each_message(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("Hello")["message"]["conversation"]
    program = Session(server, key=server.make_key(sandbox["id"], "batch"))
    answer = program.post("/api/messages/batch", {"messages": [
        {"conversation": conversation, "payload": {"type": "text", "body": "One"}},
        {"conversation": conversation, "payload": {"type": "text"}},
        {"conversation": str(uuid.uuid4()), "payload": {"type": "text", "body": "Two"}},
        {"conversation": conversation, "payload": {"type": "text", "body": "Three"}}]})
    assert [result["status"] for result in answer["results"]] == [201, 422, 404, 201]


def test_an_event_stream_resumes_after_the_last_id(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    conversation = phone.say("One")["message"]["conversation"]
    program = Session(server, key=server.make_key(sandbox["id"], "stream"))
    head = program.fetch(f"/api/conversations/{conversation}/messages")["head"]
    path = f"/api/conversations/{conversation}/messages"
    for body in ("a", "b", "c"):
        program.post(path, {"type": "text", "body": body}, 201)
    with program.get(server.url + "/api/events", headers={"Last-Event-ID": head},
                     stream=True, timeout=10) as stream:
        seen = []
        for line in stream.iter_lines():
            if line.startswith(b"data: ") and b'"message.accepted"' in line:
                event = json.loads(line[6:])
                if event["conversation"] == conversation:
                    seen.append(event["data"]["message"]["payload"]["body"])
            if len(seen) == 3:
                break
    assert seen == ["a", "b", "c"]
