/** Reads parts of payloads back into the parts of drafts. Pure. */
import { ownBundle } from "./payloads.js";

/** The formats whose base64 begins with these letters. */
const formats = { iVBOR: "image/png", "/9j/": "image/jpeg", R0lG: "image/gif", UklGR: "image/webp" };

/** Whether a payload holds a feature of the protocol's own. @param {string} name */
export const featureOf = (name) => ({ type, interactiveData }) =>
  type === "interactive" && interactiveData?.bid === ownBundle && interactiveData.data?.[name] !== undefined;

/** A text that may be missing. @param {string|undefined} value */
export const wordsOf = (value) => value ?? "";

/** A picture's base64 as a draft holds it. */
export function pictureOf(data, mimeType) {
  if (!data) return null;
  const known = Object.entries(formats).find(([beginning]) => data.startsWith(beginning));
  return { data, mimeType: mimeType ?? known?.[1] ?? "image/png", bytes: Math.floor(data.length * 0.75) };
}

/** Pictures by identifier, and the card texts that name them. */
export function cardsOf({ interactiveData }) {
  const images = interactiveData.data?.images ?? [];
  const find = (identifier) => {
    if (identifier === undefined) return null;
    return pictureOf(images.find((image) => image.identifier === identifier).data);
  };
  const card = (one = {}, style = "icon") => ({
    title: wordsOf(one.title), subtitle: wordsOf(one.subtitle), style: one.style ?? style, picture: find(one.imageIdentifier),
    alternateTitle: wordsOf(one.alternateTitle),
  });
  return { find, card };
}
