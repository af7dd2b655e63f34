"""The sent and the acknowledged messages, kept outside the store; and the one check of all faults."""

import dataclasses
import json
import uuid

from .wire import Wire


@dataclasses.dataclass
class Sent:
    """One message as its sender knows it."""

    id: str
    conversation: str
    # Sent only after everything of a lower turn in this conversation was acknowledged.
    turn: int
    text: str
    sequence: int | None = None
    # When the sender got the answer, by its monotonic clock.
    acknowledged_at: float = 0
    # Whether it was refused once: a later message that was acknowledged comes before it.
    was_refused: bool = False

    def payload(self, with_id=True):
        """The bytes to post."""
        name = f'"id":"{self.id}",' if with_id else ""
        return f'{{{name}"type":"text","body":"{self.text}"}}'.encode()


@dataclasses.dataclass
class Verdict:
    """How many of each fault the check found; all zero but the first is the promise kept."""

    acknowledged: int = 0
    lost: int = 0
    duplicated: int = 0
    reordered: int = 0
    gaps: int = 0
    invented: int = 0
    examples: list = dataclasses.field(default_factory=list)

    def note(self, fault, text):
        """Counts a fault and keeps the first few in words."""
        setattr(self, fault, getattr(self, fault) + 1)
        if len(self.examples) < 5:
            self.examples.append(f"{fault}: {text}")

    def plus(self, other):
        """Both counts together; the other may be missing."""
        if other is None:
            return self
        names = [field.name for field in dataclasses.fields(self)]
        return Verdict(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def faults(self):
        """All of them together."""
        return self.lost + self.duplicated + self.reordered + self.gaps + self.invented

    def __str__(self):
        text = (f"{self.acknowledged} acknowledged, {self.lost} lost, {self.duplicated} duplicated, "
                f"{self.reordered} reordered, {self.gaps} gaps")
        return text + (f", {self.invented} invented" if self.invented else "")


class Ledger:
    """Everything that a test's senders sent, and the answers they got."""

    def __init__(self, conversations):
        self.conversations = list(conversations)
        self.sent = {conversation: {} for conversation in self.conversations}
        self.turns = dict.fromkeys(self.conversations, 0)
        # The first message of each conversation was there before the ledger.
        self.before = {}
        # When senders got their acknowledgements, in this order.
        self.moments = []

    def turn(self, conversation, count):
        """Makes the messages of the conversation's next turn."""
        self.turns[conversation] += 1
        turn = self.turns[conversation]
        made = []
        for place in range(count):
            one = Sent(str(uuid.uuid4()), conversation, turn, f"{turn}.{place} " + "w" * 80)
            self.sent[conversation][one.text] = one
            made.append(one)
        return made

    def without_order(self):
        """From here on messages are sent without regard to earlier ones: no order is promised."""
        for known in self.sent.values():
            for one in known.values():
                one.turn = 0

    def forget_since(self, moment):
        """Discards the answers after a time: those messages count as not acknowledged."""
        for known in self.sent.values():
            for one in known.values():
                if one.acknowledged_at > moment:
                    one.sequence = None

    def unknown(self):
        """The messages that were sent and never acknowledged, to be sent again."""
        return [one for known in self.sent.values() for one in known.values()
                if one.sequence is None]

    @property
    def acknowledged(self):
        """How many acknowledgements there were."""
        return sum(one.sequence is not None for known in self.sent.values()
                   for one in known.values())

    def check(self, port, key):
        """Reads everything back over the API and compares."""
        verdict = Verdict(acknowledged=self.acknowledged)
        with Wire(port, key) as wire:
            for conversation in self.conversations:
                stored = read_back(wire, conversation)
                if not stored:
                    verdict.note("lost", f"the message that began {conversation}")
                first = self.before.setdefault(conversation, len(stored) - sum(
                    message["text"] in self.sent[conversation] for message in stored))
                self._compare(conversation, stored, first, verdict)
        return verdict

    def _compare(self, conversation, stored, first, verdict):
        sent, seen, ids, turn = self.sent[conversation], {}, set(), 0
        for place, message in enumerate(stored, 1):
            if message["sequence"] != place:
                verdict.note("gaps", f"{conversation} has {message['sequence']} at {place}")
            if message["id"] in ids:
                verdict.note("duplicated", f"id {message['id']} in {conversation}")
            ids.add(message["id"])
            one = sent.get(message["text"])
            if one is None:
                if place > first:
                    verdict.note("invented", f"{message['id']} {message['text'][:40]!r}")
                continue
            if one.text in seen:
                verdict.note("duplicated", f"{one.text[:12]} of {conversation} at {place}")
                continue
            seen[one.text] = message
            if one.was_refused:
                continue
            if one.turn < turn:
                verdict.note("reordered", f"{one.text[:12]} of {conversation} after turn {turn}")
            turn = max(turn, one.turn)
        for one in sent.values():
            if one.sequence is None:
                continue
            message = seen.get(one.text)
            if message is None or message["id"] != one.id:
                verdict.note("lost", f"{one.text[:12]} of {conversation}, acknowledged as {one.sequence}")
            elif message["sequence"] != one.sequence:
                verdict.note(
                    "reordered", f"{one.text[:12]} acknowledged as {one.sequence}, is {message['sequence']}")


def read_back(wire, conversation):
    """All messages of a conversation as the API gives them."""
    found, after = [], 0
    while True:
        status, _, body = wire.ask(
            "GET", f"/api/conversations/{conversation}/messages?after={after}&page[size]=300")
        assert status == 200, f"reading back: {status} {body[:300]}"
        page = json.loads(body)
        for message in page["data"]:
            found.append({"id": message["id"], "sequence": message["sequence"],
                          "text": message["payload"].get("body", "")})
        if not page["hasMore"]:
            return found
        after = found[-1]["sequence"]
