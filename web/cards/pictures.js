/** Which files are pictures, and where they are read. Pure. */

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
