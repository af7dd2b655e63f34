"""A day at the desk: a lead, three agents and sixty customers, from opening the business to its report."""

import re
import time

import pytest
from looks import assert_accessible
from pages import Phone, console, inbox_view
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words

CUSTOMERS, REFUNDS = 60, 20
PASSWORD = "seven green lanterns in a row"


class Day:
    """A business of a lead with three agents and two teams, and what happened there so far."""

    def __init__(self, desk, words, language, look):
        self.desk, self.words, self.look = desk, words, look
        self.shop = desk.owner.post("/api/businesses", {"name": f"Day {language} {look['scheme']}"}, expect=201)
        self.agents = {name: self._join(name, f"{name}-{language}-{look['scheme']}") for name in ("Bo", "Cy", "Di")}
        self.happened = {"begun": 0, "received": 0, "sent": 0, "closed": 0}
        self.customers = {}

    def _join(self, name, address):
        invited = self.desk.owner.post(f"/api/businesses/{self.shop['id']}/members", {
            "email": f"{address.lower()}@example.com", "role": "agent"}, expect=201)
        session = Session(self.desk.server)
        session.member = session.post("/api/invitations/accept", {
            "token": re.search(r"#invite=([\w-]+)", invited["invitationUrl"]).group(1), "name": name,
            "password": PASSWORD}, expect=201)["agent"]["id"]
        return session

    def page(self, name=None, path="", narrowed=True):
        """The console of the lead, or of an agent, with this business alone."""
        query = f"?business={self.shop['id']}" if narrowed else ""
        return console(self.desk, self.words, f"{path}{query}", session=self.agents.get(name), **self.look)

    def arrive(self, texts):
        """A customer writes each text; their conversations."""
        found = []
        for text in texts:
            customer = Customer(self.desk.server, self.shop["id"])
            found.append(customer.say(text)["message"]["conversation"])
            self.customers[found[-1]] = customer
        self.happened["begun"] += len(texts)
        self.happened["received"] += len(texts)
        return found

    def found(self, conversation):
        """A conversation as the server has it."""
        return self.desk.owner.fetch(f"/api/conversations/{conversation}")

    def shot(self, page, name):
        """A picture of a surface, after looking for what shuts people out."""
        look = f"{self.words.language}-{self.look['scheme']}-{'390' if self.look.get('phone') else '1280'}"
        self.desk.shot(page, f"day-{name}-{look}")
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0

    def report(self):
        """The total of the report, once it counts all that happened."""
        head = self.desk.owner.fetch(f"/api/views?business={self.shop['id']}")["head"]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            report = self.desk.owner.fetch(f"/api/businesses/{self.shop['id']}/reports")
            if report["countedUpTo"] and int(report["countedUpTo"].split("-")[1]) >= int(head.split("-")[1]):
                return report["total"]
            # Counters gather news for a quarter of a second, and reports have a rate.
            time.sleep(0.3)
        raise AssertionError(f"counted up to {report['countedUpTo']} of {head}")


def open_business(day):
    """The lead makes two teams and sets the hours."""
    words = day.words
    page = day.page(path="/settings/teams", narrowed=False)
    page.locator("#teams-business").select_option(day.shop["id"])
    panel = page.locator("teams-panel")
    for name, members in (("Sales", ["Bo"]), ("Repairs", ["Cy", "Di"])):
        panel.get_by_label(words("items.name"), exact=True).fill(name)
        panel.get_by_role("button", name=words("teams.create"), exact=True).click()
        panel.get_by_role("button", name=words("teams.membersOf", name=name, words=words("teams.choose", count=0)), exact=True).click()
        search = page.get_by_role("combobox", name=words("teams.find", name=name), exact=True)
        for member in members:
            search.fill(member)
            search.press("Enter")
            expect(page.get_by_role("option", name=member, exact=True)).to_have_attribute("aria-checked", "true")
        page.keyboard.press("Escape")
        expect(panel.get_by_role("button", name=words("teams.membersOf", name=name, words=words("teams.choose", count=len(members))), exact=True)).to_be_visible()
    day.shot(page, "teams")
    stored = day.desk.owner.fetch(f"/api/businesses/{day.shop['id']}/teams")["data"]
    day.teams = {one["name"]: one["id"] for one in stored}
    page.goto(f"{day.desk.phone_url}/console/settings/hours")
    page.locator("#hours-business").select_option(day.shop["id"])
    page.get_by_role("button", name=words("hours.set")).click()
    monday = words("hours.monday")
    page.get_by_label(words("hours.from", day=monday, number=1), exact=True).fill("00:00")
    page.get_by_label(words("hours.to", day=monday, number=1), exact=True).fill("00:00")
    page.get_by_role("button", name=words("hours.same")).click()
    day.shot(page, "hours")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/hours")) as caught:
        page.locator("hours-panel form").first.get_by_role("button", name=words("shared.save"), exact=True).click()
    assert caught.value.status == 200, caught.value.text()
    page.close()


def write_rule_and_macro(day):
    """The lead lets refunds go to sales by a rule, and gives all a macro."""
    words = day.words
    page = day.page(path="/settings/rules", narrowed=False)
    page.locator("#rules-business").select_option(day.shop["id"])
    page.get_by_role("button", name=words("rules.new"), exact=True).click()
    editor = page.locator("rule-editor")
    editor.get_by_label(words("rules.name"), exact=True).fill("Refunds")
    editor.get_by_role("button", name=words("rules.condition.add"), exact=True).click()
    condition = editor.get_by_role("group", name=words("rules.condition.row", number=1), exact=True)
    condition.get_by_label(words("rules.condition.what"), exact=True).select_option("text")
    condition.get_by_label(words("rules.condition.text"), exact=True).fill("refund")
    action = editor.get_by_role("group", name=words("rules.action.row", number=1), exact=True)
    action.get_by_label(words("rules.action.what"), exact=True).select_option("team")
    action.get_by_label(words("rules.action.team"), exact=True).select_option(label="Sales")
    day.shot(page, "rule")
    editor.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(page.get_by_role("switch", name=words("rules.onOf", name="Refunds"))).to_be_visible()
    page.goto(f"{day.desk.phone_url}/console/settings/macros")
    page.locator("#macros-business").select_option(day.shop["id"])
    page.get_by_role("button", name=words("macros.new"), exact=True).click()
    panel = page.locator("macros-panel")
    panel.get_by_label(words("macros.name"), exact=True).fill("Urgent repair")
    panel.get_by_role("button", name=words("macros.forAll"), exact=True).click()
    action = panel.get_by_role("group", name=words("rules.action.row", number=1), exact=True)
    action.get_by_label(words("rules.action.what"), exact=True).select_option("priority")
    action.get_by_label(words("rules.action.priority"), exact=True).select_option(label=words("customer.priority.urgent"))
    panel.get_by_role("button", name=words("rules.action.add"), exact=True).click()
    action = panel.get_by_role("group", name=words("rules.action.row", number=2), exact=True)
    action.get_by_label(words("rules.action.what"), exact=True).select_option("team")
    action.get_by_label(words("rules.action.team"), exact=True).select_option(label="Repairs")
    day.shot(page, "macro")
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_role("button", name=words("macros.changeOf", name="Urgent repair"))).to_be_visible()
    page.close()


def follow_rule(day, refunds):
    """The rule has given every refund to sales, and says so in the thread; no other conversation has a team."""
    words = day.words
    page = day.page("Bo", path=f"/c/{refunds[0]}")
    expect(page.locator("desk-thread").get_by_text(words("thread.event.rule", name="Refunds"))).to_be_visible()
    day.shot(page, "ruled")
    page.close()
    found = day.desk.owner.fetch(f"/api/conversations?business={day.shop['id']}&team={day.teams['Sales']}&page[size]=100")["data"]
    assert sorted(one["id"] for one in found) == sorted(refunds)


def run_macro(day, conversation):
    """Di makes a conversation urgent and gives it to repairs, by one macro and the keyboard."""
    words = day.words
    page = day.page("Di", path=f"/c/{conversation}")
    expect(page.locator("desk-thread")).to_contain_text("parcel")
    page.keyboard.press("m")
    expect(page.get_by_role("combobox", name=words("macros.find"))).to_be_focused()
    page.keyboard.type("urg")
    expect(page.get_by_role("option")).to_have_count(1)
    day.shot(page, "macro-menu")
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("macros.done", name="Urgent repair"))).to_be_visible()
    now = day.found(conversation)
    assert (now["priority"], now["team"]) == ("urgent", day.teams["Repairs"])
    page.close()


def answer(day, page, conversation, text):
    """An agent opens a conversation and answers."""
    page.locator(f"conversation-list [data-open='{conversation}']").click()
    # The field of the conversation before is there until then, and has a draft of its own.
    page.wait_for_function("(id) => document.querySelector('desk-composer')?.conversation?.id === id", arg=conversation)
    field = page.get_by_role("textbox", name=day.words("composer.text.label"), exact=True)
    field.fill(text)
    with page.expect_response(lambda found: found.request.method == "POST" and "/messages" in found.url):
        field.press("Enter")
    expect(page.locator("desk-thread").get_by_text(text)).to_be_visible()
    day.happened["sent"] += 1


def back_to_list(day, page):
    """On a phone the list is behind the conversation."""
    if day.look.get("phone"):
        page.get_by_role("link", name=day.words("shared.back"), exact=True).click()


def hand_over(day, bo, conversation):
    """Bo asks Cy in a note, and gives the conversation to Cy."""
    words = day.words
    bo.get_by_role("button", name=words("console.writeNote"), exact=True).click()
    field = bo.get_by_role("textbox", name=words("console.noteLabel"), exact=True)
    field.press_sequentially("@Cy")
    expect(bo.get_by_role("option", name="Cy")).to_be_visible()
    bo.keyboard.press("Enter")
    bo.keyboard.type("can you repair this?")
    day.shot(bo, "note")
    bo.keyboard.press("Control+Enter")
    expect(bo.locator("desk-thread li.note")).to_contain_text("can you repair this?")
    bo.locator("conversation-head .assignee").click()
    bo.get_by_role("option", name=re.compile("Cy")).or_(bo.get_by_role("menuitemradio", name=re.compile("Cy"))).click()
    expect(bo.locator("conversation-head .assignee")).to_contain_text("Cy")
    cy = day.page("Cy")
    inbox_view(cy, words, "mentions").click()
    cy.locator(f"conversation-list [data-open='{conversation}']").click()
    expect(cy.locator("desk-thread")).to_contain_text("can you repair this?")
    day.shot(cy, "mentioned")
    assert day.found(conversation)["assignee"]["id"] == day.agents["Cy"].member
    return cy


def close_many(day, conversations):
    """The lead closes ten at once, undoes it, and closes them again."""
    words = day.words
    page = day.page()
    inbox_view(page, words, "all").click()
    rows = page.locator("conversation-list a.row")
    expect(rows.first).to_be_visible()
    ids = [row.get_attribute("data-open") for row in rows.all()[:10]]
    page.locator(f"conversation-list [data-open='{ids[0]}']").focus()
    page.keyboard.press("x")
    for _ in ids[1:]:
        page.keyboard.press("Shift+ArrowDown")
    bar = page.get_by_role("region", name=words("bulk.title"), exact=True)
    expect(bar.get_by_role("status")).to_have_text(words("bulk.count", count=10))
    day.shot(page, "selected")
    page.keyboard.press("e")
    expect(page.get_by_text(words("bulk.done", count=10))).to_be_visible()
    assert {day.found(one)["state"] for one in ids} == {"closed"}
    day.shot(page, "closed")
    page.get_by_role("button", name=words("shared.undo"), exact=True).click()
    expect(page.get_by_text(words("bulk.undone", count=10))).to_be_visible()
    assert {day.found(one)["state"] for one in ids} == {"open"}
    page.locator(f"conversation-list [data-open='{ids[0]}']").focus()
    if bar.count() == 0:
        page.keyboard.press("x")
        for _ in ids[1:]:
            page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("e")
    for one in ids:
        expect(page.locator(f"conversation-list [data-open='{one}']")).to_have_count(0)
    expect(inbox_view(page, words, "all")).to_contain_text(str(CUSTOMERS - 10))
    # Both closings happened, and what was reopened between them began again.
    day.happened["closed"] += 20
    day.happened["begun"] += 10
    return page, ids


def ask_how_it_was(day):
    """Customers are asked after a closing; one answers on the phone page, and the conversation stays closed."""
    words, owner = day.words, day.desk.owner
    page = day.page(path="/settings/satisfaction", narrowed=False)
    panel = page.locator("satisfaction-panel")
    panel.locator("#satisfaction-business").select_option(day.shop["id"])
    panel.get_by_label(words("satisfaction.on"), exact=True).focus()
    page.keyboard.press("Space")
    panel.get_by_role("button", name=words("shared.save"), exact=True).press("Enter")
    expect(panel.get_by_text(words("satisfaction.saved"), exact=True)).to_be_visible()
    page.close()
    device = Phone(day.desk, words, scheme=day.look["scheme"]).open(f"{day.desk.phone_url}/b/{day.shop['id']}")
    with device.page.expect_response(lambda one: one.url.endswith("/messages") and one.request.method == "POST") as caught:
        device.say("Do you open on Sunday?")
    conversation = caught.value.json()["message"]["conversation"]
    day.happened["begun"] += 1
    day.happened["received"] += 1
    page = day.page("Cy")
    inbox_view(page, words, "unassigned").click()
    answer(day, page, conversation, "From ten to four.")
    page.get_by_role("button", name=words("console.close"), exact=True).first.click()
    texts = owner.fetch(f"/api/businesses/{day.shop['id']}/satisfaction")["texts"][words.language]
    choice = device.page.get_by_role("button", name=texts["choices"][3], exact=True)
    expect(choice).to_be_visible()
    day.desk.shot(device.page, f"day-asked-{words.language}")
    choice.click()
    expect(device.page.get_by_text(texts["thanks"], exact=True)).to_be_visible()
    page.goto(f"{day.desk.phone_url}/console/c/{conversation}?business={day.shop['id']}")
    expect(page.locator("desk-thread").get_by_text(words("thread.event.satisfaction", score=4))).to_be_visible()
    day.shot(page, "satisfied")
    found = day.found(conversation)
    assert (found["state"], found["satisfaction"]["score"]) == ("closed", 4)
    assert found["satisfaction"]["agent"]["id"] == day.agents["Cy"].member
    # The question and the thanks were sent by themselves, and the score is a message of the customer.
    day.happened["sent"] += 2
    day.happened["received"] += 1
    day.happened["closed"] += 1
    page.close()
    device.page.close()


def read_report(day):
    """The report's numbers are what happened."""
    words = day.words
    total = day.report()
    assert {name: total[name] for name in day.happened} == day.happened
    assert [total[name] for name in ("satisfactionAsked", "satisfactionAnswered", "scored4", "meanScore")] == [1, 1, 1, 4]
    page = day.page(path="/reports", narrowed=False)
    page.locator("#report-business").select_option(day.shop["id"])
    for name, number in day.happened.items():
        tile = page.locator(".report-tile", has=page.get_by_text(words(f"reports.{name}"), exact=True))
        expect(tile.locator("dd").first).to_have_text(str(number))
    day.shot(page, "report")


@pytest.mark.parametrize("language, look", [
    ("en", {"scheme": "light"}), ("ja", {"scheme": "dark", "phone": True})])
def test_a_team_lives_through_a_day_and_its_report_says_what_happened(desk, language, look):
    words = Words(language)
    day = Day(desk, words, language, look)
    open_business(day)
    write_rule_and_macro(day)
    refunds = day.arrive([f"A refund for order {number}, please" for number in range(REFUNDS)])
    conversations = day.arrive([f"Where is parcel {number}?" for number in range(CUSTOMERS - REFUNDS)])
    follow_rule(day, refunds)
    run_macro(day, conversations[0])
    bo = day.page("Bo")
    inbox_view(bo, words, "unassigned").click()
    expect(inbox_view(bo, words, "unassigned")).to_contain_text(str(CUSTOMERS))
    day.shot(bo, "inbox")
    for number, conversation in enumerate(conversations[-3:]):
        answer(day, bo, conversation, f"It arrives on day {number}.")
        if number < 2:
            back_to_list(day, bo)
    day.shot(bo, "answered")
    assert day.found(conversations[-1])["assignee"]["id"] == day.agents["Bo"].member
    hand_over(day, bo, conversations[-1])
    close_many(day, conversations)
    ask_how_it_was(day)
    read_report(day)
