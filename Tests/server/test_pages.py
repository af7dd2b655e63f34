"""A person's browser gets pages, a program gets what it can read; both at the same addresses."""

import re
import socket

import pytest
import requests
from support.server import ROOT

# What Chromium and Firefox send when a person opens an address.
PERSON = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


def get(server, path, accept, method="GET"):
    """An answer to one Accept header."""
    return requests.request(method, server.url + path, headers={"Accept": accept}, timeout=20)


@pytest.mark.parametrize("path", ["/docs/rules/unknown-key", "/docs/web", "/docs/problems/not_found"])
def test_a_document_is_a_page_for_a_person_and_markdown_for_a_program(server, path):
    page = get(server, path, PERSON)
    assert page.status_code == 200 and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "document-page" in page.text and "script-src 'self'" in page.headers["Content-Security-Policy"]
    for accept in ("*/*", "text/markdown", "text/html;q=0, */*"):
        text = get(server, path, accept)
        assert text.status_code == 200 and text.headers["Content-Type"].startswith("text/markdown"), accept
        assert text.text == (ROOT / f"{path[1:]}.md").read_text()
        assert text.headers["ETag"] != page.headers["ETag"]
    for answer in (page, text):
        assert "Accept" in re.split(r", *", answer.headers["Vary"])


@pytest.mark.parametrize("path, file", [("/docs/web.md", "docs/web.md"), ("/docs/README.md", "docs/README.md"),
                                        ("/docs/rules/README.md", "docs/rules/README.md")])
def test_at_its_files_name_a_document_is_markdown_for_everybody(server, path, file):
    for accept in (PERSON, "*/*"):
        text = get(server, path, accept)
        assert text.status_code == 200 and text.headers["Content-Type"].startswith("text/markdown"), accept
        assert text.text == (ROOT / file).read_text()


@pytest.mark.parametrize("path, place, file", [
    ("/docs", "/docs/", "docs/README.md"), ("/docs/rules", "/docs/rules/", "docs/rules/README.md"),
    ("/docs/problems", "/docs/problems/", "docs/problems/README.md")])
def test_a_folder_of_documents_shows_its_list_at_an_address_that_links_start_from(server, path, place, file):
    moved = requests.get(server.url + path, allow_redirects=False, timeout=20)
    assert moved.status_code == 302 and moved.headers["Location"] == place
    assert get(server, path, "*/*").text == (ROOT / file).read_text()
    page = get(server, place, PERSON)
    assert page.status_code == 200 and "document-page" in page.text
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/nothing", "/docs/rules/no-such-rule", "/web/no-such-file.js", "/b/x/y/z"])
def test_an_address_that_has_nothing_is_a_page_for_a_person_and_a_problem_for_a_program(server, path):
    page = get(server, path, PERSON)
    assert page.status_code == 404 and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "missing-page" in page.text and "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert page.headers["Cache-Control"] == "no-store" and page.headers["Vary"] == "Accept"
    head = get(server, path, PERSON, "HEAD")
    assert head.status_code == 404 and head.headers["Content-Length"] == str(len(page.content)) and not head.content
    problem = get(server, path, "*/*")
    assert problem.status_code == 404 and problem.headers["Content-Type"] == "application/problem+json"
    assert problem.json()["code"] == "not_found"


@pytest.mark.parametrize(("sent", "place"), [
    ("/b/any/", "/b/any"), ("/b/any//?entry=table%204", "/b/any?entry=table%204"), ("/j/ABCDE-FGHJK/", "/j/ABCDE-FGHJK"),
    ("/sandbox/", "/sandbox"), ("/b/%2Fevil.example/", None), ("//b/any/", None), ("/api/businesses/", None), ("/nothing/", None),
])
def test_a_page_for_people_is_found_with_a_slash_behind_its_address(server, sent, place):
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(f"GET {sent} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        head = line.makefile("rb").read().split(b"\r\n\r\n")[0].decode()
    assert re.findall(r"^location: (.*?)\r?$", head, re.M | re.I) == ([place] if place else [])
    assert head.split()[1] in (("302",) if place else ("400", "401", "404"))


def test_the_api_answers_a_person_in_json_too(server):
    for path in ("/api/nothing", "/api"):
        answer = get(server, path, PERSON)
        assert answer.status_code == 404 and answer.json()["code"] == "not_found"
    posted = get(server, "/nothing", PERSON, "POST")
    assert posted.status_code == 404 and posted.json()["code"] == "not_found"


def test_only_a_file_whose_name_has_its_contents_mark_is_kept_for_good(server):
    sheet = get(server, "/web/lib/fonts/fonts.css", "*/*")
    assert sheet.headers["Cache-Control"] == "no-cache"
    fonts = re.findall(r'url\("(/web/[^"]+)"\)', sheet.text)
    assert len(fonts) == 3
    for font in fonts:
        answer = get(server, font, "*/*")
        assert answer.status_code == 200 and answer.headers["Content-Type"] == "font/woff2"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("path", ["/console", "/sandbox", "/b/any", "/docs/", "/b/any/signed-in", "/nothing"])
def test_what_a_page_loads_is_kept_for_good_at_an_address_that_changes_with_it(server, path):
    loaded = re.findall(r'(?:href|src)="(/web/[^"]+\.(?:js|css))"', get(server, path, PERSON).text)
    assert loaded
    for address in loaded:
        assert re.match(r"/web/~[0-9a-f]{16}[a-z]/", address)
        answer = get(server, address, "*/*")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    # The page itself is asked for each time: it says which version's files it has.
    assert get(server, path, PERSON).headers["Cache-Control"] in ("no-store", "no-cache")


@pytest.mark.parametrize("path, ancestors, option, has_frames", [
    ("/b/any", "'self'", "SAMEORIGIN", False), ("/j/ABCDE-FGHJK", "'none'", "DENY", False),
    ("/b/any/signed-in", "'none'", "DENY", False), ("/console", "'none'", "DENY", True),
    ("/sandbox", "'none'", "DENY", True), ("/docs/web", "'none'", "DENY", False),
])
def test_only_the_phone_page_is_framed_and_only_by_console_and_sandbox(server, path, ancestors, option, has_frames):
    page = get(server, path, PERSON)
    policy = page.headers["Content-Security-Policy"].split("; ")
    assert f"frame-ancestors {ancestors}" in policy
    assert page.headers["X-Frame-Options"] == option
    assert [one for one in policy if one.startswith("frame-src")] == (["frame-src 'self'"] if has_frames else [])
