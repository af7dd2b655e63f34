import assert from "node:assert/strict";
import { test } from "node:test";
import { axisMarks, changeOf, labelStep } from "../../web/console/report-scale.js";

test("an axis has few round marks, and the greatest value lies on it", () => {
  assert.deepEqual(axisMarks(0), [0, 1]);
  assert.deepEqual(axisMarks(1), [0, 1]);
  assert.deepEqual(axisMarks(7), [0, 2, 4, 6, 8]);
  assert.deepEqual(axisMarks(1_000), [0, 500, 1_000]);
  for (let greatest = 1; greatest < 5_000; greatest += 7) {
    const marks = axisMarks(greatest);
    assert.ok(marks.length >= 2 && marks.length <= 6, `${greatest}: ${marks}`);
    assert.ok(marks.at(-1) >= greatest);
  }
});

test("times have marks of whole minutes, hours and days", () => {
  const units = [1, 60, 3600, 86_400];
  assert.deepEqual(axisMarks(45, units), [0, 20, 40, 60]);
  assert.deepEqual(axisMarks(7 * 60, units), [0, 120, 240, 360, 480]);
  assert.deepEqual(axisMarks(3 * 3600, units), [0, 3600, 7200, 10_800]);
  assert.ok(axisMarks(9 * 86_400, units).every((mark) => mark % 86_400 === 0));
});

test("a change is said in percent where there is something to compare with", () => {
  assert.equal(changeOf(15, 10), 50);
  assert.equal(changeOf(0, 10), -100);
  assert.equal(changeOf(10, 10), 0);
  assert.equal(changeOf(10, 0), null);
  assert.equal(changeOf(null, 10), null);
  assert.equal(changeOf(10, undefined), null);
});

test("a plot of many rows names some of them", () => {
  assert.equal(labelStep(7, 8), 1);
  assert.equal(labelStep(28, 8), 4);
  assert.equal(labelStep(365, 8), 46);
});
