import assert from "node:assert/strict";
import { test } from "node:test";
import { backOf, isBackAlready, sendBack, stillBack } from "../../web/console/changes.js";

const before = { state: "open", assignee: { id: "bo" }, team: "t1", priority: "low", labels: ["a", "b"] };

const until = "2026-11-24T09:00:00.000Z";
for (const [name, conversation, change, back] of [
  ["closing", before, { state: "closed" }, { state: "open", ifState: "closed", undoClose: true }],
  ["closing what was closed", { ...before, state: "closed" }, { state: "closed" }, { state: "closed", ifState: "closed" }],
  ["closing what was snoozed", { ...before, state: "snoozed", snoozedUntil: until }, { state: "closed" },
    { state: "snoozed", ifState: "closed", undoClose: true, snoozedUntil: until }],
  ["snoozing", before, { state: "snoozed" }, { state: "open", ifState: "snoozed" }],
  ["an assignment", before, { assignee: "me" }, { assignee: "bo", ifAssignee: "ada" }],
  ["the first assignment", { ...before, assignee: null }, { assignee: "cy" }, { assignee: null, ifAssignee: "cy" }],
  ["a team", before, { team: "t2" }, { team: "t1", ifTeam: "t2" }],
  ["a priority", before, { priority: "urgent" }, { priority: "low", ifPriority: "urgent" }],
  ["a label that was added", before, { labels: { add: ["c"] } }, { labels: { add: [], remove: ["c"] } }],
  ["a label that was removed", before, { labels: { remove: ["a"] } }, { labels: { add: ["a"], remove: [] } }],
  ["a label that was there already", before, { labels: { add: ["a"] } }, null],
  ["a label that was not there", before, { labels: { remove: ["c"] } }, null],
  ["labels, some of which were there", before, { labels: { add: ["a", "c"], remove: ["b", "d"] } }, { labels: { add: ["b"], remove: ["c"] } }],
]) {
  test(`${name} is undone by what was before`, () => assert.deepEqual(backOf(conversation, change, "ada"), back));
}

const closed = { state: "open", ifState: "closed", undoClose: true };
const urgent = { priority: "low", ifPriority: "urgent" };
const mine = { assignee: null, ifAssignee: "ada" };
const named = { metadata: { a: null, b: "2" }, ifMetadata: { a: "1", b: null } };
for (const [name, back, now, still] of [
  ["that is as it was left", closed, { state: "closed" }, { back: closed, isLeft: false }],
  ["that a colleague put off since", closed, { state: "snoozed" }, { back: null, isLeft: true }],
  ["whose customer wrote since", closed, { state: "open" }, { back: null, isLeft: false }],
  ["whose priority alone is another since", { ...closed, ...urgent }, { state: "closed", priority: "high" }, { back: closed, isLeft: true }],
  ["whose priority is back already", { ...closed, ...urgent }, { state: "closed", priority: "low" }, { back: closed, isLeft: false }],
  ["that has another priority since", { priority: "none", ifPriority: "urgent" }, { priority: "high" }, { back: null, isLeft: true }],
  ["that is assigned still", mine, { assignee: { id: "ada" } }, { back: mine, isLeft: false }],
  ["that a colleague has since", mine, { assignee: { id: "bo" } }, { back: null, isLeft: true }],
  ["that is in another team since", { team: "t1", ifTeam: null }, { team: "t2" }, { back: null, isLeft: true }],
  ["of whose labels one is back already", { labels: { add: ["a"], remove: ["b", "c"] }, ifLabels: { has: ["b", "c"], lacks: ["a"] } }, { labels: ["a", "b"] },
    { back: { labels: { add: [], remove: ["b"] } }, isLeft: false }],
  ["whose labels are back already", { labels: { remove: ["b"] }, ifLabels: { has: ["b"], lacks: [] } }, { labels: [] }, { back: null, isLeft: false }],
  ["of whose metadata a part is another since", named, { metadata: { a: "9" } },
    { back: { metadata: { b: "2" }, ifMetadata: { b: null } }, isLeft: true }],
  ["whose metadata is back already", named, { metadata: { b: "2" } }, { back: null, isLeft: false }],
]) {
  test(`the way back of a conversation ${name}`, () => assert.deepEqual(stillBack(back, now), still));
}

/** A refusal, with the conversation as it is now. */
const refusal = (current, code = "precondition_failed") => Object.assign(new Error(code), { code, body: { current } });

/** Sends a way back to a server that refuses it so often, each time as the conversation is then. */
async function sent(back, ...conversations) {
  const requests = [];
  const isLeft = await sendBack(back, async (still) => {
    requests.push(still);
    const current = conversations.shift();
    if (current) throw refusal(current);
  });
  return { requests, isLeft };
}

test("a way back is sent whole, and without what a colleague changed in the same moment", async () => {
  const back = { ...closed, ...urgent, ifLabels: { has: ["a"], lacks: [] }, labels: { add: [], remove: ["a"] } };
  const { ifLabels: _, ...first } = back;
  assert.deepEqual(await sent(back), { requests: [first], isLeft: false });
  const now = { state: "closed", priority: "high", labels: ["a"] };
  assert.deepEqual(await sent(back, now), { requests: [first, { ...closed, labels: first.labels }], isLeft: true });
  assert.deepEqual(await sent(back, now, { ...now, state: "pending", labels: [] }), { requests: [first, { ...closed, labels: first.labels }], isLeft: true });
  assert.deepEqual(await sent(closed, { state: "open" }), { requests: [closed], isLeft: false });
});

test("a way back that goes on being refused, or is refused for another reason, is refused", async () => {
  await assert.rejects(sent(closed, ...Array(9).fill({ state: "closed" })), { code: "precondition_failed" });
  await assert.rejects(sendBack(closed, async () => { throw refusal(null, "forbidden"); }), { code: "forbidden" });
});

for (const [name, problem, isBack] of [
  ["the conversation is as before already", refusal({ state: "open" }), true],
  ["a colleague changed it", refusal({ state: "snoozed" }), false],
  ["it may not be changed", refusal(null, "forbidden"), false],
]) {
  test(`a way back that is refused since ${name}`, () => assert.equal(isBackAlready(problem, closed), isBack));
}
