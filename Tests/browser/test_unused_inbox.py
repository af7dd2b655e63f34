"""An inbox in which there is nothing to open: what it says to those who wait for the first customer, and later."""

import pytest
from looks import assert_accessible
from pages import console, inbox_view, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

pytestmark = pytest.mark.every_language


def new_shop(desk, name):
    """A business to which no customer has written."""
    return desk.owner.post("/api/businesses", {"name": name, "mode": "live"}, expect=201)["id"]


@pytest.mark.parametrize("language, phone", [("en", False), ("ja", False), ("en", True), ("ja", True)])
def test_an_agent_who_is_the_first_at_work_reads_what_will_happen(desk, language, phone):
    words = Words(language)
    shop = new_shop(desk, f"Unwritten {language} {phone}")
    page = console(desk, words, session=member(desk, f"First-{language}-{phone}", business=shop), phone=phone)
    said, pane = page.locator("conversation-list .list-status"), page.locator(".empty-view")
    expect(said).to_have_text(words("console.none.ever"))
    if not phone:
        expect(pane.get_by_role("heading", name=words("console.noneYet"), exact=True)).to_be_visible()
        expect(pane).to_contain_text(words("console.noneYetLead"))
    expect(page.get_by_text(words("console.pickOne"), exact=True)).to_have_count(0)
    # In each list, and not that there is something to choose in another one.
    inbox_view(page, words, "mine").click()
    expect(page.get_by_role("heading", name=words("console.view.mine"), exact=True)).to_be_visible()
    expect(said).to_have_text(words("console.none.ever"))
    desk.shot(page, f"unused-inbox-{language}-{390 if phone else 1280}")
    assert_accessible(page)
    inbox_view(page, words, "all").click()
    Customer(desk.server, shop).say("The very first")
    expect(page.locator("conversation-list a.row")).to_contain_text("The very first")
    expect(said).to_be_empty()
    if not phone:
        expect(pane.get_by_role("heading", name=words("console.pickOne"), exact=True)).to_be_visible()


def test_a_list_that_is_empty_later_does_not_ask_to_pick_from_it(desk):
    words = Words("en")
    shop = new_shop(desk, "Written to once")
    page = console(desk, words, session=member(desk, "Later", business=shop))
    pane, said = page.locator(".empty-view"), page.locator("conversation-list .list-status")
    expect(pane.get_by_role("heading", name=words("console.noneYet"), exact=True)).to_be_visible()
    inbox_view(page, words, "closed").click()
    # Not in the list that is shown: the page knows it by its event.
    conversation = Customer(desk.server, shop).say("Somewhere else")["message"]["conversation"]
    expect(said).to_have_text(words("console.none.closed"))
    expect(pane.get_by_role("heading", name=words("console.emptyList"), exact=True)).to_be_visible()
    inbox_view(page, words, "all").click()
    expect(pane.get_by_role("heading", name=words("console.pickOne"), exact=True)).to_be_visible()
    desk.owner.call("PATCH", f"/api/conversations/{conversation}", {"state": "closed"})
    expect(pane.get_by_role("heading", name=words("console.emptyList"), exact=True)).to_be_visible()
    expect(said).to_have_text(words("console.none.all"))
    page.reload()
    expect(pane.get_by_role("heading", name=words("console.emptyList"), exact=True)).to_be_visible()


def test_who_only_reads_is_not_asked_to_answer(desk):
    words = Words("en")
    shop = new_shop(desk, "Read only")
    page = console(desk, words, session=member(desk, "Reader", "auditor", business=shop))
    pane = page.locator(".empty-view")
    expect(pane.get_by_role("heading", name=words("console.noneYet"), exact=True)).to_be_visible()
    expect(pane).to_contain_text(words("console.noneYetRead"))
    expect(pane).not_to_contain_text("answer")


def test_of_two_businesses_the_one_that_is_shown_counts(desk):
    words = Words("en")
    shop = new_shop(desk, "Unwritten beside another")
    Customer(desk.server, live_business(desk)["id"]).say("In the other one")
    page = console(desk, words)
    expect(page.locator("conversation-list a.row").first).to_be_visible()
    page.locator(f"inbox-nav [data-business='{shop}']").click()
    expect(page.locator(".empty-view").get_by_role("heading", name=words("console.noneYet"), exact=True)).to_be_visible()
    expect(page.locator("conversation-list .list-status")).to_have_text(words("console.none.ever"))
