import assert from "node:assert/strict";
import { test } from "node:test";
import { ConversationStore, shownMessage } from "../../web/console/conversation-store.js";

const one = (revision, more = {}) => ({
  id: "c", sequence: 4, revision, unread: 0, state: "open", openedAt: "2026-01-01T00:00:00Z", ...more,
});

for (const [name, first, second, expected] of [
  ["a late answer without what was assigned meanwhile is let go",
    one(6, { assignee: { id: "a" } }), one(5), { revision: 6, assignee: { id: "a" } }],
  ["a later state of the same newest message replaces the earlier one",
    one(5), one(6, { state: "closed" }), { revision: 6, state: "closed" }],
  ["a replayed change from before revisions were counted changes nothing",
    one(6, { state: "closed" }), one(0), { revision: 6, state: "closed" }],
  ["reading lowers the unread count, and a late answer does not raise it again",
    one(6, { unread: 0 }), one(6, { unread: 3 }), { revision: 6, unread: 0 }],
  ["a new message raises the unread count",
    one(6, { unread: 0 }), one(7, { unread: 1, sequence: 5 }), { revision: 7, unread: 1, sequence: 5 }],
]) {
  test(`in the console's list ${name}`, () => {
    const store = new ConversationStore([first]);
    store.put(second);
    const shown = store.get("c");
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(shown[key], value, key);
  });
}

const said = (sequence, type, summary) => ({ sequence, direction: type === "customer" ? "inbound" : "outbound", author: { type }, summary });
const question = said(4, "customer", "Is it there?");
const closed = said(5, "server", "We are closed");
const shown = (...states) => {
  const store = new ConversationStore();
  for (const state of states) store.put(state);
  return shownMessage(store.get("c"))?.summary;
};

for (const [name, expected, ...states] of [
  ["that came after the customer's question", "Is it there?",
    one(6, { lastMessage: question }), one(7, { lastMessage: closed })],
  ["that came after another one", "Is it there?",
    one(6, { lastMessage: question }), one(7, { lastMessage: closed }), one(8, { lastMessage: said(6, "rule", "Still closed") })],
  ["where the server says what was written before", "Is it there?",
    one(7, { lastMessage: closed, lastNonAutomatic: question })],
  ["where an event follows what the server said", "Is it there?",
    one(7, { lastMessage: closed, lastNonAutomatic: question }), one(8, { lastMessage: closed, state: "closed" })],
  ["of which an answer of the same state says no more", "Is it there?",
    one(7, { lastMessage: closed, lastNonAutomatic: question }), one(7, { lastMessage: closed })],
]) {
  test(`a row does not show an automatic message ${name}`, () => assert.equal(shown(...states), expected));
}

test("a row shows what the customer writes after an automatic message", () => {
  assert.equal(shown(one(7, { lastMessage: closed, lastNonAutomatic: question }), one(8, { lastMessage: said(6, "customer", "Hello?") })), "Hello?");
});

test("a row shows an automatic message where nothing else is there, or left", () => {
  assert.equal(shown(one(7, { lastMessage: closed })), "We are closed");
  // The question cannot be read any more: what the page knew of it goes.
  assert.equal(shown(one(6, { lastMessage: question }), one(7, { lastMessage: closed, lastNonAutomatic: null })), "We are closed");
  assert.equal(shown(one(7, { lastMessage: null })), undefined);
});

test("an erased question is gone from the row that showed it", () => {
  const store = new ConversationStore([one(7, { lastMessage: closed, lastNonAutomatic: question })]);
  store.put(one(8, { lastMessage: closed, lastNonAutomatic: { ...question, summary: "", erasedAt: "2026-01-02T00:00:00Z" } }));
  assert.equal(shownMessage(store.get("c")).erasedAt, "2026-01-02T00:00:00Z");
});
