import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFarMoment } from "../../web/lib/time.js";

test("a moment of another year says its year, one of this year does not", () => {
  const now = new Date(2026, 10, 26, 12);
  assert.doesNotMatch(formatFarMoment(new Date(2026, 11, 31, 23), now), /20\d\d/);
  assert.match(formatFarMoment(new Date(2027, 0, 1, 1), now), /2027/);
  assert.match(formatFarMoment(new Date(2025, 11, 31, 23), now), /2025/);
});
