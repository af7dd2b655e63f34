/**
 * Which conversations of the list are selected, in no order. Event of this object: `change`.
 */
export class Selection extends EventTarget {
  #ids = new Set();
  /** Where a range begins: the row that was selected last by itself. */
  #anchor = null;

  get size() {
    return this.#ids.size;
  }

  get ids() {
    return [...this.#ids];
  }

  /** @param {string} id */
  has(id) {
    return this.#ids.has(id);
  }

  /** Selects a conversation, or no longer. @param {string} id */
  toggle(id) {
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.#anchor = id;
    this.#changed();
  }

  /** Selects all from the one that was selected last to this one. @param {string[]} order ids as the list shows them @param {string} id */
  extend(order, id) {
    const from = order.indexOf(this.#anchor ?? id);
    const to = order.indexOf(id);
    for (const one of order.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1)) this.#ids.add(one);
    this.#anchor ??= id;
    this.#changed();
  }

  /** A step by keyboard from one row to the next: both are selected, and a step back deselects the last one. */
  step(from, to) {
    if (this.#ids.has(from) && this.#ids.has(to)) this.#ids.delete(from);
    else this.#ids.add(from).add(to);
    this.#anchor = to;
    this.#changed();
  }

  /** @param {string[]} ids */
  set(ids) {
    this.#ids = new Set(ids);
    this.#changed();
  }

  /** Keeps those that are still in the list. @param {Set<string>} known */
  keep(known) {
    const before = this.#ids.size;
    for (const id of this.#ids) if (!known.has(id)) this.#ids.delete(id);
    if (this.#ids.size !== before) this.#changed();
  }

  clear() {
    if (!this.#ids.size) return;
    this.set([]);
    this.#anchor = null;
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
