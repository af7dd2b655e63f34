import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";
import { hindranceIn, PushNotices } from "../../web/lib/push-notices.js";

/** What was asked of the server, what it answers (204 by itself), and what the browser was asked for. */
let asked;
let answers;
let done;
/** The browser: its permission, what its user says, the subscription's key; null for none. */
let browser;

const KEY = "BNyZ-A_8";
const ENDPOINT = "https://push.example/send/1";
const BASE = "/api/session/push";
const NAME = createHash("sha256").update(`ada ${ENDPOINT}`).digest("hex");
const PLACE = { address: "/web/worker.js", scope: "/web/" };
const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64url"));

const subscription = () => (browser.key === null ? null : {
  endpoint: ENDPOINT, options: { applicationServerKey: bytes(browser.key).buffer },
  getKey: (name) => bytes(name === "auth" ? "c2VjcmV0" : "cG9pbnQ_").buffer,
  unsubscribe: async () => {
    done.push("unsubscribed");
    browser.key = null;
    return true;
  },
});

const registration = {
  active: {},
  getNotifications: async () => [{ close: () => done.push("closed") }],
  pushManager: {
    getSubscription: async () => subscription(),
    subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
      assert.equal(userVisibleOnly, true);
      // A browser refuses a second key beside the first.
      assert.ok(browser.key === null || browser.key === Buffer.from(applicationServerKey).toString("base64url"));
      browser.key = Buffer.from(applicationServerKey).toString("base64url");
      done.push(`subscribed ${browser.key}`);
      return subscription();
    },
  },
};

beforeEach(() => {
  [asked, answers, done] = [[], { [`GET ${BASE}`]: { key: KEY, devices: [NAME] } }, []];
  browser = { permission: "default", says: "granted", key: null, chosen: null };
  const globals = {
    isSecureContext: true, PushManager: class {},
    navigator: { serviceWorker: {
      register: async (address, { scope }) => {
        done.push(`registered ${address} ${scope}`);
        return registration;
      },
      getRegistration: async (scope) => (scope === PLACE.scope ? registration : undefined),
    } },
    Notification: {
      get permission() { return browser.permission; },
      requestPermission: async () => { browser.permission = browser.says; return browser.says; },
    },
    fetch: async (path, { method, body }) => {
      asked.push([method, path, ...body ? [JSON.parse(body)] : []]);
      const answer = answers[`${method} ${path}`] ?? 204;
      return typeof answer === "number" ? new Response(answer === 204 ? null : "{}", { status: answer }) : Response.json(answer);
    },
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
});

const made = (more = {}) => new PushNotices({
  base: BASE, worker: PLACE, subscriber: () => "ada", choice: { read: () => browser.chosen, write: (value) => { browser.chosen = value; } }, ...more,
});
const lasting = () => made({ renews: true, more: () => ({ zone: "Europe/Berlin" }) });
/** A browser that is on, as an earlier page left it. */
const isOn = (key = KEY) => Object.assign(browser, { permission: "granted", chosen: true, key });
const puts = () => asked.filter(([method]) => method === "PUT");
const SENT = { endpoint: ENDPOINT, point: "cG9pbnQ_", secret: "c2VjcmV0" };

test("turned on, the server has the subscription, with what the page adds; turned off, neither has it", async () => {
  const one = lasting();
  assert.equal(await one.turnOn(), "on");
  assert.deepEqual(done, ["registered /web/worker.js?language=en /web/", `subscribed ${KEY}`]);
  assert.deepEqual(asked, [["GET", BASE], ["PUT", BASE, { ...SENT, zone: "Europe/Berlin" }]]);
  assert.equal(browser.chosen, true);
  assert.equal(await one.findPath(), `${BASE}/${NAME}`);
  answers[`DELETE ${BASE}/${NAME}`] = 404;
  assert.equal(await one.turnOff(), "off");
  assert.deepEqual(asked.at(-1), ["DELETE", `${BASE}/${NAME}`]);
  assert.equal(done.at(-1), "unsubscribed");
  assert.equal(browser.chosen, false);
  assert.equal(await one.findPath(), null);
});

test("without the permission nothing is subscribed", async () => {
  for (const [says, state] of [["denied", "blocked"], ["default", "off"]]) {
    Object.assign(browser, { permission: "default", says });
    assert.equal(await made().turnOn(), state);
    assert.deepEqual([asked, done, browser.chosen], [[], [], null]);
  }
});

test("what the server refuses is not chosen, and may be tried again", async () => {
  answers[`PUT ${BASE}`] = 422;
  const one = made();
  await assert.rejects(one.turnOn(), { status: 422 });
  assert.deepEqual([one.state, browser.chosen], ["off", null]);
  delete answers[`PUT ${BASE}`];
  assert.equal(await one.turnOn(), "on");
});

test("a page that does not renew sends what the server lacks or another key needs, and nothing else", async () => {
  isOn();
  assert.equal(await made().read(), "on");
  assert.deepEqual(puts(), []);
  answers[`GET ${BASE}`].devices = [];
  assert.equal(await made().read(), "on");
  assert.deepEqual(puts(), [["PUT", BASE, SENT]]);
  isOn("BAAA");
  assert.equal(await made().read(), "on");
  assert.deepEqual(done, ["registered /web/worker.js?language=en /web/", "unsubscribed", `subscribed ${KEY}`]);
  browser.key = null;
  assert.equal(await made().read(), "off");
  assert.equal(puts().length, 2);
});

test("a page that renews sends its subscription once a load, and subscribes again where the browser lost it", async () => {
  isOn();
  const one = lasting();
  assert.equal(await one.read(), "on");
  assert.equal(await one.read(), "on");
  assert.equal(puts().length, 1);
  assert.equal(await lasting().read(), "on");
  assert.equal(puts().length, 2);
  browser.key = null;
  assert.equal(await one.read(), "on");
  assert.equal(done.at(-1), `subscribed ${KEY}`);
  assert.equal(puts().length, 3);
});

test("a page that stays open sends its subscription again when a day has passed, so that it does not end beside a console", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 10, 23) });
  isOn();
  const [one, other] = [lasting(), made()];
  await one.read();
  await other.read();
  context.mock.timers.tick(86_400_000);
  await one.read();
  await one.read();
  await other.read();
  assert.equal(puts().length, 2);
});

test("a permission that was withdrawn ends the choice of a page that renews, without a word to the server", async () => {
  for (const [permission, state] of [["denied", "blocked"], ["default", "off"]]) {
    isOn();
    browser.permission = permission;
    assert.equal(await lasting().read(), state);
    assert.deepEqual([asked, browser.chosen], [[], false]);
    isOn();
    browser.permission = permission;
    assert.equal(await made().read(), state);
    assert.equal(browser.chosen, true);
  }
});

test("who did not choose it asks the server for nothing, and may end and close what another left in the browser", async () => {
  browser.key = KEY;
  const one = lasting();
  assert.equal(await one.read(), "off");
  assert.equal(await one.leave(), "off");
  assert.deepEqual([asked, done, browser.chosen], [[], ["unsubscribed", "closed"], null]);
  navigator.serviceWorker = undefined;
  assert.equal(await one.leave(), "off");
});

for (const [name, around, expected] of [
  ["a browser that can", {}, null],
  ["a browser that blocks", { Notification: { permission: "denied" } }, "blocked"],
  ["a page without a secure context", { isSecureContext: false }, "none"],
  ["a browser without push", { PushManager: undefined }, "none"],
  ["Safari on an iPhone", { PushManager: undefined, navigator: { userAgent: "iPhone", standalone: false } }, "home"],
  ["Safari on an iPad", { PushManager: undefined, navigator: { userAgent: "Macintosh", platform: "MacIntel", maxTouchPoints: 5, standalone: false } }, "home"],
  ["an old iPhone's home screen", { PushManager: undefined, navigator: { userAgent: "iPhone", standalone: true } }, "none"],
]) {
  test(`${name} is ${expected ?? "not hindered"}`, () => {
    assert.equal(hindranceIn({
      isSecureContext: true, PushManager: class {}, Notification: { permission: "default" }, navigator: { userAgent: "Firefox", serviceWorker: {} }, ...around,
    }), expected);
  });
}
