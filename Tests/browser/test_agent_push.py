"""An agent is notified on a device while no console is in use: the choice in the settings, and what its worker shows."""

import re

import pytest
from looks import assert_accessible
from pages import refusal
from playwright.sync_api import expect
from push_browser import ANOTHER_KEY, BROWSER, NO_PUSH, ON_AN_IPHONE, PUSH, SETTINGS, SHOWN, Desktop, pusher, shown_by
from support.authenticator import App
from support.server import Customer
from support.words import Words


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_it_is_turned_on_and_off_by_the_keyboard_for_this_browser_alone(desk, language, scheme, phone):
    desktop = Desktop(desk, f"Pia{language}", language, scheme=scheme, phone=phone)
    page, box = desktop.page, desktop.box
    expect(box).not_to_be_checked()
    expect(desktop.test_button).to_have_count(0)
    expect(box).to_have_accessible_description(desktop.words("console.notices.push.hint"))
    assert page.evaluate("window.asked") == 0
    page.locator("#notice-browser").scroll_into_view_if_needed()
    assert_accessible(page)
    desk.shot(page, f"agent-push-off-{language}-{scheme}")
    box.focus()
    page.keyboard.press("Space")
    expect(desktop.test_button).to_be_visible()
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    assert len(desktop.devices) == 1 and page.evaluate("window.asked") == 1
    # What is chosen for all devices stays as it was.
    assert "browser" not in (desktop.agent.fetch("/api/session")["preferences"]["console"] or {})
    desktop.test_button.scroll_into_view_if_needed()
    assert_accessible(page)
    desk.shot(page, f"agent-push-on-{language}-{scheme}")
    assert page.evaluate("document.documentElement.scrollWidth") <= (390 if phone else 1280)
    box.focus()
    page.keyboard.press("Space")
    expect(desktop.test_button).to_have_count(0)
    expect(box).not_to_be_checked()
    expect(box).to_be_focused()
    assert desktop.devices == [] and not desktop.is_subscribed
    page.reload()
    expect(box).not_to_be_checked()
    assert len(desktop.puts) == 1


def test_each_load_renews_it_and_subscribes_again_where_the_key_changed_or_either_side_lost_it(desk):
    desktop = Desktop(desk, "Quin")
    desktop.turn_on()
    [device] = desktop.devices
    desktop.reload_renewing()
    assert desktop.devices == [device]
    for change in (ANOTHER_KEY, "localStorage.removeItem('subscribed')", f"fetch('{PUSH}/{device}', {{ method: 'DELETE' }})"):
        desktop.page.evaluate(change)
        desktop.reload_renewing()
        assert desktop.devices == [device]
    # A page of the inbox does it too.
    with desktop.page.expect_response(lambda answer: answer.url.endswith(PUSH) and answer.request.method == "PUT"):
        desktop.open("/console")
    assert desktop.page.evaluate("window.asked") == 0


def test_the_worker_has_the_language_that_is_chosen_in_the_page(desk):
    desktop = Desktop(desk, "Rita")
    desktop.turn_on()
    address = "navigator.serviceWorker.getRegistration('/web/console/').then((one) => (one.installing ?? one.waiting ?? one.active).scriptURL)"
    worker = f"{desk.server.url}/web/console/notice-worker.js?language="
    assert desktop.page.evaluate(address) == f"{worker}en"
    desktop.page.get_by_role("group", name=desktop.words("shared.language")).get_by_text("日本語").click()
    expect(desktop.page.get_by_role("checkbox", name=Words("ja")("console.notices.push"), exact=True)).to_be_checked()
    desktop.page.wait_for_function(f"() => {address}.then((found) => found === '{worker}ja')")


def test_a_permission_that_was_withdrawn_turns_it_off(desk):
    desktop = Desktop(desk, "Sven")
    desktop.turn_on()
    desktop.page.evaluate("localStorage.setItem('permission', 'denied')")
    desktop.page.reload()
    expect(desktop.box).to_be_disabled()
    expect(desktop.box).not_to_be_checked()
    desktop.page.evaluate("localStorage.setItem('permission', 'granted')")
    desktop.page.reload()
    expect(desktop.box).to_be_enabled()
    expect(desktop.box).not_to_be_checked()
    assert len(desktop.puts) == 1


def test_who_signs_in_next_has_it_off_and_is_shown_nothing_of_who_was_there(desk):
    desktop = Desktop(desk, "Tilda")
    page, other = desktop.page, desktop.new_member("Ugo")
    desktop.turn_on()
    # The session of the first has ended by itself.
    desktop.sign_in(other)
    page.reload()
    expect(desktop.box).to_be_enabled()
    expect(desktop.box).not_to_be_checked()
    page.wait_for_function("localStorage.getItem('subscribed') === null")
    assert desktop.devices == []
    # Who comes back has it on again, until they sign out.
    desktop.sign_in(desktop.agent)
    desktop.reload_renewing()
    expect(desktop.box).to_be_checked()
    assert len(desktop.devices) == 1 and desktop.is_subscribed
    page.locator("profile-menu button").first.click()
    page.get_by_role("button", name=desktop.words("shared.signOut")).click()
    expect(page.locator("sign-in-form")).to_be_visible()
    page.wait_for_function("localStorage.getItem('subscribed') === null")


def test_where_it_is_blocked_or_impossible_the_settings_say_why(desk):
    blocked = Desktop(desk, "Vera", answer="denied")
    blocked.box.click()
    expect(blocked.box).to_be_disabled()
    expect(blocked.box).not_to_be_checked()
    expect(blocked.box).to_have_accessible_description(blocked.words("console.notices.denied"))
    assert blocked.devices == []
    assert_accessible(blocked.page)
    desk.shot(blocked.page, "agent-push-blocked")
    on_an_iphone = NO_PUSH + ON_AN_IPHONE + "delete window.Notification;"
    for name, script, key in (("Wim", BROWSER + NO_PUSH, "push.none"), ("Xenia", on_an_iphone, "home")):
        other = Desktop(desk, name, script=script, phone=True)
        expect(other.box).to_be_disabled()
        expect(other.box).to_have_accessible_description(other.words(f"console.notices.{key}"))
        other.part.scroll_into_view_if_needed()
        assert_accessible(other.page)
        desk.shot(other.page, f"agent-push-{key}")
    insecure = desk.page(session=desk.owner)
    insecure.goto(desk.phone_url + SETTINGS)
    mark = insecure.get_by_role("checkbox", name=blocked.words("console.notices.push"), exact=True)
    expect(mark).to_be_disabled()
    expect(mark).to_have_accessible_description(blocked.words("console.notices.insecure"))


def test_a_test_is_sent_and_what_fails_is_said_and_can_be_repeated(desk):
    desktop = Desktop(desk, "Yves")
    page, words, said = desktop.page, desktop.words, desktop.part.locator("[role=status]")
    desktop.puts.clear()
    page.route(f"**{PUSH}", lambda route: route.abort("internetdisconnected"))
    desktop.box.click()
    expect(said).to_have_text(words("shared.problem.offline"))
    expect(desktop.box).not_to_be_checked()
    page.unroute(f"**{PUSH}")
    desktop.turn_on()
    expect(said).to_be_empty()
    # No test has the server write to Google: it is asked for nothing.
    answers = [{"status": 202}, refusal(404, "not_found"), {"status": 202}, {**refusal(429, "rate_limited"), "headers": {"Retry-After": "7"}}]
    page.route(re.compile(f"{PUSH}/[0-9a-f]{{64}}/test$"), lambda route: route.fulfill(**answers.pop(0)))
    sent = words("console.notices.push.sent", words=words("console.notices.push.test"))
    desktop.test_button.press("Enter")
    expect(said).to_have_text(sent)
    expect(desktop.test_button).to_be_focused()
    assert_accessible(page)
    desk.shot(page, "agent-push-tested")
    # One that the server has lost is sent anew.
    page.evaluate("""(path) => fetch(path).then((answer) => answer.json())
        .then(({ devices: [device] }) => fetch(`${path}/${device}`, { method: "DELETE" }))""", PUSH)
    desktop.test_button.press("Enter")
    expect(said).to_have_text(sent)
    assert len(answers) == 1 and len(desktop.devices) == 1
    desktop.test_button.press("Enter")
    expect(said).to_have_text(words("console.tooManyTries", seconds=7))


class Pushed:
    """What happened in a business before its agent's browser subscribed, and the worker to which it is pushed."""

    def __init__(self, desktop):
        self.desktop, desk = desktop, desktop.desk
        customer = Customer(desk.server, desktop.business["id"])
        said = customer.say("Is there tea?")["message"]
        secret = customer.say("My card is 4111")["message"]
        self.conversation = said["conversation"]
        path = f"/api/conversations/{self.conversation}"
        self.note = desk.owner.post(f"{path}/notes", {"text": "Please look", "mentions": [desktop.agent.member]}, 201)
        desk.owner.call("DELETE", f"{path}/messages/{secret['id']}")
        page = desktop.agent.fetch(f"/api/events?business={desktop.business['id']}&limit=300", headers={"Accept": "application/json"})
        events = {}
        for one in page["data"]:
            held = one["data"].get("message") or one["data"].get("note") or {}
            if one["type"] in ("message.accepted", "note.added"):
                events[held["id"]] = one["id"]
        self.said, self.secret, self.noted = events[said["id"]], events[secret["id"]], events[self.note["id"]]
        state = next(one for one in page["data"] if one["type"] == "message.accepted")["data"]["conversationState"]
        tail = re.sub(r"[^A-Za-z0-9]", "", state["customer"]["id"])[-4:].upper()
        self.customer = desktop.words("shared.customerName", tail=tail)
        with desktop.page.context.expect_event("serviceworker") as registered:
            desktop.turn_on()
        self.worker = registered.value
        self.worker.evaluate(SHOWN)

    def of(self, event, reason="mine"):
        """What the server pushes of an event."""
        return {"conversation": self.conversation, "event": event, "reason": reason, "business": self.desktop.business["name"], "isSilent": False}

    def handle(self, data):
        """Has the worker handle what was pushed to its end."""
        self.worker.evaluate("(data) => notify({ json: () => data })", data)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_worker_shows_the_words_and_without_a_session_why(desk, language):
    desktop = Desktop(desk, f"Zoe{language}", language)
    pushed, words = Pushed(desktop), desktop.words
    push = pusher(desk, desktop.page, f"{desk.server.url}/web/console/")
    desktop.page.goto("about:blank")
    push(pushed.of(pushed.said))
    shown_by(pushed.worker, 1)
    push(pushed.of(pushed.noted, "mention"))
    [said, noted] = shown_by(pushed.worker, 2)
    assert (said["title"], said["body"]) == (pushed.customer, f"{words('console.notice.mine')}\nIs there tea?")
    assert (noted["title"], noted["body"]) == (pushed.customer, f"{words('console.notice.mention')}\nPlease look")
    assert (said["tag"], said["data"], said["lang"], said["silent"], said["renotify"]) == (
        pushed.conversation, {"conversation": pushed.conversation}, language, False, True)
    assert said["icon"].endswith(".png")
    # Of what was erased since, nothing is shown but why; of an event that is not there neither.
    pushed.handle(pushed.of(pushed.secret))
    epoch = pushed.said.rpartition("-")[0]
    pushed.handle(pushed.of(f"{epoch}-999999999"))
    pushed.handle({"reason": "several", "isSilent": True})
    pushed.handle({"reason": "test", "isSilent": False})
    desktop.page.context.clear_cookies()
    pushed.handle(pushed.of(pushed.said))
    erased, missing, several, test, signed_out = pushed.worker.evaluate("shown.slice(2)")
    assert (erased["title"], erased["body"]) == (pushed.customer, words("console.notice.mine"))
    assert (missing["title"], missing["body"]) == (desktop.business["name"], words("console.notice.mine"))
    assert (several["title"], several["tag"], several["silent"]) == ("Frontdesk", "several", True)
    assert test["body"] == words("console.notices.push.test")
    assert (signed_out["title"], signed_out["body"]) == (desktop.business["name"], words("console.notice.mine"))


def test_what_is_pushed_is_shown_without_a_sound_where_an_open_console_is_looked_at_or_notifies_by_itself(desk):
    desktop = Desktop(desk, "Arno")
    page, pushed = desktop.page, Pushed(desktop)

    def is_silent():
        before = pushed.worker.evaluate("shown.length")
        pushed.handle(pushed.of(pushed.said))
        assert pushed.worker.evaluate("shown.length") == before + 1
        last = pushed.worker.evaluate("shown.at(-1)")
        assert last["renotify"] != last["silent"]
        return last["silent"]

    assert is_silent()
    page.evaluate("document.hasFocus = () => false")
    assert not is_silent()
    # A test has its sound while the page with its button is looked at.
    page.evaluate("document.hasFocus = () => true")
    pushed.handle({"reason": "test", "isSilent": False})
    assert pushed.worker.evaluate("[shown.at(-1).tag, shown.at(-1).silent]") == ["test", False]
    # A notification of the page itself makes room for the worker's, so that there is one.
    page.evaluate("document.hasFocus = () => false")
    page.locator("#notice-browser").check()
    page.evaluate("""() => {
        const { permission } = Notification;
        window.own = [];
        window.Notification = class extends EventTarget {
            static permission = permission;
            constructor(...shown) { super(); own.push(this); }
            close() { this.isClosed = true; }
        };
    }""")
    desk.owner.call("PATCH", f"/api/conversations/{pushed.conversation}", {"assignee": desktop.agent.member})
    page.wait_for_function("() => own.length === 1")
    assert page.evaluate("own[0].isClosed") is None
    assert is_silent()
    assert page.evaluate("own[0].isClosed")
    # What the worker has shown, a page does not notify of later.
    claimed = "(event) => import('/web/console/notice-claims.js').then(({ claimNotice }) => claimNotice(event))"
    assert page.evaluate(claimed, pushed.said) is False
    # A page whose connection is down learns of nothing.
    page.context.set_offline(True)
    expect(page.locator(".line-mark[data-state=offline]")).to_be_attached()
    assert not is_silent()
    page.context.set_offline(False)


def test_a_press_on_a_notification_opens_its_conversation_in_the_console_that_is_open(desk):
    desktop = Desktop(desk, "Bela")
    pushed = Pushed(desktop)
    # Only a press of a person may give a page the focus.
    pushed.worker.evaluate("(conversation) => open(conversation).catch(() => {})", pushed.conversation)
    desktop.page.wait_for_url(f"**/console/c/{pushed.conversation}")
    expect(desktop.page.locator("desk-thread").get_by_text("Is there tea?")).to_be_visible()


def test_a_second_factor_that_ends_the_account_s_devices_does_not_end_it_in_the_browser_where_it_is_set_up(desk):
    desktop = Desktop(desk, "Uli")
    desktop.turn_on()
    [device] = desktop.devices
    place = desktop.page.locator("second-factor-settings")
    place.get_by_role("button", name=desktop.words("secondFactor.setUp"), exact=True).click()
    password = place.get_by_label(desktop.words("console.password"), exact=True)
    password.fill("seven green lanterns in a row")
    password.press("Enter")
    code = place.get_by_label(desktop.words("secondFactor.code.app"), exact=True)
    expect(code).to_be_focused()
    code.fill(App(place.locator(".factor-secret").text_content()).code())
    code.press("Enter")
    with desktop.page.expect_response(lambda answer: answer.url.endswith(PUSH) and answer.request.method == "PUT"):
        place.get_by_role("button", name=desktop.words("secondFactor.kept"), exact=True).click()
    assert desktop.devices == [device]
