/** The times of a card that are whole, as chips of a line: a press shows their fields. */
import { h, sheet } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { iconButton } from "./fields.js";
import { adoptStyles } from "./styles.js";

const styles = sheet(`
.cp-four { grid-template-columns: repeat(2, minmax(0, 1fr)); }
@container composer (min-width: 540px) { .cp-four { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
.cp-heading:has(> .cp-checkline) { align-items: center; }
.cp-heading > .cp-checkline { min-height: 0; }
.cp-slots { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.cp-slots > .cp-listrow { flex: 1 0 100%; }
.cp-slot-day { flex: none; color: var(--fd-ink-2); font-size: var(--fd-text-sm); margin-inline-end: 2px; }
.cp-slots > .cp-slot ~ .cp-slot-day { margin-inline-start: 6px; }
.cp-slot { display: inline-flex; flex-wrap: wrap; align-items: center; border: 1px solid transparent; border-radius: var(--fd-radius-sm); background: var(--fd-accent-soft); }
.cp-slot-open { min-height: 30px; padding: 0 2px 0 10px; border: 0; border-radius: var(--fd-radius-sm); background: none; color: var(--fd-accent-text);
  font: 500 var(--fd-text-sm) / 20px var(--fd-font); font-variant-numeric: tabular-nums; cursor: pointer; }
.cp-slot-open:hover { text-decoration: underline; }
.cp-slot .cp-iconbutton { color: var(--fd-accent-text); }
.cp-slot.cp-visited.cp-has-error { border-color: var(--fd-danger); }
.cp-slot.cp-visited.cp-has-warning { border-color: var(--fd-warn); }
.cp-slot > .cp-problem { flex-basis: 100%; padding: 0 10px 4px; }
.cp-slot-foot { display: flex; flex-wrap: wrap; align-items: center; gap: 0 4px; }
.cp-series { padding-inline-start: 8px; }
@media (max-width: 640px) { .cp-slot-open { min-height: 40px; } }
`);

/** Whether a slot says all that it needs, so that it can be a chip. @param {any} slot */
export function isWhole({ list, date, time, minutes }) {
  return !list && Boolean(date && time) && minutes > 0 && !Number.isNaN(Date.parse(`${date}T${time}Z`));
}

/** Adds the styles of the chips to where a form is. @param {HTMLElement} form */
export function useChipStyles(form) {
  adoptStyles(form, [styles]);
}

/**
 * A slot as a chip, after the name of its day where the slot before has another one.
 * @param {any} slot
 * @param {{before: any, index: number, pointer: () => string, open: () => void, remove: () => void}} place `before`: the chip before, if any
 */
export function slotChip(slot, { before, index, pointer, open, remove }) {
  const day = dayWords(slot);
  const isSameDay = before?.date === slot.date;
  const length = ` · ${t("composer.time.everyMinutes", { count: slot.minutes })}`;
  const problem = h("p", { class: "cp-problem", hidden: true });
  const button = h("button", { type: "button", class: "cp-slot-open", title: t("composer.time.change"), onClick: open },
    h("span", { class: "fd-hidden-text" }, `${day}, `), clockWords(slot),
    h("span", { class: isSameDay && before.minutes === slot.minutes ? "fd-hidden-text" : null }, length));
  const chip = h("li", { class: "cp-slot cp-field cp-checked", "data-slot": String(index) }, button,
    iconButton("close", t("composer.move.remove", { name: t("composer.time.slot", { number: index + 1 }) }), remove, "cp-small"), problem);
  Object.assign(chip, { problem, control: button, pointer });
  return [isSameDay ? null : h("li", { class: "cp-slot-day", role: "presentation", "aria-hidden": "true" }, day), chip];
}

/** The day and the clock of a slot are those of its place, wherever the reader is. */
const at = ({ date, time }) => new Date(`${date}T${time}Z`);
const dayWords = (slot) => new Intl.DateTimeFormat(language(), { weekday: "short", month: "short", day: "numeric", timeZone: "UTC" }).format(at(slot));
const clockWords = (slot) => new Intl.DateTimeFormat(language(), { hour: "numeric", minute: "2-digit", timeZone: "UTC" }).format(at(slot));
