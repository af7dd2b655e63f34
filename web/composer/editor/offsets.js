/** Places in a text: bytes of its UTF-8, UTF-16 units, lines. Pure. */

/**
 * Turns byte offsets of the text's UTF-8 into offsets in UTF-16 units, all in one pass. An offset
 * inside a character belongs to its beginning, one beyond the end to the end.
 * @param {string} text
 * @param {number[]} byteOffsets in any order
 * @returns {number[]} in the same order
 */
export function unitOffsets(text, byteOffsets) {
  const order = byteOffsets.map((_, index) => index).sort((one, other) => byteOffsets[one] - byteOffsets[other]);
  const found = new Array(byteOffsets.length).fill(text.length);
  let next = 0;
  let bytes = 0;
  for (let at = 0; at < text.length && next < order.length;) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length;
    const width = unit < 0x80 ? 1 : unit < 0x800 ? 2 : isPair ? 4 : 3;
    while (next < order.length && byteOffsets[order[next]] < bytes + width) {
      found[order[next]] = at;
      next += 1;
    }
    bytes += width;
    at += isPair ? 2 : 1;
  }
  return found;
}

/** How many bytes the text has up to a UTF-16 offset. */
export function byteOffset(text, unitOffset) {
  return new TextEncoder().encode(text.slice(0, unitOffset)).length;
}

/** Where the lines of a text begin. */
export class LineIndex {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  /** How many lines there are; an empty text has one. */
  get count() {
    return this.starts.length;
  }

  /** The line an offset is in, counted from 0. */
  lineOf(offset) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The offset before a line's end. */
  endOf(line) {
    return line + 1 < this.starts.length ? this.starts[line + 1] - 1 : this.text.length;
  }

  /** A line without its end. */
  line(number) {
    return this.text.slice(this.starts[number], this.endOf(number));
  }
}
