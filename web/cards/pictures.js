/** The pictures among the files of messages. Pure. */
import { kindOf } from "./card-model.js";
import { missingPlaces, readAttachments } from "./attachments.js";

/** @typedef {{name: string, url: string, message?: string}} Picture */

/** Whether files of a type are shown as pictures. @param {string} mimeType */
export function isPicture(mimeType) {
  return /^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp)$/i.test(mimeType);
}

/**
 * Where a file is read; null for one that is nowhere.
 * @param {{url: string|null, id: string|null}} attachment
 * @param {(id: string) => string} attachmentUrl
 */
export function urlOf(attachment, attachmentUrl) {
  return attachment.url ?? (attachment.id ? attachmentUrl(attachment.id) : null);
}

/**
 * The pictures of messages in the order in which a thread shows them.
 * @param {any[]} messages
 * @param {(id: string) => string} attachmentUrl
 * @returns {Picture[]}
 */
export function picturesOf(messages, attachmentUrl) {
  return messages.filter(({ payload }) => kindOf(payload) === "text").flatMap((message) =>
    readAttachments(message.payload, message.attachments, missingPlaces(message))
      .filter(({ mimeType }) => isPicture(mimeType))
      .map((attachment) => ({
        name: attachment.name, url: urlOf(attachment, attachmentUrl), message: message.id,
      }))
      .filter(({ url }) => url));
}
