import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** The priorities of a conversation, the highest first. */
export const priorities = Object.freeze(["urgent", "high", "normal", "low", "none"]);

/** @param {string} text */
export function isPriority(text) {
  return priorities.includes(text);
}

/**
 * The sign of a priority: bars, as many as it is high. Nothing for none.
 * @param {string|null|undefined} priority
 * @param {{isSaid?: boolean}} [options] `isSaid`: words beside it say the same
 */
export function priorityMark(priority, { isSaid = false } = {}) {
  if (!priority || priority === "none") return null;
  const words = t("customer.priorityIs", { priority: t(`thread.priority.${priority}`) });
  return h("span", isSaid ? { class: "priority-mark", dataset: { priority }, "aria-hidden": "true" }
    : { class: "priority-mark", dataset: { priority }, role: "img", title: words, "aria-label": words });
}
