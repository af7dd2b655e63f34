import assert from "node:assert/strict";
import { test } from "node:test";
import { KEY, page, settle } from "./widget-launcher.js";

test("two tabs that sign in at once go on in one place, one after the other", async () => {
  const before = { generation: "g", seen: 0 };
  const [order, locks] = [[], { last: Promise.resolve() }];
  const request = (_name, work) => (locks.last = locks.last.then(work));
  const tabs = ["one", "two"].map((name) => page({ stored: { [KEY]: before }, respond: async ({ method }) => {
    if (method !== "POST") return {};
    order.push(`${name} begins`);
    await settle();
    order.push(`${name} ends`);
    return { user: "a" };
  } }));
  await settle();
  for (const one of tabs) {
    one.context.navigator.locks = { request };
    one.found.user = "a";
    one.frontdesk("identify", { token: "t" });
  }
  for (let turn = 0; turn < 6; turn += 1) await settle();
  assert.deepEqual(order, ["one begins", "one ends", "two begins", "two ends"]);
  assert.deepEqual(tabs.map((one) => [one.kept().generation, one.kept().from]), [["g-a", "g"], ["g-a", "g"]]);
});

test("an identity that fails under a lock is said once, and without locks it is shown all the same", async () => {
  const one = page({ respond: ({ method }) => method === "POST" && new TypeError("offline") });
  await settle();
  const heard = [];
  one.frontdesk("on", "error", ({ code }) => heard.push(code));
  one.context.navigator.locks = { request: async (_name, work) => work() };
  one.frontdesk("identify", { token: "t" }).catch(() => {});
  await settle();
  assert.deepEqual([heard, one.methods()], [["offline"], ["GET", "POST"]]);
  one.context.navigator.locks = { request: async () => { throw new Error("SecurityError"); } };
  one.frontdesk("identify", { token: "t" }).catch(() => {});
  await settle();
  assert.deepEqual(one.methods(), ["GET", "POST", "POST"]);
});

test("a frame without a name keeps its files before it follows another tab that signed the customer in", async () => {
  const one = page({ stored: { [KEY]: { generation: "g", seen: 0 } } });
  await settle();
  await one.frontdesk("open");
  one.hear("ready");
  const former = one.frame();
  const oldValue = JSON.stringify(one.kept());
  one.keep({ user: "a", seen: 0, generation: "g-a", from: "g" });
  one.found.user = "a";
  one.fire("storage", { key: KEY, oldValue });
  await settle();
  assert.equal(one.frame(), former);
  const { frontdesk: asked, holder } = former.contentWindow.heard.at(-1);
  assert.equal(asked, "settle");
  one.hear("settled");
  await settle();
  assert.notEqual(one.frame(), former);
  assert.match(one.frame().attributes.src, new RegExp(`g=g-a&locale=en&from=g&held=${holder}&named=1$`));
});

test("signing out forgets which files this tab has kept", async () => {
  const one = page({ stored: { [KEY]: { generation: "g" } } });
  await settle();
  await one.frontdesk("open");
  one.hear("ready");
  one.frontdesk("identify", { token: "t" });
  await settle();
  one.hear("settled");
  await settle();
  one.frontdesk("reset");
  assert.equal(JSON.parse(one.context.sessionStorage.getItem(KEY)).held, null);
});

test("a call before the script that cannot be done keeps no other one from being done", async () => {
  const q = [["Open"], ["identify", null], ["on"], ["open"]];
  const one = page({ early: Object.assign(() => {}, { q }) });
  await settle();
  assert.equal(one.said.length, 2);
  assert.match(one.said[1], /there is no Open/);
  assert.equal(one.host().hidden, false);
  assert.ok(one.frame());
});

test("a listener of ready that comes after the button hears of it at once", async () => {
  const one = page();
  const heard = [];
  one.frontdesk("on", "ready", () => heard.push("first"));
  await settle();
  one.frontdesk("on", "ready", () => heard.push("second"));
  assert.deepEqual(heard, ["first", "second"]);
});

test("an identity that a lost connection kept away is shown again with the connection, and after five minutes no more", async () => {
  let isOffline = true;
  const one = page({ dataset: { identity: "t" }, respond: ({ method }) => method === "POST" && (isOffline ? new TypeError("offline") : { user: "a" }) });
  await settle();
  assert.deepEqual(one.methods(), ["POST", "GET"]);
  one.tick(60_000);
  await settle();
  assert.deepEqual(one.methods(), ["POST", "GET", "POST"]);
  isOffline = false;
  one.fire("online");
  await settle();
  assert.equal(one.kept().user, "a");
  const count = one.asked.length;
  one.fire("online");
  await settle();
  assert.equal(one.asked.length, count);
  const late = page({ dataset: { identity: "t" }, respond: ({ method }) => method === "POST" && new TypeError("offline") });
  await settle();
  late.context.performance = { now: () => performance.now() + 300_000 };
  late.fire("online");
  await settle();
  assert.deepEqual(late.methods(), ["POST", "GET"]);
});

test("an identity that was kept away is not shown after a later one, nor after signing out", async () => {
  for (const next of [(one) => one.frontdesk("identify", { token: "u" }), (one) => one.frontdesk("reset")]) {
    const one = page({ dataset: { identity: "t" }, respond: ({ body }) => body?.includes('"t"') ? new TypeError("offline") : { user: "b" } });
    await settle();
    await next(one);
    await settle();
    const count = one.asked.length;
    one.fire("online");
    await settle();
    assert.deepEqual(one.asked.slice(count).map(({ method }) => method), []);
  }
});

test("a frame that did not come is loaded anew with the connection, and when it is opened again", async () => {
  const one = page({ impatient: true });
  await settle();
  await one.frontdesk("open");
  const first = one.frame();
  await settle();
  assert.ok(one.element((found) => found.attributes.class === "failed"));
  one.fire("online");
  const second = one.frame();
  assert.notEqual(second, first);
  await settle();
  await one.frontdesk("close");
  await one.frontdesk("open");
  assert.notEqual(one.frame(), second);
  await settle();
  // It came after all.
  one.hear("ready");
  const third = one.frame();
  await one.frontdesk("close");
  await one.frontdesk("open");
  assert.equal(one.frame(), third);
});

test("the frame of a tab hears what another one has shown, and counts it no more", async () => {
  const one = page({ stored: { [KEY]: { generation: "g", seen: 1 } } });
  await settle();
  await one.frontdesk("open");
  one.hear("ready");
  await one.frontdesk("close");
  one.hear("unread", { count: 2 });
  const oldValue = JSON.stringify(one.kept());
  one.keep({ ...one.kept(), seen: 3 });
  one.fire("storage", { key: KEY, oldValue });
  assert.equal(one.badge().hidden, true);
  assert.equal(one.frame().contentWindow.heard.at(-1).frontdesk, "seen");
});

test("the language is said within the shadow root, for the styles take it from what is in there", async () => {
  const one = page({ dataset: { locale: "ja-JP" } });
  await settle();
  const said = ["greeting", "panel"].map((name) => one.element((found) => found.attributes.class === name).lang);
  assert.deepEqual([one.host().lang, ...said], ["ja", "ja", "ja"]);
});
