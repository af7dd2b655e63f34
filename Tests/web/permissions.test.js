import assert from "node:assert/strict";
import { test } from "node:test";
import { registerStrings } from "../../web/lib/i18n.js";
import en from "../../web/i18n/en/roles.js";
import ja from "../../web/i18n/ja/roles.js";
import { isOffered, may, roleName, rolesToGive, roleWords, WRITING } from "../../web/console/permissions.js";
import { sectionsFor } from "../../web/console/routes.js";

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

const reader = { businesses: [{ id: "shop", permissions: ["conversations.read", "audit.read"] }] };
const agent = { businesses: [...reader.businesses, { id: "test", permissions: ["conversations.handle", "messages.send"] }] };

test("an action that needs one of several permissions is offered with any of them, and one that needs none always", () => {
  assert.equal(isOffered({}, reader), true);
  assert.equal(isOffered({ permission: WRITING }, reader), false);
  assert.equal(isOffered({ permission: WRITING }, agent), true);
  assert.equal(isOffered({ permission: WRITING }, agent, agent.businesses[0]), false);
});

test("the parts of the settings are those that the person can read", () => {
  const sections = sectionsFor(reader);
  assert.deepEqual(["audit", "me", "members", "labels"].filter((one) => !sections.includes(one)), []);
  assert.deepEqual(["rules", "keys", "webhooks", "widget", "retention"].filter((one) => sections.includes(one)), []);
});

test("what a role may do is said in both languages, of an unknown role nothing", () => {
  for (const role of ["owner", "supervisor", "agent", "auditor"]) {
    assert.notEqual(roleWords(role), "", role);
    assert.ok(ja[`roles.may.${role}`], role);
  }
  assert.equal(roleWords("night-shift"), "");
});
