"""A team's day from an empty server: what its people stumbled over between their windows."""

import re

from pages import choose_kind, console, live_business, member, open_conversation, with_contact
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words


def test_a_business_chosen_by_keyboard_keeps_the_focus(desk):
    words = Words("en")
    page = console(desk, words, "/settings/businesses")
    card = page.locator(".business-card", has_text="Sandbox")
    card.focus()
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(card).to_be_focused()


def test_back_to_the_text_and_send_anyway_leave_the_cursor_in_the_text(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Where is my cursor?")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    choose_kind(page, words, "list")
    choose_kind(page, words, "text")
    # Elsewhere the next letter would be a key of the console, such as the one that closes.
    expect(field).to_be_focused()
    field.fill("Mine comes second")
    member(desk, "Quick").post(f"/api/conversations/{conversation}/messages", {"type": "text", "body": "Mine is first"}, expect=201)
    expect(page.locator("desk-thread").get_by_text("Mine is first")).to_be_visible()
    field.press("Enter")
    again = page.locator(".cp-alert").get_by_role("button", name=words("composer.send.anyway"), exact=True)
    again.focus()
    page.keyboard.press("Enter")
    expect(page.locator("desk-thread").get_by_text("Mine comes second")).to_be_visible()
    expect(field).to_be_focused()


def test_an_auditor_who_joined_is_no_open_invitation_when_the_owner_comes_back(desk):
    words = Words("en")
    page = console(desk, words, "/settings/members")
    page.locator("#member-email").fill("new-auditor@team-day.example.com")
    page.locator("#member-role").select_option("auditor")
    page.get_by_role("button", name=words("console.invite"), exact=True).click()
    link = page.locator(".callout", has_text="#invite=")
    token = re.search(r"#invite=([\w-]+)", link.inner_text()).group(1)
    newcomer = desk.page(language="en")
    newcomer.goto(f"{desk.phone_url}/console#invite={token}")
    # An auditor is promised nothing that auditors may not do.
    expect(newcomer.locator(".account-lead")).not_to_contain_text("answer")
    newcomer.locator("#account-name").fill("Audra")
    newcomer.locator("#account-password").fill("seven green lanterns in a row")
    newcomer.keyboard.press("Enter")
    expect(newcomer.get_by_role("heading", name=words("console.view.all"), exact=True)).to_be_visible()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("row", name=re.compile("Audra"))).to_be_visible()
    expect(link).to_have_count(0)
    # What a row ends on is in sight.
    frame = page.locator("members-panel .table-frame").first
    assert frame.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_who_has_no_first_steps_reads_what_to_do_in_the_middle(desk):
    words = Words("en")
    page = console(desk, words, session=member(desk, "Midge"))
    place = page.locator(".empty-view")
    expect(place).to_be_visible()
    box = place.bounding_box()
    assert abs(box["y"] + box["height"] / 2 - 400) < 20, box


def test_the_long_name_of_an_assignee_begins_where_the_other_facts_do(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Who has the longest name?")
    long = member(desk, "Cyrus-the-Very-Long-Named-Colleague von und zu Hohenzollern-Sigmaringen".replace(" ", "-"))
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"assignee": long.member})
    fact = page.locator(".customer-facts [data-menu=assignee]")
    expect(fact).to_contain_text("Hohenzollern")
    assert fact.evaluate("(one) => getComputedStyle(one).textAlign") == "start"


def test_a_business_with_a_long_name_asks_for_a_payment(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "東京都台東区谷中の小さなお茶と花の専門店「古い水車小屋」", "mode": "test", "colour": "#4353ff"}, expect=201)
    said = Customer(desk.server, business["id"]).say("How do I pay?")["message"]
    page = console(desk, words, f"/c/{said['conversation']}")
    choose_kind(page, words, "payment")
    composer = page.locator("desk-composer")
    composer.get_by_role("button", name=words("composer.example"), exact=True).click()
    # The merchant's session has less room for a name than the request.
    expect(composer.locator(".cp-session")).to_have_text(words("composer.pay.sessionReady"))
    expect(composer.locator(".cp-status")).to_have_text(words("composer.status.ready"))


def test_a_payment_that_was_begun_gets_its_session_after_a_reload(desk):
    words = Words("en")
    page, _, _ = open_conversation(desk, words, "I pay when you are back")
    choose_kind(page, words, "payment")
    composer = page.locator("desk-composer")
    composer.get_by_role("button", name=words("composer.example"), exact=True).click()
    # A live business needs https for its endpoints: with the session it says so.
    session = words("composer.pay.unsafe", address=desk.phone_url)
    expect(composer.locator(".cp-session")).to_have_text(session)
    expect(page.locator("conversation-list [aria-current]")).to_contain_text(words("composer.kind.payment"))
    page.reload()
    expect(composer).to_have_attribute("data-kind", "payment")
    expect(composer.locator(".cp-session")).to_have_text(session)
    # There are five: one thing to read, and one to count.
    status = composer.locator(".cp-status")
    expect(status).to_have_text("1 thing to fix")
    status.click()
    expect(composer.locator("finding-list li")).to_have_count(1)


def test_what_is_read_from_the_right_begins_at_the_right_where_it_is_typed_and_loses_its_end_in_a_row(desk):
    words = Words("en")
    text = "مرحبا، هل التوصيل متاح غدًا إلى العنوان نفسه أم إلى المتجر القريب من المحطة؟"
    page, _, conversation = open_conversation(desk, words, text)
    row = page.locator(f"conversation-list [data-open='{conversation}'] .row-text")
    direction = "(one) => getComputedStyle(one).direction"
    assert row.evaluate(direction) == "rtl"
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    assert field.evaluate(direction) == "ltr"
    field.fill("نعم!")
    assert field.evaluate(direction) == "rtl"
    phone = desk.page(phone=True, language="en")
    phone.goto(f"{desk.phone_url}/b/{live_business(desk)['id']}")
    phone.locator("#message").fill("شكرا!")
    assert phone.locator("#message").evaluate(direction) == "rtl"


def test_the_filter_offers_nobody_who_gets_no_conversations(desk):
    words = Words("en")
    page = console(desk, words, session=member(desk, "Filterer"))
    member(desk, "Reading-auditor", role="auditor")
    member(desk, "Answering-agent")
    page.reload()
    page.get_by_role("button", name=words("filter.title"), exact=True).click()
    people = page.get_by_role("dialog").get_by_label(words("console.assignee"), exact=True)
    expect(people).to_contain_text("Answering-agent")
    expect(people).not_to_contain_text("Reading-auditor")


def test_a_contact_without_a_name_is_called_as_everywhere_where_it_is_merged(desk):
    words = Words("en")
    other = Customer(desk.server, live_business(desk)["id"]).say("I wrote from my other phone")["message"]["conversation"]
    page, _, _ = open_conversation(desk, words, "I have two phones")
    name = page.locator(f"conversation-list [data-open='{other}'] .row-name bdi").inner_text()
    box = page.locator("side-column contact-box")
    with_contact(page, words, "merge")
    page.get_by_label(words("contact.search"), exact=True).fill(name.split()[-1])
    page.get_by_role("dialog").get_by_role("button", name=re.compile(name)).click()
    expect(box.locator(".contact-merged")).to_contain_text(name)
    box.get_by_role("button", name=words("contact.unmerge"), exact=True).press("Enter")
    expect(box.locator(".contact-merged")).to_have_count(0)
    expect(box.locator(".contact-actions button").first).to_be_focused()


def test_a_conversation_that_cannot_be_closed_offline_says_why(desk):
    words = Words("en")
    page, _, conversation = open_conversation(desk, words, "Close me under ground")
    # The browser may have the part from an earlier page.
    page.route(re.compile("/change-open.js"), lambda route: route.abort("internetdisconnected"))
    page.get_by_role("button", name=words("console.close"), exact=True).click()
    expect(page.locator(".fd-toast").last).to_contain_text(words("shared.notLoaded"))
    expect(page.get_by_text(words("shared.problem.unknown"), exact=True)).to_have_count(0)
    page.unroute(re.compile("/change-open.js"))
    page.get_by_role("button", name=words("console.close"), exact=True).click()
    expect(page.locator(f"conversation-list [data-open='{conversation}']")).to_have_count(0)


def test_a_saved_template_keeps_the_focus_on_its_button(desk):
    words = Words("en")
    page = console(desk, words, "/templates")
    editor = page.locator("template-editor")
    editor.locator("#template-title").fill("Saved by keyboard")
    button = editor.locator(".is-primary")
    button.press("Enter")
    expect(page.locator(".fd-toast").last).to_contain_text("Saved by keyboard")
    expect(button).to_have_text(words("console.saveVersion", version=2))
    expect(button).to_be_focused()
    # A translation begins where its title is written.
    page.get_by_role("button", name=words("console.template.translate"), exact=True).press("Enter")
    page.get_by_role("menuitem", name="Japanese", exact=True).press("Enter")
    expect(editor.locator("#template-name")).to_have_value("saved-by-keyboard.ja")
    expect(editor.locator("#template-title")).to_be_focused()
    page.get_by_role("button", name=words("console.newTemplate"), exact=True).press("Enter")
    expect(editor.locator("#template-name")).to_have_value("")
    expect(editor.locator("#template-title")).to_be_focused()


def test_nothing_of_what_was_done_is_offered_to_who_signs_in_next(desk):
    words = Words("en")
    session = member(desk, "Leaver")
    page, _, _ = open_conversation(desk, words, "Who undoes this?", session=session)
    page.keyboard.press("a")
    expect(page.locator(".fd-toast-undo")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Leaver: ")).click()
    page.get_by_role("button", name=words("shared.signOut"), exact=True).click()
    expect(page.get_by_role("heading", name=words("console.account.sign-in"), exact=True)).to_be_visible()
    assert page.locator(".fd-toast").count() == 0


def test_who_waits_for_a_second_factor_goes_on_when_it_is_required_no_more(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "Strict for a moment", "mode": "test", "colour": "#4353ff"}, expect=201)["id"]
    session = member(desk, "Waiter", business=business)
    page = console(desk, words, session=session)
    expect(page.get_by_role("heading", name=words("console.view.all"), exact=True)).to_be_visible()
    # Not required in earnest: the owner of all tests would need one too.
    answer = {**session.fetch("/api/session"), "businesses": [], "secondFactor": {"isActive": False, "waiting": ["Strict for a moment"]}}
    page.route("**/api/session", lambda route: route.fulfill(json=answer))
    page.reload()
    expect(page.get_by_role("heading", name=words("console.account.waiting"), exact=True)).to_be_visible()
    page.unroute("**/api/session")
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("heading", name=words("console.view.all"), exact=True)).to_be_visible()


def test_a_macro_that_asks_for_nothing_says_so_in_its_own_words(desk):
    words = Words("en")
    page = console(desk, words, "/settings/macros")
    page.get_by_role("button", name=words("macros.new"), exact=True).click()
    # Of a payload, which macros have not, only templates say something.
    expect(page.locator("macros-panel")).to_contain_text(words("macros.valuesNone"))
    expect(page.locator("macros-panel")).not_to_contain_text("payload")


def test_hours_are_set_by_keyboard(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "Hours by keyboard", "mode": "test", "colour": "#4353ff"}, expect=201)
    page = console(desk, words, "/settings/hours")
    page.locator("#hours-business").select_option(business["id"])
    page.get_by_role("button", name=words("hours.set"), exact=True).press("Enter")
    expect(page.locator("#hours-zone")).to_be_focused()
    monday = page.get_by_role("group", name=words("hours.monday"), exact=True)
    monday.get_by_role("button", name=words("hours.takeOut", day=words("hours.monday"), number=1), exact=True).press("Enter")
    add = monday.get_by_role("button", name=words("hours.addTo", day=words("hours.monday")), exact=True)
    expect(add).to_be_focused()
    save = page.locator("hours-panel form").first.get_by_role("button", name=words("shared.save"), exact=True)
    save.press("Enter")
    expect(page.locator(".settings-main [role=status]").first).not_to_contain_text(words("hours.now.always"))
    expect(page.locator(".fd-toast").last).to_contain_text(words("hours.saved"))
    expect(save).to_be_focused()


def test_the_focus_goes_with_what_is_retired(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "Retired by keyboard", "mode": "test", "colour": "#4353ff"}, expect=201)["id"]
    desk.owner.post(f"/api/businesses/{business}/labels", {"name": "Old label", "colour": "#e5484d"}, expect=201)
    desk.owner.post(f"/api/businesses/{business}/macros", {
        "name": "Old macro", "shared": True, "actions": [{"priority": "high"}]}, expect=201)
    page = console(desk, words, "/settings/labels")
    for kind, name in (("labels", "Old label"), ("macros", "Old macro")):
        page.goto(f"{desk.phone_url}/console/settings/{kind}")
        page.locator(f"#{kind}-business").select_option(business)
        stem = "items" if kind == "labels" else kind
        retire, restore = (page.get_by_role("button", name=words(f"{stem}.{word}Of", name=name), exact=True) for word in ("retire", "restore"))
        retire.press("Enter")
        expect(restore).to_be_focused()
        restore.press("Enter")
        expect(retire).to_be_visible()
        assert page.evaluate(f"document.querySelector('{kind}-panel').contains(document.activeElement)"), kind


def test_the_focus_stays_in_its_list_where_a_key_is_revoked_and_an_invitation_withdrawn(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "Removed by keyboard", "mode": "test", "colour": "#4353ff"}, expect=201)["id"]
    desk.server.make_key(business, name="to-be-revoked")
    page = console(desk, words, "/settings/keys")
    page.get_by_role("button", name=words("console.revokeKey", name="to-be-revoked"), exact=True).press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=words("console.revoke"), exact=True).press("Enter")
    expect(page.get_by_text("to-be-revoked")).to_have_count(0)
    page.wait_for_function("() => document.querySelector('keys-panel').contains(document.activeElement)")
    desk.owner.post(f"/api/businesses/{business}/members", {"email": "soon-withdrawn@team-day.example.com", "role": "agent"}, expect=201)
    page.goto(f"{desk.phone_url}/console/settings/members")
    page.locator("#member-business").select_option(business)
    page.get_by_role("button", name=words("console.withdrawInvitation", email="soon-withdrawn@team-day.example.com"), exact=True).press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=words("console.withdraw"), exact=True).press("Enter")
    expect(page.get_by_role("region", name=words("console.members"), exact=True)).to_be_focused()
