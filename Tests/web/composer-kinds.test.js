import assert from "node:assert/strict";
import { test } from "node:test";
import { canShow, kindOfPayload } from "../../web/composer/kinds.js";
import { fallbackText } from "../../web/composer/fallback.js";
import { placesOfParameters } from "../../web/console/template-parameters.js";

const bid = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension";
const list = { type: "interactive", interactiveData: { bid, data: { listPicker: { sections: [] } } } };

for (const [words, payload, kind] of [
  ["a list", list, "list"],
  ["a link with a picture", { type: "richLink", richLinkData: { url: "https://example.com" } }, "richLink"],
  ["a text", { type: "text", body: "Hello" }, undefined],
  ["an object that has just been begun", {}, undefined],
  ["a number", 7, undefined],
  ["nothing", null, undefined],
]) {
  test(`what a payload is of is found for ${words}`, () => assert.equal(kindOfPayload(payload)?.kind, kind));
}

test("of a list it is known whether a device can show it, and a device that says nothing can show all", () => {
  const entry = kindOfPayload(list);
  assert.equal(canShow(entry, ["QUICK"]), false);
  assert.equal(canShow(entry, ["LIST"]), true);
  assert.equal(canShow(entry, null), true);
  assert.equal(fallbackText({ type: "text", body: "Hello" }, "en"), "");
});

test("placeholders of a text are found where they stand, and what is none is left", () => {
  const text = "Dear {{customer.name}}, {{ day | date }} {{ not a value {{}}";
  assert.deepEqual(placesOfParameters(text).map(({ start, end }) => text.slice(start, end)), ["{{customer.name}}", "{{ day | date }}"]);
});
