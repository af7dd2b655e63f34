/**
 * Dates and times of a chosen zone as the protocol writes them: UTC, to the minute.
 */

/** Zones offered first; the browser's own zone is put before them. */
export const usualZones = [
  "UTC", "Asia/Tokyo", "Asia/Seoul", "Asia/Singapore", "Asia/Kolkata", "Australia/Sydney",
  "Europe/London", "Europe/Berlin", "Europe/Paris", "America/New_York", "America/Chicago",
  "America/Denver", "America/Los_Angeles", "America/Sao_Paulo",
];

/** The zone this browser lives in. */
export function localZone() {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** All time zones of the browser, or the usual ones. */
export function allZones() {
  const known = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  return [...new Set(["UTC", localZone(), ...usualZones, ...known])];
}

/** The clock of each zone that was asked for: to make one takes longer than to read it. @type {Map<string, Intl.DateTimeFormat>} */
const clocks = new Map();

function clockOf(zone) {
  if (!clocks.has(zone)) {
    clocks.set(zone, new Intl.DateTimeFormat("en-US", {
      timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
      hour: "numeric", minute: "numeric", second: "numeric",
    }));
  }
  return /** @type {Intl.DateTimeFormat} */ (clocks.get(zone));
}

/** Minutes a zone is ahead of UTC at an instant (milliseconds). */
export function offsetMinutes(zone, instant) {
  const format = clockOf(zone);
  const parts = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const wall = Date.UTC(
    parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second,
  );
  return Math.round((wall - Math.floor(instant / 1000) * 1000) / 60000);
}

/**
 * The instant of a wall-clock time in a zone; a time that a clock change skips moves forward.
 * @param {string} date like 2026-07-10
 * @param {string} time like 17:00
 * @param {string} zone
 * @returns {number|null} milliseconds
 */
export function instantOf(date, time, zone) {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/.exec(`${date}T${time.slice(0, 5)}`);
  if (!match) return null;
  const [, year, month, day, hour, minute] = match.map(Number);
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const first = wall - offsetMinutes(zone, wall) * 60000;
  const second = wall - offsetMinutes(zone, first) * 60000;
  return Math.max(
    second, offsetMinutes(zone, second) === offsetMinutes(zone, first) ? second : first,
  );
}

/** An instant as the protocol's start time, like 2026-07-10T17:00+0000. */
export function startTime(instant) {
  return `${new Date(instant).toISOString().slice(0, 16)}+0000`;
}

/** Date and time fields of an instant in a zone. */
export function wallClock(instant, zone) {
  const shifted = new Date(instant + offsetMinutes(zone, instant) * 60000).toISOString();
  return { date: shifted.slice(0, 10), time: shifted.slice(11, 16) };
}

/** The date a number of days after today in a zone. */
export function dayAfter(now, days, zone) {
  const { date } = wallClock(now, zone);
  const [year, month, day] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
}

/**
 * Wall-clock starts from one time up to (not including) another, every so many minutes.
 * @returns {{date: string, time: string, minutes: number}[]}
 */
export function slotSeries(date, from, until, everyMinutes) {
  const minutesOf = (text) => {
    const [hour, minute] = text.split(":").map(Number);
    return hour * 60 + minute;
  };
  const slots = [];
  const end = minutesOf(until);
  if (!(everyMinutes >= 5)) return slots;
  for (let at = minutesOf(from); at + everyMinutes <= end; at += everyMinutes) {
    const time = `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    slots.push({ date, time, minutes: everyMinutes });
  }
  return slots;
}
