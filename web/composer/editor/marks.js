/** Findings as marks in the text being edited: they move along with typing. Pure. */
import { placeOf, readJSON } from "../json-tokens.js";
import { editsInUnits } from "./edits.js";
import { unitOffsets } from "./offsets.js";

/**
 * A finding with its place in UTF-16 units; `edits` is null once typing has touched them.
 * @typedef {{finding: object, start: number, end: number, edits: import("./edits.js").Edit[]|null}} Mark
 */

/** More findings than this are not marked in the text. */
export const markLimit = 500;

/**
 * @param {string} text that the findings are about
 * @param {object[]} findings
 * @returns {Mark[]} in the order of the text
 */
export function marksOf(text, findings) {
  const shown = findings.filter((finding) => finding.severity !== "info").slice(0, markLimit);
  const isPlaced = (finding) => Number.isInteger(finding.start) && Number.isInteger(finding.end);
  const placed = shown.filter(isPlaced);
  const units = unitOffsets(text, placed.flatMap(({ start, end }) => [start, end]));
  const spans = new Map(placed.map((finding, index) => [finding, [units[2 * index], units[2 * index + 1]]]));
  let places = null;
  const spanOf = (finding) => {
    if (spans.has(finding)) return spans.get(finding);
    if (Number.isInteger(finding.offset)) return [finding.offset, finding.offset + 1];
    places ??= readJSON(text).places;
    const place = placeOf(places, finding.pointer ?? "");
    return place ? [place.keyStart, place.end] : [0, 1];
  };
  return shown.map((finding) => {
    const [start, end] = spanOf(finding);
    const last = Math.min(text.length, Math.max(end, start + 1));
    return {
      finding, start: Math.min(start, Math.max(0, last - 1)), end: last,
      edits: finding.edits?.length ? editsInUnits(text, finding.edits) : null,
    };
  }).sort((one, other) => one.start - other.start || one.end - other.end);
}

/**
 * Moves marks along with a change of the text. A mark keeps text typed inside it; one whose text
 * was removed altogether disappears.
 * @param {Mark[]} marks
 * @param {{start: number, end: number, length: number}} change
 * @returns {Mark[]}
 */
export function moveMarks(marks, change) {
  const moved = change.length - (change.end - change.start);
  const after = (offset) => (offset >= change.end ? offset + moved
    : offset <= change.start ? offset : change.start);
  const isClear = ({ start, end }) => end < change.start || start > change.end;
  return marks.flatMap((mark) => {
    const start = after(mark.start);
    const end = mark.end >= change.end ? mark.end + moved : Math.min(mark.end, change.start);
    if (end <= start) return [];
    const edits = mark.edits?.every(isClear)
      ? mark.edits.map((edit) => ({ ...edit, start: after(edit.start), end: after(edit.end) })) : null;
    return [{ ...mark, start, end, edits }];
  });
}

/** The marks that hold an offset, errors first, then the smallest. */
export function marksAt(marks, offset) {
  const isError = ({ finding }) => Number(finding.severity !== "error");
  return marks.filter(({ start, end }) => start <= offset && offset <= end)
    .sort((one, other) => isError(one) - isError(other) || (one.end - one.start) - (other.end - other.start));
}

/**
 * The mark to go to from the caret, around the end of the text if need be.
 * @param {Mark[]} marks in the order of the text
 * @param {number} offset
 * @param {1|-1} step
 * @returns {Mark|null}
 */
export function nextMark(marks, offset, step) {
  if (marks.length === 0) return null;
  if (step > 0) return marks.find(({ start }) => start > offset) ?? marks[0];
  return [...marks].reverse().find(({ start }) => start < offset) ?? marks.at(-1);
}
