import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRows } from "../../web/thread/thread-rows.js";

const message = (id, sequence, more = {}) => ({
  id, sequence, direction: "inbound", kind: "text", time: "2026-11-20T09:00:00Z", inReplyTo: null, summary: id, ...more,
});

test("a text that names another message quotes it, and answers no card", () => {
  const messages = [
    message("card", 1, { kind: "list", direction: "outbound" }), message("quote", 2, { inReplyTo: "card" }),
    message("answer", 3, { kind: "list", inReplyTo: "card" }), message("older", 4, { inReplyTo: "gone" }),
  ];
  const rows = new Map(makeRows({ messages, notes: [], unreadAfter: null }).map((row) => [row.key, row]));
  assert.equal(rows.get("quote").quote.message.id, "card");
  assert.deepEqual(rows.get("older").quote, { message: null });
  assert.equal(rows.get("answer").quote, null);
  assert.equal(rows.get("card").reply.id, "answer");
});
