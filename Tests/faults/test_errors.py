"""Calls to the disk fail, one kind after the other: while the server runs, and while it starts."""

import collections
import itertools
import json
import os
import time

import pytest

from faults.disk import PoweredDisk
from faults.inject import Injection, at_start, injected, require_strace
from faults.load import after, acknowledgements, ask_again, write
from faults.stand import IS_LONG, Server, Stand, note, without
from faults.wire import Cut, Wire

# The server's line when it gives up on the disk.
GAVE_UP = 70
ERRORS = ["EIO", "ENOSPC"]
# A flush that failed is the end, and so is a write that failed for no reason that may pass.
FATAL = [("pwrite64", "EIO"), ("fdatasync", "EIO"), ("fdatasync", "ENOSPC"), ("fsync", "EIO"),
         ("fsync", "ENOSPC")]
# The calls of a running server: the store's, then those of uploads.
CALLS = ["pwrite64", "fdatasync", "openat", "write", "fsync", "rename", "mkdir"]
# The calls of a start, and how many of each are tried, one by one.
STARTING = ["openat", "pwrite64", "fdatasync", "fsync", "ftruncate", "mkdir", "pread64", "flock"]
STARTS = 12 if IS_LONG else 1


class Uploads:
    """Files that are sent up; those that were acknowledged have to stay."""

    def __init__(self, stand):
        self.stand, self.acknowledged, self.refused = stand, {}, 0
        self.path = f"/api/attachments?conversation={stand.ledger.conversations[0]}&name=a.bin"

    def send(self):
        """One file of new bytes; returns the status, None when the connection broke."""
        content = os.urandom(3000)
        try:
            with Wire(self.stand.server.port, self.stand.key) as wire:
                status, _, body = wire.ask("POST", self.path, content)
        except (Cut, OSError):
            return None
        if status == 201:
            self.acknowledged[json.loads(body)["id"]] = content
        else:
            self.refused += 1
        return status

    def check(self):
        """Every acknowledged file comes back whole."""
        with Wire(self.stand.server.port, self.stand.key) as wire:
            for name, content in self.acknowledged.items():
                status, _, body = wire.ask(
                    "GET", f"/api/attachments/{name}?"
                    f"conversation={self.stand.ledger.conversations[0]}")
                assert status == 200 and body == content, f"file {name}: {status}"


def load(stand, uploads, seconds):
    """Messages, then files; returns the answers of messages that were no acknowledgement."""
    refused = write(stand.server.port, stand.key, stand.ledger, after(seconds), width=4, senders=3)
    for _ in range(3):
        uploads.send()
    return refused


def inject(stand, uploads, call, error):
    """Has a kind of call fail under load; returns how many failed and the refusals."""
    ends = (call, error) in FATAL
    with Injection(stand.server.process, call, error, stand.server.data, ends) as injection:
        refused = load(stand, uploads, 0.1)
    assert injection.count > 0, f"no {call} was made: nothing was tested"
    return injection.count, refused


def test_calls_that_fail_for_a_while_lose_nothing_and_service_continues(stand):
    require_strace()
    server = stand.start()
    uploads = Uploads(stand)
    load(stand, uploads, 0.05)
    assert uploads.acknowledged and stand.ledger.acknowledged
    survived = []
    for call, error in itertools.product(CALLS, ERRORS):
        if (call, error) in FATAL:
            continue
        failed, refused = inject(stand, uploads, call, error)
        assert server.process.poll() is None, f"{call} {error} ended the server"
        expect_service(stand, uploads, error, refused)
        survived.append(f"{call} {error} {failed}")
    stand.end()
    stand.start()
    verdict = stand.check()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    uploads.check()
    note(f"errors, served on: {', '.join(survived)}; {uploads.refused} files refused, "
         f"{len(uploads.acknowledged)} kept, {verdict}")


def test_a_call_after_which_nothing_is_certain_ends_the_server(stand):
    require_strace()
    uploads = Uploads(stand)
    for call, error in FATAL:
        server = stand.start()
        load(stand, uploads, 0.02)
        inject(stand, uploads, call, error)
        expect_gone(server)
        stand.end()
        stand.start()
        verdict = stand.check()
        assert verdict.faults == 0, f"{call} {error}: {verdict} {verdict.examples}"
        uploads.check()
        stand.end()
    note(f"errors, ended with {GAVE_UP}: {', '.join(map(' '.join, FATAL))}; {verdict}")


def expect_gone(server):
    """The process has ended by itself, with one line that has the reason."""
    assert server.process.wait(timeout=20) == GAVE_UP
    errors = [line for line in server.log_text().splitlines() if "level=error" in line]
    assert len(errors) == 1 and "event=store_failed" in errors[0], errors


def expect_service(stand, uploads, error, refused):
    """The server accepts messages and files again, without a restart."""
    for status, body in refused:
        assert status == 503, f"{status} {body[:200]}"
        if error == "ENOSPC":
            assert b'"storage_full"' in body, body[:200]
    end = time.monotonic() + 20
    while uploads.send() != 201:
        assert time.monotonic() < end, "no service after the disk was well again"
        time.sleep(0.05)
    ask_again(stand.server.port, stand.key, stand.ledger)


def test_a_start_that_fails_reports_it_and_harms_nothing(stand):
    require_strace()
    stand.start()
    write(stand.server.port, stand.key, stand.ledger, after(0.05))
    stand.end()
    outcomes = collections.Counter()
    for call, error in itertools.product(STARTING, ERRORS):
        for when in range(1, STARTS + 1):
            outcome = start_with(stand, call, error, when)
            if outcome is None:
                break
            outcomes[outcome] += 1
    verdict = stand.check_after_restart()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    assert outcomes["ended with 1"] >= len(STARTING)
    note(f"errors while starting: {dict(outcomes)}; {verdict}")


def start_with(stand, call, error, when):
    """Starts with the `when`th such call failing; None when there are not so many."""
    server = Server(stand.folder, {})
    record = at_start(server, call, error, when)
    try:
        server.start()
        started = True
    except RuntimeError:
        started = False
    if started:
        server.kill()
    code = server.process.wait(timeout=20)
    said, was_injected = server.log_text().strip(), injected(record)
    server.forget()
    if not was_injected:
        return None
    if started:
        return "served"
    assert code not in (0, None) and said, f"ended with {code}, said {said!r}"
    assert code > 0, f"{call} {error} {when}: ended by signal {-code}: {said}"
    return f"ended with {code}"


def fail_flushes_then_cut(disk, stand, **environment):
    """Flushes fail, the server may continue for a while, then the power is cut."""
    server = stand.start(**environment)
    write(server.port, stand.key, stand.ledger, after(0.05))
    ends = not environment
    with Injection(server.process, "fdatasync,fsync", "EIO", server.data, ends):
        # The shipped server ends, and so does the load; the control continues.
        write(server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 200))
        disk.cut()
        stand.ledger.forget_since(disk.moment)
    stand.end()
    disk.come_back()
    return stand.check_after_restart()


@pytest.mark.parametrize("is_control", [False, True], ids=["as shipped", "control"])
def test_nothing_is_acknowledged_after_a_failed_flush(prepared, is_control):
    require_strace()
    with PoweredDisk() as disk:
        stand = Stand(disk.folder, prepared)
        disk.come_back()
        environment = without("flush-errors") if is_control else {}
        verdict = fail_flushes_then_cut(disk, stand, **environment)
        name = "control that takes no notice" if is_control else "as shipped"
        note(f"failed flush and power cut, {name}: {verdict}")
        if is_control:
            assert verdict.lost > 0, f"{verdict}: the check would not see a loss"
        else:
            assert verdict.faults == 0, f"{verdict} {verdict.examples}"
