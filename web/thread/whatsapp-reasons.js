/** Why WhatsApp did not send a message, in the reader's language. The server says it in English, so that only the others are loaded. */
import { language, registerStrings, t } from "../lib/i18n.js";

await registerStrings({ en: {}, ja: () => import("./whatsapp-reasons-ja.js") });

/**
 * The words by the code that ends the server's own; those that have none stay as they are.
 * @param {string} detail such as `it cannot be delivered (131026: refused)`
 * @returns {{words: string, isEnglish: boolean}}
 */
export function whatsappReason(detail) {
  const [, code, rest] = /^[^(]*\((\d+)(:[^]*)?\)$/.exec(detail ?? "") ?? [];
  const key = `whatsappReason.${code}`;
  const own = code && language() !== "en" ? t(key) : key;
  return own === key || !code ? { words: detail, isEnglish: language() !== "en" } : { words: `${own} (${code}${rest ?? ""})`, isEnglish: false };
}
