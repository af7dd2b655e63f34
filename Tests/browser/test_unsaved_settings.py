"""What is half filled in the settings is not lost without a question: by another business, another page, or a change beside it."""

import pytest
from looks import assert_accessible
from pages import console, member
from playwright.sync_api import expect
from support.words import Words
from test_labels import LOOKS, ready

# A page of settings, a field of its form, and what is put into it.
FORMS = [
    ("levels", "levels", "#levels-warning", "17"), ("satisfaction", "satisfaction", "#satisfaction-delay", "17"),
    ("widget", "widget", "#widget-origins", "https://half.example"), ("hours", "hours", "#answer-minutes", "17"),
    ("assignment", "assignment", "[data-part=people] input", "17"), ("gateway", "gateway", "#gateway-provider ~ form input", "https://half.example"),
]


@pytest.fixture
def shops(desk):
    """Two businesses of the test's own."""
    made = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201) for name in ("Half filled", "Looked at")]
    return [one["id"] for one in made]


def question(page, words):
    """The question that is open."""
    expect(page.get_by_role("dialog")).to_have_accessible_name(words("console.unsaved"))
    return page.get_by_role("dialog")


def stay(page, words):
    """Goes back to what is half filled."""
    question(page, words).get_by_role("button", name=words("shared.cancel"), exact=True).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def leave(page, words):
    """Gives up what is half filled."""
    question(page, words).get_by_role("button", name=words("console.unsaved.leave"), exact=True).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("section, prefix, field, value", FORMS, ids=[one[0] for one in FORMS])
def test_another_business_is_chosen_over_a_half_filled_form_after_a_question_alone(desk, shops, section, prefix, field, value):
    words = Words("en")
    page = ready(console(desk, words, f"/settings/{section}"))
    choice = page.locator(f"#{prefix}-business")
    choice.select_option(shops[0])
    half = page.locator(field).first
    expect(half).to_be_attached()
    before = half.input_value()
    # Who only looked at a field is asked nothing.
    half.focus()
    choice.select_option(shops[1])
    expect(half).to_be_attached()
    expect(page.get_by_role("dialog")).to_have_count(0)
    half.fill(value)
    choice.focus()
    choice.select_option(shops[0])
    stay(page, words)
    expect(choice).to_have_value(shops[1])
    expect(choice).to_be_focused()
    expect(half).to_have_value(value)
    choice.select_option(shops[0])
    leave(page, words)
    expect(choice).to_have_value(shops[0])
    expect(half).to_have_value(before)
    # What was given up is asked about no more.
    choice.select_option(shops[1])
    expect(half).to_have_value(before)
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_the_page_is_left_by_a_link_a_key_or_a_step_back_after_a_question(desk, shops, language, scheme, phone):
    words = Words(language)
    page = ready(console(desk, words, "/settings/labels", scheme=scheme, phone=phone))

    def open_part(part):
        # In one column the list of the parts is a page of its own.
        if phone:
            page.get_by_role("link", name=words("console.settings.all"), exact=True).click()
        page.get_by_role("link", name=words(f"console.section.{part}"), exact=True).click()
    open_part("levels")
    page.locator("#levels-business").select_option(shops[0])
    warning = page.locator("#levels-warning")
    warning.fill("17")
    page.get_by_role("link", name=words("console.settings.all" if phone else "console.section.audit"), exact=True).click()
    expect(question(page, words)).to_be_visible()
    assert_accessible(page)
    desk.shot(page, f"unsaved-question-{language}-{scheme}")
    stay(page, words)
    expect(warning).to_have_value("17")
    page.go_back()
    stay(page, words)
    expect(warning).to_have_value("17")
    assert page.url.endswith("/settings/levels")
    page.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_text(words("levels.saved"))).to_be_visible()
    # What is saved is not asked about.
    page.keyboard.press("Escape")
    open_part("labels")
    expect(page.locator("labels-panel")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    for _ in range(2 if phone else 1):
        page.go_back()
    warning.fill("18")
    page.go_back()
    leave(page, words)
    expect(page.locator(".settings-nav" if phone else "labels-panel")).to_be_visible()


def test_a_label_or_an_attribute_that_is_half_typed_goes_along_to_another_business(desk, shops):
    words = Words("en")
    page = ready(console(desk, words, "/settings/labels"))
    choice, name = page.locator("#labels-business"), page.locator("#labels-name")
    choice.select_option(shops[0])
    name.fill("For the other one")
    choice.select_option(shops[1])
    expect(name).to_have_value("For the other one")
    name.press("Enter")
    expect(name).to_have_value("")
    assert [len(desk.owner.fetch(f"/api/businesses/{one}/labels")["data"]) for one in shops] == [0, 1]
    choice.select_option(shops[0])
    expect(name).to_have_value("")
    page.get_by_role("link", name=words("console.section.attributes"), exact=True).click()
    choice, name = page.locator("#attributes-business"), page.locator("#attribute-name")
    name.fill("Order number")
    page.locator("#attribute-type").select_option("number")
    choice.select_option(shops[1])
    expect(name).to_have_value("Order number")
    expect(page.locator("#attribute-type")).to_have_value("number")
    expect(page.locator("#attribute-key")).not_to_have_value("")
    # The key still follows the name.
    name.fill("Size")
    expect(page.locator("#attribute-key")).to_have_value("size")
    name.press("Enter")
    expect(name).to_have_value("")
    assert [len(desk.owner.fetch(f"/api/businesses/{one}/attributes")["data"]) for one in shops] == [0, 1]


def test_a_rule_of_assignment_that_is_being_changed_stays_while_another_one_is_saved(desk, shops):
    words = Words("en")
    page = ready(console(desk, words, "/settings/assignment"))
    page.locator("#assignment-business").select_option(shops[0])
    own = page.locator("[data-part=people] input").first
    own.fill("7")
    queue = page.locator(f"[data-part='/api/businesses/{shops[0]}/assignment']")
    queue.locator("input[value=least_busy], input[type=radio]").last.check()
    queue.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(queue.get_by_role("button", name=words("shared.save"), exact=True)).to_be_focused()
    expect(own).to_have_value("7")
    page.locator("[data-part=people]").get_by_role("button", name=words("shared.save"), exact=True).click()
    page.wait_for_function("() => !document.querySelector('[aria-disabled=true]')")
    assert [one["ownCapacity"] for one in desk.owner.fetch(f"/api/businesses/{shops[0]}/assignment")["members"]] == [7]


def test_automatic_answers_that_are_being_chosen_stay_while_the_hours_are_saved(desk, shops):
    words = Words("en")
    page = ready(console(desk, words, "/settings/hours"))
    page.locator("#hours-business").select_option(shops[0])
    minutes = page.locator("#answer-minutes")
    minutes.fill("17")
    page.get_by_role("button", name=words("hours.set"), exact=True).click()
    page.locator("#hours-zone").fill("Asia/Tokyo")
    page.locator("#hours-zone").press("Enter")
    expect(page.get_by_text(words("hours.saved"))).to_be_visible()
    expect(page.get_by_role("button", name=words("hours.remove"), exact=True)).to_be_visible()
    expect(minutes).to_have_value("17")


def test_a_template_that_is_half_written_is_left_after_a_question(desk, shops):
    words = Words("en")
    desk.owner.post("/api/templates", {"business": shops[0], "name": "known", "title": "Known", "description": "", "parameters": [],
                                       "payload": {"type": "text", "body": "Known words"}}, expect=201)
    page = ready(console(desk, words, "/templates"))
    choice, title = page.locator("#template-business"), page.locator("#template-title")
    choice.select_option(shops[0])
    row = page.locator(".nav-row", has_text="Known")
    expect(row).to_be_visible()
    title.fill("Half")
    row.click()
    stay(page, words)
    expect(title).to_have_value("Half")
    choice.select_option(shops[1])
    stay(page, words)
    expect(choice).to_have_value(shops[0])
    row.click()
    leave(page, words)
    expect(title).to_have_value("Known")
    # Who looks at its text without a change goes on as before.
    page.locator("template-form textarea").first.click()
    page.get_by_role("button", name=words("console.newTemplate"), exact=True).click()
    expect(title).to_have_value("")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_comment_on_a_request_stays_while_another_request_comes(desk, shops):
    words = Words("en")
    path = f"/api/businesses/{shops[0]}"
    other = member(desk, "Comment", "owner", shops[0])
    desk.owner.call("PUT", f"{path}/approval-rules", {"areas": ["erasures"]})
    page = ready(console(desk, words, "/settings/approvals"))
    page.locator("#approvals-business").select_option(shops[0])
    items = page.get_by_role("group", name=words("approvals.waiting"), exact=True).get_by_role("listitem")
    for count, days in ((1, 90), (2, 91)):
        other.call("PUT", f"{path}/retention", {"days": days}, expect=403)
        expect(items.filter(has=page.get_by_role("textbox"))).to_have_count(count)
        if count == 1:
            items.get_by_role("textbox").fill("Ninety is")
            page.locator("#approvals-business").focus()
    first = items.filter(has_text="90").get_by_role("textbox")
    expect(first).to_have_value("Ninety is")
    # Nor is it lost by a change of what is guarded.
    page.get_by_label(words("approvals.area.exports"), exact=True).check()
    page.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_text(words("approvals.saved"), exact=True)).to_be_visible()
    expect(first).to_have_value("Ninety is")
