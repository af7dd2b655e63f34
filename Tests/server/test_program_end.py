"""The program ends by its exit code: OpenSSL frees nothing then that threads, which end at the same moment, free too."""

import os
import signal
import subprocess
import time

import pytest
from support.binary import BINARY

# Says which functions are called at the end of a process.
LISTENER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int __cxa_atexit(void (*function)(void *), void *value, void *library) {
    int (*real)(void (*)(void *), void *, void *) = dlsym(RTLD_NEXT, "__cxa_atexit");
    Dl_info found;
    if (dladdr((void *)function, &found) && found.dli_sname) fprintf(stderr, "at the end: %s\n", found.dli_sname);
    return real(function, value, library);
}
"""
PLAIN = r"""
#include <openssl/rand.h>

int main(void) {
    unsigned char byte;
    return RAND_bytes(&byte, 1) != 1;
}
"""
CLEANUP = "at the end: OPENSSL_cleanup"


def compiled(folder, name, source, *words):
    """A program or library made of C."""
    (folder / f"{name}.c").write_text(source)
    subprocess.run(["cc", "-o", folder / name, folder / f"{name}.c", *words], check=True)
    return folder / name


@pytest.fixture
def listener(tmp_path):
    """What a process is loaded with so that it says what it does at its end."""
    library = compiled(tmp_path, "listener.so", LISTENER, "-shared", "-fPIC", "-ldl")
    return {**os.environ, "LD_PRELOAD": str(library)}


def test_a_server_ends_without_openssl_s_freeing(listener, tmp_path):
    log = tmp_path / "log"
    with log.open("wb") as output:
        server = subprocess.Popen([BINARY, "serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0"],
                                  env=listener, stdout=output, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + 60
        while "event=server_started" not in log.read_text():
            assert server.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0, log.read_text()
    finally:
        server.kill()
        server.wait()
    assert CLEANUP not in log.read_text()


def test_control_a_program_that_asks_for_nothing_has_openssl_free_at_its_end(listener, tmp_path):
    plain = compiled(tmp_path, "plain", PLAIN, "-lcrypto")
    ran = subprocess.run([plain], env=listener, capture_output=True, text=True, check=True)
    assert CLEANUP in ran.stderr
