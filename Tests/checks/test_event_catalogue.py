"""The event catalogue by PyPI's jsonschema, and the files that scripts/event-catalogue makes of it."""

import json
import pathlib
import subprocess
import sys

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from support.events import Catalogue, catalogue  # noqa: E402

SCRIPT = ROOT / "scripts" / "event-catalogue"
OPEN = Catalogue(change=lambda schema: schema)
EXAMPLES = [pytest.param(name, example, id=f"{name}-{number}")
            for name, schema in OPEN.schemas.items()
            for number, example in enumerate(schema.get("examples", ()))]


def test_what_is_made_from_the_catalogue_is_up_to_date():
    ran = subprocess.run([str(SCRIPT), "--check"], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("name", list(OPEN.schemas))
def test_every_file_is_a_schema_that_says_what_it_is(name):
    schema = OPEN.schemas[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"/schemas/v1/events/{name}.json"
    assert schema["title"] and schema["description"]


@pytest.mark.parametrize("name, example", EXAMPLES)
def test_an_example_is_valid_and_grows_members_for_clients_but_not_for_tests(name, example):
    assert OPEN.faults(example, name) == catalogue().faults(example, name) == []
    grown = {**example, "surprise": 1}
    assert OPEN.faults(grown, name) == []
    assert any("surprise" in fault for fault in catalogue().faults(grown, name))
    if "data" in example and example["data"]:
        less = {**example, "data": {}}
        assert OPEN.faults(less, name), name


def test_an_unknown_type_and_an_unknown_member_are_named():
    event = next(example.values[1] for example in EXAMPLES if example.values[0] == "note.added")
    with pytest.raises(AssertionError, match="tea.brewed is not in the catalogue"):
        catalogue().check({**event, "type": "tea.brewed"})
    note = {**event["data"]["note"], "colour": "red"}
    with pytest.raises(AssertionError, match=r"note.added at /data/note: .*'colour' was unexpected"):
        catalogue().check({**event, "data": {"note": note}})
    catalogue().check(event)


def test_openapi_has_every_type_as_a_webhook_whose_example_fits():
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    assert sorted(document["webhooks"]) == sorted(OPEN.types)
    for name, hook in document["webhooks"].items():
        content = hook["post"]["requestBody"]["content"]["application/json"]
        schema = {**content["schema"], "components": document["components"]}
        jsonschema.Draft202012Validator(schema).validate(content["example"])
        jsonschema.Draft202012Validator(
            {"$ref": "#/components/schemas/AnyEvent", "components": document["components"]}).validate(content["example"])
        assert content["example"]["type"] == name


def test_the_page_has_every_type_and_every_signal():
    page = (ROOT / "docs" / "events.md").read_text()
    for name in [*OPEN.types, "ephemeral", "live", "reset"]:
        assert f"\n### {name}\n" in page
