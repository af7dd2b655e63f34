/** Suggestions while typing: when the list opens, what accepting does. */
import { t } from "../../lib/i18n.js";
import { completionAt } from "./completion.js";
import "./completion-list.js";
import { pageSchemas } from "./page-schemas.js";
import { showBeside } from "./popup.js";

/**
 * @typedef {{input: HTMLTextAreaElement, layer: import("./text-layer.js").TextLayer,
 *   list: import("./completion-list.js").CompletionList, announce: (words: string) => void,
 *   replace: (edit: import("./edits.js").Edit) => void}} Surroundings
 */

export class Suggesting {
  /** The schema of the text; null suggests nothing. */
  schema = null;
  /** Values by pointer that are known, such as the envelope's. */
  known = () => ({});
  #completion = null;

  /** @param {Surroundings} around */
  constructor(around) {
    Object.assign(this, around);
    this.list.addEventListener("completion-accept", (event) => this.#accept(event.detail.candidate));
  }

  get isOpen() {
    return this.list.isOpen;
  }

  /** Shows the completions at the caret, or that there are none. */
  async open() {
    if (!this.schema) return;
    try {
      await pageSchemas.load(this.schema);
    } catch {
      this.announce(t("composer.editor.noSchema"));
      return;
    }
    this.#show({ isAsked: true });
  }

  /** After something was typed: opens behind a quote, narrows an open list, closes one that ended. */
  typed(event) {
    if (!this.schema || !pageSchemas.has(this.schema) || event.isComposing) return this.close();
    // A quote before a word or another quote ends or begins something that is there already.
    const isQuote = event.inputType === "insertText" && event.data === '"'
      && !/^["\w]/.test(this.input.value.slice(this.input.selectionStart, this.input.selectionStart + 1));
    if (this.isOpen || isQuote) this.#show({ isAsked: false });
  }

  /** Keys that belong to the open list; true when one was handled. */
  handlesKey(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }[event.key];
    if (step) {
      this.list.move(step);
      this.#point();
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      this.#accept(this.list.active);
    } else if (event.key === "Escape") {
      this.close();
    } else {
      if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End" || event.key === "Tab") this.close();
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Stays beside its place while the text scrolls, as long as the place is in view. */
  follow() {
    if (!this.isOpen) return;
    const place = this.layer.placeOf(this.#completion.at);
    if (this.layer.shows(place)) showBeside(this.list, place);
    else this.close();
  }

  close() {
    if (!this.isOpen) return;
    this.list.hide();
    this.#completion = null;
    this.#point();
  }

  #show({ isAsked }) {
    const { input, list } = this;
    const found = input.selectionStart === input.selectionEnd && completionAt({
      schemas: pageSchemas, root: this.schema, text: input.value, offset: input.selectionStart, known: this.known(),
    });
    const only = found && found.candidates.length === 1 ? found.candidates[0] : null;
    const isWritten = only && !isAsked && input.value.slice(found.start, found.end) === JSON.stringify(only.label);
    if (!found || found.candidates.length === 0 || isWritten || (!isAsked && !found.isQuoted)) {
      this.close();
      if (isAsked) this.announce(t("composer.editor.noSuggestion"));
      return;
    }
    const wasOpen = list.isOpen;
    const count = this.#completion?.candidates.length;
    this.#completion = found;
    this.layer.draw(input.value, this.marks());
    list.show(found.candidates, this.layer.placeOf(found.at));
    this.#point();
    if (!wasOpen || count !== found.candidates.length) {
      this.announce(t("composer.editor.suggestions", { count: found.candidates.length }));
    }
  }

  /** The marks in view; set by the editor. */
  marks = () => [];

  #point() {
    const { input, list } = this;
    if (list.isOpen) {
      input.setAttribute("aria-controls", list.listID);
      input.setAttribute("aria-activedescendant", list.activeID);
    } else {
      input.removeAttribute("aria-controls");
      input.removeAttribute("aria-activedescendant");
    }
  }

  #accept(candidate) {
    const { start, end } = this.#completion;
    this.close();
    this.replace({ start, end, replacement: candidate.insert });
    const caret = start + candidate.caret;
    this.input.setSelectionRange(caret, caret);
    this.layer.reveal(caret);
    if (candidate.goesOn) this.#show({ isAsked: false });
  }
}
