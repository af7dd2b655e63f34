import { Backoff } from "../lib/backoff.js";

/** How many unsent things a phone keeps; the next one is refused. */
const MAX_ITEMS = 100;

/**
 * @typedef {{id: string, path: string, body: any, preview: any, created: string,
 *   state: "waiting"|"sending"|"failed", isTried?: boolean, isMoved?: boolean, code?: string,
 *   at?: string|null}} OutboxItem `at`: in which conversation it was written, where that is known; the body says it only
 *   where the server is to check it. `isMoved`: it was written before its customer signed in
 */

/**
 * The customer's messages that the server has not confirmed yet. It survives a reload, is sent in
 * order, one at a time, and an attempt that got no answer is repeated under the same id, so nothing
 * is stored twice.
 *
 * Events: `change`; `sent` with `detail.item` and `detail.answer`.
 */
/** The words of messages that were not sent, without the signs of their files. @param {any[]} items */
export const unsentText = (items) => items.filter(({ path }) => path === "/messages")
  .map(({ body }) => body.text.replaceAll("\u{fffc}", "").trim()).filter(Boolean).join("\n\n");

export class Outbox extends EventTarget {
  #key;
  #storage;
  #deliver;
  #backoff;
  #schedule;
  #items;
  /** The ids that were in this outbox: of what is stored the rest is another tab's. */
  #own = new Set();
  #isSending = false;
  #flushed = Promise.resolve();
  #timer = null;

  /**
   * @param {{key: string, storage: Storage|null, deliver: (item: OutboxItem) => Promise<any>,
   *   backoff?: Backoff, schedule?: (work: () => void, milliseconds: number) => any}} options
   */
  constructor({
    key, storage, deliver, backoff = new Backoff(), schedule = setTimeout.bind(globalThis),
  }) {
    super();
    this.#key = key;
    this.#storage = storage;
    this.#deliver = deliver;
    this.#backoff = backoff;
    this.#schedule = schedule;
    this.#items = this.#load();
    for (const { id } of this.#items) this.#own.add(id);
  }

  /** In the order they will be sent. @returns {readonly OutboxItem[]} */
  get items() {
    return this.#items;
  }

  /**
   * Adds a message and begins to send; an id that is already in it changes nothing.
   * @param {{id: string, path: string, body: any, preview: any}} entry
   * @returns {boolean} false when the outbox is full
   */
  add(entry) {
    if (this.#items.some((item) => item.id === entry.id)) return true;
    if (this.#items.length >= MAX_ITEMS) return false;
    this.#own.add(entry.id);
    this.#items.push({ ...entry, created: new Date().toISOString(), state: "waiting" });
    this.#changed();
    this.flush();
    return true;
  }

  /** Tries a refused one again. @param {string} id */
  retry(id) {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (!item) return;
    item.state = "waiting";
    delete item.code;
    this.#changed();
    this.flush();
  }

  /** Gives one up. @param {string} id */
  remove(id) {
    this.#items = this.#items.filter((item) => item.id !== id);
    this.#changed();
  }

  /** Discards all. */
  clear() {
    this.#items = [];
    this.#changed();
  }

  /** Leaves what is stored as it is for the next page, whatever becomes of the rest here. */
  leave() {
    this.#storage = null;
    this.#items = [];
    this.#changed();
  }

  /** Waits until none is on its way; what waits for its next attempt is tried at once. */
  async settle() {
    await this.flush();
  }

  /** Sends the waiting messages now: the connection is back, or one was added. */
  async flush() {
    if (this.#isSending) return this.#flushed;
    let finish = () => {};
    this.#flushed = new Promise((resolve) => { finish = resolve; });
    this.#isSending = true;
    clearTimeout(this.#timer);
    try {
      for (;;) {
        const item = this.#items.find(({ state }) => state === "waiting");
        if (!item || !(await this.#send(item))) break;
      }
    } finally {
      this.#isSending = false;
      finish();
    }
  }

  /** True when the next one may follow. */
  async #send(item) {
    item.state = "sending";
    // From now on the server may have it, whatever becomes of the answer.
    item.isTried = true;
    this.#changed();
    try {
      const answer = await this.#deliver(item);
      this.#backoff.reset();
      this.#items = this.#items.filter((candidate) => candidate !== item);
      this.dispatchEvent(new CustomEvent("sent", { detail: { item, answer } }));
      this.#changed();
      return true;
    } catch (problem) {
      if (!this.#items.includes(item)) return true;
      if (problem?.mayRetry) {
        item.state = "waiting";
        const wait = Math.max(this.#backoff.next(), (problem.retryAfterSeconds ?? 0) * 1000);
        this.#timer = this.#schedule(() => this.flush(), wait);
        this.#changed();
        return false;
      }
      item.state = "failed";
      item.code = problem?.code ?? "unknown";
      this.#changed();
      return true;
    }
  }

  #changed() {
    try {
      const stored = [...this.#stored().filter(({ id }) => !this.#own.has(id)), ...this.#items];
      if (stored.length === 0) this.#storage?.removeItem(this.#key);
      else this.#storage?.setItem(this.#key, JSON.stringify(stored));
    } catch {
      // Safe: a full or forbidden storage leaves the copy in memory.
    }
    this.dispatchEvent(new CustomEvent("change"));
  }

  #load() {
    return this.#stored().map((item) => ({ ...item, state: item.state === "failed" ? "failed" : "waiting" }));
  }

  /** @returns {OutboxItem[]} */
  #stored() {
    try {
      return JSON.parse(this.#storage?.getItem(this.#key) ?? "[]").filter((item) => item?.id && item.path);
    } catch {
      return [];  // Safe: an unreadable copy of an older page.
    }
  }
}
