import { firstWeekday, localDay, momentOf, shiftDay, shiftMonth, weeksOf } from "./days.js";
import { adopt, h, replace, sheet } from "./dom.js";
import { language, t } from "./i18n.js";
import { icon } from "./icons.js";
import { openPopup } from "./popup.js";
import { formatAt } from "./time.js";

const styles = sheet(`
.fd-calendar { padding: 10px; }
.fd-calendar-head { display: flex; align-items: center; gap: 4px; }
.fd-calendar-head h3 { flex: 1; margin: 0; text-align: center; font-size: var(--fd-text-sm); font-weight: 600; }
.fd-calendar button { display: grid; place-items: center; width: 36px; height: 36px; padding: 0; border: 0; border-radius: var(--fd-radius-sm);
  background: none; color: inherit; font: inherit; font-variant-numeric: tabular-nums; cursor: pointer; }
.fd-calendar button:hover:not(:disabled) { background: var(--fd-bg-hover); }
.fd-calendar table { border-collapse: collapse; margin-top: 4px; }
.fd-calendar :is(th, td) { padding: 0; text-align: center; }
.fd-calendar th { height: 28px; color: var(--fd-ink-3); font-size: var(--fd-text-xs); font-weight: 400; }
.fd-calendar .is-other { color: var(--fd-ink-3); }
.fd-calendar button:disabled { color: var(--fd-ink-3); text-decoration: line-through; cursor: default; }
.fd-calendar [aria-current="date"] { box-shadow: inset 0 0 0 1px var(--fd-line-strong); }
.fd-calendar [aria-selected="true"] > button { background: var(--fd-accent); color: var(--fd-accent-ink); }
.fd-calendar-back > svg { rotate: 180deg; }
@media (max-width: 640px) { .fd-calendar button { width: 44px; height: 44px; } }
@media (max-height: 560px) { .fd-calendar button { height: 34px; } }
@media (max-height: 420px) { .fd-calendar button { height: 30px; } }
`);

/**
 * Opens a calendar beside a button: arrow keys move by days and weeks, Page Up and Page Down by months, Enter chooses.
 * @param {HTMLElement} anchor
 * @param {{value: string, min: string, choose: (day: string) => void}} options `min`: the first day that can be chosen
 */
export function openCalendar(anchor, { value, min, choose }) {
  adopt(styles);
  const popup = openPopup(anchor, null, { label: t("shared.date.open"), className: "fd-calendar" });
  if (!popup) return;
  const today = localDay(new Date());
  let at = value || (min > today ? min : today);
  const draw = (hasFocus = true) => {
    replace(popup.element, head(at, (count) => turn(shiftMonth(at, count), false)),
      grid(at, { value, min, today }));
    popup.settle();
    if (hasFocus) popup.element.querySelector(`[data-day="${at}"]`)?.focus();
  };
  const turn = (day, hasFocus = true) => {
    at = min && day < min ? min : day;
    draw(hasFocus);
  };
  popup.element.addEventListener("keydown", (event) => {
    if (!event.target.dataset.day) return;
    const next = moved(at, event);
    if (!next) return;
    event.preventDefault();
    turn(next);
  });
  popup.element.addEventListener("click", (event) => {
    const { day } = event.target.closest("[data-day]")?.dataset ?? {};
    if (!day) return;
    popup.close();
    choose(day);
  });
  draw();
}

/** Where a key leads; undefined for another key. */
function moved(day, { key, shiftKey }) {
  const weekday = (momentOf(day).getUTCDay() - firstWeekday(language()) + 7) % 7;
  switch (key) {
    case "ArrowLeft": return shiftDay(day, -1);
    case "ArrowRight": return shiftDay(day, 1);
    case "ArrowUp": return shiftDay(day, -7);
    case "ArrowDown": return shiftDay(day, 7);
    case "Home": return shiftDay(day, -weekday);
    case "End": return shiftDay(day, 6 - weekday);
    case "PageUp": return shiftMonth(day, shiftKey ? -12 : -1);
    case "PageDown": return shiftMonth(day, shiftKey ? 12 : 1);
    default: return undefined;
  }
}

function head(day, turn) {
  const step = (count, words, className) => h("button", {
    type: "button", class: className, title: t(words), "aria-label": t(words), onClick: (event) => {
      // The buttons are drawn anew; the same one keeps the focus.
      const root = event.currentTarget.closest(".fd-calendar");
      turn(count);
      root.querySelector(`.${className}`).focus();
    },
  }, icon("chevron", 16));
  return h("div", { class: "fd-calendar-head" }, step(-1, "shared.date.previous", "fd-calendar-back"),
    h("h3", { "aria-live": "polite" }, formatAt(momentOf(day), { year: "numeric", month: "long" }, 0)),
    step(1, "shared.date.next", "fd-calendar-on"));
}

function grid(day, { value, min, today }) {
  const weeks = weeksOf(day, firstWeekday(language()));
  const name = (one, weekday) => formatAt(momentOf(one), { weekday }, 0);
  return h("table", { role: "grid", "aria-label": formatAt(momentOf(day), { year: "numeric", month: "long" }, 0) },
    h("thead", null, h("tr", null, weeks[0].map((one) => h("th", { scope: "col", "aria-label": name(one, "long") }, name(one, language() === "ja" ? "narrow" : "short"))))),
    h("tbody", null, weeks.map((week) => h("tr", null, week.map((one) => h("td", {
      role: "gridcell", "aria-selected": String(one === value),
    }, h("button", {
      type: "button", dataset: { day: one }, tabindex: one === day ? "0" : "-1", disabled: Boolean(min) && one < min,
      class: one.slice(0, 7) === day.slice(0, 7) ? null : "is-other", "aria-current": one === today ? "date" : null,
      "aria-label": formatAt(momentOf(one), { weekday: "long", day: "numeric", month: "long", year: "numeric" }, 0),
    }, String(Number(one.slice(8))))))))));
}
