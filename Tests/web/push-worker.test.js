import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const text = await readFile(new URL("../../web/phone/push-worker.js", import.meta.url), "utf8");

/**
 * The worker of a shop's page, beside these open pages, with what the server answers; `done` is what it did.
 * @param {{pages?: [string, string][], answer?: any, language?: string}} around
 */
function worker({ pages = [], answer = null, language = "en" } = {}) {
  const done = [];
  const heard = {};
  const self = {
    location: `https://desk.example/web/phone/push-worker.js?language=${language}`,
    addEventListener: (name, act) => { heard[name] = act; },
    clients: {
      matchAll: async (asked) => {
        assert.deepEqual({ ...asked }, { type: "window", includeUncontrolled: true });
        return pages.map(([path, visibilityState]) => ({
          url: `https://desk.example${path}`, visibilityState, focus: async () => done.push(["focus", path]),
        }));
      },
      openWindow: async (address) => done.push(["opened", address]),
    },
    registration: {
      scope: "https://desk.example/b/shop",
      showNotification: async (title, options) => {
        // Android draws no SVG in a notification.
        assert.match(options.icon, /\.png$/);
        done.push(["shown", title, options.body, options.tag, options.lang]);
      },
      pushManager: { subscribe: async (options) => ({ toJSON: () => ({ endpoint: `of ${options.key}`, keys: { p256dh: "P", auth: "A" } }) }) },
    },
  };
  const fetch = async (address, options) => {
    done.push(["asked", address, ...options ? [options.method, options.body] : []]);
    if (!answer) throw new TypeError("no line");
    return { ok: answer.status === 200, json: async () => answer.body };
  };
  runInContext(text, createContext({ self, URL, URLSearchParams, fetch }));
  const happen = async (name, event) => {
    let whole;
    heard[name]({ ...event, waitUntil: (work) => { whole = work; } });
    await whole;
    return done;
  };
  return {
    heard, happen,
    push: () => happen("push", { data: { json: () => ({ conversation: "c7", business: "Tea shop", sequence: 9 }) } }),
  };
}

const message = (values) => ({ status: 200, body: { data: [{ sequence: 9, summary: "Sencha.", ...values }] } });
const ASKED = ["asked", "/api/phone/shop/messages?page%5Bafter%5D=8&page%5Bsize%5D=1"];

test("the words of an answer come from the server, with the customer's session", async () => {
  assert.deepEqual(await worker({ answer: message() }).push(), [ASKED, ["shown", "Tea shop", "Sencha.", "c7", "en"]]);
});

test("where the words cannot be had, it is said that there is a message", async () => {
  for (const answer of [null, { status: 401, body: {} }, { status: 200, body: { data: [] } }, message({ sequence: 10 }), message({ summary: "" })]) {
    assert.deepEqual((await worker({ answer }).push()).at(-1), ["shown", "Tea shop", "New message from Tea shop", "c7", "en"]);
  }
  assert.equal((await worker({ language: "ja" }).push()).at(-1)[2], "Tea shopからの新しいメッセージ");
});

test("of an erased answer nothing is shown", async () => {
  assert.deepEqual(await worker({ answer: message({ summary: "", erasedAt: "2026-01-05T08:00:00.000Z" }) }).push(), [ASKED]);
});

test("who sees the conversation is not notified, and who sees another page is", async () => {
  assert.deepEqual(await worker({ answer: message(), pages: [["/b/shop", "visible"]] }).push(), []);
  for (const pages of [[["/b/shop", "hidden"]], [["/b/shop2", "visible"]], [["/console", "visible"]]]) {
    assert.equal((await worker({ answer: message(), pages }).push()).at(-1)[0], "shown");
  }
});

test("a press on the notification shows the page that is open, or opens one", async () => {
  const press = async (pages) => {
    const done = [];
    const all = await worker({ pages }).happen("notificationclick", { notification: { close: () => done.push(["closed"]) } });
    return [...done, ...all];
  };
  assert.deepEqual(await press([["/console", "visible"], ["/b/shop", "hidden"]]), [["closed"], ["focus", "/b/shop"]]);
  assert.deepEqual(await press([["/b/shop2", "visible"]]), [["closed"], ["opened", "/b/shop"]]);
});

test("a subscription that the browser replaces is said to the server", async () => {
  const { happen } = worker({ answer: { status: 204, body: null } });
  const done = await happen("pushsubscriptionchange", { oldSubscription: { options: { key: "K" } } });
  assert.deepEqual(done, [["asked", "/api/phone/shop/push", "PUT", '{"endpoint":"of K","point":"P","secret":"A"}']]);
});
