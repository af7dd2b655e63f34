import assert from "node:assert/strict";
import { test } from "node:test";
import { ConversationStore } from "../../web/console/conversation-store.js";

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
