import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { ApiProblem, exchange } from "../lib/api.js";
import { defectWords } from "./doctor-words.js";
import { freshElementID, wordButton } from "./fields.js";
import { icon } from "./icons.js";

/** Of a longer repaired text only the beginning is shown, in UTF-16 units. */
const shownLength = 20_000;

/**
 * @typedef {{id: string, pointer?: string, line: number, column: number, found: string, repaired?: string,
 *   isNote: boolean, sentence: string}} Defect
 * @typedef {{isHealthy: boolean, isRepairedWhole: boolean, defects: Defect[], repaired?: string}} Diagnosis
 */

/**
 * Asks the server for the defects of a text.
 * @param {string} apiBase
 * @param {string} text
 * @returns {Promise<Diagnosis>}
 */
export async function diagnose(apiBase, text) {
  const { data } = await exchange("POST", `${apiBase}/api/doctor`, { text, contentType: "text/plain; charset=utf-8" });
  return data;
}

/**
 * The defects of a text's encoding, and the text as it would be repaired.
 *
 * Values down: `open(apiBase, text)`. Events up: `repair-apply` with `detail.text`, `repair-close`.
 */
export class RepairPanel extends HTMLElement {
  #round = 0;

  connectedCallback() {
    if (this.hasAttribute("role")) return;
    this.setAttribute("role", "group");
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
  }

  /** Examines a text and shows the result; the focus moves to it. */
  async open(apiBase, text) {
    const round = (this.#round += 1);
    this.hidden = false;
    this.#draw(h("p", { class: "cp-hint", role: "status" }, t("composer.repair.looking")), null);
    try {
      const diagnosis = await diagnose(apiBase, text);
      if (round === this.#round) this.#show(diagnosis);
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      if (round === this.#round) this.#draw(h("p", { class: "cp-note", role: "alert" }, problem.message), null);
    }
  }

  close() {
    this.#round += 1;
    this.hidden = true;
    this.replaceChildren();
    this.dispatchEvent(new CustomEvent("repair-close", { bubbles: true }));
  }

  /** @param {Diagnosis} diagnosis */
  #show({ defects, repaired, isRepairedWhole }) {
    if (defects.length === 0) return this.#draw(h("p", { role: "status" }, t("composer.repair.healthy")), null);
    const list = h("ul", { class: "rp-list" }, defects.map((defect) => this.#defect(defect)));
    if (repaired === undefined) return this.#draw(list, null);
    const shown = repaired.length > shownLength ? `${repaired.slice(0, shownLength)}…` : repaired;
    this.#draw(h("div", { class: "rp-parts" }, list,
      isRepairedWhole ? null : h("p", { class: "cp-note" }, t("composer.repair.partly")),
      h("h4", null, t("composer.repair.after")),
      h("pre", { class: "rp-text", tabindex: "0", role: "region", "aria-label": t("composer.repair.after") }, shown)), repaired);
  }

  #defect(defect) {
    const { pointer, line, column, found, repaired, isNote } = defect;
    const { words, lang } = defectWords(defect);
    return h("li", { class: isNote ? "rp-note" : "rp-ill" }, icon(isNote ? "spark" : "warning"),
      h("div", null, h("p", { lang }, words),
        h("p", { class: "rp-place" }, pointer ? h("code", null, pointer) : t("composer.findings.place", { line, column })),
        h("p", { class: "rp-change" }, h("code", null, found),
          repaired === undefined ? null : [h("span", { "aria-label": t("composer.repair.becomes") }, " → "), h("code", null, repaired)])));
  }

  #draw(content, repaired) {
    const id = freshElementID("repair");
    this.setAttribute("aria-labelledby", id);
    const heading = h("h3", { id, tabindex: "-1" }, t("composer.repair.title"));
    this.replaceChildren(heading, content, h("div", { class: "rp-actions" },
      repaired === null ? null : wordButton(t("composer.repair.apply"), () => {
        // Closed first: the editor accepts the text once it is back in the page.
        this.close();
        this.dispatchEvent(new CustomEvent("repair-apply", { detail: { text: repaired }, bubbles: true }));
      }, { iconName: "check", className: "cp-primary" }),
      wordButton(t("composer.repair.close"), () => this.close(), { className: "cp-quiet" })));
    heading.focus();
  }
}
customElements.define("repair-panel", RepairPanel);
