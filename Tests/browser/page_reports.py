"""The state of a page when a test failed, in lines that a log of the CI can hold."""

from playwright.sync_api import Error

SNAPSHOT_LINES = 70
STATE = """() => {
  const name = (node) => {
    if (!node) return "nothing";
    const label = node.getAttribute("aria-label") ?? node.innerText?.slice(0, 60) ?? "";
    const mark = [node.id && `#${node.id}`, node.className && `.${node.className}`].filter(Boolean);
    return `${node.localName}${mark.join("")} ${JSON.stringify(label)}`
      + (node.checkVisibility() ? "" : " (not drawn)");
  };
  let focused = document.activeElement;
  const path = [];
  while (focused) {
    path.push(name(focused));
    focused = focused.shadowRoot?.activeElement;
  }
  return {
    focused: path.join(" > "),
    dialogs: [...document.querySelectorAll("dialog[open]")].map(name),
    hasFocus: document.hasFocus(), visible: document.visibilityState, language: document.documentElement.lang,
  };
}"""


def report_pages(pages, answers, shots, name):
    """The state of every open page as text; full snapshots and pictures are left beside."""
    parts = []
    for number, page in enumerate(pages):
        try:
            parts.append(_report_one(page, answers, shots, f"failed-{name}-{number}"))
        except Error as fault:
            parts.append(f"page {page.url}: it could not be asked ({str(fault).splitlines()[0]})")
    return "\n\n".join(parts)


def _report_one(page, answers, shots, name):
    state = page.evaluate(STATE)
    snapshot = page.locator("html").aria_snapshot(timeout=5_000)
    shots.mkdir(parents=True, exist_ok=True)
    (shots / f"{name}.yaml").write_text(snapshot)
    page.screenshot(path=shots / f"{name}.png", timeout=5_000)
    lines = snapshot.splitlines()
    left = [f"… {len(lines) - SNAPSHOT_LINES} lines more"] if len(lines) > SNAPSHOT_LINES else []
    said = [f"{answer.method} {answer.path} {answer.status_code}" for answer in answers if answer.page == page]
    return "\n".join([
        *lines[:SNAPSHOT_LINES], *left,
        f"page {page.url}, {state['visible']}, has the focus: {state['hasFocus']}, "
        f"language {state['language']}",
        f"focused element: {state['focused']}",
        f"open dialogs: {', '.join(state['dialogs']) or 'none'}",
        f"last answers: {'; '.join(said[-6:]) or 'none'}",
        f"console errors: {'; '.join(getattr(page, 'faults', [])[-5:]) or 'none'}"])
