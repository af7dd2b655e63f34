"""The page of bots says when a program was heard last, and goes on saying it."""

from pages import console, make_bot
from playwright.sync_api import expect
from support.words import Words
from test_labels import ready


def test_a_bots_page_that_is_open_says_that_its_program_was_heard(desk):
    words = Words("en")
    bot, retire = make_bot(desk, "Heard")
    try:
        page = ready(console(desk, words, "/settings/bots"))
        row = page.locator(".bot-item").filter(has_text="Heard")
        expect(row).to_contain_text(words("bots.notHeard"))
        bot.fetch("/api/conversations")
        expect(row).to_contain_text(words("bots.heard", ago="", time="").split("  ")[0])
        expect(row).not_to_contain_text(words("bots.notHeard"))
    finally:
        retire()
