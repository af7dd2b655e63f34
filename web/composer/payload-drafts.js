/**
 * Reads a payload back into the draft of its form, where the form can represent the whole payload.
 * Pure, apart from the time zones of the browser.
 */
import { kindOfPayload, kinds } from "./kinds.js";

/**
 * @param {any} payload
 * @param {import("./payloads.js").Envelope} envelope of the conversation it is for
 * @returns {{kind: string, draft: any}|null} null when something would be lost on the way
 */
export function draftOfPayload(payload, envelope) {
  const reader = kindOfPayload(payload);
  if (!reader) return null;
  try {
    const draft = reader.read(payload);
    return draft && isSame(reader.make(draft, envelope), payload) ? { kind: reader.kind, draft } : null;
  } catch {
    return null;  // Safe: what is not built as its schema says has no form; it goes into Raw JSON.
  }
}

/** Whether two payloads are equal, whatever the order of names and whether defaults are stated. */
function isSame(made, stated) {
  const one = plain(made);
  const other = plain(stated);
  // A picture without a description gets that of its place.
  one.images.forEach((image, index) => {
    if (other.images[index] && other.images[index].description === undefined) delete image.description;
  });
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** A payload without the conversation's values and without defaults; pictures in place of their names. */
function plain(payload) {
  const { v, id, sourceId, destinationId, locale, ...rest } = structuredClone(payload);
  const data = rest.interactiveData?.data;
  const pictures = new Map((data?.images ?? []).map((image) => [image.identifier, image]));
  const used = new Set();
  const walk = (value, name, index) => {
    if (Array.isArray(value)) return value.map((one, place) => walk(one, name, place));
    if (value === null || typeof value !== "object") return value;
    const members = Object.entries(value).flatMap(([key, member]) => {
      const isDefault = (key === "order" && member === index) || (key === "multipleSelection" && member === false)
        || (key === "style" && member === (name === "items" ? "default" : "icon")) || (key === "useLiveLayout" && member === true)
        || (key === "requestIdentifier") || (key === "detail" && member === "");
      if (isDefault) return [];
      if (key !== "imageIdentifier") return [[key, walk(member, key, undefined)]];
      used.add(member);
      return [[key, pictures.get(member)?.data]];
    });
    return Object.fromEntries(members);
  };
  if (data) delete data.images;
  if (data) for (const { level } of kinds) level?.(data);
  const message = walk(rest, "", undefined);
  const reply = message.interactiveData?.replyMessage;
  if (reply && Object.values(reply).every((value) => value === "")) delete message.interactiveData.replyMessage;
  const images = [...pictures.values()].map(({ identifier, ...image }) => ({ ...image, isUsed: used.has(identifier) }))
    .sort((one, other) => (one.data < other.data ? -1 : 1));
  return { message, images };
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
