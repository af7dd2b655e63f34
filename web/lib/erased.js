import { t } from "./i18n.js";
import { summaryWords } from "./summary-words.js";

/** What is left of a message whose content was erased. */

/** Whether the content of a message was erased. @param {{erasedAt?: string}} message */
export function isErased(message) {
  return Boolean(message.erasedAt);
}

/**
 * The line that lists show of a message, or of a conversation's last one, in the language of the page: what it says, or that it
 * was erased.
 * @param {{summary: string, kind?: string, erasedAt?: string}|null} [message]
 */
export function summaryOf(message) {
  if (!message) return "";
  return isErased(message) ? t("shared.erased") : summaryWords(message.summary, message.kind);
}

/**
 * Messages after an event `message.erased`: the message that it names is left with what a tombstone keeps.
 * @param {any[]} messages
 * @param {{conversation: string, time: string, data: {message: string}}} event
 * @returns {any[]}
 */
export function withErased(messages, { conversation, time, data }) {
  return messages.map((message) => (message.id !== data.message || message.conversation !== conversation ? message : {
    id: message.id, conversation, business: message.business, sequence: message.sequence, time: message.time,
    direction: message.direction, kind: message.kind, author: message.author, origin: message.origin,
    erasedAt: time, payload: {}, summary: "", inReplyTo: null, attachments: [], warnings: [], template: null,
  }));
}
