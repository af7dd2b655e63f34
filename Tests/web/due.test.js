import assert from "node:assert/strict";
import { test } from "node:test";
import { dueWords } from "../../web/console/due.js";
import { belongs, isServers, queryOf, wholeList } from "../../web/console/list-filter.js";

const now = new Date("2026-11-23T10:00:00Z");
const due = (minutes) => dueWords({ answerDue: { at: new Date(now.getTime() + minutes * 60_000).toISOString() } }, now);

test("a due answer is far, near or overdue", () => {
  assert.equal(due(40).state, "later");
  assert.equal(due(12).state, "near");
  assert.equal(due(0.5).state, "near");
  assert.equal(due(-5).state, "overdue");
  assert.equal(dueWords({ answerDue: null }, now), null);
});

test("what is about to break is the server's list, without state and order", () => {
  const filter = { ...wholeList, view: "due", business: "b" };
  assert.deepEqual([queryOf(filter)["filter[due]"], queryOf(filter)["filter[state]"], queryOf(filter).sort], ["true", "", ""]);
  assert.ok(isServers(filter));
  assert.ok(!belongs({ business: "b", state: "open", answerDue: null }, filter, "ada"));
  assert.ok(belongs({ business: "b", state: "open", answerDue: { at: "x" } }, filter, "ada"));
});
