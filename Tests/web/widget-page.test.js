import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { KEY, page, settle, source } from "./widget-launcher.js";

test("signing out forgets at once, survives a page that goes on, and is repeated by the next page first", async () => {
  const one = page({ answer: { user: "a", unread: 3, hasConversation: true }, stored: { [KEY]: { user: "a", generation: "g", seen: 2 } } });
  await settle();
  assert.equal(one.badge().hidden, false);
  one.frontdesk("open");
  await settle();
  assert.ok(one.frame());
  one.frontdesk("reset");
  // All of this before anything was answered.
  assert.equal(one.frame(), undefined);
  assert.equal(one.badge().hidden, true);
  assert.equal(one.kept().isLeaving, true);
  assert.equal(one.kept().user, null);
  assert.notEqual(one.kept().generation, "g");
  assert.deepEqual([one.asked.at(-1).method, one.asked.at(-1).keepalive], ["DELETE", true]);
  await settle();
  assert.equal(one.kept().isLeaving, false);
  const next = page({ stored: { [KEY]: { user: null, generation: "h", isLeaving: true } } });
  await settle();
  assert.deepEqual(next.methods(), ["DELETE", "GET"]);
  assert.equal(next.kept().isLeaving, false);
});

test("what was under way when the customer signed out is not applied, and ended after it", async () => {
  let finish;
  const one = page({ respond: (asked) => (asked.method === "POST" ? new Promise((resolve) => { finish = () => resolve({ user: "a" }); }) : {}) });
  await settle();
  one.frontdesk("identify", { token: "t" });
  await settle();
  one.frontdesk("reset");
  await settle();
  assert.equal(one.kept().isLeaving, true);
  finish();
  await settle();
  assert.deepEqual(one.methods(), ["GET", "POST", "DELETE", "DELETE"]);
  assert.deepEqual([one.kept().user, one.kept().isLeaving], [null, false]);
});

test("without the server's word that the customer is signed out nothing opens, until the line is back", async () => {
  let isOffline = false;
  const one = page({ respond: () => isOffline && new TypeError("offline") });
  await settle();
  isOffline = true;
  await one.frontdesk("reset").catch(() => {});
  await one.frontdesk("open");
  assert.equal(one.frame(), undefined);
  assert.equal(one.kept().isLeaving, true);
  isOffline = false;
  one.fire("online");
  await settle();
  assert.deepEqual(one.methods().slice(-2), ["DELETE", "GET"]);
  await one.frontdesk("open");
  assert.ok(one.frame());
});

test("a customer who signs in takes along what was being written, and is asked for when nothing is on its way", async () => {
  const one = page({ stored: { [KEY]: { generation: "g", seen: 5 } }, respond: (asked) => (asked.method === "POST" ? { user: "a" } : {}) });
  await settle();
  await one.frontdesk("open");
  one.hear("ready");
  one.frontdesk("identify", { token: "t" });
  await settle();
  const { frontdesk: asked, holder } = one.frame().contentWindow.heard.at(-1);
  assert.equal(asked, "settle");
  assert.match(holder, /^[0-9a-f]{16}$/);
  assert.deepEqual(one.methods(), ["GET"]);
  one.found.user = "a";
  one.hear("settled");
  await settle();
  assert.deepEqual(JSON.parse(one.asked[1].body), { token: "t", after: 5 });
  assert.equal(one.kept().from, "g");
  assert.equal(one.kept().generation, "g-a");
  assert.match(one.frame().attributes.src, new RegExp(`g=g-a&locale=en&from=g&held=${holder}&named=1$`));
  // Files that the former frame kept are this tab's, until they are sent.
  const held = () => JSON.parse(one.context.sessionStorage.getItem(KEY)).held;
  assert.equal(held(), holder);
  one.hear("released");
  assert.equal(held(), null);
  const other = page({ answer: { user: "a" }, stored: { [KEY]: one.kept() } });
  await settle();
  await other.frontdesk("open");
  assert.match(other.frame().attributes.src, /from=g&named=1$/);
  // What was seen without a name is no measure for what the customer has seen.
  assert.match(one.asked.at(-1).url, /after=0$/);
});

test("a first answer that did not come is asked for again, a bounded number of times, and with the line", async () => {
  let isOffline = true;
  const one = page({ respond: () => isOffline && new TypeError("offline") });
  const heard = [];
  one.frontdesk("on", "ready", () => heard.push("ready"));
  for (let turn = 0; turn < 20; turn += 1) { one.tick(60_000); await settle(); }
  assert.equal(one.asked.length, 6);
  assert.equal(one.host().hidden, true);
  isOffline = false;
  one.fire("online");
  await settle();
  assert.equal(one.host().hidden, false);
  assert.deepEqual(heard, ["ready"]);
  assert.equal(one.asked[0].signal, 20_000);
});

test("a widget that a page has removed is put back", async () => {
  const one = page();
  await settle();
  const host = one.host();
  host.remove();
  one.body.children = [];
  one.tick(1_000);
  assert.equal(one.host(), host);
});

test("a greeting is shown once a visit, also where the path is not ASCII, and by the direction of its text", async () => {
  const greetings = [{ path: "/お茶/*", seconds: 0, text: "Tea?" }];
  const one = page({ answer: { greetings }, path: encodeURI("/お茶/1") });
  await settle();
  one.tick(1_000);
  assert.equal(one.element((found) => found.text === "Tea?" && found.tag === "button").attributes.dir, "auto");
  assert.equal(JSON.parse(one.context.sessionStorage.getItem(KEY)).isQuiet, true);
  const broken = page({ answer: { greetings }, path: "/%E0%A4" });
  await settle();
  broken.tick(1_000);
  assert.equal(broken.element((found) => found.text === "Tea?"), undefined);
});

test("what cannot be handed to the frame is left out, and null means none", async () => {
  const one = page();
  await settle();
  await one.frontdesk("open");
  one.hear("ready");
  one.frontdesk("set", { name: "Ada", email: "a@b.example", attributes: { tier: "gold", n: 2, vip: true, f() {}, far: Infinity, none: null, list: [1] } });
  one.frontdesk("set", { email: null });
  const { page: said } = one.frame().contentWindow.heard.at(-1);
  assert.deepEqual(JSON.parse(JSON.stringify(said)), { name: "Ada", email: "", attributes: { tier: "gold", n: 2, vip: true }, path: "/" });
});

test("a page whose identities the browser does not keep is not asked again at once", async () => {
  const one = page({ stored: { [KEY]: { user: "a", generation: "g" } }, respond: (asked) => (asked.method === "POST" ? { user: "a" } : {}) });
  let count = 0;
  one.frontdesk("on", "expired", () => { count += 1; return one.frontdesk("identify", { token: "t" }); });
  await settle();
  await one.frontdesk("open");
  one.hear("ready");
  for (let turn = 0; turn < 5; turn += 1) { one.hear("ended"); await settle(); }
  assert.equal(count, 1);
  assert.equal(one.methods().filter((method) => method === "POST").length, 1);
});

test("what another tab has done is followed: seen, signed in, signed out", async () => {
  const before = { user: null, generation: "g", seen: 1 };
  const one = page({ answer: { unread: 2 }, stored: { [KEY]: before } });
  await settle();
  assert.equal(one.badge().hidden, false);
  const change = (values) => {
    const oldValue = JSON.stringify(one.kept());
    one.keep({ ...one.kept(), ...values });
    one.fire("storage", { key: KEY, oldValue });
  };
  change({ seen: 3 });
  assert.equal(one.badge().hidden, true);
  one.tick(60_000);
  await settle();
  assert.equal(one.asked.length, 2);
  one.found.user = "a";
  change({ user: "a", seen: 0, generation: "h" });
  await settle();
  assert.equal(one.asked.length, 3);
  await one.frontdesk("open");
  assert.ok(one.frame());
  change({ user: null, seen: 0, generation: "i", isLeaving: true });
  assert.equal(one.frame(), undefined);
});

test("a page that comes back as it was left to another customer shows nothing of the former one, without a network too", async () => {
  const one = page({ answer: { user: "a" }, stored: { [KEY]: { user: "a", generation: "g" } } });
  await settle();
  await one.frontdesk("open");
  const former = one.frame();
  one.keep({ user: "b", generation: "h", seen: 0 });
  one.found.user = "b";
  one.fire("pageshow", { persisted: true });
  assert.equal(one.frame(), undefined);
  await settle();
  await one.frontdesk("open");
  assert.notEqual(one.frame(), former);
  assert.equal(one.frame().dataset.generation, "h");
});

test("a second script is said to be one where it is for another business", () => {
  const one = page();
  one.context.document.currentScript.dataset.business = "shop";
  vm.runInContext(source, one.context);
  assert.deepEqual(one.said, []);
  one.context.document.currentScript.dataset.business = "other";
  vm.runInContext(source, one.context);
  assert.match(one.said[0], /another business/);
});

test("a picture that names itself after the running script is not taken for it, nor asked for anything", async () => {
  for (const localName of ["img", "form", {}]) {
    const one = page({ script: { localName, src: "https://foreign.example/widget.js" }, dataset: { identity: "signed" } });
    await settle();
    assert.deepEqual(one.asked, []);
    assert.equal(one.host(), undefined);
    assert.deepEqual(one.said, ["Frontdesk: the script needs data-business."]);
  }
});
