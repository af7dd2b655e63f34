import assert from "node:assert/strict";
import { test } from "node:test";
import { findLists, repetitions } from "../../web/console/template-lists.js";
import { fillPreview, fillTemplate, findParameterLists, findParameters, findingsOfTemplate } from "../../web/console/template-parameters.js";

const SLOTS = '{"a":"{{what}}","s":[ {"{{slots}}": {"t":"{{slots.start|utc}}","n":"{{slots.position}}","d":"{{slots.seconds|number}}"} } , 1]}';

test("the values of a list's items are asked for with the list, and not by themselves", () => {
  assert.deepEqual(findParameters(SLOTS), ["what"]);
  assert.deepEqual([...findParameterLists(SLOTS)], [["slots", ["start", "seconds"]]]);
});

test("a repeated element is drawn for a few items, in place of the object around it", () => {
  assert.deepEqual(fillPreview(SLOTS, new Map([["slots.seconds", { default: 60 }]])), {
    a: "‹what›", s: [...["09", "10", "11"].map((hour, index) => ({ t: `2030-01-01T${hour}:00+0000`, n: String(index + 1), d: 60 })), 1],
  });
  assert.deepEqual(fillPreview('[{"{{teas}}":"{{teas.name}}"},{"{{teas}}":"{{teas.kind}}"}]', new Map([
    ["teas.name", { label: "Name" }], ["teas.kind", { type: "choice", choices: ["green", "black"] }]])),
  ["‹Name 1›", "‹Name 2›", "‹Name 3›", "green", "black", "green"]);
});

test("how few elements there are is no finding where a list repeats one", () => {
  const filled = fillTemplate(SLOTS, new Map());
  const whole = { start: 0, end: Buffer.byteLength(filled.text) };
  assert.deepEqual(findingsOfTemplate(SLOTS, filled, [{ rule: "too-few", ...whole }]), []);
  assert.equal(findingsOfTemplate(SLOTS, filled, [{ rule: "unknown-key", ...whole }]).length, 1);
});

for (const [name, text, expected] of [
  ["an element of an array", '[{"{{a}}":1}]', ["a"]],
  ["a second element", '[0 , {"{{a}}":{"x":"}"}}]', ["a"]],
  ["two elements", '[{"{{a}}":[1,2]},{"{{b.c}}":"\\"}"}]', ["a", "b.c"]],
  ["a member's value: not repeated", '{"x":{"{{a}}":1}}', []],
  ["an object with another member: not repeated", '[{"{{a}}":1,"b":2}]', []],
  ["a text that ends too early: not yet", '[{"{{a}}":{"b":', []],
  ["brackets that do not match: not yet", '[{"{{a}}":1]', []],
]) {
  test(`repeated is ${name}`, () => {
    assert.deepEqual(repetitions(text).map((one) => one.name), expected);
  });
}

test("what is not a value of a list's items is none of its members", () => {
  assert.deepEqual([...findLists('[{"{{a}}":1}]', ["a", "ab.c", "a.b", "a.position", "b"])], [["a", ["b"]]]);
});

test("a finding within a repeated element is shown at its place in the template", () => {
  const filled = fillTemplate(SLOTS, new Map());
  const start = Buffer.byteLength(filled.text.slice(0, filled.text.indexOf('"d"')));
  const [finding] = findingsOfTemplate(SLOTS, filled, [{ rule: "r", start, end: start + 3 }]);
  assert.equal(Buffer.from(SLOTS).subarray(finding.start, finding.end).toString(), '"d"');
});
