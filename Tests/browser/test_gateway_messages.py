"""The delivery states of messages at the messages themselves: refused, accepted, pending, reactions, invitations, typing."""

import pytest
from looks import assert_accessible
from pages import Phone, Sandbox
from playwright.sync_api import expect
from support.server import Customer
from support.provider import come
from support.words import Words

SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
NARROW = {"width": 390, "height": 844}
LOOKS = [("en", "light", None), ("ja", "dark", NARROW)]
BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")


@pytest.fixture
def business(desk):
    """A test business of its own."""
    return desk.owner.post("/api/businesses", {"name": "Bot shop", "mode": "test"}, expect=201)


def registered(desk, business, end):
    """The provider, registered for a business."""
    made = desk.owner.call("PUT", f"/api/businesses/{business['id']}/gateway/registration",
                           {"endpoint": end.endpoint}, expect=201).json()
    return end.learn(desk.server.url + "/v1", made["registration"]["mspId"], made["secret"], business["id"])


def console(desk, words, talk, **look):
    """A conversation in the console."""
    page = desk.page(language=words.language, session=desk.owner, **look)
    page.goto(f"{desk.phone_url}/console/c/{talk}")
    expect(page.locator("desk-thread li.message").first).to_be_visible()
    return page


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_an_upstream_s_outcome_and_a_reaction_are_shown_at_the_message(
        desk, business, upstream, language, scheme, viewport):
    words = Words(language)
    made = desk.owner.call(
        "PUT", f"/api/businesses/{business['id']}/gateway/upstream",
        {"baseUrl": upstream.url + "/v1", "mspId": "m-1", "secret": SECRET}, expect=201).json()
    callback = made["upstream"]["callbackUrl"]
    first = come(desk.server, callback, "m-1", SECRET, business["id"], "Hello")
    [talk] = desk.owner.fetch(f"/api/conversations?business={business['id']}")["data"]
    path = f"/api/conversations/{talk['id']}/messages"
    page = console(desk, words, talk["id"], scheme=scheme, viewport=viewport)
    desk.owner.post(path, {"type": "text", "body": "Hello to you"}, expect=201)
    taken = page.locator("desk-thread li.message", has_text="Hello to you")
    expect(taken.get_by_text(words("thread.deliveredUpstream"))).to_be_visible()
    upstream.status, upstream.answer = 404, "404 Not Found : no such customer"
    desk.owner.post(path, {"type": "text", "body": "Still there?"}, expect=201)
    refused = page.locator("desk-thread li.message", has_text="Still there?")
    expect(refused.get_by_text(words("thread.refused.404"))).to_be_visible()
    expect(refused.get_by_text("no such customer")).to_be_visible()
    upstream.status, upstream.answer = 503, "503 : later"
    desk.owner.post(path, {"type": "text", "body": "One more"}, expect=201)
    waits = page.locator("desk-thread li.message", has_text="One more")
    expect(waits.get_by_text(words("thread.waitsUpstream"))).to_be_visible()
    expect(waits.get_by_text("later")).to_be_visible()
    come(desk.server, callback, "m-1", SECRET, business["id"], "Loved “Hello to you”", first["sourceId"])
    reaction = taken.locator("button.tapback")
    expect(reaction).to_have_text("❤️")
    expect(page.locator("desk-thread li.message", has_text="Loved")).to_have_count(0)
    desk.shot(page, f"message-upstream-{language}-{scheme}")
    assert_accessible(page)
    reaction.click()
    expect(page.locator("wire-drawer dialog")).to_contain_text("Loved")
    page.reload()
    expect(refused.get_by_text(words("thread.refused.404"))).to_be_visible()
    expect(reaction).to_be_visible()


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_a_pending_delivery_is_shown_at_the_customer_s_message(
        desk, business, end, language, scheme, viewport):
    words = Words(language)
    registered(desk, business, end)
    end.status, end.answer = 503, "try later"
    said = Customer(desk.server, business["id"]).say("Is anybody there?")
    page = console(desk, words, said["message"]["conversation"], scheme=scheme, viewport=viewport)
    row = page.locator("desk-thread li.message", has_text="Is anybody there?")
    expect(row.get_by_text(words("thread.waitsProvider"))).to_be_visible()
    expect(row.get_by_text("try later")).to_be_visible()
    desk.shot(page, f"message-provider-{language}-{scheme}")
    assert_accessible(page)
    end.status, end.answer = 200, "ok"
    # An attempt that began before the provider was well again fails after all, and the next one waits.
    for _ in range(12):
        desk.owner.post(f"/api/businesses/{business['id']}/gateway/deliveries/retry-now", {}, expect=204)
        try:
            expect(row.locator(".standing")).to_have_count(0, timeout=2_000)
            break
        except AssertionError:
            pass
    expect(row.locator(".standing")).to_have_count(0)


def test_typing_reaches_the_provider_and_an_app_clip_s_link_the_phone(desk, business, end):
    words = Words("en")
    registered(desk, business, end)
    phone = Phone(desk, words).open(f"{desk.phone_url}/b/{business['id']}")
    phone.say("Hello")
    hello = end.wait(lambda post: post["type"] == "text")
    # Before its answer the page has no customer who could be typing.
    expect(phone.page.locator(".standing", has_text=words("phone.sent"))).to_be_visible()
    phone.field.fill("I wanted to say")
    end.wait(lambda post: post["type"] == "typing_start" and end.posts[-1].body["id"] == post["id"])
    phone.field.fill("")
    end.wait(lambda post: post["type"] == "typing_end")
    assert [post.body["type"] for post in end.posts] == [
        "typing_start", "text", "typing_start", "typing_end"]
    _, made = end.send(hello.body["sourceId"], {
        "type": "link", "link": {"url": "https://appclip.example.com/tea", "storeRegion": "US"},
        "version": 1.0}, path="/constructPayload")
    end.send(hello.body["sourceId"], {
        "type": "richLink", "richLinkDataRef": made.json()["richLinkDataRef"]})
    card = phone.page.locator("desk-card a.card.link")
    expect(card).to_have_attribute("href", "https://appclip.example.com/tea")
    expect(card).to_contain_text("appclip.example.com")
    desk.shot(phone.page, "phone-app-clip")
    assert_accessible(phone.page)


def invitation(reference):
    """An invitation's interactive data."""
    return {"type": "interactive", "interactiveData": {"bid": BID, "useLiveLayout": True, "data": {
        "version": "1.0", "requestIdentifier": "r", "notification": {
            "templateId": "binaryChoice.engage.noImage", "referenceId": reference, "locale": "en-us",
            "parameters": {"brandName": "Tea garden"}}}}}


@pytest.mark.parametrize("language, scheme, viewport", LOOKS)
def test_a_provider_is_registered_on_the_sandbox_page_and_invites_numbers(
        desk, end, language, scheme, viewport):
    words = Words(language)
    base = f"/api/businesses/{desk.sandbox_business['id']}/gateway"
    try:
        sandbox = Sandbox(desk, words, scheme=scheme).open_raw()
        page = sandbox.page
        page.get_by_role("tab", name=words("sandbox.lower.wire"), exact=True).click()
        page.get_by_text(words("sandbox.wire.setUp"), exact=True).click()
        area = page.locator("provider-registration")
        area.get_by_label(words("gateway.endpoint"), exact=True).fill(end.endpoint)
        area.get_by_role("button", name=words("gateway.register"), exact=True).click()
        expect(area.get_by_text(words("gateway.secretOnce"))).to_be_visible()
        expect(area.locator(".callout").get_by_role("button", name=words("shared.copy"), exact=True)).to_be_focused()

        def shown(key):
            return area.locator(".copy-field", has=page.locator(".fd-label").get_by_text(
                words(key), exact=True)).locator("code").inner_text()
        end.learn(desk.server.url + "/v1", shown("gateway.mspId"), shown("gateway.secret"),
                  desk.sandbox_business["id"])
        expect(page.locator("fault-dials summary")).to_be_visible()
        if viewport:
            page.set_viewport_size(viewport)
            page.get_by_role("tab", name=words("sandbox.tab.json"), exact=True).click()
        desk.shot(page, f"sandbox-registration-{language}-{scheme}")
        assert_accessible(page)
        if viewport:
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        numbers = {"accept": f"tel:+1408555{len(language)}{'1' if scheme == 'dark' else '2'}23",
                   "decline": f"tel:+1408556{len(language)}{'1' if scheme == 'dark' else '2'}23"}
        for answer, number in numbers.items():
            end.send(number, invitation(answer), **{"message-type": "notification"})
            sandbox.conversations().get_by_text(number[4:]).first.click()
            if viewport:
                page.get_by_role("tab", name=words("sandbox.tab.device"), exact=True).click()
            bar = page.locator("invitation-bar")
            expect(bar).to_contain_text("Tea garden")
            desk.shot(page, f"sandbox-invitation-{answer}-{language}-{scheme}")
            assert_accessible(page)
            bar.get_by_role("button", name=words(f"sandbox.invitation.{answer}"), exact=True).click()
            expect(bar).to_be_hidden()
        reply = end.wait(lambda post: post["type"] == "interactive")
        assert reply.body["interactiveData"]["data"]["requestIdentifier"] == numbers["accept"]
        assert reply.body["interactiveData"]["data"]["notification"]["id"] == "yes"
        assert reply.body["interactiveData"]["data"]["referenceId"] == "accept"
        close = end.wait(lambda post: post["type"] == "close")
        assert close.body["referenceIds"] == ["decline"]
        end.send(numbers["decline"], invitation("again"), expect=410, **{"message-type": "notification"})
    finally:
        desk.owner.request("DELETE", desk.server.url + base + "/registration", timeout=20)
