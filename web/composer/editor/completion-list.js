import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { freshElementID } from "../fields.js";
import { factNodes, typeWords } from "./fact-words.js";
import { hideBeside, showBeside } from "./popup.js";

/** More suggestions than this are not drawn. */
const shownLimit = 100;

/**
 * The possible completions, as a list beside the caret, with the description of the chosen entry. The
 * focus stays in the text.
 *
 * Values down: `show(completion, place)`, `move(step)`, `hide()`. Events up: `completion-accept` with
 * `detail.candidate`.
 */
export class CompletionList extends HTMLElement {
  #stem = freshElementID("suggest");
  #list = h("ul", { class: "sg-list", role: "listbox", tabindex: "0" });
  #words = h("div", { class: "sg-words", tabindex: "0" });
  #candidates = [];
  #active = 0;

  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("popover", "manual");
    this.#list.id = this.#stem;
    this.#list.setAttribute("aria-label", t("composer.editor.suggestionList"));
    // A press must not move the focus out of the text.
    this.addEventListener("mousedown", (event) => event.preventDefault());
    this.append(this.#list, this.#words);
  }

  get isOpen() {
    return this.matches(":popover-open");
  }

  /** The id of the listbox, for `aria-controls`. */
  get listID() {
    return this.#stem;
  }

  /** The id of the chosen option, for `aria-activedescendant`. */
  get activeID() {
    return `${this.#stem}-${this.#active}`;
  }

  /** The chosen entry. */
  get active() {
    return this.#candidates[this.#active] ?? null;
  }

  /**
   * @param {import("./completion.js").Candidate[]} candidates
   * @param {{left: number, top: number, bottom: number}} place
   */
  show(candidates, place) {
    const before = this.isOpen ? this.active?.label : null;
    this.#candidates = candidates.slice(0, shownLimit);
    this.#active = Math.max(0, this.#candidates.findIndex(({ label }) => label === before));
    this.#list.replaceChildren(...this.#candidates.map((candidate, index) => h("li", {
      role: "option", id: `${this.#stem}-${index}`, class: "sg-option", onclick: () => this.#accept(index),
    }, h("span", { class: "sg-label" }, candidate.label),
    candidate.isRequired ? h("span", { class: "sg-required" }, t("composer.editor.required")) : null,
    h("span", { class: "sg-type" }, typeWords(candidate.facts)))));
    this.#mark();
    showBeside(this, place);
    this.#mark();
  }

  /** Chooses the next entry, around the end. */
  move(step) {
    const count = this.#candidates.length;
    this.#active = (this.#active + step + count) % count;
    this.#mark();
  }

  hide() {
    hideBeside(this);
  }

  #accept(index) {
    this.dispatchEvent(new CustomEvent("completion-accept", { detail: { candidate: this.#candidates[index] } }));
  }

  #mark() {
    for (const [index, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", String(index === this.#active));
    }
    const option = /** @type {HTMLElement} */ (this.#list.children[this.#active]);
    // Only the list is scrolled; scrollIntoView would move the page too.
    if (option.offsetTop < this.#list.scrollTop) this.#list.scrollTop = option.offsetTop;
    const end = option.offsetTop + option.offsetHeight - this.#list.clientHeight;
    if (end > this.#list.scrollTop) this.#list.scrollTop = end;
    this.#words.replaceChildren(...factNodes(this.active.facts));
    this.#words.hidden = !this.#words.firstChild;
  }
}
customElements.define("completion-list", CompletionList);
