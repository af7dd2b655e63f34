/**
 * Exact money: decimal text in, integer minor units inside, decimal text out. No floating point.
 */

/** Minor-unit digits of currencies that do not have two (ISO 4217). */
const minorDigits = new Map(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, Number(digits)])),
);

/** Most digits an amount may have, so that a pasted novel never becomes a number. */
export const amountDigitLimit = 18;

/** Digits after the point of a currency; 2 when unknown. */
export function currencyDigits(currency) {
  return minorDigits.get(currency) ?? 2;
}

/**
 * Reads "12.5", "-3" or "1,234.50" as minor units.
 * @param {string} text
 * @param {number} digits of the currency
 * @returns {bigint|null} null when it is no amount or finer than the currency allows
 */
export function parseAmount(text, digits) {
  const plain = text.normalize("NFKC").trim().replaceAll(",", "");
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(plain);
  if (!match) return null;
  const [, sign, whole, fraction = ""] = match;
  if (whole === "" && fraction === "") return null;
  if (whole.length + fraction.length > amountDigitLimit) return null;
  if (fraction.slice(digits).replaceAll("0", "") !== "") return null;
  const units = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0") || "0");
  return sign === "-" ? -units : units;
}

/**
 * Writes minor units as the protocol's decimal text.
 * @param {bigint} units
 * @param {number} digits
 */
export function formatAmount(units, digits) {
  const negative = units < 0n;
  const text = (negative ? -units : units).toString().padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  return `${negative ? "-" : ""}${whole}${digits ? `.${text.slice(-digits)}` : ""}`;
}

/**
 * Adds amounts given as text; what cannot be read counts as nothing.
 * @param {string[]} amounts
 * @param {string} currency
 */
export function sumAmounts(amounts, currency) {
  const digits = currencyDigits(currency);
  return amounts.reduce((sum, amount) => sum + (parseAmount(amount, digits) ?? 0n), 0n);
}
