"""Frontdesk as the gateway, Frontdesk as the provider: two processes, every dial turned up, kill -9 between.

The seed of the dials and of the order is printed; FRONTDESK_SEED repeats it.
"""

import base64
import datetime
import json
import os
import random
import secrets
import time

import pytest
from support.cards import answered_cards
from support.server import ROOT, Customer, Installation

EASED = [word for name in ("customer-messages", "agent-messages", "validations")
         for end in ("per-second", "burst") for word in ("--limit", f"{name}-{end}=100000")]
FAULTS = {
    "delay": {"probability": 0.3, "value": 20}, "status": {"probability": 0.15, "value": 503},
    "throttle": {"probability": 0.1, "value": 0}, "cut": {"probability": 0.2},
    "expiredLink": {"probability": 0.3}, "duplicate": {"probability": 0.3},
    "duplicateWithOtherID": {"probability": 0.3}, "reorder": {"probability": 0.3}}
KINDS = ("text", "quick-reply", "list-picker", "time-picker", "payment", "app", "rich-link", "form",
         "authentication")


class Side:
    """One of the two servers, its owner and the business that is linked."""

    def __init__(self):
        self.linked = set()
        self.server = Installation(*EASED)
        self.server.start()
        # The links name the port, so it has to be the same after a restart.
        self.server.listen = f"127.0.0.1:{self.server.port}"
        self.owner = self.server.make_owner()
        self.business = next(
            b for b in self.owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]

    def crash(self):
        """Kills the process, and starts it again on its data."""
        self.server.kill()
        self.server.start()

    def link(self, side, **more):
        """Creates or changes the link of a side; returns the answer."""
        path = f"/api/businesses/{self.business}/gateway/{side}"
        answer = self.owner.request("PUT", self.server.url + path, json=more, timeout=20)
        assert answer.status_code == (200 if side in self.linked else 201), answer.text
        self.linked.add(side)
        return answer.json()

    def retry_now(self):
        """Lets nothing wait for its next attempt: the schedule's minutes are not this test's matter."""
        for word, status in (("retry-now", 204), ("retry", 200)):
            answer = self.owner.request(
                "POST", f"{self.server.url}/api/businesses/{self.business}/gateway/deliveries/{word}",
                json={"side": self.side}, timeout=20)
            assert answer.status_code == status, answer.text

    def thread(self, conversation):
        """All messages of a conversation, each with its payload's very bytes."""
        rows, after = [], 0
        while True:
            page = self.owner.fetch(
                f"/api/conversations/{conversation}/messages?after={after}&page[size]=300")
            rows += page["data"]
            if not page["hasMore"]:
                break
            after = page["data"][-1]["sequence"]
        for row in rows:
            text = self.owner.call(
                "GET", f"/api/conversations/{conversation}/messages/{row['id']}").text
            start = text.index('"payload":') + len('"payload":')
            _, end = json.JSONDecoder().raw_decode(text, start)
            row["raw"] = text[start:end]
        return rows

    def file(self, conversation, attachment):
        """The bytes of a file that a conversation holds."""
        return self.owner.call(
            "GET", f"/api/attachments/{attachment}?conversation={conversation}").content


class Talk:
    """One customer: the phone at the gateway, and the conversation's name at either server."""

    def __init__(self, gateway, number):
        self.phone = Customer(gateway.server, gateway.business)
        self.name = f"customer {number}"
        said = self.phone.say(self.name)
        self.here, self.there = said["message"]["conversation"], None


@pytest.fixture(scope="module")
def pair():
    """The gateway and the provider, connected; no faults are set."""
    gateway, provider = Side(), Side()
    gateway.side, provider.side = "provider", "upstream"
    secret = base64.b64encode(secrets.token_bytes(32)).decode()
    made = provider.link(
        "upstream", baseUrl=gateway.server.url + "/v1", mspId="msp-7", secret=secret,
        settings={"upstreamBusiness": gateway.business})
    gateway.endpoint = made["upstream"]["callbackUrl"]
    gateway.link("registration", endpoint=gateway.endpoint, mspId="msp-7", secret=secret)
    yield gateway, provider
    for side in (gateway, provider):
        side.server.__exit__()


def wait_for(look, describe, *retrying, seconds=150):
    """Looks until there is something; pending deliveries are retried meanwhile."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, describe()
        for side in retrying:
            side.retry_now()
        time.sleep(0.2)


def examples():
    """Every valid example of every kind that a business sends."""
    for kind in KINDS:
        for path in sorted((ROOT / "Schemas" / "examples" / "outbound" / kind).glob("valid-*.json")):
            if ".expected" in path.name or path.with_suffix(".expected.json").exists():
                continue
            content = json.loads(path.read_text())
            if "attachments" in content and content["attachments"]:
                continue
            for member in ("v", "id", "sourceId", "destinationId", "$schema"):
                content.pop(member, None)
            yield f"{kind}/{path.name}", content


def without(raw, *members):
    """A payload as a value, some of its members left out."""
    return {key: value for key, value in json.loads(raw).items() if key not in members}


def same(mine, theirs, mine_side, their_side):
    """Whether a message is the same at both ends: byte for byte, files by their bytes."""
    if not mine["attachments"]:
        return mine["raw"] == theirs["raw"]
    files = [(mine_side.file(mine["conversation"], a["id"]),
              their_side.file(theirs["conversation"], b["id"]), a, b)
             for a, b in zip(mine["attachments"], theirs["attachments"], strict=True)]
    return without(mine["raw"], "attachments") == without(theirs["raw"], "attachments") and all(
        here == there and a == b for here, there, a, b in files)


def arrival(row, came):
    """The customer's message of the other server for this one; None when it is not there.

    A reply whose copy under another id was first is the one that is dropped: its content is there.
    """
    for other in came:
        if other["id"] == row["id"]:
            return other
    if row["kind"] == "text":
        return None
    return next((other for other in came if other["kind"] == row["kind"]
                 and other["raw"].replace(other["id"], row["id"]) == row["raw"]), None)


def check_inbound(gateway, provider, talks):
    """The provider has every message of the customers once, and besides only the dial's copies."""
    copies = dropped = 0
    for talk in talks:
        said = [row for row in gateway.thread(talk.here) if row["direction"] == "inbound"]
        came = [row for row in provider.thread(talk.there) if row["direction"] == "inbound"]
        ids = [row["id"] for row in came]
        assert len(ids) == len(set(ids)), "an id came twice"
        mine = {row["id"] for row in said}
        instead = set()
        for row in said:
            there = arrival(row, came)
            assert there, f"{row} is lost"
            if there["id"] == row["id"]:
                assert same(row, there, gateway, provider), (row, there)
            else:
                instead.add(there["id"])
        for copy in (row for row in came if row["id"] not in mine | instead):
            copies += 1
            content = without(copy["raw"], "id", "attachments")
            originals = [row for row in came if row["id"] in mine | instead
                         and without(row["raw"], "id", "attachments") == content]
            assert originals, f"{copy} is a copy of nothing that was said"
            if copy["kind"] == "text":
                continue
            # Of one session's replies with one content, one is stored in ten seconds.
            alike = [row for row in came if without(row["raw"], "id", "attachments") == content]
            times = sorted(datetime.datetime.fromisoformat(row["time"]) for row in alike)
            apart = [(b - a).total_seconds() for a, b in zip(times, times[1:])]
            assert all(seconds > 9 for seconds in apart), (apart, copy)
        log = provider.owner.fetch(f"/api/businesses/{provider.business}/gateway/exchanges"
                                   f"?conversation={talk.there}&page[size]=50")["data"]
        dropped += sum("same content" in json.dumps(one["findings"]) for one in log)
    return copies, dropped


def check_outbound(gateway, provider, talks):
    """The gateway has every message of the business once, in its order, and nothing else."""
    total = 0
    for talk in talks:
        said = [row for row in provider.thread(talk.there) if row["direction"] == "outbound"]
        came = [row for row in gateway.thread(talk.here) if row["direction"] == "outbound"]
        assert [row["id"] for row in said] == [row["id"] for row in came]
        for mine, theirs in zip(said, came, strict=True):
            # The gateway knows the business by its own id.
            sent = {**mine, "raw": mine["raw"].replace(provider.business, gateway.business)}
            assert same(sent, theirs, provider, gateway), (sent["raw"], theirs["raw"])
        total += len(said)
    return total


def ids_at(side, conversation, direction):
    """The ids of one direction's messages."""
    data = side.owner.fetch(f"/api/conversations/{conversation}/messages?page[size]=300")["data"]
    return {row["id"] for row in data if row["direction"] == direction}


def arrived(origin, goal, talks, direction):
    """Whether all of a direction is there."""
    for talk in talks:
        here, there = (talk.here, talk.there) if direction == "inbound" else (talk.there, talk.here)
        missing = ids_at(origin, here, direction) - ids_at(goal, there, direction)
        if not missing:
            continue
        if direction == "outbound":
            return False
        came = goal.thread(there)
        if not all(arrival(row, came) for row in origin.thread(here) if row["id"] in missing):
            return False
    return True


def test_nothing_is_lost_between_two_servers_that_misbehave_and_crash(pair, merchant):
    gateway, provider = pair
    seed = int(os.environ.get("FRONTDESK_SEED") or secrets.randbits(31))
    print(f"note: FRONTDESK_SEED={seed}")
    chance = random.Random(seed)
    gateway.link("registration", endpoint=gateway.endpoint,
                 settings={"faults": {"seed": seed, **FAULTS}})
    talks = [Talk(gateway, number) for number in range(4)]

    def describe():
        return "\n".join(
            f"{side.side}: " + json.dumps(side.owner.fetch(
                f"/api/businesses/{side.business}/gateway/deliveries?state={state}&side={side.side}"
            )["data"])[:3000]
            for side in (gateway, provider) for state in ("pending", "dead"))

    # Messages of customers, files among them, with the provider killed in the middle.
    for number in range(12):
        if number == 6:
            provider.crash()
        for talk in talks:
            if chance.random() < 0.25:
                data = chance.randbytes(chance.randrange(1, 200_000))
                up = talk.phone.post(
                    f"/api/phone/{gateway.business}/attachments?name=Käse {number}.bin", data,
                    expect=201, headers={"Content-Type": "application/octet-stream"})
                talk.phone.say("\ufffc", attachments=[up["id"]])
            else:
                talk.phone.say(f"word {number} \U0001f9c0 {chance.randrange(10)}")

    def find_there():
        listed = provider.owner.fetch(
            f"/api/conversations?business={provider.business}&page[size]=300")["data"]
        for row in listed:
            rows = provider.owner.fetch(f"/api/conversations/{row['id']}/messages")["data"]
            names = {one["payload"].get("body") for one in rows if "payload" in one}
            for talk in talks:
                if talk.name in names:
                    talk.there = row["id"]
        return all(talk.there for talk in talks)

    wait_for(find_there, describe, gateway)
    wait_for(lambda: arrived(gateway, provider, talks, "inbound"), describe, gateway)

    # Messages of agents, of every kind, with the gateway killed in the middle.
    outgoing = list(examples())
    cards = {talk.name: [] for talk in talks}
    assert len(outgoing) > 20 and len({name.split("/")[0] for name, _ in outgoing}) == len(KINDS)
    for place, (name, content) in enumerate(outgoing):
        if place == len(outgoing) // 2:
            gateway.crash()
        talk = talks[place % len(talks)]
        provider.owner.post(f"/api/conversations/{talk.there}/messages", content, expect=201)
    for talk in talks:
        data = chance.randbytes(150_000)
        up = provider.owner.post(
            f"/api/attachments?conversation={talk.there}&name=plan.bin", data, expect=201,
            headers={"Content-Type": "application/octet-stream"})
        provider.owner.post(f"/api/conversations/{talk.there}/messages", {
            "type": "text", "body": "\ufffc", "attachments": [up["attachment"]]}, expect=201)
        for content, choice in answered_cards(merchant):
            sent = provider.owner.post(
                f"/api/conversations/{talk.there}/messages", content, expect=201)
            cards[talk.name].append((sent["id"], choice))
    wait_for(lambda: arrived(provider, gateway, talks, "outbound"), describe, provider)

    # What customers answer, a large reply among it, with either of the two killed in the middle.
    victim = chance.choice([gateway, provider])
    for place, talk in enumerate(talks):
        if place == 2:
            victim.crash()
        for message, choice in cards[talk.name]:
            talk.phone.choose(message, **choice)
    wait_for(lambda: arrived(gateway, provider, talks, "inbound"), describe, gateway)

    # A customer leaves, which closes the conversation at the other server, and comes back.
    leaver = talks[0]
    leaver.phone.call("DELETE", f"/api/phone/{gateway.business}/conversation", expect=204)
    path = f"/api/conversations/{leaver.there}"
    wait_for(lambda: provider.owner.fetch(path)["left"], describe, gateway)
    leaver.phone.say("back again")
    wait_for(lambda: not provider.owner.fetch(path)["left"], describe, gateway)
    wait_for(lambda: arrived(gateway, provider, talks, "inbound"), describe, gateway)

    copies, dropped = check_inbound(gateway, provider, talks)
    sent = check_outbound(gateway, provider, talks)
    assert copies > 0, "the dial for copies under another id made none"
    for side in (gateway, provider):
        dead = side.owner.fetch(
            f"/api/businesses/{side.business}/gateway/deliveries?state=dead"
            f"&side={side.side}")["data"]
        assert not dead, dead
    print(f"note: {sent} messages there, "
          f"{sum(len(ids_at(gateway, talk.here, 'inbound')) for talk in talks)} back, {copies} copies "
          f"under another id kept and {dropped} dropped; killed: provider, gateway, "
          f"{'gateway' if victim is gateway else 'provider'}")
