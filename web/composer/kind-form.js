/** The common part of all kinds' forms: a draft, a payload made from it, findings beside fields. */
import { h } from "../lib/dom.js";
import { freshIDs } from "./message-ids.js";
import { payloadText } from "./payloads.js";
import { fixLanguage, fixWords } from "./rule-words.js";
import { focusedIn } from "./styles.js";

/**
 * @typedef {{business: {id: string, name: string}, conversation: object|null, locale: string,
 *   apiBase: string, envelope: () => import("./payloads.js").Envelope}} FormContext
 */

/** @fires form-change whenever the payload may be another one */
export class KindForm extends HTMLElement {
  /** @type {FormContext} */
  context;
  /** @type {any} */
  draft = null;
  /** Those of the draft, until its message is accepted. @type {import("./message-ids.js").MessageIDs} */
  ids = freshIDs();
  /** Pointers of the fields that had the focus. */
  #seen = new Set();
  /** Drafts with typed text. */
  #typed = new WeakSet();

  connectedCallback() {
    if (!this.draft) this.draft = this.blankDraft();
    if (!this.firstChild) this.render();
    this.addEventListener("focusout", this.#visited);
    this.addEventListener("input", this.#noteTyping);
    this.addEventListener("keydown", this.#goOn);
  }

  disconnectedCallback() {
    this.removeEventListener("focusout", this.#visited);
    this.removeEventListener("input", this.#noteTyping);
    this.removeEventListener("keydown", this.#goOn);
  }

  /** Whether there is something in the form that would be missed, ready to be sent or not. */
  get isWritten() {
    return !this.isBlank() || this.#typed.has(this.draft);
  }

  /** Puts another draft in and draws it. */
  setDraft(draft) {
    this.draft = draft ?? this.blankDraft();
    this.render();
    this.changed();
  }

  /** Draws the whole form from the draft. Focus returns to the control it was on. */
  render() {
    const focused = this.contains(focusedIn(this)) ? focusedIn(this) : null;
    const place = focused ? this.#focusKeys().findIndex(([control]) => control === focused) : -1;
    const folds = [...this.querySelectorAll("details")].map((fold) => fold.open);
    this.replaceChildren(...this.draw().filter(Boolean));
    this.querySelectorAll("details").forEach((fold, index) => (fold.open = folds[index] ?? fold.open));
    if (place >= 0) this.#focusKeys()[place]?.[0].focus();
    this.markFindings(this.findings ?? []);
  }

  /** Notifies the composer; every field calls it. */
  changed() {
    this.dispatchEvent(new CustomEvent("form-change", { bubbles: true }));
  }

  /** Draws again after the draft's shape changed, then moves the focus to what `find` names. */
  reshape(find) {
    this.render();
    this.changed();
    if (find) this.querySelector(find)?.focus();
  }

  /**
   * Shows findings at their fields; fields that were never focused stay unmarked until
   * `reveal` shows all.
   * @param {{pointer: string, severity: string, fix?: string, title?: string}[]} findings
   */
  markFindings(findings, reveal = false) {
    this.findings = findings;
    if (reveal) this.classList.add("cp-revealed");
    const boxes = [...this.querySelectorAll(".cp-field.cp-checked")];
    const taken = new Map();
    for (const finding of findings) {
      const pointer = finding.pointer ?? "";
      const best = boxes
        .filter((box) => pointer === box.pointer() || pointer.startsWith(`${box.pointer()}/`))
        .sort((one, other) => other.pointer().length - one.pointer().length)[0];
      if (best && !taken.has(best)) taken.set(best, finding);
    }
    for (const box of boxes) {
      const finding = taken.get(box);
      box.problem.replaceChildren(...(finding ? [h("span", { lang: fixLanguage(finding) }, fixWords(finding))] : []));
      box.problem.hidden = !finding;
      box.classList.toggle("cp-has-error", finding?.severity === "error");
      box.classList.toggle("cp-has-warning", finding?.severity === "warning");
      const visited = this.#seen.has(box.pointer()) || this.classList.contains("cp-revealed");
      box.classList.toggle("cp-visited", visited);
      if (finding?.severity === "error" && visited) box.control.setAttribute("aria-invalid", "true");
      else box.control.removeAttribute("aria-invalid");
    }
  }

  /** Whether there is a field that a pointer belongs to. @param {string} pointer */
  hasField(pointer) {
    return Boolean(this.#fieldOf(pointer));
  }

  #fieldOf(pointer) {
    return [...this.querySelectorAll(".cp-field.cp-checked")]
      .filter((box) => pointer === box.pointer() || pointer.startsWith(`${box.pointer()}/`))
      .sort((one, other) => other.pointer().length - one.pointer().length)[0];
  }

  /** Moves the focus to the field a pointer belongs to; false when no field is. */
  focusPointer(pointer) {
    const box = this.#fieldOf(pointer);
    if (!box) return false;
    const { control } = box;
    for (let fold = control.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    control.focus();
    return true;
  }

  /** The heading of a part. */
  heading(text, ...extra) {
    return h("div", { class: "cp-heading" }, h("h3", null, text), ...extra);
  }

  // To be implemented by each kind.
  blankDraft() {
    return {};
  }
  draw() {
    return [];
  }
  payload() {
    return null;
  }
  /** The text whose bytes are sent. */
  text() {
    return payloadText(this.payload());
  }
  isBlank() {
    return true;
  }
  /** Findings that only the form can know, such as a placeholder left open. */
  ownFindings() {
    return [];
  }
  /** Fetches what the payload needs from the server. */
  async prepare() {}
  example() {
    return null;
  }
  /** Called after a message was accepted. */
  sent() {}

  #noteTyping = () => this.#typed.add(this.draft);

  /** Enter goes on from a row of a list to the next one, which is added after the last. */
  #goOn = (event) => {
    const { target, key } = event;
    if (key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || event.defaultPrevented) return;
    const row = target.matches?.("input[data-key]:not([type=checkbox])") && target.closest(".cp-list > li");
    if (!row) return;
    event.preventDefault();
    const next = row.nextElementSibling?.querySelector("input[data-key]");
    if (next) next.focus();
    // An empty one more would be none.
    else if (target.value.trim()) row.parentElement.parentElement.querySelector(":scope > .cp-add")?.click();
  };

  #visited = (event) => {
    const box = event.target.closest?.(".cp-field.cp-checked");
    if (!box) return;
    this.#seen.add(box.pointer());
    this.markFindings(this.findings ?? []);
  };

  #focusKeys() {
    return [...this.querySelectorAll("input, select, textarea, button, summary")].map((it) => [it]);
  }
}
