"""The frame around every page of the console: its font, its weight, its parts."""

import re

import pytest
from looks import assert_accessible
from pages import console, inbox_view
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words

# The first load of a page, as it crosses the wire with all fonts, in bytes.
FIRST_LOAD = 300_000
# Scripts and style sheets of a page, those of its first look included that are loaded when they are needed.
MOST_FILES = 24
LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter((font) => font.status === 'loaded').map((font) => `${font.family} ${font.weight}`);
}"""
TRANSFERRED = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter((one) => !one.name.includes('/api/')).reduce((sum, one) => sum + one.encodedBodySize, 0)"""
# Scripts and style sheets that the server was asked for, and all of them.
ASKED_AND_LOADED = """() => {
  const files = performance.getEntriesByType('resource').filter((one) => /\\.(js|css)$/.test(one.name));
  const names = (found) => found.map((one) => one.name);
  return [names(files.filter((one) => one.transferSize > 0)), names(files)];
}"""
# The server packs its files just after its start; a page that comes before gets some unpacked.
MOST_LOADS = 20


def first_load(desk, path):
    """A page opened by a browser that knows nothing of it yet."""
    if path == "console":
        page = console(desk, Words("en"))
        expect(page.locator("conversation-list a.row").first).to_be_visible()
    else:
        page = desk.page()
        page.goto(f"{desk.phone_url}/sandbox#key={desk.sandbox_key}")
        expect(page.locator("join-code img")).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.parametrize("path", ["console", "sandbox"])
def test_the_first_load_is_small_and_its_letters_are_the_shipped_ones(desk, path):
    for _ in range(MOST_LOADS):
        page = first_load(desk, path)
        transferred = page.evaluate(TRANSFERRED)
        if transferred < FIRST_LOAD:
            break
        # What it got unpacked it would keep.
        desk.forget(page)
    loaded = page.evaluate(LOADED)
    assert {f"Inter {weight}" for weight in (400, 500, 600)} <= set(loaded), loaded
    print(f"note: the first load of /{path} is {transferred} bytes")
    assert 100_000 < transferred < FIRST_LOAD


@pytest.mark.parametrize("path", ["console", "sandbox"])
def test_a_page_opened_again_gets_none_of_its_files_from_the_server(desk, path):
    page = first_load(desk, path)
    page.reload()
    page.wait_for_load_state("networkidle")
    asked, loaded = page.evaluate(ASKED_AND_LOADED)
    # Of a far server each round of requests is waited for.
    assert 3 < len(loaded) <= MOST_FILES, loaded
    assert not asked, asked


def test_a_page_has_its_words_from_a_node_of_a_version_that_has_no_parts(desk):
    page = desk.page(session=desk.owner)
    asked = []
    page.route("**/console/main/i18n/*", lambda route: (asked.append(route.request.url), route.fulfill(status=404)))
    page.goto(f"{desk.phone_url}/console")
    expect(page.get_by_role("link", name=Words("en")("shared.place.sandbox"), exact=True)).to_be_visible()
    expect(page.get_by_role("searchbox", name=Words("en")("console.search"), exact=True)).to_be_visible()
    assert asked


def test_every_json_answer_that_a_page_gets_is_held_against_the_contract(desk):
    page = first_load(desk, "console")
    paths = {answer.path for answer in desk.answers}
    assert {"/api/session", "/api/conversations"} <= paths, paths
    assert not desk.check_answers()
    page.evaluate("keepAnswer('GET', '/api/session', 200, 'application/json', '{}')")
    [fault] = desk.check_answers()
    assert fault.startswith("GET /api/session 200: "), fault


def test_settings_and_profile_stay_in_view_however_many_views_there_are(desk):
    words = Words("en")
    for number in range(8):
        desk.owner.post("/api/businesses", {"name": f"Branch {number}", "mode": "test"}, expect=201)
    page = console(desk, words, viewport={"width": 1280, "height": 620})
    views = page.locator("inbox-nav")
    expect(views.get_by_text("Branch 7", exact=True)).to_be_attached()
    expect(views.get_by_text("Branch 7", exact=True)).not_to_be_in_viewport()
    expect(page.locator(".side-places").get_by_text(words("console.settings"), exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("profile-menu button").first).to_be_in_viewport(ratio=1)
    views.get_by_text("Branch 7", exact=True).scroll_into_view_if_needed()
    expect(views.get_by_text("Branch 7", exact=True)).to_be_in_viewport()
    expect(page.locator("profile-menu button").first).to_be_in_viewport(ratio=1)


def test_no_view_is_cut_off_by_a_number_of_two_digits(desk):
    words = Words("en")
    shop = desk.owner.post("/api/businesses", {"name": "Numbers", "mode": "test"}, expect=201)
    desk.owner.call("PUT", f"/api/businesses/{shop['id']}/service-levels", {"firstAnswer": {"none": 5}, "nextAnswer": {}, "clock": "always", "warningMinutes": 15})
    for number in range(10):
        Customer(desk.server, shop["id"]).say(f"Question {number}")
    page = console(desk, words, f"?business={shop['id']}")
    expect(inbox_view(page, words, "due").locator(".nav-number")).to_have_text("10")
    cut = page.locator("[data-view] .nav-words").evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)")
    assert cut == []


def test_a_long_name_of_a_business_does_not_widen_the_navigation(desk):
    name = "The shop with the long name"
    desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201)
    page = console(desk, Words("en"))
    expect(page.locator("inbox-nav").get_by_role("button", name=name)).to_be_visible()
    assert page.locator(".navigation").evaluate("nav => nav.scrollWidth - nav.clientWidth") == 0


@pytest.mark.parametrize("language, scheme, phone", [("en", "light", False), ("ja", "dark", True)])
def test_a_document_and_an_address_that_has_none_are_pages(desk, language, scheme, phone):
    words = Words(language)
    page = desk.page(language=language, scheme=scheme, phone=phone)
    page.goto(f"{desk.phone_url}/docs/rules/unknown-key")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^unknown-key: "))
    expect(page.get_by_role("table").get_by_role("cell", name="strict", exact=True)).to_be_visible()
    desk.shot(page, f"document-{language}-{scheme}")
    assert_accessible(page)
    page.goto(f"{desk.phone_url}/docs")
    expect(page).to_have_url(re.compile("/docs/$"))
    page.locator("main").get_by_role("link", name="The API", exact=True).click()
    expect(page).to_have_url(re.compile("/docs/api$"))
    page.get_by_role("link", name=words("docs.anchor", title="4. A bot"), exact=True).click()
    expect(page).to_have_url(re.compile("/docs/api#4-a-bot$"))
    expect(page.get_by_role("heading", name="4. A bot")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    desk.shot(page, f"document-api-{language}-{scheme}")
    assert_accessible(page)
    page.get_by_role("link", name=words("docs.index"), exact=True).click()
    page.locator("main").get_by_role("link", name="Rules", exact=True).click()
    expect(page).to_have_url(re.compile("/docs/rules/$"))
    page.get_by_role("link", name="unknown-key", exact=True).first.click()
    expect(page).to_have_url(re.compile("/docs/rules/unknown-key$"))
    page.goto(f"{desk.phone_url}/nothing")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("docs.missing.title"))
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    desk.shot(page, f"missing-{language}-{scheme}")
    assert_accessible(page)
    page.locator("main").get_by_role("link", name=words("shared.place.sandbox"), exact=True).click()
    expect(page).to_have_url(re.compile("/sandbox$"))


BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def test_the_profile_menu_switches_theme_and_language_for_every_page(desk):
    words, japanese = Words("en"), Words("ja")
    page = desk.page(scheme="light")
    page.goto(f"{desk.phone_url}/sandbox#key={desk.sandbox_key}")
    expect(page.locator("join-code img")).to_be_visible()
    light = page.evaluate(BACKGROUND)
    menu = page.locator("profile-menu")
    menu.get_by_role("button", name=words("shared.display"), exact=True).press("Enter")
    assert_accessible(page)
    menu.get_by_role("button", name=words("shared.theme.dark"), exact=True).click()
    dark = page.evaluate(BACKGROUND)
    assert dark != light
    expect(menu.get_by_role("button", name=words("shared.theme.dark"), exact=True)).to_have_attribute(
        "aria-pressed", "true")
    assert_accessible(page)
    desk.shot(page, "profile-menu")
    menu.get_by_role("button", name="日本語", exact=True).click()
    expect(menu.get_by_role("button", name=japanese("shared.theme.light"), exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("dialog")).to_have_count(0)
    page.goto(f"{desk.phone_url}/nothing")
    expect(page.get_by_role("heading", level=1)).to_have_text(japanese("docs.missing.title"))
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    menu.locator(".profile-button").click()
    menu.get_by_role("button", name=japanese("shared.theme.auto"), exact=True).click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_the_palette_leads_to_views_and_switches_theme_and_language(desk):
    words = Words("en")
    page = console(desk, words, scheme="light")
    expect(page.locator("conversation-list a.row").first).to_be_visible()

    def choose(*names):
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name=words("console.palette")).fill(" ".join(names))
        expect(page.get_by_role("option")).to_have_count(1)
        page.keyboard.press("Enter")

    choose(words("console.inbox"), words("console.view.snoozed"))
    expect(page.get_by_role("heading", level=1)).to_have_text(words("console.view.snoozed"))
    choose(words("shared.theme"), words("shared.theme.dark"))
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    choose(words("shared.language"), "日本語")
    # The view stays in another language.
    expect(page.get_by_role("heading", level=1)).to_have_text(Words("ja")("console.view.snoozed"))


@pytest.mark.parametrize("path, list_of", [("", "inbox-nav"), ("/settings/businesses", ".settings-nav")], ids=["views", "settings"])
def test_a_navigation_that_is_longer_than_the_window_shows_at_its_edge_that_there_is_more(desk, path, list_of):
    page = console(desk, Words("en"), path, viewport={"width": 1280, "height": 600})
    navigation = page.locator(list_of)
    expect(navigation).to_be_visible()
    desk.owner.post("/api/businesses", {"name": "Beyond the edge", "mode": "test"}, expect=201)
    page.reload()
    expect(navigation).to_be_visible()
    assert navigation.evaluate("(one) => one.scrollHeight > one.clientHeight")
    box = navigation.bounding_box()

    def edge(place):
        """A part of the ground beside the rows: at the top, in the middle or at the bottom."""
        y = {"top": box["y"], "middle": box["y"] + box["height"] / 2, "bottom": box["y"] + box["height"] - 6}[place]
        return page.screenshot(clip={"x": box["x"], "y": y, "width": 2, "height": 6})

    plain = edge("middle")
    assert (edge("top") == plain, edge("bottom") == plain) == (True, False)
    navigation.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    assert (edge("top") == plain, edge("bottom") == plain) == (False, True)
