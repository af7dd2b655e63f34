/** What a page says of its customer, brought into the form that the server accepts. Pure. */

const MOST_ATTRIBUTES = 20;
const KEY = /^[a-z][a-z0-9_]{0,39}$/;
const LARGEST = 1e15;

/**
 * A text of at most so many bytes of UTF-8, cut at a character.
 * @param {any} value
 * @param {number} bytes
 */
function short(value, bytes) {
  let text = "";
  let count = 0;
  for (const character of String(value ?? "").replaceAll("\0", "").trim()) {
    count += new TextEncoder().encode(character).length;
    if (count > bytes) break;
    text += character;
  }
  return text;
}

/**
 * Leaves out what the server would refuse, so that a mistake of the shop's page keeps no customer from writing.
 * @param {any} page
 * @returns {{name?: string, email?: string, path?: string, attributes?: Record<string, string|number>}|null}
 */
export function pageData(page) {
  if (typeof page !== "object" || page === null) return null;
  const found = {};
  for (const [name, bytes] of [["name", 200], ["email", 254], ["path", 500]]) {
    const text = short(page[name], bytes);
    if (text) found[name] = text;
  }
  const attributes = {};
  for (const [key, value] of Object.entries(page.attributes ?? {})) {
    if (!KEY.test(key) || Object.keys(attributes).length >= MOST_ATTRIBUTES) continue;
    if (typeof value === "number" && Math.abs(value) <= LARGEST) attributes[key] = value;
    else if (["string", "boolean"].includes(typeof value) && short(value, 200)) attributes[key] = short(value, 200);
  }
  if (Object.keys(attributes).length > 0) found.attributes = attributes;
  return Object.keys(found).length > 0 ? found : null;
}
