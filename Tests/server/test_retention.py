"""Retention by age with the real program: imported history is erased by itself, over a kill, and what is younger stays."""

import datetime
import json
import sqlite3
import time

from support import postgres
from support.server import Installation
from test_restart import everything

EACH = 250
CUSTOMERS = ["ada", "ben", "cy"]


def moment(days_ago):
    """A moment so many days ago, as the protocol writes it."""
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days_ago)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def history():
    """Lines of three customers, who wrote long ago, and once lately."""
    for customer in CUSTOMERS:
        yield {"type": "customer", "customer": customer}
        for number in range(EACH):
            yield {"type": "message", "customer": customer, "id": f"{customer} {number}", "time": moment(500),
                   "direction": ("inbound", "outbound")[number % 2], "text": f"old words {number}"}
        yield {"type": "note", "customer": customer, "id": f"{customer} note", "time": moment(500), "text": "an old note"}
        yield {"type": "message", "customer": customer, "id": f"{customer} last", "time": moment(3), "direction": "inbound",
               "text": "young words"}


def begin_now(server):
    """The day of grace has passed."""
    change = "UPDATE retentions SET begins_at = 0"
    address = server.shared.get("FRONTDESK_DATABASE")
    if address:
        postgres.shared().ask(change, address)
        return
    with sqlite3.connect(server.data / "frontdesk.sqlite") as file:
        file.execute(change)
    file.close()


def again(server, owner):
    """The server at its new port, for an owner who stays signed in."""
    server.start()
    owner.headers["Origin"] = server.url


def until(found):
    """Waits until something is so, for a minute."""
    end = time.monotonic() + 60
    while not (value := found()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return value


def test_what_was_imported_is_erased_by_its_age_over_a_kill_and_what_is_young_stays():
    with Installation() as server:
        owner = server.make_owner()
        shop = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])["id"]
        path = f"/api/businesses/{shop}/retention"
        answer = owner.post(f"/api/businesses/{shop}/imports", "\n".join(json.dumps(one) for one in history()).encode(),
                            headers={"Content-Type": "application/x-ndjson"})
        assert answer["counts"]["message"]["added"] == len(CUSTOMERS) * (EACH + 1), answer
        preview = owner.fetch(f"{path}/preview?days=365")
        assert (preview["messages"], preview["notes"], preview["conversations"]) == (len(CUSTOMERS) * EACH, 3, 3)
        assert preview["isComplete"] and preview["oldest"] < preview["before"] < preview["beginsAt"]
        chosen = owner.call("PUT", path, {"days": 365}).json()
        assert chosen["days"] == 365 and chosen["erasedThrough"] is None
        places = [one["id"] for one in owner.fetch(f"/api/conversations?business={shop}&page[size]=10")["data"]]
        assert len(places) == 3
        server.stop()
        begin_now(server)
        again(server, owner)
        until(lambda: any(one.get("erasedAt") for place in places for one in everything(owner, place)))
        server.kill()
        again(server, owner)
        through = until(lambda: owner.fetch(path)["erasedThrough"])
        assert through < moment(364)
        for place in places:
            messages = everything(owner, place)
            assert [one["sequence"] for one in messages] == list(range(1, EACH + 2))
            assert [bool(one.get("erasedAt")) for one in messages] == [True] * EACH + [False]
            assert "old words" not in json.dumps(messages) and messages[-1]["payload"]["body"] == "young words"
        assert owner.fetch(f"{path}/preview?days=365")["messages"] == 0
        log = server.log_text()
        assert "event=retention_erased" in log and "old words" not in log
        kinds = [one["kind"] for one in owner.fetch(f"/api/businesses/{shop}/audit")["data"]]
        assert "retention_set" in kinds
        server.stop()
        server.verify()
