import assert from "node:assert/strict";
import { test } from "node:test";
import { makePanelPage } from "./panel-page.js";

makePanelPage();
const { recordWords } = await import("../../web/console/audit-panel.js");

const ANA = { type: "agent", id: "a", name: "Ana" };
const ID = "8c6eedd3-f09d-424f-bfd5-2002fd8bb389";

test("a record is a sentence with the names of who and what, as far as they are known", () => {
  const cases = [
    [{ kind: "member_changed", author: ANA, subject: { id: ID, name: "Ben" }, detail: "auditor" }, "Ana changed the role of Ben to Auditor"],
    [{ kind: "webhook_saved", author: ANA, subject: { id: ID, name: null }, detail: null }, "Ana saved the webhook endpoint 8c6eedd3"],
    [{ kind: "template_removed", author: { type: "key", id: ID, name: "Shop" }, subject: { id: "hello", name: null }, detail: null }, "API key Shop removed the template hello"],
    [{ kind: "hours_saved", author: { type: "command", id: "", name: null }, subject: null, detail: null }, "The operator changed the business hours"],
    [{ kind: "conversation_erased", author: ANA, subject: { id: ID, name: null }, detail: "begun" }, "Ana began to erase the conversation 8c6eedd3"],
    [{ kind: "conversation_erased", author: ANA, subject: { id: ID, name: null }, detail: "complete" }, "The conversation 8c6eedd3 is erased: Ana began it"],
    [{ kind: "of_a_later_version", author: ANA, subject: { id: "x", name: null }, detail: null }, "Ana: of_a_later_version x"],
  ];
  for (const [record, words] of cases) assert.equal(recordWords(record), words);
});
