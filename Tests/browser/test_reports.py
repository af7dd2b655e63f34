"""The editor is one of the rulebook's interfaces: it shows what the invalid examples state.

A random sample of them, its seed printed, with each schema and each rule in it; all of them with
FRONTDESK_REPORTS=all, as `make test-reports` asks. Lint, validation and sending go through all of them
each time (Tests/server/test_report_formats.py).
"""

import os
import random
import re
from urllib.parse import urlencode

from pages import Sandbox
from support.lint import EXAMPLES, examples
from support.words import Words

# So many editors on one page work through the examples side by side: each waits for the typing to rest.
EDITORS = 10
# How many are shown in a run that does not request all.
SAMPLE = 120
# Puts each text into an editor, with its example's settings, and waits for the expected rows.
# The text is cleared in between, so that no row of the previous example is mistaken for one of the next.
SHOW_ALL = r"""async ({ examples, editors }) => {
  const queries = new Map();
  const ask = window.fetch;
  window.fetch = (url, options) => ask(
    String(url).startsWith("/api/validate") ? `/api/validate?${queries.get(options.body)}` : url, options);
  const rest = (time) => new Promise((done) => setTimeout(done, time));
  const model = document.querySelector("desk-composer");
  const faults = [];
  // Examples of one text go one after the other: an editor asks with nothing but its text.
  const queue = [...Map.groupBy(examples, (one) => one.text).values()];
  const work = async () => {
    const composer = document.createElement("desk-composer");
    composer.business = model.business;
    composer.conversation = model.conversation;
    document.body.append(composer);
    composer.kind = "raw";
    const area = composer.querySelector("json-editor textarea");
    const put = (text) => {
      area.value = text;
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    const shown = () => [...composer.querySelectorAll("raw-form finding-list li")].map((row) =>
      [row.dataset.rule, row.classList.contains("fl-error") ? "error" : "warning", row.dataset.pointer,
        row.querySelector(".fl-place span").textContent].join(" ")).sort().join("\n");
    for (let group = queue.shift(); group; group = queue.shift()) for (const one of group) {
      put("");
      if (shown() !== "") faults.push(`${one.name}: rows stay without a text: ${shown()}`);
      queries.set(one.text, one.query);
      put(one.text);
      const end = performance.now() + 25_000;
      while (shown() !== one.wanted && performance.now() < end) await rest(15);
      if (shown() !== one.wanted) faults.push(`${one.name}: wanted\n${one.wanted}\nshown\n${shown()}`);
    }
    composer.remove();
  };
  await Promise.all(Array.from({ length: editors }, work));
  return faults;
}"""


def as_typed(example):
    """The text as an editor holds it; None with a reason where an editor cannot hold it."""
    try:
        text = example.text.decode()
    except UnicodeDecodeError:
        return None, "its bytes are no UTF-8"
    if "\r" in text:
        return None, "a text area has no CR"
    return text, None


def asked(example):
    """The query that validates a text with the example's settings."""
    settings = {"direction": example.direction, **example.settings}
    if "capabilities" in settings:
        settings["capabilities"] = re.sub(r"\s", "", settings["capabilities"])
    if kind := getattr(example, "kind", None):
        settings["kind"] = kind
    return urlencode(settings)


def schema_of(example):
    """The folder of an example: the direction and the kind whose schema judges it."""
    return example.path.parent.relative_to(EXAMPLES)


def sample(found):
    """Some of the examples: for each schema and each rule a random one, then others up to SAMPLE."""
    if os.environ.get("FRONTDESK_REPORTS") == "all":
        return found, "all of them"
    seed = int(os.environ.get("FRONTDESK_REPORTS_SEED") or random.randrange(1 << 32))
    shuffled = sorted(found, key=lambda one: one["name"])
    random.Random(seed).shuffle(shuffled)
    chosen, rest, covered = [], [], set()
    for one in shuffled:
        missing = one["topics"] - covered
        covered |= missing
        (chosen if missing else rest).append(one)
    assert covered == set().union(*(one["topics"] for one in found))
    chosen += rest[:max(0, SAMPLE - len(chosen))]
    return chosen, f"of {len(found)}, FRONTDESK_REPORTS_SEED={seed}, {len(covered)} schemas and rules"


def test_the_editor_shows_the_findings_that_invalid_examples_state(desk):
    words = Words("en")
    sandbox = Sandbox(desk, words).open_raw()
    shown, left = [], []
    for example in examples():
        if not example.is_invalid:
            continue
        text, reason = as_typed(example)
        if reason:
            left.append(f"{example.name} ({reason})")
            continue
        topics = {f"schema {schema_of(example)}", *(f"rule {one['rule']}" for one in example.findings)}
        shown.append({"name": example.name, "topics": topics, "text": text, "query": asked(example), "wanted": "\n".join(
            sorted(f"{one['rule']} {one['severity']} {one['pointer']} "
                   + words("composer.findings.place", line=one["line"], column=one["column"])
                   for one in example.findings))})
    assert len({one["text"] for one in shown}) > 280
    chosen, how = sample(shown)
    assert len(chosen) >= min(SAMPLE, len(shown))
    faults = sandbox.page.evaluate(SHOW_ALL, {
        "examples": [{name: one[name] for name in ("name", "text", "query", "wanted")} for one in chosen],
        "editors": EDITORS})
    print(f"note: {len(chosen)} invalid examples in the editor ({how}); "
          f"left out: {', '.join(left) or 'none'}")
    assert not faults, "\n".join(faults)
