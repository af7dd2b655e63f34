import assert from "node:assert/strict";
import { test } from "node:test";
import { backOf, stillBack } from "../../web/console/changes.js";

const before = { state: "open", assignee: { id: "bo" }, team: "t1", priority: "low", labels: ["a", "b"] };

for (const [name, conversation, change, back] of [
  ["closing", before, { state: "closed" }, { state: "open", undoClose: true }],
  ["closing what was closed", { ...before, state: "closed" }, { state: "closed" }, { state: "closed" }],
  ["closing what was snoozed", { ...before, state: "snoozed", snoozedUntil: "2026-11-24T09:00:00.000Z" }, { state: "closed" },
    { state: "snoozed", undoClose: true, snoozedUntil: "2026-11-24T09:00:00.000Z" }],
  ["snoozing", before, { state: "snoozed" }, { state: "open" }],
  ["an assignment", before, { assignee: "me" }, { assignee: "bo", ifAssignee: "ada" }],
  ["the first assignment", { ...before, assignee: null }, { assignee: "cy" }, { assignee: null, ifAssignee: "cy" }],
  ["a team", before, { team: "t2" }, { team: "t1", ifTeam: "t2" }],
  ["a priority", before, { priority: "urgent" }, { priority: "low" }],
  ["a label that was added", before, { labels: { add: ["c"] } }, { labels: { add: [], remove: ["c"] } }],
  ["a label that was removed", before, { labels: { remove: ["a"] } }, { labels: { add: ["a"], remove: [] } }],
  ["a label that was there already", before, { labels: { add: ["a"] } }, null],
  ["a label that was not there", before, { labels: { remove: ["c"] } }, null],
  ["labels, some of which were there", before, { labels: { add: ["a", "c"], remove: ["b", "d"] } }, { labels: { add: ["b"], remove: ["c"] } }],
]) {
  test(`${name} is undone by what was before`, () => assert.deepEqual(backOf(conversation, change, "ada"), back));
}

const closed = { state: "open", undoClose: true };
for (const [name, back, after, now, still] of [
  ["that nobody changed since", closed, { state: "closed" }, { state: "closed" }, { back: closed, isLeft: false }],
  ["that a colleague put off since", closed, { state: "closed" }, { state: "snoozed" }, { back: null, isLeft: true }],
  ["whose customer wrote since", closed, { state: "closed" }, { state: "open" }, { back: null, isLeft: false }],
  ["whose priority alone is another since", { ...closed, priority: "low" }, { state: "closed", priority: "urgent" }, { state: "closed", priority: "high" },
    { back: closed, isLeft: true }],
  ["that has another priority since", { priority: "none" }, { priority: "urgent" }, { priority: "high" }, { back: null, isLeft: true }],
  ["that was assigned", { assignee: null, ifAssignee: "ada" }, { assignee: "me" }, {}, { back: { assignee: null, ifAssignee: "ada" }, isLeft: false }],
]) {
  test(`the way back of a conversation ${name}`, () => assert.deepEqual(stillBack(back, after, now), still));
}
