/** What words find in a thread: the texts that people read in its messages, and its notes. Pure. */

/** Members of a payload whose text is shown to people somewhere; the same as those that the server searches. */
const SHOWN = new Set([
  "alternateTitle", "appName", "body", "brandName", "buttonTitle", "description", "familyName", "givenName", "header", "hintText",
  "imageSubtitle", "imageTitle", "label", "labelText", "locality", "merchantName", "name", "pickerTitle", "placeholder", "prefixText",
  "secondarySubtitle", "splashtext", "subtitle", "summaryText", "tertiarySubtitle", "title", "value",
]);

/**
 * A text as it is compared: case, accents and width do not matter.
 * @param {string} text
 */
export function folded(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
}

/**
 * The rows of a thread that have all the words, in the thread's order.
 * @param {{messages: any[], notes: any[]}} thread
 * @param {string} words
 * @returns {string[]} the keys of the rows
 */
export function findInThread({ messages, notes }, words) {
  const wanted = folded(words).split(/\s+/).filter(Boolean);
  if (!wanted.length) return [];
  const has = (pieces) => {
    const text = folded(pieces.join("\n"));
    return wanted.every((word) => text.includes(word));
  };
  return [
    ...messages.filter((one) => !one.erasedAt && has(piecesOf(one))).map((one) => ({ key: one.id, place: one.sequence, time: "" })),
    ...notes.filter((one) => one.text && has([one.text])).map((one) => ({ key: `note-${one.id}`, place: one.afterSequence, time: one.time })),
  ].sort((one, other) => one.place - other.place || one.time.localeCompare(other.time)).map(({ key }) => key);
}

function piecesOf({ payload, summary, attachments = [] }) {
  const pieces = [summary ?? "", ...attachments.map(({ name }) => name ?? "")];
  gather(payload, pieces);
  return pieces;
}

function gather(value, pieces) {
  if (!value || typeof value !== "object") return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== "string") gather(member, pieces);
    else if (SHOWN.has(name)) pieces.push(member);
  }
}
