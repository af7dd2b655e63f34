/**
 * Large changes with an undo of their own: a browser needs half a minute to insert two thousand lines
 * into a text area so that its own undo includes the change.
 */

/** A change of more lines than this is a large edit. */
const lineLimit = 150;
/** How many large edits can be undone. */
const keptEdits = 10;

export class LargeEdits {
  #done = [];
  #undone = [];

  /** Whether a replacement is too large for the browser's own undo. */
  applies(replacement) {
    let lines = 0;
    for (let at = replacement.indexOf("\n"); at !== -1 && lines <= lineLimit; at = replacement.indexOf("\n", at + 1)) lines += 1;
    return lines > lineLimit;
  }

  /**
   * @param {HTMLTextAreaElement} input
   * @param {import("./edits.js").Edit} edit
   */
  make(input, { start, end, replacement }) {
    const before = input.value;
    input.setRangeText(replacement, start, end, "end");
    this.#done = [...this.#done, { before, after: input.value }].slice(-keptEdits);
    this.#undone = [];
  }

  /** Undo and redo right after and before a large edit; true when the text was changed. */
  handlesKey(event, input) {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) return this.#step(this.#done, this.#undone, "after", "before", input);
    if (key === "y" || key === "z") return this.#step(this.#undone, this.#done, "before", "after", input);
    return false;
  }

  #step(from, to, now, then, input) {
    const leap = from.at(-1);
    if (!leap || input.readOnly || input.value !== leap[now]) return false;
    to.push(from.pop());
    input.value = leap[then];
    return true;
  }
}
