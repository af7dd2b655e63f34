"""Scripts of customers in an ordinary server: written, played in real time, answered by hand, skipped, stopped, and failed."""

import pytest
from looks import assert_accessible
from pages import Sandbox, console
from playwright.sync_api import expect
from support.words import Words
from test_scripts import open_scripts

STORY = """customer=Aki locale=ja_JP
customer=Bo
Aki says Hello, do you have tea?
Bo says Good morning
Aki expects text containing "green tea"
Bo waits 20 minutes
Bo says Still there?
"""


class Bench:
    """The tab of the scripts, beside a customer that is there from the start."""

    def __init__(self, desk, language="en", scheme="light", width=1280):
        self.words = Words(language)
        self.sandbox = Sandbox(desk, self.words, scheme=scheme, viewport={"width": width, "height": 844}).open()
        self.page = self.sandbox.page
        self.page.locator("conversation-switch button").first.click()
        if width < 900:
            self.page.get_by_role("tab", name=self.words("sandbox.tab.json"), exact=True).click()
        self.place = open_scripts(self.page, self.words)
        self.run = self.place.locator("script-run")
        self.state = self.run.get_by_role("status")

    def start(self, script):
        self.place.get_by_label(self.words("sandbox.script.label"), exact=True).fill(script)
        self.button("sandbox.script.run").click()

    def button(self, key, **values):
        return self.place.get_by_role("button", name=self.words(key, **values), exact=True)

    def line(self, text):
        return self.run.locator(".sc-lines li").filter(has_text=text)

    def is_whole(self, width):
        """Nothing is cut off at the side, and a checker of accessibility finds nothing."""
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        assert_accessible(self.page)


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 1280), ("ja", "dark", 390)])
def test_a_script_is_played_in_real_time_and_answered_by_hand(desk, language, scheme, width):
    bench = Bench(desk, language, scheme, width)
    words = bench.words
    bench.start(STORY)
    expect(bench.line("Good morning")).to_be_visible()
    step = bench.run.locator(".sc-step")
    expect(step).to_contain_text('Aki expects text containing "green tea"')
    # An expected message cannot be skipped, only waited for.
    expect(bench.button("sandbox.run.skip")).to_be_hidden()
    desk.shot(bench.page, f"script-run-waits-{language}-{scheme}")
    bench.is_whole(width)
    # An agent answers in a console, in a second window.
    link = bench.run.get_by_role("link", name=words("sandbox.run.consoleNamed", name="Aki"), exact=True)
    agent = console(desk, words, link.get_attribute("href").removeprefix("/console"))
    expect(agent.locator("desk-thread").get_by_text("do you have tea?")).to_be_visible()
    agent.locator("desk-composer").get_by_label(words("composer.text.label"), exact=True).fill("We have green tea.")
    agent.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(bench.line("green tea")).to_be_visible()
    # The long wait is skipped, and only that.
    bench.button("sandbox.run.skip").click()
    expect(bench.line("Still there?")).to_be_visible()
    expect(bench.state).to_have_text(words("sandbox.run.state.passed"))
    expect(bench.line("that was skipped")).to_be_visible()
    expect(bench.button("sandbox.run.stop")).to_be_hidden()
    desk.shot(bench.page, f"script-run-passed-{language}-{scheme}")
    bench.is_whole(width)
    # Its customers are customers as any other, here too.
    bench.button("sandbox.run.openNamed", name="Bo").click()
    expect(bench.page.locator(".sb-who")).to_contain_text("Bo")


@pytest.mark.parametrize("language, scheme, width", [("ja", "light", 1280), ("en", "dark", 390)])
def test_a_script_is_run_before_any_conversation_is_open(desk, language, scheme, width):
    words = Words(language)
    page = Sandbox(desk, words, scheme=scheme, viewport={"width": width, "height": 844}).open().page
    page.get_by_text(words("sandbox.scripts.lead"), exact=True).click()
    place = page.locator("script-bench")
    expect(place.get_by_role("button", name=words("sandbox.script.record"), exact=True)).to_be_hidden()
    place.get_by_label(words("sandbox.script.label"), exact=True).fill("Dora says Hello")
    place.get_by_role("button", name=words("sandbox.script.run"), exact=True).click()
    expect(place.locator("script-run").get_by_role("status")).to_have_text(words("sandbox.run.state.passed"))
    desk.shot(page, f"script-run-first-{language}-{scheme}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_accessible(page)
    # The customer came to the page as any other, and the script is still beside it.
    place.get_by_role("button", name=words("sandbox.run.openNamed", name="Dora"), exact=True).click()
    expect(page.locator(".sb-who")).to_contain_text("Dora")
    if width < 900:
        page.get_by_role("tab", name=words("sandbox.tab.json"), exact=True).click()
    expect(place.get_by_label(words("sandbox.script.label"), exact=True)).to_have_value("Dora says Hello")
    expect(place.get_by_role("button", name=words("sandbox.script.record"), exact=True)).to_be_visible()


def test_an_expectation_that_nothing_meets_fails_with_its_reason(desk):
    bench = Bench(desk)
    bench.start("Aki says Hello\nAki expects list within 500 ms\nAki says Bye")
    expect(bench.state).to_have_text(bench.words("sandbox.run.state.failed", done=1, all=3))
    reason = bench.run.locator(".sc-reason")
    expect(reason).to_contain_text("Nothing like it came within 500 milliseconds.")
    expect(reason).to_contain_text("Aki expects list within 500 ms")
    desk.shot(bench.page, "script-run-failed")
    bench.is_whole(1280)


def test_a_run_is_stopped_and_still_shown_after_the_page_is_opened_again(desk):
    bench = Bench(desk)
    bench.start("Cleo says Hello\nCleo waits 2 hours\nCleo says Bye")
    expect(bench.button("sandbox.run.skip")).to_be_visible()
    # Another page shows what runs.
    again = Bench(desk)
    expect(again.line("Hello")).to_be_visible()
    again.button("sandbox.run.stop").click()
    stopped = bench.words("sandbox.run.state.stopped", done=1, all=3)
    expect(again.state).to_have_text(stopped)
    expect(bench.state).to_have_text(stopped)
    expect(bench.run.locator(".sc-reason")).to_contain_text("It was stopped.")
    expect(bench.line("Bye")).to_have_count(0)
    desk.shot(bench.page, "script-run-stopped")


def test_who_skips_a_wait_by_keyboard_and_stops_keeps_the_focus(desk):
    bench = Bench(desk)
    bench.start("Fay says Hello\nFay waits 2 hours\nFay expects text\nFay says Bye")
    bench.button("sandbox.run.skip").press("Enter")
    stop = bench.button("sandbox.run.stop")
    expect(stop).to_be_focused()
    stop.press("Enter")
    expect(bench.state).to_have_text(bench.words("sandbox.run.state.stopped", done=2, all=4))
    expect(bench.state).to_be_focused()


def test_a_script_that_cannot_be_read_says_where_and_starts_nothing(desk):
    bench = Bench(desk)
    bench.start("customer=Aki\nAki flies away\nBo says Hello")
    news = bench.place.locator(".sc-part > [role=status]")
    expect(news).to_contain_text("line 2, column 5")
    expect(news).to_contain_text("flies")
    # Each on a line of its own, and the first is where to write.
    assert news.inner_text().splitlines()[1].startswith("line 3, column 1")
    field = bench.place.get_by_label(bench.words("sandbox.script.label"), exact=True)
    expect(field).to_be_focused()
    assert field.evaluate("(one) => one.value.slice(one.selectionStart, one.selectionEnd)") == "Aki flies away"
    bench.is_whole(1280)


def test_a_fifth_script_is_refused_in_a_sentence(desk):
    bench = Bench(desk)
    begun = []
    try:
        for _ in range(4):
            begun.append(desk.owner.post("/api/sandbox/runs", "Aki says Hello\nAki waits 1 hour", expect=201)["id"])
        bench.start("Bo says Hello")
        expect(bench.place.get_by_text(bench.words("sandbox.run.full"))).to_be_visible()
        # The runs that are in the way can be chosen and stopped.
        running = bench.words("sandbox.run.state.running", done=1, all=2)
        expect(bench.place.locator(".sc-run-row").filter(has_text=running)).to_have_count(4)
        desk.shot(bench.page, "script-run-refused")
    finally:
        for run in begun:
            desk.owner.post(f"/api/sandbox/runs/{run}/stop", {}, expect=200)
