import assert from "node:assert/strict";
import { test } from "node:test";
import { registerStrings } from "../../web/lib/i18n.js";
import en from "../../web/i18n/en/console.js";
import ja from "../../web/i18n/ja/console.js";
import { may, roleName, rolesToGive } from "../../web/console/permissions.js";

registerStrings({ en, ja });

test("what a role may do is what the server says, whatever the role is called", () => {
  const business = { role: "auditor", permissions: ["conversations.read", "members.manage"] };
  assert.equal(may(business, "members.manage"), true);
  assert.equal(may(business, "messages.send"), false);
  assert.equal(may({ role: "owner", permissions: [] }, "members.manage"), false);
  assert.equal(may({ role: null, permissions: null }, "members.read"), false);
  assert.equal(may(null, "members.read"), false);
});

test("a role without a text of its own is called as the server calls it", () => {
  assert.equal(roleName("owner"), "Owner");
  assert.equal(roleName("night-shift"), "night-shift");
});

test("owners are made by owners alone", () => {
  const roles = ["owner", "agent", "auditor"];
  assert.deepEqual(rolesToGive(roles, { role: "owner" }), roles);
  assert.deepEqual(rolesToGive(roles, { role: "lead" }), ["agent", "auditor"]);
});
