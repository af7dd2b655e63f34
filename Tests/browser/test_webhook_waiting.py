"""What waits for an endpoint, and whether it verifies, in the list of the settings while its receiver is repaired."""

import pytest
from pages import console
from playwright.sync_api import expect
from support.server import Customer
from support.webhook_receiver import Receiver
from support.words import Words
from test_labels import ready
from test_webhooks import choose


def opened(desk, words, name, receiver):
    """The settings with an endpoint of a business of its own whose receiver knows no secret yet, and the endpoint."""
    shop = desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201)
    made = desk.owner.post(f"/api/businesses/{shop['id']}/webhooks", {"url": receiver.url, "description": "Shop", "types": ["message.accepted"]}, expect=201)
    page = ready(console(desk, words, "/settings/webhooks"))
    page.locator("webhooks-panel #webhooks-business").select_option(shop["id"])
    return page, page.locator(f"[data-webhook='{made['id']}']"), shop, made


def test_the_list_says_how_many_deliveries_wait_and_when_none_does_any_more(desk):
    words = Words("en")
    with Receiver() as receiver:
        page, row, shop, made = opened(desk, words, "Waiting deliveries", receiver)
        expect(row.get_by_text(words("webhooks.handshake.failed"), exact=True)).to_be_visible()
        expect(row.get_by_text(words("webhooks.waiting", count=2))).to_have_count(0)
        for text in ("One", "Two"):
            Customer(desk.server, shop["id"]).say(text)
        expect(row.get_by_text(words("webhooks.waiting", count=2))).to_be_visible(timeout=30_000)
        desk.shot(page, "webhook-waiting")
        receiver.secrets = [made["secret"]]
        desk.owner.call("POST", f"/api/businesses/{shop['id']}/webhooks/{made['id']}/enable")
        receiver.wait(2, "message.accepted")
        expect(row.get_by_text(words("webhooks.waiting", count=2))).to_have_count(0, timeout=30_000)


@pytest.mark.parametrize("way", ["enable", "deliverNow"])
def test_an_endpoint_whose_receiver_was_repaired_is_tried_again_and_shown_as_verified(desk, way):
    words = Words("en")
    with Receiver() as receiver:
        page, row, shop, made = opened(desk, words, f"Repaired by {way}", receiver)
        expect(row.get_by_text(words("webhooks.handshake.failed"), exact=True)).to_be_visible()
        if way == "enable":
            desk.owner.call("PATCH", f"/api/businesses/{shop['id']}/webhooks/{made['id']}", {"state": "disabled"})
            expect(row.get_by_text(words("webhooks.state.disabled.member"), exact=True)).to_be_visible()
        else:
            Customer(desk.server, shop["id"]).say("Is it repaired?")
            page.get_by_role("button", name=words("webhooks.logOf", name="Shop"), exact=True).press("Enter")
            expect(page.get_by_role("button", name=words("webhooks.deliverNow"), exact=True)).to_be_visible()
        receiver.secrets = [made["secret"]]
        if way == "enable":
            choose(page, words, "Shop", "enable")
            expect(row.get_by_text(words("webhooks.enabled", name="Shop"))).to_be_visible()
        else:
            page.get_by_role("button", name=words("webhooks.deliverNow"), exact=True).press("Enter")
            receiver.wait(1, "message.accepted")
        expect(row.get_by_text(words("webhooks.handshake.verified"), exact=True)).to_be_visible()
        expect(row.get_by_text(words("webhooks.handshake.failed"), exact=True)).to_have_count(0)
