"""Settings offer what the role may do and explain every refusal in a sentence; links are copied as addresses."""

import re

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.server import PASSWORD
from support.words import Words


def test_copying_an_entry_link_copies_its_address_alone(desk):
    words = Words("en")
    page = console(desk, words, "/settings")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    fields = page.locator("entry-links .link-card").first.locator(".copy-field")
    link = fields.filter(has_text=words("console.linkText")).first
    shown = link.locator("code").inner_text()
    assert re.fullmatch(r"http://phone\.test/b/[0-9a-f-]{36}", shown), shown
    # Without a secure context there is no clipboard to read: the copied text is pasted into a field.
    link.get_by_role("button", name=words("shared.copy"), exact=True).click()
    expect(link.get_by_role("button")).to_have_text(words("shared.copied"))
    page.get_by_label(words("console.businessName"), exact=True).fill("")
    page.get_by_label(words("console.businessName"), exact=True).focus()
    page.keyboard.press("Control+v")
    expect(page.get_by_label(words("console.businessName"), exact=True)).to_have_value(shown)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_files_of_a_code_are_called_as_its_link_is(desk, language):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Printed {language}"}, 201)
    desk.owner.post(f"/api/businesses/{shop['id']}/links", {"label": "Shop window"}, 201)
    page = console(desk, words, "/settings")
    page.locator(".business-card", has_text=shop["name"]).click()
    for title in (shop["name"], "Shop window"):
        for kind in ("svg", "png"):
            link = page.locator("entry-links").get_by_role(
                "link", name=words("console.qrDownload", title=title, words=words(f"console.qr.{kind}")), exact=True)
            expect(link).to_have_text(words(f"console.qr.{kind}"))
            expect(link).to_have_attribute("download", f"{title}.{kind}")


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_new_entry_link_is_next_to_be_copied(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Linked {language}"}, 201)
    page = console(desk, words, "/settings/businesses#entry-links", scheme=scheme, phone=phone)
    links = page.locator("entry-links")
    expect(links.get_by_role("heading", name=words("console.entryLinks"), exact=True)).to_be_in_viewport()
    page.locator(".business-card", has_text=shop["name"]).click()
    expect(links.locator(".link-card")).to_have_count(1)
    links.get_by_text(words("console.newLink"), exact=True).click()
    page.get_by_label(words("console.linkLabel"), exact=True).fill("Shop window")
    page.get_by_label(words("console.linkIntent"), exact=True).fill("returns")
    links.get_by_role("button", name=words("console.makeLink"), exact=True).click()
    made = links.locator(".link-card", has_text="Shop window")
    expect(made.get_by_role("button", name=words("shared.copy"), exact=True).first).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    desk.shot(page, f"entry-links-{language}")
    assert_accessible(page)


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_an_agent_is_offered_what_an_agent_may_do(desk, language, scheme):
    words = Words(language)
    bo = member(desk, f"Bo{language}")
    page = console(desk, words, "/settings", session=bo, scheme=scheme)
    expect(page.get_by_text(words("console.onlyOwners.business"))).to_be_visible()
    expect(page.locator("entry-links img.qr").first).to_be_visible()
    for name in ("console.newBusiness", "shared.save", "console.makeLink", "shared.delete"):
        expect(page.get_by_role("button", name=words(name), exact=True)).to_have_count(0)
    expect(page.locator(".business-card.is-new")).to_have_count(0)
    expect(page.get_by_text(words("console.newLink"))).to_have_count(0)
    desk.shot(page, f"settings-agent-businesses-{language}")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/settings/members")
    expect(page.locator("members-panel tbody tr", has_text="ada@example.com")).to_be_visible()
    expect(page.get_by_text(words("console.onlyOwners.members"))).to_be_visible()
    for name in ("console.invite", "console.remove"):
        expect(page.get_by_role("button", name=words(name))).to_have_count(0)
    expect(page.locator("members-panel button")).to_have_count(0)
    desk.shot(page, f"settings-agent-members-{language}")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/settings/keys")
    expect(page.get_by_text(words("console.onlyOwners.keys"))).to_be_visible()
    expect(page.locator("keys-panel :is(button, input, select)")).to_have_count(0)
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/console/settings/gateway")
    expect(page.get_by_text(words("gateway.onlyOwners"))).to_be_visible()
    assert_accessible(page)


def test_an_owner_of_one_business_and_agent_of_another_sees_the_difference(desk):
    words = Words("en")
    cy = member(desk, "Cy", role="owner")
    own = cy.post("/api/businesses", {"name": "Cy's own"}, expect=201)
    business = live_business(desk)
    desk.owner.call("PATCH", f"/api/businesses/{business['id']}/members/{cy.member}", {"role": "agent"})
    cy.post("/api/session", {"email": cy.address, "password": "seven green lanterns in a row"})
    page = console(desk, words, "/settings/members", session=cy)
    choose = page.locator("#member-business")
    choose.select_option(own["id"])
    expect(page.get_by_role("button", name=words("console.invite"), exact=True)).to_be_visible()
    choose.select_option(business["id"])
    expect(page.get_by_text(words("console.onlyOwners.members"))).to_be_visible()
    expect(page.get_by_role("button", name=words("console.invite"), exact=True)).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/settings")
    cards = page.locator("businesses-panel")
    cards.get_by_role("button", name="Cy's own").click()
    expect(page.get_by_role("button", name=words("shared.save"), exact=True)).to_be_visible()
    cards.get_by_role("button", name=business["name"], exact=True).click()
    expect(page.get_by_text(words("console.onlyOwners.business"))).to_be_visible()
    expect(page.get_by_role("button", name=words("shared.save"), exact=True)).to_have_count(0)
    page.goto(f"{desk.phone_url}/console/settings/keys")
    expect(page.locator("#key-business option")).to_have_text(["Cy's own"])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_refusal_is_shown_and_nothing_fails_silently(desk, language):
    words = Words(language)
    dee = member(desk, f"Dee{language}")
    page = console(desk, words, "/settings/members")
    row = page.locator("members-panel tbody tr", has_text=dee.address)
    remove = row.get_by_role("button")
    refusal = {"type": "/docs/problems/forbidden", "title": "Not allowed", "status": 403,
               "detail": "Only a signed-in owner of this business may do this. You are an agent here: ask an owner.",
               "code": "forbidden"}
    said = refusal["detail"] if language == "en" else words("shared.problem.forbidden")
    page.route(f"**/members/{dee.member}", lambda route: route.fulfill(
        status=403, content_type="application/problem+json", json=refusal))
    remove.click()
    page.get_by_role("dialog").get_by_role("button", name=words("console.remove"), exact=True).click()
    alert = page.locator("members-panel [role=alert]").filter(has_text=said)
    expect(alert).to_be_visible()
    desk.shot(page, f"settings-refused-{language}")
    assert_accessible(page)
    page.unroute(f"**/members/{dee.member}")
    remove.click()
    # What goes with the person is said before.
    question = words("roles.removeQuestion", name=f"Dee{language}", business=live_business(desk)["name"])
    expect(page.get_by_role("dialog", name=question, exact=True)).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name=words("console.remove"), exact=True).click()
    expect(row).to_have_count(0)
    expect(alert).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_password_that_is_refused_is_explained(desk, new_server, language):
    words = Words(language)
    page = desk.page(language=language)
    page.goto(f"{new_server.url}/console#setup={new_server.token('setup')}")
    page.get_by_label(words("console.name")).fill("Ada")
    page.get_by_label(words("console.email")).fill("ada@example.com")
    password = page.get_by_label(words("console.password"))
    send = page.get_by_role("button", name=words("console.account.setup.action"))
    alert = page.get_by_role("alert")
    for typed, said in [
            ("short", words("console.password.short", least=15, count=5)),
            ("a 🫖 " * 80, words("console.password.long", most=256, count=320)),
            ("abcabcabcabcabcabc", words("console.password.weak")),
            ("ada@example.com1", words("console.password.weak"))]:
        password.fill(typed)
        send.click()
        expect(alert).to_have_text(said)
        expect(password).to_be_focused()
        expect(password).to_have_attribute("aria-invalid", "true")
    desk.shot(page, f"password-{language}")
    assert_accessible(page)
    password.fill(PASSWORD)
    send.click()
    expect(page.locator("conversation-list a.row").first).to_be_visible()


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_settings_have_one_measure_and_controls_of_one_height(desk, language, scheme, phone):
    words = Words(language)
    sizes = "(all) => all.map((one) => one.getBoundingClientRect())"
    # One that is listed: its buttons are pressed by finger on a phone, and are higher there.
    desk.owner.post("/api/keys", {"name": f"Measured {language}", "businesses": [live_business(desk)["id"]], "scopes": ["read"]}, 201)
    for section in ("businesses", "members", "keys", "gateway", "me"):
        page = console(desk, words, f"/settings/{section}", scheme=scheme, phone=phone)
        cards = page.locator(".settings-card")
        expect(cards.first).to_be_visible()
        assert all(box["width"] <= 640 for box in cards.evaluate_all(sizes)), section
        controls = page.locator(".settings-main :is(input.fd-input, select.fd-input, .fd-button, .colour):not(.key-item *):visible")
        heights = {round(box["height"]) for box in controls.evaluate_all(sizes)}
        assert heights <= {36}, f"{section}: {heights}"
        if section == "keys":
            listed = page.locator(".key-item .fd-button:visible")
            expect(listed.first).to_be_visible()
            assert {round(box["height"]) for box in listed.evaluate_all(sizes)} == {44 if phone else 36}
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, section
        desk.shot(page, f"settings-{section}-{language}-{scheme}")
        assert_accessible(page)
        page.close()


def test_an_empty_field_is_named_by_the_page_and_not_by_the_browser(desk):
    words = Words("en")
    page = console(desk, words, "/settings/members")
    email = page.get_by_label(words("console.email"), exact=True)
    page.get_by_role("button", name=words("console.invite"), exact=True).click()
    expect(page.locator("members-panel form [role=alert]")).to_have_text(
        words("console.fillIn", label=words("console.email")))
    expect(email).to_be_focused()
    expect(email).to_have_attribute("aria-invalid", "true")
    email.fill("new@example.com")
    page.get_by_role("button", name=words("console.invite"), exact=True).click()
    expect(page.get_by_text(words("console.invitationLead", email="new@example.com"))).to_be_visible()


def test_a_picture_is_chosen_by_keyboard_and_its_name_is_shown(desk):
    words = Words("en")
    page = console(desk, words, "/settings")
    with page.expect_file_chooser() as chooser:
        page.get_by_label(words("console.picture"), exact=True).press("Enter")
    chooser.value.set_files({"name": "shop.png", "mimeType": "image/png", "buffer": b"x"})
    expect(page.get_by_text("shop.png", exact=True)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_password_can_be_looked_at_and_says_what_goes_wrong_unseen(desk, language):
    words = Words(language)
    page = desk.page(language=language)
    page.goto(f"{desk.phone_url}/console")
    password = page.get_by_label(words("console.password"), exact=True)
    password.fill("seven green")
    eye = page.get_by_role("button", name=words("console.password.show"), exact=True)
    password.press("Tab")
    expect(eye).to_be_focused()
    eye.press("Enter")
    expect(password).to_have_attribute("type", "text")
    expect(eye).to_have_attribute("aria-pressed", "true")
    desk.shot(page, f"password-shown-{language}")
    assert_accessible(page)
    eye.press("Enter")
    expect(password).to_have_attribute("type", "password")
    password.evaluate("""(field) => field.dispatchEvent(new KeyboardEvent("keydown", { key: "A", modifierCapsLock: true, bubbles: true }))""")
    expect(page.get_by_text(words("console.password.capsLock"))).to_be_visible()
    password.evaluate("""(field) => field.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }))""")
    expect(page.get_by_text(words("console.password.capsLock"))).to_have_count(0)


def test_the_parts_of_the_settings_stay_in_view_and_each_begins_at_its_top(desk):
    words = Words("en")
    page = console(desk, words, "/settings/gateway")
    page.set_viewport_size({"width": 1280, "height": 500})
    page.reload()
    parts = page.get_by_role("navigation", name=words("console.settings"), exact=True)
    gateway = parts.get_by_role("link", name=words("console.section.gateway"), exact=True)
    expect(gateway).to_be_in_viewport(ratio=1)
    page.get_by_role("region", name=words("gateway.upstream"), exact=True).get_by_role("button").scroll_into_view_if_needed()
    expect(gateway).to_be_in_viewport(ratio=1)
    parts.get_by_role("link", name=words("console.section.me"), exact=True).click()
    expect(page.get_by_role("heading", name=words("console.section.me"), level=1)).to_be_in_viewport(ratio=1)
    expect(parts.get_by_role("link", name=words("console.section.me"), exact=True)).to_be_in_viewport(ratio=1)


def test_who_lists_pages_for_the_widget_and_leaves_it_off_reads_so(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Not yet in pages"}, 201)
    page = console(desk, words, "/settings/widget")
    page.locator("#widget-business").select_option(shop["id"])
    panel = page.locator("widget-panel")
    panel.get_by_label(words("widget.origins"), exact=True).fill("https://shop.example")
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_text(words("widget.savedOff"), exact=True)).to_be_visible()
    panel.get_by_label(words("widget.on"), exact=True).check()
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_text(words("widget.saved"), exact=True)).to_be_visible()


@pytest.mark.every_language
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_part_of_the_settings_has_the_name_in_the_navigation_that_its_page_has(desk, language):
    words = Words(language)
    page = console(desk, words, "/settings/businesses")
    expect(page.locator(".settings-main h1")).to_be_visible()
    names = page.locator(".settings-nav a").all_inner_texts()
    assert words("console.section.hours") in names
    for name in names:
        page.locator(".settings-nav").get_by_role("link", name=name, exact=True).click()
        expect(page.locator(".settings-main h1")).to_have_text(name)
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight).map((one) => one.textContent)"
    assert page.locator(".settings-nav a").evaluate_all(cut) == []
    # Who looks for automatic answers writes it, not hours.
    page.keyboard.press("Control+k")
    page.keyboard.type({"en": "automatic", "ja": "自動応答"}[language])
    expect(page.get_by_role("dialog", name=words("console.palette")).get_by_role("option", name=words("console.section.hours"))).to_be_visible()


@pytest.mark.parametrize("width", [1280, 900])
def test_what_is_said_after_a_change_stands_on_no_link_of_the_settings(desk, width):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Said beside"}, expect=201)
    page = console(desk, words, "/settings/hours", viewport={"width": width, "height": 600})
    page.locator("#hours-business").select_option(shop["id"])
    page.get_by_role("button", name=words("hours.set"), exact=True).click()
    page.locator("#hours-zone").press("Enter")
    toast = page.locator(".fd-toast").last
    expect(toast).to_contain_text(words("hours.saved"))
    place, nav = toast.bounding_box(), page.locator(".settings-nav").bounding_box()
    assert place["x"] >= nav["x"] + nav["width"]
    assert place["x"] + place["width"] <= width and place["y"] + place["height"] <= 600
    # What it stands on can be moved from below it.
    save = page.locator("automatic-answers").get_by_role("button", name=words("shared.save"), exact=True)
    save.evaluate("""(node) => {
      for (let part = node; part; part = part.parentElement) part.scrollTop = part.scrollHeight;
    }""")
    below = save.bounding_box()
    assert below["y"] + below["height"] <= place["y"]


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark")])
def test_on_a_phone_the_settings_are_a_list_of_their_parts_and_each_part_has_the_way_back(desk, language, scheme):
    words = Words(language)
    page = console(desk, words, scheme=scheme, phone=True)
    page.locator(".side-places").get_by_role("link", name=words("console.settings"), exact=True).click()
    parts, back = page.locator(".settings-nav"), page.locator(".settings-main").get_by_role("link", name=words("console.settings.all"), exact=True)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(words("console.settings"))
    expect(page.locator(".settings-main")).to_be_hidden()
    expect(parts.locator("[aria-current]")).to_have_count(0)
    assert min(box["height"] for box in (one.bounding_box() for one in parts.get_by_role("link").all())) >= 44
    assert_accessible(page)
    desk.shot(page, f"settings-list-{language}-{scheme}")
    last = parts.get_by_role("link", name=words("console.section.audit"), exact=True)
    last.click()
    expect(heading).to_have_text(words("console.section.audit"))
    expect(parts).to_be_hidden()
    expect(page.locator(".settings-main")).to_be_focused()
    assert heading.bounding_box()["y"] < 120
    assert_accessible(page)
    # The way back leads to where one was, and so does the browser's.
    back.click()
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport(ratio=1)
    last.press("Enter")
    expect(heading).to_have_text(words("console.section.audit"))
    page.go_back()
    expect(last).to_be_focused()
    # Turned, or enlarged no more, there is room for both.
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".settings-main h1")).to_have_text(words("console.section.businesses"))
    expect(parts.locator("[aria-current=page]")).to_have_text(words("console.section.businesses"))
    expect(back).to_be_hidden()


def test_on_a_phone_what_is_half_filled_in_a_part_of_the_settings_is_not_lost_by_the_way_back(desk):
    words = Words("en")
    page = console(desk, words, "/settings/labels", phone=True)
    page.locator("labels-panel form").last.get_by_role("textbox").fill("Half a name")
    page.get_by_role("link", name=words("console.settings.all"), exact=True).click()
    asked = page.get_by_role("dialog", name=words("console.unsaved"))
    asked.get_by_role("button", name=words("shared.cancel"), exact=True).click()
    expect(page.locator("labels-panel form").last.get_by_role("textbox")).to_have_value("Half a name")
    page.get_by_role("link", name=words("console.settings.all"), exact=True).click()
    asked.get_by_role("button", name=words("console.unsaved.leave"), exact=True).click()
    expect(page.locator(".settings-nav")).to_be_visible()


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", True)])
def test_a_key_of_several_businesses_is_revoked_for_one_or_for_all_and_the_question_says_which(desk, language, phone):
    words = Words(language)
    shops = {name: desk.owner.post("/api/businesses", {"name": f"{name} {language}"}, expect=201) for name in ("Tea", "Cups", "Spoons")}
    key = desk.owner.post("/api/keys", {"name": "Shared", "businesses": [one["id"] for one in shops.values()], "scopes": ["read"]}, expect=201)["key"]["id"]
    page = console(desk, words, "/settings/keys", phone=phone)
    row = page.locator(f".key-item[data-key='{key}']")
    tea = shops["Tea"]["name"]
    row.get_by_role("button", name=words("keys.revokeFor", name="Shared", business=tea), exact=True).click()
    asked = page.get_by_role("dialog")
    for shop in shops.values():
        expect(asked.get_by_text(shop["name"])).to_be_visible()
    assert_accessible(page)
    asked.get_by_role("button", name=words("console.revoke"), exact=True).click()
    expect(row.get_by_text(tea)).to_have_count(0)

    def businesses():
        return [one["businesses"] for one in desk.owner.fetch("/api/keys")["data"] if one["id"] == key]
    left = [shops["Cups"]["id"], shops["Spoons"]["id"]]
    [now] = businesses()
    assert sorted(now) == sorted(left)
    row.get_by_role("button", name=words("keys.revokeEverywhereOf", name="Shared"), exact=True).click()
    expect(asked).to_contain_text(shops["Cups"]["name"])
    expect(asked).to_contain_text(shops["Spoons"]["name"])
    asked.get_by_role("button", name=words("console.revoke"), exact=True).click()
    # What it was used for is still there to be looked at.
    expect(row.locator(".key-tag.is-warn")).to_contain_text(words("keys.revoked", time="").strip())
    expect(row.get_by_role("button")).to_have_text([words("keys.requests")])
    assert [one["revokedAt"] for one in desk.owner.fetch("/api/keys")["data"] if one["id"] == key] != [None]
