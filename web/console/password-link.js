import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";

/**
 * Asking for a link to a new password: one field, and then what happens next. Whether an account has the address is not said.
 * @param {{email: string, back: () => void}} options `email`: what was typed before; `back`: to the password
 */
export function passwordLinkForm({ email, back }) {
  const input = h("input", {
    id: "account-email", name: "email", class: "fd-input", type: "email", autocomplete: "username", inputmode: "email", required: true, value: email,
  });
  const alert = h("p", { class: "fd-error", role: "alert" });
  const button = h("button", { class: "fd-button is-primary is-wide", type: "submit" }, t("console.passwordLink.action"));
  const form = h("form", { class: "account-form", novalidate: true },
    h("div", { class: "fd-field" }, h("label", { for: input.id }, t("console.email")), input), alert, button, backButton(back));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(button, async () => {
      alert.textContent = "";
      input.removeAttribute("aria-invalid");
      try {
        if (!input.value) throw { refusal: t("console.fillIn", { label: t("console.email") }) };
        const { minutes } = await api.post("/api/session/password-links", { email: input.value, language: language() });
        showSent(form, input.value, minutes, back);
      } catch (problem) {
        alert.textContent = problem.refusal ?? (problem.isOffline ? t("shared.problem.offline")
          : problem.status === 429 ? t("console.tooManyTries", { seconds: problem.retryAfterSeconds ?? "" }) : sentence(problem));
        input.setAttribute("aria-invalid", "true");
        input.focus();
      }
    });
  });
  return form;
}

function showSent(form, email, minutes, back) {
  const sent = h("div", { class: "account-form" },
    h("p", { class: "callout", role: "status", tabindex: "-1" }, t("console.passwordLink.sent", { email, minutes })),
    h("p", { class: "fd-help" }, t("console.passwordLink.missing")), backButton(back));
  form.replaceWith(sent);
  /** @type {HTMLElement} */ (sent.firstElementChild).focus();
}

function backButton(back) {
  return h("button", { type: "button", class: "fd-button is-plain is-wide", onClick: back }, t("console.passwordLink.back"));
}
