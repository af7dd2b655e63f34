"""The kinds of the audit's records: those of the code are those of the documentation and of the console's texts."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def kinds_of_code():
    """The words that `ChangeFacts` of kept changes have."""
    found = set()
    for file in (ROOT / "Sources/DeskStore/Registry").glob("*Change.swift"):
        for words in re.findall(r"(?:\.kept|facts)\(\s*([^,()]*)", file.read_text()):
            found |= set(re.findall(r'"([a-z_]+)"', words))
    return found


def test_each_kind_of_the_audit_is_documented_and_has_a_sentence_in_the_console():
    kinds = kinds_of_code()
    assert len(kinds) > 50
    documented = set(re.findall(r"^\| `([a-z_]+)` \|", (ROOT / "docs/audit.md").read_text(), re.M))
    shown = set(re.findall(r'"audit\.kind\.([a-z_]+)"', (ROOT / "web/i18n/en/audit.js").read_text()))
    assert documented == kinds
    assert shown == kinds
