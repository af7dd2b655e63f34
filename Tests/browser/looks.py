"""Looking at a page as a camera and as an accessibility checker do."""

import pathlib
import subprocess

from axe_playwright_python.base import AXE_SCRIPT

# Passed rules are counted and not reported: their rows are thousands.
LOOK = """async () => {
  const found = await axe.run({ resultTypes: ["violations"] });
  return { violations: found.violations, passes: found.passes.length };
}"""


def decode_qr(page, locator, folder):
    """The text that a phone's camera would read from the picture on the page."""
    path = pathlib.Path(folder) / "qr.png"
    locator.screenshot(path=path)
    read = subprocess.run(["zbarimg", "--raw", "-q", str(path)],
                          capture_output=True, text=True, check=True)
    return read.stdout.strip()


def assert_accessible(page):
    """axe finds nothing serious or critical."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(LOOK)
    grave = [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]]
    assert found["passes"], "axe looked at nothing"
    assert not grave, "\n".join(grave)
