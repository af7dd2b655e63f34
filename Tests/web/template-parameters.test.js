import assert from "node:assert/strict";
import { test } from "node:test";
import { fillPreview, fillTemplate, findParameters, findingsOfTemplate, withoutValue } from "../../web/console/template-parameters.js";

const types = (entries = {}) => new Map(Object.entries(entries));
const bytes = (text, part) => {
  const start = Buffer.byteLength(text.slice(0, text.indexOf(part)));
  return { start, end: start + Buffer.byteLength(part) };
};
const cut = (text, { start, end }) => Buffer.from(text).subarray(start, end).toString();

test("a template asks for each name once, whatever form it is written in", () => {
  const text = '{"a":"{{order}} {{ order }}","n":"{{count|number}}","s":"{{slot|utc}}","c":"{{customer.name}}"}';
  assert.deepEqual(findParameters(text), ["order", "count", "slot"]);
  assert.deepEqual(fillPreview(text, types({ order: { default: 'A "b"' }, count: { default: 3 } })), {
    a: 'A "b" A "b"', n: 3, s: "2030-01-01T09:00+0000", c: "‹customer.name›",
  });
});

test("a half-typed template has no picture", () => {
  assert.equal(fillPreview('{"a": "{{order}}"', types()), null);
});

for (const [name, text, known, found, expected] of [
  ["behind a gap", '{"body":"お茶 {{drink}} 🍵","tpye":"text"}', {}, '"text"', '"text"'],
  ["before a gap", '{"tpye":"text","body":"{{drink}}"}', {}, '"text"', '"text"'],
  ["of a text with a filled gap", '{"body":"お {{drink}}!"}', { drink: { default: "茶" } }, '"お 茶!"', '"お {{drink}}!"'],
  ["of an object around a gap", '{"a":{"b":"{{drink}}"}}', {}, '{"b":"‹drink›"}', '{"b":"{{drink}}"}'],
  ["of a number that is a gap", '{"a":"{{n|number}}"}', { n: { default: 7 } }, "7", '"{{n|number}}"'],
]) {
  test(`a finding ${name} is shown at its place in the template`, () => {
    const filled = fillTemplate(text, types(known));
    const [finding] = findingsOfTemplate(text, filled, [{ rule: "r", line: 1, column: 1, ...bytes(filled.text, found) }]);
    assert.equal(cut(text, finding), expected);
    assert.equal(finding.line, undefined);
  });
}

test("findings about a sample are not findings about the template", () => {
  const text = '{"url":"{{link}}"}';
  const filled = fillTemplate(text, types());
  assert.deepEqual(findingsOfTemplate(text, filled, [{ rule: "r", ...bytes(filled.text, '"‹link›"') }]), []);
});

test("a fix beside a gap is made in the template, one that meets a gap is not offered", () => {
  const text = '{"body":"お {{drink}}","order":"0"}';
  const filled = fillTemplate(text, types());
  const edit = (part, replacement) => [{ ...bytes(filled.text, part), replacement }];
  const [finding] = findingsOfTemplate(text, filled, [
    { rule: "r", ...bytes(filled.text, '"0"'), edits: edit('"0"', "0") }]);
  assert.equal(cut(text, finding.edits[0]), '"0"');
  const [wide] = findingsOfTemplate(text, filled, [
    { rule: "r", ...bytes(filled.text, filled.text), edits: edit(filled.text, "{}") }]);
  assert.deepEqual(wide.edits, []);
});

for (const [name, body, parameters, expected] of [
  ["nothing", "One moment.", [], []],
  ["the business", "From {{business.name}}.", [], []],
  ["the agent", "This is {{agent.name}} from {{business.name}}.", [], ["agent.name"]],
  ["the customer", "Hello {{customer.name}}.", [], ["customer.name"]],
  ["the customer, with a default", "Hello {{customer.name}}.", [{ name: "customer.name", required: false, default: "there" }], []],
  ["a value", "Open from {{opens}}.", [{ name: "opens", required: true }], ["opens"]],
  ["a value with a default", "Open from {{opens}}.", [{ name: "opens", required: true, default: "9:00" }], []],
  ["a value that may be left out", "Hello {{nick}}.", [{ name: "nick", required: false }], []],
]) {
  test(`where nobody gives values, a template that names ${name} lacks ${expected.join() || "none"}`, () => {
    assert.deepEqual(withoutValue({ payload: { type: "text", body }, parameters }), expected);
  });
}
