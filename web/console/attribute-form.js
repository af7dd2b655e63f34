import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { attributeSubjects, attributeTypes, choicesOf, draftFaults } from "./attribute-draft.js";
import { field, savingForm } from "./panel-parts.js";
import { valueName } from "./template-parameters.js";

/**
 * The form of a new attribute. What is wrong is said at its field, when it is left and when it is saved.
 * @param {{known: () => any[], typed: Record<string, string>, save: (draft: {of: string, name: string, key: string, type: string, choices?: string[]}) => Promise<void>}} options
 *   `known`: the definitions of the business; `typed`: where what is typed is kept, also from one form to the next
 */
export function attributeForm({ known, typed, save }) {
  const of = select(attributeSubjects, "attributes.of");
  const type = select(attributeTypes, "attributes.type");
  const name = h("input", { class: "fd-input", maxlength: 120, autocomplete: "off", "aria-required": "true" });
  const key = h("input", { class: "fd-input", maxlength: 60, autocomplete: "off", spellcheck: "false", autocapitalize: "off", "aria-required": "true" });
  const choices = h("textarea", { class: "fd-input", rows: 4, "aria-required": "true" });
  const parts = {
    name: part("attribute-name", t("items.name"), name), key: part("attribute-key", t("attributes.key"), key, t("attributes.keyHelp")),
    choices: part("attribute-choices", t("attributes.choices"), choices, t("attributes.choicesHelp")),
  };
  /** Whether the key is still the one that the name suggests. */
  let isSuggested = true;
  const read = () => ({ of: of.value, name: name.value.trim(), key: key.value.trim(), type: type.value, choices: choicesOf(choices.value) });
  const judge = (names) => {
    const faults = draftFaults(read(), known());
    for (const one of names) parts[one].show(faults[one] ? t(`attributes.fault.${one}.${faults[one]}`) : "");
    return names.find((one) => faults[one]);
  };
  const suggest = () => {
    const used = known().filter((one) => one.of === of.value).map((one) => one.key);
    if (isSuggested) key.value = name.value.trim() ? valueName(name.value, used, "attribute") : "";
    if (key.value) judge(["key"]);
  };
  const showChoices = () => { parts.choices.element.hidden = type.value !== "choice"; };
  name.addEventListener("input", suggest);
  name.addEventListener("change", () => judge(["name"]));
  key.addEventListener("input", () => {
    isSuggested = !key.value;
    judge(["key"]);
  });
  of.addEventListener("change", suggest);
  type.addEventListener("change", showChoices);
  choices.addEventListener("change", () => judge(["choices"]));
  const fields = { of, name, key, type, choices };
  const form = savingForm({
    save: t("attributes.create"), isCarried: true,
    onSave: async () => {
      const wrong = judge(["name", "key", "choices"]);
      if (wrong) return parts[wrong].input.focus();
      const { choices: chosen, ...draft } = read();
      try {
        await save(draft.type === "choice" ? { ...draft, choices: chosen } : draft);
      } catch (problem) {
        if (problem.code !== "name_taken") throw problem;
        parts.key.show(t("attributes.fault.key.used"));
        key.focus();
      }
    },
  }, field("attribute-of", t("attributes.for"), of), parts.name.element, parts.key.element, field("attribute-type", t("attributes.kind"), type), parts.choices.element);
  for (const [one, { value }] of Object.entries(fields)) fields[one].value = typed[one] ?? value;
  isSuggested = typed.isSuggested !== "no";
  showChoices();
  form.addEventListener("input", () => {
    for (const [one, { value }] of Object.entries(fields)) typed[one] = value;
    typed.isSuggested = isSuggested ? "yes" : "no";
  });
  return form;
}

function select(values, prefix) {
  return h("select", { class: "fd-input" }, values.map((one) => h("option", { value: one }, t(`${prefix}.${one}`))));
}

/** A field with the sentence about what is wrong with it below. */
function part(id, label, input, help) {
  const fault = h("p", { class: "fd-error", id: `${id}-fault`, role: "alert" });
  const element = field(id, label, input, help);
  input.setAttribute("aria-describedby", help ? `${id}-help ${id}-fault` : `${id}-fault`);
  element.append(fault);
  return {
    element, input,
    show: (words) => {
      if (fault.textContent !== words) fault.textContent = words;
      input.setAttribute("aria-invalid", String(Boolean(words)));
    },
  };
}
