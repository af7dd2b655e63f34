"""scripts/retired-words: names and phrases of the earlier vocabulary, with the places where they are right."""

import subprocess

import pytest

from conftest import ROOT, load


@pytest.fixture
def retired(tmp_path):
    """Says what scripts/retired-words prints of a checkout of the given files, and its exit code."""
    def find(files, *options):
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ran = subprocess.run([str(ROOT / "scripts" / "retired-words"), *options, str(tmp_path)],
                             capture_output=True, text=True, timeout=60)
        assert not ran.stderr, ran.stderr
        return ran.returncode, ran.stdout.splitlines()[1:]
    return find


@pytest.mark.parametrize("name, text, place", [
    ("Sources/DeskA/B.swift", "struct A {}\nstruct TestHouse {}\n", "Sources/DeskA/B.swift:2"),
    ("Sources/DeskA/House.swift", "struct A {}\n", "Sources/DeskA/House.swift:0"),
    ("docs/page.md", "# Page\n\nThe house answers.\n", "docs/page.md:3"),
    ("web/a.js", "// The house answers.\n", "web/a.js:1")])
def test_a_planted_word_is_found_and_fails_the_check(retired, name, text, place):
    code, found = retired({name: text})
    assert code == 1
    assert found == [f'{place}: "house" is retired: server, installation']


@pytest.mark.parametrize("name, text", [
    ("Sources/DeskA/A.swift", "/// Housekeeping in a warehouse.\n"),
    ("CHANGELOG.md", "The house.\n"), ("Schemas/a.json", '"Street and house, at most 10 lines."\n'),
    ("docs/adr/0001-a.md", "**Status.** Superseded by 0002.\n\nThe house.\n"),
    ("Sources/DeskStoreSQLite/A.swift", '"SELECT id, world, scopes FROM keys"\n'),
    ("docs/page.md", "`--world` is read as well.\n")])
def test_a_word_in_an_allowed_place_is_ignored(retired, name, text):
    assert retired({name: text, "docs/b.md": "Text.\n"}) == (0, [])


def test_a_checkout_without_files_fails(retired):
    assert retired({})[0] == 1


def test_words_still_to_be_replaced_are_shown_when_asked_for_and_fail_nothing(tmp_path):
    module = load("retired-words")
    later = module.Word("gate", r"\bgate\b", "request pipeline", is_replaced=False)
    (tmp_path / "a.md").write_text("The gate.\n")
    assert [(word.name, name, number) for word, name, number
            in module.find(tmp_path, ["a.md"], [later])] == [("gate", "a.md", 1)]
