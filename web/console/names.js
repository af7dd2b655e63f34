import { t } from "../lib/i18n.js";

/**
 * What we call a customer: their name where one is known, else the last letters of the opaque id,
 * which are the same each time.
 * @param {any} conversation
 */
export function customerName(conversation) {
  const customer = conversation.customer ?? {};
  if (customer.name) return customer.name;
  const tail = String(customer.id ?? "").replace(/[^A-Za-z0-9]/g, "").slice(-4).toUpperCase();
  return t("console.customerName", { tail });
}

/**
 * The prefix of a line in the list: none for a customer's message, also a scripted customer's,
 * "You:" for this agent's, and else the author's name, a colleague's, a bot's or a key's.
 * @param {{direction: string, author?: {type: string, id: string, name: string|null}}} message
 * @param {string} ownID
 */
export function authorLead({ direction, author }, ownID) {
  if (!author || direction === "inbound") return "";
  if (author.type === "agent" && author.id === ownID) return t("console.you");
  const name = author.name || (author.type === "server" ? "" : t(`thread.author.${author.type}`));
  return name ? t("console.by", { name }) : "";
}

/** One or two letters that stand for a name. @param {string} name */
export function initials(name) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...word][0] ?? "").join("").toUpperCase();
}

/** A steady hue for an id, so that a face keeps its colour. @param {string} id */
export function hueOf(id) {
  let sum = 0;
  for (const letter of String(id)) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
}
