"""Scripts of customers on the sandbox page: recorded, saved and opened, and run on the clock of an ephemeral gateway."""

import re
import subprocess

from looks import assert_accessible
from pages import Sandbox
from playwright.sync_api import expect
from support.binary import BINARY
from support.ephemeral import BUSINESS, SECRET, Ephemeral
from support.provider import Provider
from support.server import Customer
from support.words import Words
from test_phone_story import tea_list


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
            expect(page.get_by_text(words("sandbox.loopback.nothing"))).to_be_visible()
            # It has no owner who could sign in to a console.
            expect(page.locator(".place-switch")).to_be_hidden()
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


def test_a_conversation_is_recorded_saved_and_opened_as_a_script(desk, tmp_path):
    words = Words("en")
    customer = Customer(desk.server, desk.sandbox_business["id"])
    said = customer.say("# one tea, please")["message"]["conversation"]
    sent = desk.owner.post(f"/api/conversations/{said}/messages", tea_list(), expect=201)
    customer.choose(sent["id"], list={"identifiers": ["hojicha", "cup"]})
    sandbox = Sandbox(desk, words).open()
    sandbox.turn_to(said)
    bench = open_scripts(sandbox.page, words)
    bench.get_by_role("button", name=words("sandbox.script.record"), exact=True).click()
    field = bench.get_by_label(words("sandbox.script.label"), exact=True)
    expect(field).to_have_value(re.compile(r'Customer says "# one tea, please"\nCustomer expects list containing ".+"\nCustomer picks .+, .+\n'))
    desk.shot(sandbox.page, "scripts-recorded")
    assert_accessible(sandbox.page)
    with sandbox.page.expect_download() as caught:
        bench.get_by_role("button", name=words("sandbox.script.save"), exact=True).click()
    file = tmp_path / caught.value.suggested_filename
    caught.value.save_as(file)
    # The program reads it as it stands.
    checked = subprocess.run([str(BINARY), "simulate", str(file), "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    recorded = field.input_value()
    field.fill("Bo says Hello")
    with sandbox.page.expect_file_chooser() as chooser:
        bench.get_by_role("button", name=words("sandbox.script.open"), exact=True).click()
    chooser.value.set_files(file)
    expect(field).to_have_value(recorded)


def test_what_was_recorded_runs_again_on_an_ephemeral_gateway(desk):
    words = Words("en")
    provider = Provider()
    try:
        with Ephemeral(provider.endpoint, "--pages") as gateway:
            provider.learn(gateway.url + "/v1", "ephemeral", SECRET, BUSINESS)
            gateway.passes("Aki says Good morning\nAki waits 2 hours\nAki says Still there?")
            page = desk.page()
            page.goto(f"{gateway.url}/sandbox")
            page.locator("conversation-switch button").first.click()
            bench = open_scripts(page, words)
            bench.get_by_role("button", name=words("sandbox.script.record"), exact=True).click()
            field = bench.get_by_label(words("sandbox.script.label"), exact=True)
            expect(field).to_have_value(re.compile("says Good morning\n(.*\n)*.* waits 2 hours\n(.*\n)*.* says Still there\\?"))
            bench.get_by_role("button", name=words("sandbox.script.run"), exact=True).click()
            expect(bench.get_by_role("status")).to_have_text(words("sandbox.script.passed"))
            expect(bench.locator(".sc-transcript")).to_contain_text("Still there?")
            assert not page.faults, page.faults
            page.close()
    finally:
        provider.stop()
