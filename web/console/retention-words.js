/** What the page says of retention by age. Pure. */

/** The numbers of days that can be chosen. */
export const DAYS = Object.freeze({ least: 30, most: 3_650, offered: 365 });

/**
 * How far a choice is: `off`, `waits` for its beginning, has `begun` and not gone through everything once, or is `done` up to a moment.
 * @param {{days: number|null, beginsAt: string|null, erasedThrough: string|null}} retention
 * @param {number} now milliseconds
 * @returns {"off"|"waits"|"begun"|"done"}
 */
export function phaseOf({ days, beginsAt, erasedThrough }, now = Date.now()) {
  if (days === null) return "off";
  if (Date.parse(beginsAt) > now) return "waits";
  return erasedThrough ? "done" : "begun";
}

/**
 * Whether to ask before: what keeps as much as now, or more, is saved at once.
 * @param {{days: number|null}} retention as it is @param {number|null} days as chosen; null for ever
 */
export function erasesMore(retention, days) {
  return days !== null && (retention.days === null || days < retention.days);
}

/**
 * The key of the sentence that says what a preview found.
 * @param {{messages: number, notes: number, isComplete: boolean}} preview
 * @returns {"retention.ask"|"retention.askLeast"|"retention.askNothing"}
 */
export function questionOf({ messages, notes, isComplete }) {
  if (!isComplete) return "retention.askLeast";
  return messages + notes ? "retention.ask" : "retention.askNothing";
}
