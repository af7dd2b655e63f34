import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceFault, choicesOf, draftFaults } from "../../web/console/attribute-draft.js";
import { moved } from "../../web/console/item-order.js";
import { valueName } from "../../web/console/template-parameters.js";

for (const [name, taken, key] of [
  ["Order number", [], "order_number"],
  ["Größe (cm)", [], "gro_e_cm"],
  ["2nd address", [], "nd_address"],
  ["注文番号", [], "attribute"],
  ["注文番号", ["attribute"], "attribute2"],
  ["Order number", ["order_number", "order_number2"], "order_number3"],
  ["very ".repeat(30), [`${"very_".repeat(7)}ve`], `${"very_".repeat(7)}ve2`],
]) {
  test(`the name ${name.slice(0, 20)} beside ${taken.length} suggests the key ${key}`, () => {
    assert.equal(valueName(name, taken, "attribute"), key);
    assert.deepEqual(draftFaults({ of: "contact", name: "Any", key, type: "text", choices: [] }, []), {});
  });
}

test("choices are the lines that were typed, each once", () => {
  assert.deepEqual(choicesOf(" gold \n\nsilver\ngold\n"), ["gold", "silver"]);
});

const draft = { of: "conversation", name: "Tier", key: "tier", type: "choice", choices: ["gold"] };
const long = "あ".repeat(41);

for (const [words, change, faults] of [
  ["nothing is wrong", {}, {}],
  ["no name", { name: "  " }, { name: "empty" }],
  ["a name of more than 120 bytes", { name: long }, { name: "long" }],
  ["no key", { key: "" }, { key: "empty" }],
  ["a key with a capital letter", { key: "Tier" }, { key: "letters" }],
  ["a key that begins with a digit", { key: "1tier" }, { key: "letters" }],
  ["a key of 41 characters", { key: "a".repeat(41) }, { key: "long" }],
  ["a key that another has", { key: "order" }, { key: "used" }],
  ["a key that an attribute of contacts has", { key: "city" }, {}],
  ["no choice", { choices: [] }, { choices: "none" }],
  ["51 choices", { choices: Array.from({ length: 51 }, (_, at) => String(at)) }, { choices: "many" }],
  ["a choice of more than 120 bytes", { choices: ["gold", long] }, { choices: "long" }],
  ["no choice of a text", { type: "text", choices: [] }, {}],
]) {
  test(`of a new attribute is said: ${words}`, () => {
    const known = [{ of: "conversation", key: "order" }, { of: "contact", key: "city" }];
    assert.deepEqual(draftFaults({ ...draft, ...change }, known), faults);
  });
}

for (const [choice, known, fault] of [
  ["gold", [], null], ["", [], "empty"], ["gold", ["gold"], "there"], [long, [], "long"], ["x", Array.from({ length: 50 }, (_, at) => String(at)), "many"],
]) {
  test(`a further choice ${choice.slice(0, 5)} beside ${known.length} is ${fault ?? "added"}`, () => assert.equal(choiceFault(choice, known), fault));
}

test("moving one by a place gives those another place whose place is another", () => {
  const all = [["a", 0], ["b", 0], ["c", 30]].map(([id, order]) => ({ id, order }));
  assert.deepEqual(moved(all, 1, -1).map(({ one, order }) => [one.id, order]), [["b", 10], ["a", 20]]);
});
