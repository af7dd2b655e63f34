"""Macros are made in the settings, found by menu, key and palette, ask for their values, and can be undone."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business, member, open_conversation
from playwright.sync_api import expect
from support.words import Words


def reset(desk):
    """Without macros that are offered."""
    path = f"/api/businesses/{live_business(desk)['id']}/macros"
    for macro in desk.owner.fetch(path)["data"]:
        if not macro["retired"]:
            desk.owner.call("PATCH", f"{path}/{macro['id']}", {"retired": True})
    return path


def make(desk, path, name, actions, parameters=()):
    """A macro that all share."""
    return desk.owner.post(path, {"name": name, "shared": True, "actions": actions, "parameters": list(parameters)}, 201)


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_macro_is_made_changed_and_retired_in_the_settings(desk, language, scheme, phone):
    path = reset(desk)
    words = Words(language)
    page = console(desk, words, "/settings/macros", scheme=scheme, phone=phone)
    name = f"Sent {language} {'phone' if phone else 'wide'}"
    page.get_by_role("button", name=words("macros.new"), exact=True).click()
    panel = page.locator("macros-panel")
    panel.get_by_label(words("macros.name"), exact=True).fill(name)
    panel.get_by_role("button", name=words("macros.forAll"), exact=True).click()
    panel.get_by_role("button", name=words("rules.action.add"), exact=True).click()
    second = panel.get_by_role("group", name=words("rules.action.row", number=2), exact=True)
    second.get_by_label(words("rules.action.what"), exact=True).select_option("note")
    second.get_by_label(words("rules.action.note"), exact=True).fill("Order {{order}} for {{customer.name}}")
    panel.get_by_label(words("console.parameterFallback", name="customer.name"), exact=True).fill("a customer")
    desk.shot(page, f"settings-macro-editor-{language}")
    assert_accessible(page)
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_role("button", name=words("macros.changeOf", name=name))).to_be_visible()
    macro = next(one for one in desk.owner.fetch(path)["data"] if one["name"] == name)
    assert macro["shared"] and [one["name"] for one in macro["parameters"]] == ["order", "customer.name"]
    assert macro["actions"] == [{"assign": "me"}, {"note": "Order {{order}} for {{customer.name}}"}]
    desk.shot(page, f"settings-macros-{language}")
    assert_accessible(page)
    panel.get_by_role("button", name=words("macros.retireOf", name=name)).click()
    expect(panel.get_by_role("button", name=words("macros.restoreOf", name=name))).to_be_visible()


def test_a_macro_asks_for_what_its_template_needs_and_leaves_each_customer_their_name(desk):
    path = reset(desk)
    desk.owner.post("/api/templates", {"business": live_business(desk)["id"], "name": "late", "title": "It is late", "parameters": [
        {"name": "customer.name", "label": "customer.name", "type": "text", "required": False, "default": "dear customer"},
        {"name": "reason", "label": "Why", "type": "text", "required": True},
        {"name": "day", "label": "New day", "type": "date", "required": True},
    ], "payload": {"type": "text", "body": "Sorry, {{customer.name}}: {{reason}}. We expect it on {{day}}."}}, expect=201)
    words = Words("en")
    page = console(desk, words, "/settings/macros")
    page.get_by_role("button", name=words("macros.new"), exact=True).click()
    panel = page.locator("macros-panel")
    panel.get_by_label(words("macros.name"), exact=True).fill("Say that it is late")
    panel.get_by_label(words("rules.action.what"), exact=True).select_option("template")
    panel.get_by_label(words("rules.action.template"), exact=True).select_option(label="It is late")
    expect(panel.get_by_label("Why", exact=True)).to_have_value("{{reason}}")
    expect(panel.get_by_label("customer.name", exact=True)).to_have_count(0)
    # A value that it lacks is asked for at once, and not found missing at the run.
    panel.get_by_label("New day", exact=True).fill("")
    save = panel.get_by_role("button", name=words("shared.save"), exact=True)
    save.click()
    expect(panel.get_by_role("alert").filter(has_text=words("console.fillIn", label="New day"))).to_be_visible()
    expect(panel.get_by_label("New day", exact=True)).to_be_focused()
    page.keyboard.type("{{day}}")
    save.click()
    expect(panel.get_by_role("button", name=words("macros.changeOf", name="Say that it is late"))).to_be_visible()
    macro = next(one for one in desk.owner.fetch(path)["data"] if one["name"] == "Say that it is late")
    assert macro["actions"] == [{"template": {"name": "late", "values": {"reason": "{{reason}}", "day": "{{day}}"}}}]
    assert [(one["name"], one["label"], one["type"]) for one in macro["parameters"]] == [("reason", "Why", "text"), ("day", "New day", "date")]


def test_a_macro_that_was_being_written_is_there_again_when_its_page_is_opened_again(desk):
    reset(desk)
    words = Words("en")
    page = console(desk, words, "/settings/macros")
    page.get_by_role("button", name=words("macros.new"), exact=True).click()
    panel = page.locator("macros-panel")
    panel.get_by_label(words("macros.name"), exact=True).fill("Half a macro")
    panel.get_by_role("button", name=words("macros.forAll"), exact=True).click()
    panel.get_by_label(words("rules.action.what"), exact=True).select_option("note")
    panel.get_by_label(words("rules.action.note"), exact=True).fill("Order {{order}}")
    panel.get_by_label(words("console.template.askedAs", name="order"), exact=True).fill("Number")
    settings = page.get_by_role("navigation", name=words("console.settings"))
    settings.get_by_role("link", name=words("console.section.labels"), exact=True).click()
    expect(page.locator("labels-panel")).to_be_visible()
    settings.get_by_role("link", name=words("console.section.macros"), exact=True).click()
    expect(panel.get_by_text(words("macros.begun"))).to_be_visible()
    expect(panel.get_by_label(words("macros.name"), exact=True)).to_have_value("Half a macro")
    expect(panel.get_by_role("button", name=words("macros.forAll"), exact=True)).to_have_attribute("aria-pressed", "true")
    expect(panel.get_by_label(words("rules.action.note"), exact=True)).to_have_value("Order {{order}}")
    expect(panel.get_by_label(words("console.template.askedAs", name="order"), exact=True)).to_have_value("Number")
    panel.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    settings.get_by_role("link", name=words("console.section.labels"), exact=True).click()
    expect(page.locator("labels-panel")).to_be_visible()
    settings.get_by_role("link", name=words("console.section.macros"), exact=True).click()
    expect(page.get_by_role("button", name=words("macros.new"), exact=True)).to_be_visible()


def test_a_macro_says_of_what_is_no_day_how_a_day_is_written(desk):
    path = reset(desk)
    make(desk, path, "Comes then", [{"note": "Comes on {{day}}"}], [{"name": "day", "label": "Day", "type": "date", "required": True}])
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "When does it come?")
    page.locator("conversation-head").get_by_role("button", name=words("console.section.macros"), exact=True).click()
    page.get_by_role("option", name="Comes then").click()
    field = page.get_by_label("Day", exact=True)
    expect(field).to_be_focused()
    page.keyboard.type("tomorrow")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=words("console.snooze.noDay"))).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("12/24/2026")
    page.keyboard.press("Enter")
    expect(page.locator("desk-thread").get_by_text("Comes on 2026-12-24").or_(page.locator("desk-thread").get_by_text("December 24"))).to_be_visible()


def test_a_macro_that_names_a_retired_label_is_marked_and_says_so_where_it_is_run(desk):
    path = reset(desk)
    shop = live_business(desk)["id"]
    label = desk.owner.post(f"/api/businesses/{shop}/labels", {"name": "Retired soon", "colour": "#cc0000"}, 201)["id"]
    make(desk, path, "Labels it", [{"labels": {"add": [label]}}, {"priority": "low"}])
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "About that label")
    desk.owner.call("PATCH", f"/api/businesses/{shop}/labels/{label}", {"retired": True})
    page.locator("conversation-head").get_by_role("button", name=words("console.section.macros"), exact=True).click()
    page.get_by_role("option", name="Labels it").click()
    expect(page.get_by_text(words("macros.refused", name="Labels it", reason=words("macros.namesGone")))).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["priority"] == "none"
    page.goto(f"{desk.phone_url}/console/settings/macros")
    expect(page.locator("macros-panel li", has_text="Labels it").get_by_text(words("macros.warning"))).to_be_visible()


@pytest.mark.parametrize("key, section", [("m", "macros"), ("l", "labels")])
def test_the_way_from_a_menu_to_the_settings_leaves_no_menu_over_them(desk, key, section):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, f"A menu of {section}")
    expect(page.locator("conversation-head")).to_be_visible()
    page.locator("#view-title").click()
    page.keyboard.press(key)
    expect(page.locator(".pick-search")).to_be_focused()
    page.locator(".pick-foot").press("Enter")
    expect(page.locator(f"{section}-panel")).to_be_visible()
    expect(page.locator(".fd-popup")).to_have_count(0)
    expect(page.locator(".settings-main")).to_be_focused()


def test_a_macro_whose_template_lacks_a_value_says_which(desk):
    path = reset(desk)
    desk.owner.post("/api/templates", {"business": live_business(desk)["id"], "name": "lacking", "title": "Lacking", "parameters": [
        {"name": "order", "label": "Order", "type": "text", "required": True}, {"name": "way", "label": "Way", "type": "text", "required": True},
    ], "payload": {"type": "text", "body": "{{order}} by {{way}}"}}, expect=201)
    make(desk, path, "Lacks values", [{"template": {"name": "lacking"}}])
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "What comes how?")
    page.locator("conversation-head").get_by_role("button", name=words("console.section.macros"), exact=True).click()
    page.get_by_role("option", name="Lacks values").click()
    expect(page.get_by_text(words("macros.refused", name="Lacks values", reason=words("macros.lacking", values="order and way")))).to_be_visible()


def test_a_macro_is_run_by_keyboard_and_undone(desk):
    path = reset(desk)
    make(desk, path, "Urgent and pending", [{"priority": "urgent"}, {"state": "pending"}])
    make(desk, path, "Something else", [{"state": "closed"}])
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "By keyboard, please")
    expect(page.locator("conversation-head")).to_be_visible()
    page.locator("#view-title").click()
    page.keyboard.press("m")
    search = page.get_by_role("combobox", name=words("macros.find"))
    expect(search).to_be_focused()
    page.keyboard.type("urg")
    expect(page.get_by_role("option")).to_have_count(1)
    desk.shot(page, "macro-menu")
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("macros.done", name="Urgent and pending"))).to_be_visible()
    now = desk.owner.fetch(f"/api/conversations/{conversation}")
    assert (now["priority"], now["state"]) == ("urgent", "pending")
    page.keyboard.press("u")
    expect(page.locator(".view-meta")).to_contain_text(words("console.state.open"))
    now = desk.owner.fetch(f"/api/conversations/{conversation}")
    assert (now["priority"], now["state"]) == ("none", "open")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_macro_that_closes_and_notes_is_undone_but_for_its_note(desk, language):
    path = reset(desk)
    make(desk, path, "Rung back", [{"note": "Rang back, all is well"}, {"state": "closed"}])
    words = Words(language)
    page, _, conversation = open_conversation(desk, words, f"Ring me back ({language})")
    page.locator("conversation-head").get_by_role("button", name=words("console.section.macros"), exact=True).click()
    page.get_by_role("option", name="Rung back").click()
    expect(page.get_by_text(words("macros.doneNoted", name="Rung back"))).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "closed"
    desk.shot(page, f"macro-undo-note-{language}")
    page.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(page.locator(".view-meta")).to_contain_text(words("console.state.open"))
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["state"] == "open"
    expect(page.locator("desk-thread").get_by_text("Rang back, all is well")).to_be_visible()


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_macro_asks_for_its_values_and_its_note_is_in_the_thread(desk, language, scheme, phone):
    path = reset(desk)
    make(desk, path, "Order", [{"note": "Order {{order}} comes by {{way}}"}], [
        {"name": "order", "label": "Number of the order", "type": "text", "required": True},
        {"name": "way", "label": "Way", "type": "choice", "choices": ["ship", "train"], "required": True}])
    words = Words(language)
    page, _, _ = open_conversation(
        desk, words, f"Values, please, {language} {phone}", scheme=scheme, phone=phone)
    if phone:
        page.get_by_role("button", name=words("console.head.more")).click()
        page.get_by_role("menuitem", name=words("console.section.macros"), exact=True).click()
    else:
        page.locator("conversation-head").get_by_role("button", name=words("console.section.macros"), exact=True).click()
    page.get_by_role("option", name="Order").click()
    field = page.get_by_label("Number of the order", exact=True)
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=words("console.fillIn", label="Number of the order"))).to_be_visible()
    field.fill("4711")
    page.get_by_label("Way", exact=True).select_option("train")
    desk.shot(page, f"macro-values-{language}")
    assert_accessible(page)
    page.get_by_role("button", name=words("macros.run"), exact=True).click()
    expect(page.locator("desk-thread").get_by_text("Order 4711 comes by train")).to_be_visible()


def test_a_macro_calls_a_contact_by_name_and_not_by_what_stands_for_unknown_ones(desk):
    path = reset(desk)
    macro = make(desk, path, "Greeted", [{"note": "Greeted {{customer.name}}, {{agent.name}}"}], [
        {"name": name, "type": "text", "required": False, "default": fallback}
        for name, fallback in (("customer.name", "somebody"), ("agent.name", "somebody else"))])
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Do you know my name here?")
    shown = desk.owner.fetch(f"/api/conversations/{conversation}")
    desk.owner.call("PATCH", f"/api/businesses/{shown['business']}/contacts/{shown['contact']['id']}", {"name": "Mika Tanaka"})
    expect(page.locator("conversation-head").get_by_text("Mika Tanaka")).to_be_visible()
    page.locator("conversation-head").get_by_role("button", name=words("console.section.macros"), exact=True).click()
    page.get_by_role("option", name=macro["name"]).click()
    expect(page.get_by_label("customer.name", exact=True)).to_have_value("Mika Tanaka")
    page.get_by_role("button", name=words("macros.run"), exact=True).click()
    expect(page.locator("desk-thread").get_by_text("Greeted Mika Tanaka, Ada")).to_be_visible()


def test_the_palette_runs_a_macro(desk):
    path = reset(desk)
    make(desk, path, "Low and mine", [{"priority": "low"}, {"assign": "me"}])
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "From the palette, please")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name=words("console.palette"), exact=True).fill("low and mine")
    expect(page.get_by_role("option", name=re.compile("Low and mine"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("macros.done", name="Low and mine"))).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{conversation}")["priority"] == "low"


def test_an_agent_makes_macros_of_their_own_and_leaves_shared_ones_as_they_are(desk):
    path = reset(desk)
    make(desk, path, "Everybody's", [{"state": "closed"}])
    agent = member(desk, "Macromaker")
    words = Words("en")
    page = console(desk, words, "/settings/macros", session=agent)
    panel = page.locator("macros-panel")
    expect(panel.get_by_text("Everybody's", exact=True)).to_be_visible()
    expect(panel.get_by_role("button", name=words("macros.changeOf", name="Everybody's"))).to_have_count(0)
    page.get_by_role("button", name=words("macros.new"), exact=True).click()
    expect(panel.get_by_role("button", name=words("macros.forAll"), exact=True)).to_have_count(0)
    panel.get_by_label(words("macros.name"), exact=True).fill("My own")
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_role("button", name=words("macros.changeOf", name="My own"))).to_be_visible()
    assert "My own" not in [one["name"] for one in desk.owner.fetch(path)["data"]]
