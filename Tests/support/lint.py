"""`frontdesk lint` of many files in one process, and each of its formats read back into findings."""

import json
import re
import subprocess
import urllib.parse

from support.server import BINARY, ROOT

EXAMPLES = ROOT / "Schemas" / "examples"
SETTINGS = ("profile", "mode", "capabilities", "now")
NOW = "2026-06-01T00:00:00Z"
# GitHub and SARIF call what only informs by names of their own.
WORDS = {"notice": "info", "note": "info"}


class Example:
    """A payload of Schemas/examples: how it is judged, and the findings it states."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        steps = path.relative_to(EXAMPLES).parts[:-1]
        self.is_message = steps[0] in ("inbound", "outbound")
        self.direction = steps[0] if self.is_message else "outbound"
        # A document that is no message is recognised by its folder.
        self.kind = "message" if self.is_message else "/".join(steps)
        self.text = path.read_bytes()
        stated = path.with_suffix(".expected.json")
        expected = json.loads(stated.read_text()) if stated.exists() else {}
        self.settings = {name: expected[name] for name in SETTINGS if name in expected}
        self.settings.setdefault("profile", "strict")
        self.settings.setdefault("mode", "live")
        self.settings.setdefault("now", NOW)
        self.findings = expected.get("findings", [])
        self.is_invalid = path.name.startswith("invalid-")

    @property
    def group(self):
        """The settings that must be equal for two examples to be checked by one command."""
        return (self.direction, self.is_message, *sorted(self.settings.items()))


def examples():
    """All examples, sorted by path."""
    found = [Example(path) for path in sorted(EXAMPLES.rglob("*.json"))
             if not path.name.endswith(".expected.json")]
    assert len(found) > 800
    return found


def run(*words, stdin=None, cwd=ROOT):
    """Runs a command of the release binary; its exit code is the caller's affair."""
    return subprocess.run([str(BINARY), *map(str, words)], cwd=cwd, input=stdin,
                          capture_output=True, timeout=120)


def lint(files, format, direction, cwd=ROOT, **settings):
    """The standard output of one lint of these files."""
    flags = [f"--{name}={value}" for name, value in settings.items()]
    ran = run("lint", "--format", format, "--direction", direction, *flags, "--", *files, cwd=cwd)
    assert ran.returncode in (0, 1), ran.stderr.decode()
    return ran.stdout.decode()


def read_json(output):
    """Findings by file, whole, as the API gives them."""
    return {line["file"]: line for line in map(json.loads, output.splitlines())}


def read_text(output):
    """(rule, severity, pointer, line, column) by file, from the text format."""
    found = {}
    for line in output.split("\n"):
        head = re.fullmatch(r"(\S+?):(\d+):(\d+): (error|warning|info): .* \[([a-z0-9-]+)\]", line)
        if head:
            here = found.setdefault(head[1], [])
            here.append([head[5], head[4], "", int(head[2]), int(head[3])])
        elif line.startswith("    at "):
            here[-1][2] = line.removeprefix("    at ")
    return {file: [tuple(item) for item in items] for file, items in found.items()}


def read_github(output):
    """The same, from workflow commands, parsed as a runner parses them."""
    found = {}
    for line in output.splitlines():
        head = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert head, line
        values = dict(pair.split("=", 1) for pair in head[2].split(","))
        values = {name: urllib.parse.unquote(value) for name, value in values.items()}
        message = urllib.parse.unquote(head[3])
        at = [part for part in message.split("\n") if part.startswith("at /")]
        found.setdefault(values["file"], []).append((
            values["title"], WORDS.get(head[1], head[1]), at[0][3:] if at else "",
            int(values["line"]), int(values["col"])))
    return found


def read_sarif(output):
    """The same, from a SARIF log; each result's bytes are checked to be inside the file."""
    found = {}
    run = json.loads(output)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]
        physical = location["physicalLocation"]
        region = physical["region"]
        logical = location.get("logicalLocations", [{"fullyQualifiedName": ""}])
        file = urllib.parse.unquote(physical["artifactLocation"]["uri"])
        found.setdefault(file, []).append((
            result["ruleId"], WORDS.get(result["level"], result["level"]),
            logical[0]["fullyQualifiedName"], region["startLine"], region["startColumn"]))
    return found


def plain(report):
    """(rule, severity, pointer, line, column) of a file's JSON line."""
    if "fault" in report:
        fault = report["fault"]
        return [(fault["rule"], "error", "", fault["line"], fault["column"])]
    return [(f["rule"], f["severity"], f["pointer"], f["line"], f["column"])
            for f in report["findings"]]
