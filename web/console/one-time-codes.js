/** What a person types and reads of a second factor, as text. */

/** Digits of the code that an app shows. */
const APP_DIGITS = 6;

/**
 * A secret or code in groups of four, which are easier to type.
 * @param {string} text
 */
export function grouped(text) {
  return text.match(/.{1,4}/g)?.join(" ") ?? "";
}

/**
 * What was typed or pasted, without what only groups it; the server reads it the same way.
 * @param {string} typed
 */
export function plainCode(typed) {
  return typed.normalize("NFKC").replace(/[\s\u2010-\u2015\u2212\u30FC-]/gu, "");
}

/**
 * Whether it may be a code: six digits of an app, or anything where a recovery code is asked for.
 * @param {string} typed
 * @param {boolean} isRecovery
 */
export function isComplete(typed, isRecovery) {
  const code = plainCode(typed);
  return isRecovery ? code.length > 0 : code.length === APP_DIGITS && /^\d+$/.test(code);
}

/**
 * The file in which recovery codes are kept.
 * @param {{title: string, account: string, lead: string, codes: string[]}} words
 */
export function recoveryFile({ title, account, lead, codes }) {
  return `${[title, account, "", ...codes, "", lead].join("\n")}\n`;
}
