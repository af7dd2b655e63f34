import assert from "node:assert/strict";
import { test } from "node:test";

import { faultOf, firstHours, weekdays } from "../../web/console/hours-draft.js";

test("the hours of a day are whole, end after they begin, and do not overlap", () => {
  const rows = [
    [[], null],
    [[["09:00", "12:00"], ["12:00", "24:00"]], null],
    [[["13:00", "18:00"], ["09:00", "12:00"]], null],
    [[["09:00", ""]], { at: 0, kind: "empty" }],
    [[["09:00", "12:00"], ["", "18:00"]], { at: 1, kind: "empty" }],
    [[["18:00", "09:00"]], { at: 0, kind: "ends" }],
    [[["09:00", "09:00"]], { at: 0, kind: "ends" }],
    [[["11:59", "18:00"], ["09:00", "12:00"]], { at: 0, kind: "overlaps" }],
    [[["09:00", "12:00"], ["09:00", "10:00"]], { at: 1, kind: "overlaps" }],
  ];
  for (const [intervals, fault] of rows) {
    assert.deepEqual(faultOf(intervals.map(([from, to]) => ({ from, to }))), fault, JSON.stringify(intervals));
  }
});

test("the first hours are those of an office", () => {
  const { week, timeZone } = firstHours();
  assert.deepEqual(Object.keys(week), [...weekdays]);
  assert.deepEqual(weekdays.map((name) => week[name].length), [1, 1, 1, 1, 1, 0, 0]);
  assert.ok(timeZone);
});
