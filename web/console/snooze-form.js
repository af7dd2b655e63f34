import { localDay, shiftDay } from "../lib/days.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { dateInput, timeInput } from "../lib/pick-input.js";
import { openPopup } from "../lib/popup.js";

/**
 * Asks for the day and the time to come back at, or of something else that `words` say, in the reader's own zone.
 * @param {HTMLElement} anchor
 * @param {(until: Date) => void} choose
 * @param {{title: string, day: string, time: string, set: string}} [words]
 */
export function openSnoozeForm(anchor, choose, words = {
  title: t("console.snooze.date"), day: t("console.snooze.day"), time: t("console.snooze.time"), set: t("console.snooze.set"),
}) {
  const today = localDay(new Date());
  const day = dateInput({ value: shiftDay(today, 1), min: today });
  const time = timeInput({ value: "09:00" });
  day.input.id = "snooze-day";
  time.input.id = "snooze-time";
  const problem = h("p", { class: "fd-error", role: "alert" });
  const form = h("form", { class: "snooze-date", novalidate: true },
    h("div", { class: "fd-field" }, h("label", { class: "fd-label", for: "snooze-day" }, words.day), day.element),
    h("div", { class: "fd-field" }, h("label", { class: "fd-label", for: "snooze-time" }, words.time), time.element),
    problem, h("button", { class: "fd-button is-primary" }, words.set));
  const popup = openPopup(anchor, form, { label: words.title, className: "snooze-popup" });
  if (!popup) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = [day, time].find((one) => !one.value);
    const until = new Date(`${day.value}T${time.value}`);
    if (wrong || !(until > new Date())) {
      problem.textContent = t(wrong === day ? "console.snooze.noDay" : wrong ? "console.snooze.noTime" : "console.snooze.past");
      focusWhole((wrong ?? day).input);
      return;
    }
    popup.close();
    choose(until);
  });
  focusWhole(day.input);
}

/** What is typed next is another day or time, and not the rest of this one. @param {HTMLInputElement} input */
function focusWhole(input) {
  input.focus();
  input.select();
}
