"""A check that hangs is stopped, fails, and says which tests were under way."""

import os
import pathlib
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SWIFT = """\
◇ Test run started.
◇ Test "a thing holds" started.
◇ Test "another thing holds" started.
◇ Test plain() started.
✔ Test "a thing holds" with 3 test cases passed after 0.001 seconds.
✘ Test plain() failed after 0.001 seconds with 1 issue.
◇ Test "a thing holds" started.
"""


def is_alive(pid):
    """Whether a process runs; one that has ended and is not collected does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def stopped(checks, capsys, command, longest=2, **more):
    """Runs a command that hangs as a check; returns its output and its duration."""
    began = time.monotonic()
    counts = checks.Check("hanging", command, longest=longest, **more).run()
    assert counts[1] > 0
    return capsys.readouterr().out, time.monotonic() - began


def test_a_check_that_hangs_fails_and_its_whole_process_group_is_ended(checks, capsys, tmp_path):
    pids = tmp_path / "pids"
    # A child that heeds no request to end, and one of that child's.
    command = f"echo $$ > {pids}; (trap '' ABRT TERM; sleep 600 & echo $! >> {pids}; wait; sleep 600); true"
    printed, seconds = stopped(checks, capsys, command)
    assert "FAIL hanging" in printed and "The check was stopped after 2 s." in printed
    assert seconds < 60
    end = time.monotonic() + 20
    for pid in map(int, pids.read_text().split()):
        while is_alive(pid):
            assert time.monotonic() < end, f"{pid} is left"
            time.sleep(0.02)


def test_swift_tests_that_began_and_did_not_end_are_named(checks, capsys, tmp_path):
    log = tmp_path / "said"
    log.write_text(SWIFT)
    printed, _ = stopped(checks, capsys, f"cat {log}; sleep 600", count=checks.swift_tests,
                         under_way=checks.swift_under_way)
    assert printed.rstrip().endswith('Under way: "a thing holds", "another thing holds"')


def test_a_python_test_that_cannot_be_interrupted_is_named(checks, capsys, tmp_path):
    test = tmp_path / "test_stuck.py"
    test.write_text("import time\n\n\ndef test_that_never_ends():\n"
                    "    while True:\n        time.sleep(1)\n")
    # On a busy machine the time may be over before pytest has begun the test.
    for longest in (2, 20, 200):
        printed, _ = stopped(
            checks, capsys, f"{sys.executable} -m pytest -q -p no:cacheprovider {test}",
            longest=longest, count=checks.pytest_tests, under_way=checks.pytest_under_way)
        if "Under way: test_stuck.py::test_that_never_ends" in printed:
            return
    pytest.fail(printed)


def test_a_python_test_that_hangs_fails_by_its_name_and_the_rest_continues(checks, tmp_path):
    test = tmp_path / "test_stuck.py"
    test.write_text("import time\n\n\ndef test_that_hangs():\n    time.sleep(600)\n\n\n"
                    "def test_that_works():\n    pass\n")
    command = checks.PYTEST.replace("--timeout=300", "--timeout=1").replace(
        ".venv/bin/python", sys.executable)
    assert "--timeout=1 " in command
    check = checks.Check("python", f"{command} {test}", checks.pytest_tests, longest=100)
    assert check.run() == (1, 1)
    said = (tmp_path / "python.log").read_text()
    assert "test_that_hangs" in said and "Timeout" in said


def test_a_javascript_test_that_hangs_fails_by_the_name_of_its_file(checks, tmp_path):
    test = tmp_path / "stuck.test.js"
    test.write_text("import test from 'node:test';\n"
                    "test('this one hangs', () => new Promise((done) => setTimeout(done, 600000)));\n")
    one = next(check for check in checks.CHECKS if check.name == "web-unit")
    assert "--test-timeout=60000 Tests/web/" in one.command
    command = one.command.replace("--test-timeout=60000 Tests/web/", f"--test-timeout=500 {test}")
    check = checks.Check("node", command, checks.node_tests, longest=100)
    assert check.run()[1] > 0
    said = (tmp_path / "node.log").read_text()
    assert f"not ok 1 - {test}" in said and "test timed out after 500ms" in said


def test_every_check_has_a_limit_and_those_that_run_tests_name_them(checks):
    assert all(0 < check.longest <= 25 * 60 for check in checks.CHECKS)
    silent = [check.name for check in checks.CHECKS
              if check.count in (checks.swift_tests, checks.pytest_tests, checks.fault_tests)
              and not check.under_way]
    assert not silent


def test_a_check_that_ends_in_time_is_counted_as_before(checks, capsys):
    assert checks.Check("fine", "true").run() == (1, 0)
    assert checks.Check("bad", f"exit {os.EX_SOFTWARE}").run() == (0, 1)
    assert "stopped" not in capsys.readouterr().out
