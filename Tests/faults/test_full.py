"""A disk that is full to the last byte: writing is refused, nothing is lost, and it resumes with free space."""

import time

import pytest

from faults.disk import SmallDisk
from faults.ledger import read_back
from faults.load import after, ask_again, write
from faults.stand import Stand, note, without
from faults.wire import Wire

MEGABYTES = 12
# P11 promises five seconds. Where another program had the processor meanwhile, another round shows it.
BACK = 5
MORE_ROUNDS = 3
PATIENCE = 30
# What is refused is sent again, and has to fit into the room that there will be; a server that refuses at once refuses tens of thousands.
MOST = 2_000


def fill(stand, disk, seconds):
    """Uses up the room, then writes for a while; returns the answers that were no acknowledgement."""
    with open(disk.folder / "ballast", "wb", buffering=0) as ballast:
        with pytest.raises(OSError):
            while True:
                ballast.write(bytes(4096))
    over, most = after(seconds), sent(stand) + MOST
    return write(stand.server.port, stand.key, stand.ledger, lambda: over() or sent(stand) >= most, width=4)


def sent(stand):
    """How many messages were sent so far."""
    return sum(map(len, stand.ledger.sent.values()))


def wait_for_service(stand):
    """Retries until everything is acknowledged; returns the elapsed time."""
    begin = time.monotonic()
    while True:
        try:
            ask_again(stand.server.port, stand.key, stand.ledger)
            return time.monotonic() - begin
        except AssertionError:
            assert time.monotonic() - begin < PATIENCE, "no service although there is room"
            time.sleep(0.05)


def fill_and_write(stand, disk):
    """Answers that were no acknowledgement, until there are some."""
    refused, rounds = [], 0
    while not refused:
        refused = fill(stand, disk, 0.3)
        rounds += 1
        assert rounds < 100, "the disk never was full"
    return refused


def test_a_full_disk_refuses_and_serves_again_once_there_is_space(prepared):
    with SmallDisk(MEGABYTES) as disk:
        stand = Stand(disk.folder, prepared)
        server = stand.start()
        refused = fill_and_write(stand, disk)
        assert {status for status, _ in refused} == {503}
        assert all(b'"storage_full"' in body for _, body in refused)
        with Wire(server.port, stand.key) as wire:
            assert read_back(wire, stand.ledger.conversations[0]), "reading goes on"
            status, _, body = wire.ask("GET", f"/api/businesses/{stand.business}/exports/conversations")
            assert status == 200, f"what is there can be saved: {body}"
        disk.grow(4 * MEGABYTES)
        seconds = [wait_for_service(stand)]
        while min(seconds) > BACK and len(seconds) <= MORE_ROUNDS:
            refused += fill_and_write(stand, disk)
            (disk.folder / "ballast").unlink()
            seconds.append(wait_for_service(stand))
        assert min(seconds) <= BACK, f"service after {seconds} s"
        assert server.process.poll() is None
        verdict = stand.check()
        assert verdict.faults == 0, f"{verdict} {verdict.examples}"
        stand.end()
        again = stand.check_after_restart()
        assert again.faults == 0, f"{again} {again.examples}"
        note(f"full disk: {len(refused)} refused, service {max(seconds):.2f} s after there was room, "
             f"{again}")


def test_control_a_store_that_does_not_notice_the_full_disk_loses_something(prepared):
    with SmallDisk(MEGABYTES) as disk:
        stand = Stand(disk.folder, prepared)
        stand.start(**without("full-errors"))
        rounds = 0
        while rounds < 3 or not stand.ledger.acknowledged:
            fill(stand, disk, 0.3)
            rounds += 1
            assert rounds < 100, "nothing was acknowledged"
        stand.end()
        (disk.folder / "ballast").unlink()
        disk.grow(4 * MEGABYTES)
        try:
            verdict = stand.check_after_restart()
            lost, text = verdict.lost, str(verdict)
        except (AssertionError, RuntimeError) as error:
            lost, text = stand.ledger.acknowledged, f"cannot be read: {str(error)[:120]}"
        note(f"full disk, control that takes no notice: {text}")
        assert lost > 0, f"{text}: the check would not see a loss"
