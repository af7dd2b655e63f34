"""The commands that look at payloads: exit codes, fixes, folders, explanations, schemas, the doctor."""

import json
import os
import re
import shutil
import stat
import subprocess
import time

import pytest
from support.server import BINARY, ROOT
from support.lint import run

EXAMPLES = ROOT / "Schemas" / "examples"
VALID = EXAMPLES / "outbound" / "text" / "valid-plain.json"
INVALID = EXAMPLES / "outbound" / "text" / "invalid-business-name.json"
OLD = EXAMPLES / "outbound" / "attachments" / "valid-old-spelling.json"
WARNS = '{"type":"text","body":"a \ufffc"}'.encode()
COMMANDS = ["lint", "explain", "doctor", "translate", "schema list", "schema show"]


@pytest.mark.parametrize("words, stdin, code", [
    (["lint", VALID], None, 0),
    (["lint", INVALID], None, 1),
    (["lint", VALID, INVALID], None, 1),
    (["lint", "--profile", "lenient", INVALID], None, 0),
    (["lint", "-"], WARNS, 0),
    (["lint", "--warnings", "error", "-"], WARNS, 1),
    (["lint", "-"], b"{", 1),
    (["lint"], None, 2),
    (["lint", "no-such-file.json", VALID], None, 2),
    (["lint", "--format", "xml", VALID], None, 2),
    (["lint", "--wanings", "error", VALID], None, 2),
    (["explain"], None, 0),
    (["explain", "slot-not-utc"], None, 0),
    (["explain", "slot-utc"], None, 2),
    (["schema", "list"], None, 0),
    (["schema", "show", "list-picker"], None, 0),
    (["schema", "show", "list-pickr"], None, 2),
    (["doctor", VALID], None, 0),
    (["doctor", "-"], b"\xef\xbb\xbf{}", 1),
    (["doctor", "--write", "-"], b"\xef\xbb\xbf{}", 0),
    (["doctor", "no-such-file"], None, 2),
])
def test_exit_codes(words, stdin, code):
    ran = run(*words, stdin=stdin)
    assert ran.returncode == code, ran.stderr
    if code == 2:
        assert ran.stderr.startswith(b"frontdesk: ") and not ran.stdout


def test_a_hint_names_the_nearest_known_word():
    for words, hint in [
        (["explain", "slot-not-ut"], "slot-not-utc"),
        (["explain", "slot-utc"], "slot-not-utc"),
        (["schema", "show", "list-pickr"], "list-picker"),
        (["lint", "--profile", "strct", VALID], "strict"),
        (["lint", "--capabilities", "LST", VALID], "LIST"),
    ]:
        assert hint in run(*words).stderr.decode()


def test_every_rule_is_explained_by_its_page():
    listed = run("explain").stdout.decode().splitlines()[1:]
    rules = [line.split()[0] for line in listed]
    assert len(rules) > 50
    # Rules of requests cannot occur in a payload.
    requests = {f"request-{word}" for word in ("missing", "unknown", "type", "value")}
    pages = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")} - {"README"}
    assert set(rules) | requests == pages
    for rule in [*rules[:3], *rules[-3:], *requests]:
        page = (ROOT / "docs" / "rules" / f"{rule}.md").read_text()
        assert run("explain", rule).stdout.decode().rstrip("\n") == page.rstrip("\n")


def test_schemas_are_shown_as_they_are():
    names = [line.split()[:2] for line in run("schema", "list").stdout.decode().splitlines()]
    assert ["outbound", "form"] in names and ["inbound", "form-reply"] in names
    shown = run("schema", "show", "list-picker", "--direction", "inbound").stdout.decode()
    assert shown == (ROOT / "Schemas" / "inbound" / "list-picker-reply.json").read_text()
    assert json.loads(run("schema", "show", "lint-settings").stdout)["title"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_the_help_page_run(command, tmp_path):
    page = run(*command.split(), "--help").stdout.decode()
    assert all(len(line) <= 100 for line in page.splitlines())
    examples = re.search(r"Examples:\n((?:  .*\n?)+)", page)[1].splitlines()
    assert examples
    (tmp_path / "drafts").mkdir()
    shutil.copy(VALID, tmp_path / "drafts" / "hello.json")
    where = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}"}
    for line in examples:
        ran = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=where, capture_output=True,
                             timeout=60)
        assert ran.returncode == 0, (line, ran.stderr)


def test_a_fix_is_written_and_the_remaining_findings_are_reported(tmp_path):
    file = tmp_path / "a.json"
    shutil.copy(OLD, file)
    file.chmod(0o640)
    ran = run("lint", "--fix", file)
    assert b"fixed: " in ran.stderr and b"old-spelling" in ran.stderr
    assert ran.returncode == 0 and not ran.stdout
    assert '"mimeType"' in file.read_text() and "mime-type" not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    piped = run("lint", "--fix", "-", stdin=OLD.read_bytes())
    assert piped.stdout.decode() == file.read_text()
    untouched = file.stat().st_ino
    assert run("lint", "--fix", file).returncode == 0 and file.stat().st_ino == untouched


def test_settings_are_found_above_a_file_and_flags_win(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    file = tmp_path / "deep" / "er" / "a.json"
    shutil.copy(INVALID, file)
    settings = tmp_path / ".frontdesk-lint.json"
    settings.write_text('{"profile":"lenient"}')
    assert run("lint", file).returncode == 0
    assert run("lint", "--profile", "strict", file).returncode == 1
    assert run("lint", "-", stdin=INVALID.read_bytes(), cwd=tmp_path / "deep").returncode == 0
    settings.write_text('{"profil":"lenient"}')
    ran = run("lint", file)
    assert ran.returncode == 2 and b'did you mean "profile"?' in ran.stderr


@pytest.mark.parametrize("letter", ["t", "茶", "🍵"])
def test_a_template_has_a_title_of_200_characters_and_a_description_of_2000(letter, tmp_path):
    for title, description, code in [(200, 2000, 0), (201, 2000, 1), (200, 2001, 1), (0, 0, 1)]:
        (tmp_path / "t.json").write_text(json.dumps({
            "name": "t", "title": letter * title, "description": letter * description,
            "payload": {"type": "text", "body": "Hi"}}, ensure_ascii=False))
        ran = run("lint", "--kind", "template", tmp_path / "t.json")
        assert ran.returncode == code, (title, description, ran.stdout, ran.stderr)


def test_text_of_others_moves_no_terminal_cursor_and_starts_no_command(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes('{"type":"text","body":"a","\u009b31m\u202e\n::error::x":1}'.encode())
    for format in ("text", "github"):
        out = run("lint", "--format", format, file).stdout.decode()
        assert not set(out) & {"\u009b", "\u202e", "\x1b"}
        assert not re.search(r"^::error::x", out, re.M)
    file.write_bytes('{"type":"text","body":"a","%0A::error::y\u202e":1}'.encode())
    out = run("lint", "--format", "github", file).stdout.decode()
    assert "%250A::error::y" in out and out.count("\n") == 1


def test_a_long_line_is_cut_around_the_place(tmp_path):
    file = tmp_path / "a.json"
    file.write_text('{"type":"text","body":"' + "é" * 4000 + '","colour":1}')
    lines = run("lint", file).stdout.decode().splitlines()
    assert lines[1].strip().startswith("...") and len(lines[1]) < 120
    assert lines[1][lines[2].index("^"):].startswith('"colour"')


def test_the_doctor_repairs_a_file_in_place(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes('12:00 sent {\\"type\\":\\"text\\",\\"body\\":\\"a\\"}'.encode("utf-16"))
    report = json.loads(run("doctor", "--format", "json", file).stdout)
    assert [a["id"] for a in report["defects"]] == ["utf-16", "log-line", "escaped-json"]
    assert run("doctor", "--write", file).returncode == 0
    assert file.read_text() == '{"type":"text","body":"a"}' == report["repaired"]
    assert run("doctor", file).returncode == 0


def test_ten_thousand_files_are_checked_in_seconds(tmp_path):
    text = VALID.read_bytes()
    for number in range(10_000):
        (tmp_path / f"{number:05}.json").write_bytes(text)
    shutil.copy(INVALID, tmp_path / "zzz.json")
    started = time.monotonic()
    ran = run("lint", tmp_path)
    # Five seconds on a quiet machine of two cores; others may be at work on this one.
    assert time.monotonic() - started < 30
    assert ran.returncode == 1
    assert b"1 error, 0 warnings in 10001 files" in ran.stderr
