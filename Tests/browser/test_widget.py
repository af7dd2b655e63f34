"""The widget in pages of another site: Chromium, third-party cookies blocked, a strict policy around it."""

import hashlib
import hmac
import re
import time
import urllib.parse

import jwt
import pytest
import requests
from looks import assert_accessible
from pages import wait_for
from playwright.sync_api import expect
from support.server import Installation
from widget_site import DOCS, PHONE, WIDE, Site, assert_frame_accessible, frame, launcher, opened, say, shot

# Before it is opened, compressed.
MOST_BYTES = 15 * 1024


@pytest.fixture(scope="module")
def running(playwright):
    """One server, one shop and one browser for all tests here."""
    with Installation("--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000",
                      ) as server:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", "--test-third-party-cookie-phaseout"])
        made = Site(server, browser)
        yield made
        browser.close()
        made.shop.stop()
        made.foreign.stop()


@pytest.fixture
def site(running):
    """The shop as it is without anything of its own."""
    running.shop.script, running.shop.attributes = "", ""
    running.shop.has_line = running.shop.has_trusted_types = True
    running.set()
    yield running
    faults = [fault for context in running.contexts for page in context.pages for fault in page.faults]
    for context in running.contexts:
        context.close()
    running.contexts = []
    assert not faults, faults


def test_a_visitor_writes_in_a_page_of_another_site_and_is_known_after_a_reload(site):
    page = opened(site)
    conversation = say(page, "Do you have oolong?")
    assert site.messages(conversation) == ["Do you have oolong?"]
    site.answer(conversation, "We do.")
    expect(frame(page).get_by_text("We do.").first).to_be_visible()
    page.reload()
    launcher(page).click()
    expect(frame(page).get_by_text("Do you have oolong?").first).to_be_visible()
    assert say(page, "Two bags, please") == conversation
    kept = [one for one in page.context.cookies() if one["name"] == "fdw"]
    assert len(kept) == 1
    assert (kept[0]["sameSite"], kept[0]["secure"], kept[0]["httpOnly"]) == ("None", True, True)
    assert kept[0]["path"] == f"/api/widget/{site.business}"
    # The customer's own page is another one, without a customer in it.
    own = page.context.new_page()
    own.faults = []
    own.goto(f"{site.server.url}/b/{site.business}")
    expect(own.locator("#message")).to_be_visible()
    expect(own.get_by_text("Do you have oolong?")).to_have_count(0)


def test_the_session_is_kept_apart_for_each_site_around_the_frame(site):
    """The cookie is partitioned: in another shop of the same business the same browser is another visitor."""
    site.owner.call("PUT", site.path, {
        "isOn": True, "origins": [site.shop.url, site.foreign.url], "greetings": []})
    page = opened(site)
    conversation = say(page, "In the first shop")
    page.goto(site.foreign.url)
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).get_by_text("In the first shop")).to_have_count(0)
    assert say(page, "In the second shop") != conversation
    found = [one for one in page.context.cookies() if one["name"] == "fdw"]
    assert len({one["partitionKey"] for one in found}) == len(found) == 2, found


def test_little_is_loaded_before_it_is_opened_and_nothing_moves(site):
    page = site.page()
    sizes = []
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    addresses = {}
    devtools.on("Network.responseReceived", lambda one: addresses.update({one["requestId"]: one["response"]["url"]}))
    devtools.on("Network.loadingFinished", lambda one: sizes.append(
        (addresses.get(one["requestId"], ""), one["encodedDataLength"])))
    site.set(greetings=[{"path": "/*", "seconds": 0, "texts": {"en": "Questions about tea? " * 20}}] * 10)
    page.goto(site.shop.url)
    expect(page.locator("frontdesk-widget .greeting")).to_be_visible()
    own = [(address, size) for address, size in sizes if address.startswith(site.server.url)]
    assert len(own) == 2, own
    script = requests.get(f"{site.server.url}/widget.js", timeout=20).text
    assert not [line for line in script.splitlines() if line.lstrip().startswith(("//", "/*"))]
    assert 0 < sum(size for _, size in own) < MOST_BYTES, own
    assert page.locator("iframe").count() == 0
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    assert page.evaluate("window.shifted") == 0
    script = page.locator("script[data-business]")
    assert script.evaluate("(one) => one.async")


def test_the_badge_counts_what_came_while_it_was_closed(site):
    page = opened(site)
    conversation = say(page, "Hello")
    site.answer(conversation, "One")
    expect(frame(page).get_by_text("One", exact=True).first).to_be_visible()
    badge = page.locator("frontdesk-widget .badge")
    launcher(page).click()
    expect(badge).to_be_hidden()
    site.answer(conversation, "Two")
    expect(badge).to_have_text("1")
    site.answer(conversation, "Three")
    expect(badge).to_have_text("2")
    expect(launcher(page)).to_have_accessible_name("Chat with us, 2 unread messages")
    # What was seen stays seen after a reload, before anything is opened.
    page.reload()
    expect(badge).to_have_text("2")
    launcher(page).click()
    expect(frame(page).get_by_text("Three", exact=True).first).to_be_visible()
    expect(badge).to_be_hidden()
    page.wait_for_function("(key) => JSON.parse(localStorage.getItem(key)).seen >= 4", arg=f"frontdesk.{site.business}")
    page.reload()
    expect(launcher(page)).to_have_accessible_name("Chat with us")


def test_it_stays_in_a_page_that_exchanges_its_body_and_whose_styles_reach_everything(site):
    page = opened(site)
    say(page, "Hello")
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("html, * { direction: rtl } frontdesk-widget { display: none !important; position: static !important; opacity: 0 }");
      document.adoptedStyleSheets = [sheet];
      document.body = document.createElement("body");
    }""")
    expect(launcher(page)).to_be_visible()
    expect(page.locator("frontdesk-widget")).to_have_css("position", "fixed")
    expect(page.locator("frontdesk-widget")).to_have_css("direction", "ltr")
    expect(frame(page).get_by_text("Hello").first).to_be_visible()


def test_it_is_used_by_keyboard_and_named_for_screen_readers(site):
    page = site.page()
    page.goto(site.shop.url)
    button = page.get_by_role("button", name="Chat with us")
    expect(button).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    field = frame(page).locator("#message")
    expect(field).to_be_focused()
    expect(page.get_by_role("dialog", name="Tea Shop")).to_be_visible()
    expect(page.locator("frontdesk-widget iframe")).to_have_attribute("title", "Tea Shop")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    expect(frame(page).get_by_text("By keyboard").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("frontdesk-widget .panel")).to_be_hidden()
    expect(page.locator("frontdesk-widget .launcher")).to_be_focused()
    page.keyboard.press("Space")
    expect(field).to_be_focused()
    frame(page).get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("frontdesk-widget .panel")).to_be_hidden()


def test_the_page_opens_closes_listens_and_names_its_language(site):
    site.shop.script = """
      window.heard = [];
      window.Frontdesk = window.Frontdesk || function () { (Frontdesk.q = Frontdesk.q || []).push(arguments); };
      for (const name of ["ready", "opened", "closed", "unread", "error"])
        Frontdesk("on", name, (detail) => heard.push(detail === undefined ? name : [name, detail]));
      Frontdesk("open");
    """
    site.shop.attributes = "data-locale=ja"
    page = site.page()
    page.goto(site.shop.url)
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("button", name="閉じる", exact=True).first).to_be_visible()
    assert page.evaluate("heard") == ["ready", "opened"]
    page.evaluate("Frontdesk('close')")
    expect(launcher(page)).to_have_accessible_name("チャットで相談")
    page.evaluate("Frontdesk('toggle')")
    page.evaluate("Frontdesk('set', { locale: 'en' })")
    expect(frame(page).locator("html")).to_have_attribute("lang", "en")
    assert page.evaluate("heard") == ["ready", "opened", "closed", "opened"]
    with pytest.raises(Exception, match="there is no dance"):
        page.evaluate("Frontdesk('dance')")


@pytest.mark.parametrize("has_trusted_types", [False, True])
def test_a_page_adds_it_by_a_script_of_its_own_and_calls_it_before_it_is_there(site, has_trusted_types):
    """What the page about the widget has tag managers do, and pages that call it early."""
    adding, calling = (re.search(rf"```js\n({begin}.*?)```", DOCS, re.S)[1] for begin in ("const script", "window.Frontdesk"))
    if has_trusted_types:
        [trusted] = re.findall(r"```js trusted\n(.*)\n```", DOCS)
        adding = re.sub(r"script\.src = .*", lambda _: trusted, adding)
    site.shop.has_line, site.shop.has_trusted_types = False, has_trusted_types
    site.shop.script = site.shop.words(f"{calling}Frontdesk('open');\n{adding}")
    page = site.page()
    page.goto(site.shop.url)
    expect(frame(page).locator("#message")).to_be_focused()


def test_a_language_that_is_named_while_the_first_answer_is_on_its_way_is_the_one_shown(site):
    page = site.page()
    held = []
    page.route("**/api/widget/*?locale=*", lambda route: route.continue_() if held else held.append(route))
    page.goto(site.shop.url)
    wait_for(page, held)
    page.evaluate("() => { Frontdesk('set', { locale: 'ja' }); }")
    held[0].continue_()
    expect(launcher(page)).to_have_accessible_name("チャットで相談")


def test_a_signed_in_customer_finds_the_conversation_on_every_device(site):
    site.shop.attributes = f"data-identity={site.token('4711', name='Ada')}"
    laptop = opened(site)
    conversation = say(laptop, "From the laptop")
    site.answer(conversation, "Hello Ada")
    contact = site.owner.fetch(f"/api/businesses/{site.business}/contacts/{conversation}")
    assert (contact["name"], contact["externalId"], contact["externalIdVerified"]) == ("Ada", "4711", True)
    phone = site.page(PHONE, has_touch=True, is_mobile=True)
    phone.goto(site.shop.url)
    # Another device has seen nothing yet: the badge is there before anything is opened.
    expect(phone.locator("frontdesk-widget .badge")).to_have_text("1")
    launcher(phone).tap()
    expect(frame(phone).get_by_text("From the laptop").first).to_be_visible()
    assert say(phone, "From the phone") == conversation
    expect(frame(laptop).get_by_text("From the phone").first).to_be_visible()


def test_what_was_written_before_signing_in_stays_and_what_comes_next_is_the_customers(site):
    page = opened(site)
    before = say(page, "Who is there?")
    now = int(time.time())
    code = hmac.new(site.secret.encode(), f"{now}.4712".encode(), hashlib.sha256).hexdigest()
    page.evaluate("(identity) => Frontdesk('identify', identity)", {"user": "4712", "time": now, "hash": code})
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).get_by_text("Who is there?")).to_have_count(0)
    after = say(page, "It is me")
    assert after != before
    assert site.messages(before) == ["Who is there?"]
    contact = site.owner.fetch(f"/api/businesses/{site.business}/contacts/{after}")
    assert sorted(one["id"] for one in contact["conversations"]) == sorted([before, after])
    # Signing out leaves nothing of it.
    page.evaluate("Frontdesk('reset')")
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    expect(frame(page).get_by_text("It is me")).to_have_count(0)
    assert [one["name"] for one in page.context.cookies() if one["name"] in ("fdw", "fdi")] == []
    assert say(page, "Somebody else") not in (before, after)


def test_an_identity_that_nobody_signed_is_refused_and_said_to_the_page(site):
    page = site.page()
    page.goto(site.shop.url)
    expect(launcher(page)).to_be_visible()
    code = page.evaluate("""async (token) => {
      const heard = new Promise((resolve) => Frontdesk("on", "error", resolve));
      const thrown = await Frontdesk("identify", { token }).catch((error) => error.code);
      return [thrown, (await heard).code];
    }""", jwt.encode({"sub": "1", "iat": int(time.time())}, "fdws_forged", algorithm="HS256"))
    assert code == ["identity_refused", "identity_refused"]


def test_pages_of_other_origins_show_and_read_nothing(site):
    page = site.page()
    page.faults = type("Ignored", (list,), {"append": lambda *_: None})()
    page.goto(site.foreign.url)
    page.wait_for_function("globalThis.Frontdesk?.business")
    answer = page.evaluate("""async ([desk, business]) => {
      const asked = [];
      for (const path of [`/api/widget/${business}`, `/api/widget/${business}/phone`, `/api/phone/${business}`, "/api/session"]) {
        asked.push(await fetch(desk + path, { credentials: "include" }).then((one) => one.status, () => "refused"));
      }
      const frame = document.createElement("iframe");
      frame.src = `${desk}/w/${business}`;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      return asked;
    }""", [site.server.url, site.business])
    assert answer == ["refused"] * 4
    expect(launcher(page)).to_be_hidden()
    assert page.frames[-1].url.startswith("chrome-error:")
    # A listed page inside one that is not listed shows nothing either: every frame above has to be.
    page.goto(site.foreign.url)
    page.evaluate("""([shop]) => new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.src = shop;
      frame.addEventListener("load", resolve);
      document.body.append(frame);
    })""", [site.shop.url])


def test_a_greeting_comes_by_path_and_time_once_a_visit(site):
    site.set(greetings=[
        {"path": "/cart", "seconds": 1, "texts": {"en": "Questions about your order?", "ja": "ご質問は?"}},
        {"path": "/other/*", "seconds": 3600, "texts": {"en": "Still here?"}}])
    page = site.page()
    page.goto(site.shop.url + "/other/1")
    expect(launcher(page)).to_be_visible()
    page.goto(site.shop.url + "/cart")
    greeting = page.get_by_role("button", name="Questions about your order?")
    expect(greeting).to_be_visible()
    greeting.click()
    expect(frame(page).get_by_text("Questions about your order?")).to_be_visible()
    conversation = say(page, "Yes")
    found = site.owner.fetch(f"/api/conversations/{conversation}/messages")["data"][0]
    assert found["page"]["path"] == "/cart"
    page.goto(site.shop.url + "/cart")
    expect(launcher(page)).to_be_visible()
    page.wait_for_timeout(2_500)
    expect(page.locator("frontdesk-widget .greeting")).to_be_hidden()


def test_what_the_page_says_is_shown_to_agents_as_unverified(site):
    site.shop.attributes = """data-name='Ada <b>' data-email=ada@shop.example data-attributes='{"tier":"gold","Bad":1}'"""
    page = opened(site, "/products/7")
    conversation = say(page, "Hello")
    console = site.page()
    console.context.add_cookies([
        {"name": one.name, "value": one.value, "url": site.server.url, "httpOnly": True, "sameSite": "Strict"}
        for one in site.owner.cookies])
    console.goto(f"{site.server.url}/console/c/{conversation}?business={site.business}")
    part = console.locator("customer-panel section", has=console.get_by_text("From the page, not verified"))
    expect(part).to_contain_text("Ada <b>")
    expect(part).to_contain_text("ada@shop.example")
    expect(part).to_contain_text("/products/7")
    expect(part).to_contain_text("gold")
    expect(console.locator("customer-panel .customer-facts").first).to_contain_text("The website widget")
    contact = site.owner.fetch(f"/api/businesses/{site.business}/contacts/{conversation}")
    assert (contact["name"], contact["externalId"]) == (None, None)


@pytest.mark.parametrize("language, scheme, viewport", [("en", "light", WIDE), ("ja", "dark", PHONE)])
def test_an_owner_sets_it_up_in_the_console_and_pastes_one_line(site, language, scheme, viewport):
    """As a new user would: origin, switch, save, copy, paste."""
    shop = site.owner.post("/api/businesses", {"name": f"New {language}"}, expect=201)["id"]
    page = site.page(viewport, locale="ja-JP" if language == "ja" else "en-US", color_scheme=scheme)
    page.context.add_cookies([
        {"name": one.name, "value": one.value, "url": site.server.url, "httpOnly": True, "sameSite": "Strict"}
        for one in site.owner.cookies])
    page.goto(f"{site.server.url}/console/settings/widget")
    panel = page.locator("widget-panel")
    panel.locator("#widget-business").select_option(shop)
    expect(panel.locator("code").first).to_contain_text(shop)
    panel.locator("#widget-origins").fill(f"{site.shop.url}/cart\nshop")
    panel.locator("#widget-on").check()
    panel.locator("form .is-primary").click()
    expect(panel.locator("form [role=alert]")).not_to_be_empty()
    panel.locator("#widget-origins").fill(f"{site.shop.url}/cart")
    panel.locator("form button:has-text('+'), form .fd-button:not(.is-primary)").first.click()
    panel.locator(".widget-greeting textarea").first.fill("Hello!")
    panel.locator("form .is-primary").click()
    expect(panel.locator("form [role=status]")).not_to_be_empty()
    expect(panel.locator("#widget-origins")).to_have_value(site.shop.url)
    panel.locator(".settings-card").last.locator(".form-actions button").click()
    secret = panel.locator(".callout code")
    expect(secret).to_contain_text("fdws_")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    shot(page, f"widget-settings-{language}")
    line = panel.locator("code").first.inner_text()
    site.shop.business, before = urllib.parse.unquote(line.split('data-business="')[1].split('"')[0]), site.shop.business
    try:
        visitor = opened(site, viewport=viewport, color_scheme=scheme, locale="ja-JP" if language == "ja" else "en-US")
        say(visitor, "It works")
        shot(visitor, f"widget-open-{language}")
        assert_frame_accessible(visitor)
    finally:
        site.shop.business = before
    found = site.owner.fetch(f"/api/businesses/{shop}/widget")
    assert (found["isOn"], found["origins"], len(found["secrets"]), len(found["greetings"])) == (True, [site.shop.url], 1, 1)
