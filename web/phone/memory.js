/**
 * What the phone remembers about a business between two visits. Private windows may refuse to
 * store, or have no room; then it is remembered as long as the page lives.
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
  if (fallback.has(key)) return fallback.get(key);
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;  // Safe: nothing can be stored, or what is stored is of an older page.
  }
}

/** @param {string} key @param {any} value null forgets */
export function remember(key, value) {
  fallback.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    if (value !== null) fallback.set(key, value);
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
