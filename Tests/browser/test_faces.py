"""The editor is one of the rulebook's faces: it shows what invalid examples state."""

import json
import os

from pages import Sandbox
from playwright.sync_api import Error
from support.house import ROOT
from support.words import Words

EXAMPLES = ROOT / "Schemas" / "examples"
SHOWN = """() => [...document.querySelectorAll("raw-form finding-list li")].map((row) =>
  `${row.dataset.rule} ${row.classList.contains("fl-error") ? "error" : "warning"} ` +
  `${row.dataset.pointer} ${row.querySelector(".fl-place span").textContent}`)
  .sort().join("\\n")"""


# Every example takes half a second in a browser: one in three is shown unless all are asked for.
STEP = 1 if os.environ.get("FRONTDESK_ALL_EXAMPLES") else 3


def test_the_editor_shows_the_findings_that_invalid_examples_state(desk):
    words = Words("en")
    sandbox = Sandbox(desk, words).open_raw()
    page, faults, judged = sandbox.page, [], 0
    settings = {}

    def judge_as_stated(route):
        query = "&".join(f"{name}={value}" for name, value in settings.items())
        route.continue_(url=f"{desk.phone_url}/api/validate?{query}")

    page.route("**/api/validate*", judge_as_stated)
    files = sorted(file for file in EXAMPLES.glob("*/*/invalid-*.json")
                   if not file.name.endswith(".expected.json"))
    for file in files[::STEP]:
        name = file.relative_to(EXAMPLES)
        stated = json.loads(file.with_name(f"{file.stem}.expected.json").read_text())
        settings.clear()
        settings.update({
            "direction": name.parts[0], "profile": stated.get("profile", "strict"),
            "world": stated.get("world", "live"), "now": stated.get("now", "2026-06-01T00:00:00Z")})
        if "capabilities" in stated:
            settings["capabilities"] = stated["capabilities"].replace(" ", "")
        wanted = "\n".join(sorted(
            f"{one['rule']} {one['severity']} {one['pointer']} "
            + words("composer.findings.place", line=one["line"], column=one["column"])
            for one in stated["findings"]))
        sandbox.editor.fill("")
        page.wait_for_function(f"() => ({SHOWN})() === ''")
        sandbox.editor.fill(file.read_bytes().decode())
        try:
            page.wait_for_function(f"(wanted) => ({SHOWN})() === wanted", arg=wanted, timeout=10_000)
        except Error:
            faults.append(f"{name}: wanted {wanted!r}, shown {page.evaluate(SHOWN)!r}")
        judged += 1
    print(f"note: {judged} invalid examples in the editor")
    assert judged > 80
    assert not faults, "\n".join(faults)
