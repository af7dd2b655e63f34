"""What the pages for integrators name is there: routes, parameters, refusals, commands and flags."""

import json
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
API = json.loads((ROOT / "docs" / "openapi.json").read_text())
PAGES = ["README.md", "api.md", "assistants.md", "bots.md", "events.md", "gateway.md", "import.md", "llms.txt",
         "testing-a-provider.md", "translate.md", "webhooks.md", "whatsapp.md", "widget.md"]
METHODS = ("get", "post", "put", "patch", "delete")
ROUTES = {path: {method.upper() for method in METHODS if method in item} for path, item in API["paths"].items()}
# Addresses of others in examples.
FOREIGN = ("/api/v1/accounts/", "/api.md", "/api#")
PROGRAM = "".join(path.read_text() for path in (ROOT / "Sources" / "frontdesk").rglob("*.swift"))
COMMANDS = set(re.findall(r'CommandDescription\(\s*"([a-z -]+)"', PROGRAM))
FLAGS = set(re.findall(r'Flag\(\s*"([a-z-]+)"', PROGRAM)) | {"help", "version"}


def text_of(page):
    """A page's text."""
    return (ROOT / "docs" / page).read_text()


def line_of(text, place):
    """The number of a line, for the message of a failure."""
    return text.count("\n", 0, place) + 1


def parts_of(path):
    """The segments of an address; what stands for a value is `{}`."""
    plain = re.sub(r"\$\{\w+\}|\$\w+|\{[^}]*\}", "{}", path.split("?")[0].rstrip(".,;:)"))
    return plain.strip("/").split("/")


def methods_of(path, whole=True):
    """The methods of all routes that an address, or the end of one, may mean."""
    wanted, found = parts_of(path), set()
    for route, methods in ROUTES.items():
        parts = parts_of(route)
        end = parts if whole else parts[-len(wanted):]
        # An address as a whole may have an example's value in place of a parameter.
        if len(end) == len(wanted) and all(
                one == other or whole and one == "{}" for one, other in zip(end, wanted, strict=True)):
            found |= methods
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_no_route_that_there_is_not(page):
    text, faults = text_of(page), []
    for found in re.finditer(r"(?:\b(GET|POST|PUT|PATCH|DELETE)[ `]+)?(…?)(/[^\s`\"'\\|,<>]*)", text):
        method, cut, path = found[1], found[2], found[3]
        is_ours = cut and method or re.match(r"/api/\w|/mcp\b", path)
        if not is_ours or path.startswith(FOREIGN):
            continue
        methods = methods_of(path, whole=not cut)
        if not methods or method and method not in methods:
            faults.append(f"{page}:{line_of(text, found.start())}: {found[0]}")
    assert faults == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_no_parameter_of_lists_that_there_is_not(page):
    known = {one["name"] for item in API["paths"].values() for operation in item.values() if isinstance(operation, dict)
             for one in operation.get("parameters", []) if "name" in one}
    known |= {one["name"] for one in API["components"].get("parameters", {}).values()}
    plain = text_of(page).replace("%5B", "[").replace("%5D", "]")
    assert set(re.findall(r"\b(?:filter|page)\[\w+\]", plain)) - known == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_no_refusal_that_there_is_not(page):
    known = {path.stem for path in (ROOT / "docs" / "problems").glob("*.md")}
    named = set(re.findall(r"problems/(\w+)\.md", text_of(page)))
    named |= set(re.findall(r"\b(?:400|401|403|404|409|410|412|413|415|422|429|503) \[?`([a-z_]+)`", text_of(page)))
    assert named - known == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_no_command_and_no_flag_that_there_is_not(page):
    text, faults = text_of(page), []
    for found in re.finditer(r"\bfrontdesk ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)([^\n`|]*)", text):
        words = found[1].split()
        flags = re.findall(r"(?<![\w-])--([a-z][a-z-]*)", found[2])
        if not flags and text[found.start() - 1] != "`":
            continue
        if words[0] not in COMMANDS and found[1] not in COMMANDS or not FLAGS.issuperset(flags):
            faults.append(f"{page}:{line_of(text, found.start())}: {found[0]}")
    assert faults == []


def test_the_names_that_are_looked_for_are_found():
    assert len(COMMANDS) > 40 and len(FLAGS) > 60 and len(ROUTES) > 100
    assert methods_of("/api/conversations/$CONVERSATION/messages?sendAt=$LATER") >= {"GET", "POST"}
    assert methods_of("/replay", whole=False) == {"POST"}
    assert methods_of("/api/conversatons") == set()


def test_the_page_for_language_models_leads_to_every_page_for_programs():
    models = set(re.findall(r"\(/docs/([\w./-]+)\)", text_of("llms.txt")))
    section = text_of("README.md").partition("## Connect a program")[2].partition("## Run a server")[0]
    programs = {name for name in re.findall(r"\]\(([\w./-]+)\)", section) if name != "openapi.json"}
    assert programs - models == set()
    assert all((ROOT / "docs" / name).is_file() for name in models | programs)
