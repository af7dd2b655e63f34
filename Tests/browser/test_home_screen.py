"""The customer's page on a home screen: under which name and icon it is kept, and where it opens."""

import json
import struct

import requests
from pages import Phone, console
from playwright.sync_api import expect
from support.server import ROOT
from support.words import Words


def manifest_of(page):
    """The manifest that the browser reads of a page, without faults."""
    answer = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert answer["errors"] == [], answer["errors"]
    return answer["url"], json.loads(answer["data"])


def icon_of(page):
    """The address of the icon for iOS."""
    return page.locator("link[rel=apple-touch-icon]").get_attribute("href")


def check_icons(desk, manifest):
    """Loads each icon: it has the size that the manifest states."""
    for icon in manifest["icons"]:
        if icon["type"] != "image/png":
            continue
        answer = requests.get(desk.server.url + icon["src"], timeout=20)
        assert answer.ok and answer.headers["Content-Type"] == "image/png", icon
        width, height = struct.unpack(">II", answer.content[16:24])
        assert icon["sizes"] == f"{width}x{height}", icon


def test_a_business_is_kept_under_its_own_name_and_opens_its_conversation(desk):
    words = Words("en")
    business = desk.owner.post("/api/businesses", {"name": "谷中茶舗 Yanaka", "colour": "#2f7d5b"}, expect=201)["id"]
    phone = Phone(desk, words)
    phone.open(f"{desk.phone_url}/b/{business}")
    expect(phone.page.locator(".welcome h2")).to_be_visible()
    url, manifest = manifest_of(phone.page)
    assert url == f"{desk.phone_url}/b/{business}/manifest.webmanifest"
    assert {manifest[one] for one in ("id", "start_url", "scope")} == {f"/b/{business}"}
    assert (manifest["name"], manifest["short_name"], manifest["theme_color"]) == (
        "谷中茶舗 Yanaka", "谷中茶舗 Yanaka", "#2f7d5b")
    assert [(one["sizes"], one["purpose"]) for one in manifest["icons"]] == [
        ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    check_icons(desk, manifest)
    assert icon_of(phone.page) == "/web/phone/icon-180.png"

    picture = (ROOT / "web/phone/icon-192.png").read_bytes()
    desk.owner.call("PUT", f"/api/businesses/{business}/picture", picture, headers={"Content-Type": "image/png"})
    phone.page.reload()
    expect(phone.page.locator(".welcome h2")).to_be_visible()
    manifest = manifest_of(phone.page)[1]
    assert [(one["sizes"], one["type"]) for one in manifest["icons"]] == [("192x192", "image/png")]
    assert manifest["icons"][0]["src"].startswith(f"/b/{business}/picture?v=")
    check_icons(desk, manifest)
    expect(phone.page.locator("link[rel=apple-touch-icon]")).to_have_attribute("href", manifest["icons"][0]["src"])


def test_the_page_of_typed_codes_has_icons_of_its_own(desk):
    phone = Phone(desk, Words("en"))
    phone.open(f"{desk.phone_url}/j")
    expect(phone.page.locator("code-form")).to_be_visible()
    url, manifest = manifest_of(phone.page)
    assert url.endswith("/web/phone/manifest.webmanifest") and manifest["start_url"] == "/j?app=1"
    check_icons(desk, manifest)
    assert icon_of(phone.page) == "/web/phone/icon-180.png"


def test_the_console_is_kept_as_a_program_of_its_own(desk):
    page = console(desk, Words("en"))
    expect(page.locator("conversation-list")).to_be_visible()
    url, manifest = manifest_of(page)
    assert url.endswith("/web/console/manifest.webmanifest")
    assert (manifest["name"], manifest["id"], manifest["start_url"], manifest["scope"], manifest["display"]) == (
        "Frontdesk", "/console", "/console", "/", "standalone")
    check_icons(desk, manifest)
    assert icon_of(page) == "/web/phone/icon-180.png"
