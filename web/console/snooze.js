import { t } from "../lib/i18n.js";
import { dayKey, formatAt, formatClock } from "../lib/time.js";

/**
 * Times to come back at, in the reader's own zone.
 * @param {Date} now
 * @returns {{text: string, until: Date}[]}
 */
export function snoozeChoices(now) {
  const at = (days, hour) => {
    const date = new Date(now);
    date.setDate(date.getDate() + days);
    date.setHours(hour, 0, 0, 0);
    return date;
  };
  const untilMonday = ((8 - now.getDay()) % 7) || 7;
  return [
    { text: "console.snooze.hour", until: new Date(now.getTime() + 3_600_000) },
    { text: "console.snooze.tomorrow", until: at(1, 9) },
    // On a Sunday that is tomorrow.
    ...untilMonday > 1 ? [{ text: "console.snooze.monday", until: at(untilMonday, 9) }] : [],
  ];
}

/** What a choice does not say itself: the day, or the time of the next hour. @param {{text: string, until: Date}} choice @param {Date} now */
export function choiceAside({ text, until }, now) {
  if (text !== "console.snooze.hour") return formatAt(until, { weekday: "short", day: "numeric", month: "short" });
  return dayKey(until) === dayKey(now) ? formatClock(until) : snoozeDay(until);
}

/** A short day and time. @param {Date} date */
export function snoozeDay(date) {
  return formatAt(date, { weekday: "short", hour: "numeric", minute: "2-digit" });
}

/** When a snooze ends, in the few letters of a row: only what is not plain from today. @param {Date} date @param {Date} [now] */
export function snoozeEnd(date, now = new Date()) {
  if (dayKey(date) === dayKey(now)) return formatClock(date);
  return isNear(date, now) ? snoozeDay(date) : formatAt(date, { day: "numeric", month: "short", year: otherYear(date, now) });
}

/** The year is said where it is another one. @param {Date} date @param {Date} now @returns {"numeric"|undefined} */
function otherYear(date, now) {
  return date.getFullYear() === now.getFullYear() ? undefined : "numeric";
}

/** Whether its weekday says which day it is. @param {Date} date @param {Date} now */
function isNear(date, now) {
  return Math.abs(date.getTime() - now.getTime()) < 6 * 86_400_000;
}

/**
 * Until when a conversation is snoozed; without a time, until the customer answers.
 * @param {string|null} until
 * @param {string} [name] the customer's, where the conversation is on screen no more
 */
export function snoozeWords(until, name) {
  const kind = name === undefined ? "snoozed" : "done.snoozed";
  if (!until) return t(`console.${kind}.answer`, { name });
  const date = new Date(until);
  const time = isNear(date, new Date()) ? snoozeDay(date) : formatAt(date, {
    day: "numeric", month: "short", year: otherYear(date, new Date()), hour: "numeric", minute: "2-digit",
  });
  return t(`console.${kind}.until`, { time, name });
}
