import assert from "node:assert/strict";
import { test } from "node:test";
import { foundInThread, whatsAppNumber } from "../../web/console/customer-facts.js";

const message = (id, more) => ({ id, direction: "inbound", kind: "text", summary: id, attachments: [], inReplyTo: null, ...more });

test("answers and files of the customer are found, the newest first", () => {
  const found = foundInThread([
    message("picture", { attachments: [{ name: "receipt.pdf", size: 84_000 }] }),
    message("ours", { direction: "outbound", attachments: [{ name: "menu.pdf", size: 1 }] }),
    message("answer", { kind: "time", inReplyTo: "ours", summary: "Tue, Nov 24, 10:30" }),
    message("said"),
    message("quoted", { inReplyTo: "ours" }),
  ]);
  assert.deepEqual(found.map((one) => [one.message, one.text, one.size]),
    [["answer", "Tue, Nov 24, 10:30", undefined], ["picture", "receipt.pdf", 84_000]]);
});

test("a file has the name that its message shows, without what turns letters around", () => {
  const [found] = foundInThread([message("bill", { attachments: [{ name: "bill\u202efdp.exe\n", size: 1 }] })]);
  assert.equal(found.text, "billfdp.exe");
  const [empty] = foundInThread([message("empty", { attachments: [{ name: "\u202e" }] })]);
  assert.equal(empty.text, "empty");
});

test("a time that was chosen on a device of another language is said in that of the page", () => {
  const payload = { interactiveData: { data: { event: { timezoneOffset: 60, timeslots: [{ identifier: "a", startTime: "2031-05-02T09:00+0000", duration: 1800 }] } } } };
  const [found] = foundInThread([message("answer", { kind: "time", inReplyTo: "ours", summary: "Chose 2031年5月2日(金) 10:00", payload })]);
  assert.match(found.text, /^Chose Fri, May 2.*10:00.AM$/);
});

test("an answer to an invitation, or of a kind that is not known, stands without the name of a kind", () => {
  const found = foundInThread(["list", "invitation", "interactive"].map((kind) => message(kind, { kind, inReplyTo: "ours" })));
  assert.deepEqual(found.map((one) => [one.text, one.kind]), [["interactive", null], ["invitation", null], ["list", "list"]]);
});

test("what was erased is not found, and no more than eight are shown", () => {
  const many = Array.from({ length: 12 }, (_, at) => message(`m${at}`, { kind: "list", inReplyTo: "x" }));
  assert.deepEqual(foundInThread(many).map((one) => one.message).slice(0, 2), ["m11", "m10"]);
  assert.equal(foundInThread(many).length, 8);
  assert.deepEqual(foundInThread([message("gone", { kind: "list", inReplyTo: "x", erasedAt: "2026-07-30T09:00:00.000Z" })]), []);
});

test("the number of a customer of WhatsApp is read from their id, and of no other customer", () => {
  assert.equal(whatsAppNumber({ id: `urn:mbid:${btoa("whatsapp:15551234567")}` }), "+15551234567");
  for (const id of [`urn:mbid:${btoa("whatsapp:me")}`, "urn:mbid:BB+TmY54JrQtXHDyy1njttzVtuCeP96vsgYSY55bd7aw", "urn:mbid:日本", undefined]) {
    assert.equal(whatsAppNumber({ id }), null);
  }
});
