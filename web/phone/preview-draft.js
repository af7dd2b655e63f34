/** What the preview lays out of a draft. Pure. */

/** The most letters of all texts of a draft together, in UTF-16 units, and the most entries of one list: what is beyond them is not laid out. */
const MOST_LETTERS = 20_000;
const MOST_ENTRIES = 500;
/** So deep a draft is laid out; no card is a quarter as deep. */
const MOST_DEPTH = 64;
/** Members that have pictures as base64: they are decoded and not laid out. */
const PICTURES = new Set(["data", "appIcon", "brandLogo"]);

/**
 * A draft as long as a page can lay it out while it is typed; one that is short is the same object.
 * @param {any} payload
 */
export function previewDraft(payload) {
  const room = { letters: MOST_LETTERS, isCut: false };
  const bounded = bound(payload, "", room);
  return room.isCut ? bounded : payload;
}

function bound(value, name, room, depth = 0) {
  if (typeof value === "string") return PICTURES.has(name) ? value : boundText(value, room);
  if (value === null || typeof value !== "object") return value;
  if (depth === MOST_DEPTH) {
    room.isCut = true;
    return null;
  }
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, bound(member, key, room, depth + 1)]));
  room.isCut ||= value.length > MOST_ENTRIES;
  return value.slice(0, MOST_ENTRIES).map((member) => bound(member, name, room, depth + 1));
}

function boundText(text, room) {
  const { letters } = room;
  room.letters = Math.max(0, letters - text.length);
  if (text.length <= letters) return text;
  room.isCut = true;
  return `${text.slice(0, letters)}…`;
}
