/** What the server reads of a search at most: bytes of UTF-8, and words. */
const MOST_BYTES = 256;
const MOST_WORDS = 16;

/**
 * Why words cannot be searched for, as the key of a text; "" where they can. Pure.
 * @param {string} words
 */
export function searchFault(words) {
  if (!/[\p{L}\p{N}]/u.test(words)) return "filter.noWord";
  const isLong = new TextEncoder().encode(words).length > MOST_BYTES || new Set(words.trim().split(/\s+/u)).size > MOST_WORDS;
  return isLong ? "filter.tooLong" : "";
}
