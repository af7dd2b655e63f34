/** The findings below a form: folded away until their count is pressed. */

/**
 * Findings that say the same about places without a field, as one with the number of places (`alike`).
 * @param {import("../lib/api.js").Finding[]} findings
 * @param {(pointer: string) => boolean} leads whether the form has a field for a pointer
 */
export function alikeOnce(findings, leads) {
  const first = new Map();
  return findings.flatMap((finding) => {
    if (leads(finding.pointer ?? "")) return [finding];
    const key = JSON.stringify([finding.rule, finding.severity, finding.fix]);
    const known = first.get(key);
    if (known) {
      known.alike += 1;
      return [];
    }
    const one = { ...finding, alike: 1 };
    first.set(key, one);
    return [one];
  });
}

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
    if (this.isOpen) this.#list.show(alikeOnce(findings, leads), text, { withPlaces: false, leads });
    this.#count.setAttribute("aria-expanded", String(this.isOpen));
  }

  /** Puts the focus on the first finding. */
  focus() {
    this.#list.focus();
  }
}
