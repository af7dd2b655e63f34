"""The operator's model in the console: drafts, cards, summaries, translations; an agent decides on each."""

import json
import re
import threading
import time

import pytest
from conftest import Desk
from looks import assert_accessible
from pages import console, live_business, make_bot, member, open_conversation, refusal, wait_for
from playwright.sync_api import expect
from support.model import TEAS, ScriptedModel, text
from support.server import Customer, Installation
from support.words import Words

NAME = "test-model"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model whose answers the tests script."""
    with ScriptedModel() as one:
        one.file = tmp_path_factory.mktemp("model") / "key"
        one.file.write_text(one.key + "\n")
        yield one


@pytest.fixture(scope="module")
def installed(running, model):
    """A server with that model, and a browser that reaches it."""
    with Installation("--assistant-url", model.url, "--assistant-key-file", str(model.file), "--assistant-model", NAME,
                      "--limit", "address-requests-burst=100000", "--limit", "address-requests-per-second=100000",
                      "--private-endpoints", public_url="http://phone.test") as server:
        browser = running.browser.browser_type.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", f"--host-resolver-rules=MAP phone.test 127.0.0.1:{server.port}"])
        yield Desk(server, browser)
        browser.close()


@pytest.fixture
def desk(installed, model):
    """That server with no page open and nothing scripted."""
    model.answers.clear()
    model.asked.clear()
    yield installed
    faults = installed.close()
    assert not faults, faults
    assert not model.answers, "the model was asked less often than expected"


def ask(page, words, what):
    """Chooses from the menu of the assistant."""
    page.get_by_role("button", name=words("console.assistant"), exact=True).click()
    page.get_by_role("menuitem", name=words(f"assistant.{what}")).click()


def suggestion_of(page):
    return page.locator("suggestion-list .suggestion")


def press(page, words, what):
    suggestion_of(page).get_by_role("button", name=words(f"assistant.{what}"), exact=True).click()


def events_of(desk, conversation, kind, count=1):
    """The events of a type in a conversation, of which so many are expected: another node lists them a moment later."""
    end = time.monotonic() + 25
    while True:
        page = desk.owner.fetch(f"/api/events?limit=300&filter[type]={kind}", headers={"Accept": "application/json"})
        found = [one for one in page["data"] if one["conversation"] == conversation]
        if len(found) >= count:
            return found
        assert time.monotonic() < end, f"{len(found)} of {count} events of {kind}"
        time.sleep(0.05)


def sent(desk, conversation):
    """What the business said."""
    page = desk.owner.fetch(f"/api/conversations/{conversation}/messages")
    return [one for one in page["data"] if one["direction"] == "outbound"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_draft_is_edited_and_sent_and_another_is_rejected(desk, model, language):
    words = Words(language)
    page, _, conversation = open_conversation(
        desk, words, "Is my tea ready? I am ada@example.com, card 4111 1111 1111 1111.")
    model.answers = [text("It is ready, [e-mail 1].")]
    ask(page, words, "draft")
    expect(suggestion_of(page)).to_contain_text("It is ready, ada@example.com.")
    expect(suggestion_of(page)).to_contain_text(NAME)
    said = model.said()
    assert "ada@example.com" not in said and "4111" not in said and "[card 1]" in said
    assert model.asked[-1]["response_format"]["json_schema"]["schema"]["properties"]["body"]
    assert sent(desk, conversation) == [], "nothing is sent by itself"
    assert_accessible(page)
    desk.shot(page, f"assistant-draft-{language}")
    # It is there after a reload, and for a colleague.
    page.reload()
    press(page, words, "edit")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    expect(field).to_have_value("It is ready, ada@example.com.")
    field.fill("It is ready since nine.")
    field.press("Enter")
    expect(suggestion_of(page)).to_have_count(0)
    expect(page.locator("desk-thread").get_by_text("It is ready since nine.")).to_be_visible()
    settled = events_of(desk, conversation, "suggestion.settled")
    assert [one["data"]["outcome"] for one in settled] == ["edited"]
    model.answers = [text("Nothing more?")]
    ask(page, words, "draft")
    expect(suggestion_of(page)).to_contain_text("Nothing more?")
    press(page, words, "reject")
    expect(suggestion_of(page)).to_have_count(0)
    settled = events_of(desk, conversation, "suggestion.settled", 2)
    assert [one["data"]["outcome"] for one in settled] == ["edited", "rejected"]
    asked = events_of(desk, conversation, "assistant.asked", 2)
    assert [one["data"]["purpose"] for one in asked] == ["reply", "reply"]
    assert asked[0]["data"]["blanked"] == {"cards": 1, "emails": 1, "phones": 0}
    assert all(one["data"]["by"]["type"] == "agent" for one in asked)
    assert model.key not in desk.server.log_text()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_card_of_three_teas_is_made_corrected_and_sent_as_it_is(desk, model, language):
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, "Which teas do you have?")
    broken = json.loads(json.dumps(TEAS))
    del broken["interactiveData"]["data"]["listPicker"]["sections"][0]["items"][0]["title"]
    model.answers = [json.dumps(broken), json.dumps(TEAS)]
    ask(page, words, "card")
    form = page.get_by_role("dialog", name=words("assistant.cardTitle"))
    form.get_by_role("textbox").fill("Make a card of three teas")
    desk.shot(page, f"assistant-wish-{language}")
    form.get_by_role("button", name=words("assistant.make")).click()
    expect(suggestion_of(page).locator("desk-card")).to_be_visible()
    # What the card shows only when it is opened is read before it is sent.
    for tea in ["Sencha", "Gyokuro", "Hojicha"]:
        expect(suggestion_of(page).get_by_text(tea)).to_be_visible()
    assert len(model.asked) == 2 and "title" in model.asked[1]["messages"][-1]["content"]
    assert "Make a card of three teas" in model.said(0)
    assert_accessible(page)
    desk.shot(page, f"assistant-card-{language}")
    press(page, words, "send")
    expect(suggestion_of(page)).to_have_count(0)
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    (settled,) = events_of(desk, conversation, "suggestion.settled")
    assert settled["data"]["outcome"] == "sent"
    asked = events_of(desk, conversation, "assistant.asked", 2)
    assert [(one["data"]["purpose"], one["data"]["round"]) for one in asked] == [("card", 1), ("card", 2)]


def test_a_message_that_stays_wrong_and_a_model_that_is_away_are_said(desk, model):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Anything?")
    model.answers = ["no", "no", "no"]
    ask(page, words, "draft")
    expect(page.locator(".fd-toast").last).to_contain_text(words("assistant.unusable"))
    model.answers = [500]
    ask(page, words, "draft")
    expect(page.locator(".fd-toast").last).to_contain_text(words("assistant.unavailable"))
    page.faults = [one for one in page.faults if "status of 503" not in one]
    expect(suggestion_of(page)).to_have_count(0)
    assert len(events_of(desk, conversation, "assistant.asked", 4)) == 4
    assert sent(desk, conversation) == []


def test_a_summary_becomes_a_note_and_a_message_is_translated_in_its_place(desk, model):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "お茶はありますか")
    model.answers = ["The customer asks for tea."]
    ask(page, words, "summarise")
    note = page.locator("note-box textarea")
    expect(note).to_have_value("The customer asks for tea.")
    page.locator("note-box").get_by_role("button", name=words("console.addNote"), exact=True).click()
    expect(page.locator("desk-thread").get_by_text("The customer asks for tea.")).to_be_visible()
    model.answers = ["Do you have tea?"]
    row = page.locator("desk-thread li.message.is-theirs")
    row.hover()
    row.get_by_role("button", name=words("thread.translateOf", summary="お茶はありますか")).click()
    expect(row.locator(".translation")).to_have_text("Do you have tea?")
    assert_accessible(page)
    desk.shot(page, "assistant-translation")
    asked = events_of(desk, conversation, "assistant.asked", 2)
    assert [one["data"]["purpose"] for one in asked] == ["summary", "translation"]
    assert sent(desk, conversation) == []


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_who_hands_a_conversation_over_is_offered_a_summary_for_it(desk, model, language, phone):
    words = Words(language)
    name = f"Bea-{language}"
    member(desk, name)
    page, _, conversation = open_conversation(desk, words, f"Where is my parcel? ({language})", phone=phone)
    assignee = page.locator("conversation-head .assignee")
    offer = page.locator(".fd-toast:visible").get_by_role("button", name=words("console.summarise"))
    assignee.click()
    page.get_by_role("menuitemradio", name=words("console.assignToMe")).click()
    expect(page.locator(".fd-toast:visible")).to_be_visible()
    expect(offer).to_have_count(0)
    assignee.click()
    page.get_by_role("menuitemradio", name=name).click()
    expect(assignee).to_have_text(name)
    expect(offer).to_be_visible()
    tops = page.locator(".fd-toast:visible button").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert len(tops) == 3 and len(set(tops)) == 1, tops
    desk.shot(page, f"hand-over-summary-{language}")
    model.answers = ["Asks for the parcel."]
    offer.click()
    expect(page.locator("note-box textarea")).to_have_value("Asks for the parcel.")
    assert [one["data"]["purpose"] for one in events_of(desk, conversation, "assistant.asked")] == ["summary"]


def test_who_steps_in_for_a_bot_is_offered_a_summary(desk, model):
    words = Words("en")
    _, retire = make_bot(desk, "Bo")
    try:
        page, _, conversation = open_conversation(desk, words, "Is there a parcel?")
        page.locator("control-bar").get_by_role("button", name=words("console.control.take"), exact=True).click()
        model.answers = ["Asks for a parcel."]
        page.locator(".fd-toast:visible").get_by_role("button", name=words("console.summarise")).click()
        expect(page.locator("note-box textarea")).to_have_value("Asks for a parcel.")
        assert [one["data"]["purpose"] for one in events_of(desk, conversation, "assistant.asked")] == ["summary"]
    finally:
        retire()


def test_a_colleague_sees_a_suggestion_at_once_and_of_two_who_send_it_one_does(desk, model):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Hello?")
    other = console(desk, words, f"/c/{conversation}")
    expect(other.locator("desk-thread").get_by_text("Hello?")).to_be_visible()
    model.answers = [text("Good morning.")]
    ask(page, words, "draft")
    expect(suggestion_of(other)).to_contain_text("Good morning.")
    # The other page does not hear of it in time, and what it sends is refused: until then it reads what was there before.
    before = desk.owner.fetch(f"/api/conversations/{conversation}/suggestions")
    other.route("**/suggestions", lambda route: route.fulfill(json=before))
    suggestion_of(page).get_by_role("button", name=words("assistant.send"), exact=True).click()
    expect(page.locator("desk-thread li.message.is-ours")).to_have_count(1)
    press(other, words, "send")
    expect(suggestion_of(other).get_by_role("alert")).not_to_be_empty()
    assert len(events_of(desk, conversation, "suggestion.settled")) == 1
    other.unroute("**/suggestions")


def test_who_decides_by_keyboard_keeps_the_focus(desk, model):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "By keyboard?")
    model.answers = [text("By keyboard.")]
    ask(page, words, "draft")
    reject = suggestion_of(page).get_by_role("button", name=words("assistant.reject"), exact=True)
    held, decided = [], re.compile("/suggestions/")
    page.route(decided, lambda route: held.append(route))
    reject.press("Enter")
    wait_for(page, held)
    expect(reject).to_have_attribute("aria-disabled", "true")
    reject.press("Enter")
    held[0].fulfill(**refusal(429, "rate_limited"))
    expect(suggestion_of(page).get_by_role("alert")).not_to_be_empty()
    assert len(held) == 1, "one press, one request"
    expect(reject).to_be_focused()
    page.unroute(decided)
    page.keyboard.press("Enter")
    expect(suggestion_of(page)).to_have_count(0)
    expect(page.get_by_role("textbox", name=words("composer.text.label"), exact=True)).to_be_focused()


def test_the_page_can_be_used_while_the_model_thinks(desk, model):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Slow?")
    go_on = threading.Event()
    model.answers = [go_on, text("A late draft.")]
    ask(page, words, "draft")
    waiting = page.get_by_role("status").filter(has_text=words("assistant.asking", model=NAME))
    expect(waiting).to_be_visible()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("I write meanwhile")
    expect(field).to_have_value("I write meanwhile")
    go_on.set()
    expect(suggestion_of(page)).to_contain_text("A late draft.")
    expect(waiting).to_have_count(0)
    expect(field).to_have_value("I write meanwhile")
    press(page, words, "reject")


def test_a_summary_that_comes_late_leaves_the_keys_to_what_is_written_meanwhile(desk, model):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "A long story")
    go_on = threading.Event()
    model.answers = [go_on, "In short."]
    ask(page, words, "summarise")
    expect(page.get_by_role("status").filter(has_text=words("assistant.asking", model=NAME))).to_be_visible()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.click()
    page.keyboard.type("I write ")
    go_on.set()
    said = page.locator(".fd-toast:visible")
    expect(said).to_contain_text(words("assistant.summaryReady"))
    page.keyboard.type("meanwhile")
    expect(field).to_have_value("I write meanwhile")
    said.get_by_role("button", name=words("assistant.openNote"), exact=True).click()
    expect(page.locator("note-box textarea")).to_have_value("In short.")


def test_a_translation_stays_and_arrives_when_its_message_is_drawn_anew(desk, model):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "お茶はありますか")
    go_on = threading.Event()
    model.answers = [go_on, "Do you have tea?"]
    row = page.locator("desk-thread li.message.is-theirs").first
    row.hover()
    row.get_by_role("button", name=words("thread.translateOf", summary="お茶はありますか")).click()
    expect(row.locator(".translation")).to_have_text(words("thread.translating"))
    # The first of two is not the last of its group any more.
    customer.say("緑茶を")
    expect(page.locator("desk-thread").get_by_text("緑茶を", exact=True)).to_be_visible()
    go_on.set()
    expect(row.locator(".translation")).to_have_text("Do you have tea?")
    customer.say("三つ")
    expect(page.locator("desk-thread").get_by_text("三つ", exact=True)).to_be_visible()
    expect(row.locator(".translation")).to_have_text("Do you have tea?")


def test_a_card_is_made_in_the_conversation_for_which_it_was_wished(desk, model):
    words = Words("en")
    page, _, first = open_conversation(desk, words, "Which teas?")
    other = Customer(desk.server, live_business(desk)["id"]).say("Something else")["message"]["conversation"]
    model.answers = [text("Three teas.")]
    page.get_by_role("button", name=words("console.assistant"), exact=True).click()
    page.get_by_role("menuitem", name=words("assistant.card")).click()
    wish = page.get_by_role("dialog", name=words("assistant.cardTitle"))
    wish.locator("select").select_option("text")
    wish.locator("textarea").fill("Three teas")
    # As by a notification, or the browser's way back.
    page.evaluate("""(path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }""", f"/console/c/{other}")
    expect(page.locator("desk-thread").get_by_text("Something else", exact=True)).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/assistant/draft")):
        wish.get_by_role("button", name=words("assistant.make"), exact=True).click()
    assert [len(events_of(desk, one, "suggestion.added", count)) for one, count in ((first, 1), (other, 0))] == [1, 0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_narrow_screen(desk, model, scheme):
    words = Words("en")
    model.answers = [text("Short and good.")]
    page, _, _ = open_conversation(desk, words, "On the phone", phone=True, scheme=scheme)
    ask(page, words, "draft")
    expect(suggestion_of(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_accessible(page)
    desk.shot(page, f"assistant-narrow-{scheme}")
    press(page, words, "reject")


def test_at_two_hundred_per_cent_a_suggestion_leaves_place_for_the_box_and_for_the_form_that_edits_it(desk, model):
    words = Words("en")
    model.answers = [json.dumps(TEAS)]
    page, _, _ = open_conversation(desk, words, "Zoomed", viewport={"width": 640, "height": 400})
    page.get_by_role("button", name=words("console.assistant"), exact=True).click()
    page.get_by_role("menuitem", name=words("assistant.card")).click()
    wish = page.get_by_role("dialog", name=words("assistant.cardTitle"))
    wish.locator("textarea").fill("Three teas")
    wish.get_by_role("button", name=words("assistant.make"), exact=True).click()
    expect(suggestion_of(page)).to_be_visible()
    composer = page.locator("desk-composer")
    expect(composer.get_by_role("button", name=words("composer.send"), exact=True)).to_be_in_viewport(ratio=1)
    desk.shot(page, "assistant-zoomed")
    press(page, words, "edit")
    # What is edited is sent from the composer, and shown there alone.
    expect(suggestion_of(page).locator(".suggestion-card")).to_be_hidden()
    expect(suggestion_of(page).get_by_role("button", name=words("assistant.send"), exact=True)).to_be_hidden()
    title = composer.get_by_label(words("composer.list.title"), exact=True)
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport(ratio=1)
    desk.shot(page, "assistant-zoomed-edit")
    composer.get_by_role("button", name=words("composer.sheet.close"), exact=True).click()
    press(page, words, "reject")
    expect(suggestion_of(page)).to_have_count(0)


def test_without_a_model_nothing_is_offered(running):
    words = Words("en")
    page, _, _ = open_conversation(running, words, "No model here")
    expect(page.get_by_role("button", name=words("console.assistant"), exact=True)).to_have_count(0)
    expect(page.locator(".translate")).to_have_count(0)
    faults = running.close()
    assert not faults, faults
