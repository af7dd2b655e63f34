import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { dateInput, timeInput } from "../lib/pick-input.js";
import { faultOf, weekdays } from "./hours-draft.js";
import { field, savingForm } from "./panel-parts.js";
import { hoursStyles } from "./hours-styles.js";

adopt(hoursStyles);

/**
 * The form of a week, its holidays and its time zone. A fault is a sentence at its field.
 * @param {any} hours
 * @param {{mayChange: boolean, save: (hours: any) => Promise<void>, more?: Node|null}} options `more`: a button beside "Save"
 */
export function hoursForm(hours, { mayChange, save, more = null }) {
  const zone = h("input", { class: "fd-input", value: hours.timeZone, required: true, autocomplete: "off", maxlength: 64, list: "hours-zones" });
  const zones = h("datalist", { id: "hours-zones" }, (Intl.supportedValuesOf?.("timeZone") ?? []).map((name) => h("option", { value: name })));
  const days = new Map(weekdays.map((name) => [name, new DayHours(t(`hours.${name}`), hours.week[name] ?? [])]));
  const same = h("button", {
    type: "button", class: "fd-button is-plain",
    onClick: () => { for (const name of weekdays.slice(1, 5)) days.get(name).intervals = days.get("monday").intervals; },
  }, t("hours.same"));
  const holidays = new Holidays(hours.holidays);
  const form = savingForm({
    save: t("shared.save"),
    onSave: () => save({
      timeZone: zone.value.trim(), week: Object.fromEntries([...days].map(([name, day]) => [name, day.read()])), holidays: holidays.read(),
    }),
  }, h("fieldset", { class: "hours-form", disabled: !mayChange },
    field("hours-zone", t("hours.timeZone"), zone, t("hours.timeZoneHelp")), zones,
    h("div", { class: "hours-days" }, [...days.values()].map((day) => day.element)),
    mayChange ? same : null, holidays.element));
  if (!mayChange) form.querySelector(".form-actions").remove();
  else if (more) form.querySelector(".form-actions").append(more);
  return form;
}

/** The intervals of one weekday. */
class DayHours {
  #name;
  #rows = [];

  constructor(name, intervals) {
    this.#name = name;
    this.list = h("div", { class: "hours-intervals" });
    this.element = h("div", { class: "hours-day", role: "group", "aria-label": name }, h("span", { class: "fd-label" }, name), this.list,
      h("button", {
        type: "button", class: "fd-button is-plain", "aria-label": t("hours.addTo", { day: name }),
        onClick: () => {
          this.intervals = [...this.intervals, { from: "", to: "" }];
          this.#rows.at(-1).from.input.focus();
        },
      }, t("hours.add")));
    this.intervals = intervals;
  }

  get intervals() {
    return this.#rows.map(({ from, to }) => ({ from: from.value, to: to.value }));
  }

  set intervals(intervals) {
    this.#rows = intervals.map((one, index) => {
      const number = index + 1;
      const from = timeInput({ value: one.from });
      from.input.setAttribute("aria-label", t("hours.from", { day: this.#name, number }));
      const to = timeInput({ value: one.to, isEnd: true });
      to.input.setAttribute("aria-label", t("hours.to", { day: this.#name, number }));
      return { from, to };
    });
    replace(this.list, intervals.length ? this.#rows.map((row, index) => h("div", { class: "hours-interval" },
      row.from.element, h("span", { "aria-hidden": "true" }, "–"), row.to.element,
      h("button", {
        type: "button", class: "fd-button is-plain is-icon", "aria-label": t("hours.takeOut", { day: this.#name, number: index + 1 }), title: t("console.remove"),
        onClick: () => {
          this.intervals = this.intervals.toSpliced(index, 1);
          sayRowsChanged(this.element);
          // Its button went with it.
          /** @type {HTMLElement} */ (this.element.lastElementChild).focus();
        },
      }, icon("close", 16)))) : h("span", { class: "fd-help" }, t("hours.closedDay")));
  }

  /** The intervals as they are stored; a fault is a sentence at its field. */
  read() {
    const intervals = this.intervals;
    const fault = faultOf(intervals);
    if (!fault) return intervals;
    const { input } = this.#rows[fault.at][fault.kind === "ends" ? "to" : "from"];
    input.setAttribute("aria-invalid", "true");
    input.focus();
    throw Object.assign(new Error(), { errors: [{ fix: t(`hours.fault.${fault.kind}`, { day: this.#name }) }] });
  }
}

/** The dates on which other hours hold; what is open on them stays as it is. */
class Holidays {
  #rows = [];

  constructor(holidays) {
    this.list = h("div", { class: "hours-holidays" });
    this.element = h("fieldset", { class: "marks" }, h("legend", null, t("hours.holidays")), this.list,
      h("div", null, h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#add() }, t("hours.addHoliday"))));
    this.#draw(holidays);
  }

  #add() {
    this.#draw([...this.#values(), { date: "", name: "", open: [] }]);
    this.#rows.at(-1).date.input.focus();
  }

  #values() {
    return this.#rows.map(({ date, name, open }) => ({ date: date.value, name: name.value, open }));
  }

  #draw(holidays) {
    this.#rows = holidays.map((one, index) => {
      const date = dateInput({ value: one.date });
      date.input.setAttribute("aria-label", t("hours.date", { number: index + 1 }));
      const name = h("input", { class: "fd-input", value: one.name ?? "", maxlength: 40, placeholder: t("hours.holidayNameHint"), "aria-label": t("hours.holidayName", { number: index + 1 }) });
      return { date, name, open: one.open ?? [] };
    });
    replace(this.list, this.#rows.map((row, index) => h("div", { class: "hours-holiday" }, row.date.element, row.name,
      row.open.length ? h("span", { class: "fd-help" }, row.open.map(({ from, to }) => `${from}–${to}`).join(", ")) : null,
      h("button", {
        type: "button", class: "fd-button is-plain", "aria-label": t("hours.removeHoliday", { number: index + 1 }),
        onClick: () => {
          this.#draw(this.#values().toSpliced(index, 1));
          sayRowsChanged(this.element);
          /** @type {HTMLElement} */ (this.element.lastElementChild).focus();
        },
      }, t("console.remove")))));
  }

  read() {
    const values = this.#values();
    const at = values.findIndex(({ date }, index) => !date || values.findIndex((one) => one.date === date) < index);
    if (at < 0) return values;
    const { input } = this.#rows[at].date;
    input.setAttribute("aria-invalid", "true");
    input.focus();
    throw Object.assign(new Error(), { errors: [{ fix: t(values[at].date ? "hours.fault.twice" : "hours.fault.date") }] });
  }
}

/** What was said about a row may not be true any more. */
function sayRowsChanged(element) {
  element.dispatchEvent(new CustomEvent("rows-changed", { bubbles: true }));
}
