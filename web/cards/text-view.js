import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { splitLinks } from "../lib/link-text.js";
import { attachmentView } from "./attachment-view.js";
import { readAttachments } from "./attachments.js";
import { record, words } from "./card-model.js";

const PLACEHOLDER = "\u{fffc}";
// One emoji is a picture with its modifiers, or two letters of a flag.
const ONLY_EMOJI = /^(?:\p{Extended_Pictographic}(?:\u{fe0f}|\p{Emoji_Modifier}|\u{200d}\p{Extended_Pictographic})*|\p{Regional_Indicator}{2}|\s)+$/u;
// A run of line breaks is looked at from its first one alone: a text may have very many of them.
const OUTER_BREAKS = /^\n+|(?<!\n)\n+$/g;

/**
 * Cuts a body at its placeholders: texts and attachments in the order the device shows them. A
 * surplus placeholder draws nothing; a surplus attachment comes last.
 * @param {unknown} body
 * @param {any[]} attachments
 * @returns {({text: string}|{attachment: any})[]}
 */
export function splitBody(body, attachments) {
  const parts = [];
  let next = 0;
  const pieces = words(body).split(PLACEHOLDER);
  pieces.forEach((piece, index) => {
    const text = piece.replace(OUTER_BREAKS, "");
    if (text.trim() !== "") parts.push({ text });
    if (index < pieces.length - 1 && next < attachments.length) {
      parts.push({ attachment: attachments[next] });
      next += 1;
    }
  });
  for (; next < attachments.length; next += 1) parts.push({ attachment: attachments[next] });
  return parts;
}

/**
 * A text as bubbles, pictures, players and file chips.
 * @param {{payload: any, attachments: any[], missing?: number[],
 *   attachmentUrl: (id: string) => string, open: (attachment: any, url: string) => void}} input
 */
export function textView({ payload, attachments, missing, attachmentUrl, open }) {
  const parts = splitBody(record(payload).body, readAttachments(payload, attachments, missing));
  if (parts.length === 0) return [h("p", { class: "bubble is-empty" }, t("card.empty"))];
  return parts.map((part) => {
    if ("attachment" in part) return attachmentView(part.attachment, attachmentUrl, open);
    const letters = [...part.text].length;
    const isEmoji = letters <= 12 && ONLY_EMOJI.test(part.text);
    return h("p", { class: isEmoji ? "emoji" : "bubble", dir: "auto" }, linked(part.text));
  });
}

/** A text whose addresses can be followed. @param {string} text */
export function linked(text) {
  return splitLinks(text).map((part) => part.href
    ? h("a", { href: part.href, target: "_blank", rel: "noopener noreferrer" }, part.text)
    : part.text);
}
