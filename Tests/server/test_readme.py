"""The README's commands do what the README says."""

import os
import re
import subprocess

from support.server import BINARY, ROOT


def test_the_quick_start_runs_as_written(server, owner, sandbox):
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```sh quickstart\n(.*?)```", text, re.S)
    assert blocks, "the README has no quick start"
    script = "set -e\n" + "\n".join(blocks).replace("http://127.0.0.1:8080", server.url)
    assert "$PWD/.build/release" in script, "the quick start says no longer where the program is"
    script = script.replace("$PWD/.build/release", str(BINARY.parent))
    ran = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, cwd=ROOT,
        env={**os.environ, "FRONTDESK_DATA": str(server.data)})
    assert ran.returncode == 0, ran.stderr
    assert "Hello from the command line." in ran.stdout
    assert '"code":"invalid"' in ran.stdout


def test_the_readme_is_short_and_its_verbs_exist():
    text = (ROOT / "README.md").read_text()
    assert text.count("\n") < 150
    verbs = set(re.findall(r"`?make ([a-z-]+)", text))
    makefile = (ROOT / "Makefile").read_text()
    missing = [verb for verb in verbs if not re.search(rf"^{verb}:", makefile, re.M)]
    assert verbs and not missing
