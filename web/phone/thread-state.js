import { isErased, withErased } from "../lib/erased.js";
import { isReference } from "../lib/payload.js";

/**
 * The messages a customer sees, each once, in the order of their sequence. No I/O.
 */
export class ThreadState {
  #byID = new Map();
  #sorted = null;
  #damaged = new Set();
  hasEarlier = false;

  /**
   * Adds messages; known ones are replaced. True when one is new or changed.
   * @param {any[]} messages
   */
  add(messages) {
    let hasChanged = false;
    for (const message of messages) {
      if (!message?.id) continue;
      const known = this.#byID.get(message.id);
      // A thin copy (only the payload's size and digest) never replaces the whole message.
      if (known && isReference(message.payload) && !isReference(known.payload)) continue;
      // What was read before an erasure never brings the content back.
      if (known && isErased(known) && !isErased(message)) continue;
      this.#byID.set(message.id, message);
      hasChanged = true;
    }
    if (hasChanged) this.#sorted = null;
    return hasChanged;
  }

  /**
   * Leaves a tombstone of a message whose content was erased. False when it is not on this page.
   * @param {{conversation: string, time: string, data: {message: string}}} event
   */
  erase(event) {
    const known = this.#byID.get(event.data.message);
    if (!known) return false;
    this.#byID.set(known.id, withErased([known], event)[0]);
    this.#sorted = null;
    return true;
  }

  /**
   * Records which messages of a page are damaged and cannot be shown.
   * @param {number[]} [sequences]
   */
  addDamaged(sequences = []) {
    for (const sequence of sequences) this.#damaged.add(sequence);
  }

  /** The sequences of messages that cannot be shown, ascending. */
  get damaged() {
    return [...this.#damaged].sort((left, right) => left - right);
  }

  /** Forgets everything: the customer deleted the conversation, or the log was reset. */
  clear() {
    this.#byID.clear();
    this.#damaged.clear();
    this.#sorted = null;
    this.hasEarlier = false;
  }

  /** @param {string} id */
  has(id) {
    return this.#byID.has(id);
  }

  /** @param {string} id */
  find(id) {
    return this.#byID.get(id) ?? null;
  }

  /** Ascending. */
  get messages() {
    this.#sorted ??= [...this.#byID.values()].sort((left, right) => left.sequence - right.sequence);
    return this.#sorted;
  }

  /** The lowest sequence known, or null. */
  get first() {
    const found = [...this.damaged.slice(0, 1), ...this.messages.slice(0, 1).map((one) => one.sequence)];
    return found.length ? Math.min(...found) : null;
  }

  /** The highest sequence known, 0 when empty. */
  get last() {
    return this.messages.at(-1)?.sequence ?? 0;
  }

  /** The latest answer to each card, by the id of the card. */
  get answers() {
    const answers = new Map();
    for (const message of this.messages) {
      if (message.direction === "inbound" && message.inReplyTo) {
        answers.set(message.inReplyTo, message);
      }
    }
    return answers;
  }
}

/** Messages further apart than this begin a new group with a time over it. */
const GROUP_MILLISECONDS = 15 * 60_000;
/** Messages of one side closer than this are drawn together. */
const TIGHT_MILLISECONDS = 2 * 60_000;

/**
 * What is drawn before a message and how close it is to its neighbours.
 * @param {any|null} previous
 * @param {any} message
 * @param {any|null} next
 * @param {(date: Date) => string} dayOf
 */
export function place(previous, message, next, dayOf) {
  const at = (entry) => new Date(entry.time).getTime();
  const isNewDay = !previous || dayOf(new Date(previous.time)) !== dayOf(new Date(message.time));
  const gap = previous ? at(message) - at(previous) : Infinity;
  const isSame = (left, right) => Boolean(left && right) && left.direction === right.direction
    && Math.abs(at(left) - at(right)) < TIGHT_MILLISECONDS;
  return {
    isNewDay, isNewTime: !isNewDay && gap > GROUP_MILLISECONDS,
    isFirst: !isSame(previous, message), isLast: !isSame(message, next),
  };
}
