import assert from "node:assert/strict";
import { test } from "node:test";
import { readRoute, tidyCode } from "../../web/phone/route.js";
import { handOver } from "../../web/phone/hand-over.js";
import { forgetFiles, holdFiles, readHeldFiles, unsentFiles } from "../../web/phone/held-files.js";
import { Outbox } from "../../web/phone/outbox.js";
import { isReference } from "../../web/lib/payload.js";
import { place, ThreadState } from "../../web/phone/thread-state.js";

class MemoryStorage {
  map = new Map();
  getItem(key) { return this.map.get(key) ?? null; }
  setItem(key, value) { this.map.set(key, String(value)); }
  removeItem(key) { this.map.delete(key); }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const entry = (id) => ({ id, path: "/messages", body: { id, text: id }, preview: null });

test("an entry link carries intent, group and prefilled text", () => {
  assert.deepEqual(
    readRoute({ pathname: "/b/x-1", search: "?biz-intent-id=sales&biz-group-id=eu&body=Hello%20there" }),
    { page: "chat", business: "x-1", entry: { intent: "sales", group: "eu" }, body: "Hello there" });
});

test("an entry link fills in nothing that the server refuses", () => {
  const filled = (body) => readRoute({ pathname: "/b/x", search: `?body=${body}` }).body;
  assert.equal(filled("Hello%00%20there"), "Hello there");
  // A sign of two halves is left out whole where the text is cut.
  assert.equal(filled(`${"x".repeat(1999)}%F0%9F%98%80x`), "x".repeat(1999));
  assert.equal(filled(`${"x".repeat(1998)}%F0%9F%98%80x`), `${"x".repeat(1998)}😀`);
});

for (const [pathname, expected] of [
  ["/b/x-1", { page: "chat", business: "x-1", entry: {}, body: "" }],
  ["/j/abc", { page: "join", code: "abc" }],
  ["/j/MOEEF-6H2BG", { page: "code", isApp: false, typed: "MOEEF-6H2BG" }],
  ["/j/moeef%206h2bg", { page: "code", isApp: false, typed: "MOEEF-6H2BG" }],
  ["/j", { page: "code", isApp: false }],
  ["/j/", { page: "code", isApp: false }],
  ["/b/%E0%A4", { page: "chat", business: "%E0%A4", entry: {}, body: "" }],
]) {
  test(`the address ${pathname} is understood`, () => {
    assert.deepEqual(readRoute({ pathname, search: "" }), expected);
  });
}

for (const [typed, tidy] of [
  ["abcde", "ABCDE"], ["abcdefghjk", "ABCDE-FGHJK"], ["ABCDE - fghjk", "ABCDE-FGHJK"],
  ["ａｂｃｄｅｆ", "ABCDE-F"], ["abcdefghjkmmmm", "ABCDE-FGHJK"], ["", ""],
]) {
  test(`the typed code "${typed}" becomes "${tidy}"`, () => {
    assert.equal(tidyCode(typed), tidy);
  });
}

test("an attempt without an answer is repeated under the same id, then leaves the outbox", async () => {
  const attempts = [];
  const scheduled = [];
  const outbox = new Outbox({
    key: "k", storage: new MemoryStorage(), schedule: (work) => scheduled.push(work),
    deliver: async (item) => {
      attempts.push(item.id);
      if (attempts.length < 3) throw Object.assign(new Error("no answer"), { mayRetry: true });
      return { message: { id: item.id } };
    },
  });
  outbox.add(entry("one"));
  await settle();
  assert.equal(outbox.items[0].state, "waiting");
  scheduled.shift()();
  await settle();
  scheduled.shift()();
  await settle();
  assert.deepEqual(attempts, ["one", "one", "one"]);
  assert.equal(outbox.items.length, 0);
});

test("messages leave in the order they were written, one at a time", async () => {
  const delivered = [];
  let atOnce = 0;
  const outbox = new Outbox({
    key: "k", storage: new MemoryStorage(),
    deliver: async (item) => {
      atOnce += 1;
      assert.equal(atOnce, 1);
      await settle();
      delivered.push(item.id);
      atOnce -= 1;
    },
  });
  for (const id of ["a", "b", "c"]) outbox.add(entry(id));
  for (let turn = 0; turn < 12; turn += 1) await settle();
  assert.deepEqual(delivered, ["a", "b", "c"]);
});

test("a second tap with the same id adds nothing", async () => {
  let count = 0;
  const outbox = new Outbox({
    key: "k", storage: null, deliver: async () => {
      count += 1;
      await settle();
    },
  });
  outbox.add(entry("pay"));
  outbox.add(entry("pay"));
  await settle();
  await settle();
  assert.equal(count, 1);
});

test("a refusal stays visible and lets the next one pass", async () => {
  const outbox = new Outbox({
    key: "k", storage: new MemoryStorage(),
    deliver: async (item) => {
      if (item.id === "bad") throw Object.assign(new Error("no"), { mayRetry: false, code: "invalid" });
    },
  });
  outbox.add(entry("bad"));
  outbox.add(entry("good"));
  await settle();
  await settle();
  assert.deepEqual(outbox.items.map(({ id, state, code }) => [id, state, code]),
    [["bad", "failed", "invalid"]]);
});

test("unsent messages are there again after a reload", async () => {
  const storage = new MemoryStorage();
  const first = new Outbox({
    key: "k", storage, schedule: () => {},
    deliver: async () => {
      throw Object.assign(new Error("offline"), { mayRetry: true });
    },
  });
  first.add(entry("kept"));
  await settle();
  const second = new Outbox({ key: "k", storage, deliver: async () => {} });
  assert.deepEqual(second.items.map(({ id, state }) => [id, state]), [["kept", "waiting"]]);
  await second.flush();
  assert.equal(storage.getItem("k"), null);
});

test("messages are kept once and in order, and a thin copy does not hide a whole one", () => {
  const state = new ThreadState();
  state.add([{ id: "b", sequence: 2, payload: { type: "text" } }, { id: "a", sequence: 1 }]);
  state.add([{ id: "b", sequence: 2, payload: { size: 9, sha256: "x", url: "/" } }]);
  assert.deepEqual(state.messages.map(({ id }) => id), ["a", "b"]);
  assert.equal(isReference(state.find("b").payload), false);
  assert.equal(state.last, 2);
});

test("the latest answer to a card is the one that is marked", () => {
  const state = new ThreadState();
  state.add([
    { id: "card", sequence: 1, direction: "outbound" },
    { id: "r1", sequence: 2, direction: "inbound", inReplyTo: "card" },
    { id: "r2", sequence: 3, direction: "inbound", inReplyTo: "card" },
  ]);
  assert.equal(state.answers.get("card").id, "r2");
});

test("messages of one side close in time stand together", () => {
  const at = (minute, direction) => ({ time: `2026-05-01T09:${String(minute).padStart(2, "0")}:00.000Z`, direction });
  const day = (date) => date.toISOString().slice(0, 10);
  assert.deepEqual(place(at(0, "inbound"), at(1, "inbound"), at(30, "outbound"), day),
    { isNewDay: false, isNewTime: false, isFirst: false, isLast: true });
  assert.deepEqual(place(null, at(1, "inbound"), null, day),
    { isNewDay: true, isNewTime: false, isFirst: true, isLast: true });
  assert.equal(place(at(0, "inbound"), at(20, "inbound"), null, day).isNewTime, true);
});

test("what was being written without a name goes on after signing in, under its ids, in another conversation", () => {
  const storage = new MemoryStorage();
  const item = (id, more = {}, path = "/messages", isTried = false) =>
    ({ id, path, isTried, body: { id, text: id, locale: "en_US", conversation: "c", secret: "s", ...more }, preview: null, state: "waiting" });
  storage.setItem("old.draft", JSON.stringify("half a sent"));
  storage.setItem("old.outbox", JSON.stringify([
    item("one", { page: { name: "Ada" } }), item("tried", {}, "/messages", true), item("first", { conversation: undefined }, "/messages", true),
    { ...item("early", { conversation: undefined }, "/messages", true), at: "c" }, { ...item("later", { conversation: undefined }), at: "c" },
    item("again", { former: "b" }, "/messages", true), item("\u{fffc}photo", { attachments: ["f"] }), item("three", {}, "/choices")]));
  handOver("old", "new", storage);
  // The words of a message with files are in the field, where the files are added.
  assert.equal(JSON.parse(storage.getItem("new.draft")), "photo\n\nhalf a sent");
  assert.deepEqual(JSON.parse(storage.getItem("new.outbox")).map(({ id, body }) => ({ of: id, ...body })), [
    { of: "one", id: "one", text: "one", locale: "en_US", page: { name: "Ada" } },
    // Only where an attempt may have arrived is it looked for.
    { of: "tried", id: "tried", text: "tried", locale: "en_US", former: "c" },
    // First words say by their secret where they may be.
    { of: "first", id: "first", text: "first", locale: "en_US", secret: "s" },
    // The conversation is known before the body says it.
    { of: "early", id: "early", text: "early", locale: "en_US", former: "c" },
    { of: "later", id: "later", text: "later", locale: "en_US" },
    { of: "again", id: "again", text: "again", locale: "en_US", former: "b" }]);
  assert.equal(storage.getItem("old.draft"), null);
  assert.equal(storage.getItem("old.outbox"), null);
  // A second tab, which has written into the former place after the first moved it, moves nothing twice.
  storage.setItem("old.outbox", JSON.stringify([item("tried", {}, "/messages", true), item("new")]));
  handOver("old", "new", storage);
  assert.deepEqual(JSON.parse(storage.getItem("new.outbox")).map(({ id }) => id), ["one", "tried", "first", "early", "later", "again", "new"]);
  // What the signed-in customer has there already stays.
  storage.setItem("old.draft", JSON.stringify("later"));
  handOver("old", "new", storage);
  assert.equal(JSON.parse(storage.getItem("new.draft")), "photo\n\nhalf a sent");
});

test("files that were not sent are those of the field and of waiting messages, as far as they can be read", async () => {
  const chosen = new File(["c"], "chosen.txt");
  const attachment = (id) => ({ id, name: `${id}.png`, mimeType: "image/png", size: 1 });
  const items = [
    { body: { text: "a", attachments: ["a", "gone"] }, preview: { attachments: [attachment("a"), attachment("gone")] } },
    { body: { text: "b" }, preview: { attachments: [] } }, { body: { inReplyTo: "x" }, preview: null }];
  const read = async (id) => {
    if (id === "gone") throw new Error("404");
    return new Blob([id]);
  };
  const files = await unsentFiles([chosen], items, read);
  assert.deepEqual(files.map(({ name, type }) => [name, type]), [["a.png", "image/png"], ["chosen.txt", ""]]);
  assert.equal(await files[0].text(), "a");
  assert.deepEqual(await unsentFiles([], [], read), []);
});

test("what was being written without a name goes on in the same place where the browser has the customer's conversation now", () => {
  const storage = new MemoryStorage();
  const item = (id, more) => ({ id, path: "/messages", isTried: true, body: { id, text: id, locale: "en_US", ...more }, preview: null, state: "waiting" });
  storage.setItem("old.draft", JSON.stringify("half a sent"));
  storage.setItem("old.outbox", JSON.stringify([item("one", { conversation: "c" })]));
  for (let turn = 0; turn < 2; turn += 1) handOver("old", "old", storage);
  assert.equal(JSON.parse(storage.getItem("old.draft")), "half a sent");
  assert.deepEqual(JSON.parse(storage.getItem("old.outbox")).map(({ body }) => body), [{ id: "one", text: "one", locale: "en_US", former: "c" }]);
  storage.setItem("old.outbox", JSON.stringify([item("photo", { attachments: ["f"] })]));
  handOver("old", "old", storage);
  assert.equal(storage.getItem("old.outbox"), null);
  assert.equal(JSON.parse(storage.getItem("old.draft")), "photo\n\nhalf a sent");
});

test("two tabs share an outbox's place, and neither removes what the other has not sent", async () => {
  const storage = new MemoryStorage();
  const offline = async () => { throw Object.assign(new Error("offline"), { mayRetry: true }); };
  const first = new Outbox({ key: "k", storage, schedule: () => {}, deliver: offline });
  const second = new Outbox({ key: "k", storage, schedule: () => {}, deliver: async () => ({}) });
  const stored = () => JSON.parse(storage.getItem("k") ?? "[]").map(({ id }) => id);
  first.add(entry("of the first"));
  await settle();
  second.add(entry("of the second"));
  await settle();
  assert.deepEqual(stored(), ["of the first"]);
  second.clear();
  assert.deepEqual(stored(), ["of the first"]);
  // A page that begins anew leaves to its successor what it has not sent.
  first.leave();
  assert.deepEqual(first.items, []);
  assert.deepEqual(stored(), ["of the first"]);
});

/** As much of the browser's database as held files use: transactions follow each other. */
function browserDatabase() {
  const stored = new Map();
  let last = Promise.resolve();
  const transaction = () => {
    const [works, self] = [[], {}];
    const add = (work) => { const request = {}; works.push([work, request]); return request; };
    self.objectStore = () => ({
      get: (key) => add(() => stored.get(key)), put: (value, key) => add(() => { stored.set(key, value); }),
      delete: (key) => add(() => { stored.delete(key); }), openCursor: (range) => add(range),
    });
    last = last.then(() => {
      for (const [work, request] of works) {
        if (!Array.isArray(work)) {
          request.result = work();
          request.onsuccess?.();
          continue;
        }
        const keys = [...stored.keys()].filter((key) => key >= work[0] && key <= work[1]).sort();
        for (const key of keys) {
          request.result = { key, value: stored.get(key), delete: () => stored.delete(key), continue() {} };
          request.onsuccess();
        }
        request.result = null;
        request.onsuccess();
      }
      self.oncomplete();
    });
    return self;
  };
  const database = { transaction, close() {} };
  globalThis.IDBKeyRange = { bound: (...ends) => ends };
  globalThis.indexedDB = { open: () => {
    const request = { result: database };
    queueMicrotask(() => request.onsuccess());
    return request;
  } };
  return stored;
}

test("files are kept for the tab that has them until it has sent them, whatever other tabs do", async () => {
  const stored = browserDatabase();
  await holdFiles("fd.widget.b.g.one", ["first"]);
  await holdFiles("fd.widget.b.g.two", ["second"]);
  // Reading removes nothing: the tab may be closed before it has sent them.
  for (let turn = 0; turn < 2; turn += 1) assert.deepEqual(await readHeldFiles("fd.widget.b.g.one"), ["first"]);
  // A second tab without a name, which has none, and one in which the customer has signed in.
  await holdFiles("fd.widget.b.g.three", []);
  await forgetFiles("fd.widget.b.", ["fd.widget.b.g"]);
  await forgetFiles("fd.widget.b.", ["fd.widget.b.g-a", "fd.widget.b.g"]);
  assert.deepEqual([...stored.keys()], ["fd.widget.b.g.one", "fd.widget.b.g.two"]);
  await holdFiles("fd.widget.b.g.two", []);
  assert.deepEqual([...stored.keys()], ["fd.widget.b.g.one"]);
  delete globalThis.indexedDB;
  assert.deepEqual(await readHeldFiles("fd.widget.b.g.one"), []);
});

test("files of another customer, of a version before, and those that a tab did not come back for in a day are removed", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000 });
  const stored = browserDatabase();
  await holdFiles("fd.widget.b.g.one", ["old"]);
  context.mock.timers.setTime(86_402_000);
  await holdFiles("fd.widget.b.g.two", ["new"]);
  await holdFiles("fd.widget.b.h.one", ["another customer's"]);
  await holdFiles("fd.widget.c.g.one", ["another business's"]);
  stored.set("fd.widget.b.g", ["of a version before"]);
  await forgetFiles("fd.widget.b.", ["fd.widget.b.g"]);
  assert.deepEqual([...stored.keys()], ["fd.widget.b.g.two", "fd.widget.c.g.one"]);
  delete globalThis.indexedDB;
});

test("what waits for its next attempt is tried at once where the outbox is settled, and is known to be tried", async () => {
  const storage = new MemoryStorage();
  let isThere = false;
  let attempts = 0;
  const outbox = new Outbox({
    key: "k", storage, schedule: () => {}, deliver: async () => {
      attempts += 1;
      await settle();
      if (!isThere) throw Object.assign(new Error("offline"), { mayRetry: true });
    },
  });
  outbox.add(entry("one"));
  outbox.add(entry("two"));
  await outbox.settle();
  assert.equal(attempts, 1);
  assert.deepEqual(JSON.parse(storage.getItem("k")).map(({ state, isTried }) => [state, isTried]), [["waiting", true], ["waiting", undefined]]);
  isThere = true;
  await outbox.settle();
  assert.equal(attempts, 3);
  assert.deepEqual(outbox.items, []);
});

test("an outbox is settled when nothing is on its way", async () => {
  let finish;
  const outbox = new Outbox({ key: "k", storage: null, deliver: () => new Promise((resolve) => { finish = resolve; }) });
  await outbox.settle();
  outbox.add(entry("one"));
  let isSettled = false;
  const settled = outbox.settle().then(() => { isSettled = true; });
  await settle();
  assert.equal(isSettled, false);
  finish({});
  await settled;
});
