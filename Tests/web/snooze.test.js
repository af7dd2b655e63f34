import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceAside, snoozeChoices, snoozeDay, snoozeEnd } from "../../web/console/snooze.js";

const now = new Date(2026, 10, 27, 8, 34);
const plain = (words) => words.replaceAll(/\s/gu, " ");

test("the end of a snooze in a row is a clock today, a weekday with a clock within days, and else a date", () => {
  assert.equal(plain(snoozeEnd(new Date(2026, 10, 27, 9, 34), now)), "9:34 AM");
  assert.equal(plain(snoozeEnd(new Date(2026, 10, 30, 9, 0), now)), "Mon 9:00 AM");
  assert.equal(plain(snoozeEnd(new Date(2026, 11, 24, 9, 0), now)), "Dec 24");
  assert.equal(plain(snoozeEnd(new Date(2099, 0, 5, 9, 0), now)), "Jan 5, 2099");
});

test("an hour has no zero before it where times elsewhere have none", () => {
  assert.equal(plain(snoozeDay(new Date(2026, 10, 28, 9, 0))), "Sat 9:00 AM");
});

test("a choice has beside it what it does not say: its day, or the time of the next hour", () => {
  const asides = (at) => snoozeChoices(at).map((choice) => plain(choiceAside(choice, at)));
  assert.deepEqual(asides(now), ["9:34 AM", "Sat, Nov 28", "Mon, Nov 30"]);
  assert.deepEqual(asides(new Date(2026, 11, 31, 23, 30)), ["Fri 12:30 AM", "Fri, Jan 1", "Mon, Jan 4"]);
});

test("no two choices of a snooze are the same time", () => {
  const days = (day) => snoozeChoices(new Date(2026, 10, day, 8, 34)).map(({ until }) => until.getDay());
  assert.deepEqual(days(28), [6, 0, 1]);
  // A Sunday.
  assert.deepEqual(days(29), [0, 1]);
  assert.deepEqual(days(30), [1, 2, 1]);
});
