"""The library of a business: uploaded once, used in texts, cards and templates by every member, removed without a loss."""

import itertools

import pytest
from looks import assert_accessible
from pages import choose_kind, console, live_business, member, open_conversation, wait_for
from playwright.sync_api import expect
from support.words import Words
from test_labels import LOOKS, ready
from test_pictures import loaded, picture, say_with_file


# No two tests have the same bytes.
HEIGHTS = itertools.count()


def library(desk, business):
    """The files of a business's library, by name."""
    return {one["name"]: one for one in desk.owner.fetch(f"/api/businesses/{business}/library?page[size]=300")["data"]}


def keep(desk, session, name, size, business):
    """A picture of this width in the library."""
    stored = session.call(
        "POST", f"/api/attachments?business={business}&name={name}", picture(size, 40 + next(HEIGHTS)), expect=201,
        headers={"Content-Type": "image/png"}).json()
    return session.call("POST", f"/api/businesses/{business}/library", {"attachment": stored["id"]}, expect=201).json()


def open_library(page, words):
    """The library from the composer's clip, by keyboard."""
    page.locator("desk-composer").get_by_role("button", name=words("composer.text.attach"), exact=True).press("Enter")
    page.get_by_role("menuitem", name=words("library.from"), exact=True).press("Enter")
    return page.get_by_role("dialog", name=words("library.title"), exact=True)


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_file_of_a_draft_is_kept_and_a_second_agent_sends_it_without_uploading(desk, language, scheme, phone):
    words = Words(language)
    business = live_business(desk)["id"]
    name = f"opening-{language}.png"
    page, _, _ = open_conversation(desk, words, f"Your sign? ({language})", scheme=scheme, phone=phone)
    page.locator("desk-composer input[type=file][multiple]").set_input_files(
        {"name": name, "mimeType": "image/png", "buffer": picture(300 + len(language) + phone * 7 + len(scheme), 120)})
    chip = page.locator("desk-composer .cp-chip")
    chip.get_by_role("button", name=words("composer.library.keep", name=name), exact=True).click()
    expect(page.get_by_text(words("library.kept", name=name), exact=True)).to_be_visible()
    assert library(desk, business)[name]["height"] == 120
    # A colleague finds it by its name and sends it: nothing is uploaded again.
    colleague = member(desk, f"Lib{language}{scheme}{int(phone)}")
    other, _, conversation = open_conversation(desk, words, f"And the hours? ({language})", scheme=scheme, phone=phone, session=colleague)
    uploads = []
    other.on("request", lambda request: uploads.append(request.url) if request.method == "POST" and "/api/attachments" in request.url else None)
    shown = open_library(other, words)
    search = shown.get_by_role("searchbox", name=words("library.search"))
    expect(search).to_be_focused()
    search.fill(name[:9])
    cell = shown.get_by_role("button", name=name)
    expect(cell).to_be_visible()
    other.wait_for_function("() => [...document.querySelectorAll('.library-thumb img')].every((one) => one.complete && one.naturalWidth > 0)")
    desk.shot(other, f"library-picker-{language}-{scheme}")
    assert_accessible(other)
    search.press("ArrowDown")
    expect(shown.locator(".library-cell:focus")).to_have_count(1)
    cell.press("Enter")
    expect(other.locator("desk-composer .cp-chip")).to_contain_text(name)
    desk.shot(other, f"library-chip-{language}-{scheme}")
    other.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(other.locator("desk-thread desk-card button.picture")).to_have_count(1)
    assert uploads == []
    # Removed from the library, the sent message still shows it.
    entry = library(desk, business)[name]
    desk.owner.call("DELETE", f"/api/businesses/{business}/library/{entry['id']}", expect=204)
    other.reload()
    expect(other.locator("desk-thread desk-card button.picture")).to_have_count(1)
    loaded(other.locator("desk-thread desk-card button.picture"))
    answer = desk.owner.get(f"{desk.server.url}/api/attachments/{entry['file']['id']}?conversation={conversation}")
    assert answer.status_code == 200


def test_a_picture_of_the_thread_is_kept_from_the_viewer_and_said_to_be_known_the_second_time(desk):
    words = Words("en")
    business = live_business(desk)["id"]
    page, customer, _ = open_conversation(desk, words, "A picture for you")
    say_with_file(customer, "garden.png", "image/png", picture(411, 300))
    page.locator("desk-thread desk-card button.picture").click()
    viewer = page.get_by_role("dialog", name="garden.png")
    button = viewer.get_by_role("button", name=words("card.viewer.keep"), exact=True)
    button.click()
    expect(viewer.get_by_text(words("library.kept", name="garden.png"), exact=True)).to_be_visible()
    expect(button).to_be_focused()
    button.press("Enter")
    expect(viewer.get_by_text(words("library.known", name="garden.png"), exact=True)).to_be_visible()
    desk.shot(page, "library-viewer")
    assert_accessible(page)
    assert library(desk, business)["garden.png"]["width"] == 411


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_a_list_takes_a_picture_of_the_library(desk, language, scheme, phone):
    words = Words(language)
    business = live_business(desk)["id"]
    name = f"tea-{language}{scheme}.png"
    keep(desk, desk.owner, name, 420 + len(language + scheme) + phone, business)
    page, _, _ = open_conversation(desk, words, f"What do you have? ({language} {scheme})", scheme=scheme, phone=phone)
    choose_kind(page, words, "list")
    form = page.locator("list-form")
    form.locator(".cp-picture-library").first.click()
    shown = page.get_by_role("dialog", name=words("library.title"), exact=True)
    shown.get_by_role("button", name=name).click()
    expect(form.locator(".cp-picture-compact img").first).to_be_visible()
    # What is typed next is meant for the form, not for the page's keys.
    expect(form.locator(".cp-picture-library").first).to_be_focused()
    desk.shot(page, f"library-list-{language}-{scheme}")
    assert_accessible(page)


def test_a_template_has_a_file_of_the_library_and_keeps_it_when_it_is_removed(desk):
    words = Words("en")
    business = live_business(desk)["id"]
    entry = keep(desk, desk.owner, "map.png", 433, business)
    page = ready(console(desk, words, "/templates"))
    page.locator("#template-business").select_option(business)
    editor = page.locator("template-editor")
    editor.get_by_label(words("console.templateTitle"), exact=True).fill("The map")
    editor.get_by_label(words("console.templateName"), exact=True).fill("the-map")
    editor.get_by_label(words("composer.text.label"), exact=True).fill("Here is the way")
    editor.get_by_role("button", name=words("composer.text.attach"), exact=True).click()
    page.get_by_role("menuitem", name=words("library.from"), exact=True).click()
    page.get_by_role("dialog", name=words("library.title"), exact=True).get_by_role("button", name="map.png").click()
    expect(editor.locator(".cp-chip")).to_contain_text("map.png")
    desk.shot(page, "library-template")
    assert_accessible(page)
    with page.expect_response(lambda answer: answer.url.endswith("/api/templates") and answer.request.method == "POST") as saved:
        editor.get_by_role("button", name=words("console.saveTemplate"), exact=True).click()
    assert saved.value.status == 201
    desk.owner.call("DELETE", f"/api/businesses/{business}/library/{entry['id']}", expect=204)
    # Inserted, it is a text with its file, and can be sent.
    thread, _, _ = open_conversation(desk, words, "Where are you?")
    thread.get_by_role("button", name=words("composer.text.template"), exact=True).click()
    thread.locator("template-picker").get_by_role("option", name="The map").click()
    thread.locator("template-picker").get_by_role("button", name=words("composer.template.insert"), exact=True).click()
    expect(thread.locator("desk-composer .cp-chip")).to_contain_text("map.png")
    thread.get_by_role("button", name=words("composer.send"), exact=True).click()
    expect(thread.locator("desk-thread desk-card button.picture")).to_have_count(1)


@pytest.mark.parametrize("language, scheme, phone", LOOKS)
def test_the_settings_show_rename_and_remove_files(desk, language, scheme, phone):
    words = Words(language)
    shop = desk.owner.post("/api/businesses", {"name": f"Files {language} {scheme} {phone}"}, expect=201)
    page = ready(console(desk, words, "/settings/library", scheme=scheme, phone=phone))
    panel = page.locator("library-panel")
    panel.locator("#library-business").select_option(shop["id"])
    expect(panel.get_by_text(words("library.none"), exact=True)).to_be_visible()
    panel.locator("input[type=file]").set_input_files([
        {"name": "front.png", "mimeType": "image/png", "buffer": picture(320, 200)},
        {"name": "prices.txt", "mimeType": "text/plain", "buffer": b"Tea 3.20"}])
    expect(panel.locator("li[data-file]")).to_have_count(2)
    panel.locator("input[type=file]").set_input_files(
        {"name": "again.txt", "mimeType": "text/plain", "buffer": b"Tea 3.20"})
    expect(page.get_by_text(words("library.known", name="prices.txt"), exact=True)).to_be_visible()
    expect(panel.locator("li[data-file]")).to_have_count(2)
    desk.shot(page, f"library-settings-{language}-{scheme}")
    assert_accessible(page)
    field = panel.get_by_label(words("library.nameOf", name="front.png"), exact=True)
    field.fill("shop front.png")
    field.press("Enter")
    expect(panel.get_by_label(words("library.nameOf", name="shop front.png"), exact=True)).to_be_visible()
    panel.get_by_role("searchbox", name=words("library.search")).fill("front")
    expect(panel.locator("li[data-file]")).to_have_count(1)
    panel.get_by_role("button", name=words("library.removeOf", name="shop front.png"), exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(words("library.removeAsk", name="shop front.png"))
    desk.shot(page, f"library-remove-{language}-{scheme}")
    dialog.get_by_role("button", name=words("library.remove"), exact=True).click()
    expect(panel.get_by_text(words("library.noMatch"), exact=True)).to_be_visible()
    assert set(library(desk, shop["id"])) == {"prices.txt"}


def test_files_that_are_added_while_another_business_is_chosen_are_all_of_the_first(desk):
    words = Words("en")
    shops = [desk.owner.post("/api/businesses", {"name": name, "mode": "test"}, expect=201) for name in ("Files of one", "Files of another")]
    page = ready(console(desk, words, "/settings/library"))
    choice = page.locator("#library-business")
    choice.select_option(shops[0]["id"])
    panel = page.locator("library-panel")
    add = panel.get_by_role("button", name=words("library.add"), exact=True)
    expect(add).to_be_visible()
    held, is_open = [], []
    page.route("**/api/attachments?*", lambda route: route.continue_() if is_open else held.append(route))
    panel.locator("input[type=file]").set_input_files([
        {"name": f"{name}.png", "mimeType": "image/png", "buffer": picture(60, 40 + next(HEIGHTS))} for name in ("first", "second")])
    wait_for(page, held)
    choice.select_option(shops[1]["id"])
    expect(add).to_be_visible()
    is_open.append(True)
    held[0].continue_()
    expect(page.get_by_text(words("library.keptMany", count=2))).to_be_visible()
    assert set(library(desk, shops[0]["id"])) == {"first.png", "second.png"}
    assert library(desk, shops[1]["id"]) == {}
    expect(panel.locator(".library-list")).to_have_count(0)


def test_each_file_that_is_not_added_is_named_with_the_reason(desk, tmp_path):
    words = Words("en")
    page = ready(console(desk, words, "/settings/library"))
    page.locator("#library-business").select_option(live_business(desk)["id"])
    (tmp_path / "large.bin").open("wb").truncate(100_000_001)
    for name, content in {"empty.txt": "", "one.txt": "The first file of two", "two.txt": "The second file of two"}.items():
        (tmp_path / name).write_text(content)
    with page.expect_response(lambda answer: "/library?" in answer.url):
        page.locator("library-panel input[type=file]").set_input_files(
            [tmp_path / name for name in ("large.bin", "one.txt", "empty.txt", "two.txt")])
    alert = page.locator("library-panel").get_by_role("alert")
    expect(alert).to_contain_text(words("library.refused", name="large.bin", reason=words("library.tooLarge", limit="100 MB")))
    expect(alert).to_contain_text(words("library.refused", name="empty.txt", reason=words("library.empty")))
    expect(page.locator(".fd-toast")).to_have_text(words("library.keptMany", count=2))
    expect(page.get_by_label(words("library.nameOf", name="one.txt"), exact=True)).to_be_visible()
