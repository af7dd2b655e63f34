"""A shop of another site with the widget in its pages, and a browser without third-party cookies."""

import functools
import http.server
import os
import pathlib
import re
import threading
import time

import jwt
from looks import assert_accessible
from playwright.sync_api import expect
from support.binary import ROOT

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# What the browser itself logs although the page handles the case: a refusal, and a stream that connects again while the
# session is exchanged for another one.
EXPECTED = ("status of 4", "live' failed: HTTP Authentication failed")
WATCH_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifted += one.value; })
  .observe({ type: "layout-shift", buffered: true });
"""

# What docs/widget.md has a shop write into its pages, and the server and the business that it names.
DOCS = (ROOT / "docs" / "widget.md").read_text()
[LINE] = re.findall(r"```html\n(.*)\n```", DOCS)
[POLICY] = re.findall(r"```text\n(.*)\n```", DOCS)
DESK, BUSINESS = "https://desk.example", re.search(r'data-business="(.*?)"', LINE)[1]


class Shop:
    """Pages of a shop on a host of its own, with the line and the policy of docs/widget.md and not a word more."""

    def __init__(self, desk, business, address="127.0.0.1", name="localhost"):
        self.desk, self.business, self.body = desk, business, ""
        shop = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers every path with the same page."""

            def do_GET(self):
                """A page, or the script that it runs."""
                is_script = self.path.startswith("/shop.js")
                text = shop.script if is_script else shop.page()
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if is_script else "text/html; charset=utf-8")
                self.send_header("Content-Security-Policy", shop.policy())
                self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://{name}:{self.port}"
        self.script, self.attributes = "", ""
        self.has_line = self.has_trusted_types = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def policy(self):
        """The policy of a careful shop."""
        lines = self.words(POLICY).replace("script-src", "script-src 'self'")
        trusted = "; require-trusted-types-for 'script'" if self.has_trusted_types else ""
        return f"default-src 'none'; {lines}; base-uri 'none'{trusted}"

    def words(self, snippet):
        """A snippet of the docs, for this server and this business."""
        return snippet.replace(DESK, self.desk).replace(BUSINESS, self.business)

    def page(self):
        """The shop's page; its own script comes first, so that it listens from the beginning."""
        line = self.words(LINE).replace(" async>", f" {self.attributes} async>") if self.has_line else ""
        return (f"<!doctype html><html lang=en><meta charset=utf-8><title>Tea</title><script src=/shop.js></script>{line}"
                f"<main><h1>Tea</h1><p>{'Leaves. ' * 80}</p><a href=/cart>Cart</a></main></html>")

    def stop(self):
        """Ends the listener."""
        self.server.shutdown()


class Site:
    """A server, a shop whose origin it lists, and a browser without third-party cookies."""

    def __init__(self, server, browser):
        self.server, self.browser, self.contexts = server, browser, []
        self.owner = server.make_owner()
        self.business = self.owner.post("/api/businesses", {"name": "Tea Shop", "colour": "#1f6f54"}, expect=201)["id"]
        self.path = f"/api/businesses/{self.business}/widget"
        self.shop = Shop(server.url, self.business)
        # Another site, for browsers and for the server.
        self.foreign = Shop(server.url, self.business, "127.0.0.2", "127.0.0.2")
        self.set()

    @functools.cached_property
    def secret(self):
        """A secret of the widget, made when a test needs one."""
        return self.owner.post(self.path + "/secrets", expect=201)["secret"]

    def set(self, **more):
        """Sets the widget, in pages of the shop alone."""
        self.owner.call("PUT", self.path, {"isOn": True, "origins": [self.shop.url], "greetings": [], **more})

    def page(self, viewport=None, **look):
        """A page of a context of its own."""
        context = self.browser.new_context(viewport=viewport or WIDE, reduced_motion="reduce", **look)
        self.contexts.append(context)
        context.add_init_script(WATCH_SHIFTS)
        page = context.new_page()
        watch(page)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: page.faults.append(message.text)
                if message.type == "error" and not any(one in message.text for one in EXPECTED) else None)
        return page

    def token(self, customer, **claims):
        """An identity as the shop's server signs it."""
        return jwt.encode({"sub": customer, "iat": int(time.time()), **claims}, self.secret, algorithm="HS256")

    def messages(self, conversation):
        """The texts of a conversation, as agents see them."""
        found = self.owner.fetch(f"/api/conversations/{conversation}/messages")["data"]
        return [one["payload"].get("body") for one in found]

    def answer(self, conversation, text):
        """An agent answers."""
        self.owner.post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": text}, expect=201)


def watch(page):
    """Notes the requests of a page that are on their way; streams have no end."""
    page.under_way = set()
    page.on("request", lambda one: page.under_way.add(one) if not one.url.split("?")[0].endswith("/live") else None)
    for ended in ("requestfinished", "requestfailed"):
        page.on(ended, lambda one: page.under_way.discard(one))


def forget_cookies(page):
    """Has the browser lose its cookies once no answer is on its way that would set them again."""
    quiet = 0
    for _ in range(400):
        page.wait_for_timeout(25)
        quiet = 0 if page.under_way else quiet + 1
        if quiet >= 12:
            page.context.clear_cookies()
            assert page.context.cookies() == []
            return
    raise AssertionError([one.url for one in page.under_way])


def shot(page, name):
    """Saves a screenshot when screenshots are wanted."""
    if folder := os.environ.get("FRONTDESK_SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(folder) / f"{name}.png", full_page=True)


def launcher(page):
    """The button."""
    return page.locator("frontdesk-widget .launcher")


def frame(page):
    """The customer's page in the frame."""
    return page.frame_locator("frontdesk-widget iframe")


def say(page, text):
    """Writes in the open frame; the id of the conversation."""
    field = frame(page).locator("#message")
    field.fill(text)
    with page.expect_response(lambda one: one.url.endswith("/phone/messages") and one.request.method == "POST") as caught:
        frame(page).locator("phone-composer button[type=submit]").click()
    assert caught.value.status == 201, caught.value.text()
    return caught.value.json()["message"]["conversation"]


def opened(site, path="/", viewport=None, **look):
    """A page of the shop with the widget open."""
    page = site.page(viewport, **look)
    page.goto(site.shop.url + path)
    launcher(page).click()
    expect(frame(page).locator("#message")).to_be_visible()
    return page


def assert_frame_accessible(page):
    """axe looks at the frame's own document; the policy of the page around lets no script of a test in."""
    inside = page.locator("frontdesk-widget iframe").element_handle().content_frame()
    assert_accessible(inside)
