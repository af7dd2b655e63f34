/** Fulfilled after so long, or as soon as the browser says that there is a connection. @param {number} milliseconds */
export function connectionOr(milliseconds) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve(undefined);
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
  });
}

/**
 * How long to wait before the next attempt: doubles up to a ceiling, with random jitter, so that a
 * thousand pages do not return at once.
 */
export class Backoff {
  /**
   * @param {{firstMilliseconds?: number, maxMilliseconds?: number,
   *   random?: () => number}} [options]
   */
  constructor({ firstMilliseconds = 400, maxMilliseconds = 20_000, random = Math.random } = {}) {
    this.first = firstMilliseconds;
    this.max = maxMilliseconds;
    this.random = random;
    this.attempts = 0;
  }

  /** Milliseconds until the next attempt: between half and all of the doubled step. */
  next() {
    const step = Math.min(this.max, this.first * 2 ** Math.min(this.attempts, 16));
    this.attempts += 1;
    return Math.round(step / 2 + (step / 2) * this.random());
  }

  /** Something worked: begin again from the shortest wait. */
  reset() {
    this.attempts = 0;
  }
}
