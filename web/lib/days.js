/** Days and times of day as they are typed and shown: a day is `2026-11-24`, a time of day `09:30`, "" is none. Pure. */

/** The day of these numbers; "" when there is none such. @param {number} year @param {number} month from 1 @param {number} date */
export function dayOf(year, month, date) {
  const made = new Date(Date.UTC(year, month - 1, date));
  made.setUTCFullYear(year);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === date && year > 0 && year < 10_000
    ? made.toISOString().slice(0, 10) : "";
}

/** The moment at which a day begins in UTC, to count and to format with. @param {string} day */
export function momentOf(day) {
  return new Date(`${day}T00:00:00Z`);
}

/** The day of a moment in the reader's own zone. @param {Date} date */
export function localDay(date) {
  return dayOf(date.getFullYear(), date.getMonth() + 1, date.getDate());
}

/** @param {string} day @param {number} count of days */
export function shiftDay(day, count) {
  const moment = momentOf(day);
  moment.setUTCDate(moment.getUTCDate() + count);
  return moment.toISOString().slice(0, 10);
}

/** The same date of another month, or its last where it is shorter. @param {string} day @param {number} count of months */
export function shiftMonth(day, count) {
  const [year, month, date] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return first.toISOString().slice(0, 10);
}

/**
 * The weeks in which a day's month is.
 * @param {string} day
 * @param {number} first weekday of a week, 0 for Sunday
 * @returns {string[][]}
 */
export function weeksOf(day, first) {
  const start = momentOf(`${day.slice(0, 8)}01`);
  let at = shiftDay(start.toISOString().slice(0, 10), -((start.getUTCDay() - first + 7) % 7));
  const weeks = [];
  do {
    weeks.push(Array.from({ length: 7 }, (_, index) => shiftDay(at, index)));
    at = shiftDay(at, 7);
  } while (at.slice(0, 7) <= day.slice(0, 7));
  return weeks;
}

/** The weekday with which weeks begin, 0 for Sunday. @param {string} locale */
export function firstWeekday(locale) {
  const found = /** @type {any} */ (new Intl.Locale(locale));
  const info = found.getWeekInfo?.() ?? found.weekInfo;
  return (info?.firstDay ?? 7) % 7;
}

/** In the locale's order of numbers: 11/24/2026. @param {string} day @param {string} locale */
export function writeDay(day, locale) {
  return day ? new Intl.DateTimeFormat(locale, { year: "numeric", month: "2-digit", day: "2-digit", timeZone: "UTC" }).format(momentOf(day)) : "";
}

/**
 * Reads a day: numbers in the locale's order, or with the year first; without a year the next such day.
 * @param {string} text
 * @param {string} locale
 * @param {string} today
 */
export function readDay(text, locale, today) {
  const groups = text.normalize("NFKC").match(/\d+/g) ?? [];
  if (groups.length === 1 && groups[0].length === 8) return dayOf(+groups[0].slice(0, 4), +groups[0].slice(4, 6), +groups[0].slice(6));
  const order = new Intl.DateTimeFormat(locale, { timeZone: "UTC" }).formatToParts(momentOf(today))
    .map(({ type }) => type).filter((type) => ["year", "month", "day"].includes(type));
  if (groups.length === 3) {
    const names = groups[0].length === 4 ? ["year", "month", "day"] : order;
    const { year, month, day } = Object.fromEntries(names.map((name, index) => [name, groups[index]]));
    return year.length === 4 || year.length === 2 ? dayOf(year.length === 2 ? 2000 + +year : +year, +month, +day) : "";
  }
  if (groups.length !== 2) return "";
  const names = order.filter((name) => name !== "year");
  const { month, day } = Object.fromEntries(names.map((name, index) => [name, +groups[index]]));
  const year = +today.slice(0, 4);
  const found = dayOf(year, month, day);
  return found && found < today ? dayOf(year + 1, month, day) : found;
}

/** As a clock shows it: 9:30 AM. @param {string} clock @param {string} locale */
export function writeClock(clock, locale) {
  return clock ? new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC" })
    .format(new Date(`2000-01-01T${clock}:00Z`)) : "";
}

/** Reads a time of day: 9, 930, 9:30, 9.30 pm, 21:30, 午後9時30分. @param {string} text */
export function readClock(text) {
  const found = /^(午前|午後)?\s*(\d{1,2})(?:[:.h時]\s*(\d{2})?\s*分?|(\d{2}))?\s*([ap])?\.?m?\.?$/.exec(text.normalize("NFKC").trim().toLowerCase());
  if (!found) return "";
  const half = found[5] ?? { 午前: "a", 午後: "p" }[found[1]];
  const [written, minute] = [Number(found[2]), Number(found[3] ?? found[4] ?? 0)];
  if (half && written > 12) return "";
  const hour = half ? written % 12 + (half === "p" ? 12 : 0) : written;
  return hour > 23 || minute > 59 ? "" : `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** The end of an interval: midnight is the end of the day, however it is typed. @param {string} text */
export function readEnd(text) {
  const clock = /^24(?:[:.h時]?\s*(?:00)?\s*分?)$/.test(text.normalize("NFKC").trim().toLowerCase()) ? "00:00" : readClock(text);
  return clock === "00:00" ? "24:00" : clock;
}

/** The end of an interval as a reader writes it; the end of the day is 24:00. @param {string} clock @param {string} locale */
export function writeEnd(clock, locale) {
  return clock === "24:00" ? clock : writeClock(clock, locale);
}

/** Times of a whole day. @param {number} step in minutes */
export function clocksOf(step) {
  return Array.from({ length: Math.floor(1_440 / step) }, (_, index) => {
    const minutes = index * step;
    return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  });
}
