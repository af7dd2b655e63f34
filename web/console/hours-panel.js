import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { dateInput, timeInput } from "../lib/pick-input.js";
import { formatDivider } from "../lib/time.js";
import "./automatic-answers.js";
import { endOf, faultOf, firstHours, weekdays } from "./hours-draft.js";
import { card, confirmAction, field, savingForm, sentence } from "./panel-parts.js";

await registerStrings({ en: () => import("../i18n/en/hours.js"), ja: () => import("../i18n/ja/hours.js") });

/** When each business answers, and what is answered by itself. */
class HoursPanel extends HTMLElement {
  session = null;
  #business = null;

  connectedCallback() {
    this.#business = this.session.businesses.find((one) => !one.isSandbox) ?? this.session.businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/hours`;
  }

  async #load() {
    const business = this.#business;
    const choose = h("select", { class: "fd-input" }, this.session.businesses.map((one) => h("option", { value: one.id }, one.name)));
    choose.value = business.id;
    choose.addEventListener("change", () => {
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      this.#load();
    });
    let found = null;
    let problem = null;
    try {
      found = await api.get(this.#path);
    } catch (refusal) {
      problem = refusal;
    }
    if (business !== this.#business) return;
    replace(this, h("section", { class: "panel" },
      h("h1", null, t("hours.title")),
      field("hours-business", t("console.business"), choose),
      problem ? h("p", { class: "fd-error", role: "alert" }, sentence(problem)) : [
        business.role === "owner" ? null : h("p", { class: "fd-help" }, t("hours.onlyOwners")),
        card(t("hours.hours"), h("p", { role: "status" }, nowWords(found.now)), this.#part(found.hours)),
        h("automatic-answers", { class: "settings-card", ".business": business }),
      ]));
  }

  #part(hours) {
    const isOwner = this.#business.role === "owner";
    if (hours) return this.#form(hours, isOwner);
    return isOwner ? h("div", { class: "form-actions" }, h("button", {
      type: "button", class: "fd-button", onClick: (event) => event.target.parentElement.replaceWith(this.#form(firstHours(), true)),
    }, t("hours.set"))) : null;
  }

  #form(hours, isOwner) {
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
      onSave: async () => {
        const week = Object.fromEntries([...days].map(([name, day]) => [name, day.read()]));
        await api.put(this.#path, { timeZone: zone.value.trim(), week, holidays: holidays.read() });
        await this.#load();
      },
    }, h("fieldset", { class: "hours-form", disabled: !isOwner },
      field("hours-zone", t("hours.timeZone"), zone, t("hours.timeZoneHelp")), zones,
      h("div", { class: "hours-days" }, [...days.values()].map((day) => day.element)),
      isOwner ? same : null, holidays.element));
    if (!isOwner) form.querySelector(".form-actions").remove();
    else if (hours) form.querySelector(".form-actions").append(this.#remover());
    return form;
  }

  #remover() {
    return h("button", {
      type: "button", class: "fd-button is-plain", onClick: async () => {
        if (!(await confirmAction(t("hours.removeQuestion"), t("hours.remove")))) return;
        await api.delete(this.#path);
        await this.#load();
      },
    }, t("hours.remove"));
  }
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
    return this.#rows.map(({ from, to }) => ({ from: from.value, to: endOf(to.value) }));
  }

  set intervals(intervals) {
    this.#rows = intervals.map((one, index) => {
      const number = index + 1;
      const from = timeInput({ value: one.from });
      from.input.setAttribute("aria-label", t("hours.from", { day: this.#name, number }));
      const to = timeInput({ value: one.to === "24:00" ? "00:00" : one.to });
      to.input.setAttribute("aria-label", t("hours.to", { day: this.#name, number }));
      return { from, to };
    });
    replace(this.list, intervals.length ? this.#rows.map((row, index) => h("div", { class: "hours-interval" },
      row.from.element, h("span", { "aria-hidden": "true" }, "–"), row.to.element,
      h("button", {
        type: "button", class: "fd-button is-plain", "aria-label": t("hours.takeOut", { day: this.#name, number: index + 1 }),
        onClick: () => { this.intervals = this.intervals.toSpliced(index, 1); },
      }, t("console.remove")))) : h("span", { class: "fd-help" }, t("hours.closedDay")));
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
      h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#add() }, t("hours.addHoliday")));
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
      const name = h("input", { class: "fd-input", value: one.name ?? "", maxlength: 40, "aria-label": t("hours.holidayName", { number: index + 1 }) });
      return { date, name, open: one.open ?? [] };
    });
    replace(this.list, this.#rows.map((row, index) => h("div", { class: "hours-holiday" }, row.date.element, row.name,
      row.open.length ? h("span", { class: "fd-help" }, row.open.map(({ from, to }) => `${from}–${to}`).join(", ")) : null,
      h("button", {
        type: "button", class: "fd-button is-plain", "aria-label": t("hours.removeHoliday", { number: index + 1 }),
        onClick: () => this.#draw(this.#values().toSpliced(index, 1)),
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

function nowWords({ open, changesAt }) {
  const state = open ? "open" : "closed";
  return changesAt ? t(`hours.now.${state}Until`, { time: formatDivider(new Date(changesAt)) }) : t(`hours.now.${state}`);
}

customElements.define("hours-panel", HoursPanel);
