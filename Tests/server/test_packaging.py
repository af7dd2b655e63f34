"""The Debian package, and the server under the filters of system calls that its unit asks for."""

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
