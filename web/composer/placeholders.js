/**
 * Finds placeholders such as <team-identifier> in the strings of a JSON text and fills them in.
 * Values go in as JSON text, so a quote in a value can never end a string; every other byte stays.
 */
import { readJSON } from "./json-tokens.js";

/** Further placeholders of one file are ignored. */
export const placeholderLimit = 50;

const placeholderPattern = /<([A-Za-z][A-Za-z0-9._ -]{0,62}[A-Za-z0-9])>/g;

/**
 * The names of the placeholders, each once, in the order they occur.
 * @param {string} text
 * @returns {{name: string, count: number, isNumber: boolean}[]}
 */
export function findPlaceholders(text) {
  const found = new Map();
  for (const { start, end, kind } of readJSON(text).tokens) {
    if (kind !== "string") continue;
    const source = text.slice(start + 1, end - 1);
    for (const match of source.matchAll(placeholderPattern)) {
      const known = found.get(match[1]);
      const isNumber = match[0] === source && numericName.test(match[1]);
      if (known) {
        known.count += 1;
        known.isNumber &&= isNumber;
      } else if (found.size < placeholderLimit) {
        found.set(match[1], { name: match[1], count: 1, isNumber });
      }
    }
  }
  return [...found.values()];
}

// A whole-string placeholder with such a name is replaced by a number, as appId.
const numericName = /^app(?:lication)?[-_ ]?(?:store[-_ ]?)?(?:id|identifier)$/i;

/**
 * Puts values in; a placeholder without a value stays as it is.
 * @param {string} text
 * @param {Map<string, string>} values
 */
export function fillPlaceholders(text, values) {
  const numeric = new Set(findPlaceholders(text).filter((it) => it.isNumber).map((it) => it.name));
  let filled = "";
  let copied = 0;
  for (const { start, end, kind } of readJSON(text).tokens) {
    if (kind !== "string") continue;
    const source = text.slice(start + 1, end - 1);
    let replaced = source.replaceAll(placeholderPattern, (whole, name) => {
      const value = values.get(name);
      return value ? JSON.stringify(value).slice(1, -1) : whole;
    });
    if (replaced === source) continue;
    const name = source.slice(1, -1);
    const becomesNumber = numeric.has(name) && /^[1-9][0-9]{0,15}$/.test(values.get(name) ?? "");
    replaced = becomesNumber ? replaced : `"${replaced}"`;
    filled += text.slice(copied, start) + replaced;
    copied = end;
  }
  return filled + text.slice(copied);
}

/**
 * The most likely value of a placeholder for the open conversation.
 * @param {string} name
 * @param {{business: string, customer: string, freshID: () => string}} known
 * @returns {string|null}
 */
export function knownValue(name, known) {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (/^(?:source|sourceid|sourceidentifier|businessid|businessidentifier|yourbusinessid|bizid)$/.test(plain)) {
    return known.business;
  }
  if (/^(?:destination|destinationid|destinationidentifier|customerid|opaqueid|userid)$/.test(plain)) {
    return known.customer;
  }
  if (/^(?:id|messageid|messageidentifier|uuid|requestid|requestidentifier|sessionid|sessionidentifier)$/.test(plain)) {
    return known.freshID();
  }
  return null;
}
