import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { formatBytes } from "../lib/time.js";
import { isPicture, urlOf } from "./pictures.js";

/** The box of a picture in pixels: as high as this always, so that a thread never jumps when it comes. */
const boxHeight = 220;
const narrowest = 110;
const widest = 300;
/** So much of a picture may be cut off for a box without bars. */
const mostCut = 0.25;

/**
 * A file of a message: a picture, a player or a chip; each can be downloaded.
 * @param {any} attachment of `readAttachments`
 * @param {(id: string) => string} attachmentUrl
 * @param {(attachment: any, url: string) => void} open a picture was pressed
 */
export function attachmentView(attachment, attachmentUrl, open) {
  const url = urlOf(attachment, attachmentUrl);
  const type = attachment.mimeType.toLowerCase();
  if (url && isPicture(type)) return pictureView(attachment, url, open);
  if (url && type.startsWith("video/")) return filmView(attachment, url);
  if (url && type.startsWith("audio/")) return soundView(attachment, url);
  return fileView(attachment, url);
}

function pictureView(attachment, url, open) {
  const image = h("img", {
    src: url, alt: t("card.attachmentImage", { name: attachment.name }), decoding: "async",
    onLoad: () => fit(button, image),
    onError: () => button.replaceWith(fileView(attachment, url)),
  });
  const button = h("button", {
    class: "picture", type: "button", "aria-haspopup": "dialog",
    "aria-label": t("card.attachmentImage", { name: attachment.name }),
    onClick: () => open(attachment, url),
  }, image);
  return button;
}

/** Gives the box the picture's shape as far as there is space; a picture that would be cut too much is shown whole. */
function fit(button, image) {
  const shape = image.naturalWidth / image.naturalHeight;
  if (!Number.isFinite(shape) || shape <= 0) return;
  const width = Math.min(widest, Math.max(narrowest, boxHeight * shape));
  const box = width / boxHeight;
  button.style.setProperty("width", `${Math.round(width)}px`);
  button.classList.toggle("is-whole", 1 - Math.min(box / shape, shape / box) > mostCut);
}

function filmView(attachment, url) {
  return h("figure", { class: "film" },
    h("video", {
      class: "media", src: url, controls: true, preload: "metadata", playsinline: true,
      "aria-label": attachment.name,
    }),
    h("figcaption", null, icon("video", 18), h("span", null, attachment.name), download(attachment, url)));
}

function soundView(attachment, url) {
  return h("figure", { class: "audio" },
    h("figcaption", null, icon("audio", 18), h("span", null, attachment.name), download(attachment, url)),
    h("audio", { src: url, controls: true, preload: "metadata", "aria-label": attachment.name }));
}

function download({ name }, url) {
  const words = t("card.download", { name });
  return h("a", { class: "download", href: url, download: name, "aria-label": words, title: words },
    icon("download", 18));
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
