"""What a customer of the widget wrote before signing in, in one tab or several: each message once, and no file is lost."""

import json

import requests
from playwright.sync_api import expect
from support.words import Words
from test_widget import running, site  # noqa: F401
from test_widget_session import begin, signed_in
from widget_site import frame, launcher, opened, say

SEND = "phone-composer button[type=submit]"


def choose(page, name):
    """Chooses a file in the open frame, and waits until it could be sent."""
    frame(page).locator("phone-composer input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": name.encode()})
    expect(frame(page).locator(".pending-file")).to_have_count(1)
    expect(frame(page).locator(SEND)).to_be_enabled()


def second_tab(page, site):
    """Another tab of the same browser with the widget open."""
    other = page.context.new_page()
    other.faults = []
    other.goto(site.shop.url)
    launcher(other).click()
    expect(frame(other).locator("#message")).to_be_visible()
    return other


def test_a_first_message_whose_answer_was_lost_before_the_customer_signed_in_arrives_once(site):
    page, stored = opened(site), []

    def lose(route):
        request = route.request
        if request.method != "POST":
            return route.continue_()
        if not stored:
            answer = requests.post(request.url, data=request.post_data.encode(), timeout=30, headers={
                "Content-Type": "application/json", "Origin": site.server.url})
            stored.append(answer.json()["message"]["conversation"])
        return route.fulfill(status=429, content_type="application/problem+json", body='{"code":"rate_limited"}')

    page.route("**/phone/messages", lose)
    frame(page).locator("#message").fill("Is it open?")
    frame(page).locator(SEND).click()
    expect(frame(page).locator(".is-waiting").first).to_be_visible()
    former = page.locator("frontdesk-widget iframe").element_handle()
    page.evaluate("(token) => { Frontdesk('identify', { token }); }", site.token("4741", name="Ada"))
    page.wait_for_function("(one) => !one.isConnected", arg=former)
    page.unroute("**/phone/messages")
    expect(frame(page).get_by_text(Words("en")("phone.sentBefore"))).to_be_visible(timeout=30_000)
    expect(frame(page).locator(".is-failed, .is-waiting, .is-sending")).to_have_count(0)
    assert site.messages(stored[0]) == ["Is it open?"]
    # Before anything more is written agents see who it was, and answer where the customer reads.
    contacts = f"/api/businesses/{site.shop.business}/contacts"
    contact = site.owner.fetch(f"{contacts}/{site.owner.fetch(f'{contacts}/{stored[0]}')['merged']['into']}")
    own = [one["id"] for one in contact["conversations"] if one["id"] != stored[0]]
    assert (contact["name"], len(own)) == ("Ada", 1)
    site.answer(own[0], "Until six")
    expect(frame(page).get_by_text("Until six").first).to_be_visible()
    assert say(page, "Thank you") == own[0]
    assert site.messages(own[0]) == ["Until six", "Thank you"]


def test_a_tab_that_sends_while_another_one_signs_in_loses_nothing(site):
    page = opened(site)
    before = begin(site, page)
    other = second_tab(page, site)
    expect(frame(other).get_by_text("Without a name").first).to_be_visible()
    # The line of this tab fails while the customer signs in in the other one.
    other.route("**/phone/messages", lambda route: route.continue_() if route.request.method != "POST" else route.fulfill(
        status=429, content_type="application/problem+json", body='{"code":"rate_limited"}'))
    frame(other).locator("#message").fill("From the second tab")
    frame(other).locator(SEND).click()
    expect(frame(other).locator(".is-waiting").first).to_be_visible()
    signed_in(site, "4742", page)
    other.unroute("**/phone/messages")
    expect(frame(other).get_by_text("Without a name")).to_have_count(0, timeout=30_000)
    own = say(page, "From the first tab")
    assert own != before
    expect(frame(page).get_by_text("From the second tab").first).to_be_visible(timeout=30_000)
    assert site.messages(before) == ["Without a name"]
    assert sorted(site.messages(own)) == ["From the first tab", "From the second tab"]


def test_files_of_two_tabs_stay_with_the_tab_that_they_were_chosen_in(site):
    page = opened(site)
    begin(site, page)
    other = second_tab(page, site)
    choose(page, "first.txt")
    choose(other, "second.txt")
    signed_in(site, "4743", page)
    expect(frame(page).locator(".pending-file")).to_have_attribute("title", "first.txt. " + Words("en")("phone.attachFirst"))
    expect(frame(other).locator(".pending-file")).to_have_attribute("title", "second.txt. " + Words("en")("phone.attachFirst"))
    # A third one without files, and one that is loaded anew before the file was sent, remove nothing.
    second_tab(page, site)
    other.reload()
    launcher(other).click()
    expect(frame(other).locator(".pending-file")).to_have_count(1)
    own = say(page, "With a name")
    expect(frame(page).locator(SEND)).to_be_enabled()
    with page.expect_response(lambda one: one.url.endswith("/phone/messages") and one.request.method == "POST") as sent:
        frame(page).locator(SEND).click()
    assert len(json.loads(sent.value.request.post_data)["attachments"]) == 1
    thread = site.owner.fetch(f"/api/conversations/{own}/messages")["data"]
    assert [[file["name"] for file in one.get("attachments") or []] for one in thread] == [[], ["first.txt"]]
    # What was sent does not come back.
    page.reload()
    launcher(page).click()
    expect(frame(page).get_by_text("With a name").first).to_be_visible()
    expect(frame(page).locator(".pending-file")).to_have_count(0)


def test_signing_out_in_one_tab_ends_what_the_others_show(site):
    page = signed_in(site, "4744")
    say(page, "Signed in")
    other = second_tab(page, site)
    expect(frame(other).get_by_text("Signed in").first).to_be_visible()
    page.evaluate("Frontdesk('reset')")
    expect(other.locator("frontdesk-widget iframe")).to_have_count(0)
    launcher(other).click()
    expect(frame(other).locator("#message")).to_be_visible()
    expect(frame(other).get_by_text("Signed in")).to_have_count(0)
    assert [one["name"] for one in other.context.cookies() if one["name"] in ("fdw", "fdi")] == []


def test_the_first_words_in_one_tab_begin_the_conversation_in_the_other(site):
    page = opened(site)
    other = second_tab(page, site)
    conversation = say(page, "From the first tab")
    expect(frame(other).get_by_text("From the first tab").first).to_be_visible()
    site.answer(conversation, "Hello both")
    expect(frame(other).get_by_text("Hello both").first).to_be_visible()
    assert say(other, "From the second tab") == conversation
    expect(frame(page).get_by_text("From the second tab").first).to_be_visible()
