"""A script that a node plays is shown as stopped by the others when that node dies or stands still, and goes no further."""

import signal
import time

from faults.cluster import Cluster, seconds_until
from faults.stand import note
from support.postgres import shared

RUNS = "/api/sandbox/runs"
# A lease ends after 6 s, and a look finds that; a machine that is busy gets as much again.
PROMISED, PATIENCE = 7, 14
FROZEN, KILLED, LOOKING = range(3)


def ask(cluster, owner, number, method, path, body=None):
    """Asks one node; its answer as JSON."""
    answer = owner.request(method, f"http://127.0.0.1:{cluster.server.ports[number]}{path}", data=body,
                           headers={"Content-Type": "text/plain"}, timeout=20)
    assert answer.status_code in (200, 201), f"node {number}: {answer.status_code} {answer.text}"
    return answer.json()


def when(cluster, owner, run, holds):
    """The run as soon as the node that is left shows it as wanted."""
    def look():
        return ask(cluster, owner, LOOKING, "GET", f"{RUNS}/{run['id']}")
    seconds_until(lambda: holds(look()), PROMISED + PATIENCE)
    return look()


def test_a_run_whose_node_is_gone_is_stopped_for_all_and_says_nothing_more():
    with Cluster(3, shared()) as cluster:
        owner = cluster.server.make_owner()
        runs = [
            ask(cluster, owner, number, "POST", RUNS, f"seed={number}\nAki says Hello\nAki waits 5 s\nAki says Late")
            for number in (FROZEN, KILLED)]
        for run in runs:
            when(cluster, owner, run, lambda found: found["step"] and found["step"]["line"] == 3)
        cluster.server.processes[FROZEN].send_signal(signal.SIGSTOP)
        cluster.server.processes[KILLED].kill()
        gone = time.monotonic()
        for run in runs:
            found = when(cluster, owner, run, lambda found: found["state"] != "running")
            assert found["state"] == "stopped" and found["step"] is None, found
            assert found["failure"]["line"] == 3, found
            assert "ended, or lost its connection" in found["failure"]["reason"], found
        note(f"scripts: runs of a frozen and of a killed node were stopped after {time.monotonic() - gone:.1f} s")
        # Their customers are free; and what stood still knows that it plays no more.
        again = ask(cluster, owner, LOOKING, "POST", RUNS, f"seed={FROZEN}\nAki says Again")
        ended = when(cluster, owner, again, lambda found: found["state"] != "running")
        assert ended["state"] == "passed", ended
        cluster.server.processes[FROZEN].send_signal(signal.SIGCONT)
        seconds_until(lambda: any(
            "script_run_ended" in line and runs[FROZEN]["id"] in line for line in cluster.server.log_text().splitlines()),
            PROMISED + PATIENCE)
        talk = ended["customers"][0]["conversation"]
        said = ask(cluster, owner, LOOKING, "GET", f"/api/conversations/{talk}/messages")["data"]
        assert [message["summary"] for message in said] == ["Hello", "Again"]
        shown = ask(cluster, owner, FROZEN, "GET", f"{RUNS}/{runs[FROZEN]['id']}")
        assert shown["state"] == "stopped" and "lost its connection" in shown["failure"]["reason"], shown
