/**
 * Reads what all cards have in common: texts, pictures, the bubble's face. The readers of one kind
 * are in its module of `kinds/`. A payload may be half-typed: every reader accepts anything and
 * returns something that can be drawn; nothing here throws.
 */

/** @param {unknown} value @returns {Record<string, any>} */
export function record(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** @param {unknown} value @returns {any[]} */
export function list(value) {
  return Array.isArray(value) ? value : [];
}

/** Text of a value; numbers as they read, everything else nothing. @param {unknown} value */
export function words(value) {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/**
 * @typedef {{identifier: string, source: string|null, description: string}} Picture
 * @typedef {{title: string, subtitle: string, style: string, picture: Picture|null,
 *   secondarySubtitle: string, tertiarySubtitle: string, imageTitle: string,
 *   imageSubtitle: string, alternateTitle: string}} Face
 */

/** The pictures of an interactive payload by identifier. @param {unknown} payload */
export function readPictures(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const pictures = new Map();
  for (const image of list(data.images)) {
    const { identifier, data: base64, description } = record(image);
    pictures.set(words(identifier), {
      identifier: words(identifier), source: pictureSource(base64),
      description: words(description),
    });
  }
  return pictures;
}

/**
 * What the bubble shows: `receivedMessage`, or `replyMessage` of an answer.
 * @param {unknown} payload
 * @param {"receivedMessage"|"replyMessage"} [part]
 * @returns {Face}
 */
export function readFace(payload, part = "receivedMessage") {
  const interactive = record(record(payload).interactiveData);
  const face = record(interactive[part] ?? record(interactive.data)[part]);
  const style = ["small", "large"].includes(face.style) ? face.style : "icon";
  return {
    title: words(face.title), subtitle: words(face.subtitle), style,
    picture: readPictures(payload).get(words(face.imageIdentifier)) ?? null,
    secondarySubtitle: words(face.secondarySubtitle),
    tertiarySubtitle: words(face.tertiarySubtitle),
    imageTitle: words(face.imageTitle), imageSubtitle: words(face.imageSubtitle),
    alternateTitle: words(face.alternateTitle),
  };
}

/**
 * Base64 of a picture as an address an `img` may have, or null.
 * @param {unknown} base64
 * @param {string} [mimeType]
 */
export function pictureSource(base64, mimeType = "") {
  const text = words(base64).replace(/\s+/g, "").replace(/^data:[^,]*,/, "");
  if (text.length < 16 || !/^[A-Za-z0-9+/_=-]+$/.test(text.slice(0, 64))) return null;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const known = MAGIC.find(([magic]) => standard.startsWith(magic));
  const type = known?.[1] ?? (/^image\/[\w.+-]+$/.test(mimeType) ? mimeType : "image/png");
  return `data:${type};base64,${standard}`;
}

const MAGIC = [
  ["/9j/", "image/jpeg"], ["iVBOR", "image/png"], ["R0lG", "image/gif"], ["UklG", "image/webp"],
  ["PHN2", "image/svg+xml"], ["PD94", "image/svg+xml"],
];

/**
 * Width and height from a picture's first bytes (PNG, GIF, JPEG, WebP), or null.
 * @param {unknown} base64
 * @returns {{width: number, height: number}|null}
 */
export function pictureSize(base64) {
  const bytes = firstBytes(base64);
  if (!bytes || bytes.length < 24) return null;
  const at = (index) => bytes[index] ?? 0;
  const big = (index) => at(index) * 256 + at(index + 1);
  const little = (index) => at(index) + at(index + 1) * 256;
  if (at(0) === 0x89 && at(1) === 0x50) {
    return { width: big(16) * 65536 + big(18), height: big(20) * 65536 + big(22) };
  }
  if (at(0) === 0x47 && at(1) === 0x49) return { width: little(6), height: little(8) };
  if (at(0) === 0x52 && at(8) === 0x57 && at(15) === 0x20) {
    return { width: little(26) & 0x3fff, height: little(28) & 0x3fff };
  }
  if (at(0) !== 0xff || at(1) !== 0xd8) return null;
  for (let index = 2; index + 9 < bytes.length;) {
    if (at(index) !== 0xff) return null;
    const marker = at(index + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: big(index + 7), height: big(index + 5) };
    index += 2 + Math.max(2, big(index + 2));
  }
  return null;
}

function firstBytes(base64) {
  const text = words(base64).slice(0, 262_144).replace(/\s+/g, "").replace(/=+$/, "");
  try {
    const binary = atob(text.slice(0, text.length - (text.length % 4)));
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  } catch {
    return null;  // Safe: half-typed base64 has no size yet.
  }
}

/** Entries in the order that their `order` says. @param {any[]} entries */
export function inOrder(entries) {
  return entries.map(record)
    .map((entry, index) => ({ entry, index, order: Number(entry.order ?? index) || 0 }))
    .sort((left, right) => left.order - right.order || left.index - right.index)
    .map(({ entry }) => entry);
}
