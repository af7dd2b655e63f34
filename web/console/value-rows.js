/** The rows below a template: each value that it asks for, and what stands for a value that is unknown. */
import { adopt, h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { UNCERTAIN } from "./template-parameters.js";
import { choicesOf, valueTypes } from "./template-values.js";
import { templateStyles } from "./template-styles.js";

adopt(templateStyles);

await registerStrings({ en: () => import("../i18n/en/template-lists.js"), ja: () => import("../i18n/ja/template-lists.js") });

let rows = 0;

export class ValueRows {
  element = h("div", { class: "stack" });
  /** @type {Map<string, any>} */
  known = new Map();
  #changed;
  #none;
  #mark = null;

  /** @param {() => void} changed @param {string} [none] what it says where there are no values */
  constructor(changed, none = t("console.noParameters")) {
    this.#changed = changed;
    this.#none = none;
  }

  /** The template's own values. */
  get own() {
    return [...this.known.values()].filter(({ name }) => this.shown?.includes(name));
  }

  /** The template's lists, also those that no element is repeated for yet; members by the names that placeholders have for them. */
  get lists() {
    const all = [...this.known];
    return all.filter(([, { type }]) => type === "list").map(([list, { label }]) => ({
      name: list, label: label || list,
      members: all.filter(([name]) => name.startsWith(`${list}.`)).map(([name, one]) => ({ name, label: one.label || name.slice(list.length + 1), type: one.type })),
    }));
  }

  /** Describes a value; those of a list's items are known by both names. @param {any} value */
  set(value) {
    this.known.set(value.name, value);
    for (const member of value.members ?? []) this.known.set(`${value.name}.${member.name}`, member);
    this.#mark = null;
  }

  /**
   * Draws a row for each name, unless the same are drawn already.
   * @param {string[]} names that the sender is asked for
   * @param {string[]} automatic names that the server fills in
   * @param {Map<string, string[]>} [lists] the values of items by the name of their list
   */
  draw(names, automatic, lists = new Map()) {
    this.shown = names;
    const mark = JSON.stringify([names, automatic, [...lists]]);
    if (this.#mark === mark) return;
    this.#mark = mark;
    replace(this.element, names.map((name) => this.#ownRow(name)), [...lists].map(([name, members]) => this.#listRow(name, members)),
      automatic.map((name) => this.#automaticRow(name)),
      names.length || automatic.length || lists.size ? null : h("p", { class: "fd-help" }, this.#none));
  }

  /** The values of these names as the server stores them. @param {string[]} names @param {Map<string, string[]>} [lists] */
  list(names, lists = new Map()) {
    const own = names.flatMap((name) => this.known.get(name) ?? []);
    return [...own, ...[...lists].map(([name, members]) => ({
      ...this.known.get(name), members: members.map((member) => ({ ...this.known.get(`${name}.${member}`), name: member })),
    }))];
  }

  /** A list: what it is called, whether it may have no items, and what each item has. */
  #listRow(name, members) {
    const known = this.known.get(name) ?? { name, type: "list", label: name, required: true };
    this.known.set(name, { ...known, type: "list" });
    const label = input("console.template.askedAs", name, { value: known.label ?? name, maxlength: 120 });
    const optional = h("input", { type: "checkbox", checked: known.required === false });
    const read = () => {
      this.known.set(name, { ...known, type: "list", label: label.value.trim() || name, required: !optional.checked });
      this.#changed();
    };
    for (const one of [label, optional]) one.addEventListener("input", read);
    return h("fieldset", { class: "parameter-list" }, h("legend", null, chip(name), h("span", { class: "fd-help" }, t("lists.row"))),
      label, h("label", { class: "parameter-optional" }, optional, h("span", null, t("lists.optional"))),
      members.map((member) => this.#ownRow(`${name}.${member}`)));
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
      value: known.default ?? "", type: known.type === "date" ? "date" : "text", placeholder: t("values.none"),
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
    // Each name says of which value it is; the words above the fields are for those who see the row.
    const seen = (words, one) => h("div", { class: "parameter-part" }, h("span", { class: "fd-label", "aria-hidden": "true" }, words), one);
    return h("div", { class: "parameter" }, chip(name), seen(t("values.label"), label), seen(t("values.type"), type), seen(t("values.default"), preset), choices);
  }

  /** What stands for a value of the server's where it has none. */
  #automaticRow(name) {
    const isNeeded = UNCERTAIN.has(name);
    rows += 1;
    const id = `fallback-${rows}`;
    const problem = h("p", { class: "fd-error parameter-problem", id: `${id}-problem`, hidden: true }, t("console.template.noFallback"));
    const preset = h("input", {
      class: "fd-input", id, value: this.known.get(name)?.default ?? "", required: isNeeded, "aria-describedby": `${id}-problem`,
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
      h("label", { class: "fd-label", for: id }, t("console.parameterFallback", { name })), preset, problem);
  }
}

const chip = (name) => h("code", { class: "value-chip" }, `{{${name}}}`);

const input = (label, name, props) => h("input", { class: "fd-input", "aria-label": t(label, { name }), ...props });

/** A number's default is a number; another text is left for the server to refuse. */
function defaultOf(type, text) {
  return type === "number" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
