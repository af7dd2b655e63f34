"""Real Chromium against a real server: an agent's and a customer's context, screenshots, axe."""

import json
import os
import pathlib
import re
import sys
import zlib

import pytest
from playwright.sync_api import Error, expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from support.ends import end, merchant, upstream  # noqa: E402, F401
from support.server import ROOT, Installation, contract  # noqa: E402
from page_reports import report_pages  # noqa: E402
from pages import forget_choices  # noqa: E402

SHOTS = pathlib.Path(os.environ.get("FRONTDESK_SCREENSHOTS") or ROOT / "screenshots")
ARE_SHOTS_WANTED = "FRONTDESK_SCREENSHOTS" in os.environ
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# Messages that the browser itself logs although the page handles the case: a refusal, a connection that a test cuts.
EXPECTED = ("status of 4", "ERR_INTERNET_DISCONNECTED")
# Generous, because a busy machine is slow; a step that succeeds does not wait this long.
expect.set_options(timeout=25_000)


# All that a page stores, but for the files that it loaded.
STORED = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage"

# Has a page say what JSON it got; its files are none of it, and to hear of each takes as long as to load it.
LISTEN = """(() => {
  const said = (method, address, status, type, text) => {
    const { pathname } = new URL(address, location.href);
    if (pathname.startsWith("/api/") && type.includes("json")) keepAnswer(method, pathname, status, type, text);
  };
  const plain = window.fetch;
  window.fetch = async (target, how) => {
    const answer = await plain(target, how);
    const type = answer.headers.get("content-type") ?? "";
    if (type.includes("json")) {
      answer.clone().text().then((text) => said(
        how?.method ?? target.method ?? "GET", answer.url, answer.status, type, text), () => {});
    }
    return answer;
  };
  const open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (method, ...more) {
    this.addEventListener("load", () => said(
      method, this.responseURL, this.status, this.getResponseHeader("content-type") ?? "", this.responseText));
    return open.call(this, method, ...more);
  };
})()"""


class Answer:
    """A JSON answer that a page got, in the shape that the contract reads."""

    def __init__(self, page, method, path, status, kind, text):
        self.page, self.method, self.path = page, method, path
        self.status_code, self.text = status, text
        self.headers = {"Content-Type": kind}

    @property
    def content(self):
        """Its bytes."""
        return self.text.encode()

    def json(self):
        """The JSON of the answer."""
        return json.loads(self.text)


class Desk:
    """A server, a browser that reaches it as http://phone.test, and what the tests do with pages."""

    def __init__(self, server, browser):
        self.server, self.browser = server, browser
        self.phone_url = "http://phone.test"
        self.owner = server.make_owner()
        self.unchosen = [self._choices()]
        self.sandbox_key = server.token("key")
        self.sandbox_business = next(
            one for one in self.owner.fetch("/api/businesses")["data"] if one["isSandbox"])
        # The contexts of the test under way, with their looks, and those that earlier tests left, empty, by look.
        self.contexts, self.left = {}, {}
        self.answers = []
        self.contract = contract(server)
        # Answers that fit; every page asks for some of the same.
        self.fitting = set()

    def page(self, phone=False, language="en", scheme="light", viewport=None, session=None):
        """A page of a context of its own; errors in it fail the test that closes it."""
        viewport = viewport or (PHONE if phone else WIDE)
        look = (viewport["width"], viewport["height"], phone, language, scheme)
        # What one that was left still has is the pages' files, which take longer to load than most tests.
        left = self.left.get(look)
        context = left.pop() if left else self._make_context(viewport, phone, language, scheme)
        self.contexts[context] = look
        if session:
            context.add_cookies([
                {"name": cookie.name, "value": cookie.value, "url": self.phone_url,
                 "httpOnly": True, "sameSite": "Strict"} for cookie in session.cookies])
        page = context.new_page()
        page.faults, page.held = [], []
        self._note_routes(page)
        self._note_clock(page)
        page.on("pageerror", lambda error: page.faults.append(f"error: {error}"))
        page.on("console", lambda message: page.faults.append(message.text)
                if message.type == "error" and not any(
                    known in message.text for known in EXPECTED) else None)
        return page

    def _note_routes(self, page):
        """Notes the requests that the test's routes get: one that is held would wait for ever after the test."""
        plain = page.route

        def route(address, handler, **how):
            def noted(one):
                page.held.append(one)
                handler(one)
            plain(address, noted, **how)
        page.route = route

    def _note_clock(self, page):
        """Keeps a context from other tests once its clock was changed: it stays so for all its pages."""
        def forgetting(change):
            def changed(*words, **more):
                self.forget(page)
                change(*words, **more)
            return changed
        for name in ("install", "set_fixed_time", "set_system_time"):
            setattr(page.clock, name, forgetting(getattr(page.clock, name)))

    def _choices(self):
        return self.owner.fetch("/api/session")["preferences"]

    def _make_context(self, viewport, phone, language, scheme):
        context = self.browser.new_context(
            viewport=viewport, has_touch=phone, locale="ja-JP" if language == "ja" else "en-US",
            color_scheme=scheme, timezone_id="Europe/Berlin", reduced_motion="reduce")
        context.expose_binding(
            "keepAnswer", lambda source, *answer: self.answers.append(Answer(source["page"], *answer)))
        context.add_init_script(LISTEN)
        return context

    def forget(self, page):
        """Keeps the page's context from other tests: this one changes what cannot be undone."""
        self.contexts[page.context] = None

    def shot(self, page, name):
        """Saves a screenshot when screenshots are wanted."""
        if not ARE_SHOTS_WANTED:
            return
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")

    def check_answers(self):
        """Holds every JSON answer that a page got against the OpenAPI file."""
        faults = []
        for answer in self.answers:
            known = hash((answer.method, answer.path, answer.status_code, answer.text))
            if known in self.fitting:
                continue
            try:
                self.contract.check(answer.method, answer.path, answer)
                self.fitting.add(known)
            except Exception as fault:
                faults.append(f"{answer.method} {answer.path} {answer.status_code}: {fault}"[:600])
        self.answers = []
        return faults

    def close(self):
        """Closes every context and returns what went wrong in its pages."""
        faults = self.check_answers()
        for context, look in self.contexts.items():
            for page in context.pages:
                faults += getattr(page, "faults", [])
                end_requests(page)
            if look and context.pages:
                self._empty(context)
                self.left.setdefault(look, []).append(context)
            else:
                context.close()
        self.contexts = {}
        # What was chosen for the owner, such as another key, would be for all tests.
        if self._choices() not in self.unchosen:
            forget_choices(self)
            self.unchosen.append(self._choices())
        return faults

    def _empty(self, context):
        """Leaves nothing in a context of what its pages stored, nor of what they were permitted."""
        context.set_offline(False)
        context.clear_permissions()
        # The test's own page; those that it opened may still be on their way to an address.
        first, *others = context.pages
        for page in others:
            page.close()
        # What a page writes when it is left is stored by then.
        leave(first)
        end_requests(first)
        devtools = context.new_cdp_session(first)
        for origin in (self.phone_url, self.server.url):
            devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": STORED})
        context.clear_cookies()
        first.close()


def end_requests(page):
    """Ends the requests of a page that its test's routes hold."""
    for one in getattr(page, "held", []):
        try:
            one.abort()
        except Error:
            pass  # The test has answered it.
    page.held = []


def leave(page):
    """Leaves a page for an empty one, after what the page itself still opened."""
    for attempt in range(5):
        try:
            page.goto("about:blank")
            return
        except Error as problem:
            if "interrupted by another navigation" not in str(problem) or attempt == 4:
                raise
            # It names the address: no page should go on by itself after its test.
            print(f"note: {str(problem).splitlines()[0]}")
        page.wait_for_load_state()
        if page.url == "about:blank":
            return


# Tests that a run leaves out because the same story runs in another language.
LEFT_OUT = pytest.StashKey[int]()


def pytest_configure(config):
    """Names the mark of tests that look at how pages are laid out."""
    config.addinivalue_line("markers", "every_language: what it looks at is of another size in each language")


def pytest_collection_modifyitems(config, items):
    """Runs a story in one of its languages, chosen by its name; FRONTDESK_LOOKS=all runs it in each."""
    if os.environ.get("FRONTDESK_LOOKS") == "all" or any("::" in word for word in config.args):
        return
    stories = {}
    for item in items:
        language = getattr(item, "callspec", None) and item.callspec.params.get("language")
        if language and not item.get_closest_marker("every_language"):
            stories.setdefault(item.nodeid.split("[")[0], {}).setdefault(language, []).append(item)
    left = []
    for name, languages in stories.items():
        kept = sorted(languages)[zlib.crc32(name.encode()) % len(languages)]
        left += [item for language, found in languages.items() if language != kept for item in found]
    config.stash[LEFT_OUT] = len(left)
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter):
    """Says what was left out."""
    if count := terminalreporter.config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"note: {count} more in the other language or look: make test-looks")


@pytest.fixture(scope="session")
def playwright():
    """What begins browsers; there can be one of it at a time."""
    with sync_playwright() as begun:
        yield begun


@pytest.fixture(scope="session")
def running(playwright):
    """One server and one browser for all browser tests."""
    # The editors of a test judge faster than hands do.
    # Its providers are on this machine, to which a server with another name would not connect by itself.
    # All its customers are of this machine.
    with Installation("--limit", "validations-per-second=100000", "--limit", "validations-burst=100000",
               "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000",
               "--private-endpoints", public_url="http://phone.test") as server:
        browser = playwright.chromium.launch(
            # The same engine without the windows of a desktop, which take half as much again.
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", f"--host-resolver-rules=MAP phone.test 127.0.0.1:{server.port}"])
        made = Desk(server, browser)
        yield made
        browser.close()


@pytest.fixture
def desk(running):
    """The server with no page open; a script error in any page fails the test."""
    yield running
    faults = running.close()
    assert not faults, faults


@pytest.fixture
def new_server(desk):
    """A server just installed, of the test's own. It ends after the report of a failed test, and after its pages."""
    with Installation() as server:
        yield server
        for page in [page for context in desk.contexts for page in context.pages]:
            if page.url.startswith(server.url):
                leave(page)
                desk.forget(page)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Adds the content of the open pages to the report of a failed test."""
    report = yield
    desk = getattr(item, "funcargs", {}).get("desk")
    if report.when == "call" and report.failed and desk:
        pages = [page for context in desk.contexts for page in context.pages]
        name = re.sub(r"[^\w-]+", "-", item.name)
        try:
            report.sections.append(("Pages", report_pages(pages, desk.answers, SHOTS, name)))
        except Exception as fault:  # The test's own failure must be reported in any case.
            report.sections.append(("Pages", f"the pages could not be read: {fault!r}"))
    return report
