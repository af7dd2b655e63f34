/** What was written is kept for so many messages that wait or waited. */
const MOST = 20;

/** What the composer had of each message that waits, for the case that it is withdrawn. Pure. */
export class WaitingDrafts {
  #kept = new Map();

  /** @param {string} id of the message @param {import("../composer/kept-draft.js").KeptDraft|null} draft */
  keep(id, draft) {
    this.#kept.set(id, draft);
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value);
  }

  /** What was kept of a message, once; null where nothing was. @param {string} id */
  remove(id) {
    const draft = this.#kept.get(id) ?? null;
    this.#kept.delete(id);
    return draft;
  }
}
