import assert from "node:assert/strict";
import { test } from "node:test";
import { findInThread, folded } from "../../web/thread/thread-words.js";

const text = (sequence, body, more = {}) => ({ id: `m${sequence}`, sequence, kind: "text", summary: body, payload: { type: "text", body }, ...more });
const list = (sequence, titles) => ({
  id: `m${sequence}`, sequence, kind: "list", summary: "A list",
  payload: { interactiveData: { bid: "secret-bid", data: { listPicker: { sections: [{ items: titles.map((title) => ({ title, identifier: "hidden" })) }] } } } },
});
const thread = {
  messages: [text(1, "Grüße aus Köln"), list(2, ["Hōjicha", "Sencha"]), text(3, "ｋöln again"), text(4, "gone Köln", { erasedAt: "2026-01-01" }),
    { id: "m5", sequence: 5, kind: "text", summary: "", payload: { type: "text", body: "" }, attachments: [{ name: "receipt.pdf" }] }],
  notes: [{ id: "n1", text: "Ask Köln", afterSequence: 1, time: "2026-01-02" }, { id: "n2", text: "", deletedAt: "x", afterSequence: 1, time: "2026-01-03" }],
};

for (const [words, found] of [
  ["KOLN", ["m1", "note-n1", "m3"]],
  ["köln  aus", ["m1"]],
  ["hojicha", ["m2"]],
  ["receipt", ["m5"]],
  ["hidden", []],
  ["secret", []],
  ["   ", []],
]) {
  test(`"${words}" finds ${found.length ? found.join(", ") : "nothing"}`, () => assert.deepEqual(findInThread(thread, words), found));
}

test("case, accents and width do not matter, and the marks of Japanese letters do", () => {
  assert.equal(folded("ＣＡＦÉ"), "cafe");
  assert.notEqual(folded("が"), folded("か"));
});
