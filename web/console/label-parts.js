import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** So many labels are drawn where there is little room; a number stands for the others. */
const MOST_SHOWN = 2;

/** A label with its colour. @param {{name: string, colour: string}} label */
export function labelChip({ name, colour }) {
  return h("span", { class: "label-chip", style: { "--label": colour }, title: name }, h("span", null, name));
}

/**
 * A conversation's labels, at most two and a number.
 * @param {any[]} labels
 */
export function labelChips(labels) {
  if (!labels.length) return null;
  const more = labels.slice(MOST_SHOWN);
  return h("span", { class: "label-chips" }, labels.slice(0, MOST_SHOWN).map(labelChip),
    more.length ? h("span", { class: "label-more", title: namesOf(more) }, `+${more.length}`) : null);
}

/**
 * The labels of a row, in one element: at most two dots, and a number.
 * @param {any[]} labels
 */
export function labelDots(labels) {
  if (!labels.length) return null;
  const words = t("customer.labelsAre", { names: namesOf(labels) });
  return h("span", {
    class: labels.length > 1 ? "label-dots is-several" : "label-dots", role: "img", title: words, "aria-label": words,
    style: { "--label": labels[0].colour, "--second-label": labels[1]?.colour },
  }, labels.length > MOST_SHOWN ? `+${labels.length - MOST_SHOWN}` : null);
}

/** @param {{name: string}[]} labels */
export function namesOf(labels) {
  return labels.map((one) => one.name).join(", ");
}
