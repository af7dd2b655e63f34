"""The frame around every page of the console: its font, its weight, its parts."""

import pytest
from pages import console
from playwright.sync_api import expect
from support.words import Words

# The first load of a page, as it crosses the wire with all fonts, in bytes.
FIRST_LOAD = 400_000
LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter((font) => font.status === 'loaded').map((font) => `${font.family} ${font.weight}`);
}"""
TRANSFERRED = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter((one) => !one.name.includes('/api/')).reduce((sum, one) => sum + one.encodedBodySize, 0)"""
# The server packs its files just after its start; a page that comes before gets some unpacked.
MOST_LOADS = 20


def first_load(desk, path):
    """A page opened by a browser that knows nothing of it yet."""
    if path == "console":
        page = console(desk, Words("en"))
        expect(page.locator("conversation-list a.row").first).to_be_visible()
    else:
        page = desk.page()
        page.goto(f"{desk.phone_url}/sandbox#key={desk.sandbox_key}")
        expect(page.locator("join-code img")).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.parametrize("path", ["console", "sandbox"])
def test_the_first_load_is_small_and_its_letters_are_the_shipped_ones(desk, path):
    for _ in range(MOST_LOADS):
        page = first_load(desk, path)
        transferred = page.evaluate(TRANSFERRED)
        if transferred < FIRST_LOAD:
            break
    loaded = page.evaluate(LOADED)
    assert {f"Inter {weight}" for weight in (400, 500, 600)} <= set(loaded), loaded
    print(f"note: the first load of /{path} is {transferred} bytes")
    assert 100_000 < transferred < FIRST_LOAD
