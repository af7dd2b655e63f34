"""An agent's day by keyboard alone, from signing in to signing out: no mouse, and the focus can be seen at each step."""

import re

import pytest
from keys import Keys
from looks import assert_accessible
from pages import inbox_view
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

PASSWORD = "seven green lanterns in a row"
CARDS = {"quickReply": "q", "list": "l", "time": "t", "payment": "p", "richLink": "k", "app": "a", "form": "f", "myApp": "m", "raw": "r"}


class Shop:
    """A business with Bo and Cy, who wait for keys, and customers who wait for them."""

    def __init__(self, desk, words, language):
        self.desk, self.words, self.language = desk, words, language
        self.business = desk.owner.post("/api/businesses", {"name": f"Keys {language}", "mode": "test"}, expect=201)
        self.members = {name: self._join(name) for name in ("Bo", "Cy")}
        path = f"/api/businesses/{self.business['id']}"
        desk.owner.post(f"{path}/labels", {"name": "Repair", "colour": "#cc0000"}, expect=201)
        desk.owner.post(f"{path}/macros", {
            "name": "Order note", "shared": True, "actions": [{"note": "Order {{order}}"}],
            "parameters": [{"name": "order", "label": "Order", "type": "text", "required": True}]}, expect=201)
        desk.owner.post("/api/templates", {
            "business": self.business["id"], "name": "ready", "title": "Ready", "payload": {"type": "text", "body": "Order {{order}} is ready."},
            "parameters": [{"name": "order", "label": "Number", "type": "text", "required": True}]}, expect=201)
        self.customers = [Customer(desk.server, self.business["id"]) for _ in range(5)]
        self.conversations = [one.say(f"Question {number}")["message"]["conversation"] for number, one in enumerate(self.customers)]

    def address(self, name):
        return f"{name.lower()}-keys-{self.language}@example.com"

    def _join(self, name):
        invited = self.desk.owner.post(f"/api/businesses/{self.business['id']}/members", {
            "email": self.address(name), "role": "agent"}, expect=201)
        token = re.search(r"#invite=([\w-]+)", invited["invitationUrl"]).group(1)
        return Session(self.desk.server).post("/api/invitations/accept", {"token": token, "name": name, "password": PASSWORD}, expect=201)

    def found(self, number):
        """A conversation as the server has it."""
        return self.desk.owner.fetch(f"/api/conversations/{self.conversations[number]}")

    def sign_in(self, page, address, password=PASSWORD):
        """Signs in by the form that stands there."""
        keys = Keys(page)
        keys.at(page.get_by_label(self.words("console.email"), exact=True))
        keys.type(address)
        keys.press("Tab")
        keys.at(page.get_by_label(self.words("console.password"), exact=True))
        page.keyboard.type(password)
        page.keyboard.press("Enter")
        expect(page.locator("conversation-list a.row").first).to_be_visible()
        keys.look()
        return keys


def answer(shop, page, keys):
    """Opens who has waited longest, and answers."""
    words = shop.words
    keys.press("3")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.view.waiting"))
    keys.press("j")
    expect(page).to_have_url(re.compile(shop.conversations[0]))
    expect(page.locator("desk-thread").get_by_text("Question 0")).to_be_visible()
    keys.press("r")
    keys.at(page.get_by_role("textbox", name=words("composer.text.label"), exact=True))
    keys.type("A moment, please.")
    keys.press("Enter")
    expect(page.locator("desk-thread").get_by_text("A moment, please.")).to_be_visible()
    keys.press("Escape")
    keys.at(page.locator("desk-thread .log"))
    assert shop.found(0)["assignee"]["name"] == "Bo"


def note_label_and_hand_over(shop, page, keys):
    """A note to Cy, a label, and the conversation is Cy's."""
    words = shop.words
    keys.press("n")
    keys.at(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True))
    keys.type("@C")
    expect(page.get_by_role("option", name="Cy")).to_be_visible()
    keys.press("Enter")
    keys.type("can you look at it?")
    keys.press("Control+Enter")
    expect(page.locator("desk-thread li.note")).to_contain_text("can you look at it?")
    keys.press("Escape", "l")
    expect(page.get_by_role("combobox", name=re.compile(".")).last).to_be_focused()
    keys.type("Rep")
    expect(page.get_by_role("option", name="Repair")).to_be_visible()
    keys.press("Enter")
    expect(page.get_by_role("option", name="Repair")).to_have_attribute("aria-checked", "true")
    keys.press("Escape")
    expect(page.locator("conversation-head")).to_contain_text("Repair")
    keys.press("Shift+A")
    keys.choose("Cy")
    expect(page.locator("conversation-head .assignee")).to_contain_text("Cy")
    keys.at(page.locator("conversation-head .assignee"))
    now = shop.found(0)
    assert now["assignee"]["name"] == "Cy" and len(now["labels"]) == 1


def snooze_and_undo(shop, page, keys):
    """Puts a conversation off until a day, and undoes it."""
    words = shop.words
    keys.press("5", "j")
    expect(page.locator("desk-thread li.message").first).to_be_visible()
    conversation = page.url.split("/c/")[1].split("?")[0]
    keys.press("z")
    keys.choose(words("console.snooze.date"))
    keys.at(page.get_by_label(words("console.snooze.day"), exact=True))
    with page.expect_response(lambda found: found.request.method == "PATCH") as caught:
        keys.press("Enter")
    assert caught.value.json()["state"] == "snoozed" and caught.value.json()["snoozedUntil"]
    with page.expect_response(lambda found: found.request.method == "PATCH") as caught:
        keys.press("u")
    assert caught.value.json()["state"] == "open"
    expect(page).to_have_url(re.compile(conversation))
    expect(page.locator("desk-thread li.message").first).to_be_visible()


def macro_and_template(shop, page, keys):
    """A macro that asks for a value, and a template that does."""
    words = shop.words
    keys.press("m")
    keys.at(page.get_by_role("combobox", name=words("macros.find")))
    expect(page.get_by_role("option", name="Order note")).to_be_visible()
    keys.press("Enter")
    keys.at(page.get_by_label("Order", exact=True))
    keys.type("4711")
    keys.press("Enter")
    expect(page.locator("desk-thread li.note")).to_contain_text("Order 4711")
    keys.press("/")
    picker = page.locator("template-picker")
    expect(picker.get_by_role("option", name=re.compile("Ready"))).to_be_visible()
    keys.type("read")
    keys.press("Enter")
    keys.at(picker.get_by_label(re.compile("Number")))
    keys.type("42")
    expect(picker.locator("desk-card")).to_contain_text("Order 42 is ready.")
    keys.press("Enter")
    keys.at(page.get_by_role("textbox", name=words("composer.text.label"), exact=True))
    keys.press("Enter")
    expect(page.locator("desk-thread").get_by_text("Order 42 is ready.")).to_be_visible()
    keys.press("Escape")


def send_each_card(shop, page, keys):
    """Composes and sends a card of each kind."""
    words = shop.words
    composer = page.locator("desk-composer")
    for kind, key in CARDS.items():
        keys.press("c", key)
        expect(composer).to_have_attribute("data-kind", kind)
        if kind == "raw":
            keys.at(page.get_by_role("textbox", name=words("composer.raw.label"), exact=True))
            keys.press("Control+a")
            page.keyboard.insert_text('{"type": "text", "body": "Written as JSON"}')
        elif kind == "myApp":
            keys.tab_to(page.get_by_label(words("composer.myapp.paste"), exact=True))
            page.keyboard.insert_text('{"type": "text", "body": "From my app"}')
            keys.look()
        else:
            keys.tab_to(composer.get_by_role("button", name=words("composer.example"), exact=True), back=True)
            keys.press("Enter")
        expect(composer.get_by_role("button", name=words("composer.send"), exact=True)).to_be_enabled()
        with page.expect_response(lambda found: found.request.method == "POST" and re.search(r"/messages(\?|$)", found.url)) as caught:
            keys.press("Control+Enter")
        assert caught.value.status == 201, caught.value.text()
        expect(composer).to_have_attribute("data-kind", "text")
        keys.at(page.get_by_role("textbox", name=words("composer.text.label"), exact=True))
        keys.press("Escape")


def close_many_and_keep_a_view(shop, page, keys):
    """Selects rows, closes them, undoes it; keeps what narrows the list as a view and opens it."""
    words = shop.words
    keys.press("2")
    rows = page.locator("conversation-list a.row")
    expect(rows).to_have_count(3)
    keys.tab_to(rows.first, back=True)
    keys.press("x", "Shift+ArrowDown")
    bar = page.get_by_role("region", name=words("bulk.title"), exact=True)
    expect(bar.get_by_role("status")).to_have_text(words("bulk.count", count=2))
    keys.press("e")
    expect(page.get_by_text(words("bulk.done", count=2))).to_be_visible()
    keys.look()
    keys.press("u")
    expect(page.get_by_text(words("bulk.undone", count=2))).to_be_visible()
    keys.press("Escape")
    keys.tab_to(page.get_by_role("button", name=words("console.filter"), exact=True), back=True)
    keys.press("Enter")
    panel = page.get_by_role("dialog", name=words("filter.title"), exact=True)
    keys.tab_to(panel.get_by_role("checkbox", name="Repair", exact=True))
    keys.press("Space")
    expect(rows).to_have_count(0)
    keys.press("Escape", "Shift+S")
    form = page.get_by_role("dialog", name=words("views.save"), exact=True)
    keys.at(form.get_by_label(words("items.name"), exact=True))
    keys.type("Repairs")
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Repairs")).to_be_visible()
    keys.look()
    keys.press("5", "Control+k")
    keys.type("repairs")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Repairs")
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Repairs")).to_be_visible()
    keys.look()


def settings_and_out(shop, page, keys):
    """Another look, and signs out."""
    words = shop.words
    keys.press("g", "s")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.section.me"))
    dark = page.get_by_role("main").get_by_role("button", name=words("shared.theme.dark"), exact=True)
    keys.tab_to(dark)
    keys.press("Enter")
    expect(dark).to_have_attribute("aria-pressed", "true")
    keys.tab_to(page.locator(".settings-nav a", has_text=words("console.section.macros")), back=True)
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("macros.title"))
    keys.press("g", "i")
    expect(page.locator("conversation-list")).to_be_visible()
    keys.press("Control+k")
    keys.type(words("shared.signOut"))
    keys.press("Enter")
    keys.at(page.get_by_label(words("console.email"), exact=True))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_agents_day_by_keyboard_alone(desk, language):
    words = Words(language)
    shop = Shop(desk, words, language)
    page = desk.page(language=language)
    page.goto(f"{desk.phone_url}/console")
    keys = shop.sign_in(page, shop.address("Bo"))
    assert_accessible(page)
    answer(shop, page, keys)
    note_label_and_hand_over(shop, page, keys)
    desk.shot(page, f"keys-handed-{language}")
    snooze_and_undo(shop, page, keys)
    macro_and_template(shop, page, keys)
    send_each_card(shop, page, keys)
    desk.shot(page, f"keys-cards-{language}")
    close_many_and_keep_a_view(shop, page, keys)
    settings_and_out(shop, page, keys)


def test_an_owner_writes_a_rule_by_keyboard_alone(desk):
    words = Words("en")
    desk.owner.post("/api/businesses", {"name": "Keys rule"}, expect=201)
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    keys = Keys(page)
    expect(page.locator("conversation-list")).to_be_visible()
    keys.press("g", "s")
    keys.tab_to(page.locator(".settings-nav a", has_text=words("console.section.rules")), back=True)
    keys.press("Enter")
    expect(page.get_by_role("heading", name=words("rules.title"), exact=True, level=1)).to_be_visible()
    business = page.locator("#rules-business")
    keys.tab_to(business)
    keys.type("Keys rule")
    expect(page.get_by_text(words("rules.none"))).to_be_visible()
    keys.tab_to(page.get_by_role("button", name=words("rules.new"), exact=True))
    keys.press("Enter")
    editor = page.locator("rule-editor")
    keys.at(editor.get_by_label(words("rules.name"), exact=True))
    keys.type("Refunds")
    keys.tab_to(editor.get_by_role("button", name=words("rules.condition.add"), exact=True))
    keys.press("Enter")
    condition = editor.get_by_role("group", name=words("rules.condition.row", number=1), exact=True)
    keys.at(condition.get_by_label(words("rules.condition.what"), exact=True))
    keys.type(words("rules.condition.text"))
    keys.tab_to(condition.get_by_label(words("rules.condition.text"), exact=True))
    keys.type("refund")
    action = editor.get_by_role("group", name=words("rules.action.row", number=1), exact=True)
    keys.tab_to(action.get_by_label(words("rules.action.what"), exact=True))
    keys.type(words("rules.action.priority"))
    keys.tab_to(editor.get_by_role("button", name=words("rules.try"), exact=True))
    keys.press("Enter")
    expect(editor.get_by_role("heading", name=words("rules.outcome"), exact=True)).to_be_visible()
    keys.tab_to(editor.get_by_role("button", name=words("shared.save"), exact=True))
    keys.press("Enter")
    keys.at(page.get_by_role("switch", name=words("rules.onOf", name="Refunds")))
    keys.press("Space", "Space")
    expect(page.get_by_role("switch", name=words("rules.onOf", name="Refunds"))).to_be_checked()
