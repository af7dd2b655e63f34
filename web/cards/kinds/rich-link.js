/** A page with a title and a picture. */
import { h } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { t } from "../../lib/i18n.js";
import { safeHref } from "../../lib/link-text.js";
import { pictureSize, pictureSource, record, words } from "../card-model.js";

export default { kind: "richLink", features: [], bubble: ({ payload }) => richLinkView(payload) };

/** The rich link, with the layout that the picture's size gives it. @param {unknown} payload */
export function readRichLink(payload) {
  const link = record(record(payload).richLinkData);
  const assets = record(link.assets);
  const image = record(assets.image);
  const size = pictureSize(image.data);
  let layout = "plain";
  if (pictureSource(image.data)) {
    layout = "large";
    if (size && size.width < 150) layout = "icon";
    else if (size && Math.abs(size.width - size.height) <= size.width * 0.02) layout = "square";
  }
  const url = words(link.url);
  return {
    url, title: words(link.title), host: hostOf(url), layout, size,
    source: pictureSource(image.data, words(image.mimeType)),
    hasVideo: words(record(assets.video).url) !== "",
  };
}

function hostOf(url) {
  try {
    return new URL(url).host.replace(/^www\./, "");
  } catch {
    return url;  // Safe: half-typed; shown as it is.
  }
}

/** A rich link in the layout that its picture's size determines. */
function richLinkView(payload) {
  const model = readRichLink(payload);
  const href = safeHref(model.url);
  const { size } = model;
  const ratio = size ? Math.min(2.4, Math.max(0.75, size.width / size.height)) : 1.9;
  const inside = [
    model.source && h("span", {
      class: "link-picture",
      style: model.layout === "large" ? { "aspect-ratio": String(ratio) } : {},
    },
    h("img", { src: model.source, alt: "", decoding: "async" }),
    model.hasVideo && h("span", { class: "play" }, icon("play", 26),
      h("span", { class: "fd-hidden-text" }, t("card.play")))),
    h("span", { class: "link-words" },
      h("strong", null, model.title || t("card.untitled")),
      h("small", null, model.host || t("card.link"))),
    model.layout === "plain" && h("span", { class: "link-mark" }, icon("link", 20)),
  ];
  const classes = `card link is-${model.layout}`;
  return href
    ? h("a", { class: classes, href, target: "_blank", rel: "noopener noreferrer" }, inside)
    : h("div", { class: classes }, inside);
}
