import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, miscopied } from "../../web/console/whatsapp-form.js";

const typed = { phoneNumberId: "106", accountId: "", accessToken: "", appSecret: "", graphUrl: "", marksRead: true };

test("what is emptied is cleared, and a secret that is left empty stays as it is", () => {
  assert.deepEqual(bodyOf(typed), { phoneNumberId: "106", accountId: null, graphUrl: null, marksRead: true });
  const all = { ...typed, accountId: "55", accessToken: "a", appSecret: "b", graphUrl: "https://graph.example/v23.0" };
  assert.deepEqual(bodyOf(all), all);
});

test("a number for an id, and a secret with a space in it, are not sent", () => {
  assert.equal(miscopied("phoneNumberId", "106540352242922"), null);
  assert.equal(miscopied("accountId", ""), null);
  assert.equal(miscopied("phoneNumberId", "+1 555 000 1111"), "gateway.noDigits");
  assert.equal(miscopied("accessToken", "EAAB-token"), null);
  assert.equal(miscopied("accessToken", "EAAB token"), "gateway.noSecret");
  assert.equal(miscopied("graphUrl", "https://graph.example/v23.0"), null);
});
