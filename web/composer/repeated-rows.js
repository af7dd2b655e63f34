/** The rows of forms that a template repeats for the items of a list. Only the forms of templates have `context.lists`. */
import { h, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { selectField, textField, wordButton } from "./fields.js";
import { icon } from "./icons.js";
import { identifierOfItems, standInSlot } from "./repeated-elements.js";
import { adoptStyles } from "./styles.js";

/**
 * @typedef {{name: string, label: string, type: string}} Member `name` as placeholders have it, `times.start`
 * @typedef {{name: string, label: string, members: Member[]}} List
 * @typedef {{find: (name: string) => List, choose: (button: HTMLElement, kind: string, put: (name: string) => void) => void,
 *   add: (list: string, member: {label: string, type: string, default?: number}) => string}} Lists what a template knows of its lists: one of
 *   them, asking for one, and another value of each item
 */

const styles = sheet(`
.cp-listrow.is-repeated { flex-wrap: wrap; padding: var(--fd-space-2) var(--fd-space-3) var(--fd-space-3); border: 1px dashed var(--fd-line-strong); border-radius: var(--fd-radius-md); }
.cp-listrow.is-repeated.cp-item { align-items: flex-start; }
.cp-repeat { display: flex; align-items: center; gap: 6px; flex: 1 1 100%; min-width: 0; color: var(--fd-ink-2); font-size: var(--fd-text-xs); font-weight: 500; overflow-wrap: anywhere; }
.cp-repeat > .cp-icon { width: 14px; height: 14px; }
.cp-listrow.is-repeated > .cp-field { flex: 1 1 120px; }
.cp-listrow.is-repeated > .cp-minutes { flex: none; }
.cp-listrow.is-repeated > .cp-order { align-self: flex-end; margin-inline-start: auto; }
`);

/** What the row of a repeated element has more than others; nothing for another element. @param {any} element */
export const rowParts = (element) => (element.list ? { class: " is-repeated", "data-list": element.list } : { class: "" });

/**
 * The line above a repeated element; null for another.
 * @param {import("./kind-form.js").KindForm} form
 * @param {any} element
 */
export function repeatLine(form, { list }) {
  return list ? h("p", { class: "cp-repeat" }, icon("refresh"), h("span", null, t("lists.forEach", { list: labelOf(form, list) }))) : null;
}

const labelOf = (form, list) => form.context.lists?.find(list).label ?? list;

/**
 * The button that adds an element for each item of a list; null where there are no lists.
 * @param {import("./kind-form.js").KindForm & Record<string, any>} form
 * @param {string} kind
 * @param {(list: List) => void} put
 */
export function repeatButton(form, kind, put) {
  const { lists } = form.context ?? {};
  if (!lists) return null;
  adoptStyles(form, [styles]);
  const button = wordButton(t("lists.repeat"), () => lists.choose(button, kind, (name) => put(lists.find(name))), { iconName: "refresh", className: "cp-quiet" });
  button.setAttribute("aria-haspopup", "true");
  button.setAttribute("aria-expanded", "false");
  return button;
}

/**
 * What a new repeated row begins with.
 * @param {string} identifier that no other element has
 * @param {List} list
 */
export function repeatedText(identifier, { name, members }) {
  const [first] = members.filter(({ type }) => type === "text" || type === "choice");
  return { identifier: identifierOfItems(identifier, name), title: first ? `{{${first.name}}}` : "", list: name };
}

/** A new repeated slot: it begins when the first day or time of an item does. */
export function repeatedSlot(identifier, { name, members }, { lists, zone }) {
  const start = members.find(({ type }) => type === "date")?.name ?? lists.add(name, { label: t("lists.start"), type: "date" });
  return { ...standInSlot(zone), identifier: identifierOfItems(identifier, name), list: name, start };
}

/**
 * The fields of a repeated slot.
 * @param {import("./kind-form.js").KindForm & Record<string, any>} form
 * @param {any} slot
 * @param {{number: number, pointer: (member: string) => () => string, find: string}} place `find` leads to its row
 */
export function repeatedSlotFields(form, slot, { number, pointer, find }) {
  const { lists } = form.context;
  const changed = () => form.changed();
  const { members } = lists.find(slot.list);
  const named = (type, chosen) => {
    const found = members.filter((one) => one.type === type).map(({ name, label }) => [name, label]);
    return chosen && !found.some(([name]) => name === chosen) ? [...found, [chosen, chosen]] : found;
  };
  const numbers = named("number", slot.length);
  const choice = { length: slot.length };
  const length = selectField({
    label: t("lists.length"), draft: choice, key: "length", pointer: slot.length ? pointer("duration") : undefined,
    choices: [["", t("lists.lengthSame")], ...numbers.map(([name, label]) => [name, t("lists.lengthOf", { label })]), ...(numbers.length ? [] : [["+", t("lists.lengthOwn")]])],
    changed: () => {
      slot.length = choice.length === "+" ? lists.add(slot.list, { label: t("lists.seconds"), type: "number", default: slot.minutes * 60 }) : choice.length;
      form.reshape(`${find} [data-key="length"]`);
    },
  });
  const minutes = textField({
    label: t("composer.time.minutes", { number }), hideLabel: true, draft: slot, key: "minutes", type: "number", inputMode: "numeric",
    className: "cp-minutes cp-bottom", pointer: pointer("duration"),
    changed: () => {
      slot.minutes = Math.max(0, Math.round(Number(slot.minutes) || 0));
      changed();
    },
  });
  minutes.control.min = "1";
  return [
    selectField({ label: t("lists.startOf"), draft: slot, key: "start", choices: named("date", slot.start), changed, pointer: pointer("startTime") }),
    length, ...(slot.length ? [] : [minutes, h("span", { class: "cp-unit cp-bottom", "aria-hidden": "true" }, t("composer.time.minutesUnit"))]),
  ];
}
