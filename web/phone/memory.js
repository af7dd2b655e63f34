/**
 * What the phone remembers about a business between two visits. Private windows may refuse to
 * store; then it is remembered as long as the page lives.
 */
const fallback = new Map();

/** The browser's storage, or null where there is none. */
export function storageOrNull() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;  // Safe: storage may be forbidden; the page works without.
  }
}

/** @param {string} key */
export function recall(key) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** @param {string} key @param {any} value null forgets */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    if (value === null) fallback.delete(key);
    else fallback.set(key, value);
  }
}

/**
 * Forgets everything whose name begins with a text, except what begins with another.
 * @param {string} start @param {string|null} [kept]
 */
export function forgetAll(start, kept = null) {
  const isOld = (key) => key.startsWith(start) && (kept === null || !key.startsWith(kept));
  for (const key of [...fallback.keys()].filter(isOld)) fallback.delete(key);
  try {
    for (const key of Object.keys(localStorage).filter(isOld)) localStorage.removeItem(key);
  } catch {
    // Safe: without storage nothing was kept.
  }
}
