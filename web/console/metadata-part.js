import { h } from "../lib/dom.js";

/**
 * What programs keep of a conversation or a contact, to be read only; nothing where there is none.
 * @param {string} title
 * @param {Record<string, string>|undefined} metadata
 */
export function metadataPart(title, metadata = {}) {
  const names = Object.keys(metadata);
  if (!names.length) return null;
  return h("section", { class: "customer-part", "aria-label": title }, h("h3", null, title),
    h("dl", { class: "customer-facts" }, names.map((name) =>
      [h("dt", null, h("bdi", null, name)), h("dd", null, h("bdi", null, metadata[name]))])));
}
