import { api } from "../lib/api.js";
import { h, sheet } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { placeNodes } from "../lib/reconcile.js";
import { formatBytes, formatClock } from "../lib/time.js";
import { copyButton } from "./copy-button.js";

await registerStrings({ en: () => import("../i18n/en/wire.js"), ja: () => import("../i18n/ja/wire.js") });

/** The interval at which a list in view requests new exchanges. */
const refreshMilliseconds = 3000;

const styles = sheet(`
  *, *::before, *::after { box-sizing: border-box; }
  :host { display: grid; gap: 10px; min-width: 0; align-content: start;
    font: 400 var(--fd-text-sm) / var(--fd-leading) var(--fd-font); color: var(--fd-ink); }
  ol { list-style: none; margin: 0; padding: 0; border: 1px solid var(--fd-line);
    border-radius: var(--fd-radius-md); overflow: hidden; background: var(--fd-bg-raised); }
  li + li { border-top: 1px solid var(--fd-line); }
  summary { display: grid; grid-template-columns: auto auto minmax(0, 1fr) auto; gap: 2px 10px;
    align-items: baseline; align-content: center; padding: 10px 12px; min-height: 44px; cursor: pointer; list-style: none; }
  summary::-webkit-details-marker { display: none; }
  summary:hover { background: var(--fd-bg-hover); }
  .course { color: var(--fd-ink-3); white-space: nowrap; }
  .target { font-family: var(--fd-font-mono); font-size: 0.92em; overflow-wrap: anywhere; }
  .kind { margin-inline-start: 10px; padding: 1px 8px; border-radius: var(--fd-radius-full);
    background: var(--fd-bg-sunken); color: var(--fd-ink-2); font-family: var(--fd-font); white-space: nowrap; }
  .status { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .is-good { color: var(--fd-ok); } .is-bad { color: var(--fd-danger); }
  time, .took { color: var(--fd-ink-3); white-space: nowrap; }
  .parts { display: grid; gap: 14px; padding: 4px 12px 14px; }
  h4 { margin: 0 0 6px; font-size: var(--fd-text-sm); color: var(--fd-ink-2); font-weight: 600; }
  pre { margin: 0; padding: 12px 14px; max-height: 320px; overflow: auto; white-space: pre-wrap;
    overflow-wrap: anywhere; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm);
    background: var(--fd-bg-sunken); font: 400 var(--fd-text-xs) / 1.6 var(--fd-font-mono); }
  .finding { margin: 0; padding: 10px 12px; border-radius: var(--fd-radius-sm);
    background: var(--fd-warn-soft); color: var(--fd-warn); overflow-wrap: anywhere; }
  [hidden] { display: none !important; }
  .empty, .problem { margin: 0; color: var(--fd-ink-3); }
  .problem { color: var(--fd-danger); }
  button { min-height: 36px; padding: 0 14px; justify-self: start; border: 1px solid var(--fd-line-strong);
    border-radius: var(--fd-radius-sm); background: var(--fd-bg-raised); color: inherit; font: inherit;
    font-weight: 500; cursor: pointer; }
  button:hover { background: var(--fd-bg-hover); }
  :focus-visible { outline: 2px solid var(--fd-focus); outline-offset: -2px; }
  @media (max-width: 720px) {
    summary { grid-template-columns: auto minmax(0, 1fr) auto; }
    .target { grid-column: 1 / -1; grid-row: 2; }
    button { min-height: 44px; }
  }
`);

/**
 * The exchanges with a provider or a gateway, newest first, read again while in view.
 *
 * Values down: `source` ({business, conversation?, message?}).
 */
export class WireExchanges extends HTMLElement {
  #source = null;
  /** @type {any[]|null} */
  #exchanges = null;
  #hasMore = false;
  #problem = "";
  #timer = 0;
  /** The rows drawn so far; an exchange never changes, and an open row stays open. */
  #rows = new Map();
  #list = h("ol");
  #note = h("p", { class: "empty" });
  #alert = h("p", { class: "problem", role: "alert" });
  #more = h("button", { type: "button", onClick: () => this.#loadEarlier() });
  #forget = () => {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles];
    root.append(this.#alert, this.#note, this.#list, this.#more);
  }

  connectedCallback() {
    this.#forget = onLanguageChange(() => {
      this.#rows.clear();
      this.#redraw();
    });
    this.#timer = setInterval(() => this.#refresh(), refreshMilliseconds);
    this.#redraw();
    this.#refresh();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    this.#forget();
  }

  /** @param {{business: string, conversation?: string, message?: string}} source */
  set source(source) {
    if (JSON.stringify(source) === JSON.stringify(this.#source)) return;
    this.#source = source;
    this.#exchanges = null;
    this.#rows.clear();
    this.#problem = "";
    if (!this.isConnected) return;
    this.#redraw();
    this.#refresh();
  }

  #ask(more = {}) {
    const { business, ...narrowed } = this.#source;
    const filters = Object.fromEntries(Object.entries(narrowed).map(([name, value]) => [`filter[${name}]`, value]));
    return api.get(`/api/businesses/${encodeURIComponent(business)}/gateway/exchanges`,
      { query: { ...filters, ...more } });
  }

  /** Requests the newest page and puts new exchanges on top. */
  async #refresh() {
    if (!this.#source || document.visibilityState === "hidden") return;
    const source = this.#source;
    try {
      const newest = this.#exchanges?.[0]?.number ?? 0;
      // Bodies are large: a page of them is requested only when there is a newer one.
      if (newest && !this.#problem) {
        const { data } = await this.#ask({ "page[size]": 1 });
        if (source !== this.#source || data[0]?.number === newest) return;
      }
      const page = await this.#ask();
      if (source !== this.#source) return;
      const fresh = page.data.filter((one) => one.number > newest);
      const first = this.#exchanges === null || fresh.length === page.data.length;
      if (first) this.#hasMore = page.hasMore;
      if (!first && !fresh.length && !this.#problem) return;
      this.#exchanges = first ? page.data : [...fresh, ...this.#exchanges];
      this.#problem = "";
    } catch (problem) {
      if (source !== this.#source) return;
      this.#problem = problem.detail || t("shared.problem.offline");
    }
    this.#redraw();
  }

  async #loadEarlier() {
    const source = this.#source;
    try {
      const page = await this.#ask({ "page[after]": this.#exchanges.at(-1).number });
      if (source !== this.#source) return;
      this.#exchanges = [...this.#exchanges, ...page.data];
      this.#hasMore = page.hasMore;
    } catch (problem) {
      this.#problem = problem.detail || t("shared.problem.offline");
    }
    this.#redraw();
  }

  #redraw() {
    const exchanges = this.#exchanges ?? [];
    const rows = exchanges.map((one) => {
      if (!this.#rows.has(one.number)) this.#rows.set(one.number, this.#row(one));
      return this.#rows.get(one.number);
    });
    placeNodes(this.#list, rows);
    this.#list.hidden = !exchanges.length;
    this.#alert.textContent = this.#problem;
    this.#alert.hidden = !this.#problem;
    this.#note.hidden = exchanges.length > 0 || Boolean(this.#problem);
    this.#note.textContent = this.#exchanges === null ? t("shared.loading")
      : t(this.#source?.message ? "wire.noneOfMessage" : "wire.none");
    this.#more.hidden = !this.#hasMore;
    this.#more.textContent = t("wire.earlier");
  }

  #row(one) {
    const isGood = one.status !== null && one.status < 400;
    const details = h("details", null,
      h("summary", null,
        h("span", { class: "course" }, t(`wire.course.${one.course}`)),
        h("span", { class: `status ${isGood ? "is-good" : "is-bad"}` }, one.status ?? t("wire.noAnswer")),
        h("span", { class: "target" }, `${one.method} ${one.target}`,
          kindOf(one) ? h("span", { class: "kind" }, kindOf(one)) : null),
        h("time", { datetime: one.time }, formatClock(new Date(one.time)))));
    // A folded row draws its content only when it is opened.
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(this.#parts(one));
    });
    return h("li", null, details);
  }

  #parts(one) {
    return h("div", { class: "parts" },
      one.findings.map((finding) => h("p", { class: "finding" },
        [finding.rule, finding.pointer, finding.found, finding.fix].filter(Boolean).join(" "))),
      part(t("wire.request"), `${one.method} ${one.target}`, one.request),
      one.status === null ? null
        : part(`${t("wire.answer")} · ${t("wire.took", { milliseconds: one.milliseconds })}`, String(one.status), one.answer),
      copyButton(t("wire.copyCurl"), one.curl));
  }
}

/** The message in a body, if it is one; nothing for other bodies. */
function kindOf({ request }) {
  try {
    const { type } = JSON.parse(request.body);
    return typeof type === "string" ? type : "";
  } catch {
    return "";  // Safe: no JSON, or cut.
  }
}

function part(title, first, { headers, body, bytes }) {
  const lines = [first, ...headers.map((field) => `${field.name}: ${field.value}`)];
  if (body) lines.push("", body);
  return h("section", null,
    h("h4", null, `${title} · ${formatBytes(bytes)}`),
    h("pre", { tabindex: "0", role: "region", "aria-label": title }, lines.join("\n")));
}

customElements.define("wire-exchanges", WireExchanges);
