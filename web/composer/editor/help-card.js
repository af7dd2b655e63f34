import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../icons.js";
import { fixLanguage, fixWords } from "../rule-words.js";
import { factNodes, typeWords } from "./fact-words.js";
import { hideBeside, showBeside } from "./popup.js";

/**
 * The help about one place of the text: its findings and the schema's facts.
 *
 * Values down: `show({marks, path, facts}, place)`, `hide()`. Events up: `finding-fix` with
 * `detail.finding`.
 */
export class HelpCard extends HTMLElement {
  connectedCallback() {
    this.setAttribute("popover", "manual");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", t("composer.editor.help"));
  }

  get isOpen() {
    return this.matches(":popover-open");
  }

  /**
   * @param {{marks: import("./marks.js").Mark[], path: (string|number)[],
   *   facts: import("./schema-facts.js").Facts|null}} about
   * @param {{left: number, top: number, bottom: number}} place
   */
  show({ marks, path, facts }, place) {
    const name = path.findLast((step) => typeof step === "string");
    this.replaceChildren(
      ...marks.map((mark) => this.#finding(mark)),
      ...(facts ? [h("div", { class: "jh-about" },
        name === undefined ? null : h("p", { class: "jh-name" }, h("code", null, name), " ", h("span", null, typeWords(facts))),
        factNodes(facts))] : []));
    showBeside(this, place);
  }

  hide() {
    hideBeside(this);
  }

  /** The card's text, for a screen reader. */
  get words() {
    return [...this.querySelectorAll("p, li")].map((one) => one.textContent).join(" ");
  }

  #finding({ finding, edits }) {
    const isError = finding.severity === "error";
    return h("div", { class: `jh-finding jh-${isError ? "error" : "warning"}` },
      icon(isError ? "error" : "warning"),
      h("div", { class: "jh-said" },
        h("p", null, h("strong", null, t(`composer.findings.${isError ? "error" : "warning"}`)), " ",
          h("span", { lang: fixLanguage(finding) }, fixWords(finding))),
        h("div", { class: "jh-more" },
          finding.docs?.startsWith("/docs/")
            ? h("a", { href: finding.docs, target: "_blank", rel: "noopener" }, finding.rule)
            : h("span", null, finding.rule),
          edits ? h("button", {
            type: "button", class: "cp-button jh-fix",
            onclick: () => this.dispatchEvent(new CustomEvent("finding-fix", { detail: { finding }, bubbles: true })),
          }, t("composer.editor.fix"), h("kbd", null, "Ctrl .")) : null)));
  }
}
customElements.define("help-card", HelpCard);
