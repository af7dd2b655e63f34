/** What a message and a title become in a template. Pure. */
import { attachmentSign } from "./payloads.js";

/**
 * A message without what belongs to one sending of it: ids and places, and files, unless they are the business's.
 * @param {any} payload
 * @param {{keepsFiles?: boolean}} [options]
 */
export function templatePayload(payload, { keepsFiles = false } = {}) {
  const { v, id, sourceId, destinationId, locale, attachments, ...rest } = payload;
  if (keepsFiles && attachments?.length) return { ...rest, attachments };
  return typeof rest.body === "string" ? { ...rest, body: rest.body.replaceAll(attachmentSign, "") } : rest;
}

/**
 * The name by which programs know a template: of its title, as far as it has letters for one.
 * @param {string} title
 * @param {string} kind of message, for a title that has none
 * @param {Iterable<string>} used
 */
export function templateName(title, kind, used) {
  const plain = title.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const stem = (plain || kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)).slice(0, 56).replace(/-$/, "");
  const known = new Set(used);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!known.has(name)) return name;
  }
}
