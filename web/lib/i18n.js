/**
 * The page's texts in the reader's language. Each part of the pages registers its own two tables:
 *
 *     import en from "../i18n/en/phone.js";
 *     import ja from "../i18n/ja/phone.js";
 *     registerStrings({ en, ja });
 *
 * Keys carry their part as a prefix (`phone.send`). `{name}` in a text is replaced by `vars.name`.
 * A text that counts is a table by plural form: `{ one: "{count} message", other: "…" }`.
 */

import enCards from "../i18n/en/cards.js";
import en from "../i18n/en/shared.js";
import jaCards from "../i18n/ja/cards.js";
import ja from "../i18n/ja/shared.js";

/** The languages of the pages, with their own names. */
export const languages = Object.freeze({ en: "English", ja: "日本語" });

const STORAGE_KEY = "fd.language";
const tables = { en: new Map(), ja: new Map() };
const listeners = new Set();
let current = detect();

registerStrings({ en, ja });
registerStrings({ en: enCards, ja: jaCards });

/**
 * Adds a part's texts.
 * @param {{en: Record<string, any>, ja: Record<string, any>}} strings
 */
export function registerStrings(strings) {
  for (const [language, table] of Object.entries(strings)) {
    for (const [key, text] of Object.entries(table)) tables[language].set(key, text);
  }
}

/**
 * The text for a key in the current language; English when it is missing, the key when both are.
 * @param {string} key
 * @param {Record<string, any>} [vars]
 * @returns {string}
 */
export function t(key, vars = {}) {
  let text = tables[current].get(key) ?? tables.en.get(key) ?? key;
  if (typeof text === "object") {
    const form = new Intl.PluralRules(current).select(Number(vars.count ?? 0));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in vars ? String(vars[name]) : whole));
}

/** The current language of the page. */
export function language() {
  return current;
}

/**
 * Changes the language, remembers it, and notifies the listeners.
 * @param {string} next
 */
export function setLanguage(next) {
  if (!(next in languages)) return;
  current = next;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Safe: a browser without storage only forgets the choice.
  }
  applyLanguage();
  for (const listener of listeners) listener(next);
}

/**
 * Calls `listener` whenever the language changes; the result ends it.
 * @param {(language: string) => void} listener
 */
export function onLanguageChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets the document's language. */
export function applyLanguage() {
  if (typeof document !== "undefined") document.documentElement.lang = current;
}

function detect() {
  let wished = [];
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    if (stored) wished.push(stored);
  } catch {
    // Safe: no storage, no remembered choice.
  }
  if (typeof navigator !== "undefined") wished = wished.concat(navigator.languages ?? []);
  for (const tag of wished) {
    const primary = String(tag).toLowerCase().split("-")[0];
    if (primary in languages) return primary;
  }
  return "en";
}

applyLanguage();
