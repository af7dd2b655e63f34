import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { all, makePanelPage, say } from "./panel-page.js";
import { turn } from "./small-dom.js";

let page = makePanelPage();
const { h } = await import("../../web/lib/dom.js");
const { whileBusy } = await import("../../web/lib/busy.js");
await Promise.all(["members", "keys", "assignment"].map((name) => import(`../../web/console/${name}-panel.js`)));

const SHOP = { id: "shop", name: "Shop", mode: "live", role: "owner", permissions: ["members.manage", "keys.manage", "assignment.manage", "business.manage"], invites: ["agent"] };
const session = { agent: { id: "ada", name: "Ada" }, businesses: [SHOP], memberRoles: ["agent"] };

/** The oldest request of a path that has no answer yet. */
const request = (path, method = "GET") => {
  const at = page.asked.findIndex((one) => one.path === path && one.method === method);
  assert.ok(at >= 0, `${method} ${path} is not among ${page.asked.map((one) => `${one.method} ${one.path}`)}`);
  return page.asked.splice(at, 1)[0];
};
const answer = async (one, status, body) => {
  one.answer(status, body);
  for (let more = 0; more < 5; more += 1) await turn();
};
const button = (name) => all(document.body).find((one) => one.localName === "button" && [one.getAttribute("aria-label"), one.words].includes(name));
const show = (name, values = {}) => {
  const panel = Object.assign(document.createElement(name), { session }, values);
  document.body.append(panel);
  return panel;
};

beforeEach(() => { page = makePanelPage(); });


const KEY = { id: "k1", name: "Old", scopes: ["read"], addresses: [], grants: [], createdAt: "2026-11-01T00:00:00Z", usedAt: null, expiresAt: null, revokedAt: null, replaces: null };
const member = (name) => ({ id: name, name, email: `${name}@example.com`, role: "agent" });
const press = (node, type = "click") => node.dispatchEvent(Object.assign(new Event(type), {}));

test("a key that is made while the page is left shows its secret in a dialog, and not in the page", async () => {
  const panel = show("keys-panel");
  await answer(request("/api/keys"), 200, { data: [KEY] });
  const form = all(panel).find((one) => one.localName === "form");
  form.elements = [];
  press(form, "submit");
  await answer(request("/api/keys", "POST"), 201, { key: { ...KEY, id: "k2", name: "New" }, secret: "fd_live_secret" });
  panel.remove();
  await answer(request("/api/keys"), 200, { data: [KEY] });
  assert.ok(!say(panel).includes("fd_live_secret"));
  const dialog = document.body.children.find((one) => one.localName === "dialog");
  assert.equal(dialog?.getAttribute("aria-label"), "New");
  assert.ok(say(dialog).includes("fd_live_secret"));
});

test("keys that were read earlier are not shown in the place of those that were read later", async () => {
  const panel = show("keys-panel");
  await answer(request("/api/keys"), 200, { data: [KEY] });
  const form = all(panel).find((one) => one.localName === "form");
  form.elements = [];
  press(form, "submit");
  await answer(request("/api/keys", "POST"), 201, { key: { ...KEY, id: "k2", name: "Two" }, secret: "fd_live_two" });
  press(form, "submit");
  await answer(request("/api/keys", "POST"), 201, { key: { ...KEY, id: "k3", name: "Three" }, secret: "fd_live_three" });
  const earlier = request("/api/keys");
  await answer(request("/api/keys"), 200, { data: [KEY, { ...KEY, id: "k2", name: "Two" }, { ...KEY, id: "k3", name: "Three" }] });
  await answer(earlier, 200, { data: [KEY, { ...KEY, id: "k2", name: "Two" }] });
  assert.ok(say(panel).includes("Three") && say(panel).includes("fd_live_three"));
  assert.ok(say(document.body).includes("fd_live_two"));
});

test("members that were read earlier are not shown in the place of those that were read later", async () => {
  const state = Object.assign(new EventTarget(), { live: { state: "live" }, availability: Object.assign(new EventTarget(), { thereIn: () => [], of: () => "online" }) });
  const panel = show("members-panel", { state });
  const read = async (members) => {
    await answer(request("/api/businesses/shop/members"), 200, { data: members });
    await answer(request("/api/businesses/shop/invitations"), 200, { data: [] });
  };
  await read([member("Ada")]);
  state.dispatchEvent(new Event("line"));
  const earlier = request("/api/businesses/shop/members");
  state.dispatchEvent(new Event("line"));
  await read([member("Ada"), member("Bo"), member("Cleo")]);
  await answer(earlier, 200, { data: [member("Ada"), member("Bo")] });
  await answer(request("/api/businesses/shop/invitations"), 200, { data: [] });
  assert.ok(say(panel).includes("Cleo@example.com"));
});

test("a rule of assignment that cannot be removed says why, and its button keeps the focus", async () => {
  const panel = show("assignment-panel");
  const assignment = { strategy: "round_robin", sticky: false, capacity: 10, giveBackMinutes: null };
  const load = async (own) => {
    await answer(request("/api/businesses/shop/assignment"), 200, { assignment, members: [] });
    await answer(request("/api/businesses/shop/teams"), 200, { data: [{ id: "team", name: "Team", retired: false }] });
    await answer(request("/api/businesses/shop/teams/team/assignment"), 200, { assignment: own, members: [] });
  };
  await load(assignment);
  const remove = button("As without a team");
  remove.focus();
  press(remove);
  press(remove);
  const [refused, ...more] = page.asked.filter((one) => one.method === "DELETE");
  assert.equal(more.length, 0);
  assert.equal(remove.getAttribute("aria-disabled"), "true");
  await answer(refused, 403, { code: "forbidden", detail: "No longer yours." });
  assert.ok(all(panel).some((one) => one.getAttribute("role") === "alert" && one.textContent));
  assert.equal(remove.getAttribute("aria-disabled"), null);
  assert.equal(document.activeElement, remove);
  page.asked.length = 0;
  // Once it is removed, the button that makes another one has the focus.
  press(remove);
  await answer(request("/api/businesses/shop/teams/team/assignment", "DELETE"), 200, {});
  await load(null);
  assert.equal(document.activeElement, button("Set a rule for this team"));
});

test("what a button asked for is asked for once, and its button can be pressed again after it", async () => {
  const one = h("button", null);
  let [runs, end] = [0, () => {}];
  const work = () => {
    runs += 1;
    return new Promise((resolve) => { end = resolve; });
  };
  const first = whileBusy(one, work);
  await whileBusy(one, work);
  assert.deepEqual([runs, one.getAttribute("aria-disabled")], [1, "true"]);
  end();
  await first;
  whileBusy(one, work);
  assert.equal(runs, 2);
});

test("the requests of a key that cannot be read are no longer awaited", async () => {
  const { requestTable } = await import("../../web/console/key-form.js");
  const part = requestTable(KEY);
  assert.equal(part.getAttribute("aria-busy"), "true");
  await answer(request("/api/keys/k1/requests"), 403, { code: "forbidden" });
  assert.equal(part.getAttribute("aria-busy"), null);
  assert.ok(all(part).some((one) => one.getAttribute("role") === "alert"));
});
