"""A page whose content could not be read says why and reads it again at a press."""

import re

import pytest
from pages import console, live_business
from playwright.sync_api import expect
from support.words import Words

# The pages, and what each reads.
PAGES = {
    "/templates": "/templates",
    "/reports": "/reports",
    "/settings/businesses": "/businesses",
    "/settings/members": "/members",
    "/settings/teams": "/teams",
    "/settings/assignment": "/assignment",
    "/settings/labels": "/labels",
    "/settings/attributes": "/attributes",
    "/settings/hours": "/hours",
    "/settings/levels": "/service-levels",
    "/settings/satisfaction": "/satisfaction",
    "/settings/rules": "/rules",
    "/settings/macros": "/macros",
    "/settings/library": "/library",
    "/settings/keys": "/keys",
    "/settings/bots": "/bots",
    "/settings/webhooks": "/webhooks",
    "/settings/widget": "/widget",
    "/settings/gateway": "/gateway",
    "/settings/retention": "/retention",
    "/settings/audit": "/audit",
    "/settings/me": "/session/second-factor",
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_could_not_be_read_is_read_again_at_a_press(desk, language):
    words = Words(language)
    live_business(desk)
    page = console(desk, words, "/settings/labels", viewport={"width": 1280, "height": 800})
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for path, asked in PAGES.items():
        # The session is read as before, and whatever else the page shows.
        failing = re.compile(r"/api(/.*)?" + re.escape(asked) + r"(\?|$)")
        page.route(failing, lambda route: route.abort("internetdisconnected"))
        page.goto(f"{desk.phone_url}/console{path}")
        alert = page.get_by_role("alert").filter(has_text=words("shared.problem.offline"))
        expect(alert, path).to_be_visible()
        desk.shot(page, f"unread-{path.rsplit('/', 1)[-1]}-{language}")
        page.unroute(failing)
        alert.get_by_role("button", name=words("shared.retry"), exact=True).press("Enter")
        expect(alert, path).to_have_count(0)
        expect(page.get_by_role("button", name=words("shared.retry"), exact=True), path).to_have_count(0)
