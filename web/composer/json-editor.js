import { h, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { editorStyles } from "./editor-styles.js";
import { changeBetween, joinEdits, oneReplacement } from "./editor/edits.js";
import { makeFoot } from "./editor/editor-foot.js";
import { Explaining } from "./editor/explaining.js";
import { LargeEdits } from "./editor/large-edits.js";
import { marksAt, marksOf, moveMarks, nextMark } from "./editor/marks.js";
import { pageSchemas } from "./editor/page-schemas.js";
import { Suggesting } from "./editor/suggesting.js";
import { TextLayer } from "./editor/text-layer.js";
import { freshElementID } from "./fields.js";
import { fixWords } from "./rule-words.js";
import { adoptStyles } from "./styles.js";

const styles = sheet(editorStyles);

/**
 * A text area for JSON: line numbers, colours, findings at their places with their fixes,
 * suggestions and help from a schema.
 *
 * Values down: `text`, `findings`, `schema` (a path of the server), `known` (a function that gives
 * values by pointer), `label`. Events up: `text-change` with `detail.text`, `send-request`.
 */
export class JSONEditor extends HTMLElement {
  #marks = [];
  /** The text that the marks are placed in. */
  #marked = "";
  #current = null;
  #frame = 0;
  #input = h("textarea", {
    class: "je-input", spellcheck: "false", wrap: "off", autocomplete: "off", autocapitalize: "off",
    "aria-label": "JSON", "aria-autocomplete": "list", "aria-haspopup": "listbox", rows: "14",
  });
  #gutter = h("div", { class: "je-gutter", role: "group" });
  #back = h("pre", { class: "je-back", "aria-hidden": "true" });
  #layer = new TextLayer(this.#input, this.#back, this.#gutter);
  #said = h("p", { class: "fd-hidden-text", role: "status" });
  #list = document.createElement("completion-list");
  #card = document.createElement("help-card");
  #suggesting = new Suggesting({
    input: this.#input, layer: this.#layer, list: /** @type {any} */ (this.#list), announce: (words) => this.#announce(words),
    replace: (edit) => this.#replace(edit), marks: () => this.#marks,
  });
  #explaining = new Explaining({
    input: this.#input, layer: this.#layer, card: /** @type {any} */ (this.#card), announce: (words) => this.#announce(words),
    marks: () => this.#marks,
  });
  #largeEdits = new LargeEdits();
  #label = null;
  #foot = null;

  connectedCallback() {
    adoptStyles(this);
    adoptStyles(this, [styles]);
    if (this.firstChild) return;
    this.#input.setAttribute("aria-label", this.#label ?? t("composer.raw.label"));
    this.#gutter.setAttribute("aria-label", t("composer.editor.gutter"));
    const hint = h("p", { class: "fd-hidden-text", id: freshElementID("editor-hint") }, t("composer.editor.hint"));
    this.#input.setAttribute("aria-describedby", hint.id);
    this.#foot = makeFoot({
      next: (step) => this.jumpToNext(step), fixAll: () => this.fixAll(),
      suggest: () => {
        this.#input.focus();
        this.#suggesting.open();
      },
    });
    this.#listen();
    this.append(h("div", { class: "je-text" }, this.#gutter, h("div", { class: "je-area" }, this.#back, this.#input)),
      ...this.#foot.parts, hint, this.#said, this.#list, this.#card);
    new ResizeObserver(() => {
      this.#layer.resized();
      this.#drawSoon();
    }).observe(this.#input);
    this.#drawSoon();
  }

  get text() {
    return this.#input.value;
  }

  set text(text) {
    // A text area writes CR LF as LF; the text shown is the text sent, so it is normalised at once.
    if (this.#input.value === text) return;
    this.#input.value = text;
    this.#input.setSelectionRange(0, 0);
    this.#input.scrollTop = 0;
    this.#marks = [];
    this.#marked = this.#input.value;
    this.#drawSoon();
  }

  /** Another text in the place of this one; undo brings it back. */
  replaceText(text) {
    const { start, end, length } = changeBetween(this.text, text);
    if (start === end && length === 0) return;
    this.#replace({ start, end, replacement: text.slice(start, start + length) });
  }

  set findings(findings) {
    this.#marks = marksOf(this.text, findings ?? []);
    this.#marked = this.text;
    const isWrong = this.#marks.some(({ finding }) => finding.severity === "error");
    this.#input.setAttribute("aria-invalid", String(isWrong));
    this.#explaining.refresh();
    this.#drawSoon();
  }

  /** Another name than "Raw JSON", set before the editor is shown. */
  set label(label) {
    this.#label = label;
  }

  set schema(path) {
    this.#suggesting.schema = path;
    this.#explaining.schema = path;
  }

  set known(known) {
    this.#suggesting.known = known;
  }

  focus() {
    this.#input.focus();
  }

  /** Puts the caret on a finding, brings it into view and explains it. */
  jump(finding) {
    const mark = this.#marks.find((one) => one.finding === finding) ?? marksOf(this.text, [finding])[0];
    if (!mark) return;
    this.#current = finding;
    this.#input.focus({ preventScroll: true });
    const lineEnd = this.#layer.index.endOf(this.#layer.index.lineOf(mark.start));
    this.#input.setSelectionRange(mark.start, Math.max(mark.start, Math.min(mark.end, lineEnd)));
    this.#layer.reveal(mark.start);
    this.#explaining.showMarks([mark]);
    const number = this.#marks.indexOf(mark) + 1;
    this.#announce(t("composer.editor.jumped", { number, count: this.#marks.length, words: fixWords(finding) }));
  }

  /** Goes to the next finding from the caret, or to the one before. */
  jumpToNext(step) {
    const at = this.#marks.findIndex(({ finding, start }) => finding === this.#current && start === this.#input.selectionStart);
    const count = this.#marks.length;
    const mark = at >= 0 ? this.#marks[(at + step + count) % count] : nextMark(this.#marks, this.#input.selectionStart, step);
    if (mark) this.jump(mark.finding);
    else this.#announce(t("composer.editor.clean"));
  }

  /** Applies the edits of one finding. */
  fix(finding) {
    const mark = this.#marks.find((one) => one.finding === finding);
    if (mark?.edits) this.#make([mark]);
    else this.#announce(t("composer.editor.noFix"));
  }

  /** Applies the edits of all findings that do not overlap; one undo reverts them. */
  fixAll() {
    this.#make(this.#marks.filter(({ edits }) => edits));
  }

  #make(marks) {
    const { edits, taken } = joinEdits(marks.map((mark) => mark.edits));
    const edit = oneReplacement(this.text, edits);
    if (!edit) return;
    this.#explaining.hide();
    this.#replace(edit);
    this.#layer.reveal(edit.start);
    this.#announce(t("composer.editor.fixed", { count: taken }));
  }

  /** Replaces a part of the text so that undo still works. */
  #replace({ start, end, replacement }) {
    if (this.#input.readOnly) return;
    this.#input.focus({ preventScroll: true });
    if (this.#largeEdits.applies(replacement)) {
      this.#largeEdits.make(this.#input, { start, end, replacement });
      this.#changed();
      return;
    }
    this.#input.setSelectionRange(start, end);
    const isMade = replacement === "" ? document.execCommand("delete") : document.execCommand("insertText", false, replacement);
    if (!isMade) {
      this.#input.setRangeText(replacement, start, end, "end");
      this.#changed();
    }
  }

  #listen() {
    const input = this.#input;
    input.addEventListener("input", (event) => {
      this.#changed();
      this.#explaining.hide();
      this.#suggesting.typed(/** @type {InputEvent} */ (event));
    });
    input.addEventListener("scroll", () => {
      this.#layer.follow();
      this.#suggesting.follow();
    });
    input.addEventListener("focus", () => {
      // Fetched when the author types; a failure is shown when suggestions are requested.
      if (this.#suggesting.schema) pageSchemas.load(this.#suggesting.schema).catch(() => {});  // Safe: as said.
    });
    input.addEventListener("blur", () => this.#suggesting.close());
    input.addEventListener("pointerdown", () => {
      this.#suggesting.close();
      this.#explaining.hide();
    });
    input.addEventListener("keydown", (event) => this.#key(event));
    this.#gutter.addEventListener("click", (event) => {
      const mark = /** @type {HTMLElement} */ (event.target).closest("button");
      if (mark) this.jump(this.#layer.marksByLine().get(Number(mark.dataset.line))[0].finding);
    });
    this.#gutter.addEventListener("keydown", (event) => this.#gutterKey(event));
    this.#card.addEventListener("finding-fix", (event) => {
      event.stopPropagation();
      this.fix(/** @type {CustomEvent} */ (event).detail.finding);
    });
  }

  #key(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (this.#suggesting.handlesKey(event)) return;
    const hasMod = event.ctrlKey || event.metaKey;
    if (hasMod && this.#largeEdits.handlesKey(event, this.#input)) {
      event.preventDefault();
      this.#changed();
      return;
    }
    const handle = (work) => {
      event.preventDefault();
      event.stopPropagation();
      work();
    };
    if (event.key === "Enter" && hasMod) {
      handle(() => this.dispatchEvent(new CustomEvent("send-request", { bubbles: true })));
    } else if (event.key === "Enter" && !event.shiftKey) {
      handle(() => this.#breakLine());
    } else if (event.key === "F8") {
      handle(() => this.jumpToNext(event.shiftKey ? -1 : 1));
    } else if (event.code === "Space" && event.ctrlKey) {
      handle(() => this.#suggesting.open());
    } else if (event.key === "F1") {
      handle(() => this.#explaining.explain());
    } else if (event.key === "." && hasMod) {
      handle(() => this.#fixHere());
    } else if (event.key === "Escape" && this.#explaining.isOpen) {
      handle(() => this.#explaining.hide());
    }
  }

  #fixHere() {
    const at = this.#input.selectionStart;
    const line = this.#layer.marksByLine().get(this.#layer.index.lineOf(at)) ?? [];
    const here = [...marksAt(this.#marks, at), ...line].find(({ edits }) => edits);
    if (here) this.#make([here]);
    else this.#announce(t("composer.editor.noFix"));
  }

  #gutterKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const lines = [...this.#layer.marksByLine().keys()];
    const at = lines.indexOf(Number(event.target.dataset.line));
    if (!step || at < 0) return;
    event.preventDefault();
    const line = lines[(at + step + lines.length) % lines.length];
    this.#layer.reveal(this.#layer.index.starts[line]);
    this.#layer.focusNumber(line);
  }

  #breakLine() {
    const before = this.text.slice(0, this.#input.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const indent = /^[ \t]*/.exec(line)[0];
    const opens = /[[{][ \t]*$/.test(line);
    const { selectionStart: start, selectionEnd: end } = this.#input;
    // Between two brackets the closing one moves to a line of its own.
    const closes = opens && /^[ \t]*[\]}]/.test(this.text.slice(end, end + 80));
    this.#replace({ start, end, replacement: `\n${indent}${opens ? "  " : ""}${closes ? `\n${indent}` : ""}` });
    if (closes) {
      const caret = start + 3 + indent.length;
      this.#input.setSelectionRange(caret, caret);
    }
    this.#layer.draw(this.text, this.#marks);
    this.#layer.reveal(this.#input.selectionStart);
  }

  #changed() {
    const { text } = this;
    this.#marks = moveMarks(this.#marks, changeBetween(this.#marked, text));
    this.#marked = text;
    this.#drawSoon();
    this.dispatchEvent(new CustomEvent("text-change", { detail: { text }, bubbles: true }));
  }

  #drawSoon() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#layer.draw(this.text, this.#marks);
      this.#foot?.show(this.#marks, joinEdits(this.#marks.flatMap(({ edits }) => (edits ? [edits] : []))).taken);
    });
  }

  #announce(words) {
    this.#said.replaceChildren(words);
  }
}
customElements.define("json-editor", JSONEditor);
