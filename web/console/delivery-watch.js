import { api } from "../lib/api.js";

/** Soon after something was sent, its way is looked at; once for several messages. */
const SOON_MILLISECONDS = 1200;
/** While something waits, it is looked at this often. */
const WAITING_MILLISECONDS = 4000;

/**
 * How far the messages of the open conversation came towards a provider or an upstream gateway.
 * Nothing is asked twice of a business that has no link.
 *
 * Events: `change`.
 */
export class DeliveryWatch extends EventTarget {
  #conversation = null;
  #isLinked = true;
  #timer = 0;
  #first = null;
  /**
   * By message, then by side.
   * @type {Map<string, Record<string, any>>}
   */
  standings = new Map();

  /** Turns to a conversation; null looks at none. @param {string|null} id */
  aim(id) {
    if (id === this.#conversation) return;
    this.#conversation = id;
    this.#isLinked = true;
    this.#first = null;
    this.standings = new Map();
    clearTimeout(this.#timer);
    if (id) this.#look();
  }

  /** Something was said or told: it is looked at soon. */
  touch() {
    if (this.#conversation && this.#isLinked) this.#lookIn(SOON_MILLISECONDS);
  }

  /** An earlier page came into view. @param {number} before its end, a sequence */
  async reach(before) {
    if (this.#first !== null && before >= this.#first) return;
    this.#first = before;
    await this.#ask({ before });
  }

  #lookIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  async #look() {
    if (document.visibilityState === "hidden") return this.#lookIn(WAITING_MILLISECONDS);
    await this.#ask({});
    const waits = [...this.standings.values()].some((sides) =>
      Object.values(sides).some((one) => one.state === "pending"));
    if (waits) this.#lookIn(WAITING_MILLISECONDS);
  }

  async #ask(query) {
    const id = this.#conversation;
    if (!id || !this.#isLinked) return;
    let page;
    try {
      page = await api.get(`/api/conversations/${id}/deliveries`, { query });
    } catch {
      return;  // Safe: what was seen last stays; the next message asks again.
    }
    if (id !== this.#conversation) return;
    this.#isLinked = page.isLinked;
    const next = new Map(this.standings);
    for (const one of page.data) {
      next.set(one.message, { ...next.get(one.message), [one.side]: one });
    }
    const hasChanged = JSON.stringify([...next]) !== JSON.stringify([...this.standings]);
    this.standings = next;
    if (hasChanged) this.dispatchEvent(new CustomEvent("change"));
  }
}
