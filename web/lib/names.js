import { t } from "./i18n.js";

/** The last letters of a customer's opaque id, which are the same each time. @param {any} customer */
function tailOf(customer) {
  return String(customer?.id ?? "").replace(/[^A-Za-z0-9]/g, "").slice(-4).toUpperCase();
}

/** The number of a customer of WhatsApp, which their id holds in base64; null for others. @param {any} customer */
function numberOf(customer) {
  try {
    return /^whatsapp:(\d+)$/.exec(atob(String(customer?.id ?? "").replace(/^urn:mbid:/, "")))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Marks that turn the words beside a name around, and characters that show nothing. */
const TURNS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name of a customer as a line shows it; empty where nothing of it can be seen. @param {string|null} [name] */
function oneLine(name) {
  return (name ?? "").replace(/[\n\r\t\u2028\u2029]+/g, " ").replace(TURNS, "").trim();
}

/**
 * What we call a customer: the contact's name that agents gave, else the customer's own, else their number, else the last letters of
 * their id; of one who was erased that.
 * @param {{customer?: {id?: string, name?: string|null, erased?: boolean}, contact?: {name?: string|null}}} conversation
 */
export function customerName({ customer, contact }) {
  return oneLine(contact?.name) || oneLine(customer?.name)
    || (customer?.erased ? t("shared.customerErased") : unnamed(customer));
}

/** @param {any} customer */
function unnamed(customer) {
  const number = numberOf(customer);
  return number ? `+${number}` : t("shared.customerName", { tail: tailOf(customer) });
}

/** One or two letters for a customer's face: of the name shown, else of their id. @param {any} conversation */
export function customerLetters({ customer, contact }) {
  const name = oneLine(contact?.name) || oneLine(customer?.name);
  return name ? initials(name) : tailOf(customer).slice(0, 2) || "?";
}

/**
 * What the server fills in by itself in a conversation. What a parameter has as its default is for customers of whom it is unknown, so it must
 * not be in the field, from where it would be sent as if the agent had written it.
 * @param {{customer?: {name?: string | null, locale?: string | null}, contact?: {name?: string | null} | null}} conversation
 */
export function knownValues({ customer, contact }) {
  // The names of the business and the agent are always known to the server: their fields are left empty for it.
  const known = { "customer.name": contact?.name ?? customer?.name, "customer.locale": customer?.locale, "business.name": "", "agent.name": "" };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null && value !== undefined));
}

/** Letters as wide as two others: a face has room for one. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** One or two letters that stand for a name. @param {string} name */
export function initials(name) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const firsts = letters.map((word) => [...word][0] ?? "");
  return (firsts.some((one) => WIDE.test(one)) ? firsts.slice(0, 1) : firsts).join("").toUpperCase();
}

/** A steady hue for an id, so that a face keeps its colour. @param {string} id */
export function hueOf(id) {
  let sum = 0;
  for (const letter of String(id)) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
}
