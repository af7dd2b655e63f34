import { h } from "../lib/dom.js";

/** A business's picture, or its first letter on its colour. @param {any} business */
export function avatar(business) {
  if (business?.picture) {
    return h("img", { class: "avatar", src: business.picture, alt: "", width: 40, height: 40 });
  }
  return h("span", { class: "avatar is-letter", "aria-hidden": "true" },
    [...(business?.name ?? "")][0]?.toUpperCase() ?? "");
}
