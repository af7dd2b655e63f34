import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { copyText } from "../lib/clipboard.js";
import { wordButton } from "./fields.js";
import { adoptStyles } from "./styles.js";
import { lineNodes, piecesByLine } from "./json-lines.js";
import { byteCount, lineAndColumn } from "./json-tokens.js";
import { fixWords } from "./rule-words.js";
import { countedBytes } from "./sizes.js";
import { placeOfFinding } from "./findings.js";

/**
 * Message Contents (JSON): the exact text of a message, with line numbers.
 *
 * Values down: `text`, `findings`, or `composer` (a `<desk-composer>` to follow). Events up:
 * `edit-raw` with `detail.text`.
 */
export class JSONView extends HTMLElement {
  #text = "";
  #findings = [];
  #composer = null;
  #frame = 0;
  #copyLabel = null;
  #heading = null;

  connectedCallback() {
    adoptStyles(this);
    this.#draw();
  }

  set text(text) {
    this.#text = text ?? "";
    this.#drawSoon();
  }

  get text() {
    return this.#text;
  }

  set findings(findings) {
    this.#findings = findings ?? [];
    this.#drawSoon();
  }

  /** Another heading than "Message Contents (JSON)". */
  set heading(heading) {
    this.#heading = heading;
    this.#drawSoon();
  }

  /** Follows a composer: shows its draft as it grows, and hands the text to its Raw JSON. */
  set composer(composer) {
    this.#composer?.removeEventListener("draft-change", this.#follow);
    this.#composer = composer;
    composer?.addEventListener("draft-change", this.#follow);
    if (composer) this.#take(composer.current);
  }

  #follow = (event) => this.#take(event.detail);

  #take({ text, findings }) {
    this.#text = text ?? "";
    this.#findings = findings ?? [];
    this.#drawSoon();
  }

  #drawSoon() {
    if (!this.isConnected || this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const text = this.#text;
    const heading = this.#heading ?? t("composer.json.title");
    const before = this.querySelector(".js-scroll");
    const scroll = before ? [before.scrollTop, before.scrollLeft] : [0, 0];
    const marks = new Map();
    for (const finding of this.#findings) {
      if (finding.severity === "info") continue;
      const { start } = placeOfFinding(text, finding);
      const { line } = lineAndColumn(text, start);
      const mark = marks.get(line) ?? { severity: "warning", words: [] };
      if (finding.severity === "error") mark.severity = "error";
      mark.words.push(fixWords(finding));
      marks.set(line, mark);
    }
    const rows = text === "" ? [] : piecesByLine(text).map((pieces, index) => {
      const mark = marks.get(index + 1);
      return h("li", { class: mark ? `js-line js-line-${mark.severity}` : "js-line", title: mark?.words.join("\n") },
        h("code", null, ...lineNodes(pieces), "\n"));
    });
    this.#copyLabel = wordButton(t("composer.json.copy"), () => this.#copy(), { iconName: "copy", className: "cp-quiet" });
    this.#copyLabel.disabled = text === "";
    const edit = wordButton(t("composer.json.editRaw"), () => this.#editRaw(), { iconName: "edit", className: "cp-quiet" });
    edit.disabled = text === "";
    const scroller = h("div", { class: "js-scroll", tabindex: "0", role: "region", "aria-label": heading },
      text === "" ? h("p", { class: "js-empty" }, t("composer.json.empty")) : h("ol", { class: "js-lines" }, ...rows));
    this.replaceChildren(
      h("header", { class: "js-head" },
        h("h2", null, heading),
        h("span", { class: "js-size" }, text === "" ? "" : t("composer.json.bytes", countedBytes(byteCount(text)))),
        h("span", { class: "cp-grow" }), this.#copyLabel, edit),
      scroller);
    [scroller.scrollTop, scroller.scrollLeft] = scroll;
  }

  async #copy() {
    const worked = await copyText(this.#text);
    const words = this.#copyLabel.querySelector("span");
    words.replaceChildren(t(worked ? "composer.json.copied" : "composer.json.copyFailed"));
    setTimeout(() => words.replaceChildren(t("composer.json.copy")), 1600);
  }

  #editRaw() {
    const detail = { text: this.#text };
    if (this.#composer) this.#composer.editRaw(this.#text);
    this.dispatchEvent(new CustomEvent("edit-raw", { detail, bubbles: true }));
  }
}
customElements.define("json-view", JSONView);
