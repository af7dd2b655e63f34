"""What an endpoint missed while it was disabled, brought from the settings."""

from pages import console
from playwright.sync_api import expect
from support.server import Customer
from support.webhook_receiver import Receiver
from support.words import Words
from test_labels import ready
from test_webhooks import choose


def test_what_was_missed_is_brought_from_when_the_endpoint_was_disabled_and_never_all_by_itself(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Missed events", "mode": "test"}, expect=201)
    path = f"/api/businesses/{shop['id']}/webhooks"
    Customer(desk.server, shop["id"]).say("Long before")
    with Receiver() as receiver:
        made = desk.owner.post(path, {"url": receiver.url, "description": "Shop", "types": ["message.accepted"]}, expect=201)
        receiver.secrets = [made["secret"]]
        desk.owner.call("PATCH", f"{path}/{made['id']}", {"state": "disabled"})
        Customer(desk.server, shop["id"]).say("Meanwhile")
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        panel.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
        log = panel.locator("webhook-log")
        log.locator("summary", has_text=words("webhooks.replayMissed")).press("Enter")
        expect(log.get_by_text(words("webhooks.fromHelp"))).to_be_visible()
        bring = log.get_by_role("button", name=words("webhooks.replayMissed"), exact=True)
        bring.press("Enter")
        expect(log.get_by_role("alert").filter(has_text=words("console.fillIn", label=words("webhooks.from")))).to_be_visible()
        expect(log.locator("#webhook-from")).to_be_focused()
        choose(page, words, "Shop", "enable")
        expect(panel.get_by_text(words("webhooks.enabled", name="Shop"))).to_be_visible()
        expect(log.get_by_text(words("webhooks.fromSince", time="").rstrip("."))).to_be_visible()
        bring.press("Enter")
        expect(log.get_by_text(words("webhooks.brought", count=1))).to_be_visible()
        (_, event), = receiver.wait(1, "message.accepted")
        assert event["data"]["message"]["payload"]["body"] == "Meanwhile"


def test_what_waits_for_a_later_attempt_is_delivered_at_once_when_the_receiver_is_repaired(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Repaired receiver", "mode": "test"}, expect=201)
    path = f"/api/businesses/{shop['id']}/webhooks"
    with Receiver() as receiver:
        receiver.status = 500
        made = desk.owner.post(path, {"url": receiver.url, "description": "Shop", "types": ["message.accepted"]}, expect=201)
        receiver.secrets = [made["secret"]]
        Customer(desk.server, shop["id"]).say("Is it repaired?")
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        panel.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
        log = panel.locator("webhook-log")
        now = log.get_by_role("button", name=words("webhooks.deliverNow"), exact=True)
        expect(now).to_be_visible()
        receiver.status = 200
        now.press("Enter")
        expect(page.get_by_text(words("webhooks.delivering"))).to_be_visible()
        receiver.wait(1, "message.accepted")
        log.get_by_text(words("webhooks.filter.delivered", count=1), exact=True).click()
        expect(now).to_have_count(0)


def test_what_is_pending_says_so_before_its_rows_also_for_a_disabled_endpoint(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Many pending", "mode": "test"}, expect=201)
    path = f"/api/businesses/{shop['id']}/webhooks"
    with Receiver() as receiver:
        receiver.status = 500
        made = desk.owner.post(path, {"url": receiver.url, "description": "Shop", "types": ["message.accepted"]}, expect=201)
        for number in range(3):
            Customer(desk.server, shop["id"]).say(f"Number {number}")
        page = ready(console(desk, words, "/settings/webhooks"))
        panel = page.locator("webhooks-panel")
        panel.locator("#webhooks-business").select_option(shop["id"])
        panel.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
        log = panel.locator("webhook-log")
        now = log.get_by_role("button", name=words("webhooks.deliverNow"), exact=True)
        expect(now).to_be_visible()
        assert now.bounding_box()["y"] < log.locator("li").first.bounding_box()["y"]
        expect(log.get_by_text(words("webhooks.next", time="").strip()).first).to_be_visible()
        desk.owner.call("PATCH", f"{path}/{made['id']}", {"state": "disabled"})
        expect(log.get_by_text(words("webhooks.pendingDisabled"))).to_be_visible()
        expect(now).to_have_count(0)
        expect(log.get_by_text(words("webhooks.next", time="").strip())).to_have_count(0)
