import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { lineOfFinding, placeOfFinding } from "./findings.js";
import { freshElementID } from "./fields.js";
import { fixWords } from "./rule-words.js";
import { adoptStyles } from "./styles.js";
import { piecesByLine } from "./json-lines.js";

/**
 * A text area for JSON with line numbers, colours, marks in the gutter and underlines.
 *
 * Values down: `text`, `findings`. Events up: `text-change` with `detail.text`.
 */
export class JSONEditor extends HTMLElement {
  #findings = [];
  #frame = 0;
  #input = h("textarea", {
    class: "je-input", spellcheck: "false", wrap: "off", autocomplete: "off", autocapitalize: "off",
    "aria-label": "JSON", rows: "14",
  });
  #back = h("pre", { class: "je-back", "aria-hidden": "true" });
  #gutter = h("ol", { class: "je-gutter", "aria-hidden": "true" });
  #status = h("p", { class: "fd-hidden-text", role: "status" });

  connectedCallback() {
    adoptStyles(this);
    if (this.firstChild) return;
    this.#status.id = freshElementID("editor-status");
    this.#input.setAttribute("aria-label", t("composer.raw.label"));
    this.#input.setAttribute("aria-describedby", this.#status.id);
    this.#input.addEventListener("input", () => this.#changed());
    this.#input.addEventListener("scroll", () => this.#follow());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.append(this.#gutter, h("div", { class: "je-area" }, this.#back, this.#input), this.#status);
    this.#drawSoon();
  }

  get text() {
    return this.#input.value;
  }

  set text(text) {
    // A text area writes CR LF as LF; what it shows is what is sent, so it is normalised at once.
    if (this.#input.value === text) return;
    this.#input.value = text;
    this.#input.setSelectionRange(0, 0);
    this.#input.scrollTop = 0;
    this.#findings = [];
    this.#drawSoon();
  }

  set findings(findings) {
    this.#findings = (findings ?? []).filter((finding) => finding.severity !== "info");
    const errors = this.#findings.filter((finding) => finding.severity === "error").length;
    this.#input.setAttribute("aria-invalid", errors ? "true" : "false");
    const [first] = this.#findings;
    this.#status.replaceChildren(first
      ? `${t("composer.findings.count", { count: this.#findings.length })} ${t("composer.findings.place", lineOfFinding(this.text, first))} ${fixWords(first)}`
      : "");
    this.#drawSoon();
  }

  focus() {
    this.#input.focus();
  }

  /** Puts the caret on a finding and brings it into view. */
  jump(finding) {
    const { start, end } = placeOfFinding(this.text, finding);
    const { line } = lineOfFinding(this.text, finding);
    this.#input.focus();
    this.#input.setSelectionRange(start, Math.min(end, start + 200));
    const height = this.#lineHeight();
    const wanted = (line - 1) * height - this.#input.clientHeight / 2;
    this.#input.scrollTop = Math.max(0, wanted);
    const lineStart = this.text.lastIndexOf("\n", start - 1) + 1;
    this.#input.scrollLeft = start - lineStart < 60 ? 0 : (start - lineStart - 20) * 7;
  }

  /** Puts text at the caret so that undo still works. */
  #insert(text) {
    if (!document.execCommand("insertText", false, text)) {
      this.#input.setRangeText(text, this.#input.selectionStart, this.#input.selectionEnd, "end");
      this.#changed();
    }
  }

  #key(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("send-request", { bubbles: true }));
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      const before = this.text.slice(0, this.#input.selectionStart);
      const indent = /[ \t]*$/.exec(/[^\n]*$/.exec(before)[0].replace(/\S.*$/, ""))[0];
      const opens = /[[{][ \t]*$/.test(before);
      this.#insert(`\n${indent}${opens ? "  " : ""}`);
    }
  }

  #changed() {
    this.#drawSoon();
    this.dispatchEvent(new CustomEvent("text-change", { detail: { text: this.text }, bubbles: true }));
  }

  #drawSoon() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const text = this.text;
    const spans = this.#findings.map((finding) => {
      const { start, end } = placeOfFinding(text, finding);
      const lineEnd = text.indexOf("\n", start);
      return { start, end: Math.min(end, lineEnd === -1 ? text.length : lineEnd), severity: finding.severity };
    });
    const marks = new Map();
    for (const finding of this.#findings) {
      const { line } = lineOfFinding(text, finding);
      if (marks.get(line) !== "error") marks.set(line, finding.severity);
    }
    const lines = piecesByLine(text);
    this.#gutter.replaceChildren(...lines.map((_, index) => {
      const severity = marks.get(index + 1);
      return h("li", { class: severity ? `je-mark je-${severity}` : null }, String(index + 1));
    }));
    const nodes = [];
    for (const pieces of lines) {
      for (const piece of pieces) {
        const pieceEnd = piece.start + piece.text.length;
        const under = spans.find((span) => span.start < pieceEnd && span.end > piece.start);
        nodes.push(h("span", { class: under ? `js-${piece.kind} je-under-${under.severity}` : `js-${piece.kind}` }, piece.text));
      }
      nodes.push("\n");
    }
    this.#back.replaceChildren(h("code", null, ...nodes));
    this.#follow();
  }

  #follow() {
    this.#back.scrollTop = this.#input.scrollTop;
    this.#back.scrollLeft = this.#input.scrollLeft;
    this.#gutter.scrollTop = this.#input.scrollTop;
  }

  #lineHeight() {
    return Number.parseFloat(getComputedStyle(this.#input).lineHeight) || 18;
  }
}
customElements.define("json-editor", JSONEditor);
