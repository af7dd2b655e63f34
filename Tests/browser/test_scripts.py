"""Scripts of customers and the clock, on the sandbox page: run where the server has them, explained where not."""

import re

import pytest
from looks import assert_accessible
from pages import Sandbox
from playwright.sync_api import expect
from support.ephemeral import BUSINESS, SECRET, Ephemeral
from support.provider import Provider
from support.server import Customer
from support.words import Words


def open_scripts(page, words):
    """The tab of the scripts."""
    page.get_by_role("tab", name=words("sandbox.lower.scripts"), exact=True).click()
    bench = page.locator("script-bench")
    expect(bench).to_be_visible()
    return bench


def test_an_ephemeral_gateway_with_pages_runs_scripts_and_advances_its_clock(desk):
    words = Words("en")
    provider = Provider()
    try:
        with Ephemeral(provider.endpoint, "--pages") as gateway:
            provider.learn(gateway.url + "/v1", "ephemeral", SECRET, BUSINESS)
            gateway.passes("Aki says Hello")
            page = desk.page()
            page.goto(f"{gateway.url}/sandbox")
            page.locator("conversation-switch button").first.click()
            bench = open_scripts(page, words)
            expect(bench.locator(".sc-now")).to_have_text("2026-01-01T00:00:00Z")
            bench.get_by_label(words("sandbox.clock.by"), exact=True).fill("90 minutes")
            bench.get_by_role("button", name=words("sandbox.clock.advance"), exact=True).click()
            expect(bench.locator(".sc-now")).to_have_text("2026-01-01T01:30:00Z")
            bench.get_by_label(words("sandbox.clock.by"), exact=True).fill("a while")
            bench.get_by_role("button", name=words("sandbox.clock.advance"), exact=True).click()
            expect(bench.get_by_role("status")).to_contain_text("5 minutes")
            field = bench.get_by_label(words("sandbox.script.label"), exact=True)
            field.fill("Bo says Good morning\nBo waits 2 hours\nBo says Still there?")
            run = bench.get_by_role("button", name=words("sandbox.script.run"), exact=True)
            run.click()
            expect(bench.get_by_role("status")).to_have_text(words("sandbox.script.passed"))
            expect(bench.locator(".sc-transcript")).to_contain_text("Still there?")
            expect(bench.locator(".sc-now")).to_have_text("2026-01-01T03:30:00Z")
            desk.shot(page, "scripts")
            assert_accessible(page)
            # The customer of the script came to the page as any other.
            page.locator(".sb-who").click()
            expect(page.locator("conversation-switch")).to_contain_text("Still there?")
            page.keyboard.press("Escape")
            field.fill("Bo flies away")
            run.click()
            expect(bench.get_by_role("status")).to_contain_text("flies")
            assert not page.faults, page.faults
            page.close()
    finally:
        provider.stop()


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 1280), ("ja", "dark", 390)])
def test_a_server_without_scripts_says_how_to_start_one_that_has_them(desk, language, scheme, width):
    words = Words(language)
    said = Customer(desk.server, desk.sandbox_business["id"]).say("Hello")["message"]["conversation"]
    sandbox = Sandbox(desk, words, scheme=scheme, viewport={"width": width, "height": 844}).open()
    sandbox.turn_to(said)
    if width < 900:
        sandbox.page.get_by_role("tab", name=words("sandbox.tab.json"), exact=True).click()
    bench = open_scripts(sandbox.page, words)
    expect(bench.get_by_text(words("sandbox.script.absent"))).to_be_visible()
    expect(bench.locator("code")).to_have_text(re.compile("^frontdesk gateway --ephemeral --pages"))
    assert sandbox.page.evaluate("document.documentElement.scrollWidth") <= width
    desk.shot(sandbox.page, f"scripts-absent-{language}-{scheme}")
    assert_accessible(sandbox.page)
