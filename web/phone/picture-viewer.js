import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

/**
 * Shows a picture as large as the screen.
 * @param {{name: string}} attachment
 * @param {string} url
 */
export function openPicture(attachment, url) {
  const dialog = /** @type {any} */ (h("dialog", {
    class: "viewer", "aria-label": attachment.name,
    onClick: (event) => {
      if (event.target.tagName !== "IMG" && !event.target.closest("a")) dialog.close();
    },
    onClose: () => dialog.remove(),
  },
  h("div", { class: "viewer-bar" },
    h("button", { class: "round", type: "button", "aria-label": t("phone.viewer.close") },
      icon("close", 20)),
    h("span", null, attachment.name),
    h("a", {
      class: "round", href: url, download: attachment.name,
      "aria-label": t("card.download", { name: attachment.name }),
    }, icon("download", 20))),
  h("img", { src: url, alt: t("card.attachmentImage", { name: attachment.name }) })));
  document.body.append(dialog);
  dialog.showModal();
}
