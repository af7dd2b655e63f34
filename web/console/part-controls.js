/** The value of a condition or an action, as a control for each kind. */
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { dateInput } from "../lib/pick-input.js";
import { field } from "./panel-parts.js";
import { priorities } from "./priority.js";
import { actionKinds } from "./rule-parts.js";
import { SERVER_FILLED, withoutValue } from "./template-parameters.js";

/**
 * @typedef {{members: any[], teams: any[], labels: any[], templates: any[]}} Known what a business has
 * @typedef {import("./part-rows.js").PartControl} PartControl
 * @typedef {import("./rule-parts.js").Part} Part
 */

const messageKinds = ["text", "quickReply", "list", "time", "payment", "form", "authentication", "richLink", "app"];
const states = ["open", "pending", "snoozed", "closed"];
const channels = ["phone", "sandbox", "gateway", "upstream", "api", "console", "script", "server"];
/** Times of sleep that are offered, in minutes. */
const sleeps = [15, 60, 240, 1_440, 4_320, 10_080];
let ids = 0;

/** The control of a condition. @param {Known} known @returns {(kind: string, part: Partial<Part>, label: string) => PartControl} */
export function conditionControl(known) {
  const people = () => known.members.map(({ id, name }) => [id, name]);
  const choices = {
    state: () => states.map((one) => [one, t(`console.state.${one}`)]),
    assignee: () => [[null, t("rules.nobody")], ["anybody", t("rules.anybody")], ...people()],
    team: () => [[null, t("rules.noTeam")], ...named(known.teams)],
    label: () => named(known.labels),
    priority: () => priorities.map((one) => [one, t(`customer.priority.${one}`)]),
    hours: () => ["within", "outside"].map((one) => [one, t(`rules.hours.${one}`)]),
    scoreAtMost: () => [1, 2, 3, 4, 5].map((one) => [one, t("rules.score", { score: one })]),
    kind: () => messageKinds.map((one) => [one, t(`rules.kind.${one}`)]),
    channel: () => channels.map((one) => [one, t(`rules.channel.${one}`)]),
  };
  return (kind, part, label) => kind in choices ? choiceControl(choices[kind](), part.value, label, kind)
    : textControl(part.value ?? "", label, { maxlength: 200, placeholder: kind === "language" ? "ja" : null }, kind === "text" ? t("rules.textHelp") : "");
}

/**
 * The control of an action.
 * @param {Known} known
 * @param {{hasCaller: boolean, changed?: () => void, ask?: (value: any) => void}} options `hasCaller`: whether a person runs it, to whom it can
 *   be assigned and who is asked for values; `ask` describes a value that is asked for
 * @returns {(kind: string, part: Partial<Part>, label: string) => PartControl}
 */
export function actionControl(known, { hasCaller, changed, ask }) {
  const people = (value) => known.members.filter((one) => one.assignable !== false || one.id === value).map(({ id, name }) => [id, name]);
  const labels = (value) => named(known.labels.filter((one) => !one.retired || one.id === value));
  return (kind, part, label) => {
    switch (kind) {
      case "assign":
        return choiceControl([...hasCaller ? [["me", t("rules.caller")]] : [], [null, t("rules.nobody")], ...people(part.value)], part.value, label);
      case "team":
        return choiceControl([[null, t("rules.noTeam")], ...named(known.teams.filter((one) => !one.retired || one.id === part.value))], part.value, label);
      case "addLabel":
      case "removeLabel":
        return choiceControl(labels(part.value), part.value, label, "label");
      case "priority":
        return choiceControl(priorities.map((one) => [one, t(`customer.priority.${one}`)]), part.value, label);
      case "state":
        return choiceControl(["closed", "open", "pending"].map((one) => [one, t(`console.state.${one}`)]), part.value, label);
      case "snooze":
        return sleepControl(part.value, label);
      case "note":
        return noteControl(part.value ?? "", label, changed);
      default:
        return templateControl(known.templates, part, label, { hasCaller, changed, ask });
    }
  };
}

/** The kinds of actions, in their order. */
export const offeredActions = () => [...actionKinds];

const named = (items) => items.map(({ id, name, retired }) => [id, retired ? t("rules.retired", { name }) : name]);

/** A choice; null is a value too. A value that is not among them any more stays chosen, and is said to be gone. Where there is none, it says where they are made. */
function choiceControl(pairs, given, label, kind = "") {
  // Of a list with nothing in it nothing was chosen.
  const value = given === null && !pairs.some(([one]) => one === null) ? undefined : given;
  const isKnown = value === undefined || pairs.some(([one]) => one === value);
  const all = isKnown ? pairs : [...pairs, [value, t("rules.gone")]];
  const select = h("select", { class: "fd-input", "aria-label": label },
    all.map(([one, text, isOff], index) => h("option", { value: String(index), disabled: isOff === true && one !== value }, text)));
  const place = value === undefined ? all.findIndex(([, , isOff]) => isOff !== true) : all.findIndex(([one]) => one === value);
  select.value = String(Math.max(0, place));
  if (!all.length) select.append(h("option", { value: "" }, t("rules.nothingToChoose")));
  return { select, element: all.length || !kind ? select : h("div", { class: "stack" }, select, h("p", { class: "fd-help" }, t(`rules.nothing.${kind}`))),
    read: () => ({ value: all[Number(select.value)]?.[0] ?? null }) };
}

/** A line of text, with what is to be known of it. */
function textControl(value, label, props, help) {
  const input = h("input", { class: "fd-input", value, "aria-label": label, required: true, autocomplete: "off", ...props });
  if (help) input.setAttribute("aria-describedby", `part-help-${(ids += 1)}`);
  return { element: help ? h("div", { class: "part-value" }, input, h("p", { class: "fd-help", id: input.getAttribute("aria-describedby") }, help)) : input, read: () => ({ value: input.value.trim() }) };
}

function noteControl(value, label, changed) {
  const input = h("textarea", { class: "fd-input", "aria-label": label, required: true, maxlength: 2_000, rows: 3, onInput: () => changed?.() });
  input.value = value;
  return { element: input, read: () => ({ value: input.value }) };
}

function sleepControl(value, label) {
  const minutes = value && !sleeps.includes(value) ? [...sleeps, value].sort((one, other) => one - other) : sleeps;
  return choiceControl([[null, t("rules.sleep.answer")], ...minutes.map((one) => [one, sleepWords(one)])], value ?? null, label);
}

/** A time of sleep in the largest unit that it fills. @param {number} minutes */
export function sleepWords(minutes) {
  if (minutes % 1_440 === 0) return t("rules.sleep.days", { count: minutes / 1_440 });
  return minutes % 60 === 0 ? t("rules.sleep.hours", { count: minutes / 60 }) : t("rules.sleep.minutes", { count: minutes });
}

/**
 * A template and the values that it asks for: where a person runs it, they are asked then. What the server fills in has a field only
 * where it was given, or has no default: a value that is given would stand for each customer's own.
 */
function templateControl(templates, part, label, { hasCaller, changed, ask }) {
  const fields = ({ parameters }, values) => parameters.filter((one) => one.type !== "list"
    && (!SERVER_FILLED.has(one.name) || one.name in values || isNeeded(one)));
  const isNeeded = (one) => withoutValue({ payload: {}, parameters: [one] }).length > 0 && !(hasCaller && SERVER_FILLED.has(one.name));
  const lacking = (template) => withoutValue(template).filter((name) => {
    const own = template.parameters.find((one) => one.name === name);
    return own ? own.type === "list" : !hasCaller;
  });
  const picked = choiceControl(templates.map((one) => {
    const missing = lacking(one);
    const title = one.title || one.name;
    return missing.length ? [one.name, t("rules.asksFor", { title, values: missing.join(", ") }), true] : [one.name, title];
  }), part.value, label, "template");
  const box = h("div", { class: "stack" });
  let inputs = [];
  const draw = (values, isFresh) => {
    const template = templates.find(({ name }) => name === picked.read().value);
    inputs = template ? fields(template, values).map((one) => {
      const isAsked = isFresh && hasCaller && isNeeded(one);
      if (isAsked) ask?.({ ...one, required: true });
      return valueInput(one, isAsked ? `{{${one.name}}}` : values[one.name], isNeeded(one));
    }) : [];
    replace(box, inputs.map(({ element }) => element));
  };
  draw(part.values ?? {}, !part.values);
  picked.select.addEventListener("change", () => {
    draw({}, true);
    changed?.();
  });
  box.addEventListener("input", () => changed?.());
  return {
    element: h("div", { class: "stack" }, picked.element, box),
    read: () => ({ ...picked.read(), values: Object.fromEntries(inputs.flatMap((one) => one.read())) }),
  };
}

/**
 * The field of one value that a template or a macro asks for.
 * @param {any} parameter
 * @param {any} [value]
 * @param {boolean} [isNeeded]
 */
export function valueInput(parameter, value = parameter.default ?? "", isNeeded = false) {
  const { name, label, type, choices, required } = parameter;
  ids += 1;
  const id = `value-${ids}`;
  const isOpen = typeof value === "string" && value.includes("{{");
  let input;
  let element;
  if (type === "choice" && !isOpen) {
    input = h("select", { class: "fd-input" }, required && parameter.default === undefined ? null : h("option", { value: "" }, "–"), (choices ?? []).map((one) => h("option", { value: one }, one)));
    input.value = value;
    input.required = isNeeded;
    element = field(id, label || name, input);
  } else if (type === "date" && !isOpen) {
    const picker = dateInput({
      value: String(value), changed: (day) => picker.input.setCustomValidity(day || !picker.input.value.trim() ? "" : t("console.snooze.noDay")),
    });
    input = picker.input;
    input.id = id;
    input.required = isNeeded;
    element = h("div", { class: "fd-field" }, h("label", { for: id }, label || name), picker.element);
    return { name, element, input, read: () => (picker.value ? [[name, picker.value]] : []) };
  } else {
    input = h("input", { class: "fd-input", value: String(value), autocomplete: "off", required: isNeeded, inputmode: type === "number" ? "decimal" : null });
    element = field(id, label || name, input);
  }
  return { name, element, input, read: () => {
    const text = input.value.trim();
    if (!text) return [];
    return [[name, type === "number" && Number.isFinite(Number(text)) ? Number(text) : text]];
  } };
}
