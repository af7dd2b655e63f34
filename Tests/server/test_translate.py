"""The command translate, and what it writes given to libraries that model the vendors' objects."""

import json
import warnings

import pytest
from linebot.v3.messaging.models import Message as LINEMessage
from pywa.types import Button, Section, SectionList, SectionRow
from slack_sdk.models.blocks import Block, Option
from support.lint import run
from support.server import ROOT
from telegram import InlineKeyboardMarkup
from telegram.constants import InlineKeyboardButtonLimit, InlineKeyboardMarkupLimit, MessageLimit

OUTBOUND = ROOT / "Schemas" / "examples" / "outbound"
LIST = OUTBOUND / "list-picker" / "valid-two-sections.json"
CORPUS = sorted(path for path in OUTBOUND.rglob("*.json") if not path.name.endswith(".expected.json"))


def translate(to, *files):
    """The translations of those files that have one, by file."""
    ran = run("translate", "--from", "messages-for-business", "--to", to, "--format", "json", *files)
    assert ran.returncode in (0, 1), ran.stderr.decode()
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    return {line["file"]: line for line in lines}


def of_corpus(to):
    """The messages of the whole corpus in a vendor's shape."""
    made = translate(to, *CORPUS)
    assert len(made) > 100
    return {file: line["message"] for file, line in made.items()}


@pytest.mark.parametrize("words, stdin, code", [
    (["--from", "messages-for-business", "--to", "slack", LIST], None, 0),
    (["--from", "telegram", "--to", "line", "-"], b'{"text":"a"}', 0),
    (["--from", "telegram", "--to", "line", "-"], b'{"text":5}', 1),
    (["--from", "messages-for-business", "--to", "line", "-"], b'{"type":"typing_start"}', 1),
    (["--from", "telegram", "--to", "line", "-"], b"{", 1),
    (["--from", "telegram", "--to", "telegram", "-"], b"{}", 2),
    (["--from", "telegramm", "--to", "line", "-"], b"{}", 2),
    (["--to", "line", "-"], b"{}", 2),
    (["--from", "telegram", "--to", "line"], None, 2),
    (["--from", "telegram", "--to", "line", "no-such-file"], None, 2),
    (["--from", "telegram", "--to", "line", "--format", "xml", "-"], b"{}", 2),
])
def test_exit_codes(words, stdin, code):
    ran = run("translate", *words, stdin=stdin)
    assert ran.returncode == code, ran.stderr
    assert bool(ran.stdout) == (code == 0)
    if code == 2:
        assert ran.stderr.startswith(b"frontdesk: ")
    if code == 1:
        assert ran.stderr


def test_the_result_goes_to_standard_output_and_what_is_lost_beside_it():
    ran = run("translate", "--from", "messages-for-business", "--to", "whatsapp", LIST)
    rows = json.loads(ran.stdout)["interactive"]["action"]["sections"][0]["rows"]
    assert [row["id"] for row in rows] == ["s", "m", "l"]
    lost = ran.stderr.decode().splitlines()
    assert any(line.startswith(f"{LIST}:32:") and ": changed: /interactiveData/data/listPicker/sections/1/"
               "multipleSelection: " in line for line in lost), lost
    assert b"did you mean telegram?" in run("translate", "--from", "telegramm", "--to", "line", "-", stdin=b"").stderr


def test_slack_sdk_reads_the_whole_corpus():
    count = 0
    for file, message in of_corpus("slack").items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            blocks = Block.parse_all(message.get("blocks", []))
        for block, own in zip(blocks, message.get("blocks", []), strict=True):
            block.validate_json()
            assert block.to_dict() == own, file
            for element in [getattr(block, "accessory", None), *(getattr(block, "elements", None) or [])]:
                if element:
                    element.validate_json()
                    for option in Option.parse_all(getattr(element, "options", None)) or []:
                        option.validate_json()
                    count += 1
    assert count > 50


def test_line_bot_sdk_reads_the_whole_corpus():
    for file, message in of_corpus("line").items():
        read = LINEMessage.from_dict(message)
        assert prune(json.loads(read.to_json())) == message, file


def prune(value):
    """Without members that are null, which the library writes."""
    if isinstance(value, dict):
        return {name: prune(inner) for name, inner in value.items() if inner is not None}
    return [prune(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def test_python_telegram_bot_reads_the_whole_corpus():
    count = 0
    for file, message in of_corpus("telegram").items():
        assert MessageLimit.MIN_TEXT_LENGTH <= len(message["text"]) <= MessageLimit.MAX_TEXT_LENGTH, file
        if "reply_markup" not in message:
            continue
        keyboard = InlineKeyboardMarkup.de_json(message["reply_markup"], None)
        assert keyboard.to_dict() == message["reply_markup"], file
        buttons = [button for row in keyboard.inline_keyboard for button in row]
        assert len(buttons) <= InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER
        assert max(map(len, keyboard.inline_keyboard)) <= InlineKeyboardMarkupLimit.BUTTONS_PER_ROW
        for button in buttons:
            data = (button.callback_data or "x").encode()
            limit = InlineKeyboardButtonLimit
            assert limit.MIN_CALLBACK_DATA <= len(data) <= limit.MAX_CALLBACK_DATA, file
        count += 1
    assert count > 50


def test_pywa_makes_the_same_whatsapp_objects():
    kinds = set()
    for file, message in of_corpus("whatsapp").items():
        interactive = message.get("interactive", {})
        action = interactive.get("action", {})
        kinds.add(interactive.get("type"))
        if interactive.get("type") == "button":
            for button in action["buttons"]:
                same = Button(title=button["reply"]["title"], callback_data=button["reply"]["id"])
                assert same.to_dict() == button, file
        if interactive.get("type") == "list":
            sections = [
                Section(title=section.get("title"), rows=[
                    SectionRow(title=row["title"], callback_data=row["id"], description=row.get("description"))
                    for row in section["rows"]]) for section in action["sections"]]
            assert prune(SectionList(button_title=action["button"], sections=sections).to_dict()) == action, file
    assert kinds == {None, "button", "list", "cta_url"}
