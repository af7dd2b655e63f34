"""What code generators make of docs/openapi.json works against a started server."""

import importlib
import re
import subprocess
import sys
import uuid

import pytest
from support.cards import answered_cards
from support.ends import merchant  # noqa: F401
from support.server import ROOT, Customer, Session

DOCUMENT = ROOT / "docs" / "openapi.json"


def generate(*words):
    """Runs a generator; its output, of both streams."""
    ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def conversation(server, owner, sandbox):
    """A conversation of the sandbox that a new customer began."""
    phone = Customer(server, sandbox["id"])
    message = phone.say("Is my order ready?")["message"]
    return message["conversation"]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The package that openapi-python-client generates; every operation is in it."""
    folder = tmp_path_factory.mktemp("generated")
    settings = folder / "settings.yml"
    settings.write_text("post_hooks: []\n")
    said = generate("openapi_python_client", "generate", "--path", str(DOCUMENT), "--meta", "none",
                    "--config", str(settings), "--output-path", str(folder / "frontdesk_client"))
    for trouble in ("Endpoint will not be generated", "Unable to process schema", "duplicate models"):
        assert trouble not in said, said
    sys.path.insert(0, str(folder))
    yield importlib.import_module("frontdesk_client")
    sys.path.remove(str(folder))


def operation(name):
    """A generated operation's module, such as `conversations.list_conversations`."""
    return importlib.import_module(f"frontdesk_client.api.{name}")


def test_a_generated_client_lists_conversations_and_sends_messages(server, owner, sandbox, conversation, client):
    models = importlib.import_module("frontdesk_client.models")
    calling = client.AuthenticatedClient(base_url=server.url, token=server.make_key("Sandbox"))
    with calling:
        page = operation("conversations.list_conversations").sync(client=calling)
        found = next(one for one in page.data if str(one.id) == conversation)
        assert found.state.value == "open" and found.last_message.summary == "Is my order ready?"
        send = operation("messages.send_message")
        payload = models.Payload.from_dict({"type": "text", "body": "It is."})
        sent = send.sync_detailed(uuid.UUID(conversation), client=calling, body=payload)
        assert sent.status_code == 201
        assert sent.parsed.payload["body"] == "It is." and sent.parsed.author.type_.value == "key"
        receipt = send.sync(uuid.UUID(conversation), client=calling, body=payload, prefer="return=minimal")
        assert type(receipt).__name__ == "MessageReceipt" and receipt.sequence > sent.parsed.sequence
        refused = send.sync_detailed(
            uuid.UUID(conversation), client=calling, body=models.Payload.from_dict({"type": "text"}))
        assert refused.status_code == 422
        assert refused.parsed.code.value == "invalid" and refused.parsed.errors[0].rule == "missing-key"
        change = operation("conversations.change_conversation")
        changed = change.sync(uuid.UUID(conversation), client=calling,
                              body=models.ChangeConversationConversationChange.from_dict({"state": "pending"}))
        assert changed.state.value == "pending"


def test_a_generated_client_uploads_a_file(server, owner, sandbox, conversation, client, tmp_path):
    types = importlib.import_module("frontdesk_client.types")
    path = tmp_path / "menu.txt"
    path.write_bytes(b"Sencha 12.80\n")
    calling = client.AuthenticatedClient(base_url=server.url, token=server.make_key("Sandbox"))
    with calling, path.open("rb") as file:
        stored = operation("messages.upload_attachment").sync(
            client=calling, conversation=uuid.UUID(conversation), name="menu.txt",
            body=types.File(payload=file, file_name="menu.txt"))
    assert stored.size == 13 and stored.name == "menu.txt"


def test_generated_models_parse_everything_of_a_filled_server_and_lose_nothing(
        server, owner, sandbox, conversation, merchant, tmp_path, monkeypatch):  # noqa: F811
    generate("datamodel_code_generator", "--input", str(DOCUMENT), "--input-file-type", "openapi",
             "--output", str(tmp_path / "frontdesk_models.py"), "--output-model-type", "pydantic_v2.BaseModel",
             "--use-title-as-name", "--formatters", "builtin")
    text = (tmp_path / "frontdesk_models.py").read_text()
    assert "class Message(" in text
    assert re.findall(r"^class (\w*\d)\(", text, re.M) == [], "a name that a generator numbered"
    monkeypatch.syspath_prepend(tmp_path)
    models = importlib.import_module("frontdesk_models")

    key = Session(server, key=server.make_key("Sandbox"))
    cards = [content for content, _ in answered_cards(merchant)]
    for content in [{"type": "text", "body": "The cards:"}, *cards]:
        key.post(f"/api/conversations/{conversation}/messages", content, 201)
    key.post(f"/api/conversations/{conversation}/notes", {"text": "All of them."}, 201)
    conversations = key.fetch("/api/conversations")["data"]
    kinds, messages = set(), 0
    for one in conversations:
        kept = models.Conversation.model_validate(one).model_dump(mode="json", exclude_unset=True, by_alias=True)
        # Times are written anew, with other digits.
        assert kept.keys() == one.keys() and kept["customer"] == one["customer"]
        page = key.fetch(f"/api/conversations/{one['id']}/messages?page[size]=300")
        for message in page["data"]:
            parsed = models.Message.model_validate(message)
            assert parsed.model_dump(mode="json", by_alias=True)["payload"] == message["payload"]
            kinds.add(message["kind"])
            messages += 1
        for note in page["notes"]:
            models.Note.model_validate(note)
        for event in page["events"]:
            models.ThreadEvent.model_validate(event)
    assert messages > 10 and {"text", "quickReply", "list", "time", "form", "payment", "authentication"} <= kinds
