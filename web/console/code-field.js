import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";

await registerStrings({ en: () => import("../i18n/en/second-factor.js"), ja: () => import("../i18n/ja/second-factor.js") });

/**
 * A field for a code of a second factor, with a button that asks for a recovery code instead.
 * @param {{id: string, hasRecovery?: boolean}} options `hasRecovery`: whether a recovery code will do
 * @returns {{element: HTMLElement, input: HTMLInputElement, isRecovery: () => boolean}}
 */
export function codeField({ id, hasRecovery = true }) {
  let isRecovery = false;
  const label = h("label", { for: id });
  const input = /** @type {HTMLInputElement} */ (h("input", {
    id, name: "code", class: "fd-input", required: true, spellcheck: "false", autocorrect: "off", "aria-describedby": `${id}-help`,
  }));
  const help = h("p", { class: "fd-help", id: `${id}-help` });
  const other = h("button", { type: "button", class: "fd-button is-plain", onClick: () => {
    isRecovery = !isRecovery;
    input.value = "";
    input.removeAttribute("aria-invalid");
    draw();
    input.focus();
  } });
  const draw = () => {
    const kind = isRecovery ? "recovery" : "app";
    label.textContent = t(`secondFactor.code.${kind}`);
    help.textContent = t(`secondFactor.code.${kind}.help`);
    other.textContent = t(`secondFactor.code.${kind}.other`);
    input.autocomplete = isRecovery ? "off" : "one-time-code";
    input.inputMode = isRecovery ? "text" : "numeric";
    input.setAttribute("autocapitalize", isRecovery ? "characters" : "off");
  };
  draw();
  return {
    element: h("div", { class: "fd-field" }, label, input, help, hasRecovery ? h("div", null, other) : null),
    input, isRecovery: () => isRecovery,
  };
}

/** Why a code, or the password beside it, was refused. @param {any} problem */
export function codeSentence(problem) {
  if (problem.status === 429) return t("console.tooManyTries", { seconds: problem.retryAfterSeconds ?? "" });
  return sentence(problem, {
    wrong_code: t("secondFactor.wrong"), forbidden: t("secondFactor.wrongPassword"),
    second_factor_missing: t("secondFactor.gone"), second_factor_active: t("secondFactor.already"),
  });
}
