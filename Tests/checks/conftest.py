"""What the tests of the checks share: the scripts as modules, and checkouts made up for one test."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load(name):
    """A script of scripts/ as a module, without running it."""
    loader = importlib.machinery.SourceFileLoader("script_" + name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def checks(tmp_path):
    """scripts/test, whose logs go to a folder of the test's own."""
    module = load("test")
    module.LOGS, module.LAST_WORDS = tmp_path, 1
    return module


@pytest.fixture
def rules(tmp_path):
    """Says what scripts/style-rules finds in a checkout of the given files."""
    def find(files):
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ran = subprocess.run([str(ROOT / "scripts" / "style-rules"), str(tmp_path)],
                             capture_output=True, text=True, timeout=120)
        assert not ran.stderr, ran.stderr
        found = [line for line in ran.stdout.splitlines()
                 if line and not line.startswith("note: ") and not line.endswith(" files")]
        assert ran.returncode == (1 if found else 0), ran.stdout
        return found
    return find
