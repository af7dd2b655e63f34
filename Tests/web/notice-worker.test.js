import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import enConsole from "../../web/i18n/en/console.js";
import enNotices from "../../web/i18n/en/notices.js";
import enShared from "../../web/i18n/en/shared.js";
import jaConsole from "../../web/i18n/ja/console.js";
import jaNotices from "../../web/i18n/ja/notices.js";
import jaShared from "../../web/i18n/ja/shared.js";
import { noticeReasons } from "../../web/console/preferences.js";

const text = await readFile(new URL("../../web/console/notice-worker.js", import.meta.url), "utf8");

/** A database that knows nothing but the claims that are put into it. */
const databaseOf = (done) => ({
  open: (...named) => {
    const opening = {};
    const transaction = { objectStore: (store) => ({ put: (at, event) => done.push(["claimed", store, event]) }) };
    opening.result = {
      createObjectStore: (store) => ({ createIndex: (index, key) => done.push(["made", ...named, store, index, key]) }),
      transaction: () => {
        queueMicrotask(() => transaction.oncomplete());
        return transaction;
      },
    };
    queueMicrotask(() => {
      opening.onupgradeneeded();
      opening.onsuccess();
    });
    return opening;
  },
});

/**
 * The worker beside these open pages, each with what it says to a question (nothing: it does not answer), and a server that has
 * these answers by their paths; `done` is what the worker did.
 * @param {{pages?: [string, boolean?][], answers?: Record<string, any>, language?: string, hasDatabase?: boolean}} around
 */
function worker({ pages = [], answers = {}, language = "en", hasDatabase = false } = {}) {
  const done = [];
  const heard = {};
  const self = {
    location: `https://desk.example/web/console/notice-worker.js?language=${language}`,
    addEventListener: (name, act) => { heard[name] = act; },
    clients: {
      matchAll: async (asked) => {
        assert.deepEqual({ ...asked }, { type: "window", includeUncontrolled: true });
        return pages.map(([path, says]) => ({
          url: `https://desk.example${path}`, focus: async () => done.push(["focus", path]),
          postMessage: (data, ports) => {
            done.push([ports ? "question" : "message", path, { ...data }]);
            if (says !== undefined) ports?.[0].postMessage(says);
          },
        }));
      },
      openWindow: async (address) => done.push(["opened", address]),
    },
    registration: {
      showNotification: async (title, { body, tag, lang, silent, renotify, icon, data }) => {
        // Android draws no SVG in a notification.
        assert.match(icon, /\.png$/);
        // With a sound it is another notification, also where it replaces one.
        assert.ok(renotify || silent);
        done.push(["shown", title, body, tag, lang, silent, data.conversation]);
      },
      pushManager: { subscribe: async (options) => ({ toJSON: () => ({ endpoint: `of ${options.key}`, keys: { p256dh: "P", auth: "A" } }) }) },
    },
  };
  const fetch = async (path, { method = "GET", headers, body }) => {
    done.push(["asked", method, path, ...body ? [JSON.parse(body)] : []]);
    // No request of a worker shows that the agent is there.
    assert.equal(headers["X-Unattended"], "1");
    if (method === "GET") assert.equal(headers.Accept, "application/json");
    if (!(path in answers)) throw new TypeError("no line");
    const { status = 200, ...answer } = Array.isArray(answers[path]) ? answers[path].shift() : answers[path];
    return { ok: status < 300, json: async () => answer };
  };
  runInContext(text, createContext({
    self, URL, URLSearchParams, fetch, AbortSignal, MessageChannel: Channel, setTimeout, Intl, ...hasDatabase ? { indexedDB: databaseOf(done) } : {},
  }));
  const happen = async (name, event) => {
    let whole;
    heard[name]({ ...event, waitUntil: (work) => { whole = work; } });
    await whole;
    return done;
  };
  return { done, heard, happen, push: (data) => happen("push", { data: { json: () => data } }) };
}

/** A channel whose ports keep no process alive. */
class Channel {
  port1 = {};
  port2 = { postMessage: (data) => queueMicrotask(() => this.port1.onmessage({ data })) };
}

const PUSHED = { conversation: "c7", event: "e1f-42", reason: "mine", business: "Tea shop", isSilent: false };
const PATH = "/api/events?after=e1f-41&limit=1";
const page = (data, id = "e1f-42") => ({ [PATH]: { data: [{ id, data }] } });
const state = (values) => ({ customer: { id: "urn:mbid:AQ/z9+b", name: null }, contact: { name: null }, ...values });
const shown = (done) => done.filter(([what]) => what === "shown");

test("its words are those of the pages, in both languages", () => {
  const context = createContext({ self: { location: "https://desk.example/w", addEventListener: () => {} }, URL });
  runInContext(`${text}\nself.texts = TEXTS;`, context);
  for (const [language, tables] of [["en", [enConsole, enNotices, enShared]], ["ja", [jaConsole, jaNotices, jaShared]]]) {
    const texts = Object.assign({}, ...tables);
    const { several, other, test: tried, customer, ...reasons } = context.self.texts[language];
    assert.deepEqual({ ...reasons }, Object.fromEntries(noticeReasons.map((reason) => [reason, texts[`console.notice.${reason}`]])));
    assert.equal(tried, texts["console.notices.push.test"]);
    assert.equal(customer, texts["shared.customerName"]);
    assert.ok(several && other);
  }
});

test("the words of a message come from the server, with the agent's session, under the customer's name", async () => {
  const message = { summary: "Is there tea?" };
  for (const [conversationState, name] of [
    [state({ contact: { name: "Tia" }, customer: { id: "x", name: "T." } }), "Tia"], [state({ customer: { id: "x", name: "T." } }), "T."],
    [state({ customer: { id: "x", name: "Tia\u202e txet\n" } }), "Tia txet"],
    [state(), "Customer QZ9B"],
  ]) {
    assert.deepEqual(await worker({ answers: page({ message, conversationState }) }).push(PUSHED), [
      ["asked", "GET", PATH], ["shown", name, "New message\nIs there tea?", "c7", "en", false, "c7"]]);
  }
  const [last] = shown(await worker({ answers: page({ message, conversationState: state() }), language: "ja" }).push({ ...PUSHED, isSilent: true }));
  assert.deepEqual(last, ["shown", "お客様 QZ9B", "新しいメッセージ\nIs there tea?", "c7", "ja", true, "c7"]);
});

test("what changed in a conversation, a note and a new name are shown with the customer's name too", async () => {
  const of = async (reason, data, others = {}) => shown(await worker({ answers: { ...page(data), ...others } }).push({ ...PUSHED, reason }))[0].slice(1, 3);
  assert.deepEqual(await of("assigned", { conversation: state({ contact: { name: "Tia" } }) }), ["Tia", "Assigned to you"]);
  assert.deepEqual(await of("renamed", { contact: { id: "c7", name: "Tia" } }), ["Tia", "The customer was renamed"]);
  const note = { text: "Look at this", deletedAt: null };
  assert.deepEqual(await of("mention", { note }, { "/api/conversations/c7": state({ contact: { name: "Tia" } }) }),
    ["Tia", "You were mentioned in a note\nLook at this"]);
  assert.deepEqual(await of("mention", { note }), ["Tea shop", "You were mentioned in a note\nLook at this"]);
});

test("of what was erased or deleted nothing is shown but why", async () => {
  const erased = state({ customer: { id: "x", name: null, erased: true } });
  for (const [data, title] of [
    [{ message: { summary: "A secret.", erasedAt: "2026-01-05T08:00:00.000Z" }, conversationState: state({ contact: { name: "Tia" } }) }, "Tia"],
    [{ message: { summary: "" }, conversationState: erased }, "Tea shop"],
    [{ note: { text: "A secret.", deletedAt: "2026-01-05T08:00:00.000Z" } }, "Tea shop"],
  ]) {
    assert.deepEqual(shown(await worker({ answers: page(data) }).push(PUSHED))[0].slice(1, 3), [title, "New message"]);
  }
});

test("where the words cannot be had, it is said why and for which business", async () => {
  const data = { message: { summary: "Of others" }, conversationState: state({ contact: { name: "Tia" } }) };
  for (const answers of [{}, { [PATH]: { status: 401 } }, { [PATH]: { data: [] } }, page(data, "e1f-43")]) {
    assert.deepEqual(shown(await worker({ answers }).push(PUSHED)), [["shown", "Tea shop", "New message", "c7", "en", false, "c7"]]);
  }
  // What a later version of the server has a reason for.
  assert.equal(shown(await worker().push({ ...PUSHED, reason: "promoted" }))[0][2], "There is news");
});

test("a node that has the event a moment later is asked again, and not for ever", async () => {
  const found = page({ message: { summary: "Is there tea?" }, conversationState: state({ contact: { name: "Tia" } }) })[PATH];
  const of = async (...answers) => worker({ answers: { [PATH]: answers } }).push(PUSHED);
  const asked = (done) => done.filter(([what]) => what === "asked").length;
  const late = await of({ data: [] }, { data: [] }, found);
  assert.deepEqual([asked(late), shown(late)[0][1]], [3, "Tia"]);
  const never = await of({ data: [] }, { data: [] }, { data: [] }, found);
  assert.deepEqual([asked(never), shown(never)[0][1]], [3, "Tea shop"]);
});

test("several at once and a test are said without a conversation", async () => {
  assert.deepEqual(await worker().push({ reason: "several", isSilent: true }), [
    ["shown", "Frontdesk", "There is news in several conversations", "several", "en", true, undefined]]);
  // A test is shown beside the page that asked for it.
  assert.deepEqual(await worker({ pages: [["/console/settings/me", true]], language: "ja" }).push({ reason: "test", isSilent: false }), [
    ["shown", "Frontdesk", "この端末に通知が届きます。", "test", "ja", false, undefined]]);
});

test("each push is shown, without a sound where a console says that the agent learns of it there", async () => {
  const asked = (path) => ["question", path, { conversation: "c7" }];
  const done = await worker({ pages: [["/b/shop", true], ["/console", false], ["/console/c/c7", true]] }).push(PUSHED);
  assert.deepEqual(done.slice(0, 2), [asked("/console"), asked("/console/c/c7")]);
  assert.deepEqual(shown(done), [["shown", "Tea shop", "New message", "c7", "en", true, "c7"]]);
  for (const pages of [[["/console", false]], [["/console"]], [["/consoles", true]]]) {
    assert.deepEqual(shown(await worker({ pages }).push(PUSHED)), [["shown", "Tea shop", "New message", "c7", "en", false, "c7"]]);
  }
});

test("what the worker shows a page does not notify of later: it is claimed as pages claim it", async () => {
  const claims = await readFile(new URL("../../web/console/notice-claims.js", import.meta.url), "utf8");
  const [made, claimed] = await worker({ hasDatabase: true }).push(PUSHED);
  const [, name, version, store, index, key] = made;
  assert.ok(claims.includes(`indexedDB.open("${name}", ${version})`));
  assert.ok(claims.includes(`createObjectStore("${store}").createIndex("${index}", "${key}")`));
  assert.deepEqual(claimed, ["claimed", store, "e1f-42"]);
});

test("a press on a notification leads to the conversation in a console that is open, or opens one", async () => {
  const press = async (conversation, ...paths) => {
    const { done, happen } = worker({ pages: paths.map((path) => [path]) });
    await happen("notificationclick", { notification: { close: () => done.push(["closed"]), data: { conversation } } });
    return done;
  };
  assert.deepEqual(await press("c7", "/b/shop", "/console/settings/me"), [
    ["closed"], ["message", "/console/settings/me", { conversation: "c7" }], ["focus", "/console/settings/me"]]);
  assert.deepEqual(await press("c7", "/b/shop", "/consoles"), [["closed"], ["opened", "/console/c/c7"]]);
  assert.deepEqual(await press(undefined, "/console"), [["closed"], ["focus", "/console"]]);
  assert.deepEqual(await press(undefined), [["closed"], ["opened", "/console"]]);
});

test("a subscription that the browser replaces is said to the server, and no request passes the worker", async () => {
  const { heard, happen } = worker({ answers: { "/api/session/push": { status: 204 } } });
  assert.deepEqual(Object.keys(heard).sort(), ["notificationclick", "push", "pushsubscriptionchange"]);
  const done = await happen("pushsubscriptionchange", { oldSubscription: { options: { key: "K" } } });
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  assert.deepEqual(done, [["asked", "PUT", "/api/session/push", { endpoint: "of K", point: "P", secret: "A", zone }]]);
});
