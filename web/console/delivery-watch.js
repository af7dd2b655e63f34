import { api } from "../lib/api.js";

/** The delay before the delivery states are read after a send; once for several messages. */
const SOON_MILLISECONDS = 1200;
/** The interval of reading while a delivery is pending. */
const WAITING_MILLISECONDS = 4000;

/** Something about messages that are sent after a while, and the delivery states of messages to an upstream gateway. */
export const SCHEDULED = ["message.scheduled", "message.unsent"];
export const UPSTREAM = ["message.delivered_upstream", "message.refused_upstream", "message.receipt_changed"];

/**
 * How far the messages of the open conversation came towards a provider or an upstream gateway.
 * Without a link of the business nothing is requested.
 *
 * Events: `change`.
 */
export class DeliveryWatch extends EventTarget {
  #conversation = null;
  #isLinked = true;
  #timer = 0;
  /** Where the earlier pages in view end, as sequences. */
  #reached = new Set();
  /**
   * By message, then by side.
   * @type {Map<string, Record<string, any>>}
   */
  states = new Map();

  /** Turns to a conversation; null looks at none. @param {string|null} id */
  aim(id) {
    if (id === this.#conversation) return;
    this.#conversation = id;
    this.#isLinked = true;
    this.#reached.clear();
    this.states = new Map();
    clearTimeout(this.#timer);
    if (id) this.#refresh();
  }

  /** Something was sent or delivered: states are fetched soon. */
  touch() {
    if (this.#conversation && this.#isLinked) this.#refreshIn(SOON_MILLISECONDS);
  }

  /** An earlier page came into view. @param {number} before its end, a sequence */
  async reach(before) {
    if (this.#reached.has(before)) return;
    this.#reached.add(before);
    await this.#ask({ before });
  }

  #refreshIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), milliseconds);
  }

  async #refresh() {
    if (document.visibilityState === "hidden") return this.#refreshIn(WAITING_MILLISECONDS);
    const seen = await this.#ask({});
    if (this.#waiting.some((id) => !seen.has(id))) {
      for (const before of this.#reached) await this.#ask({ before });
    }
    if (this.#waiting.length > 0) this.#refreshIn(WAITING_MILLISECONDS);
  }

  /** The messages of which something waits. */
  get #waiting() {
    return [...this.states].filter(([, sides]) =>
      Object.values(sides).some((one) => one.state === "pending")).map(([id]) => id);
  }

  /** Asks about one page; returns the messages with a known state. @returns {Promise<Set<string>>} */
  async #ask(query) {
    const id = this.#conversation;
    if (!id || !this.#isLinked) return new Set();
    let page;
    try {
      page = await api.get(`/api/conversations/${id}/deliveries`, { query });
    } catch {
      return new Set();  // Safe: what was seen last stays; the next message asks again.
    }
    if (id !== this.#conversation) return new Set();
    this.#isLinked = page.isLinked;
    const next = new Map(this.states);
    for (const one of page.data) {
      next.set(one.message, { ...next.get(one.message), [one.side]: one });
    }
    const hasChanged = JSON.stringify([...next]) !== JSON.stringify([...this.states]);
    this.states = next;
    if (hasChanged) this.dispatchEvent(new CustomEvent("change"));
    return new Set(page.data.map((one) => one.message));
  }
}
