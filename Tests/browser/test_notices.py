"""Notifications: what for, how, and when not is each agent's choice."""

import json
import re

import pytest
from looks import assert_accessible
from pages import live_business, member
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

# What a page has shown and played. The headless browser has no notifications: it refuses them although the permission was
# granted to it. So their constructor is one of the test's, and the permission is what its user would answer.
SPY = """
  window.shown = [];
  window.all = [];
  window.played = 0;
  window.asked = 0;
  window.Notification = class extends EventTarget {
    constructor(title, options) {
      super();
      window.shown.push({ title, ...options });
      window.lastShown = Object.assign(this, { tag: options.tag });
      window.all.push(this);
    }
    close() { this.isClosed = true; }
    static get permission() { return localStorage.getItem("permission") ?? "default"; }
    static async requestPermission() {
      window.asked += 1;
      localStorage.setItem("permission", ANSWER);
      return ANSWER;
    }
  };
  const begin = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.played += 1; return begin.apply(this, at); };
  window.isLooking = true;
  document.hasFocus = () => window.isLooking;
"""


def notified_page(desk, words, session=None, answer="granted", path="", **look):
    """The console at an address that browsers trust, as https would be; with the permission that is asked for."""
    session = session or desk.owner
    page = desk.page(language=words.language, **look)
    page.context.add_cookies([{"name": one.name, "value": one.value, "url": desk.server.url, "httpOnly": True, "sameSite": "Strict"}
                              for one in session.cookies])
    page.add_init_script(SPY.replace("ANSWER", json.dumps(answer)))
    page.goto(f"{desk.server.url}/console{path}")
    return page


def setting(page, words, name):
    """A check box of the notifications."""
    return page.get_by_role("checkbox", name=words(f"console.notices.{name}"), exact=True)


def look_away(page):
    """Another window has the focus."""
    page.evaluate("window.isLooking = false")


def look_back(page):
    """The page has the focus again."""
    page.evaluate("window.isLooking = true; window.dispatchEvent(new Event('focus'))")


def live(page):
    """Waits until events arrive."""
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()


def icon(page):
    """The address of the page's icon."""
    return page.locator("link[rel=icon]").get_attribute("href")


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_the_permission_is_asked_for_at_a_press_and_what_for_is_a_choice(desk, language, scheme, phone):
    words = Words(language)
    page = notified_page(desk, words, path="/settings/me", scheme=scheme, phone=phone)
    browser = setting(page, words, "browser")
    expect(browser).not_to_be_checked()
    assert page.evaluate("window.asked") == 0
    desk.shot(page, f"notifications-{language}-{scheme}")
    assert_accessible(page)
    browser.check()
    expect(browser).to_be_checked()
    assert page.evaluate("window.asked") == 1
    setting(page, words, "unassigned").uncheck()
    setting(page, words, "quietOn").check()
    from_field = page.get_by_label(words("console.notices.quiet.from"), exact=True)
    from_field.fill("22:30")
    from_field.press("Tab")
    assert_accessible(page)
    page.locator("notification-settings").scroll_into_view_if_needed()
    desk.shot(page, f"notifications-quiet-{language}-{scheme}")
    page.reload()
    expect(browser).to_be_checked()
    expect(setting(page, words, "unassigned")).not_to_be_checked()
    expect(from_field).to_have_value("10:30 PM" if language == "en" else "22:30")
    assert page.evaluate("document.documentElement.scrollWidth") <= (390 if phone else 1280)


def test_a_refused_permission_is_said_and_nothing_is_turned_on(desk):
    words = Words("en")
    page = notified_page(desk, words, answer="denied", path="/settings/me")
    browser = setting(page, words, "browser")
    browser.click()
    expect(browser).to_be_disabled()
    expect(browser).not_to_be_checked()
    expect(page.get_by_text(words("console.notices.denied"))).to_be_visible()
    insecure = desk.page(session=desk.owner)
    insecure.goto(f"{desk.phone_url}/console/settings/me")
    expect(setting(insecure, words, "browser")).to_be_disabled()
    expect(insecure.get_by_text(words("console.notices.insecure"))).to_be_visible()


def test_who_only_reads_is_offered_no_notice_of_what_others_answer(desk):
    words = Words("en")
    page = notified_page(desk, words, session=member(desk, "Odo", role="auditor"), path="/settings/me")
    expect(setting(page, words, "mention")).to_be_visible()
    for reason in ("assigned", "mine", "unassigned"):
        expect(setting(page, words, reason)).to_have_count(0)


def test_a_waiting_customer_rings_shows_and_counts_while_the_agent_looks_away(desk):
    words = Words("en")
    page = notified_page(desk, words, path="/settings/me")
    setting(page, words, "browser").check()
    page.goto(f"{desk.server.url}/console")
    live(page)
    page.locator("body").click(position={"x": 400, "y": 20})
    plain = icon(page)
    look_away(page)
    shop = live_business(desk)["id"]
    customer = Customer(desk.server, shop)
    said = customer.say("Is somebody there?")["message"]
    page.wait_for_function("() => window.shown.length === 1")
    shown = page.evaluate("window.shown[0]")
    assert shown["body"] == f"{words('console.notice.unassigned')}\nIs somebody there?"
    assert shown["tag"] == said["conversation"]
    assert page.evaluate("window.played") == 2
    expect(page).to_have_title(re.compile("^● "))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))
    # A further message of one who waits already is no news for everybody.
    customer.say("Hello?")
    other = Customer(desk.server, shop).say("Me too")["message"]
    page.wait_for_function("() => window.shown.length === 2")
    assert page.evaluate("window.shown[1].tag") == other["conversation"]
    # Pressing it leads there.
    page.evaluate("window.lastShown.dispatchEvent(new Event('click'))")
    expect(page).to_have_url(re.compile(other["conversation"]))
    look_back(page)
    expect(page).not_to_have_title(re.compile("●"))
    assert icon(page) == plain
    # What the agent is looking at needs no notice.
    expect(page.locator("desk-thread").get_by_text("Me too")).to_be_visible()


def test_what_a_bot_answers_waits_for_no_person_until_it_hands_over(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Bot shop", "colour": "#2f7d5b"}, expect=201)
    base = f"/api/businesses/{shop['id']}"
    secret = desk.server.make_key(shop["id"], "bot", ["read", "send"])
    key = desk.owner.fetch(f"{base}/keys")["data"][-1]["id"]
    desk.owner.post(f"{base}/bots", {"name": "Teabot", "key": key, "answerSeconds": 600, "first": True}, expect=201)
    agent = member(desk, "Bibi", business=shop["id"])
    agent.call("PATCH", "/api/session/preferences", {"console": {"browser": True}})
    page = notified_page(desk, words, agent)
    page.evaluate("localStorage.setItem('permission', 'granted')")
    expect(page.locator(".line-mark[data-state=live]")).to_be_attached()
    look_away(page)
    conversation = Customer(desk.server, shop["id"]).say("Are you a machine?")["message"]["conversation"]
    expect(page.locator("conversation-list")).to_be_visible()
    page.wait_for_timeout(1_000)
    assert page.evaluate("window.shown") == []
    Session(desk.server, secret).post(f"/api/conversations/{conversation}/control", {"action": "pass"})
    page.wait_for_function("() => window.shown.length > 0")
    [shown] = page.evaluate("window.shown")
    assert (shown["body"], shown["tag"]) == (words("console.notice.unassigned"), conversation)


def test_what_is_not_chosen_and_what_comes_in_quiet_hours_makes_no_sound(desk):
    words = Words("en")
    agent = member(desk, "Quinn")
    page = notified_page(desk, words, session=agent, path="/settings/me")
    setting(page, words, "browser").check()
    setting(page, words, "unassigned").uncheck()
    page.goto(f"{desk.server.url}/console")
    live(page)
    page.locator("body").click(position={"x": 400, "y": 20})
    look_away(page)
    customer = Customer(desk.server, live_business(desk)["id"])
    said = customer.say("Not for everybody")["message"]
    path = f"/api/conversations/{said['conversation']}"
    # Assigned by another agent: this is for Quinn, and what comes after it too.
    desk.owner.call("PATCH", path, {"assignee": agent.member})
    page.wait_for_function("() => window.shown.length === 1")
    assert page.evaluate("window.shown[0].body").startswith(words("console.notice.assigned"))
    customer.say("For Quinn")
    page.wait_for_function("() => window.shown.length === 2")
    assert page.evaluate("window.shown[1].body") == f"{words('console.notice.mine')}\nFor Quinn"
    played = page.evaluate("window.played")
    # All day is quiet but one minute of the night.
    agent.call("PATCH", "/api/session/preferences", {"console": {"quiet": {"isOn": True, "from": "00:00", "until": "23:59"}}})
    page.reload()
    live(page)
    if page.evaluate("new Date().getHours() * 60 + new Date().getMinutes()") == 23 * 60 + 59:
        pytest.skip("the minute that is not quiet")
    look_away(page)
    customer.say("In the night")
    expect(page).to_have_title(re.compile("^● "))
    assert page.evaluate("window.shown.length") == 0 and page.evaluate("window.played") == 0
    assert played == 2


def test_two_pages_of_a_browser_notify_once(desk):
    words = Words("en")
    page = notified_page(desk, words, path="/settings/me")
    setting(page, words, "browser").check()
    page.goto(f"{desk.server.url}/console")
    second = page.context.new_page()
    second.add_init_script(SPY.replace("ANSWER", json.dumps("granted")))
    second.goto(f"{desk.server.url}/console")
    for one in (page, second):
        live(one)
        look_away(one)
    # A page that notified a second time would have done so when the next message is notified.
    for count, text in enumerate(("Once, please", "And once more", "And a last time"), start=1):
        Customer(desk.server, live_business(desk)["id"]).say(text)
        for one in (page, second):
            expect(one).to_have_title(re.compile("^● "))
        arrived(page, second, count)
    tags = [notice["tag"] for one in (page, second) for notice in one.evaluate("window.shown")]
    assert len(tags) == len(set(tags)) == 3


# A phone shows notifications of a worker alone: there the constructor is none.
PHONE = """
  const { permission, requestPermission } = window.Notification;
  window.Notification = Object.assign(function () { throw new TypeError("Illegal constructor"); }, { permission: "granted", requestPermission });
  ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
    window.shown.push({ title, ...options, worker: this.active.scriptURL });
  };
  ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) => [{ close: () => { window.closedNotice = tag; } }];
"""


def test_on_a_phone_a_worker_shows_the_notice_and_leads_to_its_conversation(desk):
    words = Words("en")
    page = desk.page(phone=True)
    page.context.add_cookies([{"name": one.name, "value": one.value, "url": desk.server.url, "httpOnly": True, "sameSite": "Strict"}
                              for one in desk.owner.cookies])
    page.add_init_script(SPY.replace("ANSWER", json.dumps("granted")) + PHONE)
    page.goto(f"{desk.server.url}/console/settings/me")
    setting(page, words, "browser").check()
    page.goto(f"{desk.server.url}/console")
    live(page)
    look_away(page)
    for text in ("From afar", "And again"):
        said = Customer(desk.server, live_business(desk)["id"]).say(text)["message"]["conversation"]
        page.wait_for_function("(text) => window.shown.at(-1)?.body.includes(text)", arg=text)
        shown = page.evaluate("window.shown.at(-1)")
        assert (shown["tag"], shown["data"]) == (said, {"conversation": said})
        assert shown["worker"] == f"{desk.server.url}/web/console/notice-worker.js?language=en"
    [message] = desk.owner.fetch(f"/api/conversations/{said}/messages")["data"]
    desk.owner.call("DELETE", f"/api/conversations/{said}/messages/{message['id']}")
    page.wait_for_function("(tag) => window.closedNotice === tag", arg=said)
    # Other tests may have left theirs in the context.
    *_, worker = page.context.service_workers
    worker.evaluate("""(conversation) => clients.matchAll({ type: "window", includeUncontrolled: true })
        .then(([page]) => page.postMessage({ conversation }))""", said)
    page.wait_for_url(f"**/console/c/{said}")
    page.evaluate("navigator.serviceWorker.getRegistrations().then(([one]) => one.unregister())")


def arrived(page, second, count):
    """Waits until the two pages together have shown so many notices."""
    for _ in range(100):
        if sum(one.evaluate("window.shown.length") for one in (page, second)) >= count:
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{count} notices were not shown")


def test_those_who_are_concerned_learn_of_a_change_and_its_author_does_not(desk):
    words = Words("en")
    agent = member(desk, "Rio")
    shop = live_business(desk)["id"]
    mine, other = (Customer(desk.server, shop).say(text)["message"]["conversation"] for text in ("Of Rio", "Of others"))
    desk.owner.call("PUT", f"/api/conversations/{mine}/participants/{agent.member}")
    page = notified_page(desk, words, session=agent, path="/settings/me")
    setting(page, words, "browser").check()
    page.goto(f"{desk.server.url}/console")
    live(page)
    look_away(page)
    owner = desk.owner.fetch("/api/session")["agent"]["id"]
    # Closing is not chosen, what others look after and what one does oneself is no news; the last one is.
    desk.owner.call("PATCH", f"/api/conversations/{other}", {"assignee": owner})
    agent.call("PATCH", f"/api/conversations/{mine}", {"assignee": owner})
    desk.owner.call("PATCH", f"/api/conversations/{mine}", {"state": "closed"})
    desk.owner.call("PATCH", f"/api/conversations/{mine}", {"state": "open"})
    page.wait_for_function("() => window.shown.length === 1")
    assert page.evaluate("window.shown.map(({ tag, body }) => [tag, body])") == [[mine, words("console.notice.reopened")]]
    agent.call("PUT", f"/api/conversations/{mine}/watch")
    desk.owner.call("DELETE", f"/api/conversations/{mine}/participants/{agent.member}")
    page.wait_for_function("() => window.shown.length === 2")
    assert page.evaluate("window.shown[1].body") == words("console.notice.participants")


def test_a_notice_of_a_note_goes_with_the_note(desk):
    words = Words("en")
    agent = member(desk, "Uma")
    conversation = Customer(desk.server, live_business(desk)["id"]).say("Hello")["message"]["conversation"]
    page = notified_page(desk, words, session=agent, path="/settings/me")
    setting(page, words, "browser").check()
    page.goto(f"{desk.server.url}/console")
    live(page)
    look_away(page)
    notes = f"/api/conversations/{conversation}/notes"
    note = desk.owner.post(notes, {"text": "The card is 4111", "mentions": [agent.member]}, 201)
    page.wait_for_function("() => window.shown.some(({ body }) => body.includes('4111'))")
    desk.owner.call("DELETE", f"{notes}/{note['id']}")
    page.wait_for_function("() => window.all.at(-1).isClosed")


def test_what_the_agent_answers_on_another_device_is_no_longer_noticed_here(desk):
    words = Words("en")
    agent = member(desk, "Una")
    customers = [Customer(desk.server, live_business(desk)["id"]) for _ in range(2)]
    first, second = [one.say("Is there tea?")["message"]["conversation"] for one in customers]
    for conversation in (first, second):
        desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"assignee": agent.member})
    page = notified_page(desk, words, session=agent, path="/settings/me")
    setting(page, words, "browser").check()
    page.goto(f"{desk.server.url}/console")
    live(page)
    look_away(page)
    for one in customers:
        one.say("Hello?")
    page.wait_for_function("() => window.shown.length === 2")
    expect(page).to_have_title(re.compile("^● "))
    # A colleague's answer leaves what the agent is to see.
    desk.owner.post(f"/api/conversations/{first}/messages", {"type": "text", "body": "One moment."}, 201)
    agent.post(f"/api/conversations/{second}/messages", {"type": "text", "body": "There is."}, 201)
    closed = "(tag) => window.all.filter((one) => one.isClosed).map((one) => one.tag).join() === tag"
    page.wait_for_function(closed, arg=second)
    expect(page).to_have_title(re.compile("^● "))
    agent.post(f"/api/conversations/{first}/messages", {"type": "text", "body": "And coffee."}, 201)
    expect(page).not_to_have_title(re.compile("●"))
    page.wait_for_function(closed, arg=",".join(one for one in page.evaluate("window.shown.map(({ tag }) => tag)")))
