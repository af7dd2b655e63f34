import assert from "node:assert/strict";
import { test } from "node:test";
import { isKey, keyOfAction, ownerOf, pressOf } from "../../web/console/key-bindings.js";

const actions = [{ id: "close", key: "e" }, { id: "templates", key: "g t" }, { id: "inbox", key: "g i" }, { id: "none", key: "" }];
const on = { isOff: false, own: {} };

test("an action has its own key until the agent chose another", () => {
  assert.equal(keyOfAction(actions[0], on), "e");
  assert.equal(keyOfAction(actions[0], { isOff: false, own: { close: "x" } }), "x");
  assert.equal(keyOfAction(actions[0], { isOff: false, own: { close: "" } }), "");
  assert.equal(keyOfAction(actions[0], { isOff: true, own: { close: "x" } }), "");
});

test("a press runs its action, and the first of two keys waits for the second", () => {
  assert.deepEqual(pressOf(actions, on, "", "e"), { action: actions[0] });
  assert.deepEqual(pressOf(actions, on, "", "g"), { begun: "g" });
  assert.deepEqual(pressOf(actions, on, "g", "t"), { action: actions[1] });
  assert.deepEqual(pressOf(actions, on, "g", "e"), { action: actions[0] });
  assert.equal(pressOf(actions, on, "", "t"), null);
  assert.equal(pressOf(actions, on, "g", "q"), null);
});

test("keys that are off run nothing, and an action without a key is not run by any", () => {
  assert.equal(pressOf(actions, { isOff: true, own: {} }, "", "e"), null);
  assert.equal(pressOf(actions, on, "", ""), null);
});

test("a key that another action has, or begins with, is named with its owner", () => {
  assert.equal(ownerOf(actions, on, "templates", "e")?.id, "close");
  assert.equal(ownerOf(actions, on, "close", "e"), null);
  assert.equal(ownerOf(actions, on, "close", "g")?.id, "templates");
  assert.equal(ownerOf(actions, on, "close", "e x"), null);
  assert.equal(ownerOf(actions, on, "none", "e x")?.id, "close");
  assert.equal(ownerOf(actions, { isOff: true, own: {} }, "templates", "e")?.id, "close");
  assert.equal(ownerOf(actions, on, "close", ""), null);
});

for (const [key, expected] of [["x", true], ["?", true], ["é", true], ["g t", true], ["", false], ["Enter", false], ["g t x", false], [" ", false]]) {
  test(`"${key}" is ${expected ? "a" : "no"} key`, () => assert.equal(isKey(key), expected));
}
