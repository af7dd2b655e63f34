"""The process is killed between closing conversations and asking their customers: each is asked once.

The question is planned in the commit that closes; whoever asks removes the plan in the commit of the question.
"""

import contextlib
import json
import os
import random
import time
import uuid

from faults.stand import IS_LONG, note
from faults.test_kill import kill_after
from faults.test_readers import database
from faults.wire import Cut, Wire, request

KILLS = 200 if IS_LONG else 5
# New customers before each kill, whose conversations are closed while it comes.
CUSTOMERS = 6
# How long a question may be due before it is asked, in seconds.
PATIENCE = 60


def switch_on(stand, minutes):
    """The stand's business asks so many minutes after closing."""
    stand.start()
    owner = stand.server.make_owner()
    path = f"/api/businesses/{stand.business}/satisfaction"
    texts = owner.fetch(path)["texts"]
    owner.call("PUT", path, {"isOn": True, "kind": "quickReply", "delayMinutes": minutes, "notAgainDays": 30, "texts": texts})


def answered(wire, business):
    """The conversations of new customers, each answered once."""
    made = []
    for _ in range(CUSTOMERS):
        body = json.dumps({"id": str(uuid.uuid4()), "text": "Hello", "locale": "en_US"}).encode()
        with Wire(wire.socket.getpeername()[1]) as phone:
            status, _, said = phone.ask("POST", f"/api/phone/{business}/messages", body)
        assert status == 201, said
        made.append(json.loads(said)["message"]["conversation"])
        status, _, said = wire.ask("POST", f"/api/conversations/{made[-1]}/messages", json.dumps({"v": 1, "type": "text", "body": "Done"}).encode())
        assert status == 201, said
    return made


def close(wire, conversations):
    """Closes them all at once; those that were acknowledged before the connection ended."""
    closed = []
    with contextlib.suppress(Cut, OSError):
        wire.socket.sendall(b"".join(
            request("PATCH", f"/api/conversations/{one}", wire.key, b'{"state":"closed"}') for one in conversations))
        for one in conversations:
            status, _, said = wire.next()
            assert status == 200, said
            closed.append(one)
    return closed


def asked(wire, conversation):
    """Whether a conversation is closed, and how many questions are in it."""
    status, _, body = wire.ask("GET", f"/api/conversations/{conversation}/messages")
    assert status == 200, body
    questions = [one for one in json.loads(body)["data"] if one.get("automatic") and one["kind"] == "quickReply"]
    status, _, body = wire.ask("GET", f"/api/conversations/{conversation}")
    assert status == 200, body
    return json.loads(body)["state"] == "closed", len(questions)


def planned(stand):
    """How many questions are still to be asked; none of them may have failed."""
    with database(stand) as connection:
        assert connection.execute("SELECT failure FROM due_work WHERE failure IS NOT NULL").fetchall() == []
        return connection.execute("SELECT count(*) FROM due_work WHERE kind = 'ask'").fetchone()[0]


def settled(stand, begun):
    """What `asked` says of each conversation once nothing is planned any more."""
    stand.start()
    end = time.monotonic() + PATIENCE
    try:
        while planned(stand):
            assert time.monotonic() < end, f"{planned(stand)} questions are planned and were never asked"
            time.sleep(0.2)
        with Wire(stand.server.port, stand.key) as wire:
            return {one: asked(wire, one) for one in begun}
    finally:
        stand.end()


def test_each_customer_is_asked_once_however_often_the_process_is_killed(stand):
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    moments = random.Random(seed)
    begun, closed, before = [], set(), 0
    switch_on(stand, minutes=0)
    for kill in range(KILLS):
        with Wire(stand.server.port, stand.key) as wire:
            new = answered(wire, stand.business)
            begun += new
            timer = kill_after(stand.server, moments.uniform(0.001, 0.8))
            closed.update(close(wire, new))
            timer.join()
        stand.end()
        before += bool(planned(stand))
        if kill % 5 == 4:
            stand.start_cut_short(moments.uniform(0, 0.5))
        stand.start()
    stand.end()
    found = settled(stand, begun)
    assert [one for one in closed if not found[one][0]] == [], f"FRONTDESK_SEED={seed}: what was acknowledged is not closed"
    wrong = {one: state for one, state in found.items() if state[1] != state[0]}
    assert not wrong, f"FRONTDESK_SEED={seed}: {wrong}"
    note(f"kill -9 between closing and asking: {KILLS} kills, {before} of them before a planned question was asked, "
         f"{sum(count for _, count in found.values())} of {len(begun)} customers asked once, seed {seed}")


def test_control_without_its_plan_a_question_is_never_asked(stand):
    switch_on(stand, minutes=1)
    with Wire(stand.server.port, stand.key) as wire:
        begun = answered(wire, stand.business)
        assert len(close(wire, begun)) == CUSTOMERS
    stand.end()
    assert planned(stand) == CUSTOMERS
    with database(stand) as connection:
        connection.execute("DELETE FROM due_work WHERE kind = 'ask'")
    assert set(settled(stand, begun).values()) == {(True, 0)}, "the check would not see a question that is missing"
