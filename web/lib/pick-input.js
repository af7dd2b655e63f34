import { clocksOf, localDay, readClock, readDay, readEnd, writeClock, writeDay, writeEnd } from "./days.js";
import { adopt, h, sheet } from "./dom.js";
import { language, t } from "./i18n.js";
import { loadPart } from "./late-part.js";
import { icon } from "./icons.js";
import { openPopup } from "./popup.js";

/** Minutes between the times that are offered; every other time can be typed. */
const STEP_MINUTES = 15;

const styles = sheet(`
.fd-pick { position: relative; display: block; min-width: 0; }
.fd-pick > input { width: 100%; padding-inline-end: 34px; font-variant-numeric: tabular-nums; }
.fd-pick > button { position: absolute; inset: 0 0 0 auto; display: grid; place-items: center; width: 34px; padding: 0; border: 0;
  border-radius: var(--fd-radius-sm); background: none; color: var(--fd-ink-2); cursor: pointer; }
.fd-pick > button:hover { color: var(--fd-ink); }
.fd-pick > input[aria-invalid="true"] { border-color: var(--fd-danger); }
.fd-clocks { min-width: 120px; max-height: 240px !important; }
.fd-clock { display: block; padding: 6px 10px; border-radius: var(--fd-radius-sm); font-variant-numeric: tabular-nums; cursor: pointer; }
.fd-clock:hover { background: var(--fd-bg-hover); }
.fd-clock[aria-selected="true"] { background: var(--fd-accent-soft); color: var(--fd-accent-text); }
`);

/**
 * @typedef {{value?: string, className?: string, min?: string, changed?: (value: string) => void}} PickOptions `changed` is
 *   called with "" for what is no day or no time
 * @typedef {{element: HTMLElement, input: HTMLInputElement, readonly value: string}} Picker
 */

/**
 * A field for a day, `2026-11-24`: typed in the order that the reader's language writes it, or picked from a calendar.
 * @param {PickOptions} options `min`: the first day that the calendar offers
 * @returns {Picker}
 */
export function dateInput(options) {
  const read = (text) => readDay(text, language(), localDay(new Date()));
  const pick = makePick(options, { name: "date", drawing: "calendar", read, write: (day) => writeDay(day, language()) });
  const open = async () => {
    (await loadPart(() => import("./calendar.js")))?.openCalendar(pick.button, { value: pick.value, min: options.min ?? "", choose: pick.choose });
  };
  pick.button.setAttribute("aria-haspopup", "dialog");
  pick.button.setAttribute("aria-expanded", "false");
  pick.button.addEventListener("click", open);
  pick.input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" || event.isComposing) return;
    event.preventDefault();
    open();
  });
  return pick;
}

/**
 * A field for a time of day, `09:30`: typed, or picked from a list.
 * @param {PickOptions & {isEnd?: boolean}} options `isEnd`: midnight is the end of the day, `24:00`
 * @returns {Picker}
 */
export function timeInput({ isEnd = false, ...options }) {
  const [read, make] = isEnd ? [readEnd, writeEnd] : [readClock, writeClock];
  const write = (clock) => make(clock, language());
  const pick = makePick(options, { name: "time", drawing: "clock", read, write });
  const { input, button } = pick;
  const clocks = clocksOf(STEP_MINUTES);
  const choices = new ClockChoices(pick, isEnd ? [...clocks.slice(1), "24:00"] : clocks, write);
  button.tabIndex = -1;
  for (const [name, value] of Object.entries({ role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-autocomplete": "none" })) {
    input.setAttribute(name, value);
  }
  button.addEventListener("click", () => {
    input.focus();
    choices.toggle();
  });
  input.addEventListener("keydown", (event) => choices.key(event));
  input.addEventListener("input", () => choices.close());
  input.addEventListener("blur", () => choices.close());
  return pick;
}

/** The list of times below a field, in which the focus stays. */
class ClockChoices {
  #pick;
  #clocks;
  #write;
  #popup = null;
  #rows = [];
  #at = -1;

  constructor(pick, clocks, write) {
    [this.#pick, this.#clocks, this.#write] = [pick, clocks, write];
  }

  toggle() {
    if (this.#popup) return this.close();
    const { input } = this.#pick;
    const clocks = this.#clocks;
    const stem = `${input.id || "fd"}-clock`;
    this.#rows = clocks.map((clock, index) => h("div", {
      class: "fd-clock", role: "option", id: `${stem}-${index}`, "aria-selected": "false", dataset: { clock },
    }, this.#write(clock)));
    this.#popup = openPopup(input, this.#rows, {
      label: t("shared.time.choices"), role: "listbox", className: "fd-clocks", onClose: () => {
        this.#popup = null;
        input.removeAttribute("aria-activedescendant");
        input.removeAttribute("aria-controls");
      },
    });
    if (!this.#popup) return;
    const { element } = this.#popup;
    element.id = `${stem}-list`;
    input.setAttribute("aria-controls", element.id);
    // The focus stays in the field.
    element.addEventListener("pointerdown", (event) => event.preventDefault());
    element.addEventListener("click", (event) => this.#choose(event.target.closest("[data-clock]")));
    const near = clocks.findLastIndex((clock) => clock <= (this.#pick.value || "09:00"));
    this.#move(near < 0 ? 0 : near);
  }

  close() {
    this.#popup?.close();
  }

  key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !this.#popup) this.toggle();
    else if (step) this.#move((this.#at + step + this.#rows.length) % this.#rows.length);
    else if (event.key === "Enter" && this.#popup) this.#choose(this.#rows[this.#at]);
    else if (event.key === "Escape" && this.#popup) this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(index) {
    this.#rows[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = index;
    const row = this.#rows[index];
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    this.#pick.input.setAttribute("aria-activedescendant", row.id);
  }

  #choose(row) {
    if (!row) return;
    this.#pick.choose(row.dataset.clock);
    this.close();
  }
}

function makePick({ value = "", className = "fd-input", changed = () => {} }, { name, drawing, read, write }) {
  adopt(styles);
  const input = h("input", {
    class: className, type: "text", autocomplete: "off", value: write(value), placeholder: t(`shared.${name}.pattern`),
  });
  const words = t(`shared.${name}.open`);
  const button = h("button", { type: "button", title: words, "aria-label": words }, icon(drawing, 16));
  const pick = {
    input, button, element: h("span", { class: "fd-pick" }, input, button),
    get value() { return read(input.value); },
    choose(chosen) {
      if (input.readOnly) return;
      input.value = write(chosen);
      for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
    },
  };
  input.addEventListener("input", () => {
    input.removeAttribute("aria-invalid");
    changed(pick.value);
  });
  input.addEventListener("change", () => {
    if (pick.value) input.value = write(pick.value);
    else if (input.value.trim()) input.setAttribute("aria-invalid", "true");
  });
  return pick;
}
