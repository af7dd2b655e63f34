"""Where the built program is."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def build_folder():
    """The folder of the release build, as SwiftPM names it for this machine."""
    return pathlib.Path(subprocess.run(
        ["swift", "build", "-c", "release", "--static-swift-stdlib", "--show-bin-path"],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip())


BINARY = pathlib.Path(os.environ.get("FRONTDESK_BINARY") or build_folder() / "frontdesk")
