/** How long an answer may be under way, with what its header leaves out: a clock that differs by less is right. */
const SMALLEST_MILLISECONDS = 60_000;

/** How far the server's clock is ahead of this device's. */
let ahead = 0;

/**
 * Learns from an answer what time it is for the server.
 * @param {string|null} date its header `Date`
 */
export function learnTime(date, now = Date.now()) {
  const difference = Date.parse(date ?? "") - now;
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < SMALLEST_MILLISECONDS ? 0 : difference;
}

/** What time it is, on a device whose clock is wrong too. It decides what has passed; what is shown stays the device's. */
export const serverNow = () => new Date(Date.now() + ahead);
