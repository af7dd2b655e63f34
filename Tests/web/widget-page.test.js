import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const file = (name) => readFileSync(new URL(`../../web/widget/${name}`, import.meta.url), "utf8");
// As the server puts it together.
const source = file("widget.js").replace('"STYLES"', () => JSON.stringify(file("widget.css"))).replace('"PARTS"', () => file("widget-parts.js").trim());
const KEY = "frontdesk.shop";
const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve)); };

/** As much of an element as the launcher uses. */
class FakeElement {
  children = [];
  attributes = {};
  dataset = {};
  style = { setProperty() {} };
  listeners = {};
  hidden = false;
  isConnected = false;
  constructor(tag) { this.tag = tag; if (tag === "iframe") this.contentWindow = { heard: [], postMessage(data) { structuredClone(data); this.heard.push(data); } }; }
  set textContent(text) { this.children = []; this.text = text; }
  get textContent() { return this.text; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  attachShadow() { return (this.root = new FakeElement("root")); }
  appendChild(child) { this.children.push(child); child.parent = this; child.isConnected = true; return child; }
  append(...all) { for (const one of all) this.appendChild(one); }
  remove() { this.isConnected = false; if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this); }
  contains() { return false; }
  querySelectorAll() { return []; }
  focus() {}
  find(test) { return test(this) ? this : this.children.map((one) => one.find(test)).find(Boolean); }
}

/** A page of the shop with the script, and the server that it asks. */
function page({ answer = {}, stored = {}, dataset = {}, path = "/", respond = null, early = undefined, impatient = false } = {}) {
  const kept = new Map(Object.entries(stored).map(([key, value]) => [key, JSON.stringify(value)]));
  const storage = (map) => ({ getItem: (key) => map.get(key) ?? null, setItem: (key, value) => { map.set(key, value); } });
  const asked = [];
  const listeners = {};
  const ticks = [];
  const body = new FakeElement("body");
  const said = [];
  const found = {
    user: null, unread: 0, hasConversation: false, business: { id: "shop", name: "Tea" },
    launcher: { position: "right", colour: "#336699", label: "Chat" }, greetings: [], ...answer,
  };
  const context = {
    document: {
      currentScript: { src: "https://desk.example/widget.js", dataset: { business: "SHOP", ...dataset } }, body,
      documentElement: { lang: "en" }, hidden: false, createElement: (tag) => new FakeElement(tag), createElementNS: (_, tag) => new FakeElement(tag),
    },
    location: { pathname: path }, navigator: { language: "en" }, localStorage: storage(kept), sessionStorage: storage(new Map()),
    CSSStyleSheet: class { replaceSync() {} }, URL, URLSearchParams, AbortSignal: { timeout: (milliseconds) => milliseconds }, crypto, performance,
    console: { error: (text) => said.push(String(text)) },
    setTimeout: (work, milliseconds, ...all) => (impatient ? setImmediate(work, ...all) : setTimeout(work, milliseconds, ...all).unref()), ...(early && { Frontdesk: early }), setInterval: (work, milliseconds) => ticks.push({ work, milliseconds }),
    addEventListener: (name, listener) => { (listeners[name] ??= []).push(listener); },
    fetch: async (url, options) => {
      const one = { method: options.method ?? "GET", url: String(url), ...options };
      asked.push(one);
      const special = await respond?.(one);
      if (special instanceof Error) throw special;
      if (one.method === "DELETE") return { status: 204, ok: true };
      return { status: 200, ok: true, json: async () => ({ ...found, ...special }) };
    },
  };
  vm.createContext(context);
  vm.runInContext(source, context);
  const fire = (name, event = {}) => { for (const one of listeners[name] ?? []) one(event); };
  const tick = (milliseconds) => { for (const one of ticks) if (one.milliseconds === milliseconds) one.work(); };
  const host = () => body.find((one) => one.tag === "frontdesk-widget");
  const element = (test) => host()?.root.find(test);
  const self = {
    context, asked, said, body, fire, tick, host, element, found,
    frontdesk: (...values) => context.Frontdesk(...values),
    kept: () => JSON.parse(kept.get(KEY) ?? "{}"),
    keep: (values) => kept.set(KEY, JSON.stringify(values)),
    frame: () => element((one) => one.tag === "iframe"),
    hear: (frontdesk, more = {}) => fire("message", { data: { frontdesk, ...more }, origin: "https://desk.example", source: self.frame().contentWindow }),
    badge: () => element((one) => one.attributes.class === "badge"),
    methods: () => asked.map((one) => one.method),
  };
  return self;
}

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
