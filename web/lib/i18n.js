/**
 * The page's texts in the reader's language; the other language is loaded when it is chosen. Each part of the pages
 * registers its own two tables, and waits for the one that is needed:
 *
 *     await registerStrings({ en: () => import("../i18n/en/phone.js"), ja: () => import("../i18n/ja/phone.js") });
 *
 * Keys carry their part as a prefix (`phone.send`). `{name}` in a text is replaced by `vars.name`.
 * A text that counts is a table by plural form: `{ one: "{count} message", other: "…" }`.
 */

/** The languages of the pages, with their own names. */
export const languages = Object.freeze({ en: "English", ja: "日本語" });

const STORAGE_KEY = "fd.language";
const tables = { en: new Map(), ja: new Map() };
/** What loads the tables that were not needed yet, and the loads that have begun. */
const unread = { en: [], ja: [] };
const reads = { en: Promise.resolve(), ja: Promise.resolve() };
const listeners = new Set();
let current = detect();
/** The language that was chosen last; its tables may still be loading. */
let wanted = current;

await Promise.all([
  registerStrings({ en: () => import("../i18n/en/shared.js"), ja: () => import("../i18n/ja/shared.js") }),
  registerStrings({ en: () => import("../i18n/en/cards.js"), ja: () => import("../i18n/ja/cards.js") }),
]);

/**
 * Adds a part's texts.
 * @param {Record<"en"|"ja", Record<string, any>|(() => Promise<{default: Record<string, any>}>)>} strings a table, or
 *   what loads it
 * @returns {Promise<void>} fulfilled when those of the page's language are there
 */
export async function registerStrings(strings) {
  for (const [language, table] of Object.entries(strings)) {
    if (typeof table === "function") unread[language].push(table);
    else add(language, table);
  }
  await Promise.all([...new Set([current, wanted])].map(read));
}

function add(language, table) {
  for (const [key, text] of Object.entries(table)) tables[language].set(key, text);
}

/** Loads the tables of a language that are not there yet, and waits for those that are being loaded. */
function read(language) {
  const loads = unread[language].splice(0);
  const own = Promise.all(loads.map(async (load) => add(language, (await load()).default)));
  own.catch(() => unread[language].push(...loads));  // Safe: the caller handles it; they are loaded when needed next.
  reads[language] = Promise.all([reads[language].catch(() => {}), own]);  // Safe: the earlier caller handled it.
  return reads[language];
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
 * Changes the language, remembers it, and notifies the listeners. Without a connection to load its texts the language
 * stays as it is; of several choices the last one counts.
 * @param {string} next
 * @returns {Promise<boolean>} whether it is the language now
 */
export async function setLanguage(next) {
  if (!await showLanguage(next)) return false;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Safe: a browser without storage only forgets the choice.
  }
  return true;
}

/**
 * Changes the language of this page alone, as `setLanguage` does, without remembering it.
 * @param {string} next
 * @returns {Promise<boolean>} whether it is the language now
 */
export async function showLanguage(next) {
  if (!(next in languages)) return false;
  wanted = next;
  try {
    await read(next);
  } catch {
    if (wanted === next) wanted = current;  // Safe: it can be chosen again.
    return false;
  }
  if (wanted !== next) return false;
  current = next;
  applyLanguage();
  for (const listener of listeners) listener(next);
  return true;
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
