"""Common passwords make no owner: tried one by one on a running server."""

import pytest
import requests
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from support.server import Installation

LIST = FREQUENCY_LISTS["passwords"]
LEAST = 15


@pytest.fixture(scope="module")
def open_server():
    """A server without an owner and without limits on sign-in attempts."""
    with Installation("--limit", "address-requests-per-second=1000000",
               "--limit", "address-requests-burst=1000000",
               "--limit", "keep-alive-requests=1000000") as running:
        yield running


def test_none_of_the_3000_commonest_passwords_is_accepted(open_server):
    """Neither one of the first 3,000 of a published list, nor any long one of its 30,000."""
    assert len(LIST) == 30_000 and len(set(LIST)) == 30_000
    tried = LIST[:3_000] + [word for word in LIST[3_000:] if len(word) >= LEAST]
    token = open_server.token("setup")
    session = requests.Session()
    reasons = {}
    for word in tried:
        answer = session.post(open_server.url + "/api/setup", json={
            "token": token, "name": "Ada", "email": "ada@example.com", "password": word})
        assert answer.status_code == 422, f"{word} was taken: {answer.status_code} {answer.text}"
        assert [e["pointer"] for e in answer.json()["errors"]] == ["/password"]
        key = "short" if "it needs at least" in answer.text else "common"
        assert (key == "short") == (len(word) < LEAST), word
        reasons[key] = reasons.get(key, 0) + 1
    print(f"{len(tried)} tried: {reasons}")
    assert reasons == {"short": 2_998, "common": 31}
    # The control: the same request with a password of no list makes the owner.
    answer = session.post(open_server.url + "/api/setup", json={
        "token": token, "name": "Ada", "email": "ada@example.com",
        "password": "correct horse battery staple"})
    assert answer.status_code == 201
