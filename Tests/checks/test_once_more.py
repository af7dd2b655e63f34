"""Few tests that failed beside the other checks run once more, by themselves, and are named."""

import shlex
import sys

import pytest

# Fails as often as its file says, then passes.
SHAKY = """\
import pathlib

import pytest

LEFT = pathlib.Path(__file__).with_name("left")


@pytest.mark.parametrize("number", range({count}))
def test_that_is_shaky(number):
    left = int(LEFT.read_text())
    LEFT.write_text(str(left - 1))
    assert left <= 0, f"{{left}} - left"


def test_that_holds():
    pass
"""


@pytest.fixture
def shaky(checks, tmp_path, monkeypatch):
    """Makes and runs a check whose tests fail so many times; returns what `once_more` brought."""
    monkeypatch.setattr(checks, "PYTEST", checks.PYTEST.replace(".venv/bin/python", sys.executable))

    def run(count, fails):
        (tmp_path / "test_shaky.py").write_text(SHAKY.format(count=count))
        (tmp_path / "left").write_text(str(fails))
        check = checks.python("shaky", str(tmp_path / "test_shaky.py"))
        passed, failed = check.run()
        assert passed + failed == count + 1
        return failed, checks.once_more([(check, failed)] if failed else [])
    return run


def test_a_test_that_fails_once_passes_when_it_runs_by_itself_and_is_named(shaky, capsys):
    assert shaky(3, 2) == (2, 2)
    printed = capsys.readouterr().out
    assert "FAIL shaky" in printed and "2 - left" in printed
    assert "failed: shaky " in printed and "test_shaky.py::test_that_is_shaky[0]" in printed
    assert printed.count("note: failed beside others, passed by itself: ") == 2


def test_a_test_that_fails_again_has_failed(shaky, capsys):
    assert shaky(1, 2) == (1, 0)
    assert "passed by itself" not in capsys.readouterr().out


def test_where_many_fail_nothing_is_tried_again(shaky, checks):
    count = checks.MOST_AGAIN + 1
    assert shaky(count, count) == (count, 0)


def test_what_fails_without_the_name_of_a_test_is_not_tried_again(checks, capsys):
    check = checks.python("broken", "no/such/file.py")
    assert checks.once_more([(check, 1)]) == 0
    assert "failed: broken as a whole" in capsys.readouterr().out


def test_of_what_ended_without_a_failed_test_it_is_said_how_and_what_was_under_way(checks, capsys):
    begun = '\u25c7 Test "it waits" started.\n\u25c7 Test "it holds" started.\n\u2714 Test "it holds" passed after 0.1 seconds.\n'
    check = checks.swift("fatal", f"printf '%s' {shlex.quote(begun)}; exec sh -c 'kill -ABRT $$'")
    assert check.run() == (1, 1)
    checks.once_more([(check, 1)])
    assert 'failed: fatal as a whole, ended with -6; under way: "it waits"\n' in capsys.readouterr().out


def test_failed_swift_tests_and_faults_are_named(checks):
    assert checks.swift_failed("✘ Test \"it holds\" with 3 test cases failed after 0.1 seconds with 1 issue.\n"
                               "✘ Test \"it holds\" recorded an issue\n✔ Test plain() passed after 0.1 seconds.\n"
                               ) == ['"it holds"']
    # What a server says may begin the line.
    assert checks.swift_failed('a server says ✘ Test "it holds" failed after 0.1 seconds with 1 issue.\n') == ['"it holds"']
    assert checks.faults_again(["Tests/faults/test_kill.py::test_a[1]", "Tests/faults/test_kill.py::test_b"]
                               ) == "scripts/test-faults --short kill"
