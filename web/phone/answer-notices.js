import { api } from "../lib/api.js";
import { h, replace, sheet } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { language, onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { recall, remember } from "./memory.js";

await registerStrings({ en: () => import("../i18n/en/answer-notices.js"), ja: () => import("../i18n/ja/answer-notices.js") });
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(`
.bell-line { display: flex; align-items: center; justify-content: center; gap: 4px; padding: 0 8px; border-top: 1px solid var(--fd-line);
  background: var(--fd-bg-sunken); }
.bell-line button { display: flex; align-items: center; gap: 8px; min-width: 44px; min-height: 44px; padding: 0 8px; border: 0; background: none;
  color: var(--fd-accent-text); font-size: var(--fd-text-sm); font-weight: 500; text-align: start; cursor: pointer; }
.bell-line button.is-later { color: var(--fd-ink-2); font-weight: 400; }
@media print { .bell-line { display: none; } }
`)];

const WORKER = "/web/phone/push-worker.js";

/**
 * Whether this browser is notified of answers while no page is open.
 *
 * Events: `change`. States: `off`, `on`, `blocked` in the browser, `home` (only from the home screen, on iPhone and iPad) and
 * `none` (the browser cannot).
 */
export class AnswerBell extends EventTarget {
  /** @type {"off"|"on"|"blocked"|"home"|"none"} */
  state = "off";
  #conversation;
  #base;
  #key;

  /** @param {import("./conversation.js").Conversation} conversation */
  constructor(conversation) {
    super();
    this.#conversation = conversation;
    const name = encodeURIComponent(conversation.business.id);
    this.#base = `/api/phone/${name}/push`;
    this.page = `/b/${name}`;
    this.#key = `fd.phone.${conversation.business.id}.bell`;
  }

  /** What the customer chose: true, false or, before that, nothing. @returns {boolean|null} */
  get chosen() {
    return recall(this.#key);
  }

  set chosen(value) {
    remember(this.#key, value);
  }

  /** Finds out how it stands, and has the server know what the browser knows. */
  async read() {
    const hindrance = hindranceIn(globalThis);
    if (hindrance) return this.#set(hindrance);
    const known = await api.get(this.#base);
    const subscription = this.chosen ? await (await this.#registration())?.pushManager.getSubscription() : null;
    if (!subscription || Notification.permission !== "granted") return this.#set("off");
    // An installation that has another key now, another conversation of the same customer, or a server that has lost it.
    if (!isOf(known.key, subscription)) await this.#subscribe(known.key);
    else if (!known.devices.includes(await this.#idOf(subscription))) await this.#put(subscription);
    return this.#set("on");
  }

  /** Asks the customer for permission where that is needed, and subscribes; returns the state. */
  async turnOn() {
    if (await Notification.requestPermission() !== "granted") {
      return this.#set(Notification.permission === "denied" ? "blocked" : "off");
    }
    const { key } = await api.get(this.#base);
    await this.#subscribe(key);
    this.chosen = true;
    return this.#set("on");
  }

  async #subscribe(key) {
    const registration = await register(this.page);
    const before = await registration.pushManager.getSubscription();
    // A browser refuses a second key beside the first.
    if (before && !isOf(key, before)) await before.unsubscribe();
    await this.#put(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) }));
  }

  /** Ends the subscription, here and at the server. */
  async turnOff() {
    const subscription = await (await this.#registration())?.pushManager.getSubscription();
    this.chosen = false;
    if (subscription) {
      await api.delete(`${this.#base}/${await this.#idOf(subscription)}`).catch((problem) => {
        if (problem.status !== 404) throw problem;
      });
      await subscription.unsubscribe();
    }
    return this.#set("off");
  }

  /** Closes what was shown: the customer sees the conversation. */
  async closeNotices() {
    const registration = this.chosen ? await this.#registration() : null;
    for (const one of await registration?.getNotifications() ?? []) one.close();
  }

  #registration() {
    return navigator.serviceWorker?.getRegistration(this.page);
  }

  #put(subscription) {
    return api.put(this.#base, {
      endpoint: subscription.endpoint, point: textOf(subscription.getKey("p256dh")), secret: textOf(subscription.getKey("auth")),
    });
  }

  /** How the server names the subscription. */
  async #idOf({ endpoint }) {
    const bytes = new TextEncoder().encode(`${this.#conversation.id} ${endpoint}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  #set(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
    return state;
  }
}

/**
 * What keeps a browser from being notified; null for nothing.
 * @param {any} browser its globals
 * @returns {"blocked"|"home"|"none"|null}
 */
export function hindranceIn({ isSecureContext, navigator, PushManager, Notification }) {
  if (isSecureContext && navigator.serviceWorker && PushManager && Notification) return Notification.permission === "denied" ? "blocked" : null;
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  return isApple && isSecureContext && navigator.standalone === false ? "home" : "none";
}

/** Whether a subscription accepts what is signed by a key; browsers that do not say whose it is are believed. */
function isOf(key, { options }) {
  return !options?.applicationServerKey || textOf(options.applicationServerKey) === key;
}

async function register(page) {
  const registration = await navigator.serviceWorker.register(trusted(`${WORKER}?language=${language()}`), { scope: page });
  const coming = registration.active ? null : registration.installing ?? registration.waiting;
  if (coming) {
    await new Promise((resolve) => {
      coming.addEventListener("statechange", () => ["activated", "redundant"].includes(coming.state) && resolve(undefined));
    });
  }
  return registration;
}

let policy;

/** An address of a script of our own, as browsers want it that check what becomes a script. @param {string} address */
function trusted(address) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  policy ??= trustedTypes?.createPolicy("answer-notices", { createScriptURL: (one) => one });
  return policy ? policy.createScriptURL(address) : address;
}

/** Bytes as base64url. @param {ArrayBuffer} buffer */
function textOf(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url. @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** The bell of the page. @type {AnswerBell|null} */
let bell = null;

/**
 * Follows a conversation that has its first message: reads how the bell stands, and offers it once in a quiet line.
 * @param {any} chat the `phone-chat` of the page
 */
export async function followBell(chat) {
  const { conversation } = chat;
  bell = new AnswerBell(conversation);
  const look = () => document.hidden || bell.closeNotices();
  document.addEventListener("visibilitychange", look);
  look();
  conversation.addEventListener("begun-anew", () => bell.read().catch(() => {}));  // Safe: read again when the menu is opened.
  conversation.addEventListener("deleted", () => bell.turnOff().catch(() => {}));  // Safe: the server has removed it already.
  await bell.read();
  if (bell.state !== "off" || bell.chosen !== null) return;
  const line = h("div", { class: "bell-line" });
  const draw = () => replace(line,
    h("button", { type: "button", onClick: () => ring(bell, (text) => chat.notice.say(text)) }, icon("bell", 20), t("bell.title")),
    h("button", { class: "is-later", type: "button", onClick: () => { bell.chosen = false; end(); } }, t("bell.later")));
  const endLanguage = onLanguageChange(draw);
  const end = () => {
    endLanguage();
    line.remove();
  };
  bell.addEventListener("change", end, { once: true });
  draw();
  chat.querySelector(".chat-foot").prepend(line);
}

/** Turns the bell on or off, and says what came of it. */
async function ring(one, say) {
  try {
    const state = await (one.state === "on" ? one.turnOff() : one.turnOn());
    if (state === "on") say(t("bell.isOn"));
    if (state === "blocked") say(t("bell.blocked"));
  } catch {
    say(t("bell.failed"));
  }
}

/**
 * Fills the bell's row of the menu, and keeps it as it stands.
 * @param {HTMLElement} row
 * @param {import("./conversation.js").Conversation} conversation
 * @param {(text: string) => void} say
 */
export async function fillBellRow(row, conversation, say) {
  const one = bell ??= new AnswerBell(conversation);
  const draw = () => {
    const isPossible = one.state === "off" || one.state === "on";
    replace(row, icon(one.state === "on" ? "bell" : "bellOff", 22),
      h("label", { class: "fd-row-words", for: "bell-switch" }, h("strong", { id: "bell-label" }, t("bell.title")),
        h("small", { id: "bell-hint" }, t(`bell.${isPossible ? "hint" : one.state}`))),
      isPossible && h("button", {
        class: "switch", type: "button", role: "switch", "aria-checked": String(one.state === "on"), id: "bell-switch",
        "aria-labelledby": "bell-label", "aria-describedby": "bell-hint", onClick: () => ring(one, say),
      }, h("span")));
    row.hidden = false;
  };
  await one.read().catch(() => {});  // Safe: shown as it was known.
  const change = () => {
    if (!row.isConnected) return one.removeEventListener("change", change);
    const hadFocus = row.contains(document.activeElement);
    draw();
    if (hadFocus) /** @type {HTMLElement|null} */ (row.querySelector("#bell-switch"))?.focus();
  };
  one.addEventListener("change", change);
  draw();
}
