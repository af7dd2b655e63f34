/** A link into another developer's app extension, and its answer. */
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { doneMark } from "../card-parts.js";
import { pictureSource, readFace, record, words } from "../card-model.js";

export default { kind: "app", features: [], answeredBy: "sheet", card, answer };

/** The link into an app extension. @param {unknown} payload */
export function readApp(payload) {
  const interactive = record(record(payload).interactiveData);
  const parts = /^(.*?):([^:]*):(.*)$/s.exec(words(interactive.bid)) ?? [];
  const [, , team = "", extension = ""] = parts;
  return {
    appId: words(interactive.appId), appName: words(interactive.appName),
    icon: pictureSource(interactive.appIcon), url: words(interactive.URL), team, extension,
    face: readFace(payload), reply: readFace(payload, "replyMessage"),
  };
}

function card(payload, reply) {
  const model = readApp(payload);
  const { face } = model;
  const name = model.appName || t("card.app");
  return {
    kind: "app", label: face.title || name,
    face: [
      h("div", { class: "app-head" }, appIcon(model), h("span", null, name)),
      face.picture?.source && h("div", { class: "app-picture" },
        h("img", { src: face.picture.source, alt: face.picture.description, decoding: "async" }),
        (face.imageTitle || face.imageSubtitle) && h("div", { class: "app-caption" },
          h("strong", null, face.imageTitle), h("small", null, face.imageSubtitle))),
      h("div", { class: "app-words" },
        h("span", null,
          h("strong", null, face.title || t("card.untitled")),
          face.subtitle && h("small", null, face.subtitle)),
        (face.secondarySubtitle || face.tertiarySubtitle) && h("span", { class: "is-right" },
          h("small", null, face.secondarySubtitle), h("small", null, face.tertiarySubtitle))),
    ],
    hint: t("card.appInstall", { name }), details: null,
    mark: reply && doneMark(),
  };
}

function answer(payload) {
  const model = readApp(payload);
  const title = model.reply.title || model.face.title || model.appName;
  return {
    kind: "app", label: title,
    face: [
      h("div", { class: "app-head" }, appIcon(model), h("span", null, model.appName)),
      h("div", { class: "app-words" }, h("span", null, h("strong", null, title),
        h("small", { class: "url" }, clip(model.url, 160)))),
    ],
    details: null,
  };
}

function appIcon(model) {
  return model.icon
    ? h("img", { class: "app-icon", src: model.icon, alt: "", width: 24, height: 24 })
    : h("span", { class: "app-icon is-made", "aria-hidden": "true" },
      [...(model.appName || "A")][0].toUpperCase());
}

function clip(text, limit) {
  const letters = [...text];
  return letters.length > limit ? `${letters.slice(0, limit).join("")}…` : text;
}
