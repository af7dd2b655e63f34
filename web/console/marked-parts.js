/**
 * Cuts a snippet at its marks, which count UTF-16 units as the page does. Pure.
 * @param {{text: string, marks: {start: number, end: number}[]}} snippet
 * @returns {{text: string, isMarked: boolean}[]}
 */
export function markedParts({ text, marks }) {
  const parts = [];
  let at = 0;
  const add = (end, isMarked) => {
    if (end > at) parts.push({ text: text.slice(at, end), isMarked });
    at = Math.max(at, end);
  };
  for (const { start, end } of [...marks].sort((one, other) => one.start - other.start)) {
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return parts;
}
