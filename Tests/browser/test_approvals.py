"""Approvals on screen: an owner guards exports and retention, asks, is approved by another owner, and does it."""

import re

import pytest
from looks import assert_accessible
from pages import console, member
from playwright.sync_api import expect
from support.words import Words
from test_labels import LOOKS, ready


def open_panel(page, words, shop):
    """The panel of a business."""
    panel = page.locator("approvals-panel")
    panel.locator("#approvals-business").select_option(shop["id"])
    expect(panel.get_by_role("group", name=words("approvals.waiting"), exact=True)).to_be_visible()
    return panel


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_an_owner_asks_another_one_approves_and_it_is_done(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Four eyes {language} {scheme}"}, expect=201)
    path = f"/api/businesses/{shop['id']}"
    other = member(desk, f"Cleo{language}", "owner", shop["id"])
    page = ready(console(desk, words, "/settings/approvals", scheme=scheme, phone=phone))
    panel = open_panel(page, words, shop)
    expect(panel.get_by_text(words("approvals.none"), exact=True)).to_be_visible()
    for area in ("exports", "erasures"):
        panel.get_by_label(words(f"approvals.area.{area}"), exact=True).check()
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_text(words("approvals.saved"), exact=True)).to_be_visible()
    desk.shot(page, f"approvals-rules-{language}-{scheme}")
    assert_accessible(page)
    assert sorted(desk.owner.fetch(path + "/approval-rules")["areas"]) == ["erasures", "exports"]

    page.goto(f"{desk.phone_url}/console/settings/retention")
    ready(page)
    retention = page.locator("retention-panel")
    retention.locator("#retention-business").select_option(shop["id"])
    retention.get_by_label(words("retention.on"), exact=True).check()
    retention.get_by_label(words("retention.days"), exact=True).fill("90")
    save = retention.get_by_role("button", name=words("shared.save"), exact=True)
    save.click()
    page.get_by_role("button", name=words("retention.confirm"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("approvals.needed"), exact=True)
    expect(dialog).to_contain_text("90")
    reason = dialog.get_by_label(words("approvals.why"), exact=True)
    expect(reason).to_be_focused()
    reason.fill("Data protection asks for it.")
    desk.shot(page, f"approvals-needed-{language}-{scheme}")
    assert_accessible(page)
    dialog.get_by_role("button", name=words("approvals.send"), exact=True).click()
    expect(dialog).to_have_count(0)
    expect(retention.get_by_role("alert").filter(has_text=words("shared.problem.approval_needed"))).to_be_visible()
    assert desk.owner.fetch(path + "/retention")["days"] is None

    # The other owner's open console shows the number, and what is asked for and why.
    theirs = ready(console(desk, words, "", scheme=scheme, phone=phone, session=other))
    expect(theirs.get_by_role("img", name=words("console.approvalsWaiting", count=1), exact=True)).to_be_visible()
    theirs.goto(f"{desk.phone_url}/console/settings")
    ready(theirs)
    link = theirs.locator("settings-page").get_by_role("link", name=re.compile(f"^{words('console.section.approvals')}"))
    expect(link.get_by_role("img", name=words("console.approvalsWaiting", count=1), exact=True)).to_be_visible()
    assert_accessible(theirs)
    desk.shot(theirs, f"approvals-counted-{language}-{scheme}")
    theirs.goto(f"{desk.phone_url}/console/settings/approvals")
    ready(theirs)
    waiting = open_panel(theirs, words, shop).get_by_role("group", name=words("approvals.waiting"), exact=True)
    item = waiting.get_by_role("listitem")
    expect(item).to_have_count(1)
    expect(item).to_contain_text("Data protection asks for it.")
    item.get_by_role("textbox").fill("Ninety is right.")
    desk.shot(theirs, f"approvals-waiting-{language}-{scheme}")
    assert_accessible(theirs)
    assert theirs.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    item.get_by_role("button", name=words("approvals.approve"), exact=True).press("Enter")
    expect(waiting.get_by_text(words("approvals.none"), exact=True)).to_be_visible()
    earlier = theirs.get_by_role("group", name=words("approvals.earlier"), exact=True)
    expect(earlier.get_by_role("listitem").first).to_contain_text("Ninety is right.")
    desk.shot(theirs, f"approvals-earlier-{language}-{scheme}")

    # Who asked is led to where it is done, and does it.
    page.goto(f"{desk.phone_url}/console/settings/approvals")
    ready(page)
    mine = open_panel(page, words, shop).get_by_role("group", name=words("approvals.waiting"), exact=True).get_by_role("listitem")
    link = mine.get_by_role("link", name=words("approvals.open", place=words("console.section.retention")), exact=True)
    desk.shot(page, f"approvals-approved-{language}-{scheme}")
    link.click()
    retention.get_by_label(words("retention.on"), exact=True).check()
    retention.get_by_label(words("retention.days"), exact=True).fill("90")
    save.click()
    page.get_by_role("button", name=words("retention.confirm"), exact=True).click()
    expect(retention.get_by_text(words("retention.saved"), exact=True)).to_be_visible()
    assert desk.owner.fetch(path + "/retention")["days"] == 90


def test_an_export_that_waits_is_no_failed_download_and_is_saved_once_approved(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Exported with four eyes"}, expect=201)
    path = f"/api/businesses/{shop['id']}"
    other = member(desk, "Dee", "owner", shop["id"])
    desk.owner.call("PUT", path + "/approval-rules", {"areas": ["exports"]})
    page = ready(console(desk, words, "/reports"))
    page.get_by_label(words("console.business"), exact=True).select_option(shop["id"])
    download = page.get_by_role("link", name=words("reports.table.messages"), exact=True)
    download.click()
    dialog = page.get_by_role("dialog", name=words("approvals.needed"), exact=True)
    expect(dialog).to_contain_text("Export messages as CSV")
    dialog.press("Escape")
    expect(dialog).to_have_count(0)
    [asked] = other.fetch(path + "/approvals?filter%5Bstate%5D=waiting")["data"]
    other.post(f"{path}/approvals/{asked['id']}/decision", {"decision": "approve"})
    with page.expect_download() as saved:
        download.click()
    assert saved.value.suggested_filename == "messages.csv"


def test_one_owner_alone_guards_nothing_and_an_auditor_reads(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "One owner"}, expect=201)
    page = ready(console(desk, words, "/settings/approvals"))
    panel = open_panel(page, words, shop)
    panel.get_by_label(words("approvals.area.keys"), exact=True).check()
    panel.get_by_role("button", name=words("shared.save"), exact=True).click()
    expect(panel.get_by_role("alert").filter(has_text="second person")).to_be_visible()
    auditor = member(desk, "Audra", "auditor", shop["id"])
    theirs = ready(console(desk, words, "/settings/approvals", session=auditor))
    panel = open_panel(theirs, words, shop)
    expect(panel.get_by_label(words("approvals.area.keys"), exact=True)).to_be_disabled()
    expect(panel.get_by_role("button", name=words("shared.save"), exact=True)).to_have_count(0)


def test_a_key_that_was_approved_is_made_by_the_same_form(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Keys with four eyes"}, expect=201)
    path = f"/api/businesses/{shop['id']}"
    other = member(desk, "Eve", "owner", shop["id"])
    desk.owner.call("PUT", path + "/approval-rules", {"areas": ["keys"]})
    page = ready(console(desk, words, "/settings/keys"))
    page.get_by_label(words("console.keyName"), exact=True).fill("nightly")
    page.locator("#key-business").select_option(shop["id"])
    make = page.get_by_role("button", name=words("console.makeKey"), exact=True)
    make.click()
    dialog = page.get_by_role("dialog", name=words("approvals.needed"), exact=True)
    expect(dialog).to_contain_text("nightly")
    expect(dialog).to_contain_text(words("approvals.detail.expiresInDays"))
    dialog.get_by_role("button", name=words("approvals.see"), exact=True).click()
    waiting = page.get_by_role("group", name=words("approvals.waiting"), exact=True).get_by_role("listitem")
    expect(waiting).to_contain_text("nightly")
    page.go_back()
    page.get_by_label(words("console.keyName"), exact=True).fill("nightly")
    page.locator("#key-business").select_option(shop["id"])
    [asked] = other.fetch(path + "/approvals?filter%5Bstate%5D=waiting")["data"]
    other.post(f"{path}/approvals/{asked['id']}/decision", {"decision": "approve"})
    make.click()
    expect(page.locator("keys-panel .callout")).to_contain_text(words("console.secretOnce"))
    assert [one["name"] for one in desk.owner.fetch(path + "/keys")["data"]] == ["nightly"]
