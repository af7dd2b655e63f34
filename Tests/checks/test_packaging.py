"""What is installed beside the program: systemd's unit and user, the alert rules, and where they are put."""

import json
import os
import re
import subprocess

import pytest
import yaml

from conftest import ROOT

PACKAGING = ROOT / "scripts" / "packaging"
UNIT = PACKAGING / "frontdesk.service"


def page(name):
    return (ROOT / "docs" / name).read_text()


def service(unit):
    """The lines of a unit's section Service."""
    return unit.split("[Service]\n")[1].split("\n[Install]")[0].splitlines()


def installed(root, **variables):
    """Installs a made-up program; the paths of the files that are there then."""
    program = root.parent / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = subprocess.run([str(ROOT / "scripts" / "install")], capture_output=True, text=True, check=False, timeout=60,
                          env={"PATH": os.environ["PATH"], "BINARY": str(program), **variables})
    assert done.returncode == 0, done.stderr
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


# The unit


def test_the_page_has_the_unit_that_is_installed():
    shown = page("operations.md").split("```\n# /usr/local/lib/systemd/system/frontdesk.service\n")[1].split("```")[0]
    assert shown == UNIT.read_text()


def test_the_unit_can_be_enabled_and_restarts_after_recoverable_failures():
    lines = UNIT.read_text().splitlines()
    assert "RestartPreventExitStatus=2 70 72" in lines and "Restart=on-failure" in lines
    assert "WantedBy=multi-user.target" in lines and "[Install]" in lines
    assert "ExecReload=/bin/kill -HUP $MAINPID" in lines and "LimitCORE=0" in lines
    # Without its configuration it would serve this machine alone, so it does not start.
    assert "EnvironmentFile=/etc/frontdesk/frontdesk.env" in lines


def test_the_page_configures_the_unit_as_a_proxy_needs_it():
    made = re.search(r"cat > /etc/frontdesk/frontdesk.env <<'END'\n(.*?)END\n", page("operations.md"), re.S).group(1)
    assert made.splitlines() == ["FRONTDESK_PUBLIC_URL=https://chat.example.com", "FRONTDESK_TRUSTED_PROXY=127.0.0.1"]


def test_nodes_are_confined_as_a_single_server_is():
    nodes = re.search(r"frontdesk@.service <<'END'\n(.*?)END\n", page("scale-out.md"), re.S).group(1)
    own = {"EnvironmentFile", "ExecStart", "StateDirectory", "RestartSec"}
    assert {line for line in service(nodes) if line.split("=")[0] not in own} \
        == {line for line in service(UNIT.read_text()) if line.split("=")[0] not in own}


def test_systemd_rates_the_unit_as_confined():
    rated = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=20", str(UNIT)],
                           capture_output=True, text=True, check=False, timeout=60)
    assert rated.returncode == 0, rated.stdout
    exposure = re.search(r"Overall exposure level for frontdesk.service: ([\d.]+)", rated.stdout).group(1)
    assert f"rates it {exposure}" in page("operations.md")


# The rules


def test_the_page_lists_the_alert_rules_as_the_file_has_them():
    seconds = {"s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400}

    def length(text):
        number, unit = re.fullmatch(r"(\d+) ?(\w+)", text).groups()
        return int(number) * seconds[unit]

    groups = yaml.safe_load((PACKAGING / "prometheus-rules.yml").read_text())["groups"]
    rules = [(rule["alert"], rule["expr"], rule.get("for") and length(rule["for"]), rule["labels"]["severity"],
              rule["annotations"]["summary"]) for group in groups for rule in group["rules"]]
    table = page("operations.md").split("| alert | rule | for | severity | meaning |\n")[1].split("\n\n")[0]
    rows = [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in table.splitlines()[1:]]
    shown = [(name, expression, length(span) if span else None, severity, meaning) for name, expression, span, severity, meaning in rows]
    assert shown == rules and len({rule[0] for rule in rules}) == len(rules)


def test_the_alert_rules_ask_for_metrics_that_are_there():
    section = page("operations.md").split("\n## Metrics\n")[1].split("| alert | rule |")[0]
    listed = set(re.findall(r"`([a-z_]+)`", section))
    text = (PACKAGING / "prometheus-rules.yml").read_text()
    asked = {name.removesuffix("_bucket") for name in re.findall(r"\b(?:frontdesk|process)_[a-z_]+", text)}
    assert asked and asked - listed == set()


def test_the_dashboard_asks_for_metrics_that_are_there_by_names_of_its_own():
    section = page("operations.md").split("\n## Metrics\n")[1].split("| alert | rule |")[0]
    listed = set(re.findall(r"`([a-z_]+)`", section))
    dashboard = json.loads((PACKAGING / "grafana-dashboard.json").read_text())
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    asked = {name.removesuffix("_bucket") for text in expressions for name in re.findall(r"\b(?:frontdesk|process)_[a-z_]+", text)}
    assert len(asked) > 40 and asked - listed == set()
    # Of the job that was chosen, each of them.
    assert [text for text in expressions if text.count("job=\"$job\"") != len(re.findall(r"\w\{", text))] == []
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    covered = [(x, y) for panel in dashboard["panels"] for place in [panel["gridPos"]]
             for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])]
    assert len(covered) == len(set(covered)) and max(x for x, _ in covered) < 24


# Where it goes


@pytest.mark.parametrize("prefix", ["/usr", "/usr/local"])
def test_everything_goes_below_destdir(tmp_path, prefix):
    root = tmp_path / "root"
    files = installed(root, DESTDIR=str(root), PREFIX=prefix)
    top = prefix[1:]
    assert {f"{top}/bin/frontdesk", f"{top}/share/frontdesk/web/lib/live.js", f"{top}/share/frontdesk/docs/api.md",
            f"{top}/share/frontdesk/prometheus-rules.yml", f"{top}/share/frontdesk/grafana-dashboard.json", f"{top}/share/bash-completion/completions/frontdesk",
            f"{top}/share/man/man1/frontdesk.1"} <= files
    assert {path for path in files if not path.startswith((f"{top}/bin/", f"{top}/share/"))} \
        == {f"{top}/lib/systemd/system/frontdesk.service", f"{top}/lib/sysusers.d/frontdesk.conf"}
    unit = (root / top / "lib/systemd/system/frontdesk.service").read_text()
    assert f"ExecStart={prefix}/bin/frontdesk serve" in unit and str(root) not in unit
    assert unit.replace(f"={prefix}/bin/", "=/usr/local/bin/") == UNIT.read_text()


def test_a_folder_where_systemd_does_not_look_is_given_no_unit(tmp_path):
    root = tmp_path / "own"
    files = installed(root, PREFIX=str(root))
    assert "bin/frontdesk" in files and not any(path.startswith("lib/") for path in files)


def test_the_user_of_the_unit_is_made(tmp_path):
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    installed(root, DESTDIR=str(root), PREFIX="/usr")
    subprocess.run(["systemd-sysusers", f"--root={root}", "frontdesk.conf"], check=True, timeout=60)
    [line] = [line for line in (root / "etc/passwd").read_text().splitlines() if line.startswith("frontdesk:")]
    assert line.endswith(":/var/lib/frontdesk:/usr/sbin/nologin")
    assert "User=frontdesk" in UNIT.read_text().splitlines()
