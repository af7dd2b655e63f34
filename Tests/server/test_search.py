"""Search over HTTP: messages are found soon, by the right people, also after a crash."""

import time
import uuid

import pytest
from support.server import Customer, Installation, Session


def search(program, query, expect=None, wait=20):
    """Searches until the index has the whole log; returns the data."""
    deadline = time.monotonic() + wait
    while True:
        found = program.fetch("/api/search", params={"q": query})
        if found["index"]["behind"] == 0:
            return found["data"]
        assert time.monotonic() < deadline, found["index"]
        time.sleep(0.05)


def marked(hit):
    """The highlighted parts of a hit, whose marks count UTF-16 code units."""
    units = hit["snippet"]["text"].encode("utf-16-le")
    return [units[2 * m["start"]:2 * m["end"]].decode("utf-16-le") for m in hit["snippet"]["marks"]]


def test_messages_are_found_in_both_languages(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    first = phone.say("Is my parcel 🎁 on its way?")["message"]
    second = phone.say("ご注文の配送日はいつですか")["message"]
    program = Session(server, key=server.make_key(sandbox["id"], "search"))
    for query, message, shown in [("PARC", first, ["parcel"]), ("配送", second, ["配送"]),
                                  ("\"on its way\"", first, ["on its way"])]:
        hits = search(program, query)
        assert [hit["message"] for hit in hits] == [message["id"]]
        assert marked(hits[0]) == shown
        thread = program.fetch(f"/api/conversations/{hits[0]['conversation']}/messages")["data"]
        assert any(m["sequence"] == hits[0]["sequence"] for m in thread)


def test_a_key_of_another_business_finds_nothing(server, owner, sandbox):
    other = owner.post("/api/businesses", {"name": "Other"}, 201)
    Customer(server, sandbox["id"]).say("a word for one business only: zanzibar")
    program = Session(server, key=server.make_key(other["id"], "other"))
    assert search(program, "zanzibar") == []
    assert len(search(Session(server, key=server.make_key(sandbox["id"], "own")), "zanzibar")) == 1


def test_pages_of_a_search_lead_forward_and_back(server, owner, sandbox):
    phone = Customer(server, sandbox["id"])
    sent = [phone.say(f"mallow number {number}")["message"]["id"] for number in range(7)]
    program = Session(server, key=server.make_key(sandbox["id"], "pages"))
    assert [hit["message"] for hit in search(program, "mallow")] == sent[::-1]

    def page(**where):
        params = {"q": "mallow", "page[size]": 3, **{f"page[{edge}]": place for edge, place in where.items()}}
        found = program.fetch("/api/search", params=params)
        return [sent.index(hit["message"]) for hit in found["data"]], found

    numbers, first = page()
    assert numbers == [6, 5, 4] and first["previous"] is None and first["hasMore"]
    numbers, second = page(after=first["next"])
    assert numbers == [3, 2, 1]
    numbers, last = page(after=second["next"])
    assert numbers == [0] and last["next"] is None and not last["hasMore"]
    numbers, back = page(before=last["previous"])
    assert numbers == [3, 2, 1] and back["next"] == second["next"]
    numbers, start = page(before=back["previous"])
    assert numbers == [6, 5, 4] and start["previous"] is None
    problem = program.call("GET", "/api/search", params={"q": "mallow", "page[after]": "9", "page[before]": "9"}, expect=422)
    assert "not both" in problem.text


@pytest.mark.one_process
def test_the_index_is_rebuilt_when_it_is_missing_or_damaged():
    with Installation() as server:
        owner = server.make_owner()
        sandbox = next(b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])
        phone = Customer(server, sandbox["id"])
        sent = [phone.say(f"parcel {uuid.uuid4()}")["message"]["id"] for _ in range(5)]
        program = Session(server, key=server.make_key(sandbox["id"]))
        for harm in ("none", "deleted", "broken", "killed"):
            if harm == "killed":
                server.kill()
            else:
                server.stop()
            index = server.data / "search.sqlite"
            if harm == "deleted":
                index.unlink()
            if harm == "broken":
                index.write_bytes(b"no database at all" * 4096)
            server.start()
            hits = search(program, "parcel")
            assert [hit["message"] for hit in hits] == sent[::-1], harm
