import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerGuard } from "../../web/console/answer-guard.js";

const message = (sequence, direction, id) => ({ sequence, direction, author: { id } });
const messages = [message(1, "inbound", "customer"), message(2, "outbound", "bo"), message(3, "inbound", "customer")];

test("a colleague's answer counts once a draft was begun before it", () => {
  const guard = new AnswerGuard();
  assert.equal(guard.answered("c", messages, "ada"), null);
  guard.see("c", true, 1);
  guard.see("c", true, 3);
  assert.equal(guard.answered("c", messages, "ada").sequence, 2);
  assert.equal(guard.answered("c", messages, "bo"), null);
  assert.equal(guard.answered("other", messages, "ada"), null);
});

test("a draft that was begun after the answer, or is gone, needs no guard", () => {
  const guard = new AnswerGuard();
  guard.see("c", true, 2);
  assert.equal(guard.answered("c", messages, "ada"), null);
  guard.see("d", true, 1);
  guard.see("d", false, 3);
  assert.equal(guard.answered("d", messages, "ada"), null);
});

test("a draft that was found again counts from where it was begun, not from where it was found", () => {
  const guard = new AnswerGuard();
  guard.see("c", true, 3);
  assert.equal(guard.answered("c", messages, "ada"), null);
  guard.restore("c", 1);
  assert.equal(guard.begun("c"), 1);
  assert.equal(guard.answered("c", messages, "ada")?.sequence, 2);
  guard.see("c", false, 3);
  assert.equal(guard.begun("c"), undefined);
});
