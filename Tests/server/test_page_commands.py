"""The commands of pages that are about no program of their own: each is run as it is printed."""

import json
import os
import re
import shlex
import shutil
import subprocess

import pytest
from support.certificates import make_certificate
from support.saml import Signer, described
from support.server import BINARY, ROOT

# What a page names, and a machine of the tests does not have.
ADDRESS = "192.168.1.20"


def commands(page):
    """The commands in a page's blocks for a shell, one a line."""
    text = (ROOT / "docs" / page).read_text()
    found = "".join(re.findall(r"```sh\n(.*?)```", text, re.S)).replace("\\\n", " ")
    return found.splitlines()


def serving(page):
    """Those of them that start a server without a database, without who starts it."""
    found = [line[line.find("frontdesk serve"):] if line.startswith("runuser ") else line
             for line in commands(page) if re.match(r"([A-Z_]+=\S+ |runuser .* -- )*frontdesk serve", line)]
    return [line for line in found if "--database" not in line]


STARTS = [(page, line) for page in ("configuration.md", "limits.md", "operations.md", "single-sign-on.md") for line in serving(page)]


def test_each_of_the_pages_starts_a_server():
    assert {page for page, _ in STARTS} == {"configuration.md", "limits.md", "operations.md", "single-sign-on.md"}


@pytest.mark.parametrize("page, line", STARTS)
def test_a_command_that_starts_a_server_is_fine_with_the_check_of_its_configuration(page, line, tmp_path):
    chain, key = make_certificate(tmp_path, "chat.example.com")
    (tmp_path / "secret").write_text("secret\n")
    (tmp_path / "provider.xml").write_text(described(Signer(tmp_path).text))
    places = {"/etc/frontdesk/chain.pem": str(chain), "/etc/frontdesk/key.pem": str(key),
              "/etc/frontdesk/sso-secret": str(tmp_path / "secret"), "/etc/frontdesk/provider.xml": str(tmp_path / "provider.xml"), "/var/lib/frontdesk": str(tmp_path / "data")}
    words = [places.get(word, word).replace(ADDRESS, "127.0.0.1") for word in shlex.split(line)]
    begin = words.index("frontdesk")
    given = {"FRONTDESK_LISTEN": "127.0.0.1:0", **dict(word.split("=", 1) for word in words[:begin])}
    # Another program may have the port.
    given = {name: re.sub(r":(443|8080)$", ":0", value) for name, value in given.items()}
    words = [re.sub(r"^([0-9.]+):8080$", r"\1:0", word) for word in words[begin + 1:]]
    ran = subprocess.run([str(BINARY), *words, *([] if "--check" in words else ["--check"])], cwd=tmp_path,
                         env={**os.environ, **given}, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0 and "The configuration is fine." in ran.stdout, ran.stderr


def test_the_commands_and_the_settings_of_the_page_about_lint_check_a_folder(tmp_path):
    text = (ROOT / "docs" / "lint.md").read_text()
    [settings] = re.findall(r"```json\n(.*?)```", text, re.S)
    drafts = tmp_path / "drafts"
    (drafts / "tests" / "broken").mkdir(parents=True)
    example = ROOT / "Schemas" / "examples" / "outbound" / "quick-reply" / "valid-two.json"
    shutil.copy(example, tmp_path / "draft.json")
    shutil.copy(example, drafts / "pickup.json")
    lines = [line for line in commands("lint.md") if line.startswith("frontdesk lint ")]
    assert len(lines) == 4
    for line in lines:
        ran = subprocess.run(["sh", "-c", line.replace("frontdesk", str(BINARY), 1)], cwd=tmp_path, capture_output=True, text=True, timeout=30)
        assert ran.returncode == 0, f"{line}: {ran.stdout}{ran.stderr}"
    # With the settings of the page a folder that is ignored is not looked at.
    (drafts / ".frontdesk-lint.json").write_text(settings)
    (drafts / "tests" / "broken" / "no.json").write_text(json.dumps({"type": "tea"}))
    ran = subprocess.run([str(BINARY), "lint", "drafts"], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (drafts / ".frontdesk-lint.json").unlink()
    ran = subprocess.run([str(BINARY), "lint", "drafts"], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 1, ran.stdout + ran.stderr


def test_the_command_of_the_page_about_the_audit_reads_it(server, owner):
    [line] = [one for one in commands("audit.md") if one.startswith("curl ")]
    shop = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
    key = server.make_key(shop["name"], scopes=["administration"])
    ran = subprocess.run(["bash", "-c", line.replace("curl -s", "curl -sSf", 1)], capture_output=True, text=True, timeout=30,
                         env={**os.environ, "DESK": server.url, "BUSINESS": shop["id"], "KEY": key})
    assert ran.returncode == 0, ran.stderr
    assert any(one["kind"] == "key_added" for one in json.loads(ran.stdout)["data"])
