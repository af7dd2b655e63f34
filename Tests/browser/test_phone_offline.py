"""The customer's page without a connection: it opens from what the browser keeps, and what is written is sent later."""

import pytest
from looks import assert_accessible
from pages import Phone
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

# What the browser keeps of a page, as paths; and the same once the page itself is among it, which is kept last.
KEPT = "async (path) => (await (await caches.open(`fd.page.${path}`)).keys()).map(({ url }) => new URL(url).pathname)"
ONCE_KEPT = f"""async ({{ path, without }}) => {{
  for (;;) {{
    const kept = await ({KEPT})(path);
    if (kept.includes(path) && !kept.includes(without)) return kept;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }}
}}"""


@pytest.fixture(autouse=True)
def _without_words_of_the_browser(desk):
    """What the browser itself logs of a server that is away, to a page and to its worker, is no fault."""
    yield
    for page in [page for context in desk.contexts for page in context.pages]:
        page.faults = [one for one in page.faults if not any(
            known in one for known in ("ERR_FAILED", "ERR_CONNECTION_REFUSED", "fetching the script"))]


class Visitor:
    """A customer's page at an address that browsers trust without TLS, whose conversation has begun."""

    def __init__(self, desk, language="en", server=None, business=None, **look):
        self.desk, self.words = desk, Words(language)
        self.phone = Phone(desk, self.words, **look)
        self.page = self.phone.page
        server = server or desk.server
        self.business = business or desk.sandbox_business
        self.path = f"/b/{self.business['id']}"
        self.phone.open(server.url + self.path)
        with self.page.expect_response(lambda answer: answer.url.endswith("/messages") and answer.request.method == "POST") as caught:
            self.phone.say("Is there tea?")
        self.id = caught.value.json()["message"]["conversation"]

    def is_kept(self):
        """Waits until the browser keeps the page."""
        self.kept()
        return self

    def kept(self, without=None):
        """What the browser keeps, once the page is among it and a path is not."""
        return self.page.evaluate(ONCE_KEPT, {"path": self.path, "without": without})

    @property
    def line(self):
        """What is said of the connection."""
        return self.page.locator(".line")

    def text(self, text):
        """A message on screen."""
        return self.page.locator("desk-card").get_by_text(text, exact=True)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_a_page_opens_without_a_connection_and_what_is_written_there_is_sent_once(desk, language, scheme):
    visitor = Visitor(desk, language, scheme=scheme).is_kept()
    page, words = visitor.page, visitor.words
    page.context.set_offline(True)
    page.reload()
    expect(visitor.line).to_have_text(words("phone.offline"))
    expect(page.get_by_role("heading", level=1)).to_have_text(visitor.business["name"])
    expect(page.locator(".welcome")).to_contain_text(words("phone.openedOffline"))
    assert_accessible(page)
    desk.shot(page, f"phone-offline-{language}")
    visitor.phone.say("And cake?")
    expect(visitor.text("And cake?")).to_have_count(1)
    expect(page.locator("phone-thread")).to_contain_text(words("phone.openedOffline"))
    # It is there after another load without a connection, too.
    page.reload()
    expect(visitor.text("And cake?")).to_have_count(1)
    visitor.phone.field.fill("half wri")
    page.context.set_offline(False)
    # The conversation as it is, with what was written meanwhile, once; the field keeps its words.
    expect(visitor.text("Is there tea?")).to_have_count(1)
    expect(page.locator(".row.is-waiting, .row.is-sending")).to_have_count(0)
    expect(visitor.text("And cake?")).to_have_count(1)
    expect(visitor.line).to_be_hidden()
    expect(page.get_by_text(words("phone.openedOffline"))).to_have_count(0)
    expect(visitor.phone.field).to_have_value("half wri")
    said = desk.owner.fetch(f"/api/conversations/{visitor.id}/messages")["data"]
    assert [one["summary"] for one in said] == ["Is there tea?", "And cake?"]


@pytest.mark.parametrize("press", ["phone.mute", "日本語", "phone.delete"])
def test_what_cannot_be_done_without_a_connection_is_said_in_the_menu(desk, press):
    visitor = Visitor(desk).is_kept()
    page, words, sheet = visitor.page, visitor.words, visitor.phone.sheet
    page.context.set_offline(True)
    page.get_by_role("button", name=words("phone.menu"), exact=True).click()
    if press == "phone.mute":
        sheet.get_by_role("switch", name=words(press)).click()
    elif press == "phone.delete":
        sheet.get_by_role("button", name=words(press)).click()
        page.get_by_role("alertdialog").get_by_role("button", name=words("phone.deleteConfirm"), exact=True).click()
    else:
        # The browser may have it of an earlier test.
        page.route("**/i18n/ja*", lambda route: route.abort())
        sheet.get_by_role("button", name=press, exact=True).click()
    # Outside of the open sheet it would be below it, and said to no screen reader.
    expect(sheet.get_by_role("status")).to_have_text(words("phone.failedAction"))
    expect(sheet.get_by_role("status")).to_be_in_viewport()
    assert_accessible(page)
    page.unroute_all()
    page.context.set_offline(False)
    page.get_by_role("button", name="日本語", exact=True).click()
    expect(page.get_by_role("dialog", name=Words("ja")("phone.menu"))).to_be_visible()
    expect(sheet.locator(".menu-note")).to_have_text("")


def test_a_server_that_ends_while_a_customer_writes_gets_the_words_when_it_is_back(desk, new_server):
    owner = new_server.make_owner()
    business = next(one for one in owner.fetch("/api/businesses")["data"] if one["isSandbox"])
    visitor = Visitor(desk, server=new_server, business=business).is_kept()
    new_server.listen = new_server.url.removeprefix("http://")
    new_server.stop()
    visitor.page.reload()
    expect(visitor.line).to_have_text(visitor.words("phone.offline"))
    visitor.phone.say("And cake?")
    new_server.start()
    expect(visitor.text("Is there tea?")).to_have_count(1)
    expect(page_waiting(visitor.page)).to_have_count(0)
    said = owner.fetch(f"/api/conversations/{visitor.id}/messages")["data"]
    assert [one["summary"] for one in said] == ["Is there tea?", "And cake?"]


def page_waiting(page):
    """The messages that are not sent yet."""
    return page.locator(".row.is-waiting, .row.is-sending")


def test_a_page_whose_server_does_not_answer_opens_and_says_so(desk):
    visitor = Visitor(desk).is_kept()
    page, held = visitor.page, []
    page.route(f"**/api/phone/{visitor.business['id']}", held.append)
    page.reload()
    expect(visitor.phone.field).to_be_visible()
    expect(visitor.line).to_have_text(visitor.words("phone.offline"))
    for one in held:
        one.continue_()
    expect(visitor.text("Is there tea?")).to_have_count(1)
    expect(visitor.line).to_be_hidden()


def test_a_customer_whose_session_ended_meanwhile_begins_anew_with_what_was_written(desk):
    visitor = Visitor(desk).is_kept()
    page = visitor.page
    page.context.set_offline(True)
    page.reload()
    expect(visitor.line).to_have_text(visitor.words("phone.offline"))
    visitor.phone.say("And cake?")
    page.context.clear_cookies()
    page.context.set_offline(False)
    expect(page_waiting(page)).to_have_count(0)
    expect(visitor.text("And cake?")).to_have_count(1)
    expect(visitor.line).to_be_hidden()
    expect(visitor.text("Is there tea?")).to_have_count(0)


def test_no_older_program_is_opened_while_the_server_answers_and_what_it_was_made_of_is_removed(desk):
    visitor = Visitor(desk).is_kept()
    page = visitor.page
    page.evaluate("""async (path) => {
      const cache = await caches.open(`fd.page.${path}`);
      for (const one of await cache.keys()) await cache.delete(one);
      const headers = { "Content-Type": "text/html" };
      await cache.put(path, new Response('<title>Old</title><script src="/web/~old/phone/phone-app.js"></script>', { headers }));
      await cache.put("/web/~old/phone/phone-app.js", new Response("", { headers }));
    }""", visitor.path)
    page.reload()
    expect(visitor.text("Is there tea?")).to_have_count(1)
    kept = visitor.kept(without="/web/~old/phone/phone-app.js")
    assert len({one.split("/")[2] for one in kept if one.startswith("/web/")}) == 1, kept
    # Files of the page alone: no answer of the API, no message, no picture.
    assert all(one == visitor.path or one.startswith("/web/~") for one in kept), kept
    page.context.set_offline(True)
    page.reload()
    expect(visitor.line).to_have_text(visitor.words("phone.offline"))


def test_a_page_is_kept_of_customers_alone_and_neither_of_visitors_nor_in_a_frame(desk):
    words = Words("en")
    phone = Phone(desk, words)
    address = f"{desk.server.url}/b/{desk.sandbox_business['id']}"
    phone.open(address)
    expect(phone.page.locator(".welcome h2")).to_be_visible()
    count = "navigator.serviceWorker.getRegistrations().then((all) => all.length)"
    assert phone.page.evaluate(count) == 0
    # A customer's page in a frame of this server, as console and sandbox have one.
    customer = Customer(desk.server, desk.sandbox_business["id"])
    customer.say("Hello")
    phone.page.context.add_cookies([
        {"name": one.name, "value": one.value, "url": desk.server.url, "httpOnly": True, "sameSite": "Strict"} for one in customer.cookies])
    phone.page.goto(f"{desk.server.url}/sandbox")
    phone.page.evaluate("""(address) => {
        document.body.replaceChildren(Object.assign(document.createElement("iframe"), { src: address, width: 390, height: 700 }));
    }""", address)
    expect(phone.page.frame_locator("iframe").get_by_text("Hello").first).to_be_visible()
    assert phone.page.evaluate(count) == 0


def test_a_page_on_a_home_screen_is_kept_before_anything_is_written(desk):
    words = Words("en")
    phone = Phone(desk, words)
    page, path = phone.page, f"/b/{desk.sandbox_business['id']}"
    page.add_init_script("""
      const plain = window.matchMedia.bind(window);
      window.matchMedia = (query) => plain(query === "(display-mode: standalone)" ? "all" : query);
    """)
    desk.forget(page)
    phone.open(desk.server.url + path)
    page.evaluate(ONCE_KEPT, {"path": path, "without": None})
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".line")).to_have_text(words("phone.offline"))
    phone.say("Is there tea?")
    page.context.set_offline(False)
    expect(page_waiting(page)).to_have_count(0)
    expect(page.locator("desk-card").get_by_text("Is there tea?", exact=True)).to_have_count(1)
