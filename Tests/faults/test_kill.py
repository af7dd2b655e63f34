"""The process is killed at random moments, under load and while it starts."""

import random
import threading

from faults.load import acknowledgements, ask_again, write
from faults.stand import IS_LONG, Stand, note, without

KILLS = 1_000 if IS_LONG else 50
# Then the senders start on another store, so that reading everything back stays short.
KILLS_A_STORE = 25


def kill_after(server, seconds):
    """Kills the process in so many seconds, whatever it does then."""
    timer = threading.Timer(seconds, server.process.kill)
    timer.start()
    return timer


def kill_again_and_again(stand, kills, moments):
    """Load, kill, start, read everything back, retry; and so on."""
    for kill in range(kills):
        if kill % 5 == 4:
            stand.start_cut_short(moments.uniform(0, 0.25))
        stand.start()
        verdict = stand.check()
        assert verdict.faults == 0, f"after kill {kill}: {verdict} {verdict.examples}"
        ask_again(stand.server.port, stand.key, stand.ledger)
        timer = kill_after(stand.server, moments.uniform(0.005, 0.12))
        write(stand.server.port, stand.key, stand.ledger, lambda: False)
        timer.join()
        stand.end()
    verdict = stand.check_after_restart()
    assert verdict.faults == 0, f"{verdict} {verdict.examples}"
    return verdict


def test_no_kill_loses_an_acknowledged_message(prepared, tmp_path):
    moments = random.Random(2026)
    total = None
    for store in range(KILLS // KILLS_A_STORE):
        stand = Stand(tmp_path / str(store), prepared)
        verdict = kill_again_and_again(stand, KILLS_A_STORE, moments)
        total = verdict.plus(total)
        stand.remove()
        if IS_LONG:
            note(f"after {(store + 1) * KILLS_A_STORE} kills: {total}")
    assert total.acknowledged > KILLS, f"{total}: not a load"
    note(f"kill -9 under load: {KILLS} kills and {KILLS // 5} while starting, {total}")


def test_control_a_server_that_acknowledges_before_the_commit_loses_something(stand):
    stand.start(**without("commit-first"))
    write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 500))
    stand.end()
    verdict = stand.check_after_restart()
    note(f"kill -9, control that acknowledges before the commit: {verdict}")
    assert verdict.lost > 0, f"{verdict}: the check would not see a loss"
