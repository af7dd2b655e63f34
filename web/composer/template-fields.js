/** The fields in which a template asks for its values: one for each, a list with as many items as are wanted. */
import { h, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { dateInput, timeInput } from "../lib/pick-input.js";
import { field, iconButton, selectField, textField, wordButton } from "./fields.js";
import { adoptStyles } from "./styles.js";
import { instantOf, localZone, startTime } from "./zones.js";

await registerStrings({ en: () => import("../i18n/en/template-lists.js"), ja: () => import("../i18n/ja/template-lists.js") });

const styles = sheet(`
.tp-listing, .tp-items, .tp-item { display: grid; gap: var(--fd-space-2); min-width: 0; margin: 0; padding: 0; border: 0; }
.tp-item { padding: var(--fd-space-2) var(--fd-space-3) var(--fd-space-3); border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); }
.tp-item-head { display: flex; align-items: center; justify-content: space-between; gap: var(--fd-space-2); }
.tp-item-head .cp-label { margin: 0; }
.tp-time { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: var(--fd-space-2); align-items: start; }
`);

/** Names that the server fills in where it knows their values; where it does not, they get a field. */
const automaticNames = new Set(["customer.name", "customer.locale", "business.name", "agent.name"]);

/** Most items of a list, as `docs/limits.md` has it. */
const MOST_ITEMS = 100;

/** @typedef {{name: string, type: string, label?: string, required?: boolean, default?: any, choices?: string[], members?: Parameter[], isUnknown?: boolean}} Parameter */

/**
 * What is in the field before anything is typed; a list has its first item.
 * @param {Parameter} parameter
 * @param {Record<string, string>} [known] of `knownValues` in `lib/names.js`
 */
export function startingValue(parameter, known = {}) {
  if (parameter.type !== "list") return known[parameter.name] ?? parameter.default ?? "";
  const items = parameter.default ?? (parameter.required === false ? [] : [{}]);
  return items.map((item) => Object.fromEntries(parameter.members.map((one) => [one.name, item[one.name] ?? one.default ?? ""])));
}

/** Brings what the fields look like into the page or shadow that an element sits in. @param {HTMLElement} element that is connected */
export function adoptFieldStyles(element) {
  adoptStyles(element, [styles]);
}

/**
 * The field of a value.
 * @param {Parameter} parameter
 * @param {{values: Record<string, any>, template: any, refresh: () => void}} parts `refresh` is called when it changed
 */
export function parameterField(parameter, { values, template, refresh }) {
  const times = timesOf(template);
  return parameter.type === "list" ? listField(parameter, values, times, refresh)
    : valueField(parameter, values, times.has(parameter.name), refresh);
}

function valueField(parameter, values, isTime, changed) {
  const isAutomatic = automaticNames.has(parameter.name) && !parameter.isUnknown;
  const isNeeded = (parameter.required ?? true) && (parameter.default ?? "") === "" && !isAutomatic;
  const options = {
    label: labelOf(parameter), draft: values, key: parameter.name, changed,
    optional: isNeeded ? undefined : t(isAutomatic ? "composer.template.automatic" : "composer.template.optional"),
  };
  if (parameter.type === "choice") {
    const choices = (parameter.choices ?? []).map((choice) => [choice, choice]);
    return selectField({ ...options, choices: [["", "–"], ...choices] });
  }
  if (parameter.type === "date" && isTime) return timeField(options);
  const box = textField({ ...options, type: parameter.type === "date" ? "date" : "text", inputMode: parameter.type === "number" ? "decimal" : undefined });
  box.control.required = isNeeded;
  return box;
}

/** A day and a time of day in the reader's zone, kept as the moment that they are. */
function timeField({ label, draft, key, changed, optional }) {
  const known = typeof draft[key] === "string" && draft[key] ? new Date(draft[key]) : null;
  const shown = known && !Number.isNaN(known.getTime()) ? wallClock(known) : { date: "", time: "" };
  const read = () => {
    const moment = instantOf(date.value, time.value, localZone());
    draft[key] = moment === null ? "" : startTime(moment);
    changed();
  };
  const date = dateInput({ value: shown.date, className: "cp-input", changed: read });
  const time = timeInput({ value: shown.time, className: "cp-input", changed: read });
  date.input.dataset.key = key;
  return h("div", { class: "tp-time" }, field(t("lists.date", { label }), date.input, { optional }, date.element),
    field(t("lists.time", { label }), time.input, { hint: t("lists.zone", { zone: localZone() }) }, time.element));
}

function wallClock(moment) {
  const two = (number) => String(number).padStart(2, "0");
  return {
    date: `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    time: `${two(moment.getHours())}:${two(moment.getMinutes())}`,
  };
}

/** A list: its items one below the other, each with its own fields. */
function listField(parameter, values, times, changed) {
  const label = labelOf(parameter);
  const items = h("div", { class: "tp-items" });
  const add = wordButton(t("lists.add"), () => {
    values[parameter.name].push(...startingValue({ ...parameter, default: undefined, required: true }));
    draw();
    changed();
    items.lastElementChild?.querySelector("input, select")?.focus();
  }, { iconName: "plus", className: "cp-quiet" });
  const draw = () => {
    const list = values[parameter.name];
    items.replaceChildren(...list.map((item, index) => {
      const number = index + 1;
      return h("div", { class: "tp-item", role: "group", "aria-label": t("lists.item", { label, number }) },
        h("div", { class: "tp-item-head" }, h("span", { class: "cp-label" }, t("lists.item", { label, number })),
          iconButton("close", t("lists.remove", { label, number }), () => {
            list.splice(index, 1);
            draw();
            changed();
            (items.children[Math.min(index, list.length - 1)]?.querySelector("input, select") ?? add).focus();
          })),
        parameter.members.map((member) => valueField(member, item, times.has(`${parameter.name}.${member.name}`), changed)));
    }));
    add.hidden = list.length >= MOST_ITEMS;
  };
  draw();
  return h("fieldset", { class: "tp-listing" },
    h("legend", { class: "cp-label" }, label, parameter.required === false ? h("span", { class: "cp-optional" }, t("composer.template.optional")) : null),
    items, add);
}

/** The names that a template writes as moments, for which a day alone is too little. */
function timesOf(template) {
  const text = JSON.stringify(template.payload ?? {});
  return new Set([...text.matchAll(/\{\{\s*([\w.]+)\s*\|\s*utc\s*\}\}/g)].map(([, name]) => name));
}

/** What a value is called. @param {{name: string, label?: string}} parameter */
function labelOf({ name, label }) {
  if (label && label !== name) return label;
  return automaticNames.has(name) ? t(`composer.template.name.${name}`) : name;
}

/**
 * What a value is called by the path that the server names it with, `order` or `slots/0/start`.
 * @param {string} path
 * @param {Parameter[]} parameters
 */
export function labelOfValue(path, parameters) {
  const [name, place, member] = path.split("/");
  const parameter = parameters.find((one) => one.name === name);
  if (member === undefined) return labelOf(parameter);
  return t("lists.ofItem", { list: labelOf(parameter), number: Number(place) + 1, label: labelOf(parameter.members.find((one) => one.name === member)) });
}

/** Values that were typed, numbers as numbers. @param {{parameters: Parameter[], values: Record<string, any>}} parts */
export function statedValues({ parameters, values }) {
  const stated = {};
  for (const { name, type, members } of parameters) {
    const value = values[name];
    if (value === "" || value === undefined) continue;
    if (type === "list") stated[name] = value.map((item) => statedValues({ parameters: members, values: item }));
    else stated[name] = type === "number" && isNumber(value) ? Number(value) : value;
  }
  return stated;
}

/** Most digits that a number keeps on its way. */
const MOST_DIGITS = 15;

/** Whether what is typed is a number that arrives as it was typed. @param {string|number} value */
function isNumber(value) {
  if (typeof value === "number") return true;
  const text = String(value).trim();
  return /^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(text) && text.replace(/e.*/i, "").replace(/\D/g, "").length <= MOST_DIGITS && Number.isFinite(Number(text));
}

/**
 * What the numbers are called in whose fields is none.
 * @param {{parameters: Parameter[], values: Record<string, any>}} parts
 * @returns {string[]}
 */
export function wrongNumbers({ parameters, values }) {
  return parameters.flatMap((parameter) => {
    const { name, type, members } = parameter;
    if (type === "list") return [...new Set((values[name] ?? []).flatMap((item) => wrongNumbers({ parameters: members, values: item })))];
    const value = values[name] ?? "";
    return type === "number" && value !== "" && !isNumber(value) ? [labelOf(parameter)] : [];
  });
}
