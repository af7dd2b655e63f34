import assert from "node:assert/strict";
import { test } from "node:test";
import { markedParts } from "../../web/console/marked-parts.js";

for (const [name, text, marks, expected] of [
  ["no mark", "green tea", [], ["green tea"]],
  ["a mark within", "green tea 🍵", [[6, 9]], ["green ", "[tea]", " 🍵"]],
  ["marks at both ends", "お茶とお菓子", [[0, 2], [3, 6]], ["[お茶]", "と", "[お菓子]"]],
  ["marks out of order that meet", "abcd", [[2, 4], [0, 2]], ["[ab]", "[cd]"]],
  ["marks that overlap", "abcd", [[0, 3], [2, 4]], ["[abc]", "[d]"]],
  ["a mark behind the end", "ab", [[1, 9]], ["a", "[b]"]],
]) {
  test(`a snippet with ${name} is cut at its marks`, () => {
    const parts = markedParts({ text, marks: marks.map(([start, end]) => ({ start, end })) });
    assert.deepEqual(parts.map((part) => (part.isMarked ? `[${part.text}]` : part.text)), expected);
  });
}
