import assert from "node:assert/strict";
import { test } from "node:test";
import { currencyDigits, formatAmount, parseAmount, sumAmounts } from "../../web/composer/decimal.js";

const rows = [
  ["0.1", 2, 10n], ["-0.05", 2, -5n], ["1,234.50", 2, 123450n], ["１２", 2, 1200n], [".5", 2, 50n],
  ["7.", 2, 700n], ["1.230", 2, 123n], ["1.234", 2, null], ["", 2, null], [".", 2, null],
  ["1e3", 2, null], ["12a", 2, null], ["500", 0, 500n], ["500.5", 0, null], ["1.2345", 4, 12345n],
  ["9".repeat(19), 2, null], ["+3", 0, 3n],
];
for (const [text, digits, units] of rows) {
  test(`"${text}" with ${digits} digits is ${units}`, () => {
    assert.equal(parseAmount(text, digits), units);
  });
}

test("amounts are written with all digits of the currency", () => {
  assert.equal(formatAmount(5n, 2), "0.05");
  assert.equal(formatAmount(-1200n, 2), "-12.00");
  assert.equal(formatAmount(500n, 0), "500");
  assert.equal(formatAmount(1n, 3), "0.001");
});

test("a hundred cents make exactly one", () => {
  assert.equal(formatAmount(sumAmounts(Array(100).fill("0.01"), "EUR"), 2), "1.00");
  assert.equal(formatAmount(sumAmounts(["0.1", "0.2"], "USD"), 2), "0.30");
});

test("currencies know their digits", () => {
  assert.deepEqual(["JPY", "KWD", "CLF", "USD", "???"].map(currencyDigits), [0, 3, 4, 2, 2]);
});
