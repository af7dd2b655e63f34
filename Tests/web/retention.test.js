import assert from "node:assert/strict";
import { test } from "node:test";
import { erasesMore, phaseOf, questionOf } from "../../web/console/retention-words.js";

const chosen = { days: 90, beginsAt: "2026-11-21T09:00:00Z", erasedThrough: null };
const begins = Date.parse(chosen.beginsAt);

test("a choice waits for its beginning, then goes through everything, and then up to a moment", () => {
  assert.equal(phaseOf({ days: null, beginsAt: null, erasedThrough: null }, begins), "off");
  assert.equal(phaseOf(chosen, begins - 1), "waits");
  assert.equal(phaseOf(chosen, begins), "begun");
  assert.equal(phaseOf({ ...chosen, erasedThrough: "2026-08-23T09:00:00Z" }, begins), "done");
  // A shorter time that was chosen since waits, however far the one before had come.
  assert.equal(phaseOf({ ...chosen, erasedThrough: "2026-08-23T09:00:00Z" }, begins - 1), "waits");
});

test("what erases more than now is asked about, and nothing else", () => {
  assert.equal(erasesMore({ days: null }, 3_650), true);
  assert.equal(erasesMore({ days: 90 }, 89), true);
  assert.equal(erasesMore({ days: 90 }, 90), false);
  assert.equal(erasesMore({ days: 90 }, 91), false);
  assert.equal(erasesMore({ days: 90 }, null), false);
});

test("a question says the counts, that there may be more, or that there is nothing yet", () => {
  assert.equal(questionOf({ messages: 0, notes: 1, isComplete: true }), "retention.ask");
  assert.equal(questionOf({ messages: 0, notes: 0, isComplete: true }), "retention.askNothing");
  assert.equal(questionOf({ messages: 0, notes: 0, isComplete: false }), "retention.askLeast");
});
