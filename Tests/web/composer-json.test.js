import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byteCount, depthLimit, layOut, placeOf, readJSON, readLoosely, replaceValue, unitOffset,
} from "../../web/composer/json-tokens.js";

const errors = [
  ["", "unexpected_end", 1, 1],
  ["{", "unexpected_end", 1, 2],
  ['{"a":1,}', "trailing_comma", 1, 8],
  ["[1,]", "trailing_comma", 1, 4],
  ['{"a" 1}', "expected_colon", 1, 6],
  ['{"a":1 "b":2}', "expected_comma", 1, 8],
  ["{'a':1}", "expected_key", 1, 2],
  ['{"a":\'x\'}', "single_quote", 1, 6],
  ['{\n  "a": 01\n}', "bad_number", 2, 8],
  ["[1.]", "bad_number", 1, 2],
  ["[-]", "bad_number", 1, 2],
  ['["a\nb"]', "open_string", 1, 4],
  ['["a', "open_string", 1, 2],
  ['["\\x"]', "bad_escape", 1, 3],
  ['["\\u12"]', "bad_escape", 1, 3],
  ['["\t"]', "control_character", 1, 3],
  ['{"a":1,"a":2}', "repeated_key", 1, 8],
  ["{} {}", "trailing_text", 1, 4],
  ["nul", "unexpected_character", 1, 1],
  ["\uFEFF{}", "byte_order_mark", 1, 1],
];
for (const [text, code, line, column] of errors) {
  test(`${JSON.stringify(text)} is refused as ${code} at its place`, () => {
    const { error } = readJSON(text);
    assert.deepEqual({ ...error, offset: 0 }, { code, offset: 0, line, column });
  });
}

test("our parser and the language's own agree on which texts are JSON", () => {
  const pieces = ["{", "}", "[", "]", ",", ":", '"a"', "1", "-0.5e3", "true", "null", " ", "0", '"\\u00e9"', "x"];
  let seed = 20261121;
  const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  let accepted = 0;
  for (let round = 0; round < 20000; round += 1) {
    const text = Array.from({ length: 1 + Math.floor(next() * 7) }, () => pieces[Math.floor(next() * pieces.length)]).join("");
    let parses = true;
    try {
      JSON.parse(text);
    } catch {
      parses = false;
    }
    const { error } = readJSON(text);
    if (error?.code === "repeated_key") continue;
    assert.equal(error === null, parses, text);
    if (parses) accepted += 1;
  }
  assert.ok(accepted > 100, `only ${accepted} texts were JSON`);
});

test("tokens cover everything but white space, in order", () => {
  const text = '{ "a": [1, true, "x\\n"], "b~/": {} }';
  let at = 0;
  for (const { start, end } of readJSON(text).tokens) {
    assert.equal(text.slice(at, start).trim(), "");
    at = end;
  }
  assert.equal(at, text.length);
});

test("a pointer leads to the value, an unknown one to its nearest ancestor", () => {
  const text = '{"a":[{"b~/c":7}]}';
  const { places } = readJSON(text);
  const { start, end } = placeOf(places, "/a/0/b~0~1c");
  assert.equal(text.slice(start, end), "7");
  const near = placeOf(places, "/a/0/missing/deep");
  assert.equal(text.slice(near.start, near.end), '{"b~/c":7}');
});

test("nesting beyond the limit is an error, not an overflow", () => {
  assert.equal(readJSON("[".repeat(100000)).error.code, "too_deep");
  assert.equal(readJSON("[".repeat(depthLimit) + "]".repeat(depthLimit)).error, null);
});

for (const text of ["abc", "aé漢🎉z", "\u{10FFFF}x"]) {
  test(`byte places of ${text} become unit places`, () => {
    for (let unit = 0; unit <= text.length; unit += 1) {
      if (/[\uDC00-\uDFFF]/.test(text[unit] ?? "")) continue;
      assert.equal(unitOffset(text, byteCount(text.slice(0, unit))), unit);
    }
  });
}

test("a value is replaced without touching any other byte", () => {
  const text = '{\t"id" : "old",\r\n "x":1e2}';
  assert.equal(replaceValue(text, "/id", 'n"ew'), '{\t"id" : "n\\"ew",\r\n "x":1e2}');
  assert.equal(replaceValue(text, "/none", 1), text);
});

test("text after an error keeps its colours", () => {
  const text = '{x\n "key" : "v\\"al", "n": -1.5, "t": true}';
  const words = readLoosely(text, 1).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
  assert.deepEqual(words.filter(([kind]) => kind !== "punctuation"), [
    ["key", '"key"'], ["string", '"v\\"al"'], ["key", '"n"'], ["number", "-1.5"], ["key", '"t"'], ["literal", "true"],
  ]);
});

const layouts = [
  ['{"a":[],"b":{},"c":[1,{"d":null}]}'], ["[1.0e2,-0]"], ['{ "u" : "\\u00e9" }'], ["7"], ["[[],[[]]]"],
];
for (const [text] of layouts) {
  test(`laying ${text} out changes white space only`, () => {
    const laid = layOut(text);
    assert.equal(readJSON(laid).error, null);
    const words = (source) => readJSON(source).tokens.map(({ start, end }) => source.slice(start, end));
    assert.deepEqual(words(laid), words(text));
    assert.equal(layOut(laid), laid);
  });
}

test("laying out looks like the language's own writer", () => {
  const text = JSON.stringify({ a: [1, { b: "x" }], c: {}, d: [] });
  assert.equal(layOut(text), JSON.stringify(JSON.parse(text), null, 2));
});
