import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOfParts, conditionsOfParts, namesGone, partsOfActions, partsOfConditions, rowOfPointer } from "../../web/console/rule-parts.js";

test("actions become rows and rows become actions again", () => {
  const actions = [
    { assign: null }, { team: "t" }, { labels: { add: ["a"] } }, { labels: { remove: ["b"] } }, { priority: "low" }, { state: "closed" },
    { state: "snoozed", snoozeMinutes: 60 }, { state: "snoozed" }, { note: "n" }, { template: { name: "x", values: { order: "7" } } }, { template: { name: "y" } },
  ];
  assert.deepEqual(actionsOfParts(partsOfActions(actions)), actions);
});

test("an action on several labels has a row for each", () => {
  const actions = [{ labels: { add: ["a", "b"], remove: ["c"] } }, { note: "n" }];
  assert.deepEqual(partsOfActions(actions).map(({ kind, value }) => [kind, value]), [["removeLabel", "c"], ["addLabel", "a"], ["addLabel", "b"], ["note", "n"]]);
  assert.equal(rowOfPointer(actions, "/then/0/labels"), 0);
  assert.equal(rowOfPointer(actions, "/then/1"), 3);
  assert.equal(rowOfPointer(actions, "/actions/1/note"), 3);
  for (const pointer of ["/name", "/then", "/then/2"]) assert.equal(rowOfPointer(actions, pointer), -1);
});

test("conditions become rows and rows become conditions again", () => {
  const conditions = [{ state: "open" }, { not: true, label: "a" }, { assignee: null }, { hours: "outside" }];
  assert.deepEqual(conditionsOfParts(partsOfConditions(conditions)), conditions);
});

test("actions that name what is not there any more are known before they are refused", () => {
  const known = {
    members: [{ id: "ada" }, { id: "auditor", assignable: false }], teams: [{ id: "t" }, { id: "old", retired: true }],
    labels: [{ id: "a" }, { id: "gone", retired: true }], templates: [{ name: "hello" }],
  };
  for (const action of [{ assign: "ada" }, { assign: "me" }, { assign: null }, { team: "t" }, { team: null }, { labels: { add: ["a"] } },
    { labels: { remove: ["gone"] } }, { template: { name: "hello" } }, { note: "n" }, { priority: "low" }]) {
    assert.equal(namesGone([action], known), false, JSON.stringify(action));
  }
  for (const action of [{ assign: "who left" }, { assign: "auditor" }, { team: "old" }, { team: "x" }, { labels: { add: ["a", "gone"] } }, { template: { name: "bye" } }]) {
    assert.equal(namesGone([{ note: "n" }, action], known), true, JSON.stringify(action));
  }
});
