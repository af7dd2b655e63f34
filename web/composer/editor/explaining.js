/** Help about a place: under the pointer, at the caret on request, at a finding that was selected. */
import { t } from "../../lib/i18n.js";
import { pathAt } from "./caret.js";
import "./help-card.js";
import { marksAt } from "./marks.js";
import { pageSchemas } from "./page-schemas.js";
import { showBeside } from "./popup.js";
import { factsOf } from "./schema-facts.js";
import { viewsAt } from "./schema-walk.js";
import { readTree } from "./text-tree.js";

/** How long the pointer pauses before help appears, and how long it stays behind, in milliseconds. */
const restMilliseconds = 350;
const leaveMilliseconds = 250;

/**
 * @typedef {{input: HTMLTextAreaElement, layer: import("./text-layer.js").TextLayer,
 *   card: import("./help-card.js").HelpCard, announce: (words: string) => void,
 *   marks: () => import("./marks.js").Mark[]}} Surroundings
 */

export class Explaining {
  /** The schema of the text, or null. */
  schema = null;
  #timer = 0;
  /** The subject of the card: the findings that it shows, and where. */
  #shown = null;

  /** @param {Surroundings} around */
  constructor(around) {
    Object.assign(this, around);
    const { input, card } = around;
    input.addEventListener("pointermove", (event) => this.#point(event));
    input.addEventListener("pointerleave", () => this.#leave());
    input.addEventListener("scroll", () => this.#follow());
    input.addEventListener("blur", (event) => {
      if (!card.contains(/** @type {Node|null} */ (event.relatedTarget))) this.#leave();
    });
    card.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    card.addEventListener("pointerleave", () => this.#leave());
    card.addEventListener("focusout", (event) => {
      if (!card.contains(/** @type {Node|null} */ (event.relatedTarget))) this.#leave();
    });
    card.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.hide();
      input.focus();
    });
  }

  get isOpen() {
    return this.card.isOpen;
  }

  /** The place of an offset; the findings below the text, and their fixes, stay free. */
  #placeOf(at) {
    return { ...this.layer.placeOf(at), lowest: this.input.getBoundingClientRect().bottom };
  }

  /** Shows the help for the caret's place. */
  async explain() {
    if (this.schema) await pageSchemas.load(this.schema).catch(() => {});  // Safe: findings are still shown.
    if (!this.input.matches(":focus")) return;
    clearTimeout(this.#timer);
    if (this.#showAt(this.input.selectionStart)) this.announce(this.card.words);
    else this.announce(t("composer.editor.noHelp"));
  }

  /** Shows certain findings at their place. */
  showMarks(marks) {
    // The focus may have left and returned meanwhile: then the card must not be hidden.
    clearTimeout(this.#timer);
    this.#show(marks, marks[0].start);
  }

  /** After another result: hides findings that no longer exist. */
  refresh() {
    if (!this.isOpen || !this.#shown?.hasMarks) return;
    const marks = marksAt(this.marks(), this.#shown.offset);
    if (marks.length) this.#show(marks, this.#shown.offset);
    else this.hide();
  }

  hide() {
    clearTimeout(this.#timer);
    this.card.hide();
    this.#shown = null;
  }

  #point(event) {
    if (event.pointerType === "touch") return;
    clearTimeout(this.#timer);
    const { clientX, clientY } = event;
    this.#timer = setTimeout(() => {
      const offset = event.buttons ? null : this.layer.offsetAt(clientX, clientY);
      if (offset === null || !this.#showAt(offset)) this.hide();
    }, restMilliseconds);
  }

  /** Stays beside its place while the text scrolls, as long as the place is in view. */
  #follow() {
    if (!this.isOpen || !this.#shown) return;
    const place = this.#placeOf(this.#shown.at);
    if (this.layer.shows(place)) showBeside(this.card, place);
    else this.hide();
  }

  #leave() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), leaveMilliseconds);
  }

  #showAt(offset) {
    return this.#show(marksAt(this.marks(), offset), offset);
  }

  #show(marks, offset) {
    const { path, start, facts: known } = this.#about(offset);
    // Facts about the whole message are not repeated beside a finding.
    const facts = marks.length && path.length === 0 ? null : known;
    if (marks.length === 0 && !facts) return false;
    const at = marks[0]?.start ?? start;
    this.card.show({ marks, path, facts }, this.#placeOf(at));
    this.#shown = { offset, at, hasMarks: marks.length > 0 };
    return true;
  }

  #about(offset) {
    const nothing = { path: [], start: offset, facts: null };
    if (!this.schema || !pageSchemas.has(this.schema)) return nothing;
    const tree = readTree(this.input.value);
    const place = pathAt(tree, offset);
    if (!place) return nothing;
    const facts = factsOf(viewsAt(pageSchemas, this.schema, tree.root, place.path));
    return { ...place, facts: facts.description || facts.limits.length ? facts : null };
  }
}
