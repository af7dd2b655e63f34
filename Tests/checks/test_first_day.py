"""The page for an owner's first day names what is on the screens as the screens do."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINE = re.compile(r'^\s*"[\w.-]+":\s*(.*),?\s*$')
# Texts with a value in them, as the page says them.
FILLED = {"Open My business for customers": "Open {name} for customers", "Choose members": "Choose members ({count})", "Ready text": "Ready text: {title}"}


def texts():
    """All texts of the console in English."""
    found = set()
    for file in (ROOT / "web" / "i18n" / "en").glob("*.js"):
        for line in file.read_text().splitlines():
            if said := LINE.match(line):
                found.update(re.findall(r'"((?:[^"\\]|\\.)*)"', said.group(1)))
    return found


def words_of(page):
    """What the page writes in italics: words of the screens."""
    plain = re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.S)
    return [" ".join(one.split()) for one in re.findall(r"(?<![*\w])\*([^*]+)\*(?![*\w])", plain)]


def unknown(page, known):
    """The words that no screen has."""
    return sorted({one for one in words_of(page) if FILLED.get(one, one) not in known})


def test_every_word_of_a_screen_on_the_page_about_the_first_day_is_on_a_screen():
    page = (ROOT / "docs" / "first-day.md").read_text()
    assert len(words_of(page)) > 40
    assert unknown(page, texts()) == []


@pytest.mark.parametrize("page, found", [("Press *Save*, then *Sve*.", ["Sve"]), ("`*Sve*` and **bold**", []), ("*Ready text*", [])])
def test_a_word_that_no_screen_has_is_found(page, found):
    assert unknown(page, {"Save", "Ready text: {title}"}) == found
