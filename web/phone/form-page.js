import { listView } from "../cards/list-view.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { language, t } from "../lib/i18n.js";
import { formatDay } from "../lib/form-dates.js";
import { fieldAttributes } from "./form-keyboards.js";
import { wheel } from "./form-wheel.js";

const PROBLEM = "form-problem";

/**
 * The page of a form that is in view: its question and what answers it.
 * @param {import("./form-walk.js").FormWalk} walk
 * @param {() => void} changed
 * @param {() => void} goOn
 */
export function pageView(walk, changed, goOn) {
  const { page } = walk;
  const set = (value) => {
    walk.value = value;
    changed();
  };
  const drawers = { select: selectView, picker: pickerView, datePicker: dateView, input: inputView };
  const draw = drawers[page.kind];
  return h("div", { class: `form-page is-${page.kind}` },
    page.title && page.title !== page.question && h("p", { class: "form-title" }, page.title),
    h("h3", { id: "form-question", tabindex: "-1", dir: "auto" },
      page.question || t("card.untitled")),
    page.hint && h("p", { class: "form-hint", id: "form-hint", dir: "auto" }, page.hint),
    draw ? draw(walk, set, goOn) : h("p", { class: "sheet-note" }, t("phone.form.unknownPage")),
    h("p", { class: "form-problem", id: PROBLEM, role: "alert", hidden: true }));
}

/**
 * Shows why the page cannot be left; null clears it.
 * @param {HTMLElement} node
 * @param {string|null} text
 */
export function showProblem(node, text) {
  const line = node.querySelector(`#${PROBLEM}`);
  if (!line) return;
  line.hidden = text === null;
  replace(line, text !== null && [icon("alert", 18), h("span", null, text)]);
  const field = node.querySelector(".fd-input");
  field?.setAttribute("aria-invalid", String(text !== null));
  if (text !== null) (field ?? node.querySelector("input"))?.focus();
}

function selectView(walk, set) {
  const { page } = walk;
  const section = {
    title: t("phone.form.answers"), isMultiple: page.isMultiple,
    items: page.items.map((item) => ({ ...item, subtitle: "", style: "" })),
  };
  const chosen = new Set(walk.value);
  return listView({ sections: [section], count: page.items.length }, {
    chosen, name: `form-${page.identifier}`,
    choose: (identifier, isOn) => {
      if (!page.isMultiple) chosen.clear();
      if (isOn) chosen.add(identifier);
      else chosen.delete(identifier);
      set([...chosen]);
    },
  });
}

function pickerView(walk, set) {
  const { page } = walk;
  return [
    page.pickerTitle && h("p", { class: "form-label" }, page.pickerTitle),
    wheel({
      name: `form-${page.identifier}`, label: page.pickerTitle || page.question,
      items: page.items, chosen: walk.value[0], choose: (identifier) => set([identifier]),
    }),
  ];
}

function dateView(walk, set) {
  const { page } = walk;
  const { first, last } = walk.bounds(page);
  const written = h("p", { class: "fd-help", id: "form-written" });
  const write = () => {
    const text = formatDay(walk.value, page.dateFormat, language());
    written.textContent = text && t("phone.form.written", { date: text });
  };
  const field = h("input", {
    class: "fd-input", id: "form-field", type: "date", min: first, max: last, value: walk.value,
    required: true, "aria-describedby": described(page, "form-written"), onInput: () => {
      set(field.value);
      write();
    },
  });
  write();
  return h("div", { class: "fd-field" },
    h("label", { for: "form-field" }, page.label || t("phone.form.date")), field, written);
}

function inputView(walk, set, goOn) {
  const { page } = walk;
  const count = h("p", { class: "fd-help form-count", id: "form-count" });
  const announce = () => {
    const used = [...walk.value].length;
    // Near the limit it counts; before that no count is shown.
    count.textContent = used * 4 < page.limit * 3 ? ""
      : t("phone.form.count", { count: used, limit: page.limit });
  };
  const field = h(page.isMultiline ? "textarea" : "input", {
    class: "fd-input", id: "form-field", dir: "auto", ...fieldAttributes(page), rows: page.isMultiline ? 5 : null,
    placeholder: page.placeholder || t(page.isRequired ? "phone.form.required" : "phone.form.optional"),
    maxlength: page.limit, "aria-required": String(page.isRequired),
    "aria-labelledby": page.label ? null : "form-question",
    "aria-describedby": described(page, "form-count"), value: walk.value,
    onInput: () => {
      set(field.value);
      announce();
    },
    onKeydown: (event) => {
      if (event.key !== "Enter" || page.isMultiline || event.isComposing) return;
      event.preventDefault();
      goOn();
    },
  });
  announce();
  return h("div", { class: "fd-field" },
    page.label && h("label", { for: "form-field" }, page.label),
    page.prefix
      ? h("div", { class: "form-prefixed" }, h("span", { class: "form-prefix" }, page.prefix), field)
      : field,
    count);
}

/** The text that a screen reader reads with a field. */
function described(page, ...own) {
  return [page.hint && "form-hint", ...own, PROBLEM].filter(Boolean).join(" ");
}
