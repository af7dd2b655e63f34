"""The sandbox page of an ephemeral gateway: where its files come from, and what it says of real phones."""

import shutil
import subprocess

import pytest
import requests
from support.ephemeral import Ephemeral
from support.provider import Provider
from support.server import BINARY, ROOT, Installation


@pytest.fixture
def provider():
    made = Provider()
    yield made
    made.stop()


def test_its_pages_come_from_the_folder_that_is_named(provider, tmp_path):
    web = tmp_path / "pages"
    shutil.copytree(ROOT / "web", web)
    page = web / "sandbox" / "index.html"
    page.write_text(page.read_text().replace("</head>", "<meta name=mark content=own></head>"))
    with Ephemeral(provider.endpoint, "--pages", "--web", str(web)) as gateway:
        assert "<meta name=mark content=own>" in requests.get(f"{gateway.url}/sandbox", timeout=20).text
        # There is no console without an owner.
        assert requests.get(f"{gateway.url}/", allow_redirects=False, timeout=20).headers["Location"] == "/sandbox"


@pytest.mark.parametrize("flags, said", [
    (["--pages", "--web", "/nowhere/web"], "--web: no such folder: /nowhere/web"), (["--web", "/nowhere/web"], "--web is the folder of --pages")])
def test_a_folder_of_pages_that_is_none_or_that_nothing_serves_is_refused(flags, said):
    ran = subprocess.run([str(BINARY), "gateway", "--ephemeral", "--endpoint", "http://127.0.0.1:9000", *flags], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2 and said in ran.stderr, ran.stderr


def test_its_page_names_no_flag_by_which_a_phone_could_reach_it(provider):
    with Ephemeral(provider.endpoint, "--pages") as gateway:
        answer = requests.get(f"{gateway.url}/api/sandbox", timeout=20).json()
    assert (answer["reachable"], answer["opensBy"]) == ("loopback", None)
    assert answer["hint"] == "An ephemeral gateway is reached from this machine alone: play a customer in a browser here."


def test_a_program_without_its_sources_advises_flags_and_one_in_a_checkout_make(tmp_path):
    program = tmp_path / "bin" / "frontdesk"
    program.parent.mkdir()
    shutil.copy(BINARY, program)
    (tmp_path / "share" / "frontdesk").mkdir(parents=True)
    for name in ("web", "Schemas", "docs"):
        (tmp_path / "share" / "frontdesk" / name).symlink_to(ROOT / name)
    answers = []
    for binary in (program, BINARY):
        server = Installation()
        server.binary = binary
        with server:
            answers.append(server.make_owner().fetch("/api/sandbox"))
    installed, built = answers
    assert installed["opensBy"] == "flags" and "make" not in installed["hint"] and "--listen and --public-url" in installed["hint"]
    assert built["opensBy"] == "make" and "make run LAN=1" in built["hint"]
