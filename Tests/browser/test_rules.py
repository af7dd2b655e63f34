"""Owners make rules in sentences, try them on the past, and read what they did and why."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business, member, refusal, wait_for
from playwright.sync_api import expect
from support.server import Customer
from support.waiting import until
from support.words import Words


def reset(desk):
    """Without rules."""
    path = f"/api/businesses/{live_business(desk)['id']}/rules"
    for rule in desk.owner.fetch(path)["data"]:
        desk.owner.call("DELETE", f"{path}/{rule['id']}", expect=204)
    return path


def make_label(desk, name):
    """A label of the live business."""
    return desk.owner.post(f"/api/businesses/{live_business(desk)['id']}/labels", {"name": name, "colour": "#cc0000"}, 201)["id"]


def open_rules(desk, language, session=None, **look):
    """The page of rules."""
    words = Words(language)
    page = console(desk, words, "/settings/rules", session=session, **look)
    expect(page.get_by_role("heading", name=words("rules.title"), exact=True, level=1)).to_be_visible()
    return words, page


def type_in(page, text):
    """Types into what has the focus."""
    page.keyboard.type(text)


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_rule_is_written_tried_and_acts_and_the_log_says_why(desk, language, scheme, phone):
    path = reset(desk)
    label = make_label(desk, f"Refund {language}")
    customer = Customer(desk.server, live_business(desk)["id"])
    conversation = customer.say(f"A REFUND please, {language}")["message"]["conversation"]
    words, page = open_rules(desk, language, scheme=scheme, phone=phone)
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    expect(editor.get_by_label(words("rules.name"), exact=True)).to_be_focused()
    type_in(page, f"Refunds {language}")
    editor.get_by_role("button", name=words("rules.condition.add"), exact=True).click()
    condition = editor.get_by_role("group", name=words("rules.condition.row", number=1), exact=True)
    condition.get_by_label(words("rules.condition.what"), exact=True).select_option("text")
    condition.get_by_label(words("rules.condition.text"), exact=True).fill(f"refund please, {language}")
    # What is typed is one phrase: who writes several with commas would wait in vain.
    expect(condition.get_by_label(words("rules.condition.text"), exact=True)).to_have_accessible_description(words("rules.textHelp"))
    action = editor.get_by_role("group", name=words("rules.action.row", number=1), exact=True)
    action.get_by_label(words("rules.action.what"), exact=True).select_option("addLabel")
    action.get_by_label(words("rules.action.addLabel"), exact=True).select_option(label=f"Refund {language}")
    editor.get_by_role("button", name=words("rules.try"), exact=True).click()
    expect(editor.get_by_role("heading", name=words("rules.outcome"), exact=True)).to_be_visible()
    expect(editor.locator(".rule-outcome li")).to_have_count(1)
    desk.shot(page, f"settings-rule-editor-{language}")
    assert_accessible(page)
    assert desk.owner.fetch(path)["data"] == []
    editor.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_role("switch", name=words("rules.onOf", name=f"Refunds {language}"))).to_be_focused()
    rule = desk.owner.fetch(path)["data"][0]
    assert rule["then"] == [{"labels": {"add": [label]}}]
    if language == "en":
        expect(page.locator(".rule-item p").first).to_have_text("When a customer writes, if message contains “refund please, en”: add the label: “Refund en”.")
    customer.say(f"Where is it? refund please, {language}")
    until(lambda: desk.owner.fetch(f"{path}/log")["data"], bool)
    page.reload()
    log = page.locator("rule-log li").filter(has_text=f"Refunds {language}")
    expect(log.get_by_text(words("rules.outcome.done"), exact=True)).to_be_visible()
    # Whose conversation it was is seen without opening each.
    expect(log.locator("summary .rule-log-who")).to_be_visible()
    log.locator("summary").first.click()
    known = desk.owner.fetch(f"/api/conversations/{conversation}")["customer"]["id"]
    tail = re.sub(r"[^A-Za-z0-9]", "", known)[-4:].upper()
    expect(log.locator("details a")).to_have_text(words("shared.customerName", tail=tail))
    desk.shot(page, f"settings-rules-{language}")
    assert_accessible(page)
    log.locator("details a").click()
    page.wait_for_url(f"**/c/{conversation}")
    expect(page.locator("desk-thread").get_by_text(words("thread.event.rule", name=f"Refunds {language}"))).to_be_visible()
    desk.shot(page, f"thread-rule-{language}")
    reset(desk)


def test_a_rule_that_would_never_end_and_one_without_actions_are_refused_in_a_sentence(desk):
    path = reset(desk)
    words, page = open_rules(desk, "en")
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    editor.get_by_label(words("rules.name"), exact=True).fill("For ever")
    editor.get_by_label(words("rules.when"), exact=True).select_option("snoozeEnded")
    action = editor.get_by_role("group", name=words("rules.action.row", number=1), exact=True)
    action.get_by_label(words("rules.action.what"), exact=True).select_option("snooze")
    action.get_by_label(words("rules.action.snooze"), exact=True).select_option(label=words("rules.sleep.minutes", count=15))
    save = editor.get_by_role("button", name=words("shared.save"), exact=True)
    save.click()
    expect(editor.get_by_text(words("rules.fault.loop"))).to_be_visible()
    action.get_by_role("button", name=words("rules.removeRow", number=1)).click()
    save.click()
    expect(editor.get_by_role("alert").filter(has_text=words("rules.noActions"))).to_be_visible()
    assert desk.owner.fetch(path)["data"] == []


def test_a_condition_without_its_words_is_asked_for_and_its_mark_goes_once_it_has_them(desk):
    path = reset(desk)
    words, page = open_rules(desk, "en")
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    editor.get_by_label(words("rules.name"), exact=True).fill("Refunds")
    editor.get_by_role("button", name=words("rules.condition.add"), exact=True).click()
    editor.get_by_label(words("rules.condition.what"), exact=True).select_option("text")
    editor.get_by_role("button", name=words("shared.save"), exact=True).click()
    field = editor.get_by_label(words("rules.condition.text"), exact=True)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    alert = editor.get_by_role("alert").filter(has_text=words("console.fillIn", label=words("rules.condition.text")))
    expect(alert).to_be_visible()
    type_in(page, "refund")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(alert).to_have_count(0)
    assert desk.owner.fetch(path)["data"] == []


def test_a_rule_asks_for_the_values_of_its_template_and_offers_none_that_names_an_agent(desk):
    path = reset(desk)
    business = live_business(desk)["id"]
    for name, title, body, parameters in [
            ("named", "Names the agent", "I am {{agent.name}}", []),
            ("sent", "Is sent", "{{order}} is sent, {{customer.name}}", [
                {"name": "order", "label": "Number", "type": "text", "required": True},
                {"name": "customer.name", "label": "customer.name", "type": "text", "required": False, "default": "dear customer"}])]:
        desk.owner.post("/api/templates", {
            "business": business, "name": name, "title": title, "parameters": parameters, "payload": {"type": "text", "body": body}}, expect=201)
    words, page = open_rules(desk, "en")
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    editor.get_by_label(words("rules.name"), exact=True).fill("Says that it is sent")
    editor.get_by_label(words("rules.action.what"), exact=True).select_option("template")
    choice = editor.get_by_label(words("rules.action.template"), exact=True)
    named = choice.locator("option", has_text=words("rules.asksFor", title="Names the agent", values="agent.name"))
    expect(named).to_be_disabled()
    choice.select_option(label="Is sent")
    # The customer's own name is left to the server.
    expect(editor.get_by_label("customer.name", exact=True)).to_have_count(0)
    editor.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(editor.get_by_role("alert").filter(has_text=words("console.fillIn", label="Number"))).to_be_visible()
    expect(editor.get_by_label("Number", exact=True)).to_be_focused()
    type_in(page, "A-17")
    editor.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_role("switch", name=words("rules.onOf", name="Says that it is sent"))).to_be_focused()
    assert desk.owner.fetch(path)["data"][0]["then"] == [{"template": {"name": "sent", "values": {"order": "A-17"}}}]
    reset(desk)


def test_a_rule_of_a_business_without_labels_says_where_they_are_made(desk):
    words, page = open_rules(desk, "en")
    shop = desk.owner.post("/api/businesses", {"name": "Without labels"}, expect=201)
    page.reload()
    page.locator("#rules-business").select_option(shop["id"])
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    editor.get_by_label(words("rules.action.what"), exact=True).select_option("addLabel")
    expect(editor.get_by_text(words("rules.nothing.label"))).to_be_visible()


def test_a_rule_that_was_being_written_is_there_again_after_its_labels_were_made(desk):
    words, page = open_rules(desk, "en")
    shop = desk.owner.post("/api/businesses", {"name": "Half-written rules"}, expect=201)
    page.reload()
    page.locator("#rules-business").select_option(shop["id"])
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    editor.get_by_label(words("rules.name"), exact=True).fill("Teas")
    editor.get_by_role("button", name=words("rules.condition.add"), exact=True).click()
    editor.get_by_label(words("rules.condition.what"), exact=True).select_option("text")
    editor.get_by_label(words("rules.condition.text"), exact=True).fill("tea")
    editor.get_by_label(words("rules.action.what"), exact=True).select_option("addLabel")
    settings = page.get_by_role("navigation", name=words("console.settings"))
    settings.get_by_role("link", name=words("console.section.labels"), exact=True).click()
    page.locator("#labels-name").fill("Tea")
    page.keyboard.press("Enter")
    expect(page.locator("labels-panel li")).to_have_count(1)
    settings.get_by_role("link", name=words("console.section.rules"), exact=True).click()
    expect(editor.get_by_text(words("rules.begun"))).to_be_visible()
    expect(editor.get_by_label(words("rules.name"), exact=True)).to_have_value("Teas")
    expect(editor.get_by_label(words("rules.condition.text"), exact=True)).to_have_value("tea")
    expect(editor.get_by_label(words("rules.action.addLabel"), exact=True).locator("option:checked")).to_have_text("Tea")
    # What is saved, or given up, does not come again.
    editor.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_role("switch", name=words("rules.onOf", name="Teas"))).to_be_focused()
    settings.get_by_role("link", name=words("console.section.labels"), exact=True).click()
    settings.get_by_role("link", name=words("console.section.rules"), exact=True).click()
    expect(page.locator(".rule-item h3")).to_have_text(["Teas"])
    expect(editor).to_have_count(0)


def test_what_rules_do_appears_while_the_page_is_open_and_a_refusal_says_what_to_change(desk):
    path = reset(desk)
    gone = member(desk, "Gone")
    desk.owner.post(path, {"name": "To who is gone", "when": "customerMessage", "if": [{"text": "stays on screen"}], "then": [{"assign": gone.member}]}, 201)
    desk.owner.call("DELETE", f"/api/businesses/{live_business(desk)['id']}/members/{gone.member}", expect=204)
    words, page = open_rules(desk, "en")
    expect(page.locator("rule-log").get_by_role("heading")).to_be_visible()
    expect(page.locator(".rule-warning")).to_have_css("color", page.locator("rules-panel").evaluate(
        "(panel) => { const one = panel.appendChild(document.createElement('p')); one.className = 'fd-error'; "
        "const { color } = getComputedStyle(one); one.remove(); return color; }"))
    Customer(desk.server, live_business(desk)["id"]).say("It stays on screen")
    row = page.locator("rule-log li").filter(has_text="To who is gone").first
    expect(row.get_by_text(words("rules.outcome.refused"), exact=True)).to_be_visible()
    row.locator("summary").click()
    expect(row.get_by_text(words("rules.namesGone"))).to_be_visible()
    reset(desk)


def test_rules_are_ordered_switched_off_and_removed_by_keyboard(desk):
    path = reset(desk)
    for place, name in enumerate(["One", "Two"]):
        desk.owner.post(path, {"name": name, "when": "closed", "if": [], "then": [{"priority": "low"}], "order": 10 * (place + 1)}, 201)
    words, page = open_rules(desk, "en")
    page.get_by_role("button", name=words("rules.down", name="One")).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".rule-item h3")).to_have_text(["Two", "One"])
    expect(page.get_by_role("button", name=words("rules.up", name="One"))).to_be_focused()
    switch = page.get_by_role("switch", name=words("rules.onOf", name="Two"))
    switch.focus()
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    assert [(one["name"], one["on"]) for one in desk.owner.fetch(path)["data"]] == [("Two", False), ("One", True)]
    page.get_by_role("button", name=words("rules.removeOf", name="One")).focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=words("console.remove"), exact=True).press("Enter")
    expect(page.locator(".rule-item h3")).to_have_text(["Two"])
    reset(desk)


def test_a_switch_pressed_again_before_the_first_answer_ends_as_it_was_left(desk):
    path = reset(desk)
    desk.owner.post(path, {"name": "Twice", "when": "closed", "if": [], "then": [{"priority": "low"}]}, 201)
    words, page = open_rules(desk, "en")
    held = []
    page.route(re.compile("/rules/"), lambda route: held.append(route) if route.request.method == "PUT" else route.continue_())
    switch = page.get_by_role("switch", name=words("rules.onOf", name="Twice"))

    def answer():
        wait_for(page, held)
        with page.expect_response(lambda one: one.request.method == "PUT"):
            held.pop().continue_()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    switch.focus()
    page.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    # The second press begins before the first is answered and ends after it.
    page.keyboard.down("Space")
    answer()
    page.keyboard.up("Space")
    expect(switch).to_be_checked()
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    for _ in range(3):
        answer()
        expect(switch).to_be_checked()
    expect(switch).to_be_focused()
    assert desk.owner.fetch(path)["data"][0]["on"] is True
    reset(desk)


def test_a_rule_whose_label_was_retired_shows_a_warning_and_can_be_switched_off(desk):
    path = reset(desk)
    label = make_label(desk, "Old one")
    desk.owner.post(path, {"name": "Old", "when": "closed", "if": [], "then": [{"labels": {"add": [label]}}]}, 201)
    desk.owner.call("PATCH", f"/api/businesses/{live_business(desk)['id']}/labels/{label}", {"retired": True})
    words, page = open_rules(desk, "en")
    expect(page.get_by_text(words("rules.warning", count=1))).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.status == 200):
        page.get_by_role("switch", name=words("rules.onOf", name="Old")).click()
    reset(desk)


def test_an_agent_reads_who_makes_rules(desk):
    agent = member(desk, "Rulesreader")
    words, page = open_rules(desk, "en", session=agent)
    expect(page.get_by_text(words("rules.onlyOwners"))).to_be_visible()
    expect(page.get_by_role("button", name=words("rules.new"), exact=True)).to_have_count(0)


def test_a_rule_that_another_owner_makes_is_on_the_open_page_and_one_may_wait_for_a_broken_promise(desk):
    path = reset(desk)
    words, page = open_rules(desk, "ja")
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    made = desk.owner.post(path, {"name": "Late", "when": "firstAnswerOverdue", "if": [], "then": [{"priority": "urgent"}]}, 201)
    row = page.locator(f"[data-rule='{made['id']}']")
    expect(row).to_contain_text(words("rules.when.firstAnswerOverdue"))
    desk.owner.call("DELETE", f"{path}/{made['id']}", expect=204)
    expect(row).to_have_count(0)


def test_the_log_reads_a_page_once_and_keeps_what_is_there_when_the_next_one_does_not_come(desk):
    reset(desk)

    def entry(number):
        some = f"019ad2f0-7b31-7c4e-9a51-3f0e8d2b6a{number}0"
        return {"number": number, "rule": {"id": some, "name": f"Rule {number}"}, "outcome": "done", "when": "customerMessage", "event": some,
                "reason": {"if": [], "found": [], "then": [], "results": None, "code": None, "detail": None},
                "conversation": {"id": some, "name": "Ada", "customer": "urn:mbid:ada"}, "time": "2026-11-20T09:15:32.480Z"}
    words, page = open_rules(desk, "en", scheme="light")
    asked, held = [], []
    log = re.compile("/rules/log")

    def answer(route):
        asked.append(route.request.url)
        if "after" in route.request.url:
            held.append(route)
        else:
            route.fulfill(json={"data": [entry(2)], "hasMore": True, "next": "1", "previous": None})
    page.route(log, answer)
    page.reload()
    rows = page.locator("rule-log li")
    expect(rows).to_have_count(1)
    rows.locator("summary").press("Enter")
    more = page.locator("rule-log").get_by_role("button", name=words("console.more"), exact=True)
    more.press("Enter")
    more.press("Enter")
    wait_for(page, held)
    held[0].fulfill(**refusal(404, "not_found"))
    expect(page.locator("rule-log").get_by_role("alert")).not_to_be_empty()
    expect(rows.locator("details")).to_have_attribute("open", "")
    expect(more).to_be_focused()
    assert len(asked) == 2
    held.clear()
    more.press("Enter")
    wait_for(page, held)
    held[0].fulfill(json={"data": [entry(1)], "hasMore": False, "next": None, "previous": "2"})
    expect(rows).to_have_count(2)
    expect(page.locator("rule-log [role=alert]")).to_be_empty()
    expect(rows.nth(1).locator("summary")).to_be_focused()
