import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatClock, formatDivider } from "../lib/time.js";

/**
 * The mark in the place of a message whose content was erased.
 * @param {{erasedAt: string}} message
 * @param {string} [side] a class of the caller's
 */
export function erasedMark({ erasedAt }, side = "") {
  const date = new Date(erasedAt);
  return h("p", {
    class: `erased ${side}`, title: t("shared.erasedAt", { date: formatDivider(date), time: formatClock(date) }),
  }, t("shared.erased"));
}
