"""Files in a thread: pictures open whole, are zoomed, walked through and downloaded; so are sounds and films."""

import struct
import zlib

import pytest
from looks import assert_accessible
from pages import Sandbox, join, open_conversation
from playwright.sync_api import expect
from support.server import Customer
from support.words import Words


def picture(width, height):
    """A PNG of this size whose rows run from one colour to another."""
    rows = b"".join(
        b"\0" + bytes((40 + 180 * y // height, 90, 220 - 180 * y // height)) * width
        for y in range(height))

    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def say_with_file(customer, name, kind, data):
    """The customer sends a file."""
    made = customer.call(
        "POST", f"/api/phone/{customer.business}/attachments?name={name}", data, expect=201,
        headers={"Content-Type": kind}).json()
    return customer.say(f"Here is {name}", attachments=[made["id"]])


def loaded(pictures):
    """Waits until all pictures of a thread are there."""
    pictures.page.wait_for_function(
        """(count) => {
          const thread = document.querySelector("desk-thread").shadowRoot;
          const all = [...thread.querySelectorAll("desk-card")]
            .flatMap((card) => [...card.shadowRoot.querySelectorAll(".picture img")]);
          return all.length === count && all.every((one) => one.complete && one.naturalWidth > 0);
        }""", arg=pictures.count())


def test_a_picture_of_the_thread_opens_whole_and_the_focus_comes_back(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "Three pictures")
    for name, width, height in [("tall.png", 400, 2600), ("wide.png", 2400, 500), ("small.png", 60, 60)]:
        say_with_file(customer, name, "image/png", picture(width, height))
    pictures = page.locator("desk-thread desk-card button.picture")
    expect(pictures).to_have_count(3)
    loaded(pictures)
    desk.shot(page, "pictures-thread")
    opener = page.locator("desk-thread").get_by_role(
        "button", name=words("card.attachmentImage", name="tall.png"))
    opener.click()
    viewer = page.get_by_role("dialog", name="tall.png")
    shown = viewer.get_by_role("img")
    expect(shown).to_be_visible()
    page.wait_for_function("() => document.querySelector('picture-viewer').shadowRoot"
                           ".querySelector('img').naturalHeight === 2600")
    box = shown.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 800 and box["x"] >= 0
    assert abs(box["width"] / box["height"] - 400 / 2600) < 0.01
    desk.shot(page, "pictures-viewer")
    assert_accessible(page)
    zoom = viewer.get_by_role("button", name=words("card.viewer.full"), exact=True)
    expect(zoom).to_have_attribute("aria-pressed", "false")
    zoom.click()
    expect(zoom).to_have_attribute("aria-pressed", "true")
    assert shown.bounding_box()["height"] == 2600
    desk.shot(page, "pictures-viewer-full")
    shown.click()
    expect(zoom).to_have_attribute("aria-pressed", "false")
    with page.expect_download() as caught:
        viewer.get_by_role("link", name=words("card.download", name="tall.png")).click()
    assert caught.value.suggested_filename == "tall.png"
    expect(viewer.get_by_text("1 / 3", exact=True)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="wide.png")).to_be_visible()
    page.keyboard.press("ArrowRight")
    last = page.get_by_role("dialog", name="small.png")
    expect(last).to_be_visible()
    expect(last.get_by_role("button", name=words("card.viewer.next"), exact=True)).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(last).to_be_visible()
    last.get_by_role("button", name=words("card.viewer.previous"), exact=True).click()
    page.keyboard.press("ArrowLeft")
    expect(viewer).to_be_visible()
    page.keyboard.press("e")
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(page.locator("picture-viewer")).to_have_count(0)
    # Keys for the conversation have no effect behind the picture.
    expect(page.get_by_role("button", name=words("console.close"), exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name=words("console.noteLabel"))).to_have_count(0)
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    expect(viewer).to_be_visible()
    viewer.get_by_role("button", name=words("card.viewer.close"), exact=True).click()
    expect(opener).to_be_focused()


@pytest.mark.parametrize("size", [(900, 1600), (1600, 900), (1200, 1200), (400, 2600)])
def test_a_picture_in_the_thread_shows_most_of_itself(desk, size):
    width, height = size
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, f"Of {width} by {height}")
    say_with_file(customer, "photo.png", "image/png", picture(width, height))
    pictures = page.locator("desk-thread desk-card button.picture")
    expect(pictures).to_have_count(1)
    loaded(pictures)
    share = pictures.locator("img").evaluate("""(image) => {
      const { width, height } = image.getBoundingClientRect();
      const scales = [width / image.naturalWidth, height / image.naturalHeight];
      const scale = getComputedStyle(image).objectFit === "contain" ? Math.min(...scales) : Math.max(...scales);
      return Math.min(1, scales[0] / scale) * Math.min(1, scales[1] / scale);
    }""")
    assert share >= 0.75, f"{share:.2f} of the picture is seen"
    box = pictures.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44


def test_sounds_films_and_files_of_a_thread_can_be_downloaded(desk):
    words = Words("en")
    page, customer, _ = open_conversation(desk, words, "Four files")
    files = [("tone.wav", "audio/wav", b"RIFF\x24\0\0\0WAVEfmt " + bytes(24)),
             ("film.mp4", "video/mp4", b"\0\0\0\x18ftypisom" + bytes(16)),
             ("list.bin", "application/octet-stream", bytes(40))]
    for name, kind, data in files:
        say_with_file(customer, name, kind, data)
    for name, _, data in files:
        link = page.locator("desk-thread").get_by_role("link", name=words("card.download", name=name))
        with page.expect_download() as caught:
            link.click()
        assert caught.value.suggested_filename == name
        with open(caught.value.path(), "rb") as file:
            assert file.read() == data
    desk.shot(page, "files-thread")
    assert_accessible(page)


def test_the_customer_walks_through_the_pictures_of_both_sides(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "dark")
    phone.say("I have a picture")
    expect(sandbox.composer()).to_be_visible()
    phone.page.locator("input[type=file]").set_input_files(
        {"name": "mine.png", "mimeType": "image/png", "buffer": picture(600, 900)})
    phone.say("Mine")
    expect(sandbox.device.locator("desk-card button.picture")).to_have_count(1)
    sandbox.choose_kind("text")
    sandbox.composer().locator("input[type=file][multiple]").set_input_files(
        {"name": "yours.png", "mimeType": "image/png", "buffer": picture(900, 600)})
    sandbox.send()
    expect(phone.page.locator("phone-thread desk-card button.picture")).to_have_count(2)
    phone.page.locator("phone-thread").get_by_role(
        "button", name=words("card.attachmentImage", name="mine.png")).tap()
    viewer = phone.page.get_by_role("dialog", name="mine.png")
    expect(viewer.get_by_role("img")).to_be_visible()
    desk.shot(phone.page, "pictures-phone-dark")
    assert_accessible(phone.page)
    viewer.get_by_role("button", name=words("card.viewer.next"), exact=True).tap()
    last = phone.page.get_by_role("dialog", name="yours.png")
    expect(last).to_be_visible()
    last.get_by_role("button", name=words("card.viewer.close"), exact=True).tap()
    expect(last).to_have_count(0)


def test_a_picture_of_the_simulated_phone_opens_too(desk):
    words = Words("ja")
    customer = Customer(desk.server, desk.sandbox_business["id"])
    conversation = customer.say("写真です")["message"]["conversation"]
    say_with_file(customer, "photo.png", "image/png", picture(300, 900))
    sandbox = Sandbox(desk, words, scheme="dark").open()
    sandbox.turn_to(conversation)
    opener = sandbox.device.get_by_role("button", name=words("card.attachmentImage", name="photo.png"))
    opener.click()
    viewer = sandbox.device.get_by_role("dialog", name="photo.png")
    expect(viewer.get_by_role("img")).to_be_visible()
    expect(viewer.get_by_role("button", name=words("card.viewer.next"))).to_have_count(0)
    desk.shot(sandbox.page, "pictures-sandbox-ja-dark")
    assert_accessible(sandbox.page)
    sandbox.page.keyboard.press("Escape")
    expect(opener).to_be_focused()
