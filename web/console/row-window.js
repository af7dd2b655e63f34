/** The height of a row in pixels (`console.css`), and how many are drawn beyond what is in view. */
export const ROW_HEIGHT = 60;
const BEYOND = 6;
/** A list with fewer rows is drawn whole. */
const WHOLE = 120;

/**
 * Which rows of a long list are drawn: those in view and some more; room is kept for the others.
 * @param {number} count
 * @param {{top: number, height: number}} view what is in view of the list, in pixels
 * @returns {{from: number, to: number, before: number, after: number}} `to` is not drawn any more; `before` and `after` in pixels
 */
export function windowOf(count, { top, height }) {
  if (count <= WHOLE) return { from: 0, to: count, before: 0, after: 0 };
  const from = Math.max(0, Math.min(count, Math.floor(top / ROW_HEIGHT) - BEYOND));
  const to = Math.min(count, Math.ceil((top + height) / ROW_HEIGHT) + BEYOND);
  return { from, to, before: from * ROW_HEIGHT, after: (count - to) * ROW_HEIGHT };
}
