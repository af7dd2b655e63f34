import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../../web/console/whatsapp-form.js";

const typed = { phoneNumberId: "106", accountId: "", accessToken: "", appSecret: "", graphUrl: "", marksRead: true };

test("what is emptied is cleared, and a secret that is left empty stays as it is", () => {
  assert.deepEqual(bodyOf(typed), { phoneNumberId: "106", accountId: null, graphUrl: null, marksRead: true });
  const all = { ...typed, accountId: "55", accessToken: "a", appSecret: "b", graphUrl: "https://graph.example/v23.0" };
  assert.deepEqual(bodyOf(all), all);
});
