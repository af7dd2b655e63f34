/** The pictures of a thread, among the files of its messages. Pure. */
import { missingPlaces, readAttachments } from "./attachments.js";
import { kindOf } from "./kinds.js";
import { isPicture, urlOf } from "./pictures.js";

/** @typedef {{name: string, url: string, message?: string}} Picture */

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
