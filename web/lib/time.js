import { language } from "./i18n.js";

const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Reads a time of the protocol (`2026-05-01T09:00+0000`, with seconds, `Z`, `+00:00`) or of ours.
 * @param {unknown} text
 * @returns {Date|null}
 */
export function readTime(text) {
  const match = MOMENT.exec(String(text ?? ""));
  if (!match) return null;
  const [, year, month, day, hour, minute, second = "00", fraction = "0", zone] = match;
  const offset = zone === "Z"
    ? 0 : (zone[0] === "-" ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
  const stamp = Date.UTC(
    Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second),
    Math.floor(Number(`0.${fraction}`) * 1000)) - offset * 60_000;
  return Number.isNaN(stamp) ? null : new Date(stamp);
}

/**
 * The protocol's own writing of a time, in UTC: `2026-05-01T09:00+0000`.
 * @param {Date} date
 */
export function writeProtocolTime(date) {
  return `${date.toISOString().slice(0, 16)}+0000`;
}

/**
 * Formats for one place: `offset` is minutes from GMT, null the reader's own zone.
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 * @param {number|null} [offset]
 */
export function formatAt(date, options, offset = null) {
  if (offset === null) return new Intl.DateTimeFormat(language(), options).format(date);
  const shifted = new Date(date.getTime() + offset * 60_000);
  return new Intl.DateTimeFormat(language(), { ...options, timeZone: "UTC" }).format(shifted);
}

/** Hours and minutes. @param {Date} date @param {number|null} [offset] */
export function formatClock(date, offset = null) {
  return formatAt(date, { hour: "numeric", minute: "2-digit" }, offset);
}

/** Weekday, day and month. @param {Date} date @param {number|null} [offset] */
export function formatDay(date, offset = null) {
  // 「12月1日(火)」: the short weekday is how Japanese writes a date.
  const weekday = language() === "ja" ? "short" : "long";
  return formatAt(date, { weekday, month: "long", day: "numeric" }, offset);
}

/** Date and time. @param {Date} date @param {number|null} [offset] */
export function formatMoment(date, offset = null) {
  return formatAt(
    date, { weekday: "short", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
    offset);
}

/**
 * Date and time as they are read far from today: with the year where it is another one.
 * @param {Date} date
 * @param {Date} [now]
 */
export function formatFarMoment(date, now = new Date()) {
  const isThisYear = dayKey(now).slice(0, 4) === dayKey(date).slice(0, 4);
  return formatAt(date, {
    weekday: "short", month: "short", day: "numeric", year: isThisYear ? undefined : "numeric", hour: "numeric", minute: "2-digit",
  }, null);
}

/** Names a day for grouping: `2026-05-01`. @param {Date} date @param {number|null} [offset] */
export function dayKey(date, offset = null) {
  const minutes = offset ?? -date.getTimezoneOffset();
  return new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 10);
}

/** Writes minutes from GMT as `GMT+9` or `GMT−3:30`. @param {number} offset */
export function formatZone(offset) {
  if (offset === 0) return "GMT";
  const size = Math.abs(offset);
  const minutes = size % 60 ? `:${String(size % 60).padStart(2, "0")}` : "";
  return `GMT${offset < 0 ? "−" : "+"}${Math.floor(size / 60)}${minutes}`;
}

/** The name of the reader's own time zone at a date, such as "Central European Time". @param {Date} date */
export function ownZone(date) {
  return new Intl.DateTimeFormat(language(), { timeZoneName: "longGeneric" }).formatToParts(date)
    .find(({ type }) => type === "timeZoneName")?.value ?? formatZone(-date.getTimezoneOffset());
}

/**
 * "Today", "Yesterday" or the date, for dividers between days.
 * @param {Date} date
 * @param {Date} [now]
 */
export function formatDivider(date, now = new Date()) {
  const days = Math.round((Date.parse(dayKey(now)) - Date.parse(dayKey(date))) / 86_400_000);
  if (days === 0 || days === 1) {
    const text = new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(-days, "day");
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
  const isThisYear = dayKey(now).slice(0, 4) === dayKey(date).slice(0, 4);
  return formatAt(date, {
    weekday: "short", month: "short", day: "numeric", year: isThisYear ? undefined : "numeric",
  });
}

/** A day as of a divider, and the time. @param {Date} date */
export function formatRecord(date) {
  return `${formatDivider(date)}, ${formatClock(date)}`;
}

/**
 * How long ago, in the shortest true words: "now", "5 min", "3 hr", "2 days".
 * @param {Date} date
 * @param {Date} [now]
 */
export function formatAgo(date, now = new Date()) {
  const seconds = Math.max(0, (now.getTime() - date.getTime()) / 1000);
  if (seconds < 60) {
    return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(0, "second");
  }
  const [amount, unit] = seconds < 3600 ? [seconds / 60, "minute"]
    : seconds < 86_400 ? [seconds / 3600, "hour"] : [seconds / 86_400, "day"];
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "short" })
    .format(Math.floor(amount));
}

/** A length of time: "45 min", "1 hr 30 min". @param {number} seconds */
export function formatDuration(seconds) {
  const minutes = Math.round(seconds / 60);
  const write = (amount, unit) =>
    new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "short" }).format(amount);
  const parts = [];
  if (minutes >= 60) parts.push(write(Math.floor(minutes / 60), "hour"));
  if (minutes % 60 || minutes < 60) parts.push(write(minutes % 60, "minute"));
  return parts.join(" ");
}

/** A size in bytes, in a readable unit. @param {number} bytes */
export function formatBytes(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  let step = 0;
  let amount = Math.max(0, Number(bytes) || 0);
  while (amount >= 1000 && step < units.length - 1) {
    amount /= 1000;
    step += 1;
  }
  return new Intl.NumberFormat(language(), {
    style: "unit", unit: units[step], unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: amount < 10 && step > 0 ? 1 : 0,
  }).format(amount);
}

/**
 * An amount of money as the protocol writes it (a decimal text), in the reader's format.
 * @param {unknown} amount
 * @param {unknown} currency
 */
export function formatMoney(amount, currency) {
  const number = Number(amount);
  if (!Number.isFinite(number) || String(amount ?? "").trim() === "") return String(amount ?? "");
  try {
    return new Intl.NumberFormat(language(), { style: "currency", currency: String(currency) })
      .format(number);
  } catch {
    return String(amount);  // Safe: half-typed currency; the typed amount is shown unchanged.
  }
}
