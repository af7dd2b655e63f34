"""The console offers what the server says that a role may do, whatever the role is called."""

import re

import pytest
from looks import assert_accessible
from pages import console, contact_menu, live_business, member
from playwright.sync_api import expect
from support.server import Customer, Session
from support.waiting import until
from support.words import Words


def with_permissions(page, desk, role, names):
    """Answers the session with another role in every business."""
    def answer(route):
        session = desk.owner.fetch("/api/session")
        for business in session["businesses"]:
            business |= {"role": role, "permissions": names}
        route.fulfill(json=session)
    page.route(re.compile(r"/api/session$"), answer)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_a_role_that_may_only_read_sees_the_thread_and_nothing_to_change_it(desk, language, scheme):
    words = Words(language)
    said = Customer(desk.server, live_business(desk)["id"]).say("Who may answer?")["message"]
    page = desk.page(language=language, scheme=scheme, session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "live.follow"])
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    expect(page.locator("desk-thread li.message desk-card")).to_have_count(1)
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_visible()
    expect(page.locator(".view-composer")).to_be_hidden()
    expect(page.get_by_role("button", name=words("console.close"), exact=True)).to_have_count(0)
    expect(page.locator("conversation-head .later")).to_have_count(0)
    expect(page.locator("conversation-head .assignee")).to_be_disabled()
    page.keyboard.press("n")
    expect(page.locator("note-box")).to_be_hidden()
    # What the role may not do has no key.
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.method not in ("GET", "HEAD") else None)
    for key in ("e", "a", "z", "l", "p", "m", "r", "/"):
        page.keyboard.press(key)
    expect(page.get_by_text(words("console.mayNotChange"))).to_have_count(0)
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.locator("side-column").get_by_role("button", name=words("contact.add"), exact=True)).to_have_count(0)
    expect(page.locator("side-column .customer-menu")).to_have_count(0)
    row = page.locator(f"conversation-list [data-open='{said['conversation']}']")
    row.focus()
    page.keyboard.press("x")
    bar = page.get_by_role("region", name=words("bulk.title"), exact=True)
    expect(bar.get_by_text(words("console.mayNotChange"))).to_be_visible()
    expect(bar.get_by_role("button", name=words("bulk.transcript"), exact=True)).to_be_enabled()
    expect(bar.get_by_role("button", name=words("bulk.assign"), exact=True)).to_have_count(0)
    assert asked == []
    desk.shot(page, f"role-reads-{language}")
    assert_accessible(page)


def test_a_role_that_may_handle_and_not_write_has_the_note_alone(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("Who may note?")["message"]
    page = desk.page(session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "conversations.handle", "live.follow"])
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    note = page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)
    expect(note).to_be_visible()
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_visible()
    expect(page.locator("desk-composer")).to_be_hidden()
    expect(page.get_by_role("button", name=words("console.reply"), exact=True)).to_have_count(0)
    page.keyboard.press("r")
    expect(note).to_be_focused()
    note.fill("Only for us")
    note.press("Control+Enter")
    expect(page.locator("desk-thread").get_by_text("Only for us")).to_be_visible()
    expect(note).to_be_visible()
    expect(page.locator("desk-composer")).to_be_hidden()
    desk.shot(page, "role-notes")
    assert_accessible(page)


def test_a_role_that_may_write_and_not_handle_has_the_answer_alone(desk):
    words = Words("en")
    said = Customer(desk.server, live_business(desk)["id"]).say("Who may answer me?")["message"]
    page = desk.page(session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "messages.send", "live.follow"])
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    expect(field).to_be_visible()
    expect(page.get_by_role("button", name=words("console.writeNote"), exact=True)).to_have_count(0)
    field.fill("I do.")
    # Without the permission for drafts nothing is stored, and the line below the box says so.
    expect(page.get_by_text(words("console.draft.mayNotKeep"))).to_be_visible()
    field.press("Enter")
    expect(page.locator("desk-thread").get_by_text("I do.")).to_be_visible()
    assert_accessible(page)


def test_a_role_with_members_manage_invites_every_role_but_owner(desk):
    words = Words("en")
    page = desk.page(session=desk.owner)
    with_permissions(page, desk, "agent", ["businesses.read", "conversations.read", "members.read", "members.manage"])
    page.goto(f"{desk.phone_url}/console/settings/members")
    expect(page.get_by_role("button", name=words("console.invite"), exact=True)).to_be_visible()
    expect(page.locator("#member-role option")).to_have_text(
        [words(f"console.role.{role}") for role in ("supervisor", "agent", "auditor")])
    page.goto(f"{desk.phone_url}/console/settings/keys")
    expect(page.get_by_text(words("console.onlyOwners.keys"))).to_be_visible()
    page.goto(f"{desk.phone_url}/console/settings/me")
    expect(page.locator("dl.facts")).to_contain_text(words("console.role.owner"))


def template(desk):
    """A template of the live business, under a name of its own."""
    return desk.owner.post("/api/templates", {
        "business": live_business(desk)["id"], "name": "role.parcel", "title": "Parcel",
        "payload": {"type": "text", "body": "Your parcel {{parcel}} is on its way."},
        "parameters": [{"name": "parcel", "label": "Parcel number", "type": "text", "required": True}]}, expect=201)


def commands(page, words, typed):
    """What the palette offers for some words; it is closed again."""
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name=words("console.palette"))
    palette.get_by_role("combobox").fill(typed)
    offered = palette.locator("[role=option]:not(.empty)").all_inner_texts()
    page.keyboard.press("Escape")
    expect(palette).to_have_count(0)
    return offered


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_an_auditor_reads_the_conversation_and_leaves_no_trace(desk, language, phone):
    words = Words(language)
    said = Customer(desk.server, live_business(desk)["id"]).say("Who reads along?")["message"]
    auditor = member(desk, f"Aud{language}", "auditor")
    asked = []
    page = console(desk, words, session=auditor, phone=phone)
    page.on("request", lambda request: asked.append((request.method, request.url)) if request.method not in ("GET", "HEAD") else None)
    page.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
    expect(page.locator("desk-thread").get_by_text("Who reads along?")).to_be_visible()
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_visible()
    for part in (".view-composer", "desk-composer", "note-box", ".skip"):
        expect(page.locator(part)).to_be_hidden()
    for part in (".close", ".later", ".label-button", ".priority-button", ".macro-button"):
        expect(page.locator(f"conversation-head {part}")).to_have_count(0)
    expect(page.locator("conversation-head .assignee")).to_be_disabled()
    for key in ("e", "a", "z", "l", "p", "n", "r", "m", "/"):
        page.keyboard.press(key)
    expect(page.get_by_role("menu")).to_have_count(0)
    for name in ("console.key.close", "console.key.note", "console.key.assign", "presence.title", "console.sandbox"):
        assert commands(page, words, words(name)) == []
    # Colleagues see no one beside them, and the message is as unread as before.
    with desk.page(session=desk.owner) as owner:
        owner.goto(f"{desk.phone_url}/console/c/{said['conversation']}")
        expect(owner.locator("conversation-head .face")).to_have_count(0)
        owner.locator("conversation-head .assignee").click()
        expect(owner.get_by_role("menuitem", name=f"Aud{language}")).to_have_count(0)
    shop = f"/api/businesses/{live_business(desk)['id']}"
    listed = {one["id"]: one for one in desk.owner.fetch(f"{shop}/members")["data"]}
    assert listed[auditor.member]["assignable"] is False
    assert auditor.member not in [one["agent"]["id"] for one in desk.owner.fetch(f"{shop}/presence")["data"]]
    assert [one for one in asked if "/preferences" not in one[1]] == []
    desk.shot(page, f"role-auditor-{language}")
    assert_accessible(page)


@pytest.mark.parametrize("language, phone", [("en", True), ("ja", False)])
def test_an_auditor_reads_settings_templates_reports_and_the_audit_log(desk, language, phone):
    words = Words(language)
    template(desk)
    auditor = member(desk, f"Eve{language}", "auditor")
    page = console(desk, words, "/settings" if phone else "/settings/audit", session=auditor, phone=phone)
    sections = page.get_by_role("navigation", name=words("console.settings"), exact=True).get_by_role("link")
    expect(sections).to_have_text([words(f"console.section.{name}") for name in (
        "businesses", "members", "teams", "assignment", "labels", "attributes", "hours", "levels", "satisfaction", "macros",
        "library", "bots", "gateway", "retention", "approvals", "audit", "me")])
    page.goto(f"{desk.phone_url}/console/settings/audit")
    expect(page.locator("audit-panel h1")).to_be_visible()
    expect(page.get_by_text(words("audit.forbidden"))).to_have_count(0)
    expect(page.locator("audit-panel li").first).to_be_visible()
    for section in ("members", "labels", "teams", "hours", "library", "macros"):
        page.goto(f"{desk.phone_url}/console/settings/{section}")
        expect(page.locator(".settings-main h1")).to_be_visible()
        expect(page.locator(".settings-main :is(.is-primary, .is-danger)")).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/templates")
    # Other tests' templates may come before it.
    page.get_by_role("button", name=re.compile("^Parcel (?!number)")).click()
    expect(page.locator("template-reading").get_by_text("role.parcel")).to_be_visible()
    expect(page.locator("template-reading desk-card")).to_be_visible()
    expect(page.locator(".settings-main :is(form, input, textarea, .is-primary)")).to_have_count(0)
    desk.shot(page, f"role-auditor-template-{language}")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/reports")
    expect(page.get_by_text(words("reports.ownLead"))).to_have_count(0)
    page.goto(f"{desk.phone_url}/console")
    page.locator("profile-menu .profile-button").click()
    expect(page.locator(".profile-state-choice")).to_have_count(0)


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_a_supervisor_answers_and_leads_and_reaches_no_key(desk, language, phone):
    words = Words(language)
    said = Customer(desk.server, live_business(desk)["id"]).say("Who leads here?")["message"]
    leader = member(desk, f"Lea{language}", "supervisor")
    page = console(desk, words, f"/c/{said['conversation']}", session=leader, phone=phone)
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("I do.")
    field.press("Control+Enter")
    expect(page.locator("desk-thread").get_by_text("I do.")).to_be_visible()
    if not phone:
        contact_menu(page, words).press("Enter")
        choices = page.get_by_role("menu", name=words("contact.more"), exact=True).get_by_role("menuitem")
        expect(choices).to_have_text([words("contact.merge"), words("contact.block")])
        expect(choices.first).to_be_focused()
        page.keyboard.press("Escape")
        expect(contact_menu(page, words)).to_be_focused()
    page.goto(f"{desk.phone_url}/console/settings{'' if phone else '/labels'}")
    sections = page.get_by_role("navigation", name=words("console.settings"), exact=True).get_by_role("link")
    expect(sections.filter(has_text=words("console.section.rules"))).to_have_count(1)
    for name in ("keys", "webhooks", "widget", "retention", "audit"):
        expect(sections.filter(has_text=re.compile(f"^{re.escape(words(f'console.section.{name}'))}$"))).to_have_count(0)
    expect(page.get_by_text(words("labels.onlyOwners"))).to_have_count(0)
    for section, refused in (("teams", "teams"), ("hours", "hours"), ("levels", "levels"), ("assignment", "assignment"),
                             ("attributes", "attributes"), ("satisfaction", "satisfaction"), ("rules", "rules")):
        page.goto(f"{desk.phone_url}/console/settings/{section}")
        expect(page.locator(".settings-main h1")).to_be_visible()
        expect(page.get_by_text(words(f"{refused}.onlyOwners"))).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/settings/members")
    expect(page.get_by_text(words("console.onlyOwners.members"))).to_be_visible()
    expect(page.locator("members-panel :is(button, #member-role)")).to_have_count(0)
    desk.shot(page, f"role-supervisor-{language}")
    assert_accessible(page)


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_an_owner_chooses_a_role_with_what_it_may_do_beside_it(desk, language, phone):
    words = Words(language)
    shop = live_business(desk)["id"]
    said = Customer(desk.server, shop).say("Who had me?")["message"]
    ben = member(desk, f"Bernd{language}")
    desk.owner.call("PATCH", f"/api/conversations/{said['conversation']}", {"assignee": ben.member})
    page = console(desk, words, "/settings/members", phone=phone)
    for role in ("owner", "supervisor", "agent", "auditor"):
        expect(page.locator("#member-roles").get_by_text(words(f"roles.may.{role}"), exact=True)).to_be_visible()
    choice = page.get_by_role("combobox", name=words("roles.of", name=f"Bernd{language}"), exact=True)
    expect(choice).to_have_value("agent")
    choice.select_option("auditor")
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text(words("roles.may.auditor"))
    desk.shot(page, f"role-change-{language}")
    asked.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(choice).to_have_value("agent")
    choice.select_option("auditor")
    page.get_by_role("dialog").get_by_role("button", name=words("roles.change"), exact=True).click()
    expect(page.get_by_text(words("roles.changed", name=f"Bernd{language}", role=words("console.role.auditor")))).to_be_visible()
    expect(choice).to_have_value("auditor")
    assert desk.owner.fetch(f"/api/conversations/{said['conversation']}")["assignee"] is None
    assert_accessible(page)


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_a_page_that_is_open_follows_a_change_of_its_role(desk, language, phone):
    words = Words(language)
    shop = live_business(desk)["id"]
    said = Customer(desk.server, shop).say("Who changes here?")["message"]
    mia = member(desk, f"Mia{language}", "supervisor")

    def change(role):
        desk.owner.call("PATCH", f"/api/businesses/{shop}/members/{mia.member}", {"role": role})
    page = console(desk, words, f"/c/{said['conversation']}", session=mia, phone=phone)
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Half an answer")
    change("auditor")
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_visible()
    for part in (".view-composer", "desk-composer", "note-box"):
        expect(page.locator(part)).to_be_hidden()
    for part in (".close", ".later", ".label-button", ".priority-button", ".macro-button"):
        expect(page.locator(f"conversation-head {part}")).to_have_count(0)
    expect(page.locator("conversation-head .assignee")).to_be_disabled()
    expect(page.locator("side-column .customer-menu")).to_have_count(0)
    # No heading stands over nothing.
    expect(page.locator(f"side-column dt[data-fact='{words('customer.labels')}']")).to_have_count(0)
    expect(page.locator("side-column participants-box section")).to_have_count(0)
    desk.shot(page, f"role-follows-{language}")
    change("agent")
    expect(field).to_be_visible()
    expect(field).to_have_value("Half an answer")
    expect(page.locator("conversation-head .close")).to_have_count(1)
    expect(page.get_by_text(words("console.mayNotWrite"))).to_be_hidden()
    # Who may answer again is there again.
    until(lambda: desk.owner.fetch(f"/api/businesses/{shop}/presence")["data"],
          lambda rows: {row["agent"]["id"]: row["state"] for row in rows}.get(mia.member) == "online")
    page.goto(f"{desk.phone_url}/console/settings/labels")
    expect(page.get_by_text(words("labels.onlyOwners"))).to_be_visible()
    change("supervisor")
    expect(page.get_by_text(words("labels.onlyOwners"))).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/templates")
    expect(page.get_by_role("button", name=words("console.newTemplate"), exact=True)).to_be_visible()
    change("auditor")
    expect(page.get_by_role("button", name=words("console.newTemplate"), exact=True)).to_have_count(0)


def test_a_page_that_is_open_loses_and_gets_a_business_with_the_membership(desk):
    words = Words("en")
    shop = live_business(desk)["id"]
    other = desk.owner.post("/api/businesses", {"name": "Second shop", "mode": "live"}, expect=201)["id"]
    here = Customer(desk.server, shop).say("In the first shop")["message"]
    there = Customer(desk.server, other).say("In the second shop")["message"]
    ned = member(desk, "Ned")

    def invite():
        invited = desk.owner.post(f"/api/businesses/{other}/members", {"email": ned.address, "role": "agent"}, expect=201)
        token = re.search(r"#invite=([\w-]+)", invited["invitationUrl"]).group(1)
        Session(desk.server).post("/api/invitations/accept", {
            "token": token, "password": "seven green lanterns in a row"}, expect=201)
    page = console(desk, words, session=ned)
    rows = page.locator("conversation-list [data-open]")
    row = page.locator(f"conversation-list [data-open='{there['conversation']}']")
    expect(page.locator(f"conversation-list [data-open='{here['conversation']}']")).to_be_visible()
    expect(row).to_have_count(0)
    invite()
    row.click()
    expect(page.locator("desk-thread").get_by_text("In the second shop")).to_be_visible()
    page.get_by_role("textbox", name=words("composer.text.label"), exact=True).fill("Never sent")
    desk.owner.call("DELETE", f"/api/businesses/{other}/members/{ned.member}", expect=204)
    expect(page.locator("desk-thread")).to_have_count(0)
    expect(row).to_have_count(0)
    expect(rows.first).to_be_visible()
    expect(page).to_have_url(re.compile("/console(\\?|$)"))
    page.goto(f"{desk.phone_url}/console/settings/members")
    expect(page.get_by_text("Second shop")).to_have_count(0)
    invite()
    expect(page.locator("inbox-nav")).to_contain_text("Second shop")
    page.get_by_role("link", name=words("console.section.teams"), exact=True).click()
    expect(page.locator("#teams-business")).to_contain_text("Second shop")
    assert_accessible(page)


@pytest.mark.parametrize("path", ["", "/templates", "/reports", "/settings/members", "/settings/me"])
def test_who_is_removed_from_the_last_business_is_told_so_wherever_the_page_is(desk, path):
    words = Words("en")
    gone = member(desk, f"Gone{path.replace('/', '-')}")
    page = console(desk, words, path, session=gone)
    expect(page.locator(".line-mark")).to_have_text(words("shared.live"))
    desk.owner.call("DELETE", f"/api/businesses/{live_business(desk)['id']}/members/{gone.member}", expect=204)
    expect(page.get_by_role("heading", name=words("console.account.outside"), exact=True)).to_be_visible()
    expect(page.locator("desk-workspace")).to_have_count(0)
    desk.shot(page, f"role-outside{path.replace('/', '-')}")
    assert_accessible(page)
