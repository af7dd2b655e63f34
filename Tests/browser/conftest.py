"""Real Chromium against a real server: an agent's and a customer's context, screenshots, axe."""

import json
import os
import pathlib
import re
import sys
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from support.ends import end, merchant, upstream  # noqa: E402, F401
from support.server import ROOT, Installation, contract  # noqa: E402
from page_reports import report_pages  # noqa: E402

SHOTS = pathlib.Path(os.environ.get("FRONTDESK_SCREENSHOTS") or ROOT / "screenshots")
ARE_SHOTS_WANTED = "FRONTDESK_SCREENSHOTS" in os.environ
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# Messages that the browser itself logs although the page handles the case: a refusal, a connection that a test cuts.
EXPECTED = ("status of 4", "ERR_INTERNET_DISCONNECTED")
# Generous, because a busy machine is slow; a step that succeeds does not wait this long.
expect.set_options(timeout=25_000)


class Answer:
    """A browser's answer in the shape that the contract reads."""

    def __init__(self, answer, content):
        self.status_code, self.content = answer.status, content
        self.headers = {"Content-Type": answer.headers.get("content-type", "")}

    def json(self):
        """The JSON of the answer."""
        return json.loads(self.content)


class Desk:
    """A server, a browser that reaches it as http://phone.test, and what the tests do with pages."""

    def __init__(self, server, browser):
        self.server, self.browser = server, browser
        self.phone_url = "http://phone.test"
        self.owner = server.make_owner()
        self.sandbox_key = server.token("key")
        self.sandbox_business = next(
            one for one in self.owner.fetch("/api/businesses")["data"] if one["isSandbox"])
        self.contexts = []
        self.answers = []
        self.contract = contract(server)

    def page(self, phone=False, language="en", scheme="light", viewport=None, session=None):
        """A page of a context of its own; errors in it fail the test that closes it."""
        context = self.browser.new_context(
            viewport=viewport or (PHONE if phone else WIDE), has_touch=phone,
            locale="ja-JP" if language == "ja" else "en-US", color_scheme=scheme,
            timezone_id="Europe/Berlin", reduced_motion="reduce")
        if session:
            context.add_cookies([
                {"name": cookie.name, "value": cookie.value, "url": self.phone_url,
                 "httpOnly": True, "sameSite": "Strict"} for cookie in session.cookies])
        self.contexts.append(context)
        context.on("response", lambda answer: self.answers.append(answer))
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(f"error: {error}"))
        page.on("console", lambda message: page.faults.append(message.text)
                if message.type == "error" and not any(
                    known in message.text for known in EXPECTED) else None)
        return page

    def shot(self, page, name):
        """Saves a screenshot when screenshots are wanted."""
        if not ARE_SHOTS_WANTED:
            return
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")

    def _check_answers(self):
        """Holds every JSON answer that a page got against the OpenAPI file."""
        faults, checked, gone = [], 0, 0
        for answer in self.answers:
            path = urlsplit(answer.url).path
            if not path.startswith("/api/") or "json" not in answer.headers.get("content-type", ""):
                continue
            try:
                content = answer.body()
            except Error:
                gone += 1
                continue
            try:
                self.contract.check(answer.request.method, path, Answer(answer, content))
                checked += 1
            except Exception as fault:
                faults.append(f"{answer.request.method} {path} {answer.status}: {fault}"[:600])
        self.answers = []
        if gone:
            print(f"note: {checked} answers checked; {gone} were gone with the page that asked")
        return faults

    def close(self):
        """Closes every context and returns what went wrong in its pages."""
        faults = self._check_answers()
        for context in self.contexts:
            for page in context.pages:
                faults += getattr(page, "faults", [])
            context.close()
        self.contexts = []
        return faults


@pytest.fixture(scope="session")
def running():
    """One server and one browser for all browser tests."""
    # The editors of a test judge faster than hands do.
    # Its providers are on this machine, to which a server with another name would not connect by itself.
    # All its customers are of this machine.
    with Installation("--limit", "validations-per-second=100000", "--limit", "validations-burst=100000",
               "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000",
               "--private-endpoints", public_url="http://phone.test") as server, sync_playwright() as playwright:
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
