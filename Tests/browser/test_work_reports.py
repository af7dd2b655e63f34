"""The page of reports: numbers of what happened, drawn, and as tables for who does not see the drawing."""

import re
import time

import pytest
from looks import assert_accessible
from pages import console, live_business, member
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words


def work(desk, answers=1):
    """A customer who writes and is answered."""
    customer = Customer(desk.server, live_business(desk)["id"])
    said = customer.say("Where is my order?")["message"]
    for _ in range(answers):
        desk.owner.post(f"/api/conversations/{said['conversation']}/messages",
                        {"v": 1, "type": "text", "body": "On its way"}, expect=201)


def counted(desk):
    """The total of the report of everything; asked again until what happened before is counted."""
    business = live_business(desk)["id"]
    head = desk.owner.fetch(f"/api/views?business={business}")["head"]
    end = time.monotonic() + 30
    while time.monotonic() < end:
        report = desk.owner.fetch(f"/api/businesses/{business}/reports")
        if report["countedUpTo"] and int(report["countedUpTo"].split("-")[1]) >= int(head.split("-")[1]):
            return report["total"]
        # Counters gather news for a quarter of a second, and reports have a rate.
        time.sleep(0.3)
    raise AssertionError(f"counted up to {report['countedUpTo']} of {head}")


def tile(page, words, name):
    """The number of a tile."""
    return page.locator(".report-tile", has=page.get_by_text(words(f"reports.{name}"), exact=True)).locator("dd").first


def csv_address(desk):
    """The address of the days as a file begins with that of the report."""
    return re.compile(rf"^/api/businesses/{live_business(desk)['id']}/reports\?.*format=csv")


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 1280), ("ja", "dark", 390)])
def test_an_owner_sees_the_numbers_of_what_happened(desk, language, scheme, width):
    words = Words(language)
    work(desk, answers=2)
    total = counted(desk)
    page = console(desk, words, "/reports", scheme=scheme,
                   viewport={"width": width, "height": 900})
    expect(tile(page, words, "received")).to_have_text(str(total["received"]))
    expect(tile(page, words, "sent")).to_have_text(str(total["sent"]))
    figure = page.locator("figure", has=page.get_by_role("heading", name=words("reports.volume"), exact=True))
    expect(figure.locator("svg rect")).to_have_count(56)
    # As they are on the screen: a drawing may be scaled.
    sizes = figure.locator("svg text").evaluate_all(
        "(texts) => texts.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)")
    assert len(sizes) > 4 and min(sizes) >= 11, sizes
    figure.get_by_text(words("reports.table")).click()
    cells = figure.locator("tbody tr").last.locator("td")
    expect(cells.first).not_to_have_text("0")
    expect(page.locator("figure").last.get_by_role("row").nth(1)).to_contain_text("Ada")
    expect(page.locator("figure").last.get_by_role("columnheader", name=words("reports.received"), exact=True)).to_have_count(0)
    expect(page.get_by_role("link", name=words("reports.csv"))).to_have_attribute("href", csv_address(desk))
    desk.shot(page, f"reports-{language}-{scheme}-{width}")
    assert_accessible(page)
    page.get_by_label(words("reports.by"), exact=True).select_option("kind")
    expect(page.locator("figure").last).to_contain_text(words("reports.cardsAnswered"))
    assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_report_of_today_is_one_of_the_periods(desk, language):
    words = Words(language)
    work(desk)
    total = counted(desk)
    page = console(desk, words, "/reports")
    with page.expect_response(lambda one: re.search(r"/reports\?from=([\d-]+)&to=\1&", one.url)) as caught:
        page.get_by_label(words("reports.period"), exact=True).select_option(label=words("reports.today"))
    assert len(caught.value.json()["rows"]) == 1
    expect(tile(page, words, "received")).to_have_text(str(total["received"]))
    figure = page.locator("figure", has=page.get_by_role("heading", name=words("reports.volume"), exact=True))
    expect(figure.locator("svg rect")).to_have_count(2)
    desk.shot(page, f"reports-today-{language}")
    assert_accessible(page)


def test_an_agent_sees_the_own_work_alone(desk):
    words = Words("en")
    work(desk)
    counted(desk)
    page = console(desk, words, "/reports", session=member(desk, "Rea"))
    expect(page.get_by_text(words("reports.ownLead"))).to_be_visible()
    expect(tile(page, words, "sent")).to_have_text("0")
    # What customers begin and write belongs to no agent: a nought would be wrong.
    for name in ("begun", "received"):
        expect(page.locator("reports-page").get_by_text(words(f"reports.{name}"), exact=True)).to_have_count(0)
    expect(page.get_by_label(words("reports.by"), exact=True)).to_have_count(0)
    expect(page.locator("figure").last).to_contain_text(words("reports.nothing"))
    assert_accessible(page)
