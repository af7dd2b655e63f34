import { api } from "./api.js";
import { registerWorker } from "./worker-registration.js";

/**
 * @typedef {object} PushedTo what is pushed, and to whom
 * @property {string} base the path of the API
 * @property {import("./worker-registration.js").WorkerPlace} worker what shows the notifications
 * @property {() => string} subscriber the id that is part of the subscriptions' names
 * @property {{read: () => boolean|null, write: (value: boolean) => void}} choice what the person chose in this browser; null before that
 * @property {() => Record<string, string>} [more] what the server is sent besides the subscription
 * @property {boolean} [renews] whether a page sends the server its subscription again at its first reading and each day, and
 *   subscribes again where the browser lost it; without the permission the choice ends
 */

/** A page that renews sends its subscription again after so long, in milliseconds: one that is never loaded again is signed in to each day. */
const FRESH_MILLISECONDS = 43_200_000;

/**
 * Whether this browser is notified by Web Push while no page is open.
 *
 * Events: `change`. States: `off`, `on`, `blocked` in the browser, `home` (only from the home screen, on iPhone and iPad) and
 * `none` (the browser cannot).
 */
export class PushNotices extends EventTarget {
  /** @type {"off"|"on"|"blocked"|"home"|"none"} */
  state = "off";
  #of;
  /** Until when the server need not have the subscription again. */
  #freshUntil;

  /** @param {PushedTo} of */
  constructor(of) {
    super();
    this.#of = of;
    this.#freshUntil = of.renews ? 0 : Infinity;
  }

  /** What the person chose: true, false or, before that, nothing. @returns {boolean|null} */
  get chosen() {
    return this.#of.choice.read();
  }

  set chosen(value) {
    this.#of.choice.write(Boolean(value));
  }

  /** Finds out how it stands, and has the server know what the browser knows. */
  async read() {
    const { base, renews } = this.#of;
    const isPermitted = globalThis.Notification?.permission === "granted";
    if (renews && this.chosen && !isPermitted) this.chosen = false;
    const hindrance = hindranceIn(globalThis);
    if (hindrance) return this.#enter(hindrance);
    if (!this.chosen || !isPermitted) return this.#enter("off");
    const known = await api.get(base);
    // Registered again, it has the page's language.
    const registration = await (renews ? registerWorker(this.#of.worker) : this.#registration());
    const subscription = await registration?.pushManager.getSubscription();
    if (!subscription && !renews) return this.#enter("off");
    // An installation that has another key now, another subscriber in the same browser, or a server that has lost it.
    if (!subscription || !isOf(known.key, subscription)) await this.#subscribe(known.key);
    else if (Date.now() >= this.#freshUntil || !known.devices.includes(await this.#nameOf(subscription))) await this.#put(subscription);
    return this.#enter("on");
  }

  /** Asks the person for permission where that is needed, and subscribes; returns the state. */
  async turnOn() {
    if (await Notification.requestPermission() !== "granted") {
      return this.#enter(Notification.permission === "denied" ? "blocked" : "off");
    }
    const { key } = await api.get(this.#of.base);
    await this.#subscribe(key);
    this.chosen = true;
    return this.#enter("on");
  }

  async #subscribe(key) {
    const registration = await registerWorker(this.#of.worker);
    const before = await registration.pushManager.getSubscription();
    // A browser refuses a second key beside the first.
    if (before && !isOf(key, before)) await before.unsubscribe();
    await this.#put(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) }));
  }

  /** Ends the subscription, here and at the server. */
  async turnOff() {
    const subscription = await this.#subscription();
    this.chosen = false;
    if (subscription) {
      await api.delete(`${this.#of.base}/${await this.#nameOf(subscription)}`).catch((problem) => {
        if (problem.status !== 404) throw problem;
      });
      await subscription.unsubscribe();
    }
    return this.#enter("off");
  }

  /** Ends the subscription in the browser alone, and closes what was shown: the server has ended it, or it is of another subscriber. */
  async leave() {
    await (await this.#subscription())?.unsubscribe();
    await this.#closeAll();
    return this.#enter("off");
  }

  /** Closes what was shown: the person sees it. */
  async closeNotices() {
    if (this.chosen) await this.#closeAll();
  }

  async #closeAll() {
    for (const one of await (await this.#registration())?.getNotifications() ?? []) one.close();
  }

  /** Where the API has the subscription of this browser; null without one. @returns {Promise<string|null>} */
  async findPath() {
    const subscription = await this.#subscription();
    return subscription ? `${this.#of.base}/${await this.#nameOf(subscription)}` : null;
  }

  async #subscription() {
    return await (await this.#registration())?.pushManager?.getSubscription() ?? null;
  }

  #registration() {
    return navigator.serviceWorker?.getRegistration(this.#of.worker.scope);
  }

  async #put(subscription) {
    await api.put(this.#of.base, {
      endpoint: subscription.endpoint, point: textOf(subscription.getKey("p256dh")), secret: textOf(subscription.getKey("auth")),
      ...this.#of.more?.(),
    });
    if (this.#of.renews) this.#freshUntil = Date.now() + FRESH_MILLISECONDS;
  }

  /** How the server names the subscription. */
  async #nameOf({ endpoint }) {
    const bytes = new TextEncoder().encode(`${this.#of.subscriber()} ${endpoint}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  #enter(state) {
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

/** Bytes as base64url. @param {ArrayBuffer} buffer */
function textOf(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url. @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
