import { h, replace, svg } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { axisMarks, labelStep } from "./report-scale.js";

/** The height, and the width until the plot is laid out; its units are pixels, so that its texts keep their size on every screen. */
const HEIGHT = 220;
const WIDTH = 720;
const LEFT = 56;
const BOTTOM = 30;
const TOP = 10;
/** The room for the name of a column. */
const NAME = 80;

/**
 * A plot of columns over time, as wide as there is room, with a table of the same numbers for who does not see it.
 *
 * @typedef {{name: string, values: (number|null)[]}} Series one or two of them
 * @typedef {{title: string, rows: string[], series: Series[], write: (value: number) => string, units?: number[]}} Plot
 * @param {Plot} plot
 */
export function reportPlot(plot) {
  const { title, rows, series, write } = plot;
  const drawing = svg("svg", { class: "report-plot", "aria-hidden": "true" });
  let width = 0;
  const draw = (room) => {
    if (room <= LEFT || room === width) return;
    width = room;
    drawing.setAttribute("viewBox", `0 0 ${room} ${HEIGHT}`);
    replace(drawing, columns(plot, room));
  };
  draw(WIDTH);
  new ResizeObserver(([entry]) => draw(Math.round(entry.contentRect.width))).observe(drawing);
  return h("figure", { class: "report-figure" },
    h("figcaption", null, h("h2", null, title), series.length > 1 ? legend(series) : null),
    drawing,
    h("details", { class: "more" }, h("summary", null, t("reports.table")),
      reportTable(title, [t("reports.time"), ...series.map((one) => one.name)],
        rows.map((row, place) => [row, ...series.map(({ values }) => values[place] === null ? "–" : write(values[place]))]))));
}

/** The axis and the columns in a drawing of some width. @param {Plot} plot @param {number} width */
function columns({ rows, series, write, units }, width) {
  const greatest = Math.max(0, ...series.flatMap((one) => one.values.map((value) => value ?? 0)));
  const marks = axisMarks(greatest, units);
  const top = marks.at(-1);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const slot = (width - LEFT) / rows.length;
  const bar = Math.min(28, (slot * 0.72) / series.length);
  const every = labelStep(rows.length, Math.floor((width - LEFT) / NAME));
  return [
    marks.map((mark) => [
      svg("line", { class: "report-line", x1: LEFT, x2: width, y1: y(mark), y2: y(mark) }),
      svg("text", { class: "report-mark", x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end" }, write(mark)),
    ]),
    rows.map((row, place) => [
      series.map((one, number) => one.values[place] === null ? null : svg("rect", {
        class: `report-bar is-${number}`, rx: 2, width: bar, height: Math.max(0, y(0) - y(one.values[place])),
        x: LEFT + slot * (place + 0.5) + bar * (number - series.length / 2), y: y(one.values[place]),
      }, svg("title", null, `${row}: ${write(one.values[place])}`))),
      place % every ? null : svg("text", {
        class: "report-mark", x: LEFT + slot * (place + 0.5), y: HEIGHT - 4, "text-anchor": "middle",
      }, row),
    ]),
  ];
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
