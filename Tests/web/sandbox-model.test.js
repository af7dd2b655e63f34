import assert from "node:assert/strict";
import { test } from "node:test";
import { clockSkew, countdown, lifeOf, renewalOf } from "../../web/sandbox/code-clock.js";
import { ConversationStore, opensPage } from "../../web/sandbox/conversation-store.js";

test("a code is renewed before it ends, a short one after nine tenths", () => {
  assert.equal(renewalOf(0, 600_000), 570_000);
  assert.equal(renewalOf(0, 60_000), 54_000);
  for (const life of [1000, 30_000, 3_600_000]) assert.ok(renewalOf(5, 5 + life) < 5 + life);
});

const rows = [[600_000, 0, "10:00"], [59_001, 0, "1:00"], [500, 0, "0:01"], [0, 5, "0:00"]];
for (const [expires, now, text] of rows) {
  test(`${expires - now} ms left reads ${text}`, () => assert.equal(countdown(expires, now), text));
}

test("another clock is seen by the Date header, small differences are not", () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(clockSkew("Thu, 01 Jan 2026 01:00:00 GMT", now), 3_600_000);
  assert.equal(clockSkew("Thu, 01 Jan 2026 00:00:01 GMT", now), 0);
  assert.equal(clockSkew(null, now), 0);
});

const message = (id, sequence, more = {}) => ({
  id, sequence, conversation: "c", direction: "inbound", author: { type: "customer" }, ...more,
});

test("messages of the open conversation are kept once, in order", () => {
  const store = new ConversationStore();
  store.turnTo("c");
  store.addMessages([message("b", 2), message("a", 1)]);
  const event = { type: "message.accepted", data: { message: message("b", 2), conversationState: { id: "c" } } };
  assert.equal(store.apply(event).arrived.id, "b");
  assert.deepEqual(store.messages.map((it) => it.id), ["a", "b"]);
  assert.ok(store.open);
});

test("a message of another conversation changes the list only", () => {
  const store = new ConversationStore();
  store.turnTo("c");
  const event = { type: "message.accepted", data: { message: message("x", 1, { conversation: "d" }), conversationState: { id: "d" } } };
  store.apply(event);
  assert.equal(store.messages.length, 0);
  assert.ok(store.conversations.has("d"));
});

test("the page opens for its own code or a free customer, not for another page's", () => {
  const own = new Set(["k"]);
  assert.equal(opensPage(message("a", 1), "k", own), true);
  assert.equal(opensPage(message("a", 1), null, own), true);
  assert.equal(opensPage(message("a", 1), "other", own), false);
  assert.equal(opensPage(message("a", 1, { author: { type: "script" } }), null, own), false);
  assert.equal(opensPage(message("a", 1, { direction: "outbound" }), "k", own), false);
});

for (const [name, made, expires, life] of [
  ["of the same clock", 0, 600_000, { isCounted: true, renewal: 570_000 }],
  ["of a clock that stands still in the past", 1_000_000, 600_000, { isCounted: false, renewal: 1_540_000 }],
  ["of a clock years ahead", 0, 10 ** 11, { isCounted: false, renewal: 540_000 }],
]) {
  test(`a join code ${name} is shown for minutes`, () => assert.deepEqual(lifeOf(made, expires), life));
}
