import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changeBetween, editsInUnits, joinEdits, oneReplacement, replaced,
} from "../../web/composer/editor/edits.js";
import { marksAt, marksOf, moveMarks, nextMark } from "../../web/composer/editor/marks.js";
import { LineIndex, byteOffset, unitOffsets } from "../../web/composer/editor/offsets.js";

const texts = ["", "plain", "é", "日本語\n", "a🙂b", "\uFFFC café 🍵\n\n終", "🙂🙂", "x\ud83d"];
test("every byte offset becomes the UTF-16 offset of the character it is in", () => {
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    const wanted = [];
    for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) {
      const width = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(at))).length;
      for (let byte = 0; byte < width; byte += 1) wanted.push(at);
    }
    wanted.push(text.length, text.length);
    const asked = [...bytes.keys(), bytes.length, bytes.length + 7];
    assert.deepEqual(unitOffsets(text, asked), wanted, JSON.stringify(text));
    assert.deepEqual(unitOffsets(text, [...asked].reverse()), [...wanted].reverse(), JSON.stringify(text));
  }
});

test("an offset goes to bytes and back", () => {
  const text = "日本🙂 \"é\"";
  for (const at of [0, 1, 2, 4, 5, 6, 7, 8]) assert.deepEqual(unitOffsets(text, [byteOffset(text, at)]), [at]);
});

test("lines are found by offset, the end of a line belongs to it", () => {
  const lines = new LineIndex("ab\n\ncd");
  assert.equal(lines.count, 3);
  assert.deepEqual([0, 2, 3, 4, 6].map((at) => lines.lineOf(at)), [0, 0, 1, 2, 2]);
  assert.deepEqual([0, 1, 2].map((line) => lines.line(line)), ["ab", "", "cd"]);
});

test("edits in bytes hit the same characters in the text", () => {
  const text = '{"日": "🙂x", "a": 1}';
  const start = new TextEncoder().encode('{"日": "').length;
  const [edit] = editsInUnits(text, [{ start, end: start + 5, replacement: "茶" }]);
  assert.equal(replaced(text, edit), '{"日": "茶", "a": 1}');
});

const joined = [
  ["two that are apart", "abcdef", [[[0, 1, "X"]], [[3, 5, ""]]], "Xbcf", 2],
  ["the second of two that overlap waits", "abcdef", [[[0, 3, "X"]], [[2, 5, "Y"]]], "Xdef", 1],
  ["the same edit is made once and fixes both", "abcdef", [[[1, 2, "X"]], [[1, 2, "X"]]], "aXcdef", 2],
  ["a finding is fixed as a whole or not at all", "abcdef", [[[0, 1, "X"]], [[0, 1, "Y"], [4, 5, "Z"]]], "Xbcdef", 1],
  ["two insertions at one place are not made at once", "ab", [[[1, 1, "X"]], [[1, 1, "Y"]]], "aXb", 1],
  ["edits come out of order", "abcdef", [[[4, 5, "Y"]], [[0, 1, "X"]]], "XbcdYf", 2],
  ["neighbours do not overlap", "abcd", [[[0, 2, "X"]], [[2, 4, "Y"]]], "XY", 2],
];
for (const [name, text, groups, wanted, count] of joined) {
  test(`joining edits: ${name}`, () => {
    const { edits, taken } = joinEdits(groups.map((group) => group.map(([start, end, replacement]) => ({ start, end, replacement }))));
    assert.equal(taken, count);
    assert.equal(replaced(text, oneReplacement(text, edits)), wanted);
  });
}

test("nothing to edit is no replacement", () => {
  assert.equal(oneReplacement("abc", joinEdits([[], []]).edits), null);
});

test("a change between two texts turns the one into the other", () => {
  const pairs = [["", ""], ["abc", "abc"], ["abc", "abXc"], ["aaa", "aa"], ["aa", "aaa"], ["abc", "xyz"], ["", "a"], ["abab", "ab"]];
  for (const [before, after] of pairs) {
    const { start, end, length } = changeBetween(before, after);
    assert.equal(before.slice(0, start) + after.slice(start, start + length) + before.slice(end), after);
  }
});

const finding = (start, end, more = {}) => ({ rule: "r", severity: "error", pointer: "", start, end, ...more });

test("marks stand at the bytes of their findings, in the order of the text; notes are left out", () => {
  const text = '{"é": "日本", "b": 2}';
  const marks = marksOf(text, [finding(20, 21), finding(7, 15), finding(0, 1, { severity: "info" })]);
  assert.deepEqual(marks.map(({ start, end }) => text.slice(start, end)), ['"日本"', ":"]);
});

test("a finding without bytes is shown at its pointer, an empty one at a character", () => {
  const text = '{"a": {"b": 1}}';
  const [mark] = marksOf(text, [{ rule: "r", severity: "error", pointer: "/a/b" }]);
  assert.equal(text.slice(mark.start, mark.end), '"b": 1');
  const [last] = marksOf(text, [finding(15, 15)]);
  assert.deepEqual([last.start, last.end], [14, 15]);
});

const moves = [
  ["typing before it moves it", "abcdef", [3, 5], "Xabcdef", "de"],
  ["typing behind it leaves it", "abcdef", [1, 3], "abcdefX", "bc"],
  ["typing inside it belongs to it", "abcdef", [1, 4], "abXcdef", "bXcd"],
  ["taking its end away shortens it", "abcdef", [1, 4], "abef", "b"],
  ["taking it all away takes the mark away", "abcdef", [1, 3], "adef", null],
];
for (const [name, text, [start, end], after, wanted] of moves) {
  test(`a mark follows the text: ${name}`, () => {
    const marks = moveMarks([{ finding: {}, start, end, edits: null }], changeBetween(text, after));
    assert.equal(marks[0] ? after.slice(marks[0].start, marks[0].end) : null, wanted);
  });
}

test("a fix moves along with its finding and is dropped once typing has touched it", () => {
  const mark = { finding: {}, start: 4, end: 6, edits: [{ start: 4, end: 6, replacement: "X" }] };
  const [moved] = moveMarks([mark], changeBetween("abcdefgh", "ZZabcdefgh"));
  assert.equal(replaced("ZZabcdefgh", moved.edits[0]), "ZZabcdXgh");
  const [touched] = moveMarks([mark], changeBetween("abcdefgh", "abcdeQfgh"));
  assert.equal(touched.edits, null);
});

test("the next and the previous mark go around the ends", () => {
  const marks = [2, 5, 9].map((start) => ({ finding: {}, start, end: start + 1, edits: null }));
  assert.deepEqual([[0, 1], [2, 1], [9, 1], [0, -1], [9, -1]].map(([at, step]) => nextMark(marks, at, step).start), [2, 5, 2, 9, 5]);
  assert.equal(nextMark([], 3, 1), null);
});

test("of several marks at a place errors come first, then the smallest", () => {
  const mark = (start, end, severity) => ({ finding: { severity }, start, end, edits: null });
  const found = marksAt([mark(0, 9, "error"), mark(2, 4, "warning"), mark(2, 5, "error"), mark(7, 9, "error")], 3);
  assert.deepEqual(found.map(({ start, end }) => [start, end]), [[2, 5], [0, 9], [2, 4]]);
});
