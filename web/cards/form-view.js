import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isPrivate, readForm, readSelections } from "./form-model.js";

/** The questions of a form with what may be answered. @param {unknown} payload */
export function questionsView(payload) {
  const { pages } = readForm(payload);
  return h("ol", { class: "questions" }, pages.map((page) => h("li", null,
    h("strong", null, page.question || t("card.untitled")),
    h("span", null, page.items.map((item) => item.title).join(" · ")))));
}

/**
 * The answers to a form. The customer's own thread does not show those of a private form; the
 * business reads them.
 * @param {unknown} payload
 * @param {"customer"|"business"} perspective
 */
export function answersView(payload, perspective) {
  if (isPrivate(payload) && perspective === "customer") return null;
  return h("ol", { class: "questions is-answers" }, readSelections(payload).map((page) =>
    h("li", null, h("strong", null, page.question), page.answers.length > 0
      ? page.answers.map((answer) => h("span", { class: "answer", dir: "auto" }, answer))
      : h("span", { class: "is-none" }, t("card.formNoAnswer")))));
}

/** How many pages a form has, for the line under its card. @param {unknown} payload */
export function countOfPages(payload) {
  return readForm(payload).pages.length;
}
