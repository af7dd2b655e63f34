import assert from "node:assert/strict";
import { test } from "node:test";
import { markMentions, matchingMembers, mentionAt, mentionsIn } from "../../web/thread/mentions.js";

const cy = { id: "1", name: "Cy" };
const cyril = { id: "2", name: "Cyril" };
const anna = { id: "3", name: "Anna Li" };
const jiro = { id: "4", name: "次郎" };
const all = [cy, cyril, anna, jiro];

for (const [text, expected] of [
  ["@", { start: 0, words: "" }],
  ["Look, @Cy", { start: 6, words: "Cy" }],
  ["Look, @Anna L", { start: 6, words: "Anna L" }],
  ["確認お願いします、@次", { start: 9, words: "次" }],
  ["mail@example", null],
  ["Look", null],
  ["@Cy\nnext line", null],
]) {
  test(`at the end of ${JSON.stringify(text)} ${expected ? `"${expected.words}" is being mentioned` : "no member is being mentioned"}`, () => {
    assert.deepEqual(mentionAt(text, text.length), expected);
  });
}

test("members are found by the beginning of any word of their name", () => {
  assert.deepEqual(matchingMembers(all, "cy"), [cy, cyril]);
  assert.deepEqual(matchingMembers(all, "li"), [anna]);
  assert.deepEqual(matchingMembers(all, ""), all);
  assert.deepEqual(matchingMembers(all, "次"), [jiro]);
  assert.deepEqual(matchingMembers(all, "nil"), []);
});

test("a text mentions the longest name, and none in the middle of a word", () => {
  assert.deepEqual(mentionsIn("@Cyril and @Anna Li, look", all), ["2", "3"]);
  assert.deepEqual(mentionsIn("@Cy, look", all), ["1"]);
  assert.deepEqual(mentionsIn("@Cyrillic", all), []);
  assert.deepEqual(mentionsIn("@次郎さん、@次郎", all), ["4"]);
  assert.deepEqual(mentionsIn("nothing", all), []);
});

test("of two members of one name the chosen one is mentioned", () => {
  const other = { id: "9", name: "Cy" };
  assert.deepEqual(mentionsIn("@Cy", [cy, other]), ["1"]);
  assert.deepEqual(mentionsIn("@Cy", [cy, other], new Map([["Cy", "9"]])), ["9"]);
});

test("a text is drawn in parts, and is the same text together", () => {
  const parts = markMentions("Hi @Cy: see @Anna Li.", all);
  assert.deepEqual(parts.map(({ mention }) => mention?.id ?? null), [null, "1", null, "3", null]);
  assert.equal(parts.map(({ text }) => text).join(""), "Hi @Cy: see @Anna Li.");
  assert.deepEqual(markMentions("", all), []);
});

test("at most twenty are mentioned", () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ id: `m${index}`, name: `M${index}x` }));
  assert.equal(mentionsIn(many.map(({ name }) => `@${name}`).join(" "), many).length, 20);
});
