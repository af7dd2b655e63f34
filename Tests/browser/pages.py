"""The sandbox's and the phone's pages as a person uses them."""

import json
import os
import re

from looks import decode_qr
from playwright.sync_api import expect
from support.server import Customer, Session


def live_business(desk):
    """The business that the first start made for the owner."""
    return next(one for one in desk.owner.fetch("/api/businesses")["data"] if not one["isSandbox"])


def member(desk, name, role="agent", business=None):
    """A member of the live business or of another, signed in; another file's member of the same name is someone else."""
    business = business or live_business(desk)["id"]
    module = re.search(r"test_(\w+)\.py", os.environ["PYTEST_CURRENT_TEST"]).group(1).replace("_", "-")
    session = Session(desk.server)
    session.address = f"{name.lower()}@{module}.example.com"
    invited = desk.owner.post(f"/api/businesses/{business}/members", {
        "email": session.address, "role": role}, expect=201)
    joined = session.post("/api/invitations/accept", {
        "token": re.search(r"#invite=([\w-]+)", invited["invitationUrl"]).group(1), "name": name,
        "password": "seven green lanterns in a row"}, expect=201)
    session.member = joined["agent"]["id"]
    return session


def console(desk, words, path="", session=None, **look):
    """The console of the signed-in owner, or of another session."""
    page = desk.page(language=words.language, session=session or desk.owner, **look)
    page.goto(f"{desk.phone_url}/console{path}")
    return page


def forget_choices(desk):
    """What the owner chose is as it is by itself again: the server keeps it for all pages."""
    off = ("closed", "renamed")
    reasons = ("assigned", "mine", "unassigned", "mention", "handed", "moved", "closed", "reopened", "renamed", "participants")
    desk.owner.call("PATCH", "/api/session/preferences", {"sendDelay": 0, "console": {
        "notices": {one: one not in off for one in reasons}, "sound": True, "browser": False, "badge": True, "title": True,
        "quiet": {"isOn": False, "from": "20:00", "until": "08:00"}, "keys": {"isOff": False, "own": {}}, "firstSteps": True}})


def inbox_view(page, words, name):
    """The button of a view in the navigation, with its number."""
    return page.locator("inbox-nav").get_by_role("button", name=re.compile(f"^{re.escape(words(f'console.view.{name}'))}"))


def open_conversation(desk, words, text, **look):
    """A customer who has written to the live business, and the console with that conversation open."""
    customer = Customer(desk.server, live_business(desk)["id"])
    said = customer.say(text)["message"]
    page = console(desk, words, f"/c/{said['conversation']}", **look)
    expect(page.locator("desk-thread").get_by_text(text)).to_be_visible()
    return page, customer, said["conversation"]


def contact_menu(page, words):
    """The button of the menu of what is done with a contact, in the third column."""
    return page.locator("side-column contact-box").get_by_role("button", name=words("contact.more"), exact=True)


def with_contact(page, words, action):
    """Chooses what is done with the contact of the open conversation: `merge`, `block`, `unblock`, `export` or `erase`."""
    contact_menu(page, words).click()
    page.get_by_role("menuitem", name=words(f"contact.{action}"), exact=True).click()


def choose_kind(page, words, kind):
    """Opens a kind's form in the composer, or goes back to Text."""
    composer = page.locator("desk-composer")
    if kind == "text":
        back = composer.get_by_role("button", name=words("composer.sheet.close"), exact=True)
        if back.is_visible():
            back.click()
    elif composer.get_attribute("data-kind") != kind:
        name = words(f"composer.kind.{kind}")
        button = composer.get_by_role("button", name=name, exact=True)
        if button.is_visible():
            button.click()
        else:
            composer.get_by_role("button", name=words("composer.moreKinds"), exact=True).click()
            page.get_by_role("menuitemradio", name=name, exact=True).click()
    expect(composer).to_have_attribute("data-kind", kind)


class Sandbox:
    """The sandbox page of an agent or a developer."""

    def __init__(self, desk, words, **look):
        self.desk, self.words = desk, words
        self.page = desk.page(language=words.language, **look)

    def open(self):
        """Opens the printed link."""
        self.page.goto(f"{self.desk.phone_url}/sandbox#key={self.desk.sandbox_key}")
        return self

    def open_raw(self):
        """A conversation of its own, with Raw JSON open in the composer."""
        said = Customer(self.desk.server, self.desk.sandbox_business["id"]).say("Hello")
        # As if the page had been there before, with this conversation open.
        self.page.add_init_script(
            "sessionStorage.getItem('fd.sandbox.conversation') ?? sessionStorage.setItem("
            f"'fd.sandbox.conversation', {json.dumps(said['message']['conversation'])})")
        self.open()
        expect(self.composer()).to_be_visible()
        self.choose_kind("raw")
        return self

    @property
    def editor(self):
        """The JSON editor's text area."""
        return self.page.get_by_role("textbox", name=self.words("composer.raw.label"), exact=True)

    @property
    def findings(self):
        """The rows of the findings below the editor."""
        return self.page.locator("raw-form finding-list li")

    def place_caret(self, offset):
        """Puts the caret into the editor."""
        self.editor.evaluate(
            "(area, at) => { area.focus(); area.setSelectionRange(at, at); }", offset)

    def conversations(self):
        """The list of conversations: of the first page, or behind the head above the phone."""
        head, rows = self.page.locator(".sb-who"), self.page.locator("conversation-switch")
        expect(head.or_(rows).first).to_be_visible()
        if not rows.is_visible():
            head.click()
        expect(rows).to_be_visible()
        return rows

    def turn_to(self, conversation):
        """Opens a conversation of the list."""
        self.conversations().locator(f"[data-id='{conversation}']").click()
        expect(self.page.locator(".sb-conversations")).to_have_count(0)

    @property
    def code(self):
        """The picture of the QR code."""
        return self.page.locator("join-code img")

    def composer(self):
        """The composer, once the page has turned into it."""
        return self.page.locator("desk-composer")

    def choose_kind(self, kind):
        """Opens a kind's form."""
        choose_kind(self.page, self.words, kind)

    def send_example(self, kind):
        """Fills a kind's form with its example and sends it."""
        self.choose_kind(kind)
        self.composer().get_by_role("button", name=self.words("composer.example"),
                                    exact=True).click()
        self.send()

    def send(self):
        """Presses Send and waits until the server has accepted the message and the composer knows it."""
        button = self.composer().get_by_role("button", name=self.words("composer.send"), exact=True)
        expect(button).to_be_enabled()
        with self.page.expect_response(lambda answer: answer.request.method == "POST" and re.search(
                r"/conversations/[^/]+/messages(\?|$)", answer.url)) as caught:
            button.click()
        assert caught.value.status == 201, caught.value.text()
        expect(self.composer().locator(".cp-send")).to_have_attribute("aria-busy", "false")
        return caught.value.json()

    def say(self, text):
        """Sends a text by Enter."""
        self.choose_kind("text")
        field = self.page.get_by_role("textbox", name=self.words("composer.text.label"), exact=True)
        field.fill(text)
        field.press("Enter")

    @property
    def device(self):
        """The page of the simulated phone in the middle."""
        return self.page.frame_locator("phone-frame iframe")


class Phone:
    """The customer's page."""

    def __init__(self, desk, words, **look):
        self.desk, self.words = desk, words
        self.page = desk.page(phone=True, language=words.language, **look)

    def open(self, url):
        """Follows a link."""
        self.page.goto(url)
        return self

    @property
    def field(self):
        """Where a message is written."""
        return self.page.get_by_role("textbox", name=self.words("phone.message"), exact=True)

    def say(self, text):
        """Writes and sends."""
        self.field.fill(text)
        self.page.get_by_role("button", name=self.words("phone.send"), exact=True).click()

    def cards(self, kind):
        """The cards of one kind, as their accessible name says it."""
        return self.page.locator("desk-card").get_by_role(
            "group", name=re.compile(re.escape(self.words(f"card.{kind}")) + "$"))

    def open_card(self, kind):
        """Opens the newest card of a kind and returns its sheet."""
        self.cards(kind).last.get_by_role("button").first.click()
        return self.sheet

    @property
    def sheet(self):
        """The open sheet."""
        return self.page.locator("dialog.sheet[open]")

    def pick(self, item):
        """Taps an item that is an answer by itself, and waits until the answer is accepted."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST"
                                       and answer.url.endswith("/choices")) as caught:
            item.click()
        assert caught.value.status == 201, caught.value.text()
        return caught.value.json()["message"]

    def confirm(self):
        """Presses the sheet's confirming button and waits until the answer is accepted."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST"
                                       and answer.url.endswith("/choices")) as caught:
            self.sheet.locator(".is-confirm").click()
        assert caught.value.status == 201, caught.value.text()
        return caught.value.json()["message"]


def join(desk, words, tmp_path, scheme):
    """A sandbox and a phone that has scanned its code and written first."""
    sandbox = Sandbox(desk, words, scheme=scheme).open()
    expect(sandbox.code).to_be_visible()
    sandbox.page.wait_for_function(
        "() => document.querySelector('join-code img')?.naturalWidth > 0")
    url = decode_qr(sandbox.page, sandbox.code, tmp_path)
    assert url.startswith("http://phone.test/j/")
    phone = Phone(desk, words, scheme=scheme).open(url)
    expect(phone.field).to_be_visible()
    assert phone.page.evaluate("isSecureContext") is False
    return sandbox, phone


def wait_for(page, held):
    """Lets the page run until a held request is there."""
    for _ in range(200):
        if held:
            return
        page.wait_for_timeout(25)
    raise AssertionError("the page asked for nothing")


def make_bot(desk, name):
    """A bot that is first in the live business, as its key; what retires it comes second."""
    shop = live_business(desk)
    keys = f"/api/businesses/{shop['id']}/keys"
    known = {one["id"] for one in desk.owner.fetch(keys)["data"]}
    key = desk.server.make_key(shop["id"], name=name)
    [made] = {one["id"] for one in desk.owner.fetch(keys)["data"]} - known
    bots = f"/api/businesses/{shop['id']}/bots"
    bot = desk.owner.post(bots, {"name": name, "key": made, "answerSeconds": 600, "first": True}, 201)
    return Session(desk.server, key=key), lambda: desk.owner.call("PATCH", f"{bots}/{bot['id']}", {"retired": True})


def refusal(status, code):
    """What a route is fulfilled with for a refusal of the server."""
    return {"status": status, "content_type": "application/problem+json", "json": {
        "type": f"/docs/problems/{code}", "title": "Refused", "status": status, "detail": "Refused by the test.", "code": code}}
