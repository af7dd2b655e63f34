import assert from "node:assert/strict";
import { test } from "node:test";
import { questionPayload } from "../../web/console/satisfaction-draft.js";
import { noticeOf } from "../../web/console/notice-rules.js";

const texts = { question: "How was it?", choices: ["a", "b", "c", "d", "e"], comment: "More?" };

test("the choices of a question have the best score first, and name what the server counts", () => {
  const { items, summaryText } = questionPayload("quickReply", texts).interactiveData.data["quick-reply"];
  assert.equal(summaryText, "How was it?");
  assert.deepEqual(items.map(({ identifier, title }) => [identifier, title]), [5, 4, 3, 2, 1].map((score) => [`satisfaction-${score}`, texts.choices[score - 1]]));
});

test("a form asks for the score and then for words", () => {
  const { pages, startPageIdentifier } = questionPayload("form", texts).interactiveData.data.dynamic.data;
  assert.equal(startPageIdentifier, "satisfaction");
  assert.deepEqual(pages.map(({ pageIdentifier }) => pageIdentifier), ["satisfaction", "comment"]);
  assert.equal(pages[1].subtitle, "More?");
});

test("nothing typed yet is drawn too", () => {
  const { items } = questionPayload("quickReply", { question: null, choices: null, comment: null }).interactiveData.data["quick-reply"];
  assert.equal(items.length, 5);
});

test("a score is no notice, a customer's message is", () => {
  const event = (answer) => ({
    type: "message.accepted", conversation: "c",
    data: { message: { id: "m", direction: "inbound", time: "t" }, conversationState: { assignee: { id: "me" }, state: "closed", satisfaction: { answer } } },
  });
  assert.equal(noticeOf(event("m"), "me"), null);
  assert.deepEqual(noticeOf(event("other"), "me"), { reason: "mine", conversation: "c" });
});
