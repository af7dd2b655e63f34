import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { cardDefaults } from "./card-defaults.js";
import { blankCard, cardTexts } from "./card-texts.js";
import {
  checkField, fold, groupProblem, iconButton, selectField, textField, wordButton,
} from "./fields.js";
import { FreshNames } from "./fresh-names.js";
import { KindForm } from "./kind-form.js";
import { offsetOf, timePayload } from "./kinds/time.js";
import { pictureField } from "./picture-field.js";
import { repeatButton, repeatLine, repeatedSlot, repeatedSlotFields, rowParts } from "./repeated-rows.js";
import { isWhole, slotChip, useChipStyles } from "./slot-chips.js";
import { allZones, dayAfter, instantOf, localZone, slotSeries, wallClock } from "./zones.js";

/** The form creates at most this many slots. */
const slotLimit = 100;

/** Times to pick from, with the place they are at. */
export class TimeForm extends KindForm {
  #names = new FreshNames("slot");
  /** The slot whose fields are shown although it is whole; the other whole ones are chips. */
  #openSlot = null;
  #isSeriesOpen = false;
  /** What the last quick-add did not add, in words, and why. */
  #notAdded = "";
  #said = h("p", { class: "cp-hint", role: "status" });
  /** What `#places` has found; every field's place is asked for again and again. */
  #placesNow = null;
  #series = { days: "1", from: "09:00", until: "12:00", every: "30" };

  #freshSlot(date = "", time = "", minutes = 30) {
    return { identifier: this.#names.next(this.draft?.slots), date, time, minutes };
  }

  connectedCallback() {
    super.connectedCallback();
    useChipStyles(this);
  }

  blankDraft() {
    this.#names.reset();
    this.#notAdded = "";
    const words = cardDefaults(this.context?.locale, "time");
    return {
      received: blankCard(words.title), reply: blankCard(words.reply), identifier: "appointment",
      title: "", picture: null, zone: localZone(), fixedZone: true,
      place: { title: "", latitude: "", longitude: "", radius: "" }, slots: [this.#freshSlot()],
    };
  }

  draw() {
    const { draft } = this;
    this.#placesNow = null;
    const changed = () => this.changed();
    const zones = allZones().map((zone) => [zone, zone.replaceAll("_", " ")]);
    return [
      h("div", { class: "cp-row cp-four" },
        textField({
          label: t("composer.time.card"), draft: draft.received, key: "title", changed, maxLength: 512,
          pointer: () => "/interactiveData/receivedMessage/title",
        }),
        textField({
          label: t("composer.time.title"), draft, key: "title", changed, maxLength: 512,
          placeholder: t("composer.time.titleExample"), pointer: () => "/interactiveData/data/event/title",
        }),
        textField({
          label: t("composer.time.place.title"), draft: draft.place, key: "title", changed,
          placeholder: t("composer.time.place.example"), pointer: () => "/interactiveData/data/event/location/title",
        }),
        selectField({
          label: t("composer.time.zone"), draft, key: "zone", choices: zones,
          changed: () => this.reshape(),
        })),
      this.heading(t("composer.time.slots"), h("span", { class: "cp-count cp-grow" }, String(draft.slots.length)),
        draft.slots.some(({ list }) => list) && !draft.fixedZone
          ? h("p", { class: "cp-hint" }, t("lists.ownZone"))
          : checkField({ label: t("composer.time.fixedZone"), draft, key: "fixedZone", changed })),
      h("ol", { class: "cp-list cp-slots" }, ...draft.slots.flatMap((slot, index) => this.#isChip(slot) ? this.#chip(slot, index) : this.#slot(slot, index, changed))),
      groupProblem("/interactiveData/data/event/timeslots", () => this.querySelector("[data-slot] :is(input, .cp-slot-open)")),
      h("div", { class: "cp-slot-foot" }, draft.slots.length < slotLimit
        ? wordButton(t("composer.time.addSlot"), () => this.#addSlot(), { iconName: "plus", className: "cp-quiet" }) : null, this.#seriesButton(),
      repeatButton(this, "time", (list) => this.#repeat(list))),
      this.#isSeriesOpen ? this.#seriesBox() : null,
      this.#showRest(),
      this.#placeBox(changed),
      cardTexts(draft, changed, { hidesTitle: true }),
    ];
  }

  /** Says what was not added, that no time can be added any more, and whose clock is shown where it is not the chosen one; read aloud where it is new. */
  #showRest() {
    const { slots, zone, fixedZone } = this.draft;
    const words = this.#notAdded || (slots.length >= slotLimit ? t("composer.full", { limit: slotLimit })
      : fixedZone && offsetOf(zone, [...this.#instants.values()]) === undefined ? t("composer.time.clockChange") : "");
    if (this.#said.textContent !== words) queueMicrotask(() => this.#said.replaceChildren(words));
    return this.#said;
  }

  /** Whether a slot is drawn as a chip: it is whole, and its fields are not wanted. */
  #isChip(slot) {
    return isWhole(slot) && slot !== this.#openSlot;
  }

  #chip(slot, index) {
    const { slots } = this.draft;
    const before = slots[index - 1];
    return slotChip(slot, {
      before: before && this.#isChip(before) ? before : null, index, pointer: this.#pointerOf(slot),
      open: () => {
        this.#openSlot = slot;
        this.reshape(`[data-slot="${index}"] input`);
      },
      remove: () => this.#remove(index),
    });
  }

  #remove(index) {
    const { slots } = this.draft;
    this.#notAdded = "";
    slots.splice(index, 1);
    if (!slots.length) slots.push(this.#freshSlot());
    this.reshape(`[data-slot="${Math.max(0, index - 1)}"] :is(input, select, .cp-slot-open)`);
  }

  /** Where a slot, or a member of it, is in the payload: whole ones, in the order of their times. */
  #pointerOf(slot, member = "") {
    return () => `/interactiveData/data/event/timeslots/${this.#places.get(slot) ?? -1}${member && `/${member}`}`;
  }

  /** The places of the whole slots in the payload, until one changes. */
  get #places() {
    this.#placesNow ??= new Map([...this.#instants].sort((one, other) => one[1] - other[1]).map(([it], place) => [it, place]));
    return this.#placesNow;
  }

  /** When the whole slots are. @returns {Map<any, number>} */
  get #instants() {
    const { slots, zone } = this.draft;
    return new Map(slots.map((it) => [it, instantOf(it.date, it.time, zone)]).filter(([, instant]) => instant !== null));
  }

  changed() {
    this.#placesNow = null;
    this.#showRest();
    super.changed();
  }

  #slot(slot, index, changed) {
    const pointer = (member) => this.#pointerOf(slot, member);
    const number = index + 1;
    const remove = h("span", { class: "cp-order" },
      iconButton("close", t("composer.move.remove", { name: t("composer.time.slot", { number }) }), () => this.#remove(index), "cp-small"));
    if (slot.list) {
      const parts = rowParts(slot);
      return h("li", { ...parts, class: `cp-listrow${parts.class}`, "data-slot": String(index) }, repeatLine(this, slot),
        repeatedSlotFields(this, slot, { number, pointer, find: `[data-slot="${index}"]` }), remove);
    }
    const minutes = textField({
      label: t("composer.time.minutes", { number }), hideLabel: true, draft: slot, key: "minutes",
      type: "number", inputMode: "numeric", className: "cp-minutes", pointer: pointer("duration"),
      changed: () => {
        slot.minutes = Math.max(0, Math.round(Number(slot.minutes) || 0));
        changed();
      },
    });
    minutes.control.min = "1";
    return h("li", { class: "cp-listrow", "data-slot": String(index) },
      textField({
        label: t("composer.time.date", { number }), hideLabel: true, draft: slot, key: "date",
        type: "date", changed, className: "cp-grow cp-wide", pointer: pointer("startTime"),
      }),
      textField({
        label: t("composer.time.start", { number }), hideLabel: true, draft: slot, key: "time",
        type: "time", changed, className: "cp-grow",
      }),
      minutes,
      h("span", { class: "cp-unit", "aria-hidden": "true" }, t("composer.time.minutesUnit")), remove);
  }

  /** Adds a slot for each item of a list, in place of those that are empty. */
  #repeat(list) {
    const { draft } = this;
    const { lists } = this.context;
    const slot = repeatedSlot(this.#names.next(draft.slots), list, { lists, zone: draft.zone });
    draft.slots = [...draft.slots.filter((one) => one.list || (one.date && one.time)), slot];
    // Which hour a zone has at times that are not known yet is not known either.
    draft.fixedZone = false;
    this.reshape(`[data-slot="${draft.slots.length - 1}"] select`);
  }

  #addSlot() {
    const { slots, zone } = this.draft;
    const last = slots.findLast(({ list }) => !list);
    const start = last ? instantOf(last.date, last.time, zone) : null;
    if (start === null) slots.push(this.#freshSlot(dayAfter(Date.now(), 1, zone), "09:00"));
    else {
      const next = wallClock(start + last.minutes * 60000, zone);
      slots.push(this.#freshSlot(next.date, next.time, last.minutes));
    }
    this.#openSlot = slots.at(-1);
    this.reshape(`[data-slot="${slots.length - 1}"] input`);
  }

  #seriesButton() {
    const button = wordButton(t("composer.time.quickAdd"), () => {
      this.#isSeriesOpen = !this.#isSeriesOpen;
      this.render();
      this.querySelector(this.#isSeriesOpen ? ".cp-quickadd select" : ".cp-series")?.focus();
    }, { iconName: "plus", className: "cp-quiet cp-series" });
    button.setAttribute("aria-expanded", String(this.#isSeriesOpen));
    return button;
  }

  #seriesBox() {
    const choices = (name, values) => selectField({
      label: t(`composer.time.series.${name}`), draft: this.#series, key: name, changed() {},
      choices: values,
    });
    const days = [0, 1, 2, 7].map((count) => [String(count), t(`composer.time.day.${count}`)]);
    const hour = (name) => textField({
      label: t(`composer.time.series.${name}`), draft: this.#series, key: name, changed() {}, type: "time",
    });
    const every = [15, 30, 45, 60].map((count) => [String(count), t("composer.time.everyMinutes", { count })]);
    return h("div", { class: "cp-quickadd", role: "group", "aria-label": t("composer.time.quickAdd") },
      h("div", { class: "cp-row cp-row-tight" }, choices("days", days), hour("from"), hour("until"),
        choices("every", every),
        wordButton(t("composer.time.addSeries"), () => this.addSeries(), { iconName: "plus", className: "cp-bottom" })));
  }

  /** Adds the slots of the quick-add line; slots that are there already are not doubled. */
  addSeries() {
    const { draft } = this;
    const date = dayAfter(Date.now(), Number(this.#series.days), draft.zone);
    const known = new Set(draft.slots.map((slot) => `${slot.date} ${slot.time}`));
    const filled = draft.slots.filter((slot) => slot.list || (slot.date && slot.time));
    const before = filled.length;
    let left = 0;
    for (const { time, minutes } of slotSeries(date, this.#series.from, this.#series.until, Number(this.#series.every))) {
      if (known.has(`${date} ${time}`)) continue;
      if (filled.length < slotLimit) filled.push(this.#freshSlot(date, time, minutes));
      else left += 1;
    }
    this.#notAdded = left ? t("composer.time.leftOut", { count: left, limit: slotLimit }) : filled.length === before ? t("composer.time.noneAdded") : "";
    draft.slots = filled.length ? filled : draft.slots;
    this.reshape(".cp-quickadd .cp-button");
  }

  #placeBox(changed) {
    const { place } = this.draft;
    const base = "/interactiveData/data/event/location";
    const line = (key, options = {}) => textField({
      label: t(`composer.time.place.${key}`), draft: place, key, changed,
      pointer: () => `${base}/${key}`, ...options,
    });
    const number = { inputMode: "decimal" };
    const box = fold(t("composer.time.place"),
      h("div", { class: "cp-row cp-row-tight" }, line("latitude", { ...number, placeholder: "35.6812" }),
        line("longitude", { ...number, placeholder: "139.7671" }),
        line("radius", { ...number, placeholder: "100" })),
      pictureField({
        place: this.context, label: t("composer.time.picture"), draft: this.draft, key: "picture", changed, edge: 1125,
      }));
    box.open = Boolean(place.latitude || place.longitude || this.draft.picture);
    return box;
  }

  payload() {
    return timePayload(this.draft, this.context.envelope());
  }

  isBlank() {
    const { title, slots } = this.draft;
    return !title.trim() && slots.every((slot) => !slot.date && !slot.time);
  }

  example() {
    const draft = this.blankDraft();
    const date = dayAfter(Date.now(), 1, draft.zone);
    // An example speaks the reader's language, all of it.
    const words = cardDefaults(language(), "time");
    return {
      ...draft, received: blankCard(words.title), reply: blankCard(words.reply), title: t("composer.example.time.title"),
      place: { title: t("composer.example.time.place"), latitude: "35.6812", longitude: "139.7671", radius: "100" },
      slots: slotSeries(date, "09:00", "11:00", 30).map((slot) => this.#freshSlot(slot.date, slot.time, slot.minutes)),
    };
  }
}
customElements.define("time-form", TimeForm);
