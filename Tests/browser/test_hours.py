"""Owners set when a business answers and what is answered by itself; a fault is a sentence at its field."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.waiting import until
from support.words import Words


def open_hours(desk, language, session=None, **look):
    words = Words(language)
    page = console(desk, words, "/settings/hours", session=session, **look)
    expect(page.get_by_role("heading", name=words("console.section.hours"), exact=True, level=1)).to_be_visible()
    return words, page


def reset(desk):
    """Without hours and without answers."""
    business = f"/api/businesses/{live_business(desk)['id']}"
    desk.owner.call("DELETE", f"{business}/hours")
    desk.owner.call("PUT", f"{business}/automatic-answers", {})
    return business


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_an_owner_sets_hours_and_learns_of_a_fault_where_it_is(desk, language, scheme, phone):
    business = reset(desk)
    words, page = open_hours(desk, language, scheme=scheme, phone=phone)
    expect(page.get_by_text(words("hours.now.always"), exact=True)).to_be_visible()
    page.get_by_role("button", name=words("hours.set")).click()
    # Proposed are the clocks of the browser.
    expect(page.get_by_label(words("hours.timeZone"), exact=True)).to_have_value("Europe/Berlin")
    monday = words("hours.monday")
    until = page.get_by_label(words("hours.to", day=monday, number=1), exact=True)
    until.fill("08:00")
    save = page.locator("hours-panel form").first.get_by_role("button", name=words("shared.save"), exact=True)
    save.click()
    expect(page.get_by_role("alert").filter(has_text=words("hours.fault.ends", day=monday))).to_be_visible()
    expect(until).to_be_focused()
    expect(until).to_have_attribute("aria-invalid", "true")
    until.fill("12:00")
    page.get_by_role("button", name=words("hours.addTo", day=monday)).click()
    page.get_by_label(words("hours.from", day=monday, number=2), exact=True).fill("11:00")
    page.get_by_label(words("hours.to", day=monday, number=2), exact=True).fill("18:00")
    save.click()
    expect(page.get_by_role("alert").filter(has_text=words("hours.fault.overlaps", day=monday))).to_be_visible()
    page.get_by_label(words("hours.from", day=monday, number=2), exact=True).fill("13:00")
    # The end of the day, typed in either way, is shown as one.
    night = page.get_by_label(words("hours.to", day=monday, number=2), exact=True)
    for typed in ("00:00", "24:00"):
        night.fill(typed)
        night.blur()
        expect(night).to_have_value("24:00")
    night.fill("18:00")
    page.get_by_role("button", name=words("hours.same")).click()
    page.get_by_label(words("hours.timeZone"), exact=True).fill("Europe/Atlantis")
    save.click()
    expect(page.get_by_role("alert").filter(has_text="Europe/Atlantis")).to_be_visible()
    page.get_by_label(words("hours.timeZone"), exact=True).fill("Asia/Tokyo")
    page.get_by_role("button", name=words("hours.addHoliday")).click()
    save.click()
    expect(page.get_by_role("alert").filter(has_text=words("hours.fault.date"))).to_be_visible()
    page.get_by_label(words("hours.removeHoliday", number=1)).click()
    # What was said about the holiday goes with it.
    expect(page.locator("hours-panel form").first.locator(".fd-error")).to_be_empty()
    desk.shot(page, f"settings-hours-{language}")
    assert_accessible(page)
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/hours")):
        save.click()
    expect(page.get_by_role("button", name=words("hours.remove"))).to_be_visible()
    stored = desk.owner.fetch(f"{business}/hours")["hours"]
    day = [{"from": "09:00", "to": "12:00"}, {"from": "13:00", "to": "18:00"}]
    assert stored["timeZone"] == "Asia/Tokyo"
    assert [stored["week"][name] for name in ("monday", "tuesday", "friday", "saturday")] == [day, day, day, []]
    page.get_by_role("button", name=words("hours.remove")).click()
    page.get_by_role("dialog").get_by_role("button", name=words("hours.remove")).click()
    expect(page.get_by_role("button", name=words("hours.set"))).to_be_visible()
    assert desk.owner.fetch(f"{business}/hours")["hours"] is None


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_team_answers_as_the_business_or_at_hours_of_its_own(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Hours of teams {language}"}, expect=201)
    business = f"/api/businesses/{shop['id']}"
    team = desk.owner.post(f"{business}/teams", {"name": "Night shift", "colour": "#46a758"}, expect=201)["id"]
    desk.owner.call("PUT", f"{business}/hours", {
        "timeZone": "Asia/Tokyo", "week": {"monday": [{"from": "10:00", "to": "15:00"}]}})
    _, page = open_hours(desk, language, scheme=scheme, phone=phone)
    page.locator("#hours-business").select_option(shop["id"])
    page.locator("#hours-of").select_option(team)
    expect(page.locator("#hours-of")).to_be_focused()
    expect(page.get_by_text(words("hours.asBusinessNow"))).to_be_visible()
    own = page.get_by_role("button", name=words("hours.own"), exact=True)
    own.press("Enter")
    # They begin as those of the business.
    until = page.get_by_label(words("hours.to", day=words("hours.monday"), number=1), exact=True)
    expect(until).to_have_value(re.compile("15:00|3:00 PM", re.I))
    until.fill("23:00")
    desk.shot(page, f"hours-team-{language}")
    assert_accessible(page)
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/teams/" in answer.url):
        page.get_by_role("button", name=words("shared.save"), exact=True).click()
    assert desk.owner.fetch(f"{business}/teams/{team}/hours")["hours"]["week"]["monday"] == [{"from": "10:00", "to": "23:00"}]
    assert desk.owner.fetch(f"{business}/hours")["hours"]["week"]["monday"] == [{"from": "10:00", "to": "15:00"}]
    page.reload()
    page.locator("#hours-business").select_option(shop["id"])
    page.locator("#hours-of").select_option(team)
    expect(own).to_have_attribute("aria-pressed", "true")
    as_business = page.get_by_role("button", name=words("hours.asBusiness"), exact=True)
    dialog = page.get_by_role("dialog")
    as_business.press("Enter")
    dialog.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(own).to_have_attribute("aria-pressed", "true")
    as_business.press("Enter")
    dialog.get_by_role("button", name=words("hours.asBusiness"), exact=True).click()
    expect(page.get_by_text(words("hours.asBusinessNow"))).to_be_visible()
    assert desk.owner.fetch(f"{business}/teams/{team}/hours")["hours"] is None
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_a_template_that_is_chosen_greets_a_new_customer(desk):
    reset(desk)
    business = live_business(desk)["id"]
    desk.owner.post("/api/templates", {
        "business": business, "name": "welcome", "title": "Welcome",
        "payload": {"type": "text", "body": "A person will be with you soon."}}, 201)
    words, page = open_hours(desk, "en")
    answers = page.locator("automatic-answers")
    answers.get_by_label(words("hours.answer.greeting"), exact=True).select_option("welcome")
    answers.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(answers.get_by_text(words("hours.saved"), exact=True)).to_be_visible()
    said = Customer(desk.server, business).say("Is there anybody?")["message"]
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    thread = page.locator("desk-thread")
    expect(thread.get_by_text("A person will be with you soon.")).to_be_visible()
    expect(thread.get_by_text(words("thread.author.server"))).to_be_visible()
    assert desk.owner.fetch(f"/api/conversations/{said['conversation']}")["waitingSince"] is not None
    desk.shot(page, "thread-automatic-answer")
    reset(desk)


def test_a_row_shows_the_question_and_not_the_automatic_answer(desk):
    shop = desk.owner.post("/api/businesses", {"name": "Leather works"}, 201)
    desk.owner.post("/api/templates", {
        "business": shop["id"], "name": "closed", "title": "Closed", "payload": {"type": "text", "body": "We are closed at the moment."}}, 201)
    desk.owner.call("PUT", f"/api/businesses/{shop['id']}/hours", {"timeZone": "Europe/Berlin", "week": {}})
    desk.owner.call("PUT", f"/api/businesses/{shop['id']}/automatic-answers", {"outOfHours": {"template": "closed"}})

    def ask(text):
        """A customer asks, and gets the automatic answer."""
        conversation = Customer(desk.server, shop["id"]).say(text)["message"]["conversation"]
        path = f"/api/conversations/{conversation}"
        until(lambda: desk.owner.fetch(path), lambda one: one["lastMessage"]["author"]["type"] == "server")
        return path

    early = ask("Do you repair bags?")
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    page.locator("inbox-nav").get_by_role("button", name=re.compile("^Leather works")).click()
    rows = page.locator("conversation-list a.row")
    expect(rows).to_have_count(1)
    expect(rows.locator(".row-text")).to_have_text("Do you repair bags?")
    # Live: the change that is shown comes behind the automatic answer.
    late = ask("Is the blue one there?")
    for path in (early, late):
        desk.owner.call("PATCH", path, {"priority": "urgent"})
    expect(rows.locator(".priority-mark")).to_have_count(2)
    expect(rows.locator(".row-text")).to_have_text(["Is the blue one there?", "Do you repair bags?"])
    inbox_view(page, Words("en"), "waiting").click()
    expect(rows.locator(".row-text")).to_have_text(["Do you repair bags?", "Is the blue one there?"])
    desk.shot(page, "rows-automatic-answer")
    # What an agent writes is shown as ever.
    desk.owner.post(f"{early}/messages", {"type": "text", "body": "We do."}, 201)
    inbox_view(page, Words("en"), "all").click()
    expect(rows.filter(has_text="We do.")).to_have_count(1)


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_ready_text_is_chosen_read_and_sent_in_the_customer_s_language(desk, language, scheme, phone):
    shop = desk.owner.post("/api/businesses", {"name": f"Ready {language}"}, 201)
    words = Words(language)
    # The address names the part of the page.
    page = console(desk, words, "/settings/hours#automatic-answers", scheme=scheme, phone=phone)
    answers = page.locator("automatic-answers")
    expect(answers.get_by_role("heading", name=words("hours.answers"), exact=True)).to_be_in_viewport()
    page.locator("#hours-business").select_option(shop["id"])
    for kind in ("greeting", "outOfHours"):
        choice = answers.get_by_label(words(f"hours.answer.{kind}"), exact=True)
        expect(choice.locator("option")).to_have_count(2)
        choice.select_option(index=1)
        expect(answers.locator(f"#answer-{kind}-words")).to_contain_text("。" if language == "ja" else ". ")
    expect(answers.locator("#answer-greeting-words")).to_contain_text(shop["name"])
    answers.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(answers.get_by_text(words("hours.saved"), exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    desk.shot(page, f"answers-ready-{language}")
    assert_accessible(page)
    # Saved again, it is chosen again and not stored anew.
    answers.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(answers.get_by_text(words("hours.saved"), exact=True)).to_be_visible()
    other = "en" if language == "ja" else "ja"
    stored = {one["name"]: one["version"] for one in desk.owner.fetch(f"/api/templates?business={shop['id']}")["data"]}
    assert stored == {name: 1 for one in ("auto-greeting", "auto-out-of-hours") for name in (one, f"{one}.{other}")}
    page.reload()
    page.locator("#hours-business").select_option(shop["id"])
    expect(answers.get_by_label(words("hours.answer.greeting"), exact=True)).to_have_value("auto-greeting")
    expect(answers.locator("#answer-greeting-words")).to_contain_text(shop["name"])
    # Without hours no customer writes out of them.
    expect(answers.get_by_text(words("hours.answer.outOfHoursNone"), exact=True)).to_be_visible()
    for locale, said in (("en_US", f"Thank you for writing to {shop['name']}"), ("ja_JP", f"{shop['name']}にお問い合わせいただき")):
        conversation = Customer(desk.server, shop["id"]).say("Good day", locale=locale)["message"]["conversation"]
        page.goto(f"{desk.phone_url}/console/c/{conversation}")
        thread = page.locator("desk-thread")
        expect(thread.get_by_text(said)).to_be_visible()
        expect(thread.get_by_text(words("thread.author.server"))).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_template_that_nobody_could_fill_is_not_offered_as_an_automatic_answer(desk, language):
    reset(desk)
    business = live_business(desk)["id"]
    for name, body, parameters in (
            (f"alone-{language}", "One moment, {{customer.name}}.", [
                {"name": "customer.name", "type": "text", "label": "customer.name", "required": False, "default": "please"}]),
            (f"opens-{language}", "Open from {{opens}}.", [{"name": "opens", "type": "text", "label": "Opens at", "required": True}]),
            (f"named-{language}", "This is {{agent.name}} from {{business.name}}.", [])):
        desk.owner.post("/api/templates", {
            "business": business, "name": name, "title": f"The {name}", "payload": {"type": "text", "body": body}, "parameters": parameters}, 201)
    words, page = open_hours(desk, language)
    greeting = page.locator("automatic-answers").get_by_label(words("hours.answer.greeting"), exact=True)
    expect(greeting.locator(f"[value='alone-{language}']")).to_be_enabled()
    for name, values in ((f"opens-{language}", "opens"), (f"named-{language}", "agent.name")):
        option = greeting.locator(f"[value='{name}']")
        expect(option).to_be_disabled()
        expect(option).to_have_text(words("hours.answer.asksFor", title=f"The {name}", values=values))
    greeting.select_option(f"alone-{language}")
    page.locator("automatic-answers").get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.locator("automatic-answers").get_by_text(words("hours.saved"), exact=True)).to_be_visible()
    reset(desk)
    page.locator("automatic-answers").get_by_role("link", name=words("console.templates"), exact=True).click()
    expect(page).to_have_url(f"{desk.phone_url}/console/templates")


def test_an_agent_reads_the_hours_and_changes_nothing(desk):
    business = reset(desk)
    desk.owner.call("PUT", f"{business}/hours", {
        "timeZone": "Asia/Tokyo", "week": {"monday": [{"from": "09:00", "to": "18:00"}]}})
    words, page = open_hours(desk, "en", session=member(desk, "Hana"))
    expect(page.get_by_text(words("hours.onlyOwners"))).to_be_visible()
    expect(page.get_by_label(words("hours.timeZone"), exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name=words("shared.save"), exact=True)).to_have_count(0)
    assert_accessible(page)
    reset(desk)


def test_the_focus_goes_from_hours_that_are_removed_to_where_they_are_set_again(desk):
    business = reset(desk)
    desk.owner.call("PUT", f"{business}/hours", {"timeZone": "Europe/Berlin", "week": {"monday": [{"from": "09:00", "to": "17:00"}]}, "holidays": []})
    words, page = open_hours(desk, "en")
    holiday = page.get_by_role("button", name=words("hours.addHoliday"), exact=True)
    # It stands where the other buttons of the form begin, and not in the middle.
    expect(holiday).to_be_visible()
    field = page.get_by_label(words("hours.timeZone"), exact=True).bounding_box()
    assert holiday.bounding_box()["x"] == field["x"] and holiday.bounding_box()["width"] < field["width"] / 2
    page.get_by_role("button", name=words("hours.remove"), exact=True).press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=words("hours.remove"), exact=True).press("Enter")
    expect(page.get_by_text(words("hours.now.always"), exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=words("hours.set"))).to_be_focused()
