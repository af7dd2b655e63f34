"""The audit log: owners see who changed what, by person and day; agents read that owners do."""

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.words import Words


def type_day(field, text):
    """Types a day into a field, and leaves it."""
    field.fill(text)
    field.press("Tab")


def panel_of(page):
    """The list of changes."""
    return page.locator("audit-panel .audit-list li")


def with_size(url, size):
    """The address of a list with pages of another size; scripts of the same name stay as they are."""
    if "/api/" not in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}page%5Bsize%5D={size}"


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_an_owner_sees_who_changed_what_and_narrows_it_to_a_person_and_a_day(desk, language, scheme, phone):
    words = Words(language)
    business = live_business(desk)
    label = f"Audited {language}"
    member(desk, f"Bo{language}")
    desk.owner.post(f"/api/businesses/{business['id']}/labels", {"name": label, "colour": "#cc0000"}, 201)
    page = console(desk, words, "/settings/audit", scheme=scheme, phone=phone)
    saved = words("audit.kind.label_saved", author="Ada", subject=label)
    expect(panel_of(page).filter(has_text=saved)).to_have_count(1)
    joined = words("audit.kind.session_begun", subject=f"Bo{language}")
    expect(panel_of(page).filter(has_text=joined)).not_to_have_count(0)
    desk.shot(page, f"settings-audit-{language}")
    assert_accessible(page)
    person = page.get_by_label(words("audit.person"), exact=True)
    person.select_option(label=f"Bo{language}")
    expect(panel_of(page).filter(has_text=saved)).to_have_count(0)
    expect(panel_of(page).filter(has_text=joined)).not_to_have_count(0)
    person.select_option(label=words("audit.everyone"))
    since, until = (page.get_by_label(words(f"audit.{one}"), exact=True) for one in ("from", "to"))
    type_day(since, "2031-01-01")
    expect(page.get_by_text(words("audit.none"), exact=True)).to_be_visible()
    type_day(until, "2030-01-01")
    expect(page.get_by_role("alert").filter(has_text=words("audit.badSpan"))).to_be_visible()
    type_day(since, "no day")
    expect(page.get_by_role("alert").filter(has_text=words("console.snooze.noDay"))).to_be_visible()
    type_day(since, "2020-01-01")
    expect(panel_of(page).filter(has_text=saved)).to_have_count(1)
    type_day(until, "2021-01-01")
    expect(panel_of(page).filter(has_text=saved)).to_have_count(0)
    expect(page.get_by_text(words("audit.none"), exact=True)).to_be_visible()
    type_day(until, "")
    expect(panel_of(page).filter(has_text=saved)).to_have_count(1)


def test_the_next_page_of_changes_is_read_by_a_button_and_an_agent_sees_none(desk):
    words = Words("en")
    path = f"/api/businesses/{live_business(desk)['id']}/labels"
    made = desk.owner.post(path, {"name": "Many changes", "colour": "#cc0000"}, 201)
    for place in range(5):
        desk.owner.call("PATCH", f"{path}/{made['id']}", {"order": place})
    page = desk.page(session=desk.owner)
    page.route("**/audit*", lambda route: route.continue_(url=with_size(route.request.url, 3)))
    page.goto(f"{desk.phone_url}/console/settings/audit")
    expect(panel_of(page)).to_have_count(3)
    page.get_by_role("button", name=words("console.more"), exact=True).click()
    expect(panel_of(page)).to_have_count(6)
    page = console(desk, words, "/settings/audit", session=member(desk, "Cy"))
    expect(page.get_by_text(words("audit.forbidden"), exact=True)).to_be_visible()
    expect(page.locator("audit-panel :is(button, input)")).to_have_count(0)
    assert_accessible(page)


def test_the_days_that_were_asked_for_stay_when_another_business_is_chosen(desk):
    words = Words("en")
    other = desk.owner.post("/api/businesses", {"name": "Asked as well", "mode": "test"}, 201)
    desk.owner.post(f"/api/businesses/{other['id']}/labels", {"name": "Asked", "colour": "#cc0000"}, 201)
    page = console(desk, words, "/settings/audit")
    since = page.get_by_label(words("audit.from"), exact=True)
    person = page.get_by_label(words("audit.person"), exact=True)
    type_day(since, "2031-01-01")
    person.select_option(label="Ada")
    shown = since.input_value()
    page.locator("#audit-business").select_option(other["id"])
    expect(page.get_by_text(words("audit.none"), exact=True)).to_be_visible()
    expect(since).to_have_value(shown)
    expect(person.locator("option:checked")).to_have_text("Ada")
    type_day(since, "2020-01-01")
    expect(panel_of(page).first).to_be_visible()
