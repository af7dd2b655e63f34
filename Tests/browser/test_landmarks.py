"""How a page is gone through by its landmarks and headings."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from pages import open_conversation
from playwright.sync_api import expect
from support.words import Words

pytestmark = pytest.mark.every_language

RULES = ["region", "page-has-heading-one", "landmark-one-main", "landmark-unique", "heading-order"]


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_all_of_an_open_conversation_is_in_a_landmark_and_the_page_has_a_main_heading(desk, language, phone):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"By landmarks {language}", phone=phone)
    expect(page.locator("h1, [aria-level='1']").filter(visible=True)).to_have_count(1)
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("async (rules) => axe.run({ runOnly: { type: 'rule', values: rules } })", RULES)
    assert found["passes"], "axe looked at nothing"
    assert not [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]]
