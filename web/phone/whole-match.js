/**
 * Whether the whole text matches; null for what is no pattern.
 * @param {string} pattern
 * @param {string} text
 */
export function isWholeMatch(pattern, text) {
  try {
    return new RegExp(`^(?:${pattern})$`, "u").test(text);
  } catch {
    return plainMatch(pattern, text);
  }
}

/** Patterns of other languages escape what needs no escape, which only the plain mode allows. */
function plainMatch(pattern, text) {
  try {
    return new RegExp(`^(?:${pattern})$`).test(text);
  } catch {
    return null;  // Safe: an unreadable pattern stops no customer.
  }
}
