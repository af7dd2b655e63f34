import { h } from "../lib/dom.js";
import { languageSwitch } from "./language-switch.js";

/**
 * A page with only a message.
 * @param {{title: string, hint?: string, link?: {href: string, text: string}|null,
 *   isBusy?: boolean}} notice
 */
export function noticePage({ title, hint = "", link = null, isBusy = false }) {
  return h("main", { class: "notice" },
    h("div", { class: "notice-body", role: "status" },
      isBusy && h("span", { class: "spinner", "aria-hidden": "true" }),
      h("h1", null, title), hint && h("p", null, hint),
      link && h("a", { class: "fd-button is-primary is-wide", href: link.href }, link.text)),
    languageSwitch());
}
