/** Draws the lines in view under a text area: colours, underlines, line numbers with their marks. */
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { readLoosely } from "../json-tokens.js";
import { fixWords } from "../rule-words.js";
import { LineIndex } from "./offsets.js";

/** So many lines beyond those in view are drawn along. */
const spareLines = 15;
/** Of a longer line only the part in view is drawn, in UTF-16 units. */
const longLine = 2000;
/** So much of a long line beyond the part in view is drawn along. */
const spareUnits = 300;

export class TextLayer {
  #marks = [];
  #drawn = { first: 0, last: -1, left: 0, hasLong: false };
  #tokens = new Map();
  #charWidth = 0;
  #lineHeight = 0;
  index = new LineIndex("");

  /**
   * @param {HTMLTextAreaElement} input
   * @param {HTMLElement} back
   * @param {HTMLElement} gutter
   */
  constructor(input, back, gutter) {
    this.input = input;
    this.code = h("code");
    back.append(this.code);
    this.numbers = h("ol", { class: "je-numbers" });
    gutter.append(this.numbers);
    this.gutter = gutter;
  }

  /**
   * @param {string} text
   * @param {import("./marks.js").Mark[]} marks
   */
  draw(text, marks) {
    if (this.index.text !== text) this.index = new LineIndex(text);
    this.#marks = marks;
    this.#paint();
  }

  /** Measures again, as after another size of window or type. */
  resized() {
    this.#charWidth = this.#lineHeight = 0;
  }

  /** Keeps up with the text area's scrolling. */
  follow() {
    const { first, last } = this.#inView();
    const drawn = this.#drawn;
    const isFar = drawn.hasLong && Math.abs(this.input.scrollLeft - drawn.left) > (spareUnits * this.charWidth) / 2;
    if (first < drawn.first || last > drawn.last || isFar) this.#paint();
    else this.#shift();
  }

  /** The height of a line in pixels. */
  get lineHeight() {
    return (this.#lineHeight ||= Number.parseFloat(getComputedStyle(this.input).lineHeight) || 20);
  }

  /** The width of a plain character in pixels. */
  get charWidth() {
    if (!this.#charWidth) {
      const probe = h("span", { class: "je-probe" }, "0".repeat(100));
      this.code.append(probe);
      this.#charWidth = probe.getBoundingClientRect().width / 100;
      probe.remove();
    }
    return this.#charWidth || 8;
  }

  /** Where a place of the text is in the window. */
  placeOf(offset) {
    const line = this.index.lineOf(offset);
    const box = this.input.getBoundingClientRect();
    const height = this.lineHeight;
    const top = box.top + padding(this.input, "Top") + line * height - this.input.scrollTop;
    const drawn = this.code.children[line - this.#drawn.first];
    const column = offset - this.index.starts[line];
    let left = box.left + padding(this.input, "Left") + column * this.charWidth - this.input.scrollLeft;
    const spot = drawn && spotIn(drawn, column - Number(drawn.dataset.from));
    if (spot) {
      const range = document.createRange();
      range.setStart(spot.node, spot.at);
      range.setEnd(spot.node, spot.at);
      const { left: exact } = range.getBoundingClientRect();
      if (exact) left = exact;
    }
    return { left, top, bottom: top + height };
  }

  /** Whether a place in the window is one where the text is in view. */
  shows({ top, bottom }) {
    const box = this.input.getBoundingClientRect();
    return bottom > box.top && top < box.bottom;
  }

  /** The place of the text under a point of the window; null beside the text. */
  offsetAt(x, y) {
    const box = this.input.getBoundingClientRect();
    const line = Math.floor((y - box.top - padding(this.input, "Top") + this.input.scrollTop) / this.lineHeight);
    if (line < 0 || line >= this.index.count) return null;
    const start = this.index.starts[line];
    let low = start;
    let high = this.index.endOf(line);
    if (high === start || x > this.placeOf(high).left + this.charWidth) return null;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.placeOf(middle).left <= x) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Scrolls so that a place is in view. */
  reveal(offset) {
    const line = this.index.lineOf(offset);
    const { input } = this;
    const top = line * this.lineHeight;
    if (top < input.scrollTop || top + 2 * this.lineHeight > input.scrollTop + input.clientHeight) {
      input.scrollTop = Math.max(0, top - input.clientHeight / 2);
    }
    const left = (offset - this.index.starts[line]) * this.charWidth;
    if (left < input.scrollLeft || left > input.scrollLeft + input.clientWidth - 80) {
      input.scrollLeft = left < input.clientWidth - 80 ? 0 : left - input.clientWidth / 3;
    }
    this.follow();
  }

  /** The marks of each line that has any, in order. */
  marksByLine() {
    const lines = new Map();
    for (const mark of this.#marks) {
      const line = this.index.lineOf(mark.start);
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line).push(mark);
    }
    return lines;
  }

  #inView() {
    const height = this.lineHeight;
    const first = Math.max(0, Math.floor(this.input.scrollTop / height) - 1);
    const last = Math.min(this.index.count - 1, first + Math.ceil(this.input.clientHeight / height) + 2);
    return { first, last };
  }

  #paint() {
    const view = this.#inView();
    const first = Math.max(0, view.first - spareLines);
    const last = Math.min(this.index.count - 1, view.last + spareLines);
    this.#drawn = { first, last, left: this.input.scrollLeft, hasLong: false };
    const lines = [];
    for (let line = first; line <= last; line += 1) lines.push(this.#line(line));
    this.code.replaceChildren(...lines);
    this.#paintNumbers(first, last);
    this.#shift();
  }

  #shift() {
    const top = this.#drawn.first * this.lineHeight - this.input.scrollTop;
    this.code.style.setProperty("transform", `translate(${-this.input.scrollLeft}px, ${top}px)`);
    this.numbers.style.setProperty("transform", `translateY(${top}px)`);
  }

  #line(number) {
    const start = this.index.starts[number];
    const text = this.index.line(number);
    const { from, to } = this.#windowOf(text);
    const node = h("span", { class: "je-line", dataset: { from: String(from) } });
    if (from > 0) {
      const before = h("i", { class: "je-before" });
      before.style.setProperty("width", `${from * this.charWidth}px`);
      node.append(before);
    }
    // A finding of several lines underlines all of them, not their indentation.
    const indent = /^\s*/.exec(text)[0].length;
    const under = this.#marks.filter((mark) => mark.start < start + to && mark.end > start + from)
      .map((mark) => ({ mark, begin: mark.start < start ? indent : mark.start - start, end: mark.end - start }))
      .filter(({ mark, end }) => mark.start >= start || end > indent);
    const cuts = new Set(under.flatMap(({ begin: first, end }) => [first, end]));
    for (const [kind, begin, end] of this.#pieces(text)) {
      if (end <= from || begin >= to) continue;
      const edges = [Math.max(begin, from), ...[...cuts].filter((cut) => cut > Math.max(begin, from) && cut < Math.min(end, to)), Math.min(end, to)];
      edges.sort((one, other) => one - other);
      for (let index = 0; index + 1 < edges.length; index += 1) {
        const marked = under.filter((span) => span.begin <= edges[index] && span.end >= edges[index + 1]);
        const severity = marked.some(({ mark }) => isError(mark)) ? " je-under-error" : marked.length ? " je-under-warning" : "";
        node.append(h("span", { class: `js-${kind}${severity}` }, text.slice(edges[index], edges[index + 1])));
      }
    }
    // A finding at the end of a line, such as a missing comma, still needs something to underline.
    const atEnd = under.filter(({ mark }) => mark.start - start >= text.length);
    if (atEnd.length) {
      node.append(h("span", { class: atEnd.some(({ mark }) => isError(mark)) ? "je-under-error" : "je-under-warning" }, " "));
    }
    return node;
  }

  #windowOf(text) {
    if (text.length <= longLine) return { from: 0, to: text.length };
    this.#drawn.hasLong = true;
    const inView = Math.ceil(this.input.clientWidth / this.charWidth);
    let from = Math.max(0, Math.floor(this.input.scrollLeft / this.charWidth) - spareUnits);
    const to = from + inView + 2 * spareUnits;
    // Only plain characters have one width.
    if (from > 0 && !/^[\x20-\x7e]*$/.test(text.slice(0, from))) from = 0;
    return { from, to: Math.min(text.length, to) };
  }

  /** Kind, beginning and end of each piece of a line: JSON never needs another line for its colours. */
  #pieces(text) {
    const known = this.#tokens.get(text);
    if (known) return known;
    const pieces = [];
    let at = 0;
    for (const { kind, start, end } of readLoosely(text, 0)) {
      if (start > at) pieces.push(["plain", at, start]);
      pieces.push([kind, start, end]);
      at = end;
    }
    if (at < text.length) pieces.push(["plain", at, text.length]);
    if (this.#tokens.size > 500) this.#tokens.clear();
    this.#tokens.set(text, pieces);
    return pieces;
  }

  #paintNumbers(first, last) {
    const byLine = this.marksByLine();
    const focused = this.numbers.querySelector(":focus")?.dataset.line;
    const stop = byLine.has(Number(focused)) ? Number(focused)
      : [...byLine.keys()].find((line) => line >= first) ?? -1;
    const rows = [];
    for (let line = first; line <= last; line += 1) {
      const marks = byLine.get(line);
      rows.push(h("li", null, marks
        ? h("button", {
          type: "button", class: `je-mark je-${marks.some(isError) ? "error" : "warning"}`, dataset: { line: String(line) },
          tabindex: line === stop ? "0" : "-1",
          "aria-label": t("composer.editor.line", { line: line + 1, words: marks.map(({ finding }) => fixWords(finding)).join(" ") }),
        }, String(line + 1))
        : h("span", { "aria-hidden": "true" }, String(line + 1))));
    }
    this.numbers.replaceChildren(...rows);
    this.numbers.style.setProperty("min-width", `${String(this.index.count).length}ch`);
    if (focused !== undefined) this.focusNumber(Number(focused));
  }

  /** Puts the focus on a line's mark. */
  focusNumber(line) {
    const mark = /** @type {HTMLElement|null} */ (this.numbers.querySelector(`[data-line="${line}"]`));
    mark?.focus({ preventScroll: true });
  }
}

const isError = ({ finding }) => finding.severity === "error";

const padding = (element, side) => Number.parseFloat(getComputedStyle(element)[`padding${side}`]) || 0;

/** The text node and place in it for a column of a drawn line. */
function spotIn(line, column) {
  if (column < 0) return null;
  let rest = column;
  let last = null;
  for (const part of line.childNodes) {
    const node = part.firstChild;
    if (!node) continue;
    if (rest <= node.data.length) return { node, at: rest };
    rest -= node.data.length;
    last = { node, at: node.data.length };
  }
  return rest === 0 ? last : null;
}
