/**
 * Dates as a form's `dateFormat` writes them. Days are ISO texts (`2026-12-01`), without a time and
 * a zone.
 */

const TOKEN = /'((?:[^']|'')*)'|y+|M+|d+|E+|[^]/g;
const ISO = /^(\d{4})-(\d{2})-(\d{2})/;

/**
 * A day in a format of `y`, `M`, `d` and `E`; quoted text and other signs are kept.
 * @param {string} iso
 * @param {string} format
 * @param {string} [locale]
 */
export function formatDay(iso, format, locale = "en") {
  const [, year, month, day] = ISO.exec(iso) ?? [];
  if (!day) return "";
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const name = (options) => date.toLocaleDateString(locale, { timeZone: "UTC", ...options });
  const figure = (text, width) => String(Number(text)).padStart(width, "0");
  return format.replace(TOKEN, (token, quoted) => {
    if (quoted !== undefined) return quoted === "" ? "'" : quoted.replaceAll("''", "'");
    const width = token.length;
    if (token[0] === "y") return width === 2 ? year.slice(2) : figure(year, width);
    if (token[0] === "M") {
      return width < 3 ? figure(month, width) : name({ month: width === 3 ? "short" : "long" });
    }
    if (token[0] === "d") return figure(day, width);
    if (token[0] === "E") return name({ weekday: width < 4 ? "short" : "long" });
    return token;
  });
}

/**
 * The day of a text in a format of figures, or written as ISO with or without a time; null for
 * anything else.
 * @param {string} text
 * @param {string} format
 */
export function readDay(text, format) {
  if (ISO.test(text)) return valid(text.slice(0, 10));
  const parts = {};
  const pattern = format.replace(TOKEN, (token) => {
    if (/^[yMd]+$/.test(token)) {
      parts[token[0]] = Object.keys(parts).length + 1;
      return token[0] === "y" ? "(\\d{4})" : "(\\d{1,2})";
    }
    return token.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  });
  const found = new RegExp(`^${pattern}$`).exec(text);
  if (!found || !parts.y || !parts.M || !parts.d) return null;
  const two = (value) => value.padStart(2, "0");
  return valid(`${found[parts.y]}-${two(found[parts.M])}-${two(found[parts.d])}`);
}

/** A day as this machine's calendar has it. @param {Date} date */
export function isoDay(date) {
  const two = (value) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function valid(iso) {
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}
