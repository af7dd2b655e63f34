/** When a join code is renewed, and the text of its countdown. Pure. */

/** A code is renewed this long before its end, or after nine tenths of a shorter life. */
const renewAheadMilliseconds = 30_000;

/**
 * The time at which the next code is requested.
 * @param {number} made
 * @param {number} expires
 */
export function renewalOf(made, expires) {
  return Math.max(expires - renewAheadMilliseconds, made + (expires - made) * 0.9);
}

/** The longest that a code is valid, with room, and how long one is shown whose end is by another clock, in milliseconds. */
const LONGEST_MILLISECONDS = 3_600_000;
const SHOWN_MILLISECONDS = 540_000;

/**
 * When a code is replaced. The clock of a gateway for tests stands still, far from that of its answers: a code's end by
 * it says nothing of how long the code is valid from now on, and `isCounted` is false.
 * @param {number} made @param {number} expires
 */
export function lifeOf(made, expires) {
  const isCounted = expires > made && expires - made <= LONGEST_MILLISECONDS;
  return { isCounted, renewal: isCounted ? renewalOf(made, expires) : made + SHOWN_MILLISECONDS };
}

/** Time left as m:ss, never below zero. */
export function countdown(expires, now) {
  const seconds = Math.max(0, Math.ceil((expires - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How far the server's clock is ahead of ours, from the Date header of an answer just received. */
export function clockSkew(dateHeader, now) {
  const server = Date.parse(dateHeader ?? "");
  const skew = Number.isNaN(server) ? 0 : server - now;
  // The header counts whole seconds: a smaller difference is ignored.
  return Math.abs(skew) < 2000 ? 0 : skew;
}
