"""Parts of the page's script that are loaded when they are needed, and do not come: it is said, and the press is repeated."""

import re

import pytest
from pages import open_conversation
from playwright.sync_api import expect
from support.words import Words

LOOKS = [("en", "light", False), ("ja", "dark", True)]


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_emoji_that_do_not_come_are_asked_for_again_in_the_answer_and_in_a_note(desk, language, scheme, phone):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"No emoji ({language})", scheme=scheme, phone=phone)
    picker = page.get_by_role("dialog", name=words("composer.emoji"))
    said = page.locator(".fd-toast:visible")
    part = re.compile("/emoji-picker.js")
    page.route(part, lambda route: route.abort("internetdisconnected"))
    page.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(said).to_contain_text(words("shared.notLoaded"))
    desk.shot(page, f"emoji-not-loaded-{language}-{scheme}")
    said.get_by_role("button", name=words("shared.dismiss")).click()
    page.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    box = page.locator("note-box")
    box.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(said).to_contain_text(words("shared.notLoaded"))
    page.unroute(part)
    box.get_by_role("button", name=words("composer.emoji"), exact=True).press("Enter")
    expect(picker).to_be_visible()
    page.keyboard.press("Enter")
    expect(picker).to_have_count(0)
    expect(page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)).not_to_have_value("")
