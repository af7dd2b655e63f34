import assert from "node:assert/strict";
import { test } from "node:test";
import { changeMany } from "../../web/console/bulk-change.js";
import { ROW_HEIGHT, windowOf } from "../../web/console/row-window.js";
import { Selection } from "../../web/console/selection.js";

const order = ["a", "b", "c", "d", "e"];
const sorted = (selection) => selection.ids.sort().join("");

test("a range goes from the row that was selected last, in both directions", () => {
  const selection = new Selection();
  selection.toggle("b");
  selection.extend(order, "d");
  assert.equal(sorted(selection), "bcd");
  selection.extend(order, "a");
  assert.equal(sorted(selection), "abcd");
});

test("a range without a beginning is one row", () => {
  const selection = new Selection();
  selection.extend(order, "c");
  assert.equal(sorted(selection), "c");
});

test("steps by keyboard select both rows, and a step back takes the last away", () => {
  const selection = new Selection();
  selection.step("a", "b");
  selection.step("b", "c");
  assert.equal(sorted(selection), "abc");
  selection.step("c", "b");
  assert.equal(sorted(selection), "ab");
});

test("what leaves the list is no longer selected, and each change is said once", () => {
  const selection = new Selection();
  let changes = 0;
  selection.addEventListener("change", () => { changes += 1; });
  selection.set(["a", "b"]);
  selection.keep(new Set(["b", "c"]));
  selection.keep(new Set(["b", "c"]));
  assert.equal(sorted(selection), "b");
  assert.equal(changes, 2);
  selection.clear();
  selection.clear();
  assert.equal(changes, 3);
});

test("a list of few rows is drawn whole, of 5,000 rows those in view and some more", () => {
  assert.deepEqual(windowOf(120, { top: 0, height: 600 }), { from: 0, to: 120, before: 0, after: 0 });
  for (const top of [0, 30_000, 299_400]) {
    const { from, to, before, after } = windowOf(5_000, { top, height: 600 });
    assert.ok(to - from <= 52, `${to - from} rows at ${top}`);
    assert.ok(from * ROW_HEIGHT <= top && to * ROW_HEIGHT >= top + 600);
    assert.equal(before + after + (to - from) * ROW_HEIGHT, 5_000 * ROW_HEIGHT);
  }
});

test("a place beyond the end, as after rows have left, draws the last rows", () => {
  const { from, to } = windowOf(200, { top: 400_000, height: 600 });
  assert.ok(from <= to && to === 200);
});

const tasks = (count) => Array.from({ length: count }, (_, at) => ({ conversation: { id: String(at) }, change: {} }));

/** A server that refuses some, and says what undoes each other change. */
const answers = (refused = []) => (piece) => Promise.resolve(piece.map(({ conversation: { id } }) => refused.includes(id)
  ? { id, status: 404, problem: { code: "not_found" } } : { id, status: 200, undo: { state: `before ${id}` } }));

test("many are changed a hundred with one request, and each one that is refused is named", async () => {
  const pieces = [];
  const steps = [];
  const answer = answers(["3", "170"]);
  const outcome = await changeMany(tasks(230), (piece) => {
    pieces.push(piece.length);
    return answer(piece);
  }, { progress: (count) => steps.push(count) });
  assert.deepEqual(pieces, [100, 100, 30]);
  assert.deepEqual(steps, [100, 200, 230]);
  assert.deepEqual(outcome.failed.map(({ conversation, problem }) => [conversation.id, problem.code]), [["3", "not_found"], ["170", "not_found"]]);
  assert.equal(outcome.done.length, 228);
  assert.deepEqual(outcome.done[3], { conversation: { id: "4" }, change: {}, undo: { state: "before 4" } });
});

test("a refusal of one request is that of all in it, and not of the others", async () => {
  let requests = 0;
  const outcome = await changeMany(tasks(150), (piece) => {
    requests += 1;
    return requests === 1 ? Promise.reject({ status: 403, code: "forbidden" }) : answers()(piece);
  });
  assert.equal(outcome.failed.length, 100);
  assert.ok(outcome.failed.every(({ problem }) => problem.code === "forbidden"));
  assert.equal(outcome.done.length, 50);
});

test("a request that the server puts off is repeated after the time it asks for, a few times", async () => {
  const pauses = [];
  const said = [];
  let left = 2;
  const busy = { mayRetry: true, retryAfterSeconds: 3 };
  const pause = async (seconds) => { pauses.push(seconds); };
  const outcome = await changeMany(tasks(1), (piece) => {
    left -= 1;
    return left >= 0 ? Promise.reject(busy) : answers()(piece);
  }, { pause, waiting: (seconds) => said.push(seconds) });
  assert.deepEqual([pauses, said], [[3, 3], [3, 3]]);
  assert.equal(outcome.done.length, 1);
  const never = await changeMany(tasks(1), async () => { throw busy; }, { pause });
  assert.equal(never.failed.length, 1);
  assert.equal(pauses.length, 6);
});

test("without a connection nothing is repeated", async () => {
  const pause = () => assert.fail("it waited");
  const outcome = await changeMany(tasks(2), async () => { throw { mayRetry: true, isOffline: true }; }, { pause });
  assert.equal(outcome.failed.length, 2);
});
