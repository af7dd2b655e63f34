/** A pattern that takes longer than this is stopped; the server matches it in linear time. */
const MAX_MILLISECONDS = 400;
const ADDRESS = "/web/phone/form-pattern-worker.js";

/**
 * Whether a whole text matches a form's pattern. A provider's pattern may never end, so it runs
 * in a worker and is stopped in time; what cannot be decided here counts as a match.
 * @param {string} pattern
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export function matchesPattern(pattern, text) {
  return new Promise((resolve) => {
    if (pattern === "") return resolve(true);
    let worker;
    try {
      worker = new Worker(/** @type {any} */ (trusted(ADDRESS)), { type: "module" });
    } catch {
      return resolve(true);  // Safe: the server validates every answer.
    }
    const end = (isMatch) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(isMatch);
    };
    const timer = setTimeout(() => end(true), MAX_MILLISECONDS);
    worker.addEventListener("message", ({ data }) => end(data !== false));
    worker.addEventListener("error", () => end(true));
    worker.postMessage({ pattern, text });
  });
}

let policy = null;

/** The one address of a worker, in the form that a page under Trusted Types requires. */
function trusted(address) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  if (!trustedTypes) return address;
  policy ??= trustedTypes.createPolicy("frontdesk-form-pattern", {
    createScriptURL: (text) => {
      if (text !== ADDRESS) throw new TypeError("not our worker");
      return text;
    },
  });
  return policy.createScriptURL(address);
}
