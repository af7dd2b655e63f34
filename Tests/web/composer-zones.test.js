import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dayAfter, instantOf, offsetMinutes, slotSeries, startTime, wallClock,
} from "../../web/composer/zones.js";

const rows = [
  ["2026-07-11", "02:00", "Asia/Tokyo", "2026-07-10T17:00+0000"],
  ["2026-01-15", "12:00", "America/New_York", "2026-01-15T17:00+0000"],
  ["2026-07-15", "12:00", "America/New_York", "2026-07-15T16:00+0000"],
  ["2026-03-08", "03:30", "America/New_York", "2026-03-08T07:30+0000"],
  ["2026-03-08", "01:30", "America/New_York", "2026-03-08T06:30+0000"],
  ["2026-11-01", "12:00", "America/New_York", "2026-11-01T17:00+0000"],
  ["2026-06-01", "00:15", "Asia/Kolkata", "2026-05-31T18:45+0000"],
  ["2026-06-01", "00:15", "UTC", "2026-06-01T00:15+0000"],
];
for (const [date, time, zone, expected] of rows) {
  test(`${date} ${time} in ${zone} is ${expected}`, () => {
    const instant = instantOf(date, time, zone);
    assert.equal(startTime(instant), expected);
    assert.deepEqual(wallClock(instant, zone), { date, time });
  });
}

test("a time that the clocks skip still is a time", () => {
  assert.ok(Number.isFinite(instantOf("2026-03-08", "02:30", "America/New_York")));
});

test("an incomplete date is no instant", () => {
  assert.equal(instantOf("", "10:00", "UTC"), null);
  assert.equal(instantOf("2026-01-01", "", "UTC"), null);
});

test("a series fills the span and never goes beyond it", () => {
  assert.deepEqual(slotSeries("2026-01-02", "09:00", "10:10", 30).map((slot) => slot.time), ["09:00", "09:30"]);
  assert.equal(slotSeries("2026-01-02", "09:00", "12:00", 30).length, 6);
  assert.deepEqual(slotSeries("2026-01-02", "09:00", "12:00", 0), []);
});

test("the day after is the day after in the zone", () => {
  assert.equal(dayAfter(Date.UTC(2026, 0, 31, 20), 1, "Asia/Tokyo"), "2026-02-02");
  assert.equal(dayAfter(Date.UTC(2026, 0, 31, 20), 1, "UTC"), "2026-02-01");
});

test("offsets include half hours", () => {
  assert.equal(offsetMinutes("Asia/Kolkata", Date.UTC(2026, 0, 1)), 330);
});
