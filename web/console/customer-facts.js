import { shownName } from "../cards/attachments.js";
import { kinds } from "../composer/kinds.js";
import { summaryOf } from "../lib/erased.js";

/** What a customer answered and sent, found in the messages of their conversation. Pure. */

/** So many are shown. */
const MOST = 8;

/**
 * Answers to cards and files of the customer, the newest first.
 * @param {any[]} messages ascending
 * @returns {{message: string, text: string, kind: string|null, size?: number}[]} `kind`: null for one without a name here; `size` in bytes, of a file
 */
export function foundInThread(messages) {
  const found = [];
  for (let at = messages.length - 1; at >= 0 && found.length < MOST; at -= 1) {
    const message = messages[at];
    if (message.direction !== "inbound" || message.erasedAt) continue;
    for (const file of message.attachments ?? []) {
      found.push({ message: message.id, text: shownName(file.name) || summaryOf(message), kind: "attachment", size: file.size });
    }
    if (message.inReplyTo && message.kind !== "text") {
      found.push({ message: message.id, text: summaryOf(message), kind: kinds.some((one) => one.kind === message.kind) ? message.kind : null });
    }
  }
  return found.slice(0, MOST);
}

/**
 * What a page said of the customer with the newest message that has it, as lines of name and value.
 * @param {any[]} messages ascending
 * @returns {{key: "name"|"email"|"path"|"attribute", name: string, value: string}[]} `name`: the attribute's key
 */
export function saidByPage(messages) {
  const page = messages.findLast((message) => message.page && !message.erasedAt)?.page;
  if (!page) return [];
  const lines = ["name", "email", "path"].filter((key) => page[key]).map((key) => ({ key, name: "", value: page[key] }));
  return [...lines, ...Object.entries(page.attributes ?? {}).map(([name, value]) => ({ key: "attribute", name, value: String(value) }))];
}

/**
 * The number of a customer who writes by WhatsApp, as people write it; null for all others.
 * @param {{id?: string}} [customer]
 * @returns {string|null}
 */
export function whatsAppNumber(customer) {
  let own = "";
  try {
    own = atob((customer?.id ?? "").replace(/^urn:mbid:/, ""));
  } catch {
    // Safe: an id of another form is that of another channel.
  }
  const digits = /^whatsapp:(\d+)$/.exec(own)?.[1];
  return digits ? `+${digits}` : null;
}
