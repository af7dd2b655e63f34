/** The findings below a form: folded away until their count is pressed. */

export class FindingsFold {
  #list;
  #count;

  /**
   * @param {import("./finding-list.js").FindingList} list
   * @param {HTMLElement} count the button that opens and closes the list
   */
  constructor(list, count) {
    this.#list = list;
    this.#count = count;
    count.setAttribute("aria-controls", list.id);
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
      count.focus();
    });
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  open() {
    this.#list.hidden = false;
  }

  close() {
    this.#list.hidden = true;
    this.#list.show([], "");
    this.#count.setAttribute("aria-expanded", "false");
  }

  /**
   * Draws the content of an open list; without findings it closes.
   * @param {import("../lib/api.js").Finding[]} findings
   * @param {string} text that the findings are about
   * @param {(pointer: string) => boolean} leads whether the form has a field for a pointer
   */
  draw(findings, text, leads) {
    if (this.isOpen) this.#list.show(findings, text, { withPlaces: false, leads });
    this.#count.setAttribute("aria-expanded", String(this.isOpen));
  }

  /** Puts the focus on the first finding. */
  focus() {
    this.#list.focus();
  }
}
