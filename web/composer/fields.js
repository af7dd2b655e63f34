/** The small parts forms are made of: labelled fields, folds, buttons. Values live in the draft. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { dateInput, timeInput } from "../lib/pick-input.js";
import { icon } from "./icons.js";

let counter = 0;

/** An element id that is unique in the page. */
export function freshElementID(stem) {
  counter += 1;
  return `cp-${stem}-${counter}`;
}

/**
 * A labelled control with its hint and a place for its problem.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {{hint?: string, pointer?: () => string, optional?: string, className?: string,
 *   hideLabel?: boolean}} options
 * @param {HTMLElement} [shown] what the control is in
 */
export function field(label, control, options = {}, shown = control) {
  const id = freshElementID("field");
  control.id = id;
  const hint = options.hint ? h("p", { class: "cp-hint", id: `${id}-hint` }, options.hint) : null;
  const problem = h("p", { class: "cp-problem", id: `${id}-problem`, hidden: true });
  control.setAttribute("aria-describedby", hint ? `${id}-hint ${id}-problem` : `${id}-problem`);
  const labelClass = options.hideLabel ? "cp-label fd-hidden-text" : "cp-label";
  const caption = h("label", { class: labelClass, for: id }, label,
    options.optional ? h("span", { class: "cp-optional" }, options.optional) : null);
  const box = h("div", { class: `cp-field ${options.className ?? ""}` }, caption, shown, hint, problem);
  box.problem = problem;
  box.control = control;
  box.pointer = options.pointer;
  box.classList.toggle("cp-checked", Boolean(options.pointer));
  return box;
}

/**
 * A place for the problems of a whole group, such as too few entries; it jumps to `control`.
 * @param {string} pointer
 * @param {() => HTMLElement|null} control
 */
export function groupProblem(pointer, control) {
  const problem = h("p", { class: "cp-problem", hidden: true });
  const box = h("div", { class: "cp-field cp-checked cp-group-problem" }, problem);
  box.problem = problem;
  box.pointer = () => pointer;
  Object.defineProperty(box, "control", { get: () => control() ?? box });
  return box;
}

/**
 * A text field bound to one member of a draft.
 * @param {{label: string, draft: object, key: string, changed: () => void, hint?: string,
 *   placeholder?: string, type?: string, inputMode?: string, maxLength?: number, rows?: number,
 *   pointer?: () => string, optional?: string, className?: string, hideLabel?: boolean,
 *   list?: string, autocomplete?: string}} options
 */
export function textField(options) {
  const { draft, key, changed } = options;
  if (options.type === "date" || options.type === "time") return pickField(options);
  const control = document.createElement(options.rows ? "textarea" : "input");
  control.className = "cp-input";
  if (options.rows) control.rows = options.rows;
  else control.type = options.type ?? "text";
  if (options.placeholder) control.placeholder = options.placeholder;
  if (options.inputMode) control.inputMode = options.inputMode;
  if (options.maxLength) control.maxLength = options.maxLength;
  if (options.list) control.setAttribute("list", options.list);
  control.autocomplete = options.autocomplete ?? "off";
  control.dataset.key = key;
  control.value = draft[key] ?? "";
  control.addEventListener("input", () => {
    draft[key] = control.value;
    changed();
  });
  return field(options.label, control, options);
}

/** A day, or a time of day. */
function pickField(options) {
  const { draft, key, changed, type } = options;
  const pick = (type === "date" ? dateInput : timeInput)({
    value: draft[key] ?? "", className: "cp-input", changed: (value) => {
      draft[key] = value;
      changed();
    },
  });
  pick.input.dataset.key = key;
  return field(options.label, pick.input, options, pick.element);
}

/** A choice field; options are [value, label] pairs. */
export function selectField(options) {
  const { draft, key, changed, choices } = options;
  const control = h("select", { class: "cp-input cp-select" });
  for (const [value, label] of choices) control.append(new Option(label, value, false, draft[key] === value));
  control.dataset.key = key;
  control.value = draft[key];
  control.addEventListener("change", () => {
    draft[key] = control.value;
    changed();
  });
  return field(options.label, control, options);
}

/** A check box with its label beside it. */
export function checkField(options) {
  const { draft, key, changed } = options;
  const id = freshElementID("check");
  const control = h("input", { type: "checkbox", id, class: "cp-check" });
  control.checked = Boolean(draft[key]);
  control.dataset.key = key;
  control.addEventListener("change", () => {
    draft[key] = control.checked;
    changed();
  });
  return h("div", { class: "cp-checkline" }, control, h("label", { for: id }, options.label));
}

/** Several check boxes that fill a list in the draft, in the order of the choices. */
export function checkGroup(options) {
  const { draft, key, changed, choices } = options;
  const boxes = choices.map(([value, label, isFixed]) => {
    const id = freshElementID("check");
    const control = h("input", { type: "checkbox", id, class: "cp-check" });
    control.checked = draft[key].includes(value);
    control.disabled = Boolean(isFixed);
    control.addEventListener("change", () => {
      const chosen = new Set(draft[key]);
      if (control.checked) chosen.add(value);
      else chosen.delete(value);
      draft[key] = choices.map(([name]) => name).filter((name) => chosen.has(name));
      changed();
    });
    return h("div", { class: "cp-checkline cp-pill" }, control, h("label", { for: id }, label));
  });
  return h("fieldset", { class: "cp-checkgroup" },
    h("legend", { class: "cp-label" }, options.label), h("div", { class: "cp-pills" }, ...boxes));
}

/** A row of fields that sit side by side where there is room. */
export function row(...children) {
  return h("div", { class: "cp-row" }, ...children);
}

/** A part that is folded until it is opened. */
export function fold(summary, ...children) {
  return h("details", { class: "cp-fold" }, h("summary", null, summary), h("div", { class: "cp-fold-body" }, ...children));
}

/** A square button with an icon; the words are its accessible name and its tooltip. */
export function iconButton(name, label, onclick, className = "") {
  const button = h("button", { type: "button", class: `cp-iconbutton ${className}`, onclick }, icon(name));
  button.setAttribute("aria-label", label);
  button.title = label;
  return button;
}

/** A button with words, and an icon before them when one is named. */
export function wordButton(label, onclick, { iconName, className = "" } = {}) {
  return h("button", { type: "button", class: `cp-button ${className}`, onclick },
    iconName ? icon(iconName) : null, h("span", null, label));
}

/** Buttons that move or remove one entry of a list. */
export function orderButtons({ index, count, words, move, remove }) {
  const up = iconButton("up", words.up, () => move(-1), "cp-small");
  const down = iconButton("down", words.down, () => move(1), "cp-small");
  const drop = iconButton("close", words.remove, remove, "cp-small");
  up.disabled = index === 0;
  down.disabled = index === count - 1;
  drop.disabled = remove === null;
  up.dataset.move = "up";
  down.dataset.move = "down";
  drop.dataset.move = "remove";
  return h("span", { class: "cp-order" }, up, down, drop);
}

/** Stands where a row would be added, once the form has no room for another. @param {number} limit */
export function fullLine(limit) {
  return h("p", { class: "cp-hint", role: "status" }, t("composer.full", { limit }));
}
