/** The values that a template asks for: adding one, and the row in which it is described. */
import { adopt, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { valueName } from "./template-parameters.js";
import { templateStyles } from "./template-styles.js";

adopt(templateStyles);

/** What a value may be. */
export const valueTypes = ["text", "number", "date", "choice"];

/** The choices of a line in which commas separate them. @param {string} text */
export const choicesOf = (text) => text.split(/[,、]/).map((word) => word.trim()).filter(Boolean);

/**
 * Asks what a new value is called and what it may be.
 * @param {HTMLElement} button
 * @param {string[]} used names that the template has
 * @param {(value: {name: string, label: string, type: string, choices?: string[]}) => void} add
 */
export function openNewValue(button, used, add) {
  const label = h("input", { class: "fd-input", id: "new-value-label", maxlength: 100, autocomplete: "off" });
  const type = h("select", { class: "fd-input", id: "new-value-type" }, valueTypes.map((one) => h("option", { value: one }, t(`console.type.${one}`))));
  const choices = h("input", { class: "fd-input", id: "new-value-choices", placeholder: t("console.choicesHint"), autocomplete: "off" });
  const choiceField = h("div", { class: "fd-field", hidden: true }, h("label", { for: "new-value-choices" }, t("console.template.choices")), choices);
  const problem = h("p", { class: "fd-error", role: "alert" });
  type.addEventListener("change", () => {
    choiceField.hidden = type.value !== "choice";
    popup.settle();
  });
  const save = () => {
    const listed = choicesOf(choices.value);
    const missing = label.value.trim() === "" ? label : type.value === "choice" && !listed.length ? choices : null;
    if (missing) {
      problem.textContent = t(missing === label ? "console.template.noLabel" : "console.template.noChoices");
      return missing.focus();
    }
    popup.close();
    add({
      name: valueName(label.value, used), label: label.value.trim(), type: type.value, ...(type.value === "choice" ? { choices: listed } : {}),
    });
  };
  const popup = openPopup(button, h("form", { class: "stack new-value", novalidate: true, onSubmit: (event) => {
    event.preventDefault();
    save();
  } },
  h("div", { class: "fd-field" }, h("label", { for: "new-value-label" }, t("console.template.label")), label),
  h("div", { class: "fd-field" }, h("label", { for: "new-value-type" }, t("console.template.type")), type), choiceField, problem,
  h("button", { type: "submit", class: "fd-button is-primary" }, t("console.template.add"))), { label: t("console.template.newValue") });
  label.focus();
}
