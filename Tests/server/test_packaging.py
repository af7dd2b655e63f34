"""The Debian package, the image, and the server under the filters of system calls that its unit asks for."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest
from support.server import BINARY, ROOT, Customer, Installation
from support.webhook_receiver import Receiver

UNIT = ROOT / "scripts" / "packaging" / "frontdesk.service"
CONFINED = [sys.executable, str(ROOT / "Tests" / "support" / "confined.py"), str(UNIT)]


def made(output, **variables):
    """Makes a package of the tested program."""
    environment = {name: value for name, value in os.environ.items() if name != "FRONTDESK_TESTING"}
    return subprocess.run([str(ROOT / "scripts" / "deb")], capture_output=True, text=True, check=False, timeout=120,
                          env={**environment, "BINARY": str(BINARY), "OUTPUT": str(output), **variables})


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The file of the package."""
    # This build needs Swift's libraries, which no package has.
    done = made(tmp_path_factory.mktemp("packages"), FRONTDESK_TESTING="1")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def test_the_package_says_its_version_and_needs_what_the_program_is_linked_with(package):
    version = subprocess.run([str(BINARY), "version"], capture_output=True, text=True, check=True, timeout=60).stdout
    assert version.startswith(f"frontdesk {field(package, 'Version')},")
    assert package.endswith(f"/frontdesk_{field(package, 'Version')}_{field(package, 'Architecture')}.deb")
    needed = {word.split()[0] for word in field(package, "Depends").split(", ")}
    assert {"libc6", "libssl3", "libsqlite3-0", "libre2-9", "libcurl4"} <= needed


def test_the_package_has_no_configuration_and_its_files_belong_to_root(package):
    listed = subprocess.run(["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True, timeout=60).stdout
    lines = [line.split() for line in listed.splitlines()]
    assert {line[1] for line in lines} == {"root/root"}
    assert all(line[0] in ("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x") for line in lines)
    assert [line[5] for line in lines if line[0] == "-rwxr-xr-x"] == ["./usr/bin/frontdesk"]
    assert not any(line[5].startswith("./etc") for line in lines)
    assert "./usr/lib/systemd/system/frontdesk.service" in {line[5] for line in lines}
    scripts = subprocess.run(["dpkg-deb", "--info", package], capture_output=True, text=True, check=True, timeout=60).stdout
    assert "conffiles" not in scripts and all(name in scripts for name in ("postinst", "prerm", "postrm"))


def test_the_package_is_installed_runs_and_goes_again(package, tmp_path):
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    state = root / "var" / "lib" / "dpkg"
    for folder in ("updates", "info", "triggers"):
        (state / folder).mkdir(parents=True)
    (state / "status").touch()

    def dpkg(*words):
        # Its scripts find the folder in DPKG_ROOT.
        done = subprocess.run(["dpkg", f"--root={root}", "--force-script-chrootless", "--force-depends", "--log=/dev/null", *words],
                              capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
    dpkg("--install", package)
    assert "frontdesk:" in (root / "etc" / "passwd").read_text()
    program = root / "usr" / "bin" / "frontdesk"
    printed = subprocess.run([str(program), "version"], capture_output=True, text=True, check=True, timeout=60).stdout
    assert printed.startswith("frontdesk ")
    # In a directory that leads to no checkout, so the schemas are the package's.
    checked = subprocess.run([str(program), "lint", "-"], input='{"type":"text"}', capture_output=True, text=True, check=False,
                             timeout=60, cwd=tmp_path)
    assert checked.returncode == 1 and "body" in checked.stdout, checked
    dpkg("--purge", "frontdesk")
    assert not program.exists() and not (root / "usr" / "share" / "frontdesk").exists()
    assert "frontdesk:" in (root / "etc" / "passwd").read_text()


def test_a_program_that_needs_libraries_of_swift_makes_no_package(tmp_path):
    linked = subprocess.run(["objdump", "-p", str(BINARY)], capture_output=True, text=True, check=True, timeout=60).stdout
    done = made(tmp_path)
    if re.search(r"NEEDED .*libswift", linked):
        assert done.returncode == 1 and "needs Swift's libraries" in done.stderr
        assert not list(tmp_path.iterdir())
    else:
        assert done.returncode == 0


# Confinement


@pytest.mark.one_process
def test_a_server_works_under_the_filters_of_its_unit(tmp_path):
    server = Installation("--private-endpoints")
    server.before = CONFINED
    with server, Receiver(verifies=False) as receiver:
        owner = server.make_owner()
        business = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])
        owner.post(f"/api/businesses/{business['id']}/webhooks", {"url": receiver.url, "types": ["message.accepted"]}, expect=201)
        customer = Customer(server, business["id"])
        customer.say("Hello there")
        # libcurl is loaded by the first post.
        deadline = time.monotonic() + 60
        while not receiver.attempts and time.monotonic() < deadline:
            time.sleep(0.05)
        assert receiver.attempts
        server.command("backup", str(tmp_path / "backup"))
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        assert re.search(r"^CapEff:\t0+$", status, re.M) and re.search(r"^Seccomp:\t2$", status, re.M)
        server.stop()
        server.start()
        assert server.process.poll() is None


def test_control_a_call_outside_the_filters_ends_the_program():
    for call in ("import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", "import os; os.chroot('/')",
                 "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)"):
        ended = subprocess.run([*CONFINED, sys.executable, "-c", call], capture_output=True, text=True, check=False, timeout=60)
        assert ended.returncode == -31, (call, ended)
    left = subprocess.run([*CONFINED, sys.executable, "-c", "print('on')"], capture_output=True, text=True, check=False, timeout=60)
    assert left.stdout == "on\n"


def container():
    """What the image's file says: its variables, and the words of its command, its arguments and its question after health."""
    text = (ROOT / "scripts" / "packaging" / "Containerfile").read_text().replace("\\\n", " ")
    said = {line.split(" ", 1)[0]: line.split(" ", 1)[1].strip() for line in text.splitlines() if line[:1].isupper()}
    variables = dict(word.split("=", 1) for word in said["ENV"].split())
    return variables, json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"]), json.loads(said["HEALTHCHECK"].split("CMD", 1)[1]), said


def test_the_server_of_an_image_listens_to_others_is_asked_how_it_is_and_ends_when_told(tmp_path):
    variables, command, question, said = container()
    assert variables["FRONTDESK_LISTEN"] == f"0.0.0.0:{said['EXPOSE']}"
    assert variables["FRONTDESK_DATA"] == said["VOLUME"]
    assert command == ["frontdesk", "serve"]
    data = tmp_path / "data"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FRONTDESK_")}
    # Not the image's address: servers of tests listen to this machine alone.
    environment |= {**variables, "FRONTDESK_DATA": str(data), "FRONTDESK_LISTEN": "127.0.0.1:0"}
    with subprocess.Popen([str(BINARY), *command[1:]], env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = re.search(r":(\d+)$", server.stdout.readline())[1]

            def asked(number):
                return subprocess.run(question, env={**environment, "FRONTDESK_LISTEN": f"0.0.0.0:{number}"}, capture_output=True,
                                      check=False, timeout=30).returncode
            assert asked(port) == 0
            linked = subprocess.run([str(BINARY), "owner", "link"], env=environment, capture_output=True, text=True, check=True, timeout=60)
            assert "#setup=" in linked.stdout
            server.terminate()
            assert server.wait(60) == 0
            assert asked(port) != 0
        finally:
            server.kill()


def test_an_image_is_made_of_a_package_by_what_is_asked_for(package, tmp_path):
    builder = tmp_path / "podman"
    builder.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$0.words"\nfor last; do :; done\nls "$last" > "$0.files"\n')
    builder.chmod(0o755)
    done = subprocess.run([str(ROOT / "scripts" / "image")], capture_output=True, text=True, check=True, timeout=60,
                          env={**os.environ, "CONTAINER": str(builder), "PACKAGE": package})
    assert done.stdout == f"frontdesk:{field(package, 'Version')}\n"
    # Without this format podman leaves the question after health out.
    assert builder.with_suffix(".words").read_text().splitlines()[:-1] == [
        "build", "--format", "docker", "--file", "scripts/packaging/Containerfile", "--tag", done.stdout.strip()]
    assert builder.with_suffix(".files").read_text().split() == [pathlib.Path(package).name]
