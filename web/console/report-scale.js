/** The arithmetic of plots, without DOM. */

/**
 * The marks of an axis from 0 to at least the greatest value: few, and round numbers.
 * @param {number} greatest
 * @param {number[]} [units] what the marks are multiples of, such as minutes and hours in seconds
 * @returns {number[]} from 0 on, two to six of them
 */
export function axisMarks(greatest, units = [1]) {
  const wanted = Math.max(greatest, units[0]);
  const unit = [...units].reverse().find((one) => wanted >= one) ?? units[0];
  const rough = wanted / unit / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) * unit;
  return Array.from({ length: Math.ceil(wanted / step) + 1 }, (_, number) => number * step);
}

/**
 * How a number differs from an earlier one, in percent; null where it cannot be said.
 * @param {number|null} now
 * @param {number|null|undefined} before
 */
export function changeOf(now, before) {
  if (now === null || before === null || before === undefined || before === 0) return null;
  return Math.round(((now - before) / before) * 100);
}

/**
 * Every how many rows a plot of some width names one.
 * @param {number} rows
 * @param {number} room how many names there is room for
 */
export function labelStep(rows, room) {
  return Math.max(1, Math.ceil(rows / Math.max(1, room)));
}
