import { stemOfItems } from "./repeated-elements.js";

/** Generates identifiers that a draft does not have yet, such as a draft that was read from a payload. */
export class FreshNames {
  #made = 0;

  /** @param {string} stem */
  constructor(stem) {
    this.stem = stem;
  }

  /** Begins with 1 again. */
  reset() {
    this.#made = 0;
  }

  /**
   * @param {{identifier: string}[]} entries that are there
   * @returns {string}
   */
  next(entries = []) {
    const taken = new Set(entries.map(({ identifier }) => stemOfItems(identifier)));
    do this.#made += 1;
    while (taken.has(`${this.stem}-${this.#made}`));
    return `${this.stem}-${this.#made}`;
  }
}
