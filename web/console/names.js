import { t } from "../lib/i18n.js";

export { customerLetters, customerName, hueOf, initials } from "../lib/names.js";

/**
 * The prefix of a line in the list: none for a customer's message, also a scripted customer's,
 * "You:" for this agent's, and else the author's name, a colleague's, a bot's or a key's.
 * @param {{direction: string, author?: {type: string, id: string, name: string|null}}} message
 * @param {string} ownID
 */
export function authorLead({ direction, author }, ownID) {
  if (!author || direction === "inbound") return "";
  if (author.type === "agent" && author.id === ownID) return t("console.you");
  return t("console.by", { name: author.name || t(`thread.author.${author.type}`) });
}
