import assert from "node:assert/strict";
import { test } from "node:test";
import { SeenState } from "../../web/console/seen-state.js";

for (const [name, changes, shown, when, seen] of [
  ["without a change what is shown", [], "open", 5_000, "open"],
  ["right after a change what was before", [["open", 5_000]], "closed", 5_001, "open"],
  ["before a change that the page knew first what was before", [["open", 5_000]], "closed", 4_990, "open"],
  ["a second after a change what is shown", [["open", 5_000]], "closed", 6_000, "closed"],
  ["of two changes in one moment what was before both", [["open", 5_000], ["snoozed", 5_200]], "closed", 5_300, "open"],
  ["after the first of two changes what was before the second", [["open", 5_000], ["snoozed", 5_900]], "closed", 6_100, "snoozed"],
]) {
  test(`a person has seen ${name}`, () => {
    const state = new SeenState();
    for (const change of changes) state.note(...change);
    assert.equal(state.at(shown, when), seen);
  });
}
