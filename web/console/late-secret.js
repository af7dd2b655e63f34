import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { copyField } from "./panel-parts.js";

/**
 * Shows a secret that is shown once, where the page that asked for it shows another business by then, or nothing.
 * @param {{name: string}} business that it belongs to
 * @param {string} lead what it is for
 * @param {string} label
 * @param {string} secret
 */
export function showLateSecret({ name }, lead, label, secret) {
  // Who is typing in another page when it appears must not close it by Enter.
  const dialog = h("dialog", { class: "dialog", "aria-label": name },
    h("h2", { tabindex: "-1", autofocus: true }, h("bdi", null, name)), h("p", null, lead), copyField(label, secret),
    h("form", { method: "dialog", class: "form-actions" }, h("button", { class: "fd-button is-primary" }, t("shared.close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
