"""A customer's phone whose clock is wrong: which times are past is the server's to say."""

import datetime

import pytest
from playwright.sync_api import expect
from support.words import Words
from test_phone_story import Talk, interactive


@pytest.mark.parametrize("hours", [5, -5])
def test_what_has_passed_does_not_depend_on_the_clock_of_the_phone(desk, hours):
    words = Words("en")
    now = datetime.datetime.now(datetime.timezone.utc)
    talk = Talk(desk, words)
    talk.phone.page.clock.set_system_time(now + datetime.timedelta(hours=hours))
    talk.begin()
    # One has passed, the other is free; the phone holds both for past, or neither.
    slots = [{"identifier": name, "duration": 1800, "startTime": (now + datetime.timedelta(hours=far)).strftime("%Y-%m-%dT%H:%M+0000")}
             for name, far in (("over", -2), ("free", 2))]
    talk.send(interactive("event", {"identifier": "e", "title": "Look", "timeslots": slots}, receivedMessage={"title": "When?"}))
    expect(talk.phone.cards("time").last).to_contain_text(words("card.times", count=1))
    sheet = talk.phone.open_card("time")
    expect(sheet.get_by_role("radio")).to_have_count(1)
    expect(sheet.get_by_text(words("phone.sheet.noFutureTimes", name="Sandbox"))).to_be_hidden()
    assert sheet.get_by_role("radio").get_attribute("value") == "free"
