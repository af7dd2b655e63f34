import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { findingLimit, lineOfFinding } from "./findings.js";
import { icon } from "./icons.js";
import { fixWords } from "./rule-words.js";

/** The sign of each severity, so that colour never speaks alone. */
const severities = { error: "error", warning: "warning", info: "spark" };

/**
 * What is wrong with a message and how to put it right.
 *
 * Values down: `show(findings, text)`. Events up: `finding-jump` with `detail.finding`.
 */
export class FindingList extends HTMLElement {
  /**
   * @param {import("../lib/api.js").Finding[]} findings
   * @param {string} text the findings speak of
   */
  show(findings, text, { withPlaces = true } = {}) {
    this.hidden = findings.length === 0;
    const sorted = [...findings].sort((one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"));
    const rows = sorted.slice(0, findingLimit).map((finding) => this.#row(finding, text, withPlaces));
    const rest = findings.length - rows.length;
    this.replaceChildren(
      h("ul", { class: "fl-list", "aria-label": t("composer.findings.title") }, ...rows),
      ...(rest > 0 ? [h("p", { class: "cp-hint" }, t("composer.findings.more", { count: rest }))] : []));
  }

  #row(finding, text, withPlaces) {
    const severity = severities[finding.severity] ? finding.severity : "warning";
    const { line, column } = lineOfFinding(text, finding);
    const jump = h("button", {
      type: "button", class: "fl-jump",
      onclick: () => this.dispatchEvent(new CustomEvent("finding-jump", { detail: { finding }, bubbles: true })),
    }, fixWords(finding));
    const amount = finding.limit !== undefined && finding.actual !== undefined
      ? h("span", { class: "fl-amount" }, `${finding.actual} / ${finding.limit}`) : null;
    return h("li", { class: `fl-row fl-${severity}` },
      icon(severities[severity]),
      h("div", { class: "fl-words" },
        h("span", { class: "fl-severity" }, t(`composer.findings.${severity}`)),
        jump,
        h("div", { class: "fl-place" },
          withPlaces ? h("span", null, t("composer.findings.place", { line, column })) : null,
          finding.pointer ? h("code", null, finding.pointer) : null,
          amount,
          finding.docs?.startsWith("/docs/")
            ? h("a", { href: finding.docs, target: "_blank", rel: "noopener" }, finding.rule)
            : h("span", null, finding.rule))));
  }
}
customElements.define("finding-list", FindingList);
