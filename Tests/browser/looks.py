"""Looking at a page as a camera and as an accessibility checker do."""

import pathlib
import subprocess

from axe_playwright_python.sync_playwright import Axe


def decode_qr(page, locator, folder):
    """What a phone's camera would read from the picture on the page."""
    path = pathlib.Path(folder) / "qr.png"
    locator.screenshot(path=path)
    read = subprocess.run(["zbarimg", "--raw", "-q", str(path)],
                          capture_output=True, text=True, check=True)
    return read.stdout.strip()


def assert_accessible(page):
    """axe finds nothing serious or critical."""
    results = Axe().run(page)
    grave = [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]]
    assert results.response["passes"], "axe looked at nothing"
    assert not grave, "\n".join(grave)
