"""The bell of the customer's page, and the worker that it registers."""

import json
import re

import pytest
from looks import assert_accessible
from pages import Phone
from playwright.sync_api import expect
from push_browser import ANOTHER_KEY, BROWSER, NO_PUSH, ON_AN_IPHONE, SHOWN, pusher, shown_by
from support.words import Words


class Talk:
    """A customer's page in a browser that can be notified, at an address that browsers trust without TLS."""

    def __init__(self, desk, language="en", answer="granted", script=BROWSER, **look):
        self.desk, self.words = desk, Words(language)
        self.phone = Phone(desk, self.words, **look)
        self.page = self.phone.page
        self.page.add_init_script(script.replace("ANSWER", json.dumps(answer)))
        self.business = desk.sandbox_business
        self.address = f"{desk.server.url}/b/{self.business['id']}"
        self.phone.open(self.address)

    def begin(self):
        """Writes the first message."""
        expect(self.line).to_have_count(0)
        with self.page.expect_response(lambda answer: answer.url.endswith("/messages") and answer.request.method == "POST") as caught:
            self.phone.say("Is there tea?")
        self.id = caught.value.json()["message"]["conversation"]
        return self

    @property
    def line(self):
        """The quiet line that offers the bell."""
        return self.page.locator(".bell-line")

    def menu(self):
        """Opens the menu."""
        self.page.get_by_role("button", name=self.words("phone.menu")).click()
        return self.phone.sheet

    @property
    def switch(self):
        """The bell's switch in the open menu."""
        return self.phone.sheet.get_by_role("switch", name=self.words("bell.title"))

    @property
    def devices(self):
        """The subscriptions that the server has."""
        return self.page.evaluate("(path) => fetch(path).then((answer) => answer.json())", f"/api/phone/{self.business['id']}/push")["devices"]

    def turn_on(self):
        """Presses the line."""
        self.line.get_by_role("button", name=self.words("bell.title")).click()
        expect(self.page.locator(".toast")).to_contain_text(self.words("bell.isOn"))


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_the_bell_is_offered_after_the_first_message_and_turned_on_and_off(desk, language, scheme):
    talk = Talk(desk, language, scheme=scheme).begin()
    expect(talk.line).to_be_visible()
    assert talk.page.evaluate("window.asked") == 0
    assert_accessible(talk.page)
    desk.shot(talk.page, f"bell-line-{language}")
    talk.turn_on()
    expect(talk.line).to_have_count(0)
    assert len(talk.devices) == 1
    talk.page.reload()
    expect(talk.phone.field).to_be_visible()
    talk.menu()
    expect(talk.switch).to_be_checked()
    assert_accessible(talk.page)
    desk.shot(talk.page, f"bell-menu-{language}")
    expect(talk.line).to_have_count(0)
    # By the keyboard, which keeps its place.
    talk.switch.focus()
    talk.page.keyboard.press("Space")
    expect(talk.switch).not_to_be_checked()
    expect(talk.switch).to_be_focused()
    assert talk.devices == []
    assert talk.page.evaluate("window.asked") == 0


def test_a_page_that_finds_another_key_or_no_row_at_the_server_subscribes_again(desk):
    talk = Talk(desk).begin()
    talk.turn_on()
    [device] = talk.devices
    for change in (ANOTHER_KEY, ""):
        talk.page.evaluate("(path) => fetch(path, { method: 'DELETE' })", f"/api/phone/{talk.business['id']}/push/{device}")
        assert talk.devices == []
        if change:
            talk.page.evaluate(change)
        with talk.page.expect_response(lambda answer: answer.url.endswith("/push") and answer.request.method == "PUT"):
            talk.page.reload()
        assert talk.devices == [device]
    assert talk.page.evaluate("window.asked") == 0


def test_who_says_not_now_is_not_asked_again_and_finds_the_bell_in_the_menu(desk):
    talk = Talk(desk).begin()
    talk.line.get_by_role("button", name=talk.words("bell.later")).click()
    expect(talk.line).to_have_count(0)
    talk.page.reload()
    expect(talk.phone.field).to_be_visible()
    talk.menu()
    expect(talk.switch).not_to_be_checked()
    talk.switch.click()
    expect(talk.switch).to_be_checked()
    expect(talk.line).to_have_count(0)
    assert talk.page.evaluate("window.asked") == 1 and len(talk.devices) == 1


def test_where_notifications_are_blocked_or_impossible_the_menu_says_how_to_mend_it(desk):
    talk = Talk(desk, answer="denied").begin()
    talk.line.get_by_role("button", name=talk.words("bell.title")).click()
    expect(talk.page.locator(".toast")).to_contain_text(talk.words("bell.blocked"))
    expect(talk.menu()).to_contain_text(talk.words("bell.blocked"))
    expect(talk.switch).to_have_count(0)
    assert talk.devices == []
    for script, key in ((NO_PUSH, "bell.none"), (NO_PUSH + ON_AN_IPHONE, "bell.home")):
        other = Talk(desk, script=script).begin()
        expect(other.menu()).to_contain_text(other.words(key))
        expect(other.line).to_have_count(0)


def test_a_page_in_a_frame_and_a_page_without_a_conversation_have_no_bell(desk):
    talk = Talk(desk)
    talk.menu()
    expect(talk.phone.sheet).to_contain_text(talk.words("phone.mute"))
    expect(talk.page.locator("#bell-label")).to_have_count(0)
    talk.page.keyboard.press("Escape")
    talk.begin()
    expect(talk.line).to_be_visible()
    # The same customer in a frame, as console and sandbox have one.
    around = talk.page.context.new_page()
    around.goto(f"{desk.server.url}/sandbox")
    around.evaluate("""(address) => {
        document.body.replaceChildren(Object.assign(document.createElement("iframe"), { src: address, width: 390, height: 700 }));
    }""", talk.address)
    framed = around.frame_locator("iframe")
    expect(framed.get_by_text("Is there tea?").first).to_be_visible()
    framed.get_by_role("button", name=talk.words("phone.menu")).click()
    expect(framed.get_by_role("switch", name=talk.words("phone.mute"))).to_be_visible()
    expect(framed.locator(".bell-line, #bell-label")).to_have_count(0)


def test_the_worker_shows_the_words_of_an_answer_when_no_page_is_seen(desk):
    talk = Talk(desk).begin()
    # Before the page subscribes: no test has the server write to Google.
    path = f"/api/conversations/{talk.id}/messages"
    sent = [desk.owner.post(path, {"type": "text", "body": body}, 201) for body in ("Sencha.", "A secret.")]
    desk.owner.call("DELETE", f"{path}/{sent[1]['id']}")
    talk.turn_on()
    # Those before it are of earlier tests.
    worker = talk.page.context.service_workers[-1]
    assert re.search(r"/web/phone/push-worker\.js\?language=en$", worker.url)
    assert worker.evaluate("registration.scope") == talk.address
    worker.evaluate(SHOWN)
    deliver = pusher(desk, talk.page, talk.address)

    def push(sequence):
        deliver({"conversation": talk.id, "business": talk.business["name"], "sequence": sequence})

    # The page is seen: nothing is shown.
    push(sent[0]["sequence"])
    talk.page.goto("about:blank")
    push(sent[1]["sequence"])
    push(sent[0]["sequence"])
    # Each is shown when its words are there.
    shown_by(worker, 1)
    push(999)
    shown = shown_by(worker, 2)
    name = talk.business["name"]
    assert [(one["title"], one["body"], one["tag"]) for one in shown] == [
        (name, "Sencha.", talk.id), (name, f"New message from {name}", talk.id)]
