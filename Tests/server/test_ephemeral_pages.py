"""The sandbox page of an ephemeral gateway: where its files come from."""

import shutil
import subprocess

import pytest
import requests
from support.ephemeral import Ephemeral
from support.provider import Provider
from support.server import BINARY, ROOT


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


@pytest.mark.parametrize("flags, said", [
    (["--pages", "--web", "/nowhere/web"], "--web: no such folder: /nowhere/web"), (["--web", "/nowhere/web"], "--web is the folder of --pages")])
def test_a_folder_of_pages_that_is_none_or_that_nothing_serves_is_refused(flags, said):
    ran = subprocess.run([str(BINARY), "gateway", "--ephemeral", "--endpoint", "http://127.0.0.1:9000", *flags], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2 and said in ran.stderr, ran.stderr
