import { adopt, h, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";

const styles = sheet(`
.part-rows { display: grid; gap: 8px; }
.part-box { display: grid; gap: 12px; min-width: 0; }
.part-row { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; gap: 6px; padding: 8px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm); background: var(--fd-bg-sunken); }
.part-fields { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 6px; }
.part-fields > .fd-input { flex: 0 1 180px; width: auto; min-width: 0; }
.part-fields > .part-is { flex: 0 1 120px; }
.part-value { flex: 1 1 180px; min-width: 0; display: grid; gap: 6px; }
.part-value .fd-field { margin: 0; }
.part-value textarea { min-height: 72px; }
.part-row > .fd-button { flex: none; width: 36px; padding: 0; }
.part-row > .fd-error { grid-column: 1 / -1; margin: 0; }
.part-row > .fd-error:empty { display: none; }
.part-row.is-wrong { border-color: var(--fd-danger); }
.part-lead { margin: 0; color: var(--fd-ink-2); }
@media (max-width: 640px) { .part-fields > :is(.fd-input, .part-is, .part-value) { flex-basis: 100%; } .part-row > .fd-button { width: 44px; min-height: 44px; } }
`);

/**
 * @typedef {import("./rule-parts.js").Part} Part
 * @typedef {{element: HTMLElement, read: () => Partial<Part>}} PartControl
 */

/** Rows of which each is one condition or action: its kind, whether it is or is not, and its value. */
export class PartRows {
  element = h("div", { class: "part-box" });
  #list = h("div", { class: "part-rows" });
  /** @type {{kind: string, not: HTMLSelectElement|null, control: PartControl, element: HTMLElement}[]} */
  #rows = [];
  #options;

  /**
   * @param {{kinds: () => string[], name: string, most: number, hasNot?: boolean, none: string, control: (kind: string, part: Partial<Part>, label: string) => PartControl,
   *   changed?: () => void}} options `name`: the prefix of the texts
   */
  constructor(options) {
    adopt(styles);
    this.#options = options;
    this.add = h("button", { type: "button", class: "fd-button", onClick: () => this.#append() }, icon("add", 16), h("span", null, t(`${options.name}.add`)));
    this.empty = h("p", { class: "fd-help" }, options.none);
    replace(this.element, this.empty, this.#list, h("div", { class: "form-actions is-start" }, this.add));
  }

  /** @param {Part[]} parts */
  draw(parts) {
    this.#rows = parts.map((part) => this.#row(part.kind, part));
    this.#show();
  }

  /** @returns {Part[]} */
  read() {
    return this.#rows.map(({ kind, not, control }) => ({ kind, ...this.#options.hasNot ? { not: not.value === "not" } : {}, ...control.read() }));
  }

  /** Says at a row what is wrong with it, and puts the focus there; false where there is no such row. @param {number} place @param {string} words */
  mark(place, words) {
    const row = this.#rows[place];
    if (!row) return false;
    row.element.classList.add("is-wrong");
    row.element.querySelector(".fd-error").textContent = words;
    row.element.querySelector("select, input, textarea").focus();
    return true;
  }

  /** Removes the marks. */
  clearMarks() {
    for (const { element } of this.#rows) {
      element.classList.remove("is-wrong");
      element.querySelector(".fd-error").textContent = "";
    }
  }

  /** The kinds that are offered are others. */
  offerAnew() {
    this.draw(this.read());
  }

  #append() {
    const kinds = this.#options.kinds();
    this.#rows.push(this.#row(kinds[0], {}));
    this.#show();
    this.#rows.at(-1).element.querySelector("select").focus();
    this.#options.changed?.();
  }

  #show() {
    replace(this.#list, this.#rows.map(({ element }, index) => {
      element.setAttribute("aria-label", t(`${this.#options.name}.row`, { number: index + 1 }));
      element.querySelector(":scope > .fd-button").setAttribute("aria-label", t("rules.removeRow", { number: index + 1 }));
      return element;
    }));
    this.empty.hidden = this.#rows.length > 0;
    this.#list.hidden = !this.#rows.length;
    this.add.disabled = this.#rows.length >= this.#options.most;
  }

  #row(kind, part) {
    const { name, hasNot, changed } = this.#options;
    const kinds = this.#options.kinds();
    const offered = kinds.includes(kind) ? kinds : [...kinds, kind];
    const choice = h("select", { class: "fd-input", "aria-label": t(`${name}.what`) }, offered.map((one) => h("option", { value: one }, t(`${name}.${one}`))));
    choice.value = kind;
    const not = hasNot ? h("select", { class: "fd-input part-is", "aria-label": t("rules.isOrNot") },
      h("option", { value: "" }, t(`rules.is.${kind}`)), h("option", { value: "not" }, t(`rules.isNot.${kind}`))) : null;
    if (not) not.value = part.not ? "not" : "";
    const control = this.#options.control(kind, part, t(`${name}.${kind}`));
    const value = h("div", { class: "part-value" }, control.element);
    const element = h("div", { class: "part-row", role: "group" }, h("div", { class: "part-fields" }, choice, not, value),
      h("button", { type: "button", class: "fd-button is-plain is-icon", title: t("console.remove"), onClick: () => this.#remove(row) }, icon("close", 16)),
      h("p", { class: "fd-error", role: "alert" }));
    const row = { kind, not, control, element };
    choice.addEventListener("change", () => {
      const next = this.#row(choice.value, {});
      this.#rows[this.#rows.indexOf(row)] = next;
      this.#show();
      next.element.querySelector("select").focus();
      changed?.();
    });
    return row;
  }

  #remove(row) {
    const place = this.#rows.indexOf(row);
    this.#rows.splice(place, 1);
    this.#show();
    (this.#rows[Math.min(place, this.#rows.length - 1)]?.element.querySelector("select") ?? this.add).focus();
    this.#options.changed?.();
  }
}
