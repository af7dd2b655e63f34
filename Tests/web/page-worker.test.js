import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const text = await readFile(new URL("../../web/phone/push-worker.js", import.meta.url), "utf8");

const ORIGIN = "https://desk.example";
const SCRIPT = "/web/~new/phone/phone-app.js";
const WORDS = "/web/~new/phone/phone-app/i18n/en.js";
const shell = (mark) => `<link rel="icon" href="/web/phone/icon.svg"><script src="/web/~${mark}/phone/phone-app.js"></script>`;

/** An answer of the server. @param {string} body @param {{status?: number, isFinal?: boolean, redirected?: boolean}} how */
const answer = (body, { status = 200, isFinal = true, redirected = false } = {}) => {
  const made = {
    status, redirected, ok: status < 300, text: async () => body,
    headers: new Headers({ "Cache-Control": isFinal ? "public, max-age=31536000, immutable" : "no-cache" }),
    clone: () => made,
  };
  return made;
};

/**
 * The worker of a shop's page, with what it keeps and what the server answers; a path without an answer has no connection.
 * @param {{kept?: Record<string, any>, answers?: Record<string, any>}} around
 */
function worker({ kept = {}, answers = {} } = {}) {
  const heard = {};
  const asked = [];
  const store = new Map(Object.entries(kept));
  const pathOf = (one) => new URL(one.url ?? one, ORIGIN).pathname;
  const cache = {
    match: async (one) => store.get(pathOf(one)),
    put: async (one, value) => void store.set(pathOf(one), value),
    keys: async () => [...store.keys()].map((path) => ({ url: ORIGIN + path })),
    delete: async (one) => store.delete(pathOf(one)),
  };
  const self = {
    location: `${ORIGIN}/web/phone/push-worker.js?language=en`,
    addEventListener: (name, act) => { heard[name] = act; },
    registration: { scope: `${ORIGIN}/b/shop` }, clients: {},
  };
  const timers = [];
  runInContext(text, createContext({
    self, URL, caches: { open: async (name) => (assert.equal(name, "fd.page./b/shop"), cache) },
    setTimeout: (act, milliseconds) => timers.push({ act, milliseconds }),
    fetch: async (one) => {
      asked.push(pathOf(one));
      const found = answers[pathOf(one)];
      if (!found) throw new TypeError("no line");
      return found;
    },
  }));
  return {
    asked, store, timers,
    /** What the worker answers to a request; undefined where it leaves the request to the browser. */
    open(address, { mode = "navigate", destination = "document", method = "GET" } = {}) {
      let whole;
      heard.fetch({ request: { url: new URL(address, ORIGIN).href, mode, destination, method }, respondWith: (work) => { whole = work; } });
      return whole;
    },
    async keep(files) {
      let whole;
      heard.message({ data: { files }, waitUntil: (work) => { whole = work; } });
      await whole;
      return [...store.keys()].sort();
    },
  };
}

const file = { mode: "cors", destination: "script" };

test("the page is the server's while it answers, and what was kept where there is no connection", async () => {
  const [now, before] = [answer(shell("new")), answer(shell("old"))];
  assert.equal(await worker({ kept: { "/b/shop": before }, answers: { "/b/shop": now } }).open("/b/shop?body=Hi"), now);
  assert.equal(await worker({ kept: { "/b/shop": before } }).open("/b/shop?body=Hi"), before);
  await assert.rejects(worker().open("/b/shop"), /no line/);
});

test("a proxy that has no server gives way to the page that was kept, a refusal does not", async () => {
  const before = answer(shell("old"));
  for (const [status, isKept] of [[502, true], [503, true], [404, false], [429, false]]) {
    const refused = answer("", { status });
    assert.equal(await worker({ kept: { "/b/shop": before }, answers: { "/b/shop": refused } }).open("/b/shop"), isKept ? before : refused);
    assert.equal(await worker({ answers: { "/b/shop": refused } }).open("/b/shop"), refused);
  }
});

test("a server that does not answer in time gives way to the page that was kept, and is waited for without one", async () => {
  for (const [kept, body] of [[{ "/b/shop": answer("kept") }, "kept"], [{}, "late"]]) {
    let come = (_) => {};
    const late = new Promise((resolve) => { come = resolve; });
    const one = worker({ kept, answers: { "/b/shop": late } });
    const opened = one.open("/b/shop");
    const [{ act, milliseconds }] = one.timers;
    assert.ok(milliseconds <= 5000);
    act();
    await new Promise((resolve) => setImmediate(resolve));
    come(answer("late"));
    assert.equal(await (await opened).text(), body);
  }
});

test("a file that its address names comes from what was kept, and of nothing else the worker hears", async () => {
  const kept = { [SCRIPT]: answer("1"), "/b/shop": answer("") };
  assert.equal(await worker({ kept }).open(SCRIPT, file), kept[SCRIPT]);
  const other = answer("2");
  assert.equal(await worker({ kept, answers: { [WORDS]: other } }).open(WORDS, file), other);
  for (const [address, how] of [
    ["/api/phone/shop/messages", { mode: "same-origin", destination: "" }], ["/b/shop", { destination: "iframe" }],
    ["/b/shop", { method: "POST" }], ["/b/shop/picture", { mode: "no-cors", destination: "image" }], ["/b/shop/sign-in/m", {}],
    ["/b/shop2", {}], ["/console", {}], ["/web/phone/icon-192.png", { mode: "no-cors", destination: "image" }],
    ["https://other.example/web/~new/phone/phone-app.js", file],
  ]) assert.equal(worker({ kept }).open(address, how), undefined, address);
});

test("what an open page has loaded is kept with the page, and what earlier versions were made of is removed", async () => {
  const answers = { "/b/shop": answer(shell("new")), [SCRIPT]: answer("1"), [WORDS]: answer("2") };
  const one = worker({ answers, kept: { "/b/shop": answer(shell("old")), "/web/~old/phone/phone-app.js": answer("0") } });
  assert.deepEqual(await one.keep([SCRIPT, WORDS]), ["/b/shop", SCRIPT, WORDS].sort());
  assert.equal(one.store.get("/b/shop"), answers["/b/shop"]);
  // The files are asked for once; the page says each time of which version it is.
  await one.keep([SCRIPT, WORDS]);
  assert.deepEqual(one.asked, ["/b/shop", SCRIPT, WORDS, "/b/shop"]);
});

test("a page is kept whole or as it was before", async () => {
  const before = { "/b/shop": answer(shell("old")), "/web/~old/phone/phone-app.js": answer("0") };
  const now = { "/b/shop": answer(shell("new")), [SCRIPT]: answer("1"), [WORDS]: answer("2") };
  for (const [answers, files] of [
    [{ ...now, [WORDS]: undefined }, [WORDS]],
    [{ ...now, [WORDS]: answer("another version's", { isFinal: false }) }, [WORDS]],
    [{ ...now, [WORDS]: answer("", { status: 503 }) }, [WORDS]],
    [{ ...now, "/b/shop": undefined }, [WORDS]],
    [{ ...now, "/b/shop": answer("a hotel's page", { redirected: true }) }, [WORDS]],
    [{ ...now, "/b/shop": answer("<p>Maintenance</p>") }, []],
    // The page is of another version than the server by now, or names what is not a file of it.
    [now, ["/web/~old/phone/phone-app.js"]], [now, ["/api/phone/shop/messages"]], [now, Array(1000).fill(WORDS)],
  ]) {
    const one = worker({ answers, kept: before });
    await one.keep(files);
    for (const [path, value] of Object.entries(before)) assert.equal(one.store.get(path), value);
  }
});
