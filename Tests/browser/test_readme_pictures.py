"""The README's pictures show the pages as they are."""

import subprocess
import sys

from support.server import ROOT


def test_the_pictures_of_the_readme_are_those_that_the_script_makes_now():
    """By size and rough colours, as the script says; a process of its own, which has its own browser."""
    made = subprocess.run([sys.executable, str(ROOT / "scripts/make-pictures"), "--check"],
                          capture_output=True, text=True, timeout=300)
    print(made.stdout)
    assert made.returncode == 0, made.stdout + made.stderr
