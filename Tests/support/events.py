"""The event catalogue, Schemas/events/, as a check of the events that tests see."""

import functools
import json
import pathlib
import re

import jsonschema
import referencing
from referencing.jsonschema import DRAFT202012

EVENTS = pathlib.Path(__file__).resolve().parent.parent.parent / "Schemas" / "events"
BASE = "https://frontdesk.test/schemas/v1/events/"
# A word of a closed list, as opposed to a text that a person wrote or an id.
WORD = re.compile(r"[A-Za-z_.]{1,32}")


def closed(schema):
    """The schema with every object of stated members closed to others.

    Objects may grow members for clients; here one that is not described is a failure.
    """
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: value if key == "examples" else closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "$ref" not in schema:
        schema.setdefault("additionalProperties", False)
    return schema


class Catalogue:
    """What is wrong with events by their schemas."""

    def __init__(self, change=closed):
        self.schemas = {path.stem: change(json.loads(path.read_text())) for path in sorted(EVENTS.glob("*.json"))}
        registry = referencing.Registry().with_resources(
            (BASE + name + ".json", DRAFT202012.create_resource(
                {**schema, "$id": BASE + name + ".json"})) for name, schema in self.schemas.items())
        self.validators = {
            name: jsonschema.Draft202012Validator({"$ref": BASE + name + ".json"}, registry=registry)
            for name in self.schemas if name not in ("envelope", "resources")}
        self.known = set()

    @property
    def types(self):
        """The types of events, without the signals."""
        return [name for name in self.schemas if "." in name]

    def faults(self, event, schema=None):
        """Sentences that name the type and the member; none where all is described."""
        name = event.get("type", "") if schema is None else schema
        if name not in self.validators:
            return [f"{name} is not in the catalogue: Schemas/events/{name}.json is missing"]
        return [f"{name} at /{'/'.join(map(str, error.absolute_path))}: {error.message}"
                for error in self.validators[name].iter_errors(event)]

    def check(self, event):
        """Fails for an event that is not as its entry says; events of the same form are looked at once."""
        form = json.dumps(self.form(event))
        if form not in self.known:
            assert not (faults := self.faults(event)), "\n".join(faults)
            self.known.add(form)

    def form(self, value):
        """What validation can depend on: members, types and words."""
        if isinstance(value, dict):
            # Of the payload of a message nothing is stated, and the keys of attributes are free.
            return {key: key if key == "payload" else self.form(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.form(inner) for inner in value[:1]] + [len(value) > 50]
        if isinstance(value, str) and WORD.fullmatch(value):
            return value
        return type(value).__name__


@functools.cache
def catalogue():
    """The catalogue of this checkout, read once."""
    return Catalogue()
