"""What the composer cannot show or send as it is: a very long word, and a payment on a server without https."""

import pytest
from looks import assert_accessible
from pages import choose_kind, open_conversation
from playwright.sync_api import expect
from support.words import Words


def test_the_phone_lays_out_the_beginning_of_a_word_of_a_megabyte(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "A very long word")
    choose_kind(page, words, "raw")
    text = '{"v": 1, "type": "text", "body": "'
    page.locator("raw-form textarea").first.evaluate("""(field, text) => {
        field.value = `${text}${"w".repeat(1_000_000)}"}`;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }""", text)
    bubble = page.frame_locator("phone-frame iframe").locator(".bubble").last
    expect(bubble).to_contain_text("w…")
    assert len(bubble.inner_text()) <= 20_001


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_payment_that_cannot_be_sent_from_a_server_over_http_says_what_to_do(desk, language, scheme, phone):
    words = Words(language)
    page, _, _ = open_conversation(desk, words, f"To pay ({language})", scheme=scheme, phone=phone)
    choose_kind(page, words, "payment")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    status = page.locator("payment-form .cp-session")
    expect(status).to_have_text(words("composer.pay.unsafe", address=desk.phone_url))
    status.scroll_into_view_if_needed()
    desk.shot(page, f"payment-over-http-{language}-{scheme}")
    assert_accessible(page)
