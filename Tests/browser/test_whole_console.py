"""Every page and dialog: what axe finds, and whether it can be used where there is little room.

Pages of settings and the places of the console are read from its own navigation, so that a new one is looked at too.
"""

import os

import pytest
from looks import assert_accessible
from pages import Sandbox, choose_kind, console, live_business
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words
from test_phone_story import Talk, interactive, tea_list

# Each language, colour scheme and width once; FRONTDESK_LOOKS=all adds the other ways to put them together.
LOOKS = [("en", "light", 1280), ("ja", "dark", 390)]
if os.environ.get("FRONTDESK_LOOKS") == "all":
    LOOKS += [("en", "dark", 390), ("ja", "dark", 1280), ("ja", "light", 390)]
# 1280×1024 at 400 %.
SMALLEST = {"width": 320, "height": 256}
KINDS = ["quickReply", "list", "time", "payment", "richLink", "app", "form", "authentication", "myApp", "raw"]


class Look:
    """What is said about each surface; the test fails once with all of it."""

    def __init__(self, desk, page, name, checks):
        self.desk, self.page, self.name, self.checks = desk, page, name, checks
        self.faults, self.seen = [], []

    def at(self, surface):
        """Looks at what is on screen now."""
        self.seen.append(surface)
        self.desk.shot(self.page, f"whole-{self.name}-{surface.replace('/', '_')}")
        for check in self.checks:
            try:
                check(self.page)
            except AssertionError as fault:
                self.faults.append(f"{surface}: {fault}")

    def end(self, least):
        """All surfaces were seen and nothing was found."""
        assert len(self.seen) >= least, self.seen
        assert not self.faults, "\n".join(self.faults)


def assert_no_sideways(page):
    """The page scrolls in one direction only, and no control is cut off at a side."""
    wide, beyond, cut = page.evaluate("""() => {
      const root = document.documentElement;
      const cut = [], beyond = [];
      const isWide = root.scrollWidth > root.clientWidth;
      const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
      const scrolls = (node) => {
        for (let at = parentOf(node); at; at = parentOf(at)) if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
        return false;
      };
      const look = (part) => {
        for (const node of part.querySelectorAll("*")) {
          if (node.shadowRoot) look(node.shadowRoot);
          if (isWide && node.getBoundingClientRect().right > innerWidth) beyond.push(`${node.localName}.${node.className}`);
          // The way past the navigation comes into view with the focus.
          if (!node.matches("a[href]:not(.skip), button, input, select, textarea") || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
          const { left, right, width } = node.getBoundingClientRect();
          if (width > 2 && (left < -1 || right > innerWidth + 1) && !scrolls(node)) {
            cut.push(`${node.localName}.${node.className} ${node.getAttribute("aria-label") ?? node.textContent.trim().slice(0, 30)} ${Math.round(left)}-${Math.round(right)}`);
          }
        }
      };
      look(document);
      return [root.scrollWidth - root.clientWidth, beyond, cut];
    }""")
    assert wide <= 0, f"{wide} px wider than the window: {beyond[:8]}"
    assert not cut, f"cut off: {cut[:4]}"


def places(page):
    """The pages that the console's navigation leads to, those of settings among them."""
    found = page.locator(".side-places a[href]").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    page.goto(page.url.split("/console")[0] + "/console/settings/me")
    sections = page.locator(".settings-nav a[href]")
    expect(sections.first).to_be_attached()
    found += sections.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    return [path for path in dict.fromkeys(found) if path not in ("/console", "/console/settings")]


def settled(page):
    """What was opened is drawn."""
    page.wait_for_function("() => document.fonts.status === 'loaded' && !document.querySelector('[aria-busy=true]')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def walk_places(look, words):
    """Every place of the console's navigation."""
    page = look.page
    origin = page.url.split("/console")[0]
    for path in places(page):
        page.goto(origin + path)
        expect(page.locator(".page :is(h1, h2):visible").first).to_be_visible()
        settled(page)
        look.at(path.removeprefix("/console/"))
    page.goto(origin + "/console/templates")
    page.get_by_role("button", name=words("console.newTemplate"), exact=True).click()
    expect(page.locator("template-editor")).to_be_visible()
    look.at("template-editor")
    for section, button, editor in (("rules", "rules.new", "rule-editor"), ("macros", "macros.new", "macros-panel form")):
        page.goto(f"{origin}/console/settings/{section}")
        page.get_by_role("button", name=words(button), exact=True).click()
        expect(page.locator(editor)).to_be_visible()
        look.at(f"{section}-editor")


def open_popup(page, button, surface, look):
    """What a button opens, and closes again by Escape."""
    button.click()
    expect(page.locator(".fd-popup, dialog[open]").first).to_be_visible()
    look.at(surface)
    page.keyboard.press("Escape")
    expect(page.locator(".fd-popup, dialog[open]")).to_have_count(0)


def walk_conversation(look, words, conversation):
    """An open conversation with all that hangs on it."""
    page = look.page
    page.goto(page.url.split("/console")[0] + f"/console/c/{conversation}")
    expect(page.locator("desk-thread li.message").first).to_be_visible()
    look.at("conversation")
    # Signing in is what this customer's device cannot do; the sandbox has its form.
    for kind in (kind for kind in KINDS if kind != "authentication"):
        choose_kind(page, words, kind)
        look.at(f"composer-{kind}")
    choose_kind(page, words, "text")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("template-picker")).to_be_visible()
    look.at("template-picker")
    page.keyboard.press("Escape")
    expect(page.locator("template-picker")).to_be_hidden()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).to_be_visible()
    look.at("note")
    page.get_by_role("button", name=words("console.reply"), exact=True).click()
    for name in ("assignee", "later", "label-button", "priority-button", "head-more"):
        button = page.locator(f"conversation-head .{name}")
        if button.is_visible():
            open_popup(page, button, f"menu-{name}", look)
    page.keyboard.press("m")
    expect(page.get_by_role("combobox", name=words("macros.find"))).to_be_visible()
    look.at("macro-menu")
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    page.get_by_role("menuitem", name=words("console.snooze.date"), exact=True).click()
    expect(page.get_by_label(words("console.snooze.day"), exact=True)).to_be_visible()
    look.at("snooze-date")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    find = page.get_by_role("search", name=words("console.find"), exact=True)
    expect(find).to_be_visible()
    page.keyboard.type("everything")
    look.at("find")
    page.keyboard.press("Escape")
    expect(find).to_have_count(0)
    side = page.locator("conversation-head .side-open")
    if side.is_visible():
        side.click()
    expect(page.get_by_role("region", name=words("participants.title"), exact=True)).to_be_visible()
    look.at("customer")
    if side.is_visible():
        page.locator(".side-hide").click()
    page.locator("desk-thread li.message").last.hover()
    page.locator("desk-thread li.message button.wire:not(.more)").last.click()
    expect(page.locator("wire-drawer dialog[open]")).to_be_visible()
    look.at("wire")
    page.keyboard.press("Escape")
    expect(page.locator("wire-drawer dialog[open]")).to_have_count(0)


def walk_overlays(look, words):
    """What lies above the list."""
    page = look.page
    page.goto(page.url.split("/console")[0] + "/console")
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    look.at("list")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name=words("console.palette"))).to_be_visible()
    look.at("palette")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("shortcut-sheet dialog[open]")).to_be_visible()
    look.at("keys")
    page.keyboard.press("Escape")
    # The browser closes it behind the answer to the key, and keys of the list do nothing under a dialog.
    expect(page.locator("shortcut-sheet dialog[open]")).to_have_count(0)
    page.keyboard.press("Shift+S")
    expect(page.get_by_role("dialog", name=words("views.save"), exact=True)).to_be_visible()
    look.at("save-view")
    page.keyboard.press("Escape")
    page.locator("button.filter-button").click()
    expect(page.locator(".fd-popup, dialog[open], filter-panel").first).to_be_visible()
    look.at("filter")
    page.keyboard.press("Escape")
    page.locator("profile-menu button").first.click()
    expect(page.locator(".profile-panel")).to_be_visible()
    look.at("profile")
    page.keyboard.press("Escape")
    expect(page.locator(".profile-panel")).to_be_hidden()


def a_conversation(desk):
    """A conversation with cards of both sides."""
    customer = Customer(desk.server, live_business(desk)["id"])
    said = customer.say("Everything")["message"]["conversation"]
    sent = desk.owner.post(f"/api/conversations/{said}/messages", tea_list(), expect=201)
    customer.choose(sent["id"], list={"identifiers": ["hojicha", "cup"]})
    return said


@pytest.mark.parametrize("language, scheme, width", LOOKS)
def test_nothing_serious_is_found_on_any_page_or_dialog_of_the_console(desk, language, scheme, width):
    words = Words(language)
    conversation = a_conversation(desk)
    page = console(desk, words, scheme=scheme, viewport={"width": width, "height": 844})
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    look = Look(desk, page, f"{language}-{scheme}-{width}", [assert_accessible, assert_no_sideways])
    walk_overlays(look, words)
    walk_conversation(look, words, conversation)
    walk_places(look, words)
    look.end(30)


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_page_and_dialog_of_the_console_scrolls_in_one_direction_at_four_hundred_per_cent(desk, language):
    words = Words(language)
    conversation = a_conversation(desk)
    # Of a saved view whose label is retired a screen reader alone learns, at the far end of the strip of views.
    shop = live_business(desk)["id"]
    label = desk.owner.post(f"/api/businesses/{shop}/labels", {"name": f"Gone {language}", "colour": "#008800"}, 201)["id"]
    view = desk.owner.post("/api/views/saved", {
        "name": f"Orders of the week that wait for a delivery {language}", "business": shop, "filter": {"labels": [label]}}, 201)
    desk.owner.call("PATCH", f"/api/businesses/{shop}/labels/{label}", {"retired": True})
    page = console(desk, words, viewport=SMALLEST)
    expect(page.locator(f".nav-view[data-saved='{view['id']}'] .fd-hidden-text")).to_have_count(1)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    look = Look(desk, page, f"320-{language}", [assert_no_sideways])
    walk_overlays(look, words)
    walk_conversation(look, words, conversation)
    walk_places(look, words)
    desk.owner.call("DELETE", f"/api/views/saved/{view['id']}", expect=204)
    look.end(30)


def fill_list(desk, language):
    """A shop whose list has the longest names there are, none of which a line can break; its saved view."""
    name, letters = {"en": ("Wholesalereplacements", 100), "ja": ("東日本の卸売りと返品の窓口", 33)}[language]

    def long(number):
        return f"{name * 6}"[:letters - 1] + str(number)

    shop = desk.owner.post("/api/businesses", {"name": long(0)}, expect=201)["id"]
    label, former = (desk.owner.post(f"/api/businesses/{shop}/labels", {
        "name": long(number), "colour": "#0090ff", "order": number}, expect=201)["id"] for number in (1, 2))
    team = desk.owner.post(f"/api/businesses/{shop}/teams", {"name": long(3), "colour": "#0090ff"}, expect=201)["id"]
    for number in range(12):
        said = Customer(desk.server, shop).say(long(number))["message"]["conversation"]
        desk.owner.call("PATCH", f"/api/conversations/{said}", {"team": team, "priority": "urgent", "labels": {"add": [label, former]}})
    view = desk.owner.post("/api/views/saved", {"name": long(4), "shared": False, "order": 0, "business": shop, "filter": {
        "state": "open", "team": team, "labels": [label, former], "priorities": ["high", "urgent"]}}, expect=201)
    # A view that names what is there no longer says so above the list and in the navigation.
    desk.owner.call("PATCH", f"/api/businesses/{shop}/labels/{former}", {"retired": True})
    return view


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_list_with_the_longest_names_is_no_wider_than_the_window_at_four_hundred_per_cent(desk, language):
    words = Words(language)
    view = fill_list(desk, language)
    name = view["name"]
    page = console(desk, words, viewport=SMALLEST)
    look = Look(desk, page, f"320-longest-{language}", [assert_no_sideways, assert_hidden_words_scroll])
    walk_overlays(look, words)
    page.locator(f"inbox-nav [data-saved][title='{name}']").press("Enter")
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(page.locator(".list-gone")).to_be_visible()
    expect(page.locator(".filter-chip")).not_to_have_count(0)
    look.at("saved-view")
    open_popup(page, page.locator("button.saved-menu"), "saved-menu", look)
    open_popup(page, page.locator("button.filter-button"), "saved-filter", look)
    page.locator("conversation-list a.row").first.focus()
    page.keyboard.press("x")
    expect(page.get_by_role("region", name=words("bulk.title"), exact=True)).to_be_visible()
    look.at("bulk")
    # The navigation of other tests has no view of this one.
    desk.owner.call("DELETE", f"/api/views/saved/{view['id']}", expect=204)
    desk.owner.call("PATCH", f"/api/businesses/{view['business']}", {"name": f"Longest {language}"})
    look.end(9)


def assert_hidden_words_scroll(page):
    """Words that only a screen reader hears scroll with the part that they are in, and make no other part wider."""
    loose = page.evaluate("""() => [...document.querySelectorAll(".inbox-nav .fd-hidden-text, .list-scroll .fd-hidden-text")]
      .filter((node) => node.checkVisibility() && !node.offsetParent?.closest(".inbox-nav, .list-scroll")).map((node) => node.textContent)""")
    assert not loose, f"placed outside of what scrolls: {loose}"


def walk_sandbox(look, words, sandbox, conversation, width):
    """The first page of the sandbox, and all parts of an open conversation."""
    page = look.page
    expect(page.locator("join-code img")).to_be_visible()
    look.at("waiting")
    sandbox.turn_to(conversation)
    expect(sandbox.composer()).to_be_visible()
    look.at("open")
    open_popup(page, page.locator(".sb-who"), "conversations", look)

    def tab(name):
        if width < 900:
            page.get_by_role("tab", name=words(f"sandbox.tab.{name}"), exact=True).click()
    tab("json")
    for name in ("draft", "log", "wire", "scripts"):
        page.get_by_role("tab", name=words(f"sandbox.lower.{name}"), exact=True).click()
        settled(page)
        look.at(name)
    tab("device")
    page.frame_locator("phone-frame iframe").locator("desk-card").first.wait_for(state="attached")
    look.at("device")
    open_popup(page, page.get_by_role("button", name=words("device.abilities"), exact=True), "abilities", look)
    tab("compose")
    for kind in KINDS:
        sandbox.choose_kind(kind)
        look.at(f"composer-{kind}")


@pytest.mark.parametrize("language, scheme, width, height, checks", [
    *[(language, scheme, width, 844, [assert_accessible, assert_no_sideways]) for language, scheme, width in LOOKS],
    ("en", "light", 320, 256, [assert_no_sideways]), ("ja", "light", 320, 256, [assert_no_sideways])])
def test_nothing_serious_is_found_anywhere_in_the_sandbox(desk, language, scheme, width, height, checks):
    words = Words(language)
    said = Customer(desk.server, desk.sandbox_business["id"]).say("Everything")["message"]["conversation"]
    sandbox = Sandbox(desk, words, scheme=scheme, viewport={"width": width, "height": height}).open()
    look = Look(desk, sandbox.page, f"sandbox-{language}-{scheme}-{width}", checks)
    walk_sandbox(look, words, sandbox, said, width)
    look.end(15)


def walk_phone(look, words, talk):
    """The customer's page, its menu, and the sheet of each kind of card."""
    page, phone = look.page, talk.phone
    look.at("thread")
    page.get_by_role("button", name=words("phone.menu")).click()
    expect(phone.sheet).to_be_visible()
    look.at("menu")
    page.keyboard.press("Escape")
    talk.send(tea_list())
    phone.open_card("list")
    look.at("list-sheet")
    page.keyboard.press("Escape")
    talk.send(interactive("event", {"identifier": "e", "title": "Look", "location": {"title": "Harbour shop"},
                                    "timezoneOffset": 60, "timeslots": [
        {"identifier": str(hour), "duration": 1800, "startTime": f"2099-01-15T{hour}:00+0000"} for hour in range(10, 16)]},
        receivedMessage={"title": "When?"}))
    phone.open_card("time")
    look.at("time-sheet")
    page.keyboard.press("Escape")
    pages = [{"pageIdentifier": "a", "type": "input", "subtitle": "Why?", "submitForm": True}]
    talk.send(interactive("dynamic", {"version": "1.2", "template": "messageForms", "data": {
        "startPageIdentifier": "a", "pages": pages}}, receivedMessage={"title": "A form"}, replyMessage={"title": "Done"}))
    phone.open_card("form")
    look.at("form-sheet")
    page.keyboard.press("Escape")
    origin = page.url.split("/b/")[0]
    for path in ("/j", f"/pay/{talk.business}/fallback", f"/b/{talk.business}/signed-in?code=1", "/b/00000000-0000-4000-8000-00000000dead"):
        page.goto(origin + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        look.at(path.split("/")[1] + "-" + path.split("/")[-1].split("?")[0])


@pytest.mark.parametrize("language, scheme, width, height, checks", [
    *[(language, scheme, width, 844, [assert_accessible, assert_no_sideways]) for language, scheme, width in LOOKS],
    ("en", "light", 320, 256, [assert_no_sideways]), ("ja", "light", 320, 256, [assert_no_sideways])])
def test_nothing_serious_is_found_anywhere_on_the_customers_page(desk, language, scheme, width, height, checks):
    words = Words(language)
    talk = Talk(desk, words, scheme=scheme, viewport={"width": width, "height": height}).begin("Everything")
    look = Look(desk, talk.phone.page, f"phone-{language}-{scheme}-{width}", checks)
    walk_phone(look, words, talk)
    look.end(9)
