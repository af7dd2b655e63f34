/** What is typed into the settings of the widget. Pure. */

/**
 * The origins in a text, one a line; of an address that was pasted whole its origin.
 * @param {string} text
 * @returns {string[]}
 */
export function originsOf(text) {
  return text.split(/[\s,]+/).filter(Boolean).map((one) => {
    try {
      const { protocol, origin } = new URL(one);
      // The server says what is wrong with all else.
      return ["http:", "https:"].includes(protocol) ? origin : one;
    } catch {
      return one;  // Safe: as above.
    }
  });
}
