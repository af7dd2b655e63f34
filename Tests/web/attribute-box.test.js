import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
const { changedValues } = await import("../../web/console/attribute-box.js");

test("a form changes the values that differ, and empties with null", () => {
  const values = { note: "a", weight: 12.5, tier: "gold" };
  const rows = [
    [[[{ key: "note", type: "text" }, "a"]], {}],
    [[[{ key: "note", type: "text" }, " b "]], { note: "b" }],
    [[[{ key: "note", type: "text" }, " "]], { note: null }],
    [[[{ key: "weight", type: "number" }, "12.50"]], {}],
    [[[{ key: "weight", type: "number" }, "13"]], { weight: 13 }],
    [[[{ key: "weight", type: "number" }, "much"]], { weight: "much" }],
    [[[{ key: "due", type: "date" }, ""]], {}],
    [[[{ key: "due", type: "date" }, "2026-11-23"]], { due: "2026-11-23" }],
  ];
  for (const [entries, changed] of rows) assert.deepEqual(changedValues(entries, values), changed);
});
