import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { placeNodes } from "../lib/reconcile.js";
import { findingLimit, lineOfFinding } from "./findings.js";
import { icon } from "./icons.js";
import { fixLanguage, fixWords } from "./rule-words.js";

/** The sign of each severity, so that colour never speaks alone. */
const severities = { error: "error", warning: "warning", info: "spark" };

/**
 * The findings of a message and their fixes; a screen reader announces new ones.
 *
 * Values down: `show(findings, text)`. Events up: `finding-jump` and `finding-fix` with
 * `detail.finding`.
 */
export class FindingList extends HTMLElement {
  /** Rows by their text, so that an unchanged finding is not announced again. */
  #rows = new Map();
  #list = h("ul", { class: "fl-list", "aria-live": "polite", "aria-relevant": "additions" });
  #rest = h("p", { class: "cp-hint", hidden: true });

  connectedCallback() {
    if (this.firstChild) return;
    this.#list.setAttribute("aria-label", t("composer.findings.title"));
    this.append(this.#list, this.#rest);
  }

  /**
   * @param {import("../lib/api.js").Finding[]} findings
   * @param {string} text that the findings are about
   * @param {{withPlaces?: boolean, withFixes?: boolean, leads?: (pointer: string) => boolean}} [options]
   *   `leads`: whether there is a place to jump to
   */
  show(findings, text, { withPlaces = true, withFixes = false, leads = () => true } = {}) {
    // In an editor the list stays, empty or not: what appears together with its list is not read out.
    this.hidden = findings.length === 0 && !withFixes;
    this.classList.toggle("fl-empty", findings.length === 0);
    const sorted = [...findings].sort((one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"));
    const rows = new Map();
    for (const finding of sorted.slice(0, findingLimit)) {
      const stem = JSON.stringify([finding.rule, finding.severity, finding.pointer, fixWords(finding)]);
      let key = stem;
      for (let again = 2; rows.has(key); again += 1) key = `${stem} ${again}`;
      const row = this.#rows.get(key) ?? h("li", { class: "fl-row" });
      this.#fill(row, finding, text, { withPlaces, withFixes, isLink: leads(finding.pointer ?? "") });
      rows.set(key, row);
    }
    this.#rows = rows;
    // Rows that stay are not removed: they keep the focus and are not new to a screen reader.
    placeNodes(this.#list, [...rows.values()]);
    const rest = findings.length - rows.size;
    this.#rest.hidden = rest <= 0;
    this.#rest.replaceChildren(rest > 0 ? t("composer.findings.more", { count: rest }) : "");
  }

  /** Puts the focus on the first finding, or on the list where none leads anywhere. */
  focus() {
    const first = this.#list.querySelector("button");
    if (!first) this.#list.tabIndex = -1;
    (first ?? this.#list).focus();
  }

  #fill(row, finding, text, { withPlaces, withFixes, isLink }) {
    const severity = severities[finding.severity] ? finding.severity : "warning";
    const { line, column } = withPlaces ? lineOfFinding(text, finding) : {};
    const isFixable = withFixes && Boolean(finding.edits?.length);
    row.finding = finding;
    const shape = JSON.stringify([line, column, isFixable, isLink, finding.limit, finding.actual, finding.alike]);
    if (row.shape === shape) return;
    row.shape = shape;
    const focused = row.querySelector(":focus")?.className;
    const emit = (name) => this.dispatchEvent(new CustomEvent(name, { detail: { finding: row.finding }, bubbles: true }));
    const amount = finding.limit !== undefined && finding.actual !== undefined
      ? h("span", { class: "fl-amount" }, `${finding.actual} / ${finding.limit}`) : null;
    row.className = `fl-row fl-${severity}`;
    row.dataset.rule = finding.rule;
    row.dataset.pointer = finding.pointer ?? "";
    row.replaceChildren(
      icon(severities[severity]),
      h("div", { class: "fl-words" },
        h("span", { class: "fl-severity" }, t(`composer.findings.${severity}`)),
        isLink ? h("button", {
          type: "button", class: "fl-jump", lang: fixLanguage(finding), onclick: () => emit("finding-jump"),
        }, fixWords(finding)) : h("span", { class: "fl-said", lang: fixLanguage(finding) }, fixWords(finding)),
        h("div", { class: "fl-place" },
          withPlaces ? h("span", null, t("composer.findings.place", { line, column })) : null,
          finding.pointer ? h("code", null, finding.pointer) : null,
          finding.alike > 1 ? h("span", null, t("composer.findings.alike", { count: finding.alike - 1 })) : null,
          amount,
          finding.docs?.startsWith("/docs/")
            ? h("a", { href: finding.docs, target: "_blank", rel: "noopener" }, finding.rule)
            : h("span", null, finding.rule))),
      ...(isFixable ? [h("button", {
        type: "button", class: "cp-button fl-fix", "aria-label": t("composer.editor.fixThis", { words: fixWords(finding) }),
        onclick: () => emit("finding-fix"),
      }, t("composer.editor.fix"))] : []));
    if (focused) /** @type {HTMLElement|null} */ (row.querySelector(`.${focused.split(" ").at(-1)}`))?.focus();
  }
}
customElements.define("finding-list", FindingList);
