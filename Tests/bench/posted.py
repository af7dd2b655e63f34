"""The messages that benchmarks post: a text of 600 bytes and a list picker of 3 KB, without their envelopes."""

import json

import corpus

TEXT = "a customer's question answered in a sentence of ordinary length. " * 8


def payloads():
    """The posted bytes by their names."""
    text = {"type": "text", "body": TEXT, "locale": "en_US"}
    text["body"] += "x" * (600 - len(compact(text)))
    card = corpus.list_picker(items=7)
    for member in ("id", "sourceId", "destinationId"):
        del card[member]
    return {"text": compact(text), "list picker": compact(card)}


def compact(value):
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))
