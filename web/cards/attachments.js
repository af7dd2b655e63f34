import { t } from "../lib/i18n.js";
import { list, record, words } from "./card-model.js";

/** What turns a name around or is not seen in it: `gpj.exe` would look like a picture. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A file's name as people read it; empty where nothing of it can be seen. @param {unknown} name */
export const shownName = (name) => words(name).replace(unseen, "");

/**
 * The attachments of a message: what the server keeps, filled with what the payload says. What could
 * not be fetched keeps its place and its name.
 * @param {any} payload
 * @param {any[]} kept
 * @param {number[]} [missing] places in the payload's list of which nothing is kept
 */
export function readAttachments(payload, kept, missing = []) {
  const written = list(record(payload).attachments).map(record);
  const there = [...list(kept)];
  const count = Math.max(written.length, there.length + missing.length);
  return Array.from({ length: count }, (_, index) => {
    const mine = record(missing.includes(index) ? null : there.shift());
    const theirs = written[index] ?? {};
    return {
      id: words(mine.id) || null,
      url: words(mine.url) || null,
      name: shownName(words(mine.name) || words(theirs.name)) || t("card.attachment"),
      mimeType: words(mine.mimeType) || words(theirs.mimeType) || words(theirs["mime-type"]),
      size: Number(mine.size ?? theirs.size ?? theirs["file-size"]) || 0,
    };
  });
}

/** The places of files that the server could not keep. @param {any} message */
export function missingPlaces(message) {
  return list(message.missingFiles).map(({ place }) => place).filter((place) => place !== null);
}

/**
 * Where a member reads a file; with a message it has the name that the message gave it.
 * @param {string} conversation
 * @param {string} id
 * @param {string} [message]
 */
export function attachmentAddress(conversation, id, message) {
  return `/api/attachments/${id}?conversation=${encodeURIComponent(conversation)}`
    + (message ? `&message=${encodeURIComponent(message)}` : "");
}
