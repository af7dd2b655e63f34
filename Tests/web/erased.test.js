import assert from "node:assert/strict";
import { test } from "node:test";
import { picturesOf } from "../../web/cards/thread-pictures.js";
import { sortTapbacks } from "../../web/cards/tapbacks.js";
import { isErased, summaryOf, withErased } from "../../web/lib/erased.js";
import { ThreadState } from "../../web/phone/thread-state.js";
import { ConversationStore } from "../../web/sandbox/conversation-store.js";
import { makeRows } from "../../web/thread/thread-rows.js";

const SECRET = "the secret";
const message = (id, sequence, more = {}) => ({
  id, conversation: "c", business: "b", sequence, direction: "inbound", kind: "text", origin: "phone",
  author: { type: "customer", id: "d", name: null }, time: `2026-07-30T09:15:0${sequence}.000Z`,
  payload: { type: "text", body: SECRET, attachments: [{ name: SECRET, mimeType: "image/png" }] },
  attachments: [{ id: "f", name: SECRET, mimeType: "image/png", size: 1 }], summary: SECRET,
  inReplyTo: null, warnings: [{ found: SECRET }], template: { name: SECRET }, tapback: "liked",
  missingFiles: [{ place: 0, reason: SECRET }], sha256: SECRET, ...more,
});
const erasure = (id, conversation = "c") => ({
  type: "message.erased", conversation, time: "2026-07-31T10:00:00.000Z",
  data: { message: id, sequence: 2, by: { type: "agent", id: "a" } },
});

test("an erasure leaves of a message what a tombstone keeps, and nothing of its content", () => {
  const [other, erased] = withErased([message("one", 1), message("two", 2)], erasure("two"));
  assert.deepEqual(other, message("one", 1));
  assert.equal(isErased(other), false);
  assert.equal(isErased(erased), true);
  assert.ok(!JSON.stringify(erased).includes(SECRET));
  assert.deepEqual(
    [erased.id, erased.sequence, erased.time, erased.direction, erased.kind, erased.erasedAt, erased.payload],
    ["two", 2, "2026-07-30T09:15:02.000Z", "inbound", "text", "2026-07-31T10:00:00.000Z", {}]);
});

test("a message of the same id in another conversation keeps its content", () => {
  assert.deepEqual(withErased([message("one", 1)], erasure("one", "other")), [message("one", 1)]);
});

test("a tombstone stays a row of the thread, shows no picture and is no reaction", () => {
  const messages = withErased([message("one", 1), message("two", 2)], erasure("two"));
  const rows = makeRows({ messages, notes: [], unreadAfter: null });
  assert.deepEqual(rows.map((row) => row.key).slice(-1), ["two"]);
  assert.deepEqual(picturesOf(messages.slice(1), (id) => id), []);
  assert.equal(sortTapbacks(messages.slice(1)).messages.length, 1);
});

test("the sandbox's open conversation loses the content with the event", () => {
  const store = new ConversationStore();
  store.turnTo("c");
  store.addMessages([message("one", 1), message("two", 2)]);
  store.apply(erasure("two"));
  assert.deepEqual(store.messages.map(isErased), [false, true]);
});

test("the phone replaces a message by its tombstone", () => {
  const thread = new ThreadState();
  thread.add([message("one", 1)]);
  thread.add(withErased([message("one", 1)], erasure("one")));
  assert.deepEqual(thread.messages.map(isErased), [true]);
});

test("the phone empties what an event of an erasure names, and an earlier reading does not bring it back", () => {
  const thread = new ThreadState();
  thread.add([message("one", 1), message("two", 2)]);
  assert.equal(thread.erase(erasure("unknown")), false);
  assert.equal(thread.erase(erasure("two")), true);
  thread.add([message("two", 2)]);
  assert.deepEqual(thread.messages.map(isErased), [false, true]);
  assert.ok(!JSON.stringify(thread.messages[1]).includes(SECRET));
});

test("a list says of an erased last message that it was erased, and of blanks nothing", () => {
  assert.equal(summaryOf({ summary: "Hello" }), "Hello");
  assert.equal(summaryOf({ summary: "", erasedAt: "2026-07-31T10:00:00.000Z" }), "Erased");
  assert.equal(summaryOf({ summary: "" }), "");
  assert.equal(summaryOf(null), "");
});
