"""Payloads that the channel accepts or refuses: written for each fact of the protocol page.

A case names the section of the page it is read from, says whether the channel accepts the payload and
whether the device shows it as meant, and holds the payload itself.
"""

import copy
import json

BUSINESS = "b9159070-c454-4135-8bf3-049809624818"
CUSTOMER = "urn:mbid:AQAAY3hLb0pQZ0VxTm9mUmRUdVZ3WHlaMDEyMzQ1Njc4OSsv"
BID = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:" \
      "com.apple.icloud.apps.messages.business.extension"
APP = "com.apple.messages.MSMessageExtensionBalloonPlugin:AB12CD34EF:com.example.shop.messages"
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mPQCDgBRAwQCgAgjgUBcBPFLQAAAABJRU5E" \
          "rkJggg=="
# The value that a change uses to remove a member.
GONE = object()


class Case:
    """One payload, and the channel's reaction to it."""

    def __init__(self, fact, name, direction, payload, taken, shown):
        self.fact, self.name, self.direction = fact, name, direction
        self.payload, self.taken, self.shown = payload, taken, shown

    def __repr__(self):
        return f"{self.direction} {self.fact} {self.name}"


def changed(payload, changes):
    """A copy of the payload with members set or removed; keys are paths with dots."""
    result = copy.deepcopy(payload)
    for path, value in changes.items():
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        holder = result
        for step in steps:
            holder = holder[step]
        if value is GONE:
            del holder[last]
        else:
            holder[last] = copy.deepcopy(value)
    return result


def size(payload):
    """How many bytes a payload has, written without spaces."""
    return len(json.dumps(payload, separators=(",", ":")).encode())


class Table:
    """The cases of a direction, in the order of the page."""

    def __init__(self, direction):
        self.direction, self.cases = direction, []

    def add(self, fact, name, base, changes=None, taken=True, shown=True):
        """Adds a case: a base payload with changes, each a path and its value."""
        payload = changed(base, changes or {})
        self.cases.append(Case(fact, name, self.direction, payload, taken, shown and taken))

    def ignored(self, fact, name, base, changes=None):
        """Adds a case that the channel accepts and the device does not show as intended."""
        self.add(fact, name, base, changes, shown=False)

    def refused(self, fact, name, base, changes=None):
        """Adds a case that the channel refuses."""
        self.add(fact, name, base, changes, taken=False)


def sent(kind, members):
    """An outbound message."""
    return {"v": 1, "id": "6f2d1c5e-0000-4000-8000-000000000001", "type": kind,
            "sourceId": BUSINESS, "destinationId": CUSTOMER, **members}


def received(kind, members):
    """An inbound message."""
    return {"v": 1, "id": "6f2d1c5e-0000-4000-8000-000000000002", "type": kind,
            "sourceId": CUSTOMER, "destinationId": BUSINESS, "locale": "en_US", **members}


def asked(feature, value, **members):
    """An outbound interactive message of a built-in feature."""
    data = {"version": "1.0", "requestIdentifier": "9c1b2f5e-1111-4a6b-9d0a-000000000001",
            feature: value}
    bubbles = {"receivedMessage": {"title": "Please choose", "subtitle": "Tap", "style": "icon"},
               "replyMessage": {"title": "Chosen", "style": "icon"}}
    return sent("interactive", {"interactiveData": {"bid": BID, "data": data, **bubbles, **members}})


def answered(feature, value, **members):
    """An inbound interactive message of a built-in feature."""
    data = {"version": "1.0", "requestIdentifier": "9c1b2f5e-1111-4a6b-9d0a-000000000001",
            "receivedMessage": {"title": "Please choose", "style": "icon"},
            "replyMessage": {"title": "Chosen", "alternateTitle": "Chosen", "style": "icon"},
            feature: value, **members}
    return received("interactive", {"interactiveData": {
        "bid": BID, "sessionIdentifier": "3f6a2c1d-2222-7b8c-9d0e-000000000001", "data": data}})
