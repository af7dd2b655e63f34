import assert from "node:assert/strict";
import { test } from "node:test";
import { sortTapbacks } from "../../web/cards/tapbacks.js";
import { makeRows } from "../../web/thread/thread-rows.js";

let sequence = 0;
const say = (direction, body, more = {}) => {
  sequence += 1;
  return {
    id: `m${sequence}`, sequence, direction, kind: "text", time: "2026-11-21T10:00:00Z",
    payload: { type: "text", body }, ...more,
  };
};

for (const [words, tapback, sign] of [
  ["Loved “Hello”", "loved", "❤️"], ["Liked \"Hello\"", "liked", "👍"],
  ["Reacted 🎉 to “Hello”", "reacted", "🎉"], ["「Hello」にハートを付けました", "loved", "❤️"],
  ["Liked “Hel…”", "liked", "👍"],
  ["Reacted 👩‍❤️‍💋‍👨 to “Hello”", "reacted", "👩‍❤️‍💋‍👨"], [`Reacted ${"W".repeat(13)} to “Hello”`, "reacted", "•"],
]) {
  test(`"${words}" is shown at the message that it quotes`, () => {
    const hello = say("outbound", "Hello");
    const { messages, tapbacks } = sortTapbacks([hello, say("outbound", "Other"), say("inbound", words, { tapback })]);
    assert.equal(messages.length, 2);
    assert.equal(tapbacks.get(hello.id).sign, sign);
  });
}

test("the newest reaction counts, and a removed one is gone", () => {
  const hello = say("outbound", "Hello");
  const thread = [hello, say("inbound", "Liked “Hello”", { tapback: "liked" }),
    say("inbound", "Loved “Hello”", { tapback: "loved" })];
  assert.equal(sortTapbacks(thread).tapbacks.get(hello.id).kind, "loved");
  thread.push(say("inbound", "Removed a heart from “Hello”", { tapback: "removed" }));
  assert.equal(sortTapbacks(thread).tapbacks.size, 0);
  assert.equal(sortTapbacks(thread).messages.length, 1);
});

test("a thing is the latest message that has one, a card the latest card", () => {
  const picture = say("outbound", "\u{fffc}", { attachments: [{ id: "a" }] });
  const card = say("outbound", "", { kind: "list" });
  const { tapbacks } = sortTapbacks([picture, card, say("outbound", "Words"),
    say("inbound", "Loved an image", { tapback: "loved" }),
    say("inbound", "Liked 1 Business Message", { tapback: "liked" })]);
  assert.equal(tapbacks.get(picture.id).kind, "loved");
  assert.equal(tapbacks.get(card.id).kind, "liked");
});

test("a reaction to a message that is not in view, and a text that is none, stay messages", () => {
  const far = say("inbound", "Loved “Something old”", { tapback: "loved" });
  const plain = say("inbound", "Liked “Hello”");
  const { messages, tapbacks } = sortTapbacks([say("outbound", "Hello"), far, plain]);
  assert.equal(tapbacks.size, 0);
  assert.deepEqual(messages.slice(1), [far, plain]);
});

test("a thread's rows have the reaction and leave its text out", () => {
  const hello = say("outbound", "Hello");
  const rows = makeRows({
    messages: [hello, say("inbound", "Loved “Hello”", { tapback: "loved" })], notes: [], unreadAfter: null,
  }).filter((row) => row.type === "message");
  assert.equal(rows.length, 1);
  assert.equal(rows[0].tapback.kind, "loved");
});
