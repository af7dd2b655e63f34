"""Messages with files that are sent again: the first answer comes, or that they were erased."""

import uuid

import pytest
from support.server import Customer, Session

OCTETS = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def program(server, sandbox):
    """A key's session with the conversation it writes to."""
    made = Session(server, key=server.make_key(sandbox["id"], "files"))
    made.customer = Customer(server, sandbox["id"])
    made.path = f"/api/conversations/{made.customer.say('Hello')['message']['conversation']}"
    return made


def upload(customer, name, content):
    """A file of the customer's; its id."""
    return customer.post(f"/api/phone/{customer.business}/attachments?name={name}", content, 201, headers=OCTETS)["id"]


def test_a_customer_s_message_is_the_same_whatever_its_file_was_called_since(program):
    customer, message = program.customer, str(uuid.uuid4())
    file = upload(customer, "bill.txt", b"a bill")
    first = customer.say("See", message=message, attachments=[file])
    assert upload(customer, "invoice.txt", b"a bill") == file
    assert customer.say("See", message=message, attachments=[file]) == first
    # Another text under its id is another message still, and what comes next has the new name.
    customer.say("Look", message=message, attachments=[file], expect=409)
    customer.say("Again", attachments=[file])
    names = [one["attachments"][0]["name"] for one in program.fetch(program.path + "/messages")["data"] if one["attachments"]]
    assert names == ["bill.txt", "invoice.txt"]


def test_a_customer_s_message_with_a_file_that_was_erased_is_refused_as_one(program):
    customer, message = program.customer, str(uuid.uuid4())
    file = upload(customer, "gone.txt", b"to be erased")
    customer.say("See", message=message, attachments=[file])
    program.call("DELETE", f"{program.path}/messages/{message}")
    assert customer.say("See", message=message, attachments=[file], expect=410)["code"] == "message_erased"
    # One that was never there names a file that is gone.
    customer.say("See", attachments=[file], expect=404)


def test_a_program_s_message_with_a_file_that_was_erased_is_refused_as_one(program):
    held = program.post(f"/api/attachments?conversation={program.path.rsplit('/', 1)[1]}&name=a.txt", b"of the shop", 201, headers=OCTETS)
    message = {"id": str(uuid.uuid4()), "type": "text", "body": "\ufffc", "attachments": [held["attachment"]]}
    program.post(program.path + "/messages", message, 201)
    program.call("DELETE", f"{program.path}/messages/{message['id']}")
    assert program.post(program.path + "/messages", message, 410)["code"] == "message_erased"
    assert program.post(program.path + "/messages", {**message, "id": str(uuid.uuid4())}, 422)["code"] == "invalid"
