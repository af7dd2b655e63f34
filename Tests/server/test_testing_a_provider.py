"""docs/testing-a-provider.md: both examples run unchanged, against a small provider."""

import os
import re
import shutil
import socket
import subprocess
import sys

import pytest
from support.server import BINARY, ROOT

PAGE = (ROOT / "docs" / "testing-a-provider.md").read_text()


@pytest.fixture
def place(tmp_path):
    """A folder with the provider, and an environment in which the page's commands are found."""
    shutil.copy(ROOT / "Tests" / "support" / "echo_provider.py", tmp_path / "my_provider.py")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "frontdesk").symlink_to(BINARY)
    # Not a link: a venv's python finds its packages by its own path.
    (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python3").chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return tmp_path, {**os.environ, "PROVIDER_PORT": str(port),
                      "PATH": f"{programs}:{os.environ['PATH']}"}


def example(language):
    """The one example of a language on the page."""
    [found] = re.findall(rf"```{language} test\n(.*?)```", PAGE, re.S)
    return found


def run_tests(text, place):
    """What pytest says of a file with this text, in the place."""
    folder, environment = place
    (folder / "test_menu.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_menu.py"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def test_the_example_in_python_passes_and_is_ten_lines_long(place):
    text = example("python")
    ran = run_tests(text, place)
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert len(text[text.index("def test_"):].strip().splitlines()) <= 10


def test_several_tests_of_a_provider_that_ends_slowly_pass_one_after_the_other(place):
    provider = place[0] / "my_provider.py"
    provider.write_text("import os, signal, time\nsignal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), os._exit(0)))\n"
                        + provider.read_text())
    text = example("python")
    again = text[text.index("def test_"):].replace("def test_", "def test_again_", 1)
    ran = run_tests(f"{text}\n\n{again}", place)
    assert ran.returncode == 0 and "2 passed" in ran.stdout, ran.stdout + ran.stderr


def test_a_provider_that_does_not_start_is_named_as_the_reason(place):
    (place[0] / "my_provider.py").write_text("raise SystemExit('no port')\n")
    ran = run_tests(example("python"), place)
    assert ran.returncode == 1 and "the provider did not start" in ran.stdout, ran.stdout + ran.stderr


def test_the_example_in_shell_passes_and_is_ten_lines_long(place):
    folder, environment = place
    text = example("sh")
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment,
                         capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "NOT DURABLE" in ran.stdout and "passed, seed 1" in ran.stdout, ran.stdout
    assert '"found":true' in ran.stdout
    assert len(text.strip().splitlines()) <= 10


@pytest.mark.parametrize("language, true, false", [
    ("python", '"contains": "Tea"', '"contains": "Milk", "timeout": "1s"'),
    ("sh", "contains=Good+morning&timeout=10s", "contains=Good+night&timeout=1s")])
def test_an_example_fails_when_the_provider_does(place, language, true, false):
    folder, environment = place
    text = example(language)
    assert true in text
    text = text.replace(true, false)
    if language == "sh":
        command = ["bash", "-euo", "pipefail", "-c", text]
    else:
        (folder / "test_menu.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_menu.py"]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                         timeout=60)
    assert ran.returncode != 0 and "Nothing like it came within 1 second" in ran.stdout, ran.stdout
