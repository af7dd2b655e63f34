/** Good words for cards in the customer's language, until the agent writes better ones. */
import { kinds } from "./kinds.js";

/**
 * @param {string|undefined} locale like ja_JP
 * @param {string} kind one that declares `words`
 */
export function cardDefaults(locale, kind) {
  const { words } = kinds.find((entry) => entry.kind === kind);
  return locale?.toLowerCase().startsWith("ja") ? words.ja : words.en;
}
