import assert from "node:assert/strict";
import { test } from "node:test";
import { recordScript } from "../../web/sandbox/script-recording.js";

const at = (minutes) => new Date(Date.UTC(2026, 0, 1, 9, minutes)).toISOString();
let count = 0;
const message = (direction, payload, more = {}) => {
  count += 1;
  return { id: `m${count}`, direction, kind: "text", summary: "", time: at(0), payload, attachments: [], ...more };
};
const says = (body, more) => message("inbound", { type: "text", body }, more);
const sends = (kind, data, title, more) => message("outbound", { type: "interactive", interactiveData: { data, receivedMessage: { title } } }, { kind, ...more });
const answers = (request, data, more) => message("inbound", { type: "interactive", interactiveData: { data } }, { inReplyTo: request.id, kind: request.kind, ...more });
const lines = (conversation, ...messages) => recordScript(conversation, messages).trimEnd().split("\n");

test("a conversation is recorded with who it was, what was said, and what was expected", () => {
  assert.deepEqual(lines({ customer: { name: "Aki Tanaka", locale: "ja_JP" }, intent: "order", group: "two words" },
    says("menu"), message("outbound", { type: "text", body: "Which \"one\"?" })),
  ["customer=Aki locale=ja_JP intent=order group=\"two words\"", "Aki says menu", "Aki expects text saying \"Which \\\"one\\\"?\""]);
});

test("a text that a script would read as something else stands in quotes", () => {
  for (const body of ["# no comment", "two\nlines", "\"quoted\""]) {
    assert.equal(lines({}, says(body)).at(-1), `Customer says ${JSON.stringify(body)}`);
  }
});

test("choices are written by their titles, and by identifiers where titles are not enough", () => {
  const list = (...rows) => ({ listPicker: { sections: [{ items: rows.map(([identifier, title]) => ({ identifier, title })) }] } });
  const tea = sends("list", list(["a", "Tea, black"], ["b", "Coffee"], ["c", "Same"], ["d", "Same"]), "Choose");
  assert.deepEqual(lines({}, tea, answers(tea, list(["a", ""], ["b", ""], ["d", ""]))).slice(1),
    ["Customer expects list containing \"Choose\"", "Customer picks \"Tea, black\", Coffee, d"]);
  const quick = sends("quickReply", { "quick-reply": { items: [{ identifier: "y", title: "Yes" }, { identifier: "n", title: "No" }] } }, "Sure?");
  const reply = answers(quick, { "quick-reply": { selectedIndex: 1, items: [{ identifier: "y", title: "Yes" }, { identifier: "n", title: "No" }] } });
  assert.equal(lines({}, quick, reply).at(-1), "Customer picks No");
});

test("a form is filled page by page, and a private one is only mentioned", () => {
  const form = sends("form", { dynamic: { data: { pages: [{ pageIdentifier: "why", type: "input", subtitle: "Why?" }, { pageIdentifier: "a=b", type: "select", subtitle: "Which?" }] } } }, "Form");
  const filled = answers(form, { dynamic: { selections: [
    { subtitle: "Why?", items: [{ title: "It broke" }] }, { subtitle: "Which?", items: [{ title: "One" }, { title: "Two" }] }] } });
  assert.deepEqual(lines({}, form, filled).slice(-3), ["Customer fills", "  why = It broke", "  \"a=b\" = One | Two"]);
  assert.match(lines({}, form, answers(form, { dynamic: { private: true } })).at(-1), /^# Customer filled the form/);
});

for (const [data, line] of [
  [{ payment: { state: "success" } }, "Customer pays"],
  [{ payment: { state: "canceled" } }, "Customer cancels the payment"],
  [{ payment: { state: "paymentNotCompleted", status: "STATUS_PIN_LOCKOUT" } }, "Customer pays and gets STATUS_PIN_LOCKOUT"],
]) {
  test(`a payment is recorded: ${line}`, () => {
    const asked = sends("payment", { payment: {} }, "Pay");
    assert.equal(lines({}, asked, answers(asked, data)).at(-1), line);
  });
}

test("pauses of a minute and more, reactions and the end are steps, pictures are comments", () => {
  assert.deepEqual(lines({ left: true }, says("one"), says("two", { time: at(120) }), says("Liked “x”", { tapback: "liked", time: at(120) }),
    message("inbound", { type: "text", body: "￼" }, { attachments: [{ name: "cat.jpg" }], time: at(120) })).slice(1),
  ["Customer says one", "Customer waits 2 hours", "Customer says two", "Customer reacts liked", "# Customer attached cat.jpg", "Customer deletes the conversation"]);
});
