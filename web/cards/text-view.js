import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { splitLinks } from "../lib/link-text.js";
import { formatBytes } from "../lib/time.js";
import { list, record, words } from "./card-model.js";

const PLACEHOLDER = "\u{fffc}";
// One emoji is a picture with its modifiers, or two letters of a flag.
const ONLY_EMOJI = /^(?:\p{Extended_Pictographic}(?:\u{fe0f}|\p{Emoji_Modifier}|\u{200d}\p{Extended_Pictographic})*|\p{Regional_Indicator}{2}|\s)+$/u;

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
    const text = piece.replace(/^\n+|\n+$/g, "");
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
 * The attachments of a message: what the house keeps, filled with what the payload says. What could
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
      name: words(mine.name) || words(theirs.name) || t("card.attachment"),
      mimeType: words(mine.mimeType) || words(theirs.mimeType) || words(theirs["mime-type"]),
      size: Number(mine.size ?? theirs.size ?? theirs["file-size"]) || 0,
      width: Number(mine.width) || null,
      height: Number(mine.height) || null,
    };
  });
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

function attachmentView(attachment, attachmentUrl, open) {
  const url = attachment.url ?? (attachment.id ? attachmentUrl(attachment.id) : null);
  const type = attachment.mimeType.toLowerCase();
  if (url && /^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp)$/.test(type)) {
    return pictureView(attachment, url, open);
  }
  if (url && type.startsWith("video/")) {
    return h("video", {
      class: "media", src: url, controls: true, preload: "metadata", playsinline: true,
      "aria-label": attachment.name,
    });
  }
  if (url && type.startsWith("audio/")) {
    return h("figure", { class: "audio" },
      h("figcaption", null, icon("audio", 18), h("span", null, attachment.name)),
      h("audio", { src: url, controls: true, preload: "metadata", "aria-label": attachment.name }));
  }
  return fileView(attachment, url);
}

function pictureView(attachment, url, open) {
  const hasSize = attachment.width && attachment.height;
  const ratio = hasSize
    ? Math.min(2.2, Math.max(0.6, attachment.width / attachment.height)) : 4 / 3;
  const image = h("img", {
    src: url, alt: t("card.attachmentImage", { name: attachment.name }), decoding: "async",
    onError: () => button.replaceWith(fileView(attachment, url)),
  });
  const button = h("button", {
    class: "picture", type: "button", style: { "aspect-ratio": String(ratio) },
    "aria-label": t("card.attachmentImage", { name: attachment.name }),
    onClick: () => open(attachment, url),
  }, image);
  return button;
}

function fileView(attachment, url) {
  const kind = attachment.name.includes(".")
    ? attachment.name.split(".").pop().slice(0, 4).toUpperCase() : "";
  const inside = [
    h("span", { class: "file-icon" }, icon("file", 34), h("b", { "aria-hidden": "true" }, kind)),
    h("span", { class: "file-words" },
      h("strong", null, attachment.name),
      h("small", null, attachment.size > 0 ? formatBytes(attachment.size) : attachment.mimeType)),
  ];
  if (!url) return h("div", { class: "file" }, inside);
  return h("a", {
    class: "file", href: url, download: attachment.name,
    "aria-label": t("card.download", { name: attachment.name }),
  }, inside, icon("download", 18));
}
