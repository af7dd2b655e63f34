/** Turns the edits of findings into one replacement of a part of the text. Pure. */
import { unitOffsets } from "./offsets.js";

/**
 * @typedef {{start: number, end: number, replacement: string}} Edit
 */

/**
 * Edits in UTF-16 units, from edits in bytes of the same text.
 * @param {string} text
 * @param {Edit[]} edits
 * @returns {Edit[]}
 */
export function editsInUnits(text, edits) {
  const places = unitOffsets(text, edits.flatMap(({ start, end }) => [start, end]));
  return edits.map(({ replacement }, index) => ({
    start: places[2 * index], end: places[2 * index + 1], replacement,
  }));
}

/**
 * The edits of many findings that can be applied together: a finding whose edits touch those of an
 * earlier one is left for the next round, and the same edit is applied once.
 * @param {Edit[][]} groups the edits of each finding, in UTF-16 units
 * @returns {{edits: Edit[], taken: number}} in the order of the text, and how many findings they fix
 */
export function joinEdits(groups) {
  const joined = [];
  let taken = 0;
  const isSame = (one, other) =>
    one.start === other.start && one.end === other.end && one.replacement === other.replacement;
  const touches = (one, other) => one.start < other.end && other.start < one.end
    || one.start === other.start || (one.start === one.end && one.start === other.end);
  for (const group of groups) {
    if (group.length === 0) continue;
    const fresh = group.filter((edit) => !joined.some((known) => isSame(known, edit)));
    if (fresh.some((edit) => joined.some((known) => touches(known, edit)))) continue;
    joined.push(...fresh);
    taken += 1;
  }
  return { edits: joined.sort((one, other) => one.start - other.start), taken };
}

/**
 * One replacement that applies all edits, so that one undo reverts them.
 * @param {string} text
 * @param {Edit[]} edits that do not overlap, in the order of the text, in UTF-16 units
 * @returns {Edit|null}
 */
export function oneReplacement(text, edits) {
  if (edits.length === 0) return null;
  let replacement = "";
  let at = edits[0].start;
  for (const edit of edits) {
    replacement += text.slice(at, edit.start) + edit.replacement;
    at = edit.end;
  }
  return { start: edits[0].start, end: at, replacement };
}

/** The text after a replacement. */
export function replaced(text, { start, end, replacement }) {
  return text.slice(0, start) + replacement + text.slice(end);
}

/**
 * What changed between two texts, as one replacement of the first.
 * @param {string} before
 * @param {string} after
 * @returns {{start: number, end: number, length: number}} `length` of the present text
 */
export function changeBetween(before, after) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  while (tail < shorter - start
    && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return { start, end: before.length - tail, length: after.length - tail - start };
}
