"""The power is cut: data that the server did not flush is gone from the disk."""

import contextlib
import random
import subprocess
import threading

from faults.disk import PoweredDisk
from faults.load import acknowledgements, ask_again, write
from faults.stand import IS_LONG, Prepared, Stand, note, without

CUTS = 200 if IS_LONG else 10
# Then all starts on another disk, so that reading everything back stays short.
CUTS_A_STORE = 10
# The server's line when it gives up on the disk.
GAVE_UP = 70


def cut_under_load(stand, disk, seconds):
    """Load until the power is cut; returns how the server ended, None when it was still there."""
    server = stand.start()
    try:
        verdict = stand.check()
        assert verdict.faults == 0, f"{verdict} {verdict.examples}"
        ask_again(server.port, stand.key, stand.ledger)
        timer = threading.Timer(seconds, disk.cut)
        timer.start()
        write(server.port, stand.key, stand.ledger, lambda: not timer.is_alive())
        timer.join()
        stand.ledger.forget_since(disk.moment)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(timeout=0.5)
        return server.process.poll()
    finally:
        stand.end()
        disk.come_back()


def cut_again_and_again(prepared, cuts, moments):
    """Load, cut, power again, read everything back, retry; and so on."""
    with PoweredDisk() as disk:
        stand = Stand(disk.folder, prepared)
        # The copy was made by this test: it has to be on the disk before the first cut.
        disk.come_back()
        for _ in range(cuts):
            code = cut_under_load(stand, disk, moments.uniform(0.03, 0.2))
            assert code in (GAVE_UP, None), f"the server ended with {code}"
        verdict = stand.check_after_restart()
        assert verdict.faults == 0, f"{verdict} {verdict.examples}"
        return verdict


def test_no_power_cut_loses_an_acknowledged_message(prepared):
    moments = random.Random(2026)
    total = None
    for _ in range(CUTS // CUTS_A_STORE):
        total = cut_again_and_again(prepared, CUTS_A_STORE, moments).plus(total)
    assert total.acknowledged > CUTS, f"{total}: not a load"
    note(f"power cut: {CUTS} cuts, {total}")


def test_a_store_begun_a_moment_ago_survives_a_power_cut(prepared):
    with PoweredDisk() as disk:
        fresh = Prepared(disk.folder / "new" / "place", cut=disk.cut)
        disk.come_back()
        stand = Stand(fresh.folder, fresh)
        verdict = stand.check_after_restart()
        assert verdict.faults == 0, f"{verdict} {verdict.examples}"


def test_control_without_a_flush_a_power_cut_loses_something(prepared):
    with PoweredDisk() as disk:
        stand = Stand(disk.folder, prepared)
        disk.come_back()
        server = stand.start(**without("full-sync"))
        # So few that the log is not moved into the database meanwhile, which would flush it.
        write(server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 300))
        disk.cut()
        stand.end()
        disk.come_back()
        verdict = stand.check_after_restart()
        note(f"power cut, control with synchronous=NORMAL: {verdict}")
        assert verdict.lost > 0, f"{verdict}: the check would not see a loss"
