/** Reads what many events in a row have changed: at once, and then no more often than so, and once more behind the last. */
export class ReadAgain {
  /** What was read lately, and whether it was asked for since. @type {Map<string, boolean>} */
  #lately = new Map();

  /**
   * @param {(id: string) => void} read
   * @param {number} [rest] milliseconds between two readings of one id
   */
  constructor(read, rest = 1_000) {
    this.read = read;
    this.rest = rest;
  }

  /** @param {string} id */
  ask(id) {
    if (this.#lately.has(id)) return this.#lately.set(id, true);
    this.#lately.set(id, false);
    this.read(id);
    return setTimeout(() => {
      const isAsked = this.#lately.get(id);
      this.#lately.delete(id);
      if (isAsked) this.ask(id);
    }, this.rest);
  }
}
