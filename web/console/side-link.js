import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";

/** A link of the navigation to a page of the console, marked where that page is open; `waiting` counts approvals that are asked for there. */
export function sideLink(name, drawing, path, text, route, waiting = 0) {
  return h("a", {
    class: `side-link is-${name}`, href: path, "aria-current": route.name === name ? "page" : null,
  }, icon(drawing, 18), h("span", null, text), approvalCount(waiting));
}

/** How many approvals are asked for; nothing where none is. @param {number} waiting */
export function approvalCount(waiting) {
  const words = waiting ? t("console.approvalsWaiting", { count: waiting }) : "";
  return waiting ? h("b", { class: "side-count", role: "img", title: words, "aria-label": words }, String(waiting)) : null;
}
