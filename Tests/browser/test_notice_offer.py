"""Notifications are offered to an agent once, after the first answer."""

import pytest
from looks import assert_accessible
from playwright.sync_api import expect
from push_browser import NO_PUSH, PUSH, SETTINGS, Desktop
from support.server import Customer
from support.waiting import until


class Inbox(Desktop):
    """A console with a customer who waits, in a browser that was not asked."""

    def __init__(self, desk, name, language="en", **more):
        super().__init__(desk, name, language, path="/console", **more)
        said = Customer(desk.server, self.business["id"]).say("Is there tea?")["message"]
        self.path = f"/api/conversations/{said['conversation']}/messages"
        self.answered = 0

    @property
    def offer(self):
        """The line below the list."""
        return self.page.locator("notice-offer")

    def answer(self):
        """Answers the customer, which the list shows."""
        self.answered += 1
        self.agent.post(self.path, {"type": "text", "body": f"Answer {self.answered}"}, 201)
        expect(self.page.locator("conversation-list").get_by_text(f"Answer {self.answered}").first).to_be_visible()

    def button(self, key):
        """A button of the offer."""
        return self.offer.get_by_role("button", name=self.words(key), exact=True)


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_after_the_first_answer_notifications_are_offered_once_and_one_press_turns_both_on(desk, language, scheme, phone):
    inbox = Inbox(desk, f"Cleo{language}", language, scheme=scheme, phone=phone)
    page = inbox.page
    expect(page.locator("conversation-list").get_by_text("Is there tea?").first).to_be_visible()
    expect(inbox.offer).to_have_count(0)
    inbox.answer()
    expect(inbox.button("console.noticeOffer")).to_be_visible()
    inbox.answer()
    expect(inbox.offer).to_have_count(1)
    assert page.evaluate("window.asked") == 0
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= (390 if phone else 1280)
    desk.shot(page, f"notice-offer-{language}-{scheme}")
    inbox.button("console.noticeOffer").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".fd-toast")).to_contain_text(inbox.words("console.noticeOffer.isOn"))
    expect(inbox.offer).to_have_count(0)
    expect(page.locator("#list-title")).to_be_focused()
    desk.shot(page, f"notice-offer-on-{language}-{scheme}")
    assert len(inbox.devices) == 1 and page.evaluate("window.asked") == 1
    until(lambda: inbox.agent.fetch("/api/session")["preferences"]["console"] or {}, lambda chosen: chosen.get("browser") is True)
    inbox.open("/console")
    inbox.answer()
    expect(inbox.offer).to_have_count(0)


def test_who_declines_what_is_offered_is_not_asked_again_and_finds_it_in_the_settings(desk):
    inbox = Inbox(desk, "Dora")
    inbox.answer()
    inbox.button("console.noticeOffer.later").click()
    expect(inbox.offer).to_have_count(0)
    inbox.answer()
    inbox.open("/console")
    inbox.answer()
    inbox.open(SETTINGS)
    expect(inbox.box).to_be_enabled()
    expect(inbox.box).not_to_be_checked()
    expect(inbox.offer).to_have_count(0)
    assert inbox.page.evaluate("window.asked") == 0 and inbox.devices == []


def test_a_push_service_that_fails_leaves_the_offer_and_a_blocked_browser_ends_it(desk):
    failing = Inbox(desk, "Emil")
    failing.answer()
    failing.page.route(f"**{PUSH}", lambda route: route.abort("internetdisconnected"))
    failing.button("console.noticeOffer").click()
    expect(failing.page.locator(".fd-toast")).to_contain_text(failing.words("console.notices.push.failed"))
    expect(failing.button("console.noticeOffer")).to_be_enabled()
    failing.page.unroute(f"**{PUSH}")
    failing.button("console.noticeOffer").click()
    expect(failing.offer).to_have_count(0)
    assert len(failing.devices) == 1
    blocked = Inbox(desk, "Fina", answer="denied")
    blocked.answer()
    blocked.button("console.noticeOffer").click()
    expect(blocked.page.locator(".fd-toast")).to_contain_text(blocked.words("console.notices.denied"))
    expect(blocked.offer).to_have_count(0)
    assert blocked.devices == []


def test_a_colleague_s_answer_and_a_browser_that_cannot_notify_bring_no_offer(desk):
    inbox = Inbox(desk, "Gwen")
    inbox.desk.owner.post(inbox.path, {"type": "text", "body": "By a colleague"}, 201)
    expect(inbox.page.locator("conversation-list").get_by_text("By a colleague").first).to_be_visible()
    expect(inbox.offer).to_have_count(0)
    other = Inbox(desk, "Hugo", script=NO_PUSH)
    other.answer()
    expect(other.offer).to_have_count(0)
