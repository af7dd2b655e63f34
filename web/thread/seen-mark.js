/** Which messages of a thread were in view: read means seen by an agent, not merely arrived. */

/** So much of a message has to be in view; of one that is higher than the thread, so much of the thread. */
const SHARE = 0.5;

export class SeenMark {
  #upTo = 0;
  #thread = null;
  #notify;

  /** @param {(sequence: number) => void} notify called when more was seen than before */
  constructor(notify) {
    this.#notify = notify;
  }

  /**
   * Customers' messages that were not in view yet.
   * @param {any[]} messages ascending
   * @param {number} known the sequence up to which the server knows them as read
   */
  unseen(messages, known) {
    const from = Math.max(known, this.#belongs(messages) ? this.#upTo : 0);
    const found = [];
    for (let at = messages.length - 1; at >= 0 && messages[at].sequence > from; at -= 1) {
      if (messages[at].direction === "inbound") found.push(messages[at]);
    }
    return found.reverse();
  }

  /**
   * Looks which of them are in view now, while the page is.
   * @param {Element} log the part that scrolls
   * @param {(id: string) => Element|null|undefined} rowOf
   * @param {any[]} messages
   * @param {number} known
   */
  look(log, rowOf, messages, known) {
    if (document.visibilityState !== "visible") return;
    if (!this.#belongs(messages)) {
      this.#thread = messages[0]?.conversation ?? null;
      this.#upTo = 0;
    }
    const view = log.getBoundingClientRect();
    if (!view.height) return;
    let seen = 0;
    for (const message of this.unseen(messages, known)) {
      const row = rowOf(message.id)?.getBoundingClientRect();
      // A reaction has no row of its own.
      if (!row && message.tapback) seen = message.sequence;
      if (!row) continue;
      const height = Math.min(row.bottom, view.bottom) - Math.max(row.top, view.top);
      if (height >= SHARE * Math.min(row.height, view.height)) seen = message.sequence;
    }
    if (seen <= this.#upTo) return;
    this.#upTo = seen;
    this.#notify(seen);
  }

  #belongs(messages) {
    return (messages[0]?.conversation ?? null) === this.#thread;
  }
}
