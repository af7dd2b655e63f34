"""Stores of a stated size, and what is in them; the builder is Tests/bench/StoreBuilder."""

import os
import pathlib
import random
import shutil
import subprocess
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
ENVIRONMENT = {**os.environ, "FRONTDESK_BENCH": "1"}
SHOP = str(uuid.UUID(int=(0xB << 64) + 1))
# Its few events lie far apart, with events of all other businesses between them.
CORNER = str(uuid.UUID(int=(0xB << 64) + 2))
# Of the team that the builder makes: one of 200 members, one of 20 teams, two of 50 labels.
AGENT = str(uuid.UUID(int=(0xA << 64) + 7))
TEAM = str(uuid.UUID(int=(0x1B << 64) + 3))
LABELS = [str(uuid.UUID(int=(0x1A << 64) + 3)), str(uuid.UUID(int=(0x1A << 64) + 5))]


def built(product):
    """Builds a program and returns its path; FRONTDESK_BINARIES names a folder that has them."""
    if "FRONTDESK_BINARIES" in os.environ:
        return str(pathlib.Path(os.environ["FRONTDESK_BINARIES"]) / product)
    subprocess.run([*BUILD, "--product", product], cwd=ROOT, env=ENVIRONMENT, check=True,
                   stdout=subprocess.DEVNULL)
    place = subprocess.run([*BUILD, "--show-bin-path"], cwd=ROOT, env=ENVIRONMENT, check=True,
                           stdout=subprocess.PIPE, text=True).stdout.strip()
    return f"{place}/{product}"


def fill(builder, data, messages, conversations):
    """Builds a store unless it is there whole; a store that is half done is begun again."""
    if (data / "whole").exists():
        return
    shutil.rmtree(data, ignore_errors=True)
    began = time.monotonic()
    subprocess.run([builder, str(data), str(messages), str(conversations)], check=True,
                   stdout=subprocess.DEVNULL)
    (data / "whole").touch()
    print(f"built {messages:,} messages in {conversations:,} conversations in "
          f"{time.monotonic() - began:.0f} s", flush=True)


def make_key(binary, data, business=SHOP):
    """The secret of a new key of a business; works beside a serving process and without one."""
    made = subprocess.run(
        [binary, "key", "create", "--name", "bench", "--business", business, "--data", str(data)],
        cwd=ROOT, capture_output=True, text=True, check=True)
    return next(word for word in made.stdout.split() if word.startswith("fd_live_"))


def conversation(among):
    """The id of any of the first conversations."""
    return str(uuid.UUID(int=(0xC << 64) + random.randrange(among)))
