import { h, svg } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { axisMarks, labelStep } from "./report-scale.js";

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 56;
const BOTTOM = 30;
const TOP = 10;

/**
 * A plot of columns over time, with a table of the same numbers for who does not see it.
 *
 * @typedef {{name: string, values: (number|null)[]}} Series one or two of them
 * @param {{title: string, rows: string[], series: Series[], write: (value: number) => string, units?: number[]}} plot
 */
export function reportPlot({ title, rows, series, write, units }) {
  const greatest = Math.max(0, ...series.flatMap((one) => one.values.map((value) => value ?? 0)));
  const marks = axisMarks(greatest, units);
  const top = marks.at(-1);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const slot = (WIDTH - LEFT) / rows.length;
  const width = Math.min(28, (slot * 0.72) / series.length);
  const every = labelStep(rows.length, 8);
  return h("figure", { class: "report-figure" },
    h("figcaption", null, h("h2", null, title), series.length > 1 ? legend(series) : null),
    svg("svg", { class: "report-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
      marks.map((mark) => [
        svg("line", { class: "report-line", x1: LEFT, x2: WIDTH, y1: y(mark), y2: y(mark) }),
        svg("text", { class: "report-mark", x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end" }, write(mark)),
      ]),
      rows.map((row, place) => [
        series.map((one, number) => one.values[place] === null ? null : svg("rect", {
          class: `report-bar is-${number}`, rx: 2, width, height: Math.max(0, y(0) - y(one.values[place])),
          x: LEFT + slot * (place + 0.5) + width * (number - series.length / 2), y: y(one.values[place]),
        }, svg("title", null, `${row}: ${write(one.values[place])}`))),
        place % every ? null : svg("text", {
          class: "report-mark", x: LEFT + slot * (place + 0.5), y: HEIGHT - 4, "text-anchor": "middle",
        }, row),
      ])),
    h("details", { class: "more" }, h("summary", null, t("reports.table")),
      reportTable(title, [t("reports.time"), ...series.map((one) => one.name)],
        rows.map((row, place) => [row, ...series.map(({ values }) => values[place] === null ? "–" : write(values[place]))]))));
}

/**
 * A table whose first column names the row.
 * @param {string} label @param {string[]} head @param {string[][]} rows
 */
export function reportTable(label, head, rows) {
  return h("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "table report-table" },
      h("thead", null, h("tr", null, head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, rows.map(([name, ...cells]) => h("tr", null,
        h("th", { scope: "row" }, name), cells.map((cell) => h("td", null, cell)))))));
}

function legend(series) {
  return h("p", { class: "report-legend" }, series.map((one, number) => h("span", null,
    h("span", { class: `report-swatch is-${number}`, "aria-hidden": "true" }), one.name)));
}
