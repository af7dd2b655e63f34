"""The linter against the channel: it accepts what the channel accepts and refuses what it refuses, in both profiles."""

import collections
import json

import pytest
from support import lint
from support.channel import inbound, money_and_forms, outbound

CASES = [*outbound.T.cases, *money_and_forms.T.cases, *inbound.T.cases]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """The findings of each case, by profile, from one run for each direction and profile."""
    folder = tmp_path_factory.mktemp("channel")
    found = {}
    for direction in ("outbound", "inbound"):
        names = {}
        for number, case in enumerate(CASES):
            if case.direction == direction:
                names[f"{number}.json"] = case
                (folder / f"{number}.json").write_text(json.dumps(case.payload, ensure_ascii=False))
        for profile in ("strict", "lenient"):
            reports = lint.read_json(lint.lint(
                names, "json", direction, cwd=folder, profile=profile, now=lint.NOW))
            for name, case in names.items():
                found[case, profile] = reports[name]
    return found


def findings_of(report):
    """A report in one line, for the message of a failed case."""
    return [f"{f['severity']} {f['rule']} {f['pointer']}" for f in report.get("findings", [])]


@pytest.mark.parametrize("profile", ["strict", "lenient"])
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_the_linter_agrees_with_the_channel(verdicts, case, profile):
    report = verdicts[case, profile]
    if not case.taken:
        assert report["isRefused"], findings_of(report)
    elif case.shown or profile == "lenient":
        assert not report["isRefused"], findings_of(report)
    if case.taken and not case.shown:
        assert report["findings"], "taken without effect, and nothing is said"


def test_rates(verdicts):
    """Prints how many accepted payloads the linter refuses, and how many refused ones it accepts."""
    count = collections.Counter()
    for (case, profile), report in verdicts.items():
        count[case.direction, profile, case.taken] += 1
        count[case.direction, profile, case.taken, report["isRefused"]] += 1
    ways = [(d, p) for d in ("outbound", "inbound") for p in ("strict", "lenient")]
    for way in ways:
        print(f"\n{' '.join(way)}: {count[*way, True, True]} of {count[*way, True]} taken by the channel are "
              f"refused, {count[*way, False, False]} of {count[*way, False]} refused by it are taken", end="")
    for way in ways:
        assert count[*way, False, False] == 0
        assert way[1] == "strict" or count[*way, True, True] == 0
    assert len(CASES) > 300
