import assert from "node:assert/strict";
import { test } from "node:test";
import { firstSequence, makeThread, withDamaged } from "../../web/console/open-thread.js";
import { makeRows } from "../../web/thread/thread-rows.js";

const message = (sequence, direction = "inbound") => ({ id: `m${sequence}`, sequence, direction });
const run = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
const sequences = (thread) => thread.messages.map((one) => one.sequence);
const nothing = { messages: [], notes: [] };
const someone = { id: "c", unread: 0 };

for (const [name, { page, before, arrived = nothing }, expected, hasMore] of [
  ["a first reading is the page", { page: { data: run(4, 6), hasMore: true }, before: null }, [4, 5, 6], true],
  ["what arrived while it was read comes after it, once",
    { page: { data: run(4, 6), hasMore: false }, before: null,
      arrived: { messages: [message(6), message(7), message(7)], notes: [] } }, [4, 5, 6, 7], false],
  ["earlier messages stay where the page meets them",
    { page: { data: run(4, 6), hasMore: true }, before: { messages: run(1, 5), notes: [], hasMore: false } },
    [1, 2, 3, 4, 5, 6], false],
  ["earlier messages go where a gap would be between",
    { page: { data: run(8, 9), hasMore: true }, before: { messages: run(1, 5), notes: [], hasMore: false } },
    [8, 9], true],
  ["a message of the stream that the page does not have yet stays",
    { page: { data: run(1, 2), hasMore: false }, before: { messages: run(1, 3), notes: [], hasMore: false } },
    [1, 2, 3], false],
  ["an empty page is an empty thread", { page: { data: [], hasMore: false }, before: null }, [], false],
]) {
  test(`in a thread that is read, ${name}`, () => {
    const thread = makeThread(someone, page, before, arrived);
    assert.deepEqual(sequences(thread), expected);
    assert.equal(thread.hasMore, hasMore);
  });
}

test("a thread has each note once, from whichever source", () => {
  const page = { data: [], notes: [{ id: "n1" }], hasMore: false };
  const before = { messages: [], notes: [{ id: "n1" }, { id: "n2" }], hasMore: false, unreadAfter: null };
  const thread = makeThread(someone, page, before, { messages: [], notes: [{ id: "n2" }, { id: "n3" }] });
  assert.deepEqual(thread.notes.map((note) => note.id), ["n1", "n2", "n3"]);
});

test("the divider of unread messages stays while the thread stays on screen", () => {
  const page = { data: [message(1), message(2, "outbound"), message(3), message(4)], hasMore: false };
  const opened = makeThread({ id: "c", unread: 2 }, page, null, nothing);
  assert.equal(opened.unreadAfter, 2);
  assert.equal(makeThread(someone, page, opened, nothing).unreadAfter, 2);
});
test("a damaged message is shown once, and no longer when it is intact again", () => {
  const page = { data: run(4, 5), damaged: [3], hasMore: true };
  const first = makeThread(someone, page, null, nothing);
  assert.deepEqual([...first.damaged, firstSequence(first)], [3, 3]);
  const earlier = withDamaged(first.damaged, { data: run(1, 1), damaged: [2] });
  assert.deepEqual(earlier, [3, 2]);
  assert.deepEqual(withDamaged(earlier, { data: run(2, 3) }), []);
  assert.equal(firstSequence({ messages: [], damaged: [] }), undefined);
});

test("a damaged message is in its place, and a note after it", () => {
  const at = (sequence) => ({ ...message(sequence), time: "2026-07-30T09:15:00.000Z" });
  const rows = makeRows({
    messages: [at(1), at(4)], damaged: [3, 2, 5], unreadAfter: null,
    notes: [{ id: "n", time: "2026-07-30T09:15:00.000Z", afterSequence: 2 }],
  });
  assert.deepEqual(rows.slice(1).map((row) => row.sequence ?? row.message?.sequence ?? row.type),
    [1, 2, "note", 3, 4, 5]);
});
