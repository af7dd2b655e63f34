import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { codeField, codeSentence } from "./code-field.js";
import { isComplete } from "./one-time-codes.js";

/** The heading of the second step of a sign-in, and what to do. */
export function codeWords() {
  return { title: t("secondFactor.signIn"), lead: t("secondFactor.signIn.lead") };
}

/**
 * The second step of a sign-in: one field. Enter sends it; a code that was wrong can be replaced at once.
 * @param {{send: (code: string) => Promise<void>, back: (problem: string) => void}} options `back`: to the password, with the
 *   refusal that made it necessary
 */
export function codeForm({ send, back }) {
  const field = codeField({ id: "account-code" });
  const { input } = field;
  const alert = h("p", { class: "fd-error", role: "alert" });
  const button = h("button", { class: "fd-button is-primary is-wide", type: "submit" }, t("console.account.sign-in.action"));
  const refuse = (words) => {
    alert.textContent = words;
    input.setAttribute("aria-invalid", "true");
    input.focus();
    input.select();
  };
  const form = h("form", { class: "account-form", novalidate: true }, field.element, alert, button,
    h("button", { type: "button", class: "fd-button is-plain is-wide", onClick: () => back("") }, t("secondFactor.back")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(button, async () => {
      alert.textContent = "";
      input.removeAttribute("aria-invalid");
      if (!isComplete(input.value, field.isRecovery())) return refuse(t(`secondFactor.code.${field.isRecovery() ? "recovery" : "app"}.help`));
      try {
        await send(input.value);
      } catch (problem) {
        // The password was changed meanwhile, or the link was used.
        if (problem.code === "unauthenticated") return back(t("console.wrongPassword"));
        refuse(codeSentence(problem));
      }
    });
  });
  return form;
}
