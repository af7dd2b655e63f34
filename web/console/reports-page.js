import { api, withQuery } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { language, onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { localDay, shiftDay } from "../lib/days.js";
import { formatDuration } from "../lib/time.js";
import { download } from "./guarded-download.js";
import { keepBusiness, keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { field } from "./panel-parts.js";
import { may } from "./permissions.js";
import { reportPlot, reportTable } from "./report-plot.js";
import { changeOf } from "./report-scale.js";
import { reportStyles } from "./report-styles.js";

await registerStrings({ en: () => import("../i18n/en/reports.js"), ja: () => import("../i18n/ja/reports.js") });
document.adoptedStyleSheets.push(reportStyles);

/** The lengths that are offered, in days. */
const LENGTHS = [1, 7, 28, 91, 365];
/** What an agent may cut by is the own work alone. */
const CUTS = ["agent", "team", "label", "kind", "entry"];
/** What belongs to no agent: customers begin conversations, and write to the business. */
const OF_NO_AGENT = ["begun", "received"];
/** The tables that can be downloaded. */
const TABLES = ["customers", "conversations", "messages", "notes"];
/** The marks of an axis of times: seconds, minutes, hours, days. */
const TIMES = [1, 60, 3600, 86_400];

/** The reports of a business: numbers, plots over time, and who or what they are made of. */
class ReportsPage extends HTMLElement {
  session = null;
  #business = null;
  #days = 28;
  #cut = "agent";
  #asked = 0;
  #forget = null;

  connectedCallback() {
    this.#business = keptBusiness(this.session.businesses) ?? this.session.businesses[0];
    this.#forget = onLanguageChange(() => this.#build());
    this.#build();
  }

  disconnectedCallback() {
    this.#forget?.();
  }

  get #readsAll() {
    return may(this.#business, "reports.read");
  }

  #build() {
    this.result = h("div", { class: "reports-result stack is-wide", "aria-live": "polite" });
    replace(this, h("div", { class: "reports-page" }, h("main", { class: "reports" },
      h("h1", null, t("console.reports")),
      h("p", { class: "fd-help" }, t(this.#readsAll ? "reports.lead" : "reports.ownLead")),
      this.#choices(), this.result)));
    this.#load();
  }

  #choices() {
    const choose = (id, label, values, value, changed) => {
      const select = h("select", { class: "fd-input", onChange: () => { changed(select.value); this.#build(); } },
        values.map(([one, text]) => h("option", { value: one }, text)));
      select.value = value;
      return field(id, label, select);
    };
    return h("div", { class: "report-choices" },
      choose("report-business", t("console.business"), this.session.businesses.map((one) => [one.id, one.name]),
        this.#business.id, (id) => {
          this.#business = this.session.businesses.find((one) => one.id === id);
          keepBusiness(this.#business);
        }),
      choose("report-days", t("reports.period"), LENGTHS.map((count) => [count, count === 1 ? t("reports.today") : t("reports.days", { count })]),
        String(this.#days), (count) => { this.#days = Number(count); }),
      this.#readsAll ? choose("report-cut", t("reports.by"), CUTS.map((cut) => [cut, t(`reports.by.${cut}`)]), this.#cut,
        (cut) => { this.#cut = cut; }) : null);
  }

  /** The query of the report that is chosen. */
  get #query() {
    const to = localDay(new Date());
    return {
      from: shiftDay(to, 1 - this.#days), to, zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      by: this.#readsAll ? this.#cut : "agent", compare: "true",
    };
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/reports`;
  }

  async #load() {
    const asked = ++this.#asked;
    replace(this.result, h("p", null, t("shared.loading")));
    let report;
    try {
      report = await api.get(this.#path, { query: this.#query });
    } catch (problem) {
      if (asked === this.#asked) replace(this.result, loadAlert(problem, () => this.#load()));
      return;
    }
    if (asked === this.#asked) replace(this.result, this.#show(report));
  }

  #show(report) {
    const day = new Intl.DateTimeFormat(language(), { month: "short", day: "numeric", timeZone: "UTC" });
    const rows = report.rows.map((row) => day.format(new Date(`${row.start.slice(0, 10)}T00:00:00Z`)));
    const values = (name) => report.rows.map((row) => row[name]);
    const series = (...names) => this.#counted(names).map((name) => ({ name: t(`reports.${name}`), values: values(name) }));
    return [
      this.#tiles(report),
      reportPlot({ title: t("reports.volume"), rows, series: series("received", "sent"), write: number }),
      reportPlot({ title: t("reports.work"), rows, series: series("begun", "closed"), write: number }),
      reportPlot({ title: t("reports.firstAnswerSeconds"), rows, series: series("firstAnswerSeconds"), write: duration, units: TIMES }),
      report.total.firstOverdue + report.total.nextOverdue
        ? reportPlot({ title: t("reports.overdue"), rows, series: series("firstOverdue", "nextOverdue"), write: number }) : null,
      reportPlot({ title: t("reports.satisfaction"), rows, series: series("satisfactionAsked", "satisfactionAnswered"), write: number }),
      this.#scores(report.total),
      this.#members(report),
      h("div", { class: "form-actions" }, ["", report.by].map((by) => h("a", {
        class: "fd-button", download: "", href: withQuery(this.#path, { ...this.#query, by: by || undefined, compare: undefined, format: "csv" }),
      }, icon("download", 16), t(by ? "reports.csvBy" : "reports.csv", { by: t(`reports.by.${by || "agent"}`) })))),
      may(this.#business, "history.export") ? this.#tables() : null,
    ];
  }

  /** The rows behind the numbers, for spreadsheets: those of the same days. */
  #tables() {
    const { from, to } = this.#query;
    const until = shiftDay(to, 1);
    return h("section", { class: "report-figure" }, h("h2", null, t("reports.tables")),
      h("p", { class: "fd-help" }, t("reports.tablesLead")),
      h("div", { class: "form-actions" }, TABLES.map((table) => h("a", {
        class: "fd-button", download: "",
        href: withQuery(`/api/businesses/${this.#business.id}/exports/${table}`, { format: "csv", since: from, until }),
        onClick: (event) => {
          event.preventDefault();
          download(this.#business.id, event.currentTarget.getAttribute("href"));
        },
      }, icon("download", 16), t(`reports.table.${table}`)))));
  }

  /** Those that the report counts: that of the own work has none of what belongs to no agent. */
  #counted(names) {
    return this.#readsAll ? names : names.filter((name) => !OF_NO_AGENT.includes(name));
  }

  #tiles({ total, previous }) {
    const tile = (name, write) => {
      const change = changeOf(total[name], previous?.total[name]);
      return h("div", { class: "report-tile" }, h("dt", null, t(`reports.${name}`)),
        h("dd", null, total[name] === null ? "–" : write(total[name])),
        this.#spread(total, name.replace("Seconds", "")),
        change === null ? null
          : h("dd", { class: "fd-help" }, t("reports.change", { percent: `${change > 0 ? "+" : ""}${number(change)}` })));
    };
    return h("dl", { class: "report-tiles" },
      this.#counted(["begun", "received", "sent", "closed"]).map((name) => tile(name, number)),
      ["firstAnswerSeconds", "waitSeconds", "resolutionSeconds"].map((name) => tile(name, duration)),
      total.firstOverdue + total.nextOverdue ? ["firstOverdue", "nextOverdue"].map((name) => tile(name, number)) : null,
      tile("meanScore", decimal));
  }

  /** How often each score was given, the best one first. */
  #scores(total) {
    const title = t("reports.scores");
    const given = total.satisfactionAnswered;
    return h("figure", { class: "report-figure" }, h("figcaption", null, h("h2", null, title)),
      given ? h("ul", { class: "report-scores" }, [5, 4, 3, 2, 1].map((score) => {
        const count = total[`scored${score}`];
        return h("li", null, h("span", null, t("reports.score", { score })),
          h("span", { class: "report-score-track", "aria-hidden": "true" }, h("span", { class: "report-score-bar", style: { width: `${(count / given) * 100}%` } })),
          h("span", { class: "report-score-count" }, t("reports.scoreCount", { count, percent: number(Math.round((count / given) * 100)) })));
      })) : h("p", null, t("reports.noScores")));
  }

  /** The median beside a mean, and within which time nine of ten are; null where there is none. */
  #spread(total, name) {
    const [median, most] = [total[`${name}MedianSeconds`], total[`${name}P90Seconds`]];
    return typeof median === "number" ? h("dd", { class: "fd-help" }, t("reports.spread", { median: duration(median), most: duration(most) })) : null;
  }

  #members({ by, members, total }) {
    const title = t(`reports.by.${by}`);
    const isFunnel = by === "kind";
    const columns = isFunnel ? ["received", "sent", "cards", "cardsAnswered", "cardsPaid"]
      : [...by === "agent" ? [] : OF_NO_AGENT, "sent", "closed", "firstAnswerSeconds", "firstAnswerMedianSeconds", "resolutionSeconds",
        ...total.firstOverdue + total.nextOverdue ? ["firstOverdue", "nextOverdue"] : [],
        ...by === "entry" ? [] : ["satisfactionAsked", "satisfactionAnswered", "meanScore"]];
    const name = (one) => isFunnel ? t(`card.${one.id}`) : one.name === "other" && !one.id ? t("reports.otherEntry")
      : one.name || t("reports.noEntry");
    const write = (column, value) => value === null ? "–" : column.endsWith("Seconds") ? duration(value) : column === "meanScore" ? decimal(value) : number(value);
    return h("figure", { class: "report-figure" }, h("figcaption", null, h("h2", null, title)),
      members.length ? reportTable(title, [title, ...columns.map((column) => t(`reports.${column}`))],
        members.map((one) => [name(one), ...columns.map((column) => write(column, one[column]))]))
        : h("p", null, t("reports.nothing")));
  }
}

function number(value) {
  return new Intl.NumberFormat(language()).format(value);
}

/** A mean of scores. @param {number} value */
function decimal(value) {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(value);
}

/** Seconds below a minute, else as everywhere. @param {number} seconds */
function duration(seconds) {
  if (seconds >= 60) return formatDuration(seconds);
  return new Intl.NumberFormat(language(), { style: "unit", unit: "second", unitDisplay: "short" }).format(seconds);
}

customElements.define("reports-page", ReportsPage);
