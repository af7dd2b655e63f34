"""The sender and the receivers of very many webhook endpoints are killed, while some of the endpoints are sick."""

import json
import os
import random
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from faults.endpoints import KINDS, WELL, Endpoints
from faults.ledger import Ledger
from faults.load import acknowledgements, write
from faults.stand import IS_LONG, note
from faults.test_kill import kill_after
from faults.wire import Wire

# A business has at most a hundred endpoints.
SHOPS = 10 if IS_LONG else 1
KILLS = 20 if IS_LONG else 6
# Messages that are sent to each business between two kills.
MESSAGES = 10 if IS_LONG else 20
CONVERSATIONS = 2
# How long the well endpoints' queues may need until they are empty, in seconds. What failed twice waits for five minutes.
PATIENCE = 1_200 if IS_LONG else 120
# After a kill of its receiver an event is posted again within 6 s; then the receiver is there.
APART = 15


def begin(wire, business):
    """A conversation that a new customer begins."""
    body = json.dumps({"id": str(uuid.uuid4()), "text": "Hello", "locale": "en_US"}).encode()
    status, _, answer = wire.ask("POST", f"/api/phone/{business}/messages", body)
    assert status == 201, answer
    return json.loads(answer)["message"]["conversation"]


def open_shops(stand):
    """Businesses, each with a key and a ledger: the stand's own alone, or several."""
    if SHOPS == 1:
        return [(stand.business, stand.key, stand.ledger)]
    owner, shops = stand.server.make_owner(), []
    with Wire(stand.server.port) as wire:
        for number in range(SHOPS):
            business = owner.post("/api/businesses", {"name": f"Shop {number}", "mode": "test"}, 201)["id"]
            ledger = Ledger([begin(wire, business) for _ in range(CONVERSATIONS)])
            shops.append((business, stand.server.make_key(business, "faults"), ledger))
    return shops


def load(stand, shops):
    """Sends messages to all businesses at once, until each has enough acknowledgements or the server is gone."""
    with ThreadPoolExecutor(len(shops)) as pool:
        list(pool.map(
            lambda shop: write(stand.server.port, shop[1], shop[2], acknowledgements(shop[2], MESSAGES), width=2), shops))


class Kills(threading.Thread):
    """Kills a receiver at a random moment, and starts it again."""

    def __init__(self, endpoints, moments):
        super().__init__()
        now = time.monotonic()
        away = [one for one in endpoints.processes if now - one.since > APART]
        self.receiver = moments.choice(away) if away else None
        self.before, self.pause = moments.uniform(0.05, 1.5), moments.uniform(0, 0.3)
        self.start()

    def run(self):
        """One kill, where there is a receiver that was not killed just now."""
        if self.receiver is None:
            return
        time.sleep(self.before)
        self.receiver.kill()
        time.sleep(self.pause)
        self.receiver.restart()


def test_kills_of_sender_and_receivers_cost_well_endpoints_nothing_and_sick_ones_hold_up_none(stand):
    seed = int(os.environ.get("FRONTDESK_SEED", random.randrange(1 << 32)))
    note(f"webhook endpoints and kills: FRONTDESK_SEED={seed}")
    moments, killed = random.Random(seed), 0
    stand.start()
    shops = open_shops(stand)
    count = 100 if IS_LONG else 50
    endpoints = Endpoints(stand, shops, [KINDS[place % len(KINDS)] for place in range(count)], seed=seed)
    stand.end()
    try:
        for kill in range(KILLS):
            if kill % 5 == 4:
                stand.start_cut_short(moments.uniform(0, 0.5))
            stand.start()
            receiver = Kills(endpoints, moments)
            try:
                timer = kill_after(stand.server, moments.uniform(1.5, 4))
                load(stand, shops)
                # What is left of its time it posts.
                timer.join()
                stand.end()
            finally:
                receiver.join()
            killed += receiver.receiver is not None
        stand.start()
        # The well ones wait for none of the sick ones, of which many events are left.
        pending = endpoints.finish(PATIENCE)
        faults, posts = endpoints.verdict()
        stand.end()
    finally:
        endpoints.stop()
    acknowledged = sum(shop[2].acknowledged for shop in shops)
    assert not faults, f"FRONTDESK_SEED={seed}: {len(faults)} faults, {faults[:5]}"
    assert acknowledged >= KILLS * SHOPS and killed, f"{acknowledged} messages, {killed} receivers killed: not a load"
    assert all(pending[kind] for kind in ("failing", "hanging", "refusing")), f"nothing is left of sick ones: {pending}"
    note(f"kill -9 of the sender ({KILLS}) and of receivers ({killed}) of {len(endpoints.kinds)} endpoints: {acknowledged} messages, "
         f"{posts} stored posts of {sum(kind in WELL for kind in endpoints.kinds)} well endpoints, {sum(pending.values())} left of sick "
         f"ones, seed {seed}")


def test_control_a_receiver_that_answers_before_it_stores_loses_events(stand):
    stand.start()
    endpoints = Endpoints(stand, [(stand.business, stand.key, stand.ledger)], 2 * ["healthy"], receivers=1, late=True)
    try:
        write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 40), width=2)
        endpoints.finish(PATIENCE)
    finally:
        endpoints.stop()
    stand.end()
    assert len(endpoints.verdict()[0]) >= 40, "the check would not see a loss"


def test_control_an_endpoint_that_waits_is_not_called_finished(stand):
    stand.start()
    endpoints = Endpoints(stand, [(stand.business, stand.key, stand.ledger)], ["hanging", "healthy"], receivers=1)
    try:
        write(stand.server.port, stand.key, stand.ledger, acknowledgements(stand.ledger, 8), width=2)
        endpoints.finish(PATIENCE)
        with pytest.raises(AssertionError, match="pending"):
            endpoints.finish(1, (*WELL, "hanging"))
    finally:
        endpoints.stop()
    stand.end()
