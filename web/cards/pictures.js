/** The pictures among the files of messages. Pure. */
import { kindOf } from "./kinds.js";
import { missingPlaces, readAttachments } from "./attachments.js";

/** @typedef {{name: string, url: string, message?: string}} Picture */

/** Whether files of a type are shown as pictures. @param {string} mimeType */
export function isPicture(mimeType) {
  return /^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp)$/i.test(mimeType);
}

/**
 * Where a file is read; null for one that is nowhere.
 * @param {{url: string|null, id: string|null}} attachment
 * @param {(id: string, message?: string) => string} attachmentUrl
 * @param {string} [message] the message that names it
 */
export function urlOf(attachment, attachmentUrl, message) {
  return attachment.url ?? (attachment.id ? attachmentUrl(attachment.id, message) : null);
}

/**
 * The pictures of messages in the order in which a thread shows them.
 * @param {any[]} messages
 * @param {(id: string, message: string) => string} attachmentUrl as for the cards of the thread
 * @returns {Picture[]}
 */
export function picturesOf(messages, attachmentUrl) {
  return messages.filter(({ payload }) => kindOf(payload) === "text").flatMap((message) =>
    readAttachments(message.payload, message.attachments, missingPlaces(message))
      .filter(({ mimeType }) => isPicture(mimeType))
      .map((attachment) => ({
        name: attachment.name, url: urlOf(attachment, attachmentUrl, message.id), message: message.id,
      }))
      .filter(({ url }) => url));
}
