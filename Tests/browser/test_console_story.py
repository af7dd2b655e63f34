"""The agent's day in a real browser: the sign-in, the inbox, an answer, settings, keys, templates."""

import re

import pytest
from looks import assert_accessible, decode_qr
from pages import Phone, choose_kind, console, live_business
from playwright.sync_api import expect
from support.server import PASSWORD
from support.words import Words

LOOKS = [("en", "light"), ("ja", "dark")]


def write_first(desk, words, business, text):
    """A customer who has followed the business's permanent link and written."""
    phone = Phone(desk, words).open(f"{desk.phone_url}/b/{business['id']}")
    phone.say(text)
    expect(phone.page.locator("desk-card").get_by_text(text)).to_be_visible()
    return phone


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_an_agent_finds_the_customer_and_answers(desk, language, scheme):
    words = Words(language)
    page = console(desk, words, scheme=scheme)
    expect(page.get_by_role("heading", name=words("console.view.all"), exact=True)).to_be_visible()
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    question = f"Is the shop open on Sunday? ({language})"
    phone = write_first(desk, words, live_business(desk), question)
    row = page.locator("conversation-list a.row", has_text=question)
    expect(row).to_be_visible()
    desk.shot(page, f"console-inbox-{language}-{scheme}")
    assert_accessible(page)
    row.click()
    thread = page.locator("desk-thread")
    expect(thread.get_by_text(question)).to_be_visible()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Yes, from ten to four.")
    field.press("Enter")
    expect(phone.page.locator("desk-card").get_by_text("Yes, from ten to four.")).to_be_visible()
    choose_kind(page, words, "list")
    page.get_by_role("button", name=words("composer.example"), exact=True).click()
    page.get_by_role("button", name=words("console.side.json"), exact=True).click()
    expect(page.locator("json-view").get_by_text("listPicker").first).to_be_visible()
    desk.shot(page, f"console-json-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("button", name=words("console.side.device"), exact=True).click()
    page.get_by_role("button", name=words("composer.send"), exact=True).click()
    phone.open_card("list")
    phone.sheet.locator("label").first.click()
    phone.confirm()
    expect(thread.locator(".seen")).to_be_visible()
    choose_kind(page, words, "text")
    desk.shot(page, f"console-thread-{language}-{scheme}")
    assert_accessible(page)
    thread.locator("li.message.is-ours").last.hover()
    thread.locator("li.message.is-ours button.wire:not(.more)").last.click()
    drawer = page.locator("wire-drawer dialog")
    expect(drawer.get_by_text("curl", exact=False).first).to_be_visible()
    # The focus stayed there when the rest arrived.
    expect(drawer.get_by_role("button", name=words("shared.close"))).to_be_focused()
    desk.shot(page, f"console-wire-{language}-{scheme}")
    assert_accessible(page)
    drawer.get_by_role("button", name=words("shared.close")).click()
    assignee = page.locator("conversation-head .assignee")
    # The answer assigned the conversation; it can be given back and assigned by hand.
    expect(assignee).to_have_text("Ada")
    assignee.click()
    page.get_by_role("menuitem", name=words("console.unassign"), exact=True).click()
    expect(assignee).not_to_have_text("Ada")
    assignee.click()
    page.get_by_role("menuitemradio", name=words("console.assignToMe")).click()
    expect(assignee).to_have_text("Ada")
    page.get_by_role("button", name=words("console.close"), exact=True).click()
    toast = page.locator(".fd-toast")
    expect(toast.last).to_contain_text(words("console.done.closed", name="").strip())
    toast.last.get_by_role("button", name=words("shared.undo")).click()
    expect(thread.get_by_text(question)).to_be_visible()
    expect(page.get_by_role("button", name=words("console.close"), exact=True)).to_be_visible()
    page.get_by_role("button", name=words("console.close"), exact=True).click()
    expect(row).to_have_count(0)
    phone.say("One more thing")
    expect(page.locator("conversation-list a.row", has_text="One more thing").first).to_be_visible()


def test_the_main_job_by_keyboard_alone(desk):
    words = Words("en")
    business = live_business(desk)
    phone = write_first(desk, words, business, "Keyboard, please")
    write_first(desk, words, business, "The newest row")
    page = console(desk, words)
    thread = page.locator("desk-thread")
    palette = page.get_by_role("dialog", name=words("console.palette"))
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    for text in ("Keyboard, please", "The newest row"):
        expect(page.locator("conversation-list a.row", has_text=text)).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("a.row[aria-current]", has_text="The newest row")).to_be_visible()
    expect(thread.get_by_text("The newest row")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(palette).to_be_visible()
    assert_accessible(page)
    desk.shot(page, "console-palette")
    page.keyboard.type("Keyboard, please")
    expect(palette.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(palette).to_have_count(0)
    expect(page.locator("a.row[aria-current]", has_text="Keyboard, please")).to_be_visible()
    expect(thread.get_by_text("Keyboard, please")).to_be_visible()
    expect(thread.get_by_text("The newest row")).to_have_count(0)
    page.keyboard.press("r")
    expect(field).to_be_focused()
    page.keyboard.type("No mouse was used.")
    page.keyboard.press("Enter")
    expect(phone.page.locator("desk-card").get_by_text("No mouse was used.")).to_be_visible()
    expect(field).to_have_value("")
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    page.keyboard.press("n")
    note = page.get_by_role("textbox", name=words("console.noteLabel"), exact=True)
    expect(note).to_be_focused()
    page.keyboard.type("Asked about keyboards.")
    page.keyboard.press("Control+Enter")
    expect(thread.get_by_text("Asked about keyboards.")).to_be_visible()
    # Another note follows, or Escape leaves it for the page.
    expect(note).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name=words("console.keys"))
    expect(sheet).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_a_dropped_line_catches_up_without_a_reload(desk):
    words = Words("en")
    phone = write_first(desk, words, live_business(desk), "Before the gap")
    page = console(desk, words)
    page.locator("conversation-list a.row", has_text="Before the gap").click()
    expect(page.locator("desk-thread").get_by_text("Before the gap")).to_be_visible()
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator(".line-mark[data-state=offline]")).to_be_visible()
    expect(page.get_by_text(words("shared.offlineLead"))).to_be_visible()
    phone.say("During the gap")
    expect(phone.page.locator("desk-card").get_by_text("During the gap")).to_be_visible()
    desk.shot(page, "console-offline")
    page.context.set_offline(False)
    expect(page.locator("desk-thread").get_by_text("During the gap")).to_be_visible(timeout=30_000)
    expect(page.locator(".line-mark[data-state=live]")).to_be_visible(timeout=30_000)
    expect(page.get_by_text(words("shared.offlineLead"))).to_be_hidden()


@pytest.mark.parametrize("language, scheme", LOOKS)
def test_settings_are_usable_and_accessible(desk, tmp_path, language, scheme):
    words = Words(language)
    page = console(desk, words, "/settings", scheme=scheme)
    code = page.locator("entry-links img.qr").first
    expect(code).to_be_visible()
    page.wait_for_function("() => document.querySelector('entry-links img.qr').naturalWidth > 0")
    assert decode_qr(page, code, tmp_path).startswith("http://phone.test/b/")
    desk.shot(page, f"console-businesses-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("button", name=words("console.newBusiness")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label(words("console.businessName"))).to_be_visible()
    assert_accessible(page)
    dialog.get_by_label(words("console.businessName")).fill(f"Blue Shop {language}")
    dialog.get_by_role("button", name=words("console.register")).click()
    expect(page.get_by_role("heading", name=f"Blue Shop {language}", level=2)).to_be_visible()
    page.get_by_text(words("console.newLink")).click()
    page.get_by_label(words("console.linkLabel"), exact=True).fill("Returns desk")
    page.get_by_label(words("console.linkIntent"), exact=True).fill("returns")
    page.get_by_role("button", name=words("console.makeLink")).click()
    expect(page.get_by_role("heading", name="Returns desk")).to_be_visible()
    page.goto(f"{desk.phone_url}/console/settings/members")
    page.get_by_label(words("console.email")).fill(f"grace-{language}@example.com")
    page.get_by_role("button", name=words("console.invite"), exact=True).click()
    expect(page.locator(".callout code")).to_contain_text("#invite=")
    open_row = page.get_by_role("region", name=words("console.openInvitations")).get_by_role("row")
    expect(open_row.filter(has_text=f"grace-{language}@example.com")).to_have_count(1)
    desk.shot(page, f"console-members-{language}-{scheme}")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/settings/keys")
    page.get_by_label(words("console.keyName")).fill("Shop system")
    page.get_by_role("button", name=words("console.makeKey"), exact=True).click()
    expect(page.locator(".callout code")).to_contain_text("fd_")
    expect(page.locator(".key-item").first.locator(".fd-help").first).to_have_text(re.compile(r"\S"))
    desk.shot(page, f"console-keys-{language}-{scheme}")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/settings/me")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert_accessible(page)


def test_a_template_is_made_and_sent_with_a_slash(desk):
    words = Words("en")
    business = live_business(desk)
    phone = write_first(desk, words, business, "Has order 1042 been sent?")
    page = console(desk, words, "/templates")
    page.locator("#template-business").select_option(business["id"])
    page.get_by_label(words("console.templateName"), exact=True).fill("order-ready")
    page.get_by_label(words("console.templateTitle"), exact=True).fill("Order ready")
    page.get_by_role("button", name=words("console.template.json"), exact=True).click()
    editor = page.get_by_role("textbox", name=words("console.templatePayload"), exact=True)
    rows = page.locator("template-editor finding-list li")
    editor.fill('{"tpye":"text",\n"type":"text","body":"お茶 {{order}} is ready."}')
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("/tpye")
    expect(page.locator(".je-under-warning")).to_have_text(['"tpye"'])
    editor.fill('{"type":"interactive","body":"Your order {{order}}"}')
    expect(rows.filter(has_text="interactiveData").first).to_be_visible()
    desk.shot(page, "console-template-findings")
    assert_accessible(page)
    editor.fill('{"type":"text","bo}')
    expect(page.locator(".template-preview").get_by_text(words("console.notJSON"))).to_be_visible()
    editor.fill('{"type":"text",}')
    editor.evaluate("(area) => area.setSelectionRange(15, 15)")
    page.keyboard.type('"')
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options.filter(has_text="body")).to_be_visible()
    page.keyboard.press("Escape")
    editor.fill('{"type":"text","body":"Your order {{order}} is ready."}')
    expect(rows).to_have_count(0)
    page.get_by_role("button", name=words("console.saveTemplate")).click()
    # Other tests have templates too.
    made = page.get_by_role("button", name=re.compile("^Order ready"))
    expect(made).to_contain_text(words("console.version", version=1))
    desk.shot(page, "console-templates")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console")
    page.locator("conversation-list a.row", has_text="Has order 1042 been sent?").click()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.click()
    page.keyboard.press("/")
    picker = page.locator("template-picker")
    picker.get_by_text("Order ready").click()
    picker.get_by_label(words("console.template.startingOrder")).fill("1042")
    desk.shot(page, "console-template-picker")
    assert_accessible(page)
    picker.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(phone.page.locator("desk-card").get_by_text("Your order 1042 is ready.")).to_be_visible()


@pytest.mark.parametrize("more, kind", [({}, "list"), ({"sessionIdentifier": "s-1"}, "raw")])
def test_an_inserted_template_opens_the_form_that_can_say_it_all(desk, more, kind):
    words = Words("en")
    business = live_business(desk)
    question = f"Which teas are there? ({kind})"
    write_first(desk, words, business, question)
    items = [{"identifier": f"item-{number}", "title": title, "order": number - 1}
             for number, title in enumerate(("Sencha", "Hojicha"), 1)]
    desk.owner.post("/api/templates", {
        "business": business["id"], "name": f"teas-{kind}", "title": f"Teas ({kind})",
        "parameters": [{"name": "season", "label": "season", "type": "text", "required": True}],
        "payload": {"type": "interactive", "interactiveData": {
            "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
                   "com.apple.icloud.apps.messages.business.extension",
            "data": {"version": "1.0", "requestIdentifier": "teas", "listPicker": {
                "sections": [{"title": "Teas of {{season}}", "items": items}]}},
            "receivedMessage": {"title": "Choose your tea"}, **more}}}, expect=201)
    page = console(desk, words)
    page.locator("conversation-list a.row", has_text=question).click()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.click()
    page.keyboard.press("/")
    picker = page.locator("template-picker")
    picker.get_by_text(f"Teas ({kind})").click()
    picker.get_by_label("season").fill("spring")
    expect(picker.locator(".tp-preview").get_by_text("Choose your tea")).to_be_visible()
    picker.get_by_role("button", name=words("composer.template.insert"), exact=True).click()
    expect(page.locator("desk-composer")).to_have_attribute("data-kind", kind)
    expect(page.get_by_role("region", name=words(f"composer.kind.{kind}"), exact=True)).to_be_visible()
    if kind == "raw":
        expect(page.locator("json-editor textarea")).to_have_value(re.compile("Teas of spring"))
        return
    form = page.locator("list-form")
    values = form.locator("input").evaluate_all("(all) => all.map((one) => one.value)")
    assert {"Choose your tea", "Teas of spring", "Sencha", "Hojicha"} <= set(values)
    form.get_by_role("button", name=words("composer.list.addItem")).click()
    page.keyboard.type("Gyokuro")
    desk.shot(page, "console-template-in-form")
    page.locator("desk-composer").get_by_role(
        "button", name=words("composer.send"), exact=True).click()
    expect(page.locator("desk-thread").get_by_text("Choose your tea")).to_be_visible()


def test_nothing_above_the_list_is_wider_than_its_column(desk):
    write_first(desk, Words("en"), live_business(desk), "From the first column")
    page = desk.page(session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    wide = page.locator("conversation-list, .list-head, .list-head .tabs").evaluate_all(
        "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className)")
    assert wide == []


def test_the_console_on_a_phone_shows_one_column_at_a_time(desk):
    words = Words("en")
    write_first(desk, words, live_business(desk), "From a small screen")
    page = desk.page(phone=True, session=desk.owner)
    page.goto(f"{desk.phone_url}/console")
    row = page.locator("conversation-list a.row", has_text="From a small screen")
    expect(row).to_be_visible()
    desk.shot(page, "console-phone-list")
    row.click()
    expect(page.locator("conversation-list")).to_be_hidden()
    expect(page.locator("desk-thread").get_by_text("From a small screen")).to_be_visible()
    desk.shot(page, "console-phone-thread")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name=words("shared.back")).click()
    expect(row).to_be_visible()


def test_the_printed_link_makes_the_first_owner_and_a_scripted_customer_waits(desk, new_server):
    words = Words("en")
    page = desk.page()
    page.goto(f"{new_server.url}/console#setup={new_server.token('setup')}")
    expect(page.get_by_role("heading", name=words("console.account.setup"))).to_be_visible()
    assert "#" not in page.url
    assert_accessible(page)
    page.get_by_label(words("console.name")).fill("Ada")
    page.get_by_label(words("console.email")).fill("ada@example.com")
    page.get_by_label(words("console.password")).fill("short")
    page.get_by_role("button", name=words("console.account.setup.action")).click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.get_by_label(words("console.password")).fill(PASSWORD)
    page.get_by_role("button", name=words("console.account.setup.action")).click()
    row = page.locator("conversation-list a.row").first
    expect(row).to_contain_text("scripted")
    row.click()
    expect(page.locator("desk-thread li.message.is-theirs").first).to_be_visible()
    before = page.locator("desk-thread li.message.is-theirs").count()
    field = page.get_by_role("textbox", name=words("composer.text.label"), exact=True)
    field.fill("Hello! How can I help?")
    field.press("Enter")
    expect(page.locator("desk-thread li.message.is-theirs").nth(before)).to_be_visible()
    page.locator("profile-menu").get_by_role("button", name=re.compile("^Ada")).click()
    page.get_by_role("button", name=words("shared.signOut")).click()
    expect(page.get_by_role("heading", name=words("console.account.sign-in"))).to_be_visible()
    assert_accessible(page)
    page.get_by_label(words("console.email")).fill("ada@example.com")
    page.get_by_label(words("console.password")).fill("not the right password")
    page.get_by_role("button", name=words("console.account.sign-in.action")).click()
    expect(page.get_by_role("alert")).to_have_text(words("console.wrongPassword"))
    page.get_by_label(words("console.password")).fill(PASSWORD)
    page.get_by_role("button", name=words("console.account.sign-in.action")).click()
    expect(page.locator("conversation-list a.row").first).to_be_visible()
