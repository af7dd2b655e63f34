/** How many rows are drawn at least before a thread is drawn in part, and then. */
export const MOST_ROWS = 80;
/** At its end a thread grows by so many rows before the first ones are put away: not with every message. */
const SLACK = 20;
/** A reader this close to the last row that is drawn gets further ones. */
const NEAR_PIXELS = 800;
/** The height of a row that was never drawn, until some were. */
const GUESS_PIXELS = 60;

/**
 * Which rows of a long thread are drawn. Their heights differ: those of rows that were drawn once are kept, the others
 * count as the average; the room of what is not drawn is kept free above and below. Without DOM but for measuring.
 */
export class ThreadWindow {
  from = 0;
  to = 0;
  #first = "";
  #heights = new Map();
  #sum = 0;

  /** Whether some rows are not drawn. @param {any[]} rows */
  isPart(rows) {
    return this.to - this.from < rows.length;
  }

  /**
   * Chooses what is drawn: around a row that is sought, at the end, or what was drawn before.
   * @param {{key: string}[]} rows
   * @param {{sought?: string, isAtEnd: boolean}} wanted
   */
  aim(rows, { sought = "", isAtEnd }) {
    const count = rows.length;
    if (count <= MOST_ROWS) [this.from, this.to] = [0, count];
    else {
      const known = this.#first ? indexOf(rows, this.#first) : -1;
      const at = sought ? indexOf(rows, sought) : -1;
      if (at >= 0) {
        // What is drawn already stays.
        const stays = known >= 0 && at >= known && at < known + (this.to - this.from);
        this.#put(stays ? known : at - MOST_ROWS / 2, count);
      } else if (isAtEnd || known < 0) {
        this.to = count;
        this.from = known >= 0 && count - known <= MOST_ROWS + SLACK ? known : count - MOST_ROWS;
      } else {
        // A reader elsewhere keeps the rows; new ones are drawn when the reader comes near.
        const drawn = Math.max(MOST_ROWS, this.to - this.from);
        [this.from, this.to] = [known, Math.min(count, known + drawn)];
      }
    }
    this.#first = rows[this.from]?.key ?? "";
  }

  /** Draws around a row instead. @param {{key: string}[]} rows @param {number} index */
  moveTo(rows, index) {
    this.#put(index - MOST_ROWS / 2, rows.length);
    this.#first = rows[this.from].key;
  }

  #put(from, count) {
    this.from = Math.max(0, Math.min(Math.round(from), count - MOST_ROWS));
    this.to = Math.min(count, this.from + MOST_ROWS);
  }

  /** Whether a reader comes to where nothing is drawn. @param {any[]} rows @param {{top: number, bottom: number}} drawn @param {{top: number, bottom: number}} view */
  isNearEdge(rows, drawn, view) {
    return (this.from > 0 && view.top - drawn.top < NEAR_PIXELS) || (this.to < rows.length && drawn.bottom - view.bottom < NEAR_PIXELS);
  }

  /** Keeps the heights of the rows that are drawn, with the distance to the next. @param {{key: string}[]} rows @param {Element[]} nodes */
  measure(rows, nodes) {
    for (let at = 0; at + 1 < nodes.length; at += 1) {
      const height = nodes[at + 1].getBoundingClientRect().top - nodes[at].getBoundingClientRect().top;
      const { key } = rows[this.from + at];
      this.#sum += height - (this.#heights.get(key) ?? 0);
      this.#heights.set(key, height);
    }
  }

  #heightOf(row) {
    return this.#heights.get(row.key) ?? (this.#heights.size ? this.#sum / this.#heights.size : GUESS_PIXELS);
  }

  /** The room of the rows that are not drawn, in pixels. @param {{key: string}[]} rows */
  room(rows) {
    const sum = (from, to) => {
      let all = 0;
      for (let at = from; at < to; at += 1) all += this.#heightOf(rows[at]);
      return all;
    };
    return { before: sum(0, this.from), after: sum(this.to, rows.length) };
  }

  /** The row at a distance from the first one. @param {{key: string}[]} rows @param {number} pixels */
  rowAt(rows, pixels) {
    let at = 0;
    for (let left = pixels; at + 1 < rows.length; at += 1) {
      left -= this.#heightOf(rows[at]);
      if (left < 0) break;
    }
    return at;
  }
}

function indexOf(rows, key) {
  // From the end: most that is sought is near it.
  for (let at = rows.length - 1; at >= 0; at -= 1) if (rows[at].key === key) return at;
  return -1;
}
