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


# One planted line for each word: the file that it is put into, and the line.
PLANTED = {
    "house": ("docs/a.md", "The house answers."),
    "world": ("Sources/DeskA/A.swift", "struct World {}"),
    "rooms": ("docs/a.md", "The rooms of the server."),
    "crew, resting stream": ("Sources/DeskA/A.swift", "/// Runs the crew."),
    "crew of the gateway": ("Sources/DeskA/A.swift", "struct GatewayCrew {}"),
    "outside party": ("Sources/DeskA/A.swift", "struct ProviderParty {}"),
    "outside party, its type": ("Sources/DeskA/A.swift", "protocol OutsideParty {}"),
    "bell": ("Sources/DeskA/A.swift", "let bell = Signal()"),
    "hurry, hasten, revive": ("web/a.js", "// The deliveries hurry."),
    "ailment": ("Sources/DeskA/A.swift", "enum Ailment {}"),
    "mend": ("docs/a.md", "`doctor` mends the text."),
    "paper": ("Sources/DeskA/A.swift", "let asPaper = true"),
    "shelf": ("Sources/DeskA/A.swift", "let shelf = Files()"),
    "gate": ("Sources/DeskA/A.swift", "struct BatchGate {}"),
    "door": ("Sources/DeskA/A.swift", "struct KeyDoor {}"),
    "call of a route": ("Sources/DeskA/A.swift", "func read(_ call: Call) {}"),
    "keeper, right": ("Sources/DeskA/A.swift", "routes.add(right: .owner)"),
    "pace, rate book": ("Sources/DeskA/A.swift", "routes.add(pace: .write)"),
    "floor": ("Sources/DeskA/A.swift", "let floor = conversation.newest"),
    "turnstile": ("Sources/DeskA/A.swift", "let turnstile = Lock()"),
    "lane": ("Sources/DeskA/A.swift", "final class PasswordLane {}"),
    "hot conversation, settlement": ("Sources/DeskA/A.swift", "struct Settlement {}"),
    "milestone, stretch": ("Sources/DeskA/A.swift", "/// A stretch of the log."),
    "seal": ("Sources/DeskStore/A.swift", "struct RowSeal {}"),
    "directory of names": ("Sources/DeskA/A.swift", "final class Directory {}"),
    "seat, book": ("Sources/DeskA/A.swift", "final class StreamBook {}"),
    "stranger": ("docs/a.md", "A stranger asks."),
    "late handler, front door": ("Sources/DeskA/A.swift", "struct FrontDoor {}"),
    "the customer's end": ("docs/a.md", "At the customer's end."),
    "whoever, nobody": ("Sources/DeskA/A.swift", "/// Whoever asks is refused."),
    "what is over": ("docs/a.md", "Sessions are forgotten when their time is over."),
    "tell, told": ("Sources/DeskA/A.swift", "func tell(_ event: Event) {}"),
    "take, taken": ("Sources/DeskA/A.swift", "/// Takes a request."),
    "prove": ("Sources/DeskA/A.swift", "/// Proves the credential."),
}


def test_every_enforced_word_has_a_planted_line():
    words = load("retired-words").WORDS
    assert [word.name for word in words if word.is_replaced] == list(PLANTED)


@pytest.mark.parametrize("word", PLANTED)
def test_each_word_is_found_where_it_is_planted(retired, word):
    name, line = PLANTED[word]
    code, found = retired({name: f"Text.\n{line}\n"})
    assert code == 1
    assert [one for one in found if one.startswith(f'{name}:2: "{word}" is retired: ')]


@pytest.mark.parametrize("name, line", [
    ("Sources/DeskStoreSQLite/A.swift", '"SELECT e.seal FROM events e"'),
    ("Sources/DeskStoreSQLite/A.swift", '"SELECT position FROM milestones WHERE key = ?"'),
    ("Sources/DeskCrypto/A.swift", "let sealed = try AESGCM.seal(text, key: key)"),
    ("web/a.css", ".rail { align-items: stretch; }"), ("web/a.js", "const half = Math.floor(count / 2);"),
    ("web/a.js", "this.#take(page);"), ("docs/a.md", "A restore took 212 s there."),
    ("docs/a.md", "The message is over 4 MiB."),
    ("Sources/DeskA/A.swift", 'throw Problem(.invalid, "Take it out.")')])
def test_plain_english_and_the_names_of_others_are_left_alone(retired, name, line):
    assert retired({name: line + "\n", "docs/b.md": "Text.\n"}) == (0, [])


def test_words_still_to_be_replaced_are_shown_when_asked_for_and_fail_nothing(tmp_path):
    module = load("retired-words")
    later = module.Word("gate", r"\bgate\b", "request pipeline", is_replaced=False)
    (tmp_path / "a.md").write_text("The gate.\n")
    assert [(word.name, name, number) for word, name, number
            in module.find(tmp_path, ["a.md"], [later])] == [("gate", "a.md", 1)]
