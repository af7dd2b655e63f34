import { whileBusy } from "../lib/busy.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";

/**
 * Has an alert say why a part of a page could not be read, with a button that reads it again.
 * @param {HTMLElement} alert
 * @param {any} problem
 * @param {() => any} again reads the part and shows it
 * @param {(problem: any) => string} [words] the text of a refusal
 */
export function showUnread(alert, problem, again, words = sentence) {
  const button = h("button", { type: "button", class: "fd-button is-plain" }, t("shared.retry"));
  button.addEventListener("click", () => whileBusy(button, async () => again()));
  replace(alert, words(problem), " ", button);
}

/**
 * An alert that says why a part of a page could not be read; without a problem it is empty.
 * @param {any} problem a refusal, or null
 * @param {() => any} again
 * @param {(problem: any) => string} [words]
 */
export function loadAlert(problem, again, words) {
  const alert = h("p", { class: "fd-error", role: "alert" });
  if (problem) showUnread(alert, problem, again, words);
  return alert;
}
