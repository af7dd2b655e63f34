/** The rows below a template: each value that it asks for, and what stands for a value that is unknown. */
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { UNCERTAIN } from "./template-parameters.js";
import { choicesOf, valueTypes } from "./template-values.js";

let rows = 0;

export class ValueRows {
  element = h("div", { class: "stack" });
  /** @type {Map<string, any>} */
  known = new Map();
  #changed;
  #mark = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The template's own values. */
  get own() {
    return [...this.known.values()].filter(({ name }) => this.shown?.includes(name));
  }

  /** Describes a value. @param {any} value */
  set(value) {
    this.known.set(value.name, value);
    this.#mark = null;
  }

  /**
   * Draws a row for each name, unless the same are drawn already.
   * @param {string[]} names that the sender is asked for
   * @param {string[]} automatic names that the server fills in
   */
  draw(names, automatic) {
    this.shown = names;
    const mark = JSON.stringify([names, automatic]);
    if (this.#mark === mark) return;
    this.#mark = mark;
    replace(this.element, names.map((name) => this.#ownRow(name)), automatic.map((name) => this.#automaticRow(name)),
      names.length || automatic.length ? null : h("p", { class: "fd-help" }, t("console.noParameters")));
  }

  /** The values of these names as the server stores them. @param {string[]} names */
  list(names) {
    return names.flatMap((name) => this.known.get(name) ?? []);
  }

  #ownRow(name) {
    const known = this.known.get(name) ?? { name, type: "text", required: true };
    this.known.set(name, known);
    const label = input("console.template.askedAs", name, { value: known.label ?? name, maxlength: 120 });
    const type = h("select", { class: "fd-input", "aria-label": t("console.parameterType", { name }) },
      valueTypes.map((one) => h("option", { value: one }, t(`console.type.${one}`))));
    type.value = known.type;
    const choices = input("console.parameterChoices", name, {
      value: (known.choices ?? []).join(", "), hidden: known.type !== "choice", placeholder: t("console.choicesHint"),
    });
    const preset = input("console.parameterDefault", name, {
      value: known.default ?? "", type: known.type === "date" ? "date" : "text", placeholder: t("console.defaultHint"),
    });
    const read = () => {
      choices.hidden = type.value !== "choice";
      preset.type = type.value === "date" ? "date" : "text";
      this.known.set(name, {
        name, label: label.value.trim() || name, type: type.value, required: preset.value === "",
        ...(preset.value ? { default: defaultOf(type.value, preset.value) } : {}),
        ...(type.value === "choice" ? { choices: choicesOf(choices.value) } : {}),
      });
      this.#changed();
    };
    for (const one of [label, type, choices, preset]) one.addEventListener("input", read);
    return h("div", { class: "parameter" }, chip(name), label, type, preset, choices);
  }

  /** What stands for a value of the server's where it has none. */
  #automaticRow(name) {
    const isNeeded = UNCERTAIN.has(name);
    rows += 1;
    const id = `fallback-${rows}`;
    const problem = h("p", { class: "fd-error parameter-problem", id: `${id}-problem`, hidden: true }, t("console.template.noFallback"));
    const preset = h("input", {
      class: "fd-input", id, value: this.known.get(name)?.default ?? "", required: isNeeded, "aria-describedby": `${id}-problem`,
      placeholder: t("console.fallbackHint"),
    });
    const check = () => {
      problem.hidden = !isNeeded || preset.value.trim() !== "";
      preset.setAttribute("aria-invalid", String(!problem.hidden));
    };
    preset.addEventListener("input", () => {
      if (preset.value) this.known.set(name, { name, label: name, type: "text", required: false, default: preset.value });
      else this.known.delete(name);
      check();
      this.#changed();
    });
    check();
    return h("div", { class: "parameter is-automatic" }, chip(name), h("span", { class: "fd-help" }, t("console.automatic")),
      h("label", { class: "fd-hidden-text", for: id }, t("console.parameterFallback", { name })), preset, problem);
  }
}

const chip = (name) => h("code", { class: "value-chip" }, `{{${name}}}`);

const input = (label, name, props) => h("input", { class: "fd-input", "aria-label": t(label, { name }), ...props });

/** A number's default is a number; another text is left for the server to refuse. */
function defaultOf(type, text) {
  return type === "number" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
